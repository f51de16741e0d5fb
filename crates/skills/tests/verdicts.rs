//! The sentences about clients, and the verdicts on hostile files.

use proptest::prelude::*;
use skills::{Outcome, Verdict, verdicts};

fn of(client: &str, id: &str, file: &str) -> Verdict {
    let mut verdicts = verdicts(id, file.as_bytes()).into_iter();
    verdicts.find(|verdict| verdict.client == client).expect("there is such a client")
}

#[test]
fn a_refusal_says_who_refuses_and_why() {
    let long = format!("---\nname: {}\ndescription: d\n---\n", "a".repeat(71));
    let colon = "---\nname: tea\ndescription: Use when: somebody wants tea\n---\n";
    for (client, file, why) in [
        ("codex", &*long, "Codex refuses it: the name has 71 characters, the limit is 64."),
        ("copilot", colon, "Copilot refuses it: line 3 column 22 has a colon that is not in quotes."),
        ("gemini-cli", "---\ndescription: d\n---\n", "Gemini CLI refuses it: it has no line `name:`."),
        ("codex", "---\nname: tea\n---\n", "Codex refuses it: it has no description."),
        (
            "codex",
            "\u{feff}---\nname: tea\n---\n",
            "Codex refuses it: it sees no frontmatter behind the byte order mark.",
        ),
        ("opencode", "Boil water.\n", "opencode refuses it: it finds no frontmatter between two lines `---`."),
        (
            "codex",
            "---\nname: tea\ndescription: d\nmetadata: m\n---\n",
            "Codex refuses it: `metadata` is not a mapping.",
        ),
    ] {
        let verdict = of(client, "tea", file);
        assert_eq!((verdict.verdict, verdict.why), (Outcome::Refused, vec![why.to_owned()]));
        assert_eq!((verdict.name_shown, verdict.description_shown), (None, None));
    }
}

#[test]
fn a_change_says_what_is_shown_instead() {
    let file = "---\nname: Green Tea\ndescription: d\n---\n";
    assert_eq!(of("claude-code", "tea", file).why, ["Claude Code calls it `tea`, after its folder."]);
    let copilot = of("copilot", "tea", file);
    assert_eq!((copilot.verdict, copilot.name_shown.as_deref()), (Outcome::Changed, Some("Green-Tea")));
    assert_eq!(copilot.why, ["Copilot calls it `Green-Tea`."]);
}

#[test]
fn a_skill_as_it_should_be_loads_everywhere_without_a_word() {
    for verdict in
        verdicts("tea", b"---\nname: tea\ndescription: Makes tea. Use when somebody is thirsty.\n---\n\n# Tea\n")
    {
        assert_eq!((verdict.verdict, verdict.why), (Outcome::Loads, Vec::new()), "{}", verdict.name);
        assert_eq!(verdict.name_shown.as_deref(), Some("tea"));
    }
}

#[test]
fn large_and_hostile_files_get_a_verdict() {
    let fenced = |line: &str| format!("---\nname: x\ndescription: d\n{}", line.repeat(96 * 1024 / line.len()));
    for line in [
        "a: \"\n",
        "- [\n",
        "a: b: c\n",
        "---\n",
        "#\n",
        "\t\n",
        "[",
        "'",
        "\u{2028}",
        "a: &a *a\n",
        "description: x\n  y\n",
    ] {
        for file in [fenced(line), fenced(line) + "\n---\n"] {
            assert_eq!(verdicts("x", file.as_bytes()).len(), 8);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_file_is_without_a_verdict(bytes: Vec<u8>, frontmatter in "[-a-z:\"'|>#!&*\\[\\]{}%@`,.?0-9 \\t\\r\\n\u{feff}\u{85}é]{0,80}") {
        for file in [bytes, format!("---\nname: x\n{frontmatter}\n---\nbody").into_bytes()] {
            for verdict in verdicts("x", &file) {
                prop_assert_eq!(verdict.verdict == Outcome::Refused, verdict.name_shown.is_none());
                prop_assert!(verdict.verdict == Outcome::Loads || !verdict.why.is_empty());
            }
        }
    }
}
