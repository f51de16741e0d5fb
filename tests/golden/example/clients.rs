//! What is asked of clients: our entry is added to their files in each way, undone, made again, taken out, lost and
//! edited by others. Afterwards each file is as it was.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use api::{ClientChange, CustomClient, DriftChoice, PlaceWay, Standing};
use engine::{Engine, actions};
use mcp::{CallTrouble, Caller, ClientEvent, Host as _, Peer, Surface, Transport};
use serde_json::{Value, json};

use super::{home::Home, recording::Recording};

const DESKTOP: &str = "claude-desktop";
/// The clients whose files are changed in every way.
const CHANGED: &[&str] = &[DESKTOP, "cursor", "codex", "vscode", "windsurf"];

fn connect(transport: &str, project: &Value) -> Value {
    let transport = if transport.is_empty() { Value::Null } else { json!(transport) };
    json!({"change": "connect", "transport": transport, "project": project, "again": false})
}

pub(super) async fn record(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    recording.refusal(
        "planClient",
        &json!(["gone"]),
        actions::plan_client(&engine, "gone", change_of(&connect("", &Value::Null))).await,
    );
    recording.answer("", "configuredServers", json!([]), &actions::configured_servers(&engine).await);
    let mut checkup = actions::doctor(&engine).await.unwrap();
    // Whether Skilltender is installed, and who may read a new file, differs from computer to computer.
    let program = engine.machine().program.to_str();
    checkup.checks.retain(|check| check.place.as_deref() != program && check.id != "private-files");
    recording.answer("", "doctor", json!([]), &Ok(checkup));
    for client in engine.snapshot().clients.iter().filter(|client| client.found) {
        let id = &client.id;
        let sees = actions::client_sees(&engine, id, actions::SeenFrom::Anywhere).await;
        recording.answer(&format!("client {id}"), "clientSees", json!([id, null]), &sees);
        if client.standing == Standing::Added {
            plan(recording, id, &json!({"change": "undo"})).await;
            plan(recording, id, &json!({"change": "disconnect", "project": null})).await;
            plan(recording, id, &json!({"change": "update", "transport": "http", "project": null})).await;
        } else {
            plan(recording, id, &connect("", &Value::Null)).await;
        }
        plan(recording, id, &json!({"change": "update", "transport": null, "project": null})).await;
    }
    for id in CHANGED {
        in_every_way(recording, home, id).await;
    }
    rescued(recording).await;
    lost(recording, home).await;
    edited(recording, home).await;
    refused(recording, home).await;
    custom(recording, home).await;
    folders(recording, home).await;
    hidden(recording, home).await;
    // An entry with an address makes the client's token.
    for client in engine.snapshot().clients.iter().filter(|client| client.found) {
        for transport in [None, Some(api::Transport::Stdio), Some(api::Transport::Http)] {
            let entry = actions::entry_text(&engine, &client.id, transport).await;
            recording.answer("", "entryText", json!([client.id, transport]), &entry);
        }
    }
}

fn change_of(change: &Value) -> ClientChange {
    serde_json::from_value(change.clone()).unwrap()
}

async fn plan(recording: &mut Recording, client: &str, change: &Value) -> Option<String> {
    let plan = actions::plan_client(&recording.engine, client, change_of(change)).await;
    recording.answer(&format!("client {client}"), "planClient", json!([client, change]), &plan);
    plan.ok().map(|plan| plan.id)
}

/// Plans a change and makes it.
async fn make(recording: &mut Recording, client: &str, change: &Value) {
    let Some(id) = plan(recording, client, change).await else { return };
    let done = actions::change_client(&recording.engine, client, change_of(change), &id).await;
    recording.change(&format!("client {client}"), "changeClient", json!([client, change, id]), &done).await;
}

async fn in_every_way(recording: &mut Recording, home: &Home, client: &str) {
    let row = recording.client(client);
    let user = Value::Null;
    let disconnect = json!({"change": "disconnect", "project": null});
    let (undo, redo) = (json!({"change": "undo"}), json!({"change": "redo"}));
    let update = |transport| json!({"change": "update", "transport": transport, "project": null});
    let stale = actions::change_client(&recording.engine, client, change_of(&connect("", &user)), "another plan").await;
    recording.refusal("changeClient", &json!([]), stale);
    if row.standing == Standing::Added {
        let token = actions::replace_token(&recording.engine, client).await.map(drop);
        recording.change(&format!("client {client}"), "replaceToken", json!([client]), &token).await;
        plan(recording, client, &json!({"change": "update", "transport": null, "project": null})).await;
        plan(recording, client, &update("stdio")).await;
        plan(recording, client, &update("http")).await;
        make(recording, client, &undo).await;
    }
    make(recording, client, &connect("", &user)).await;
    plan(recording, client, &disconnect).await;
    make(recording, client, &undo).await;
    make(recording, client, &redo).await;
    if row.transports.len() > 1 {
        make(recording, client, &update("http")).await;
        let token = actions::replace_token(&recording.engine, client).await.map(drop);
        recording.change(&format!("client {client}"), "replaceToken", json!([client]), &token).await;
        make(recording, client, &update("stdio")).await;
    }
    make(recording, client, &disconnect).await;
    if row.transports.len() > 1 {
        make(recording, client, &connect("stdio", &user)).await;
        make(recording, client, &disconnect).await;
        make(recording, client, &connect("http", &user)).await;
        make(recording, client, &disconnect).await;
    }
    if row.takes_projects {
        let project = json!(home.path("more-skills"));
        make(recording, client, &connect("", &project)).await;
        make(recording, client, &json!({"change": "disconnect", "project": project})).await;
    }
}

