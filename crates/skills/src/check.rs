//! The rules that a skill is held to: one table.
//!
//! A rule is a row. Some are found while the frontmatter and its typed blocks are read; others
//! look at the frontmatter afterwards ([`Draft`]); the rest look at everything ([`content`]),
//! which is done only when somebody asks. A new rule is a function beside its kin in `check/` and
//! a row in `check/table.rs`.

mod content;
mod credentials;
mod description;
mod file;
mod invisible;
mod keys;
mod links;
mod markdown;
mod name;
mod named_files;
mod references;
mod rule;
mod specified;
mod table;
mod unlinked;
mod wording;

use text::Lines;

use self::{content::Content, rule::Look};
use crate::{File, Problem, Severity, Skill, SkillPath, document::Document, problem::Fault, yaml::Node};

pub(crate) use self::{credentials::is_example, keys::nearest, specified::unspecified, table::find};
pub use self::{rule::Rule, table::RULES};

/// What the rules look at: a skill whose frontmatter was read.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// The name of its folder.
    pub(crate) id: &'a str,
    pub(crate) document: &'a Document<'a>,
    /// Always a mapping.
    pub(crate) frontmatter: &'a Node,
}

/// Whether a line `key: value` can be put into the frontmatter: it is empty, or already such lines.
fn takes_lines(draft: &Draft<'_>) -> bool {
    let (file, yaml) = (draft.document.file(), draft.document.fences.as_ref().map(|fences| fences.yaml.clone()));
    match draft.frontmatter.entries() {
        [] => yaml.is_some_and(|yaml| file[yaml].trim_ascii().is_empty()),
        _ => file[draft.frontmatter.span.start] != b'{',
    }
}

/// Everything that is wrong with a frontmatter, in the order of the file.
pub(crate) fn problems(draft: &Draft<'_>, mut faults: Vec<Fault>) -> Vec<Problem> {
    for fault in faults.iter_mut().filter(|fault| fault.rule == "duplicate-key") {
        *fault = keys::mend_duplicate(draft, fault.clone());
    }
    for rule in RULES {
        if let Look::Frontmatter(look) = rule.look {
            faults.extend(look(draft));
        }
    }
    told(faults, draft.document.file())
}

/// What is wrong with a skill beyond its frontmatter: its body, its links, its other files. Not
/// what [`crate::read`] said already. `bytes` are those that `skill` was read from, `files` all
/// files of its folder; `text_of` is asked for the text of some of them.
pub fn examine(
    skill: &Skill,
    bytes: &[u8],
    files: &[File],
    text_of: &mut dyn FnMut(&SkillPath) -> Option<String>,
) -> Vec<Problem> {
    examine_listed_in_part(skill, bytes, files, text_of, &|_| false)
}

/// The same where `files` may be only the first of very many: before a file or folder that is not among them is called
/// missing, `is_there` is asked for it.
pub fn examine_listed_in_part(
    skill: &Skill,
    bytes: &[u8],
    files: &[File],
    text_of: &mut dyn FnMut(&SkillPath) -> Option<String>,
    is_there: &dyn Fn(&SkillPath) -> bool,
) -> Vec<Problem> {
    told(content_faults(&mut Content::new(skill, bytes).beside(files, text_of, is_there)), bytes)
}

/// What is wrong inside a SKILL.md, as far as it can be seen without the files beside it.
pub(crate) fn examine_text(skill: &Skill, bytes: &[u8]) -> Vec<Problem> {
    told(content_faults(&mut Content::new(skill, bytes)), bytes)
}

fn content_faults(content: &mut Content<'_>) -> Vec<Fault> {
    let looks = RULES.iter().filter_map(|rule| match rule.look {
        Look::Content(look) => Some(look),
        Look::Reading | Look::Frontmatter(_) => None,
    });
    looks.flat_map(|look| look(content)).collect()
}

fn told(mut faults: Vec<Fault>, file: &[u8]) -> Vec<Problem> {
    if faults.is_empty() {
        return Vec::new();
    }
    faults.sort_by_key(|fault| (fault.span.start, fault.span.end));
    // Lines behind the last fault are nobody's concern; most faults stand in the frontmatter.
    let last = faults.iter().map(|fault| fault.span.start).max().unwrap_or_default();
    let lines = Lines::new(&file[..last.min(file.len())]);
    faults.into_iter().map(|fault| problem(fault, &lines)).collect()
}

fn problem(fault: Fault, lines: &Lines<'_>) -> Problem {
    Problem {
        rule: fault.rule,
        severity: find(fault.rule).map_or(Severity::Error, |rule| rule.severity),
        message: fault.message,
        start: fault.span.start,
        end: fault.span.end,
        place: lines.place(fault.span.start),
        field: fault.field,
        fix: fault.fix.map(|fix| *fix),
    }
}
