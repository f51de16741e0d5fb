//! Skills and their folders.

use std::fs;

use serde_json::json;

use crate::home::{Home, person, windows};

#[test]
fn a_library_is_listed_with_paths_that_people_write() {
    let home = Home::new();
    let list = home.json(&["list", "--json"]);
    assert_eq!((&list[0]["key"], &list[0]["enabled"]), (&json!("f1/tea"), &json!(true)));
    assert_eq!(list[0]["place"], windows(&home.path("skills/tea/SKILL.md")));
    for words in [&["list", "--json"][..], &["show", "tea"], &["doctor"], &["clients", "--all"]] {
        let output = home.given(words, "");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(!said.is_empty() && !said.contains(r"\\?\"), "{words:?}: {said}");
    }
}

#[test]
fn a_new_skill_is_made_checked_switched_off_and_packed() {
    let home = Home::new();
    home.said(&["new", "milk", "--in", "f1"]);
    assert!(home.path("skills/milk/SKILL.md").is_file());
    home.said(&["disable", "tea"]);
    let list = home.json(&["list", "--json"]);
    let of = |id: &str| list.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["enabled"].clone();
    assert_eq!((of("tea"), of("milk")), (json!(false), json!(true)));
    let broken = home.path("skills/broken/SKILL.md");
    home.write("skills/broken/SKILL.md", "---\nname: broken\nversion: 1\n---\n");
    let found = home.given(&["check", &windows(&broken)], "");
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    home.said(&["pack", "tea", "--out", &windows(&home.path("tea.zip"))]);
    assert!(fs::read(home.path("tea.zip")).unwrap().starts_with(b"PK"));
}

#[test]
fn a_skill_is_moved_to_the_trash_and_back_with_all_its_bytes() {
    let home = Home::new();
    home.write("skills/tea/references/deep/water.md", "Boil it.\n");
    home.said(&["trash", "tea"]);
    assert!(!home.path("skills/tea").exists());
    home.said(&["restore", "tea"]);
    assert_eq!(fs::read_to_string(home.path("skills/tea/references/deep/water.md")).unwrap(), "Boil it.\n");
}

/// Wine makes no junctions, as a drive without NTFS.
#[test]
fn where_no_junction_can_be_made_skills_are_copied_and_that_is_said() {
    let home = Home::new();
    let folder = person().join(".claude/skills");
    let output = home.given(&["client-folders", "link", "claude-code"], "");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("No link can be made in ~/.claude/skills"), "{said}");
    assert!(folder.join("tea/SKILL.md").is_file());
    home.said(&["client-folders", "unlink", "claude-code"]);
    assert!(!folder.join("tea").exists(), "nothing is left");
}
