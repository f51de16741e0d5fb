//! Skills come and go: new ones, copies, the trash; and the failures of each.

use std::{collections::BTreeMap, fs, path::Path};

use api::{ErrorKind, Readiness};
use engine::actions;

use crate::home::{Home, row};

/// The names in a folder, including Skilltender's unfinished ones.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_new_skill_is_there_at_once_ready_and_on() {
    let home = Home::new();
    let engine = home.start_with_library().await;
    for template in actions::templates() {
        let id = format!("my-{}", template.id);
        let key = actions::new_skill(&engine, "own", &id, &template.id).await.unwrap();
        let snapshot = engine.snapshot();
        let row = row(&snapshot, &id);
        assert_eq!((&row.key, row.enabled), (&key, true));
        assert_eq!((row.problems.error, row.problems.warning, row.problems.advice), (0, 0, 0), "{id}");
        assert_eq!(row.files as usize, template.files.len());
    }
    let snapshot = engine.snapshot();
    assert_eq!(row(&snapshot, "my-blank").readiness, Readiness::Ready);
    assert!(matches!(row(&snapshot, "my-server").readiness, Readiness::NeedsValues { secret: true, .. }));
    assert_eq!(snapshot.notices, []);
    assert_eq!(names(&home.machine.data.join("skills")), ["my-blank", "my-references", "my-script", "my-server"]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_skills_files_have_the_permissions_that_files_have_there() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = Home::new();
    let engine = home.start_with_library().await;
    let usual = home.library().join("usual");
    fs::create_dir(&usual).unwrap();
    fs::write(usual.join("file"), "").unwrap();
    actions::new_skill(&engine, "f1", "tea", "script").await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let tea = home.library().join("tea");
    assert_eq!(mode(&tea), mode(&usual));
    assert_eq!(mode(&tea.join("SKILL.md")), mode(&usual.join("file")));
    assert_eq!(mode(&tea.join("scripts/measure.py")) & 0o100, 0o100);
}

#[tokio::test]
async fn a_new_skill_takes_no_name_that_would_not_do_and_no_place_that_is_taken() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let refused = async |folder: &str, id: &str, template: &str| {
        actions::new_skill(&engine, folder, id, template).await.unwrap_err()
    };
    for id in ["", "Tea", "a b", "../tea", "a/b", ".hidden", "7", "-a", "con", "my-claude", &"a".repeat(65)] {
        assert_eq!(refused("own", id, "blank").await.kind, ErrorKind::Input, "{id}");
    }
    assert_eq!(
        refused("own", "tea", "blank").await.message,
        "There is a skill `tea` already, in ~/skills/tea. Give the new one another name."
    );
    assert_eq!(refused("f7", "milk", "blank").await.kind, ErrorKind::NotFound);
    let unknown = refused("own", "milk", "other").await;
    assert_eq!(unknown.message, "There is no template other.");
    assert_eq!(unknown.hints, ["There are: blank, references, script, server."]);

    fs::create_dir(home.library().join("milk")).unwrap();
    let message = refused("f1", "milk", "blank").await.message;
    let there = home.library().join("milk");
    assert_eq!(message, format!("{} is there already, so nothing was written.", there.display()));
    fs::write(home.library().join("coffee"), "a file").unwrap();
    assert_eq!(refused("f1", "coffee", "blank").await.kind, ErrorKind::Refused);
    assert_eq!(names(&home.library()), ["coffee", "milk", "tea"]);
    assert_eq!(home.choices()["folders"][1]["skills"], serde_json::json!({"tea": true}));
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_cannot_be_written_says_so_and_a_copy_goes_to_our_own() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let writable = close(&home.library());
    let error = actions::new_skill(&engine, "f1", "milk", "blank").await.unwrap_err();
    let copy = actions::duplicate_skill(&engine, "f1/tea", "black-tea").await;
    let trashed = actions::trash_skill(&engine, "f1/tea").await;
    fs::set_permissions(home.library(), writable).unwrap();

    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.message.ends_with("skills is read-only, so nothing was written. Make it writable and try again."));
    assert_eq!(error.hints, ["Choose another folder of the library, such as Skilltender's own."]);
    assert_eq!(copy.unwrap(), "own/black-tea");
    assert_eq!(trashed.unwrap_err().kind, ErrorKind::Refused);
    assert_eq!(crate::home::ids(&engine.snapshot()), ["black-tea", "tea"]);
    assert_eq!(engine.snapshot().trash, []);
    assert_eq!(names(&home.machine.data.join("trash")), [""; 0]);
}

/// Makes a folder read-only, even for a test that runs as root; returns its earlier permissions.
#[cfg(unix)]
fn close(folder: &Path) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;

    let before = fs::metadata(folder).unwrap().permissions();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).unwrap();
    before
}

