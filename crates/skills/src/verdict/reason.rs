//! Why a client objects to a skill, in words for people.

use crate::{Skill, problem::Fault};

/// What in the frontmatter a client's YAML reader does not accept, with its place.
pub(super) fn of_fault(fault: &Fault, skill: &Skill) -> String {
    if fault.rule == "type" {
        return fault.message.clone();
    }
    // The skill's own problems have the place in the file, and distinguish a colon from other faults.
    let is_yaml = |rule: &str| SAID.iter().any(|(id, _)| *id == rule);
    let same = skill.problems.iter().find(|problem| problem.rule == fault.rule);
    let problem = same.or_else(|| skill.problems.iter().find(|problem| is_yaml(problem.rule)));
    let rule = problem.map_or(fault.rule, |problem| problem.rule);
    let said = SAID.iter().find(|(id, _)| *id == rule).map_or("something that is not YAML", |(_, said)| said);
    match problem {
        Some(problem) => format!("line {} column {} has {said}", problem.place.line, problem.place.column),
        None => format!("its frontmatter has {said}"),
    }
}

/// The words for a syntax problem inside a sentence.
const SAID: &[(&str, &str)] = &[
    ("unquoted-colon", "a colon that is not in quotes"),
    ("unquoted-value", "a value that needs quotes"),
    ("duplicate-key", "a key for the second time"),
    ("yaml-tag", "a tag (`!...`) that it does not know"),
    ("yaml-limit", "more nesting or repetition than it takes"),
    ("yaml-plain", "a list `[...]`, a mapping `{...}`, an anchor or a tab"),
    ("yaml-surrogate", "an escape (`\\uD83E`) that is no character by itself"),
    ("yaml-syntax", "something that is not YAML"),
];
