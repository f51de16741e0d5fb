//! Mei's computer in a temporary folder: a copy of `home` next to this file, with a library of four folders and the
//! clients in the states that the window draws.

use std::{
    env,
    fs::{self, Permissions},
    io::Write as _,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use api::{ClientChange, Snapshot};
use engine::{Engine, Machine, Mode, actions};
use machine::KeychainKind;
use mcp::Host as _;
use serde_json::{Value, json};
use tests::{GitHost, GitRepository, git_in};

use super::clients;
use crate::architecture::root;

/// The library's folders, and which skills in them are off. What is new in the third one is asked about.
const FOLDERS: [(&str, &str); 4] = [
    ("claude", ".claude/skills"),
    ("agents", ".agents/skills"),
    ("projects", "projects/skills"),
    ("team", "team/skills"),
];
const OFF: &[&str] = &["design-tokens", "prompt-library", "react-class-to-hooks"];
const ASKED_ABOUT: &[&str] = &["prompt-library", "react-class-to-hooks"];
/// Programs of servers, all of which are `server.sh`, and the registry's client.
const PROGRAMS: &[&str] = &["npx", "uvx", "linear-mcp", "npm"];

/// Secrets that were given: the skill, its server and the name.
const STORED: [(&str, &str, &str); 3] = [
    ("claude/release-notes", "linear", "LINEAR_API_KEY"),
    ("team/design-review", "figma", "FIGMA_TOKEN"),
    ("team/query-plans", "postgres", "DATABASE_URL"),
];

/// Clients that were added, and how.
const ADDED: [(&str, &str); 4] =
    [("claude-code", "stdio"), ("gemini-cli", "stdio"), ("codex", "stdio"), ("windsurf", "http")];

pub(super) struct Home {
    folder: tempfile::TempDir,
    pub(super) machine: Machine,
    /// The repository that the work tree `team` is a clone of, and its host.
    pub(super) team: GitRepository,
    _host: GitHost,
}

impl Home {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap().join("home");
        copy(&root().join("tests/golden/example/home"), &home);
        for folder in ["notes", "more-skills", "proc"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let programs = home.join(".local/bin");
        copy(&root().join("tests/golden/example/servers"), &programs.join("servers"));
        for program in PROGRAMS {
            let file = programs.join(program);
            fs::copy(root().join("tests/golden/example/server.sh"), &file).unwrap();
            fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
        }
        symlink(git(), programs.join("git")).unwrap();
        fs::write(home.join("proc/stat"), "btime 1700000000\n").unwrap();
        let app = Some("/usr/bin/skilltender-app".into());
        let machine = Machine { app, keychain: KeychainKind::StandIn, ..Machine::at(&home).unwrap() };
        // The login shell was asked already: a test must not run a person's.
        private(&machine.data.join("login-path.json"), r#"{"version":1,"folders":[]}"#);
        pack(&home.join("Downloads/skills"), &home.join("Downloads/skills.zip"));
        let host = GitHost::start();
        let team = host.repository("acme/team");
        copy(&home.join("team"), team.work());
        team.commit("The team's skills");
        fs::remove_dir_all(home.join("team")).unwrap();
        team.clone_to(&home.join("team"));
        git_in(&home.join("team"), &["remote", "set-url", "origin", &team.address]);
        Self { machine, team, _host: host, folder }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.machine.home.join(below)
    }

    /// Writes a file below the home folder.
    pub(super) fn write(&self, below: &str, text: &str) {
        fs::write(self.path(below), text).unwrap();
    }

    /// What the first start shows, before anything is chosen, on a computer without a keychain.
    pub(super) async fn first_start(&self) -> Snapshot {
        let data = self.folder.path().join("first");
        fs::create_dir_all(&data).unwrap();
        let engine =
            Engine::start(Machine { data, keychain: KeychainKind::None, ..self.machine.clone() }, Mode::Writing)
                .await
                .unwrap();
        actions::retry_keychain(&engine).await.unwrap();
        let mut snapshots = engine.snapshots();
        let snapshot = snapshots.wait_for(|snapshot| !snapshot.found.is_empty()).await.unwrap().as_ref().clone();
        engine.stop().await;
        snapshot
    }

    /// The engine once more, after it has ended.
    pub(super) async fn start_again(&self) -> Engine {
        Engine::start(self.machine.clone(), Mode::Writing).await.unwrap()
    }

    /// The engine with a program that can run servers. Clients' entries name another one.
    pub(super) async fn start_with_supervisor(&self) -> Engine {
        Engine::start(Machine { program: supervisor(), ..self.machine.clone() }, Mode::Writing).await.unwrap()
    }

    /// The engine after Mei has chosen her folders and added some clients, one of them with a program that has moved
    /// since.
    pub(super) async fn start(&self) -> Engine {
        let folders = FOLDERS.map(|(id, place)| {
            let (mut skills, mut switched) = (serde_json::Map::new(), Vec::new());
            for path in skills_in(&self.path(place)) {
                let id = path.rsplit('/').next().unwrap_or_default();
                skills.insert(path.clone(), Value::Bool(!OFF.contains(&id)));
                if !ASKED_ABOUT.contains(&id) {
                    switched.push(path);
                }
            }
            let enable_new = id != "projects";
            let mut folder =
                json!({"id": id, "path": self.path(place), "enable_new": enable_new, "skills": skills, "switched": switched});
            if id == "team" {
                // What her other machine said when she last pulled; since then she switched one on.
                let said = |path: &String| if path == "query-plans" { "off 1" } else { "on 1" };
                let said: serde_json::Map<_, _> = skills.keys().map(|path| (path.clone(), json!(said(path)))).collect();
                folder["shared"] = json!({"on": true, "known": {"version": 1, "skills": said}});
            }
            folder
        });
        let choices = json!({"version": 1, "first_run": false, "last_folder": 4, "folders": folders});
        private(&self.machine.data.join("choices.json"), &choices.to_string());
        let old = Machine { program: "/opt/old/skilltender".into(), ..self.machine.clone() };
        let before = Engine::start(old, Mode::Writing).await.unwrap();
        change(&before, "opencode", &json!({"change": "connect", "transport": null, "project": null, "again": false}))
            .await;
        before.stop().await;
        let engine = Engine::start(self.machine.clone(), Mode::Writing).await.unwrap();
        for (skill, server, name) in STORED {
            actions::set_secret(&engine, skill, server, name, "not-a-secret".to_owned()).await.unwrap();
        }
        for (client, transport) in ADDED {
            change(
                &engine,
                client,
                &json!({"change": "connect", "transport": transport, "project": null, "again": false}),
            )
            .await;
        }
        let project = self.path("projects/website");
        change(
            &engine,
            "claude-code",
            &json!({"change": "connect", "transport": null, "project": project, "again": false}),
        )
        .await;
        for client in ["claude-code", "gemini-cli"] {
            clients::connects(&engine, client);
            clients::calls(&engine, client, true, "get_skill release-notes");
        }
        clients::connects(&engine, "codex");
        engine.note(mcp::ClientEvent::Disconnected { caller: mcp::Caller::of("codex") });
        let mut snapshots = engine.snapshots();
        let is_called = |client: &api::Client| client.id != "gemini-cli" || client.calls == 1;
        snapshots.wait_for(|snapshot| snapshot.clients.iter().all(is_called)).await.unwrap();
        engine
    }
}

/// A program that is a supervisor and nothing else, built next to the tests.
fn supervisor() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--package=processes", "--example=child"]);
    // `cargo xtask test` has built it with all tests.
    assert!(env::var_os("SKILLTENDER_EXAMPLES").is_some() || cargo.status().unwrap().success());
    env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("examples/child")
}

/// The computer's own git, which fetches what is added from a repository.
fn git() -> PathBuf {
    let path = env::var_os("PATH").unwrap();
    let mut found = env::split_paths(&path).map(|folder| folder.join("git"));
    found.find(|program| program.is_file()).unwrap()
}

/// Makes a change of a client's files as planned.
pub(super) async fn change(engine: &Engine, client: &str, change: &Value) {
    let change: ClientChange = serde_json::from_value(change.clone()).unwrap();
    let plan = actions::plan_client(engine, client, change.clone()).await.unwrap();
    actions::change_client(engine, client, change, &plan.id).await.unwrap();
}

/// Writes a file that only Mei may read.
fn private(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
    fs::set_permissions(file, Permissions::from_mode(0o600)).unwrap();
}

/// The paths of the skills below a folder.
fn skills_in(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for name in names(folder) {
        if folder.join(&name).join("SKILL.md").exists() {
            found.push(name);
        } else if folder.join(&name).is_dir() {
            found.extend(skills_in(&folder.join(&name)).into_iter().map(|inner| format!("{name}/{inner}")));
        }
    }
    found
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in names(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::write(&to, fs::read(&from).unwrap()).unwrap();
        }
    }
}

/// Packs a folder of skills, as a page's download holds them.
fn pack(folder: &Path, to: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(to).unwrap());
    let mut left = vec![String::new()];
    while let Some(place) = left.pop() {
        for name in names(&folder.join(&place)) {
            let path = if place.is_empty() { name } else { format!("{place}/{name}") };
            if folder.join(&path).is_dir() {
                left.push(path);
            } else {
                zip.start_file(&path, zip::write::SimpleFileOptions::default()).unwrap();
                zip.write_all(&fs::read(folder.join(&path)).unwrap()).unwrap();
            }
        }
    }
    zip.finish().unwrap();
}
