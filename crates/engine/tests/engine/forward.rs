//! A folder of an earlier version is brought forward as a whole, kept as it was, and taken back; a kill in between loses
//! nothing. The later program is this test's own, run again as a process with one more step.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use engine::{Engine, Machine, Mode, actions};
use files::store::{self, Step};
use serde_json::{Map, Value};

use crate::versions::{files, golden, left_by};

/// Tells a process that it is a later program, in this home, and after how many contents it is killed.
const HOME: &str = "SKILLTENDER_TEST_HOME";
const KILLED_AFTER: &str = "SKILLTENDER_TEST_KILLED_AFTER";

/// What the later program changes: a set's name, which the earlier one would show, and a count of the steps in each
/// content.
const STEPS: &[Step] = &[|file, content| {
    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    let killed_after = env::var(KILLED_AFTER).ok().and_then(|number| number.parse().ok());
    if killed_after == Some(TAKEN.fetch_add(1, Ordering::SeqCst)) {
        std::process::abort();
    }
    if file.ends_with("choices.json") {
        content["sets"][0]["name"] = "Drinks of a later version".into();
    }
    let steps = content.get("steps").and_then(Value::as_u64).unwrap_or_default();
    content.insert("steps".to_owned(), (steps + 1).into());
}];

#[tokio::test]
#[ignore = "another test runs it as a process of its own"]
async fn a_program_of_the_later_version() {
    let Some(home) = env::var_os(HOME) else { return };
    assert!(store::try_steps(STEPS));
    let machine = Machine::at(Path::new(&home)).unwrap();
    let engine = Engine::start(machine, Mode::Writing).await.unwrap();
    let snapshot = engine.snapshot();
    assert_eq!(snapshot.sets.iter().map(|set| &*set.name).collect::<Vec<_>>(), ["Drinks of a later version"]);
    assert_eq!(snapshot.trash.len(), 1);
    assert_eq!(actions::read_calls(&engine, 10).await.unwrap().len(), 2);
    actions::pause(&engine, true).await.unwrap();
    engine.stop().await;
}

/// Runs the later program in this home.
fn later(machine: &Machine, killed_after: Option<usize>) {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "forward::a_program_of_the_later_version"]).env(HOME, &machine.home);
    killed_after.map(|number| command.env(KILLED_AFTER, number.to_string()));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    // A test that is not found passes, too.
    let is_whole = output.status.success() && said.contains("1 passed");
    assert_eq!(is_whole, killed_after.is_none(), "killed after {killed_after:?}: {said}");
}

/// Our files that have a version or steps, by their names below our folder.
fn ours(data: &Path) -> BTreeMap<PathBuf, String> {
    let all = files(data).into_iter().map(|(path, text)| (path.strip_prefix(data).unwrap().to_path_buf(), text));
    let is_ours = |path: &Path| {
        let is_json = path.extension().is_some_and(|end| end == "json" || end == "jsonl");
        is_json && !["writing", "running", "before-2", "newer-2"].iter().any(|folder| path.starts_with(folder))
    };
    all.filter(|(path, _)| is_ours(path)).collect()
}

fn parsed(text: &str) -> Map<String, Value> {
    serde_json::from_str(text.lines().next().filter(|line| line.len() > 1).unwrap_or(text)).unwrap()
}

async fn refused(machine: &Machine) -> String {
    Engine::start(machine.clone(), Mode::Writing).await.err().unwrap().to_string()
}

