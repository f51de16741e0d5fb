//! The trash: nothing is lost on the way there, and everything comes back.

use std::fs;

use api::{ErrorKind, Readiness, SkillRow};
use engine::actions;
use serde_json::json;

use crate::home::{Home, add_folder, enable, ids, row, until, write_skill};

const NEEDS_OWNER: &str = "---\nname: notes\ndescription: Writes notes. Use when notes are wanted.\n\
    requires-mcp-servers:\n  - name: github\n    command: npx\n    args: [server]\n    \
    env: {OWNER: \"${OWNER}\", TOKEN: \"${TOKEN}\"}\n    parameters:\n      OWNER: {description: Who, required: true}\n      \
    TOKEN: {description: A token, required: true, sensitive: true}\n---\nNotes.\n";

#[tokio::test]
async fn a_skill_comes_back_from_the_trash_with_all_its_bytes_and_choices() {
    let home = Home::new();
    let notes = home.library().join("notes");
    fs::create_dir_all(notes.join("deep/er")).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    fs::write(notes.join("deep/er/.hidden"), [0, 255]).unwrap();
    let engine = home.start_with_library().await;
    enable(&engine, "f1/notes").await;
    actions::set_value(&engine, "f1/notes", "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    actions::set_secret(&engine, "f1/notes", "github", "TOKEN", "canary".to_owned()).await.unwrap();
    let set = actions::make_set(&engine, "Mine", &["f1/notes".to_owned()]).await.unwrap();
    // All values are set, but the program to run its server is missing.
    let before =
        until(&engine, |snapshot| matches!(row(snapshot, "notes").readiness, Readiness::NoProgram { .. })).await;

    let id = actions::trash_skill(&engine, "f1/notes").await.unwrap();
    assert!(!notes.exists());
    let snapshot = engine.snapshot();
    assert_eq!(ids(&snapshot), [""; 0]);
    assert_eq!((snapshot.trash[0].id.as_str(), snapshot.trash[0].name.as_str()), (id.as_str(), "notes"));
    assert_eq!(snapshot.trash[0].place, "~/skills/notes");
    assert_eq!(snapshot.sets[0].skills, [""; 0]);
    assert_eq!(home.choices()["folders"][1]["skills"], json!({}));

    for word in ["notes", "f1/notes", &id] {
        assert_eq!(actions::find_trashed(&engine, word).await.unwrap(), id);
    }
    let unknown = actions::find_trashed(&engine, "note").await.unwrap_err();
    assert_eq!((unknown.kind, unknown.hints), (ErrorKind::Unknown, vec!["Did you mean notes?".to_owned()]));
    assert_eq!(actions::restore_skill(&engine, &id).await.unwrap(), "f1/notes");
    let after = until(&engine, |snapshot| snapshot.skills == before.skills).await;
    assert_eq!((after.trash.len(), &after.sets[0].id), (0, &set));
    assert_eq!(after.sets, before.sets);
    assert_eq!(after.notices, before.notices);
    assert_eq!(fs::read(notes.join("deep/er/.hidden")).unwrap(), [0, 255]);
    assert_eq!(fs::read_dir(home.machine.data.join("trash")).unwrap().count(), 0);
    assert_eq!(actions::restore_skill(&engine, &id).await.unwrap_err().kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn a_skill_that_takes_the_place_gets_nothing_of_the_one_in_the_trash() {
    let home = Home::new();
    let notes = home.library().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    let engine = home.start_with_library().await;
    enable(&engine, "f1/notes").await;
    actions::set_value(&engine, "f1/notes", "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    actions::set_secret(&engine, "f1/notes", "github", "TOKEN", "canary".to_owned()).await.unwrap();
    let id = actions::trash_skill(&engine, "f1/notes").await.unwrap();

    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    until(&engine, |snapshot| ids(snapshot) == ["notes"]).await;
    assert!(!row(&engine.snapshot(), "notes").enabled, "it is new here");
    enable(&engine, "f1/notes").await;
    let needs = |names: &[&str]| Readiness::NeedsValues {
        server: "github".to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        secret: false,
        runtime: Some("npx".to_owned()),
    };
    until(&engine, |snapshot| row(snapshot, "notes").readiness == needs(&["OWNER", "TOKEN"])).await;

    let error = actions::restore_skill(&engine, &id).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(
        error.message.replace('\\', "/").ends_with("skills/notes is there already, so nothing was written."),
        "{}",
        error.message
    );
    assert_eq!(engine.snapshot().trash.len(), 1);
    assert_eq!(row(&engine.snapshot(), "notes").readiness, needs(&["OWNER", "TOKEN"]));
    actions::enable_skill(&engine, "f1/notes", false).await.unwrap();
    actions::restore_skill(&engine, &id).await.unwrap_err();
    assert!(!row(&engine.snapshot(), "notes").enabled, "the other one was on, not this");
    assert_eq!(fs::read_to_string(notes.join("SKILL.md")).unwrap(), NEEDS_OWNER);
}

#[tokio::test]
async fn the_trash_is_there_after_a_restart_and_what_is_old_goes_for_good() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("milk", "White.");
    let engine = home.start_with_library().await;
    let old = actions::trash_skill(&engine, "f1/tea").await.unwrap();
    let new = actions::trash_skill(&engine, "f1/milk").await.unwrap();
    engine.stop().await;
    drop(engine);

    let record = home.machine.data.join("trash").join(&old).join("record.json");
    let mut text: serde_json::Value = serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    text["time"] = json!(1);
    fs::write(&record, text.to_string()).unwrap();
    let engine = home.start().await;
    let snapshot = until(&engine, |snapshot| snapshot.trash.len() == 1).await;
    assert_eq!(snapshot.trash[0].id, new);
    assert!(!record.exists());
    actions::restore_skill(&engine, &new).await.unwrap();
    assert_eq!(ids(&engine.snapshot()), ["milk"]);
}

#[tokio::test]
async fn what_was_interrupted_before_the_move_is_as_if_it_had_not_begun() {
    let home = Home::new();
    let notes = home.library().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    let engine = home.start_with_library().await;
    actions::set_value(&engine, "f1/notes", "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    let before = engine.snapshot().skills.clone();
    let id = actions::trash_skill(&engine, "f1/notes").await.unwrap();
    let choices = home.choices();
    engine.stop().await;
    drop(engine);

    // The state after the machine stopped between the record and the move.
    fs::rename(home.machine.data.join("trash").join(&id).join("skill"), &notes).unwrap();
    let mut choices = choices;
    choices["folders"][1]["skills"] = json!({"notes": before[0].enabled});
    fs::write(home.machine.data.join("choices.json"), choices.to_string()).unwrap();
    let engine = home.start().await;
    assert_eq!(engine.snapshot().skills, before);
    assert_eq!(engine.snapshot().trash, []);
    assert_eq!(fs::read_dir(home.machine.data.join("trash")).unwrap().count(), 0);
}

#[tokio::test]
async fn skills_inside_go_and_come_back_with_it() {
    let home = Home::new();
    home.skill("team", "All.");
    home.skill("team/tea", "Green.");
    home.skill("team-two", "Another.");
    let engine = home.start_with_library().await;
    actions::enable_skill(&engine, "f1/team/tea", false).await.unwrap();
    // The number of problems in their content is determined meanwhile.
    let rows = || {
        let rows = engine.snapshot().skills.iter().cloned().collect::<Vec<_>>();
        rows.into_iter().map(|row| SkillRow { problems: Default::default(), ..row }).collect::<Vec<_>>()
    };
    let before = rows();
    let id = actions::trash_skill(&engine, "f1/team").await.unwrap();
    assert_eq!(ids(&engine.snapshot()), ["team-two"]);
    assert_eq!(engine.snapshot().trash[0].inside, 1);
    actions::restore_skill(&engine, &id).await.unwrap();
    assert_eq!(rows(), before);
}

#[tokio::test]
async fn a_skill_comes_back_to_a_folder_that_was_added_again() {
    let home = Home::new();
    home.skill("team/tea", "Green.");
    home.skill("milk", "White.");
    let engine = home.start_with_library().await;
    let set = actions::make_set(&engine, "Mine", &["f1/team/tea".to_owned()]).await.unwrap();
    let id = actions::trash_skill(&engine, "f1/team/tea").await.unwrap();
    fs::remove_dir(home.library().join("team")).unwrap();
    actions::remove_folder(&engine, "f1").await.unwrap();
    let error = actions::restore_skill(&engine, &id).await.unwrap_err();
    assert_eq!(error.message, "~/skills is not in the library any more.");
    assert!(error.hints[0].contains(&format!("trash/{id}")), "{}", error.hints[0]);

    add_folder(&engine, &home.library()).await;
    assert_eq!(actions::restore_skill(&engine, &id).await.unwrap(), "f2/team/tea");
    let snapshot = engine.snapshot();
    assert!(row(&snapshot, "tea").enabled);
    assert_eq!((&snapshot.sets[0].id, &snapshot.sets[0].skills), (&set, &vec!["f2/team/tea".to_owned()]));
}

#[tokio::test]
async fn the_librarys_folder_itself_stays() {
    let home = Home::new();
    write_skill(&home.library().join("SKILL.md"), "All.");
    let engine = home.start_with_library().await;
    let error = actions::trash_skill(&engine, "f1").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(home.library().join("SKILL.md").exists());
}

#[tokio::test]
async fn a_skill_that_vanished_meanwhile_leaves_nothing_behind() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    fs::remove_dir_all(home.library().join("tea")).unwrap();
    let error = actions::trash_skill(&engine, "f1/tea").await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::System | ErrorKind::NotFound), "{error:?}");
    let trash = home.machine.data.join("trash");
    assert!(!trash.exists() || fs::read_dir(trash).unwrap().count() == 0);
}

#[tokio::test]
async fn a_skill_deleted_for_good_takes_with_it_what_was_given_for_it() {
    let home = Home::new();
    let notes = home.library().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    let engine = home.start_with_library().await;
    actions::set_value(&engine, "f1/notes", "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    let id = actions::trash_skill(&engine, "f1/notes").await.unwrap();
    actions::delete_trashed(&engine, &id).await.unwrap();
    assert_eq!(engine.snapshot().trash, []);
    assert!(!fs::read_to_string(home.machine.data.join("values.json")).unwrap().contains("ada"));
    assert!(!home.machine.data.join("trash").join(&id).exists());
}

#[cfg(unix)]
#[tokio::test]
async fn of_a_linked_folder_only_the_link_goes() {
    let home = Home::new();
    let real = home.path("projects/tea");
    write_skill(&real.join("SKILL.md"), "Green.");
    std::os::unix::fs::symlink("../projects/tea", home.library().join("tea")).unwrap();
    let engine = home.start_with_library().await;
    let id = actions::trash_skill(&engine, "f1/tea").await.unwrap();
    assert!(engine.snapshot().trash[0].link);
    assert!(real.join("SKILL.md").exists());
    assert!(!home.library().join("tea").is_symlink());
    actions::restore_skill(&engine, &id).await.unwrap();
    assert_eq!(fs::read_link(home.library().join("tea")).unwrap().to_str(), Some("../projects/tea"));
    assert_eq!(ids(&engine.snapshot()), ["tea"]);
}

/// Linux has a second volume almost everywhere: memory.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_skill_is_carried_to_another_volume_and_back_without_a_difference() {
    use std::{
        os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink},
        path::Path,
    };

    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { panic!("this test needs /dev/shm") };
    let home = Home::new();
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    assert_ne!(device(memory.path()), device(&home.machine.data), "this test needs two volumes");
    symlink(memory.path(), home.machine.data.join("trash")).unwrap();
    let tea = home.skill("tea", "Green.").parent().unwrap().to_path_buf();
    fs::create_dir(tea.join("scripts")).unwrap();
    fs::write(tea.join("scripts/boil.sh"), vec![7; 200_000]).unwrap();
    fs::set_permissions(tea.join("scripts/boil.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("scripts/boil.sh", tea.join("boil")).unwrap();
    let modified = fs::metadata(tea.join("SKILL.md")).unwrap().modified().unwrap();
    let engine = home.start_with_library().await;

    let id = actions::trash_skill(&engine, "f1/tea").await.unwrap();
    assert!(!tea.exists());
    assert!(memory.path().join(&id).join("skill/SKILL.md").exists());
    actions::restore_skill(&engine, &id).await.unwrap();
    assert_eq!(fs::read(tea.join("scripts/boil.sh")).unwrap(), vec![7; 200_000]);
    assert_eq!(fs::metadata(tea.join("scripts/boil.sh")).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(fs::read_link(tea.join("boil")).unwrap().to_str(), Some("scripts/boil.sh"));
    assert_eq!(fs::metadata(tea.join("SKILL.md")).unwrap().modified().unwrap(), modified);
    let left: Vec<_> = fs::read_dir(home.library()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["tea"]);

    let fifo = tea.join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let error = actions::trash_skill(&engine, "f1/tea").await.unwrap_err();
    assert!(error.message.contains("is no file that can be copied"), "{}", error.message);
    assert!(tea.join("SKILL.md").exists() && fifo.exists());
    assert_eq!(fs::read_dir(memory.path()).unwrap().count(), 0);
}

/// A skill `notes` in the trash, with a value and a secret, and the engine stopped.
async fn thrown_away(home: &Home) -> String {
    let notes = home.library().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    let engine = home.start_with_library().await;
    enable(&engine, "f1/notes").await;
    actions::set_value(&engine, "f1/notes", "github", "OWNER", Some("ada".to_owned())).await.unwrap();
    let id = actions::trash_skill(&engine, "f1/notes").await.unwrap();
    engine.stop().await;
    id
}

#[tokio::test]
async fn another_skill_where_one_was_gets_nothing_although_the_trash_was_emptied_by_hand() {
    let home = Home::new();
    let id = thrown_away(&home).await;
    fs::remove_dir_all(home.machine.data.join("trash").join(&id).join("skill")).unwrap();
    let notes = home.library().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER.replace("Writes notes", "Sends notes")).unwrap();

    let engine = home.start().await;
    assert!(!row(&engine.snapshot(), "notes").enabled);
    enable(&engine, "f1/notes").await;
    let Readiness::NeedsValues { names, .. } = row(&engine.snapshot(), "notes").readiness.clone() else { panic!() };
    assert_eq!(names, ["OWNER", "TOKEN"]);
    let error = actions::restore_skill(&engine, &id).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    fs::remove_dir_all(&notes).unwrap();
    let error = actions::restore_skill(&engine, &id).await.unwrap_err();
    assert_eq!(error.message, "The files of notes are not in the trash any more.");
    actions::delete_trashed(&engine, &id).await.unwrap();
    assert_eq!(engine.snapshot().trash, []);
    let values = fs::read_to_string(home.machine.data.join("values.json")).unwrap();
    assert!(!values.contains("ada"), "{values}");
}

#[tokio::test]
async fn a_switch_falls_to_nobody_when_we_end_between_the_move_and_the_choices() {
    let home = Home::new();
    let notes = home.library().join("notes");
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("SKILL.md"), NEEDS_OWNER).unwrap();
    let engine = home.start_with_library().await;
    enable(&engine, "f1/notes").await;
    // The move fails, so that what was written before it stays visible.
    fs::write(home.machine.data.join("trash"), "in the way").unwrap();
    assert!(actions::trash_skill(&engine, "f1/notes").await.is_err());
    assert!(row(&engine.snapshot(), "notes").enabled, "nothing happened to it");
    fs::remove_file(home.machine.data.join("trash")).unwrap();
    let mut choices = Vec::new();
    let mut snapshots = engine.snapshots();
    let throwing = actions::trash_skill(&engine, "f1/notes");
    tokio::pin!(throwing);
    loop {
        tokio::select! {
            done = &mut throwing => break drop(done.unwrap()),
            _ = snapshots.changed() => {
                let there = notes.exists();
                let on = snapshots.borrow_and_update().skills.iter().any(|row| row.enabled);
                choices.push((there, on));
            }
        }
    }
    assert!(choices.iter().all(|(there, on)| *there || !on), "{choices:?}");
    assert!(choices.contains(&(true, false)), "it is off before it goes: {choices:?}");
}

#[tokio::test]
async fn a_skill_comes_back_whole_once_there_is_room_again() {
    let home = Home::new();
    let id = thrown_away(&home).await;
    let engine = home.start().await;
    // As on a full disk: the values cannot be written.
    let values = home.machine.data.join("values.json");
    let read_only = |on: bool| {
        let mut permissions = fs::metadata(&values).unwrap().permissions();
        permissions.set_readonly(on);
        fs::set_permissions(&values, permissions).unwrap();
    };
    read_only(true);
    let error = actions::restore_skill(&engine, &id).await.unwrap_err();
    assert!(error.message.starts_with("notes is back, but not what was given for its servers."), "{}", error.message);
    assert_eq!((ids(&engine.snapshot()), engine.snapshot().trash.len()), (vec!["notes"], 1));

    read_only(false);
    assert_eq!(actions::restore_skill(&engine, &id).await.unwrap(), "f1/notes");
    let snapshot = engine.snapshot();
    let Readiness::NeedsValues { names, .. } = &row(&snapshot, "notes").readiness else { panic!() };
    assert_eq!((names.as_slice(), snapshot.trash.len()), (["TOKEN".to_owned()].as_slice(), 0));
    assert_eq!(fs::read_dir(home.machine.data.join("trash")).unwrap().count(), 0);
}
