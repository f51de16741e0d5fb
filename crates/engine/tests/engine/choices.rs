//! A person's choices hold: over a restart, alongside other programs, and when a file is broken.

use std::{fs, path::Path};

use api::{ErrorKind, FirstRun, Readiness};
use engine::{Engine, Mode, actions};
use serde_json::json;

use crate::home::{Home, add_folder, enable, ids, row, until, write_skill};

const NEEDS_TOKEN: &str = "---\nname: notes\ndescription: Writes notes. Use when notes are wanted.\n\
    requires-mcp-servers:\n  - name: github\n    command: npx\n    args: [server]\n    env: {TOKEN: \"${TOKEN}\"}\n    \
    parameters:\n      TOKEN: {description: A token, required: true, sensitive: true}\n---\nNotes.\n";

#[tokio::test]
async fn choices_survive_a_restart_and_keep_what_a_later_version_wrote() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("coffee", "Black.");
    let engine = home.start_with_library().await;
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    engine.stop().await;
    drop(engine);

    let file = home.machine.data.join("choices.json");
    let mut choices = home.choices();
    assert_eq!(choices["version"], 1);
    choices["later"] = json!({"kept": true});
    choices["folders"][1]["colour"] = json!("green");
    fs::write(&file, choices.to_string()).unwrap();

    let engine = home.start().await;
    assert!(!row(&engine.snapshot(), "tea").enabled);
    assert!(row(&engine.snapshot(), "coffee").enabled);
    actions::enable_skill(&engine, "f1/coffee", false).await.unwrap();
    let choices = home.choices();
    assert_eq!(choices["later"], json!({"kept": true}));
    assert_eq!(choices["folders"][1]["colour"], "green");
    assert_eq!(choices["folders"][1]["skills"], json!({"coffee": false, "tea": false}));
}

#[tokio::test]
async fn a_broken_file_is_set_aside_and_said() {
    for broken in ["{\"version\": 1, \"folders\": [", "{\"version\": 0}", "[]", ""] {
        let home = Home::new();
        fs::write(home.machine.data.join("choices.json"), broken).unwrap();
        let engine = home.start().await;
        let notices = engine.snapshot().notices.clone();
        assert_eq!(notices.len(), 1, "{broken}");
        let (_, aside) = notices[0].message.rsplit_once("kept in ").unwrap();
        assert_eq!(fs::read_to_string(Path::new(aside.trim_end_matches('.'))).unwrap(), broken);
        actions::finish_first_run(
            &engine,
            FirstRun { folders: Vec::new(), enable_ready: true, enable_new: Vec::new() },
        )
        .await
        .unwrap();
        assert_eq!(home.choices()["first_run"], false);
    }
}

#[tokio::test]
async fn a_folder_is_added_once_and_by_its_absolute_path() {
    let home = Home::new();
    home.skill("team/tea", "Green.");
    let engine = home.start_with_library().await;
    let refused = async |path: &Path| {
        let error = actions::add_folder(&engine, path.to_str().unwrap(), None).await.unwrap_err();
        (error.kind, error.message)
    };
    assert_eq!(refused(Path::new("skills")).await.0, ErrorKind::Input);
    assert_eq!(refused(&home.path("none")).await.0, ErrorKind::NotFound);
    assert_eq!(refused(&home.library()).await.1, "~/skills is in the library already.");
    assert_eq!(
        refused(&home.library().join("team")).await.1,
        "~/skills/team is inside ~/skills, so its skills are in the library already."
    );
    assert_eq!(
        refused(&home.path("")).await.1,
        "~ holds ~/skills, which is in the library already. Remove that one first."
    );

    // A hidden folder that is not searched for skills.
    let project = home.library().join("team/.private/mine");
    write_skill(&project.join("milk/SKILL.md"), "White.");
    add_folder(&engine, &project).await;
    assert_eq!(ids(&engine.snapshot()), ["milk", "tea"]);
}

#[tokio::test]
async fn a_removed_folder_stays_on_the_disk_and_its_id_is_not_used_again() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    actions::remove_folder(&engine, "f1").await.unwrap();
    assert_eq!(ids(&engine.snapshot()), [""; 0]);
    assert!(file.exists());
    add_folder(&engine, &home.library()).await;
    assert_eq!(row(&engine.snapshot(), "tea").key, "f2/tea");
    assert_eq!(actions::remove_folder(&engine, "f1").await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(actions::remove_folder(&engine, "own").await.unwrap_err().kind, ErrorKind::Refused);
}