#[tokio::test]
async fn a_folder_goes_to_a_later_version_and_back_through_kills_and_every_byte_is_there_again() {
    let home = left_by(&golden().join("1"));
    let (machine, data) = (&home.machine, &home.machine.data);
    let before = ours(data);
    assert!(before.len() > 15, "{:?}", before.keys());

    // Killed before the first content was written, and again further on.
    for contents in [0, 1, 6, before.len() - 2] {
        later(machine, Some(contents));
        assert!(refused(machine).await.contains("`skilltender go-back`"), "an earlier program reads nothing half done");
    }
    later(machine, None);
    for (path, text) in ours(data) {
        let now = parsed(&text);
        let is_format = path == Path::new("format.json");
        assert_eq!(now.get("steps").and_then(Value::as_u64), (!is_format).then_some(1), "{}", path.display());
        let version = parsed(&before[&path]).get("version").map(|_| 2);
        assert_eq!(now.get("version").and_then(Value::as_u64), version, "{}", path.display());
    }
    assert!(refused(machine).await.contains("is of version 2"));

    actions::go_back(machine).unwrap();
    let mut back = ours(data);
    // The version alone is in it, and what no program knows is gone.
    let format = back.remove(Path::new("format.json")).unwrap();
    assert_eq!(parsed(&format)["version"], 1);
    let mut without = before.clone();
    without.remove(Path::new("format.json"));
    assert_eq!(back, without);
    assert!(!data.join("before-2").exists());
    let aside = fs::read_to_string(data.join("newer-2/choices.json")).unwrap();
    assert_eq!(parsed(&aside)["paused"], true, "what the later program did is set aside");
    assert!(actions::go_back(machine).unwrap_err().to_string().contains("not written by a newer"));

    let engine = Engine::start(machine.clone(), Mode::Writing).await.unwrap();
    assert_eq!(engine.snapshot().sets.iter().map(|set| &*set.name).collect::<Vec<_>>(), ["Drinks"]);
    engine.stop().await;
    later(machine, None);
}

#[tokio::test]
async fn a_way_back_that_was_killed_is_ended_by_the_earlier_and_by_the_later_program() {
    for by_the_later in [false, true] {
        let home = left_by(&golden().join("1"));
        let (machine, data) = (&home.machine, &home.machine.data);
        let before = ours(data);
        later(machine, None);
        // As a kill leaves it: begun, some files set aside, one of them back already.
        let format = data.join("format.json");
        fs::write(&format, r#"{"version": 2, "way": "back"}"#).unwrap();
        fs::create_dir(data.join("newer-2")).unwrap();
        for file in ["choices.json", "tokens.json", "values.json"] {
            fs::rename(data.join(file), data.join("newer-2").join(file)).unwrap();
        }
        fs::copy(data.join("before-2/choices.json"), data.join("choices.json")).unwrap();
        assert!(refused(machine).await.contains("`skilltender go-back`"));
        if by_the_later {
            // It ends it, and then brings all forward again; with nothing lost it finds what it expects.
            later(machine, None);
            assert!(fs::read_to_string(data.join("tokens.json")).unwrap().contains("codex"));
        }
        actions::go_back(machine).unwrap();
        for (path, text) in ours(data) {
            assert!(path == Path::new("format.json") || text == before[&path], "{}", path.display());
        }
        assert_eq!(ours(data).len(), before.len());
    }
}

#[tokio::test]
async fn a_copy_that_was_not_used_is_made_anew_where_the_earlier_program_went_on() {
    let home = left_by(&golden().join("1"));
    let (machine, data) = (&home.machine, &home.machine.data);
    // As a kill leaves it right after the copy, before the folder says that it is of a later version.
    for copy in ["before-2", "before-2.half"] {
        fs::create_dir(data.join(copy)).unwrap();
        fs::write(data.join(copy).join("format.json"), r#"{"version": 1}"#).unwrap();
        fs::write(data.join(copy).join("choices.json"), r#"{"version": 1, "first_run": true}"#).unwrap();
    }
    let before = ours(data);
    let engine = Engine::start(machine.clone(), Mode::Writing).await.unwrap();
    engine.stop().await;
    later(machine, None);
    assert_eq!(fs::read_to_string(data.join("before-2/values.json")).unwrap(), before[Path::new("values.json")]);
    assert!(!data.join("before-2.half").exists());
    actions::go_back(machine).unwrap();
    let engine = Engine::start(machine.clone(), Mode::Writing).await.unwrap();
    assert_eq!(engine.snapshot().sets.len(), 1);
    engine.stop().await;
}
