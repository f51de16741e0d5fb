//! `docs/rules.md` is generated from the table of rules, so that every rule has its reason.

use std::{env, fmt::Write as _, fs, path::Path};

use skills::{RULES, Rule, Severity};

const HEAD: &str = "\
# The rules

The rules that Skilltender checks: in the window's editor, and with `skilltender check`. Each problem names its rule.

- **Error**: the skill, or the block with the problem, cannot be used.
- **Warning**: some clients drop or cut the skill, or a part of it does not work.
- **Advice**: every client accepts the skill, but it could be better.

A rule marked *specification* is in the Agent Skills specification: a skill that breaks it is not offered over `skill://`, where hosts verify skills.
Many problems have a fix, which changes only the bytes that it must; `skilltender fix --all` applies all fixes.

This page is generated from the table in `crates/skills/src/check/table.rs`; `cargo xtask golden` renews it.
";

#[test]
fn the_page_of_rules_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let written = page();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == written, "docs/rules.md is not what the table says; `cargo xtask golden` renews it");
}

#[test]
fn every_rule_says_what_it_demands_and_why_in_sentences() {
    for rule in RULES {
        for text in [rule.demands, rule.why] {
            assert!(text.ends_with('.') && text.len() > 15, "{}: {text:?}", rule.id);
        }
        assert_eq!(RULES.iter().filter(|other| other.id == rule.id).count(), 1, "{}", rule.id);
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (name, severity) in [("Errors", Severity::Error), ("Warnings", Severity::Warning), ("Advice", Severity::Advice)]
    {
        let rules = RULES.iter().filter(|rule| rule.severity == severity);
        let links = rules.map(|rule| format!("[{0}](#{0})", rule.id)).collect::<Vec<_>>().join(", ");
        let _ = write!(page, "\n{name}: {links}.\n");
    }
    for rule in RULES {
        let severity = match rule.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Advice => "Advice",
        };
        let _ =
            write!(page, "\n## {}\n\n**{}**\n\n{severity}{}. {}\n", rule.id, rule.demands, specified(rule), rule.why);
        if !rule.clients.is_empty() {
            let _ = write!(page, "\nAffects: {}.\n", rule.clients.join(", "));
        }
    }
    page
}

fn specified(rule: &Rule) -> &'static str {
    if rule.specified { ", *specification*" } else { "" }
}
