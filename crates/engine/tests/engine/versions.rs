//! The versions of our files: each that was ever written is read, and a later one is refused and left alone.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use engine::{
    Engine, Mode, actions, bridge,
    orders::{self, Order},
};
use serde_json::Value;

use crate::home::Home;

/// A folder for each version: our data folder as a program of that version left it.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/state")
}

/// Every file below a folder, with its content.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.is_file() {
            all.insert(path.clone(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
        }
    }
    all
}

/// Puts our data folder of this version into a home.
pub(crate) fn left_by(version: &Path) -> Home {
    let home = Home::new();
    for (path, text) in files(version) {
        let to = home.machine.data.join(path.strip_prefix(version).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        // In JSON, where a path of Windows is escaped.
        let person = serde_json::to_string(home.machine.home.to_str().unwrap()).unwrap();
        fs::write(to, text.replace("/home/ada", person.trim_matches('"'))).unwrap();
    }
    home
}

/// Whether `now` says everything that `before` said, but another version.
fn holds(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => before
            .iter()
            .filter(|(name, _)| *name != "version")
            .all(|(name, before)| now.get(name).is_some_and(|now| holds(now, before))),
        (Value::Array(now), Value::Array(before)) => {
            before.iter().all(|before| now.iter().any(|now| holds(now, before)))
        }
        (now, before) => now == before,
    }
}

#[tokio::test]
async fn what_a_program_of_each_version_left_is_read_and_nothing_of_it_is_lost() {
    let mut versions = 0;
    for version in fs::read_dir(golden()).unwrap() {
        let version = version.unwrap().path();
        let home = left_by(&version);
        let before = files(&home.machine.data);
        let engine = Engine::start(home.machine.clone(), Mode::Writing).await.unwrap();
        let snapshot = engine.snapshot();
        let unread: Vec<_> = snapshot.notices.iter().filter(|notice| notice.id.starts_with("unreadable")).collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert_eq!(snapshot.sets.iter().map(|set| &*set.name).collect::<Vec<_>>(), ["Drinks"]);
        let row = snapshot.clients.iter().find(|row| row.id == "codex").unwrap();
        assert!(row.token && row.calls == 3, "{row:?}");
        assert_eq!(snapshot.trash[0].name, "cake");
        assert_eq!(
            actions::client_token(&engine, "codex").await.unwrap(),
            "H4-6E7YUhG5s89TwUasm509o7znGW0e_pucq0I5AJ9o"
        );

        let calls = actions::read_calls(&engine, 10).await.unwrap();
        assert_eq!(calls.iter().map(|call| call.ok).collect::<Vec<_>>(), [true, false]);
        assert_eq!(actions::usage(&engine, 1).await.unwrap().since.as_deref(), Some("2026-11-24"));
        let kept = actions::kept_versions(&engine, "own/coffee").await.unwrap();
        assert_eq!(kept.iter().map(|kept| kept.moment).collect::<Vec<_>>(), [1_795_467_146_000]);
        assert!(!home.machine.data.join("writing/0123456789abcdef0123456789abcdef.json").exists(), "it is settled");

        // Something in each file that a person changes.
        actions::pause(&engine, true).await.unwrap();
        actions::client_token(&engine, "zed").await.unwrap();
        engine.stop().await;
        let of_a_moment = ["writing", "running"].map(|folder| home.machine.data.join(folder));
        let lasting = before.iter().filter(|(path, _)| !of_a_moment.iter().any(|folder| path.starts_with(folder)));
        for (path, before) in lasting.filter(|(path, _)| path.extension().is_some_and(|end| end == "json")) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let now = fs::read_to_string(path).unwrap();
            let [now, before] = [&now, before].map(|text| serde_json::from_str::<Value>(text).unwrap());
            let mut before = before;
            if name == "choices.json" {
                before["paused"] = true.into();
                before.as_object_mut().unwrap().remove("port");
            }
            assert!(holds(&now, &before), "{name} lost something: {before} became {now}");
        }
        versions += 1;
    }
    assert!(versions >= 1);
}