#[tokio::test]
async fn the_first_run_finds_folders_and_leaves_off_what_is_not_ready() {
    let home = Home::new();
    let claude = home.path(".claude/skills");
    write_skill(&claude.join("tea/SKILL.md"), "Green. Use when tea is wanted.");
    fs::create_dir_all(claude.join("notes")).unwrap();
    fs::write(claude.join("notes/SKILL.md"), NEEDS_TOKEN).unwrap();
    write_skill(&home.path(".codex/skills/milk/SKILL.md"), "White.");
    let engine = home.start().await;
    assert!(engine.snapshot().first_run);
    let snapshot = until(&engine, |snapshot| !snapshot.found.is_empty()).await;
    let found: Vec<_> = snapshot.found.iter().map(|found| (found.place.as_str(), found.skills)).collect();
    assert_eq!(found, [("~/.claude/skills", 2), ("~/.codex/skills", 1)]);

    let folders = vec![claude.to_str().unwrap().to_owned()];
    actions::finish_first_run(&engine, FirstRun { folders, enable_ready: true, enable_new: Vec::new() }).await.unwrap();
    let snapshot = engine.snapshot();
    assert!(!snapshot.first_run);
    assert!(snapshot.skills.iter().all(|row| row.asks && !row.enabled), "nobody has seen yet what they carry");
    assert_eq!(snapshot.found.len(), 1);
    let looks = actions::look_at_ready(&engine, &[claude.to_str().unwrap().to_owned()]).await.unwrap();
    assert_eq!(looks.iter().map(|look| look.key.as_str()).collect::<Vec<_>>(), ["f1/tea"]);

    enable(&engine, "f1/notes").await;
    let needs = Readiness::NeedsValues {
        server: "github".to_owned(),
        names: vec!["TOKEN".to_owned()],
        secret: true,
        runtime: Some("npx".to_owned()),
    };
    until(&engine, |snapshot| row(snapshot, "notes").readiness == needs).await;
}

#[tokio::test]
async fn starter_skills_are_copied_once_and_never_over_edits() {
    let mut home = Home::new();
    let starters = home.elsewhere().join("starters");
    write_skill(&starters.join("tea/SKILL.md"), "Green.");
    fs::write(starters.join("tea/notes.md"), "notes").unwrap();
    fs::create_dir(starters.join("notes")).unwrap();
    fs::write(starters.join("notes/SKILL.md"), NEEDS_TOKEN).unwrap();
    home.machine.starters = Some(starters.clone());
    let engine = home.start().await;
    assert!(row(&engine.snapshot(), "tea").enabled);
    assert!(!row(&engine.snapshot(), "notes").enabled, "what needs a secret stays off, as the first window says");
    assert!(!row(&engine.snapshot(), "notes").asks, "it is ours");
    assert_eq!(row(&engine.snapshot(), "tea").key, "own/tea");
    let own = home.machine.data.join("skills");
    assert_eq!(fs::read_to_string(own.join("tea/notes.md")).unwrap(), "notes");
    engine.stop().await;
    drop(engine);

    write_skill(&own.join("tea/SKILL.md"), "Mine.");
    write_skill(&starters.join("tea/SKILL.md"), "Newer.");
    let engine = home.start().await;
    assert_eq!(row(&engine.snapshot(), "tea").description, "Mine.");
}

#[tokio::test]
async fn a_reading_engine_follows_the_choices_and_writes_nothing() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let writing = home.start_with_library().await;
    let reading = Engine::start(home.machine.clone(), Mode::Reading).await.unwrap();
    assert!(row(&reading.snapshot(), "tea").enabled);
    let before = fs::read(home.machine.data.join("choices.json")).unwrap();
    actions::enable_skill(&reading, "f1/tea", false).await.unwrap();
    assert_eq!(fs::read(home.machine.data.join("choices.json")).unwrap(), before);

    actions::enable_skill(&writing, "f1/tea", false).await.unwrap();
    home.skill("milk", "White.");
    let snapshot = until(&reading, |snapshot| ids(snapshot).contains(&"milk")).await;
    assert!(!row(&snapshot, "tea").enabled);
}

