//! The rules for skills, in one table.
//!
//! A rule is a row. Some are found while the frontmatter and its typed blocks are read; others look at the
//! frontmatter afterwards ([`Draft`]); the rest look at everything ([`content`]), which is done only on request. To
//! add a rule, add a function in `check/` next to similar ones and a row in `check/table.rs`.

mod content;
mod credentials;
mod description;
mod file;
mod invisible;
mod keys;
mod links;
mod markdown;
mod mentions;
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
use crate::{File, Problem, Severity, Skill, SkillPath, document::Document, fix::harmful, problem::Fault, yaml::Node};

pub use self::{
    content::{Disk, Found},
    rule::Rule,
    table::RULES,
};
pub(crate) use self::{credentials::holds_key, table::find};
pub use credentials::credentials;

/// The input of the frontmatter rules: a skill whose frontmatter was read.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// The name of its folder.
    pub(crate) id: &'a str,
    pub(crate) document: &'a Document<'a>,
    /// Always a mapping.
    pub(crate) frontmatter: &'a Node,
}

/// Whether a line `key: value` can be added to the frontmatter: it is empty, or consists of lines like that.
fn takes_lines(draft: &Draft<'_>) -> bool {
    let (file, yaml) = (draft.document.file(), draft.document.fences.as_ref().map(|fences| fences.yaml.clone()));
    match draft.frontmatter.entries() {
        [] => yaml.is_some_and(|yaml| file[yaml].trim_ascii().is_empty()),
        _ => file[draft.frontmatter.span.start] != b'{',
    }
}

/// All problems of a frontmatter, in the order of the file.
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

/// Problems of a skill beyond its frontmatter: its body, its links, its other files, without those that
/// [`crate::read()`] reported. `bytes` are what `skill` was read from, `files` all files of its folder; `text_of` gives
/// the text of some of them.
pub fn examine(
    skill: &Skill,
    bytes: &[u8],
    files: &[File],
    text_of: &mut dyn FnMut(&SkillPath) -> Option<String>,
) -> Vec<Problem> {
    examine_on_disk(skill, bytes, files, text_of, &Disk { find: &|_| Found::Nothing, links_out: &[] })
}

/// As [`examine`], for a folder on a disk: a file or folder that is not in `files` is looked for there before it is
/// called missing.
pub fn examine_on_disk(
    skill: &Skill,
    bytes: &[u8],
    files: &[File],
    text_of: &mut dyn FnMut(&SkillPath) -> Option<String>,
    disk: &Disk<'_>,
) -> Vec<Problem> {
    let problems = told(content_faults(&mut Content::new(skill, bytes).beside(files, text_of, disk)), bytes);
    harmless(skill, bytes, problems)
}

/// The problems, without the fixes that would cause a frontmatter problem.
fn harmless(skill: &Skill, bytes: &[u8], mut problems: Vec<Problem>) -> Vec<Problem> {
    // A fix in the body cannot affect the frontmatter.
    let in_frontmatter = problems.partition_point(|problem| problem.start < skill.body.start);
    for index in harmful(&skill.id, bytes, &skill.problems, &problems[..in_frontmatter]) {
        problems[index].fix = None;
    }
    problems
}

/// Problems in a SKILL.md that can be found without the other files.
pub(crate) fn examine_text(skill: &Skill, bytes: &[u8]) -> Vec<Problem> {
    harmless(skill, bytes, told(content_faults(&mut Content::new(skill, bytes)), bytes))
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
    // Lines after the last fault need no index; most faults are in the frontmatter.
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

impl Skill {
    /// Whether it follows the Agent Skills specification exactly, so that a checking host accepts it (`skills/*`,
    /// `skill://`; decision 10).
    pub fn is_strict(&self) -> bool {
        self.reading == crate::Reading::Strict
            && !self.problems.iter().any(|problem| find(problem.rule).is_some_and(|rule| rule.specified))
    }
}
