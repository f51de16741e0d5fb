use super::*;
use crate::client;

fn switches(id: &str) -> &'static SkillSwitches {
    client(id).unwrap().switches.as_ref().unwrap()
}

fn wanted(pairs: &[(&str, bool)]) -> BTreeMap<String, SkillWanted> {
    let file = |name: &str| vec![format!("/skills/{name}/SKILL.md"), format!("~/skills/{name}/SKILL.md")];
    pairs.iter().map(|(name, on)| ((*name).to_owned(), SkillWanted { on: *on, files: vec![file(name)] })).collect()
}

/// The file after the switches, and after taking them back.
fn switched(id: &str, before: Option<&str>, pairs: &[(&str, bool)]) -> String {
    let (after, changed) = switch_skills(switches(id), before.map(str::as_bytes), &wanted(pairs)).unwrap();
    if let Some(before) = before {
        let back = switch_back(switches(id), &after, &changed).unwrap();
        let same = String::from_utf8(back).unwrap();
        // What only a switch needed, such as its object, may stay empty; undo restores the bytes that were kept.
        assert!(same.len() >= before.len() && same.len() <= before.len() + 40, "{same}");
    }
    String::from_utf8(after).unwrap()
}

#[test]
fn claude_code_gets_a_word_for_each_skill_and_every_other_byte_stays() {
    let odd = "{\r\n\t\"permissions\" : {\"allow\":[ \"Bash(ls)\" ]},  \"skillOverrides\": {\r\n\t\t\"deploy\": \"name-only\",\r\n\t\t\"tea\": \"off\"\r\n\t}\r\n}";
    assert_eq!(
        switched("claude-code", Some(odd), &[("coffee", false), ("deploy", true), ("tea", true), ("water", true)]),
        odd.replace("\"tea\": \"off\"", "\"tea\": \"on\",\r\n\t\t\"coffee\": \"off\"")
    );
    assert_eq!(
        switched("claude-code", None, &[("tea", false)]),
        "{\n  \"skillOverrides\": {\n    \"tea\": \"off\"\n  }\n}\n"
    );
    assert_eq!(
        switched("claude-code", Some("{\"model\":\"x\"}"), &[("a\"b", false)]),
        "{\"model\":\"x\",\"skillOverrides\":{\"a\\\"b\":\"off\"}}"
    );
    assert_eq!(
        switched("claude-code", Some("{\"skillOverrides\":{\"tea\":\"name-only\"}}"), &[("tea", false)]),
        "{\"skillOverrides\":{\"tea\":\"off\"}}"
    );
}

#[test]
fn codex_gets_a_table_for_each_skill_and_every_other_byte_stays() {
    let odd = "# mine\nmodel = 'o'   # yes\n\n[[skills.config]]  # by path\npath = \"/x/SKILL.md\"\nenabled = false\n\n[[skills.config]]\nname = \"tea\"\nenabled = false # why\n\n[mcp_servers.a]\ncommand = \"x\"\n";
    let after = switched("codex", Some(odd), &[("coffee", false), ("tea", true), ("water", true)]);
    let without: String = after.replacen("\n[[skills.config]]\nname = \"coffee\"\nenabled = false\n", "", 1);
    assert_eq!(without, odd.replace("name = \"tea\"\nenabled = false # why", "name = \"tea\"\nenabled = true # why"));
    let new = switched("codex", None, &[("coffee", false), ("tea", false)]);
    assert_eq!(
        new,
        "[[skills.config]]\nname = \"coffee\"\nenabled = false\n\n[[skills.config]]\nname = \"tea\"\nenabled = false\n"
    );
    let more = switched("codex", Some("model = \"o\"\n"), &[("tea", false)]);
    assert!(more.starts_with("model = \"o\"\n") && more.contains("[[skills.config]]\nname = \"tea\"\n"), "{more}");
}

#[test]
fn what_says_so_already_or_cannot_be_read_is_not_written() {
    let refused = |id, before: &str, pairs: &[(&str, bool)]| {
        switch_skills(switches(id), Some(before.as_bytes()), &wanted(pairs)).unwrap_err()
    };
    assert!(matches!(refused("claude-code", "{}", &[("tea", true)]), Refusal::Already));
    assert!(matches!(
        refused("claude-code", "{\"skillOverrides\":{\"tea\":\"off\"}}", &[("tea", false)]),
        Refusal::Already
    ));
    // Claude Code was run: a comment, and it ignores the file.
    for broken in [
        "{",
        "[]",
        "{} // mine",
        "{\"skillOverrides\":{},}",
        "{\"skillOverrides\":[]}",
        "{\"skillOverrides\":{},\"skillOverrides\":{}}",
    ] {
        let refusal = refused("claude-code", broken, &[("tea", false)]);
        assert!(!matches!(refusal, Refusal::Already), "{broken}");
    }
    for broken in ["a = ", "skills = 1\n", "[skills]\nconfig = 2\n"] {
        let refusal = refused("codex", broken, &[("tea", false)]);
        assert!(!matches!(refusal, Refusal::Already), "{broken}");
    }
}

#[test]
fn taking_back_leaves_what_was_changed_since() {
    let (after, changed) =
        switch_skills(switches("claude-code"), Some(b"{\"a\": 1}"), &wanted(&[("tea", false), ("milk", false)]))
            .unwrap();
    let edited = String::from_utf8(after).unwrap().replace("\"milk\": \"off\"", "\"milk\": \"on\"").replace('1', "2");
    let back = String::from_utf8(switch_back(switches("claude-code"), edited.as_bytes(), &changed).unwrap()).unwrap();
    assert!(!back.contains("tea") && back.contains("\"milk\": \"on\"") && back.contains("\"a\": 2"), "{back}");
}

#[test]
fn codex_counts_the_last_switch_that_fits_by_name_or_by_path() {
    let by_path = |name: &str, on: bool| format!("[[skills.config]]\npath = \"{name}/SKILL.md\"\nenabled = {on}\n");
    let by_name = |name: &str, on: bool| format!("[[skills.config]]\nname = \"{name}\"\nenabled = {on}\n");
    // Codex itself switches by path.
    let off = by_path("~/skills/tea", false);
    assert_eq!(switched("codex", Some(&off), &[("tea", true)]), format!("{off}\n{}", by_name("tea", true)));
    let already = switch_skills(switches("codex"), Some(off.as_bytes()), &wanted(&[("tea", false)]));
    assert_eq!(already.unwrap_err(), Refusal::Already);
    let on = by_path("/skills/tea", true);
    let before = format!("{}\n{on}", by_name("tea", false));
    let (after, _) = switch_skills(switches("codex"), Some(before.as_bytes()), &wanted(&[("tea", false)])).unwrap();
    assert_eq!(String::from_utf8(after).unwrap(), format!("{on}\n{}", by_name("tea", false)));
    let other = by_path("/others/tea", false);
    let already = switch_skills(switches("codex"), Some(other.as_bytes()), &wanted(&[("tea", true)]));
    assert_eq!(already.unwrap_err(), Refusal::Already);

    let two = SkillWanted { on: true, files: vec![vec!["/one/SKILL.md".to_owned()], vec!["/two/SKILL.md".to_owned()]] };
    let half = by_path("/two", false);
    let (after, _) =
        switch_skills(switches("codex"), Some(half.as_bytes()), &BTreeMap::from([("tea".to_owned(), two)])).unwrap();
    assert_eq!(String::from_utf8(after).unwrap(), format!("{half}\n{}", by_name("tea", true)));
}
