//! A read skill in a form that can be kept and becomes the same skill again, without its SKILL.md. Whether that file is
//! still the one that was read is left to whoever keeps it.
//!
//! Skills with a block `x-personal-mcp` or with servers are not kept: they are few, what they hold decides what is served
//! and started, and reading one takes less than a millisecond.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use text::{Place, Splice};

use crate::{Fix, Problem, Reading, Severity, Skill, check, compact::Compact};

/// A read skill, without the name of its folder.
#[derive(Debug, Serialize, Deserialize)]
pub struct CachedSkill<'s> {
    /// `None` where it is the name of the folder.
    #[serde(borrow)]
    name: Option<Cow<'s, str>>,
    #[serde(borrow)]
    description: Cow<'s, str>,
    is_strict: bool,
    #[serde(borrow)]
    json: Cow<'s, str>,
    for_people: bool,
    for_models: bool,
    specified: bool,
    #[serde(borrow)]
    version: Option<Cow<'s, str>>,
    #[serde(borrow)]
    tags: Vec<Cow<'s, str>>,
    body: (usize, usize),
    #[serde(borrow)]
    problems: Vec<CachedProblem<'s>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct CachedProblem<'s> {
    #[serde(borrow)]
    rule: Cow<'s, str>,
    #[serde(borrow)]
    message: Cow<'s, str>,
    span: (usize, usize),
    place: (u32, u32),
    #[serde(borrow)]
    field: Option<Cow<'s, str>>,
    fix: Option<(String, Vec<Splice>)>,
}

impl<'s> CachedSkill<'s> {
    /// The form of a skill; `None` for one that is not kept.
    pub fn of(skill: &'s Skill) -> Option<Self> {
        let Skill { id, name, description, reading, compact, personal: None, servers, body, problems } = skill else {
            return None;
        };
        if *reading == Reading::Broken || !servers.is_empty() {
            return None;
        }
        let Compact { json, for_people, for_models, specified, version, tags } = compact;
        Some(Self {
            name: (name != id).then(|| name.into()),
            description: description.into(),
            is_strict: *reading == Reading::Strict,
            json: Cow::Borrowed(json),
            for_people: *for_people,
            for_models: *for_models,
            specified: *specified,
            version: version.as_deref().map(Cow::Borrowed),
            tags: tags.iter().map(|tag| Cow::Borrowed(&**tag)).collect(),
            body: (body.start, body.end),
            problems: problems.iter().map(CachedProblem::of).collect::<Option<_>>()?,
        })
    }

    /// The skill again, in the folder `id`; `None` when a problem is of a rule that there is not.
    pub fn skill(self, id: &str) -> Option<Skill> {
        let compact = Compact {
            json: self.json.into(),
            for_people: self.for_people,
            for_models: self.for_models,
            specified: self.specified,
            version: self.version.map(Into::into),
            tags: self.tags.into_iter().map(Into::into).collect(),
        };
        Some(Skill {
            id: id.to_owned(),
            name: self.name.map_or_else(|| id.to_owned(), Cow::into_owned),
            description: self.description.into_owned(),
            reading: if self.is_strict { Reading::Strict } else { Reading::Repaired },
            compact,
            personal: None,
            servers: Vec::new(),
            body: self.body.0..self.body.1,
            problems: self.problems.into_iter().map(CachedProblem::problem).collect::<Option<_>>()?,
        })
    }
}

impl<'s> CachedProblem<'s> {
    fn of(problem: &'s Problem) -> Option<Self> {
        let Problem { rule, severity, message, start, end, place, field, fix } = problem;
        // The severity is that of the rule.
        severity_of(rule).filter(|known| known == severity)?;
        Some(Self {
            rule: Cow::Borrowed(rule),
            message: message.into(),
            span: (*start, *end),
            place: (place.line, place.column),
            field: field.as_deref().map(Cow::Borrowed),
            fix: fix.as_ref().map(|fix| (fix.label.clone(), fix.splices.clone())),
        })
    }

    fn problem(self) -> Option<Problem> {
        let rule = check::find(&self.rule)?;
        Some(Problem {
            rule: rule.id,
            severity: rule.severity,
            message: self.message.into_owned(),
            start: self.span.0,
            end: self.span.1,
            place: Place { line: self.place.0, column: self.place.1 },
            field: self.field.map(Cow::into_owned),
            fix: self.fix.map(|(label, splices)| Fix { label, splices }),
        })
    }
}

fn severity_of(rule: &str) -> Option<Severity> {
    check::find(rule).map(|rule| rule.severity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn again(id: &str, file: &str) -> Option<(Skill, Skill)> {
        let skill = read(id, file.as_bytes());
        let kept = serde_json::to_string(&CachedSkill::of(&skill)?).unwrap();
        let again = serde_json::from_str::<CachedSkill<'_>>(&kept).unwrap().skill(id).unwrap();
        Some((skill, again))
    }

    #[test]
    fn a_skill_is_the_same_again_with_its_problems_and_fixes() {
        for file in [
            "---\nname: tea\ndescription: Makes tea. Use when tea is wanted.\n---\nBoil water.\n",
            "---\nname: Tea!\ndescription: Use when: tea is wanted\ntags: [a, b]\nversion: 2\nuser-invocable: false\n---\n",
            "---\nname: tea\ndescription: d\ndescription: e\nmetadata: {version: 1.0}\nodd-key: [1]\n---\n[x](missing.md)",
        ] {
            let (skill, again) = again("tea", file).unwrap();
            assert_eq!(again, skill);
            assert_eq!(again.frontmatter(), skill.frontmatter());
        }
        assert!(
            read("tea", b"---\nname: Tea!\ndescription: Use when: x\n---\n").problems.iter().any(|p| p.fix.is_some())
        );
    }

    #[test]
    fn what_decides_what_is_started_and_what_could_not_be_read_is_read_again() {
        for file in [
            "No frontmatter.",
            "---\nname: tea\ndescription: d\nx-personal-mcp:\n  id: tea\n  version: 1.0.0\n  capabilities: [resource://skills/tea/document]\n---\n",
            "---\nname: tea\ndescription: d\nrequires-mcp-servers:\n  - name: stock\n    command: npx\n    args: [stock]\n---\n",
        ] {
            assert!(again("tea", file).is_none(), "{file}");
        }
    }
}