/// The skills outside a set are switched off in the settings of clients, and on again.
async fn hidden(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let of_the_set = ["release-notes", "weekly-plan", "accessibility-audit"];
    let keys: Vec<_> = engine.snapshot().skills.iter().map(|skill| skill.key.clone()).collect();
    let keys: Vec<_> = keys.into_iter().filter(|key| of_the_set.iter().any(|id| key.ends_with(id))).collect();
    let set = actions::make_set(&engine, "Writing", &keys).await.unwrap();
    for (client, project) in [("codex", Value::Null), ("claude-code", json!(home.path("more-skills")))] {
        make(recording, client, &json!({"change": "skills", "set": set, "project": project})).await;
        make(recording, client, &json!({"change": "undo"})).await;
    }
    actions::delete_set(&engine, &set).await.unwrap();
}

/// Secrets in plain text go to the keychain, and back.
async fn rescued(recording: &mut Recording) {
    make(recording, "claude-code", &json!({"change": "rescue", "file": null})).await;
    make(recording, "claude-code", &json!({"change": "undo"})).await;
}

/// A client that runs writes over our entry.
async fn lost(recording: &mut Recording, home: &Home) {
    let file = home.path(".config/Claude/claude_desktop_config.json");
    let before = fs::read(&file).unwrap();
    let stat = format!("812 (claude-desktop) S {}4711 1 2 3\n", "0 ".repeat(18));
    fs::create_dir_all(home.path("proc/812")).unwrap();
    fs::write(home.path("proc/812/stat"), stat).unwrap();
    let change = json!({"change": "connect", "transport": null, "project": null, "again": true});
    let plan = actions::plan_client(&recording.engine, DESKTOP, change_of(&change)).await;
    recording.rest("runningPlan", plan.as_ref().unwrap());
    let id = plan.unwrap().id;
    let done = actions::change_client(&recording.engine, DESKTOP, change_of(&change), &id).await;
    recording.change("client claude-desktop", "changeClient", json!([DESKTOP, change, id]), &done).await;
    fs::write(&file, before).unwrap();
    recording
        .until(|snapshot| standing(snapshot, DESKTOP, |standing| matches!(standing, Standing::Dropped { .. })))
        .await;
    recording.keep("lost").await;
    fs::remove_dir_all(home.path("proc/812")).unwrap();
    recording.until(|snapshot| standing(snapshot, DESKTOP, |standing| *standing == Standing::Added)).await;
    used(recording).await;
    make(recording, DESKTOP, &json!({"change": "disconnect", "project": null})).await;
}

/// A client connects and calls.
async fn used(recording: &mut Recording) {
    connects(&recording.engine, DESKTOP);
    for (ok, target) in [(true, "list_skills"), (false, "get_skill pdf-from"), (true, "get_skill release-notes")] {
        calls(&recording.engine, DESKTOP, ok, target);
    }
    recording.until(|snapshot| snapshot.clients.iter().any(|client| client.id == DESKTOP && client.calls == 3)).await;
    recording.keep("used").await;
    recording.answer("", "readCalls", json!([]), &actions::read_calls(&recording.engine, 10).await);
    recording.engine.note(ClientEvent::Disconnected { caller: caller(DESKTOP) });
}

fn caller(client: &str) -> Caller {
    Caller::of(client)
}

pub(super) fn connects(engine: &Engine, client: &str) {
    let (name, version) = (Some(client.to_owned()), Some("1.4.2".to_owned()));
    let capabilities = vec!["roots".to_owned()];
    let peer = Peer { name, version, protocol: "2025-11-25".to_owned(), capabilities, transport: Transport::Stdio };
    engine.note(ClientEvent::Connected { caller: caller(client), peer, since: SystemTime::now() });
}

pub(super) fn calls(engine: &Engine, client: &str, ok: bool, target: &str) {
    engine.note(ClientEvent::Called {
        caller: caller(client),
        surface: Surface::Tools,
        method: "tools/call".to_owned(),
        target: target.to_owned(),
        skill: None,
        ok,
        why: (!ok).then_some(CallTrouble::NotThere),
        took: Duration::from_millis(3),
        bytes_in: 40,
        bytes_out: 2_310,
    });
}

