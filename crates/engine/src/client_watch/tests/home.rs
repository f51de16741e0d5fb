//! A user's computer in a temporary folder, with clients' files on a real disk.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use api::{ActionError, Client, ClientChange, ConnectPlan, Snapshot, Transport};
use machine::Machine;

use crate::{
    Engine, Mode,
    actions::{change_client, plan_client},
    client_watch::read_client,
};

pub(super) const CLIENT: &str = "claude-desktop";
pub(super) const ADD: ClientChange = ClientChange::Connect { transport: None, project: None, again: false };
pub(super) const OVER_HTTP: ClientChange =
    ClientChange::Connect { transport: Some(Transport::Http), project: None, again: false };
pub(super) const REMOVE: ClientChange = ClientChange::Disconnect { project: None };
pub(super) const UPDATE: ClientChange = ClientChange::Update { transport: None, project: None };
pub(super) const UNDO: ClientChange = ClientChange::Undo;
pub(super) const REDO: ClientChange = ClientChange::Redo;
pub(super) const THEIRS: &str =
    "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\", \"env\": {\"API_KEY\": \"k-12345\"}}\n  }\n}\n";

/// The place of its file, as people are told.
pub(super) const PLACE: &str = if cfg!(windows) {
    "~/AppData/Roaming/Claude/claude_desktop_config.json"
} else if cfg!(target_os = "macos") {
    "~/Library/Application Support/Claude/claude_desktop_config.json"
} else {
    "~/.config/Claude/claude_desktop_config.json"
};

/// A test that waits longer has failed; the limit allows for a loaded machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Home {
    pub(super) folder: tempfile::TempDir,
    pub(super) engine: Engine,
}

impl Home {
    pub(super) async fn new() -> Self {
        Self::with(|machine| machine).await
    }

    pub(super) async fn with(change: impl FnOnce(Machine) -> Machine) -> Self {
        let folder = ::tests::watched_folder();
        let machine = Machine::at(&dunce::canonicalize(folder.path()).unwrap()).unwrap();
        let machine = change(with_a_program(machine));
        let engine = Engine::start(machine, Mode::Writing).await.unwrap();
        Self { folder, engine }
    }

    /// A home whose client has a file that holds `bytes`.
    pub(super) async fn holding(bytes: impl AsRef<[u8]>) -> Self {
        let home = Self::new().await;
        home.give(CLIENT, bytes);
        home
    }

    /// The same home after a restart of the engine, with `change` applied to the machine in between.
    pub(super) async fn again(self, change: impl FnOnce(Machine) -> Machine) -> Self {
        self.engine.stop().await;
        let machine = change(self.engine.machine().as_ref().clone());
        let engine = Engine::start(machine, Mode::Writing).await.unwrap();
        Self { folder: self.folder, engine }
    }

    /// Gives a client a file that holds `bytes`.
    pub(super) fn give(&self, client: &str, bytes: impl AsRef<[u8]>) {
        let file = self.file_of(client);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    /// The program that entries run.
    pub(super) fn command(&self) -> String {
        let machine = self.engine.machine();
        let copy = || machine.data.join("bin").join(format!("skilltender{}", env::consts::EXE_SUFFIX));
        let path = if machine.program.starts_with("/usr/bin") { machine.program.clone() } else { copy() };
        path.to_str().unwrap().to_owned()
    }

    /// The same as clients' files write it.
    pub(super) fn quoted_command(&self) -> String {
        serde_json::to_string(&self.command()).unwrap()
    }

    pub(super) fn file_of(&self, client: &str) -> PathBuf {
        let places = &self.engine.machine().places;
        clients::locate(clients::client(client).unwrap(), places).remove(0)
    }

    pub(super) fn file(&self) -> PathBuf {
        self.file_of(CLIENT)
    }

    pub(super) fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    pub(super) fn text_of(&self, client: &str) -> String {
        fs::read_to_string(self.file_of(client)).unwrap()
    }

    /// A folder in the home folder, created if it does not exist.
    pub(super) fn made(&self, below: &str) -> String {
        let folder = self.engine.machine().home.join(below);
        fs::create_dir_all(&folder).unwrap();
        folder.to_str().unwrap().to_owned()
    }

    pub(super) fn journal(&self) -> Vec<PathBuf> {
        let folder = self.engine.machine().data.join("journal").join(CLIENT);
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    }

    pub(super) fn client(&self) -> Client {
        self.client_of(CLIENT)
    }

    pub(super) fn client_of(&self, id: &str) -> Client {
        of(&self.engine.snapshot(), id)
    }

    /// The current state of a client's files, read again from the disk.
    pub(super) async fn look(&self, id: &str) -> Client {
        let (engine, client) = (self.engine.clone(), id.to_owned());
        tokio::task::spawn_blocking(move || read_client(&engine, &client)).await.unwrap();
        self.engine.state().flush().await.unwrap();
        self.client_of(id)
    }

    /// Waits until a client's file holds this.
    pub(super) async fn until_holds(&self, id: &str, text: &str) {
        let there = async {
            while self.text_of(id) != text {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, there).await.expect("it never holds");
    }

    /// The client once `holds` is true of it.
    pub(super) async fn until(&self, id: &str, holds: impl Fn(&Client) -> bool) -> Client {
        let mut snapshots = self.engine.snapshots();
        let seen = snapshots.wait_for(|snapshot| holds(&of(snapshot, id)));
        let seen = tokio::time::timeout(PATIENCE, seen).await.expect("it never holds").unwrap();
        of(&seen, id)
    }

    pub(super) async fn plan(&self, client: &str, change: ClientChange) -> Result<ConnectPlan, ActionError> {
        plan_client(&self.engine, client, change).await
    }

    /// Applies a change exactly as it is shown.
    pub(super) async fn make(&self, client: &str, change: ClientChange) -> Result<(), ActionError> {
        let plan = self.plan(client, change.clone()).await?;
        change_client(&self.engine, client, change, &plan.id).await
    }

    pub(super) async fn connect(&self) -> Result<(), ActionError> {
        self.make(CLIENT, ADD).await
    }

    pub(super) async fn disconnect(&self) -> Result<(), ActionError> {
        self.make(CLIENT, REMOVE).await
    }
}

/// On Windows clients run a copy of the program, wherever it is installed, so there is one to copy.
fn with_a_program(machine: Machine) -> Machine {
    if !cfg!(windows) {
        return machine;
    }
    let program = machine.data.join("installed/skilltender.exe");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, "one").unwrap();
    Machine { program, ..machine }
}

fn of(snapshot: &Snapshot, id: &str) -> Client {
    snapshot.clients.iter().find(|client| client.id == id).unwrap().clone()
}

/// The golden cases of a client that have a file before and after.
pub(super) fn cases(client: &str) -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients").join(client);
    let mut cases: Vec<_> = fs::read_dir(cases).into_iter().flatten().map(|case| case.unwrap().path()).collect();
    cases.sort();
    cases
}
