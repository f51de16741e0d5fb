//! Skills and their folders.

use std::{
    fs,
    io::{Cursor, Write as _},
};

use serde_json::json;
use tests::{Lines, SERVE, Serving, given, skill};
use zip::{ZipWriter, write::SimpleFileOptions};

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

/// From `Z:`, which is Linux' disk, to `C:`, which is Wine's: no rename leads from one drive to the other.
#[test]
fn a_skill_is_moved_to_another_drive_with_all_its_bytes_and_back() {
    let home = Home::new();
    home.write("skills/tea/references/deep/water.md", "Boil it.\r\n");
    let drive = given("WINEPREFIX").join("drive_c");
    let there = tempfile::Builder::new().prefix("skilltender-").tempdir_in(drive).unwrap();
    let name = there.path().file_name().unwrap().to_str().unwrap();
    home.said(&["library", "add", &format!(r"C:\{name}")]);
    home.said(&["move", "tea", &format!(r"C:\{name}")]);
    assert!(!home.path("skills/tea").exists(), "nothing stays behind");
    let moved = there.path().join("tea");
    assert_eq!(fs::read_to_string(moved.join("references/deep/water.md")).unwrap(), "Boil it.\r\n");
    let list = home.json(&["list", "--json"]);
    assert_eq!(list[0]["place"], format!(r"C:\{name}\tea\SKILL.md"));
    assert_eq!(list[0]["enabled"], true, "its switch came along");
    home.said(&["move", "tea", "f1"]);
    assert!(!moved.exists());
    assert_eq!(fs::read_to_string(home.path("skills/tea/references/deep/water.md")).unwrap(), "Boil it.\r\n");
}

/// Wine reports what happens in a watched folder itself, and nothing from below it.
#[test]
fn a_client_is_told_of_a_skill_that_comes_and_gets_an_edit_with_its_next_call() {
    let home = Home::new();
    let serving = Serving::run(&mut home.skilltender(&SERVE));
    let mut client = Lines::initialized(&mut home.skilltender(&["mcp", "--client", "codex"]));
    assert_eq!(client.skills(), ["tea"]);
    home.write("milk/SKILL.md", &skill("milk", "Warms milk. Use when somebody wants milk."));
    client.rest();
    fs::rename(home.path("milk"), home.path("skills/milk")).unwrap();
    client.notified("notifications/prompts/list_changed");
    assert!(client.skills().contains(&"milk".to_owned()));
    home.write("skills/tea/SKILL.md", "---\nname: tea\ndescription: Edited.\n---\nBoil it twice.\n");
    let got = client.call("tools/call", &json!({"name": "get_skill", "arguments": {"id": "tea"}}));
    assert!(got.to_string().contains("Boil it twice."), "{got}");
    client.close();
    serving.kill();
}

/// Names that are harmless elsewhere and lead out, name a device, or hide a stream on Windows.
#[test]
fn a_zip_whose_names_lead_out_is_refused_and_nothing_of_it_is_written() {
    let home = Home::new();
    for name in [
        r"evil\..\..\out.md",
        "evil/../../out.md",
        r"C:\out.md",
        "C:/out.md",
        r"\\host\share\out.md",
        "evil/NUL",
        "evil/notes.md:stream",
        "evil/dot.",
    ] {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in [("evil/SKILL.md", &*skill("evil", "Does harm. Use never.")), (name, "out")] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        let bytes = zip.finish().unwrap().into_inner();
        fs::write(home.path("evil.zip"), bytes).unwrap();
        let refused = home.given(&["import", &windows(&home.path("evil.zip")), "--in", "f1", "--yes"], "");
        assert_eq!(refused.status.code(), Some(3), "{name}: {refused:?}");
        assert!(!home.path("skills/evil").exists(), "{name}");
        let outside = ["out.md", "skills/out.md", "data/out.md"].map(|path| home.path(path));
        let on_the_drive = given("WINEPREFIX").join("drive_c/out.md");
        assert!(!outside.iter().chain([&on_the_drive]).any(|path| path.exists()), "{name}");
    }
}

#[test]
fn a_check_says_problems_with_their_places_for_people_and_programs() {
    let home = Home::new();
    let folder = windows(&home.path("skills"));
    home.said(&["check", &folder]);
    home.write("skills/broken/SKILL.md", "---\r\nname: broken\r\ndescription: 1: 2: 3\r\n---\r\n");
    let found = home.given(&["check", &folder, "--strict"], "");
    assert_eq!(found.status.code(), Some(1));
    let said = String::from_utf8(found.stdout).unwrap();
    assert!(said.contains(r"broken\SKILL.md:3:") && !said.contains(r"\\?\"), "{said}");
    let found = home.given(&["check", &folder, "--strict", "--format", "json"], "");
    let found: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found["problems"][0]["line"], 3, "{found}");
}