#[tokio::test]
async fn a_plain_engine_has_every_skill_on_and_no_state() {
    let home = Home::new();
    home.skill("tea", "Green.");
    fs::create_dir_all(home.library().join("notes")).unwrap();
    fs::write(home.library().join("notes/SKILL.md"), NEEDS_TOKEN).unwrap();
    let mode = Mode::Plain { folders: vec![home.library()] };
    let engine = Engine::start(home.machine.clone(), mode).await.unwrap();
    assert!(engine.snapshot().skills.iter().all(|row| row.enabled));
    engine.stop().await;
    assert_eq!(fs::read_dir(&home.machine.data).unwrap().count(), 0);
}

#[tokio::test]
async fn a_reading_engine_follows_what_people_give_for_a_skill() {
    let home = Home::new();
    fs::create_dir_all(home.library().join("notes")).unwrap();
    let server = "requires-mcp-servers:\n  - name: notes\n    command: notes\n    args: ['${OWNER}']\n    parameters:\n      OWNER:\n        description: Whose notes.\n        required: true\n";
    let text = format!("---\nname: notes\ndescription: Finds notes.\n{server}---\n");
    fs::write(home.library().join("notes/SKILL.md"), text).unwrap();
    let writing = home.start_with_library().await;
    enable(&writing, "f1/notes").await;
    let reading = Engine::start(home.machine.clone(), Mode::Reading).await.unwrap();
    assert!(matches!(row(&reading.snapshot(), "notes").readiness, Readiness::NeedsValues { .. }));
    actions::set_value(&writing, "f1/notes", "notes", "OWNER", Some("ada".to_owned())).await.unwrap();
    until(&reading, |snapshot| row(snapshot, "notes").readiness == Readiness::Ready).await;
}

#[tokio::test]
async fn a_first_run_that_cannot_add_one_folder_adds_none() {
    let home = Home::new();
    let folder = |path: &str| {
        write_skill(&home.path(path).join("tea/SKILL.md"), "Green.");
        home.path(path).to_str().unwrap().to_owned()
    };
    let engine = home.start().await;
    let folders = vec![folder("one"), folder("one/team"), folder("two")];
    let answers = FirstRun { folders, enable_ready: true, enable_new: Vec::new() };
    let error = actions::finish_first_run(&engine, answers).await.unwrap_err();
    assert_eq!(error.message, "~/one/team is inside ~/one, so its skills are in the library already.");
    let snapshot = engine.snapshot();
    assert!(snapshot.first_run);
    assert_eq!(snapshot.folders.len(), 1, "{:?}", snapshot.folders);
    actions::finish_first_run(
        &engine,
        FirstRun { folders: vec![folder("one")], enable_ready: true, enable_new: Vec::new() },
    )
    .await
    .unwrap();
    assert_eq!(row(&engine.snapshot(), "tea").key, "f1/tea");
}

#[cfg(unix)]
#[tokio::test]
async fn what_cannot_be_saved_is_an_error_and_said_until_it_is_saved() {
    use api::{CheckState, EndpointState, Snapshot};

    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let file = home.machine.data.join("choices.json");
    let read_only = |on: bool| {
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(on);
        fs::set_permissions(&file, permissions).unwrap();
    };
    let says = |snapshot: &Snapshot| snapshot.notices.iter().any(|notice| notice.id == "not-saved");
    let paused = || home.choices()["paused"] == true;
    // The earlier choices are on the disk when this returns.
    actions::pause(&engine, false).await.unwrap();
    read_only(true);
    let error = actions::pause(&engine, true).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::System);
    assert!(
        error.message.starts_with("This holds until Skilltender quits, but it is not saved: "),
        "{}",
        error.message
    );
    assert_eq!(engine.snapshot().endpoint.state, EndpointState::Paused, "it holds");
    until(&engine, says).await;
    actions::dismiss_notice(&engine, "not-saved").await.unwrap();
    assert!(says(&engine.snapshot()), "nobody puts away what is true");
    let checkup = actions::doctor(&engine).await.unwrap();
    let check = checkup.checks.iter().find(|check| check.id == "unsaved").unwrap();
    assert_eq!(check.state, CheckState::Problem);
    assert!(check.what.contains("what you chose"), "{}", check.what);
    // Reading answers all the same.
    assert_eq!(actions::list_servers(&engine).await, []);

    read_only(false);
    until(&engine, |snapshot| !says(snapshot)).await;
    assert!(paused(), "it was tried again");
    read_only(true);
    drop(actions::pause(&engine, false).await.unwrap_err());
    assert!(paused());
    read_only(false);
    engine.stop().await;
    assert!(!paused(), "stopping tries once more");
}
