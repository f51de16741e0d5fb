//! Every skill that Codex, Gemini CLI, Claude Code, Copilot or opencode loads is loaded here too, under the name and
//! the description that they show. Each row was observed in a real run of the named clients.

use skills::{Reading, read};

/// A frontmatter, and the description that these clients show for it.
const SHOWN: &[(&str, &str, &str)] = &[
    ("Codex, Gemini CLI, Copilot, opencode", "name: x\ndescription: \"multi\nline\"", "multi line"),
    ("Codex, Gemini CLI, Copilot, opencode", "description: 'multi\nline'\nname: x", "multi line"),
    ("Codex, Gemini CLI", "name: x\ndescription: [TODO: say what it does]", "[TODO: say what it does]"),
    ("Codex, Gemini CLI", "name: x\ndescription: {x: 1}", "{x: 1}"),
    ("Gemini CLI, opencode", "name: x\ndescription: A: b\n  more text\n  and: more", "A: b more text and: more"),
    ("Gemini CLI, opencode", "name: x\ndescription: A: b\r\n  more\r\nversion: 1", "A: b more"),
    ("Gemini CLI", "name: x\ndescription: plain\n  cont: x", "plain cont: x"),
    ("Gemini CLI", "name: x\ndescription: |\n\ttabbed", "| tabbed"),
    ("Gemini CLI, opencode, Claude Code", "name: x\ndescription: text: a # comment", "text: a # comment"),
];

#[test]
fn a_skill_that_some_client_loads_is_loaded_with_its_description() {
    for (clients, frontmatter, description) in SHOWN {
        let skill = read("x", format!("---\n{frontmatter}\n---\nBody.\n").as_bytes());
        assert!(skill.loads(), "{frontmatter:?}");
        assert_eq!(
            (skill.name.as_str(), skill.description.as_str()),
            ("x", *description),
            "{clients}: {frontmatter:?}"
        );
    }
}

#[test]
fn text_in_quotes_is_indented_by_a_fix() {
    let file = "---\nname: x\ndescription: \"multi\nline\n\nof text\"\n---\nBody.\n";
    let skill = read("x", file.as_bytes());
    let fix = skill.problems[0].fix.as_ref().expect("it can be put right");
    let fixed = text::apply(file.as_bytes(), &fix.splices).expect("the fix fits the file");
    let after = read("x", &fixed);
    assert_eq!((after.reading, after.description), (Reading::Strict, skill.description));
}

#[test]
fn fences_that_some_client_takes_are_taken() {
    for (clients, opening, closing) in [
        ("opencode", "---yml", "---"),
        ("opencode", "---YAML", "---"),
        ("Codex, Copilot, Claude Code", "---\u{a0}", "---"),
        ("Codex", "\u{2028}---", "---"),
        ("Codex, Claude Code", "---", "\t---"),
    ] {
        let skill = read("x", format!("{opening}\nname: x\ndescription: fine\n{closing}\nBody.\n").as_bytes());
        assert_eq!((skill.loads(), skill.description.as_str()), (true, "fine"), "{clients}: {opening:?} {closing:?}");
    }
}

/// What the loader refuses on purpose, though one client loads it.
#[test]
fn what_only_one_client_makes_of_a_missing_fence_is_not_taken() {
    for (client, file) in [
        ("opencode takes the whole file for YAML", "---\nname: x\ndescription: fine\n"),
        (
            "Claude Code ends the frontmatter at three hyphens anywhere",
            "---\nname: x\ndescription: fine ---\n\nBody.\n",
        ),
    ] {
        assert!(!read("x", file.as_bytes()).loads(), "{client}");
    }
}
