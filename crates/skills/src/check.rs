//! The rules that a skill is held to: one table.
//!
//! A rule is a row. Some are found while the frontmatter and its typed blocks are read; the
//! others look at a [`Draft`] afterwards. A new rule is a function beside its kin in `check/`
//! and a row here.

mod description;
mod file;
mod keys;
mod name;

use text::Lines;

use self::Look::{Afterwards, WhileReading};
use crate::{
    Problem,
    Severity::{self, Advice, Error, Warning},
    document::Document,
    problem::Fault,
    yaml::Node,
};

/// A rule that a skill is held to.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// What names it, in kebab-case.
    pub id: &'static str,
    /// How much breaking it matters.
    pub severity: Severity,
    /// Whether it is the Agent Skills specification's: a host that checks what it is served
    /// refuses the skill.
    pub specified: bool,
    /// What it demands, as a sentence.
    pub demands: &'static str,
    look: Look,
}

#[derive(Debug, Clone, Copy)]
enum Look {
    /// While the file, its frontmatter or the library is read.
    WhileReading,
    /// In what was read.
    Afterwards(fn(&Draft<'_>) -> Vec<Fault>),
}

/// What the rules look at: a skill whose frontmatter was read.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// The name of its folder.
    pub(crate) id: &'a str,
    pub(crate) document: &'a Document<'a>,
    /// Always a mapping.
    pub(crate) frontmatter: &'a Node,
}

/// Every rule.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    rule("unreadable", Error, WhileReading, "SKILL.md is a file that can be read, of at most 1 MiB."),
    rule("no-frontmatter", Error, Afterwards(file::frontmatter), "SKILL.md starts with frontmatter between two lines `---`.").specified(),
    rule("path-instead-of-text", Error, Afterwards(file::path), "SKILL.md holds the skill itself, not the path of another file."),
    rule("sloppy-fence", Warning, Afterwards(file::fences), "Each fence is a line of exactly `---`.").specified(),
    rule("byte-order-mark", Warning, Afterwards(file::byte_order_mark), "SKILL.md starts with `---`, not with a byte order mark.").specified(),
    rule("not-utf8", Warning, Afterwards(file::encoding), "SKILL.md is UTF-8.").specified(),
    rule("yaml-syntax", Error, WhileReading, "The frontmatter is YAML 1.2.").specified(),
    rule("yaml-limit", Error, WhileReading, "The frontmatter keeps to our limits of size, depth and repetition.").specified(),
    rule("yaml-tag", Warning, WhileReading, "The frontmatter uses no YAML tags but those of the core schema.").specified(),
    rule("unquoted-colon", Warning, WhileReading, "A value that holds a colon and a blank stands in quotes.").specified(),
    rule("unquoted-value", Warning, WhileReading, "A value that YAML would read as something else stands in quotes.").specified(),
    rule("duplicate-key", Warning, WhileReading, "A key stands in its mapping once.").specified(),
    rule("frontmatter-not-mapping", Error, WhileReading, "The frontmatter holds `key: value` lines.").specified(),
    rule("name-missing", Error, Afterwards(name::missing), "A skill has a name.").specified(),
    rule("name-type", Warning, Afterwards(name::kind), "The name is text.").specified(),
    rule("name-length", Warning, Afterwards(name::length), "The name has at most 64 characters.").specified(),
    rule("name-format", Warning, Afterwards(name::format), "The name is made of a-z, 0-9 and single hyphens.").specified(),
    rule("name-folder", Warning, Afterwards(name::folder), "The name is that of the skill's folder.").specified(),
    rule("name-reserved", Warning, Afterwards(name::reserved), "The name holds neither `claude` nor `anthropic`."),
    rule("description-missing", Error, Afterwards(description::missing), "A skill has a description.").specified(),
    rule("description-type", Warning, Afterwards(description::kind), "The description is text.").specified(),
    rule("description-length", Warning, Afterwards(description::length), "The description has at most 1,024 characters.").specified(),
    rule("description-tag", Warning, Afterwards(description::tag), "The description holds no XML tags."),
    rule("unknown-key", Warning, Afterwards(keys::misspelt), "Keys are spelt as clients know them."),
    rule("key-type", Warning, Afterwards(keys::kinds), "Each known key holds the kind of value that clients expect."),
    rule("personal-block", Error, WhileReading, "The block `x-personal-mcp` keeps to its contract."),
    rule("personal-tags", Advice, WhileReading, "Tags are lowercase words joined by hyphens."),
    rule("personal-capability", Warning, WhileReading, "Each capability is a URI that is served."),
    rule("server-block", Error, WhileReading, "Each entry of `requires-mcp-servers` says what is needed in a known spelling."),
    rule("server-unknown", Warning, WhileReading, "Each needed server says how it is started or where it runs."),
    rule("server-placeholder", Error, WhileReading, "Each `${NAME}` is declared as a parameter."),
    rule("server-secret", Error, WhileReading, "A secret is passed in the environment, as a whole value."),
    rule("server-environment", Error, WhileReading, "No variable is set that changes how other programs load or connect."),
    rule("server-transport", Error, WhileReading, "A server that runs elsewhere speaks Streamable HTTP."),
    rule("duplicate-id", Warning, WhileReading, "No two skills of a library have the same id."),
];

const fn rule(id: &'static str, severity: Severity, look: Look, demands: &'static str) -> Rule {
    Rule { id, severity, specified: false, demands, look }
}

impl Rule {
    const fn specified(self) -> Self {
        Self { specified: true, ..self }
    }
}

/// The row of a rule, by its id.
pub(crate) fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// Everything that is wrong, in the order of the file.
pub(crate) fn problems(draft: &Draft<'_>, mut faults: Vec<Fault>) -> Vec<Problem> {
    for rule in RULES {
        if let Afterwards(look) = rule.look {
            faults.extend(look(draft));
        }
    }
    faults.sort_by_key(|fault| (fault.span.start, fault.span.end));
    let lines = Lines::new(draft.document.file());
    faults.into_iter().map(|fault| problem(fault, &lines)).collect()
}

fn problem(fault: Fault, lines: &Lines<'_>) -> Problem {
    Problem {
        rule: fault.rule,
        severity: find(fault.rule).map_or(Error, |rule| rule.severity),
        message: fault.message,
        start: fault.span.start,
        end: fault.span.end,
        place: lines.place(fault.span.start),
        field: fault.field,
        fix: fault.fix.map(|fix| *fix),
    }
}
