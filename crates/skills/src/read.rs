//! From the bytes of a SKILL.md to a skill with its problems.

use crate::{
    Problem, Reading, Skill,
    check::{self, Draft},
    compact::Compact,
    dependency,
    document::Document,
    fix::harmful,
    frontmatter::Frontmatter,
    personal_mcp,
    said::said,
    yaml::Node,
};

/// Reads the SKILL.md of the folder `id`. Never fails: see [`Skill::problems`].
pub fn read(id: &str, file: &[u8]) -> Skill {
    let mut skill = read_untried(id, file);
    for index in harmful(id, file, &skill.problems, &skill.problems) {
        skill.problems[index].fix = None;
    }
    skill
}

/// As [`read`], with all possible fixes, including those that would cause another problem.
pub(crate) fn read_untried(id: &str, file: &[u8]) -> Skill {
    let document = Document::new(file);
    let Frontmatter { reading, root, mut faults } = Frontmatter::read(&document);
    let personal = personal_mcp::read(id, file, &root, &mut faults);
    let servers = dependency::read(file, &root, &mut faults);
    let problems = check::problems(&Draft { id, document: &document, frontmatter: &root }, faults);
    Skill {
        id: id.to_owned(),
        name: said(&root, "name").map_or_else(|| id.to_owned(), str::to_owned),
        description: said(&root, "description")
            .or_else(|| in_brackets(file, &root, "description"))
            .map_or_else(|| document.first_body_line(), str::to_owned),
        reading,
        compact: Compact::of(&root),
        personal: personal.map(Box::new),
        servers,
        body: document.body.clone(),
        problems,
    }
}

/// A skill whose SKILL.md could not be read, for the reason in `why`.
pub fn unread(id: &str, why: Problem) -> Skill {
    Skill { reading: Reading::Broken, problems: vec![why], ..read(id, &[]) }
}

/// The source of a value `[...]` or `{...}` on one line: text to its author, and to Codex and Gemini CLI.
fn in_brackets<'f>(file: &'f [u8], frontmatter: &Node, key: &str) -> Option<&'f str> {
    let value = frontmatter.get(key).filter(|value| value.text().is_none())?;
    let source = str::from_utf8(file.get(value.span.clone())?).ok()?;
    (source.starts_with(['[', '{']) && !source.contains(['\n', '\r'])).then_some(source)
}