#[tokio::test]
async fn a_copy_has_every_file_and_its_own_name_and_no_other_byte_changes() {
    let home = Home::new();
    let file = home.library().join("team/tea/SKILL.md");
    fs::create_dir_all(file.parent().unwrap().join("references/deep/a/b/c/d/e/f/g")).unwrap();
    let text = "---\r\nname: tea # short\r\ndescription: Makes tea. Use when tea is wanted.\r\nx-personal-mcp:\r\n  \
        id: tea\r\n  version: 1.0.0\r\n  capabilities: [resource://skills/tea/document]\r\n---\r\n# Tea\r\n";
    fs::write(&file, text).unwrap();
    let tea = file.parent().unwrap();
    fs::write(tea.join("references/deep/a/b/c/d/e/f/g/guide.md"), "deep").unwrap();
    fs::write(tea.join(".hidden"), [0, 255, 13]).unwrap();
    fs::write(tea.join("swap.swp"), "not a part").unwrap();
    let engine = home.start_with_library().await;
    actions::enable_skill(&engine, "f1/team/tea", false).await.unwrap();

    let key = actions::duplicate_skill(&engine, "f1/team/tea", "black-tea").await.unwrap();
    assert_eq!(key, "f1/team/black-tea");
    let copy = home.library().join("team/black-tea");
    assert_eq!(names(&copy), [".hidden", "SKILL.md", "references"]);
    assert_eq!(fs::read(copy.join(".hidden")).unwrap(), [0, 255, 13]);
    assert_eq!(fs::read_to_string(copy.join("references/deep/a/b/c/d/e/f/g/guide.md")).unwrap(), "deep");
    let expected = text
        .replace("name: tea", "name: black-tea")
        .replace("id: tea", "id: black-tea")
        .replace("skills/tea/", "skills/black-tea/");
    assert_eq!(fs::read_to_string(copy.join("SKILL.md")).unwrap(), expected);
    let snapshot = engine.snapshot();
    let row = row(&snapshot, "black-tea");
    assert!(!row.enabled, "it is as the first one is");
    assert_eq!((row.problems.error, row.problems.warning), (0, 0));
    assert_eq!(snapshot.notices, []);
    assert_eq!(fs::read_to_string(file).unwrap(), text);
}

#[cfg(unix)]
#[tokio::test]
async fn a_copy_holds_what_links_in_the_skill_name_and_nothing_from_outside() {
    use std::os::unix::fs::symlink;

    let home = Home::new();
    let tea = home.skill("tea", "Green.").parent().unwrap().to_path_buf();
    fs::write(home.path("secret"), "secret").unwrap();
    fs::create_dir(tea.join("real")).unwrap();
    fs::write(tea.join("real/guide.md"), "guide").unwrap();
    symlink("real/guide.md", tea.join("inside.md")).unwrap();
    symlink("real", tea.join("folder")).unwrap();
    symlink(home.path("secret"), tea.join("outside")).unwrap();
    symlink(home.path(""), tea.join("home")).unwrap();
    symlink(".", tea.join("loop")).unwrap();
    symlink("nowhere", tea.join("broken")).unwrap();
    let engine = home.start_with_library().await;
    actions::duplicate_skill(&engine, "f1/tea", "black-tea").await.unwrap();
    let copy = home.library().join("black-tea");
    assert_eq!(names(&copy), ["SKILL.md", "folder", "inside.md", "real"]);
    assert!(!copy.join("inside.md").is_symlink() && !copy.join("folder").is_symlink());
    assert_eq!(fs::read_to_string(copy.join("folder/guide.md")).unwrap(), "guide");
}

#[tokio::test]
async fn many_skills_are_switched_at_once_and_those_that_are_gone_are_left_out() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("coffee", "Black.");
    home.skill("milk", "White.");
    let engine = home.start_with_library().await;
    let keys = ["f1/tea", "f1/gone", "f1/milk"].map(str::to_owned);
    actions::enable_skills(&engine, &keys, false, &BTreeMap::new()).await.unwrap();
    let snapshot = engine.snapshot();
    let on: Vec<_> = snapshot.skills.iter().map(|row| (row.id.as_str(), row.enabled)).collect();
    assert_eq!(on, [("coffee", true), ("milk", false), ("tea", false)]);
    let gone = ["f1/gone".to_owned()];
    assert_eq!(
        actions::enable_skills(&engine, &gone, true, &BTreeMap::new()).await.unwrap_err().kind,
        ErrorKind::NotFound
    );
    actions::enable_skills(&engine, &[], true, &BTreeMap::new()).await.unwrap();
}
