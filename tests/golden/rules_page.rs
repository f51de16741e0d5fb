//! `docs/rules.md` is generated from the table of rules, so that every rule has its reason.

use std::{env, fmt::Write as _, fs, path::Path};

use skills::{RULES, Rule, Severity};

const HEAD: &str = "\
# The rules

What Skilltender holds a skill to: in the window while it is edited, and with `skilltender check`. The name of a rule stands beside each problem.

- **Error**: the skill, or the block that the problem is in, cannot be used as it is.
- **Warning**: some client drops or cuts the skill, or something in it does not work.
- **Advice**: every client takes the skill; it would serve better otherwise.

A rule marked *specification* is one of the Agent Skills specification: a skill that breaks it is not offered over `skill://`, where hosts check what they get.
Many problems have a fix, which changes no byte that it is not about; `skilltender fix` applies all of them.

This page is written from the table in `crates/skills/src/check/table.rs`; `cargo xtask golden` writes it anew.
";

#[test]
fn the_page_of_rules_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let written = page();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == written, "docs/rules.md is not what the table says; see its last line of introduction");
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
            let _ = write!(page, "\nWho minds: {}.\n", rule.clients.join(", "));
        }
    }
    page
}

fn specified(rule: &Rule) -> &'static str {
    if rule.specified { ", *specification*" } else { "" }
}