#[tokio::test]
async fn a_folder_of_a_later_version_is_refused_in_one_sentence_and_not_touched() {
    let home = left_by(&golden().join("1"));
    let data = &home.machine.data;
    let later = r#"{"version": 2, "of": "a later program"}"#;
    fs::write(data.join("choices.json"), later).unwrap();
    let before = files(data);
    let machine = || home.machine.clone();

    let mut said = Vec::new();
    for mode in [Mode::Writing, Mode::Reading] {
        said.push(Engine::start(machine(), mode).await.err().unwrap().to_string());
    }
    said.push(Engine::start_once(machine(), Mode::Reading).await.err().unwrap().to_string());
    said.push(orders::give(machine(), Order::Pause { on: true }).await.unwrap_err().message);
    said.push(bridge::refuse_newer(&machine()).await.unwrap_err().to_string());
    let said: std::collections::BTreeSet<_> = said.into_iter().collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said.first().unwrap().contains("was written by a newer Skilltender (choices.json is of version 2"));
    assert_eq!(files(data), before);

    let plain = Mode::Plain { folders: vec![home.library()] };
    assert!(Engine::start(machine(), plain).await.is_ok(), "it uses none of our files");
}

#[test]
fn the_latest_folder_has_every_file_that_the_readme_names() {
    let readme = fs::read_to_string(golden().join("../../../README.md")).unwrap();
    let named = readme.split("Our own folder contains").nth(1).unwrap().split("\n\n").next().unwrap();
    let named: Vec<_> = named.split('`').filter(|word| word.ends_with(".json")).collect();
    assert!(named.len() > 9, "{named:?}");
    let versions = fs::read_dir(golden()).unwrap().map(|entry| entry.unwrap().path());
    let latest = versions.max().unwrap();
    let missing: Vec<_> = named.iter().filter(|name| !latest.join(name).is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for folder in ["audit", "journal", "kept", "running", "sessions", "trash", "usage", "writing"] {
        let holds = files(&latest.join(folder)).len();
        assert!(holds > 0, "{folder} holds nothing");
    }
}

/// Everything below a folder: its path, when it was changed, and what a file holds.
fn all_of(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(all_of(&path));
        }
        let changed = fs::symlink_metadata(&path).unwrap().modified().unwrap();
        all.insert(path.clone(), (changed, fs::read(&path).unwrap_or_default()));
    }
    all
}

#[tokio::test]
async fn a_program_that_is_tried_reads_what_the_one_before_it_left_and_changes_nothing() {
    let home = left_by(&golden().join("1"));
    home.skill("tea", "Makes tea. Use it for tea.");
    // The version that is replaced runs meanwhile.
    let running = home.start().await;
    running.stop().await;
    let lock = machine::lock::Lockable::open(&home.machine.data.join("engine.lock"), false).unwrap();
    lock.take().unwrap();
    let before = all_of(&home.machine.home);
    engine::try_out(home.machine.clone()).await.unwrap();
    assert_eq!(all_of(&home.machine.home), before);

    let mut empty = Home::new().machine;
    empty.data = empty.home.join("not-there");
    engine::try_out(empty.clone()).await.unwrap();
    assert!(!empty.data.exists());
}

#[tokio::test]
async fn a_program_that_cannot_read_what_is_there_fails_its_trial_and_leaves_it() {
    let files = ["choices.json", "values.json", "secrets.json", "approvals.json", "adopted.json", "tokens.json"];
    for file in files.into_iter().chain(["seen.json"]) {
        let home = left_by(&golden().join("1"));
        fs::write(home.machine.data.join(file), r#"{"version": 1, "folders": 7, "values": 7, "secrets": 7, "approvals": 7, "servers": 7, "tokens": 7, "clients": 7}"#).unwrap();
        let before = all_of(&home.machine.home);
        let why = engine::try_out(home.machine.clone()).await.unwrap_err();
        assert!(why.contains(file) && why.contains("could not be read"), "{why}");
        assert_eq!(all_of(&home.machine.home), before, "{file}");
    }
    let home = left_by(&golden().join("1"));
    fs::write(home.machine.data.join("choices.json"), r#"{"version": 2}"#).unwrap();
    let why = engine::try_out(home.machine.clone()).await.unwrap_err();
    assert!(why.contains("was written by a newer Skilltender"), "{why}");
}
