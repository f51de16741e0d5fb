//! A person's computer in a temporary folder.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use api::{ClientChange, SkillRow, Snapshot};
use engine::{Engine, Machine, Mode, actions};
use serde_json::json;

pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) machine: Machine,
}

/// Adds Skilltender's entry to a client's file, in its usual way.
pub(crate) const ADD: ClientChange = ClientChange::Connect { transport: None, project: None, again: false };
/// Removes it.
pub(crate) const REMOVE: ClientChange = ClientChange::Disconnect { project: None };

/// Makes a change of a client's files as planned.
pub(crate) async fn change_client(engine: &Engine, client: &str, change: ClientChange) {
    let plan = actions::plan_client(engine, client, change.clone()).await.unwrap();
    actions::change_client(engine, client, change, &plan.id).await.unwrap();
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tests::watched_folder();
        let home = dunce::canonicalize(folder.path()).unwrap().join("home");
        fs::create_dir(&home).unwrap();
        Self { machine: with_a_program(Machine::at(&home).unwrap()), folder }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.machine.home.join(below)
    }

    /// A folder outside the home folder.
    pub(crate) fn elsewhere(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the library that most tests use.
    pub(crate) fn library(&self) -> PathBuf {
        let library = self.path("skills");
        fs::create_dir_all(&library).unwrap();
        library
    }

    /// Writes `skills/<path>/SKILL.md`.
    pub(crate) fn skill(&self, path: &str, description: &str) -> PathBuf {
        let file = self.library().join(path).join("SKILL.md");
        write_skill(&file, description);
        file
    }

    pub(crate) async fn start(&self) -> Engine {
        Engine::start(self.machine.clone(), Mode::Writing).await.unwrap()
    }

    /// An engine with the folder `skills` in its library and all ready skills on, as if the person had looked
    /// at each of them.
    pub(crate) async fn start_with_library(&self) -> Engine {
        let folder = json!({"id": "f1", "path": self.library(), "enable_new": false, "enable_first": true});
        let choices = json!({"version": 1, "last_folder": 1, "folders": [folder]});
        fs::write(self.machine.data.join("choices.json"), choices.to_string()).unwrap();
        self.start().await
    }

    pub(crate) fn choices(&self) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(self.machine.data.join("choices.json")).unwrap()).unwrap()
    }
}

/// On Windows clients run a copy of the program, wherever it is installed, so there is one to copy.
fn with_a_program(machine: Machine) -> Machine {
    if !cfg!(windows) {
        return machine;
    }
    let program = machine.home.join("installed/skilltender.exe");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, "one").unwrap();
    Machine { program, ..machine }
}

/// Adds a folder to the library, looks at its skills and switches the ready ones on.
pub(crate) async fn add_folder(engine: &Engine, path: &Path) {
    let path = path.to_str().unwrap().to_owned();
    actions::add_folder(engine, &path, None).await.unwrap();
    let looks = actions::look_at_ready(engine, &[path]).await.unwrap();
    let keys: Vec<_> = looks.iter().map(|look| look.key.clone()).collect();
    let seen = looks.into_iter().map(|look| (look.key, look.digest)).collect();
    actions::enable_skills(engine, &keys, true, &seen).await.unwrap();
}

/// Looks at a skill and switches it on.
pub(crate) async fn enable(engine: &Engine, key: &str) {
    let look = actions::look_at_skill(engine, key).await.unwrap();
    actions::enable_skills(engine, &[key.to_owned()], true, &[(look.key, look.digest)].into()).await.unwrap();
}

pub(crate) fn write_skill(file: &Path, description: &str) {
    let name = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, format!("---\nname: {name}\ndescription: {description}\n---\nBoil water.\n")).unwrap();
}

/// Saves like most editors: a new file replaces the old one.
pub(crate) fn write_by_rename(file: &Path, bytes: impl AsRef<[u8]>) {
    let next = file.with_extension("new");
    fs::write(&next, bytes).unwrap();
    fs::rename(next, file).unwrap();
}

/// A test that waits longer than this has failed; a loaded machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until a condition holds that no snapshot shows.
pub(crate) async fn comes(holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("it never came");
}

/// The first snapshot for which `holds` is true.
pub(crate) async fn until(engine: &Engine, holds: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
    let mut snapshots = engine.snapshots();
    let waiting = snapshots.wait_for(|snapshot| holds(snapshot));
    let found = tokio::time::timeout(PATIENCE, waiting).await;
    let Ok(Ok(snapshot)) = found.map(|found| found.map(|snapshot| Arc::clone(&snapshot))) else {
        panic!("it never came: {:#?}", engine.snapshot());
    };
    snapshot
}

pub(crate) fn row<'s>(snapshot: &'s Snapshot, id: &str) -> &'s SkillRow {
    snapshot.skills.iter().find(|row| row.id == id).unwrap_or_else(|| panic!("no {id} in {:#?}", snapshot.skills))
}

pub(crate) fn ids(snapshot: &Snapshot) -> Vec<&str> {
    snapshot.skills.iter().map(|row| row.id.as_str()).collect()
}