/// Somebody changes our entry; ours is put back, or theirs is kept, or forgotten.
async fn edited(recording: &mut Recording, home: &Home) {
    let file = home.path(".config/Code/User/mcp.json");
    let before = fs::read(&file).unwrap();
    for choice in [None, Some(DriftChoice::Keep), Some(DriftChoice::Forget)] {
        super::home::change(&recording.engine, "vscode", &connect("", &Value::Null)).await;
        let written = fs::read_to_string(&file).unwrap();
        fs::write(&file, written.replace("\"mcp\"", "\"mcp\", \"--port\", \"8080\"")).unwrap();
        recording.until(|snapshot| standing(snapshot, "vscode", |standing| *standing == Standing::Edited)).await;
        recording.keep("edited").await;
        let drift = actions::read_drift(&recording.engine, "vscode", None).await;
        recording.answer("client vscode", "readDrift", json!(["vscode", null]), &drift);
        let Some(choice) = choice else {
            make(recording, "vscode", &json!({"change": "update", "transport": null, "project": null})).await;
            make(recording, "vscode", &json!({"change": "disconnect", "project": null})).await;
            continue;
        };
        let stale = actions::settle_drift(&recording.engine, "vscode", None, "another", choice).await;
        recording.refusal("settleDrift", &json!([]), stale);
        let id = drift.unwrap().id;
        let done = actions::settle_drift(&recording.engine, "vscode", None, &id, choice).await;
        recording.change("client vscode", "settleDrift", json!(["vscode", null, id, choice]), &done).await;
        make(recording, "vscode", &json!({"change": "disconnect", "project": null})).await;
    }
    fs::write(&file, before).unwrap();
    recording.until(|snapshot| standing(snapshot, "vscode", |standing| *standing == Standing::Absent)).await;
    recording.keep("").await;
}

/// A client's file has an error.
async fn refused(recording: &mut Recording, home: &Home) {
    let file = home.path(".config/Claude/claude_desktop_config.json");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.replace("]\n", "\n")).unwrap();
    recording
        .until(|snapshot| standing(snapshot, DESKTOP, |standing| matches!(standing, Standing::Refused { .. })))
        .await;
    recording.keep("refused").await;
    plan(recording, DESKTOP, &connect("", &Value::Null)).await;
    fs::write(&file, before).unwrap();
    recording
        .until(|snapshot| standing(snapshot, DESKTOP, |standing| !matches!(standing, Standing::Refused { .. })))
        .await;
}

fn standing(snapshot: &api::Snapshot, id: &str, holds: impl Fn(&Standing) -> bool) -> bool {
    snapshot.clients.iter().any(|client| client.id == id && holds(&client.standing))
}

async fn custom(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let path = home.path(".config/acme/mcp.json").to_str().unwrap().to_owned();
    fs::create_dir_all(home.path(".config/acme")).unwrap();
    fs::write(&path, "{}\n").unwrap();
    let client = CustomClient { name: "Acme Agent".to_owned(), path: path.clone(), like: DESKTOP.to_owned() };
    let id = actions::add_client(&engine, client).await;
    recording.change("", "addClient", json!(["Acme Agent", path, DESKTOP]), &id).await;
    let id = id.unwrap();
    plan(recording, &id, &connect("", &Value::Null)).await;
    let removed = actions::remove_client(&engine, &id).await;
    recording.change(&format!("client {id}"), "removeClient", json!([id]), &removed).await;
}

/// The folders that clients read themselves.
async fn folders(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let path = home.path(".agents/skills").to_str().unwrap().to_owned();
    let about = format!("target {path}");
    // A folder of this name is there that is not ours.
    fs::create_dir_all(home.path(".agents/skills/sql-review")).unwrap();
    let stale = actions::link_skills(&engine, &path, PlaceWay::Link, "another plan").await;
    recording.refusal("linkSkills", &json!([]), stale);
    for way in [PlaceWay::Link, PlaceWay::Copy] {
        for planned in [Some(PlaceWay::Link), Some(PlaceWay::Copy), None] {
            let plan = actions::plan_client_folder(&engine, &path, planned).await;
            recording.answer(&about, "planClientFolder", json!([path, planned]), &plan);
        }
        let plan = actions::plan_client_folder(&engine, &path, Some(way)).await.unwrap();
        let done = actions::link_skills(&engine, &path, way, &plan.id).await;
        recording.change(&about, "linkSkills", json!([path, way, plan.id]), &done).await;
        let plan = actions::plan_client_folder(&engine, &path, None).await;
        recording.answer(&about, "planClientFolder", json!([path, null]), &plan);
        let id = plan.unwrap().id;
        let done = actions::unlink_skills(&engine, &path, &id).await;
        recording.change(&about, "unlinkSkills", json!([path, id]), &done).await;
    }
}
