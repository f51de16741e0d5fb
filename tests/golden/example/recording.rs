//! What the engine shows and answers, as small machines: each skill, server, client and folder of a client has its
//! states, and a call has an answer for the state that it met, or changes some of the states.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc, time::Duration};

use api::{ActionError, Client, SkillRow, Snapshot};
use engine::{Engine, actions};
use serde::Serialize;
use serde_json::{Map, Value, json};
use skills::Severity;
use tokio::time::timeout;

use super::{home::Home, steady::Steady};

/// A test that waits longer than this has failed; a loaded machine is slow.
const PATIENCE: Duration = Duration::from_secs(15);

pub(super) struct Recording {
    pub(super) engine: Engine,
    steady: Steady,
    /// The states of each thing, the first one at the start.
    states: BTreeMap<String, Vec<Value>>,
    /// The number of the present state of each thing.
    now: BTreeMap<String, usize>,
    /// The pages of the skills, by their rows: reading them all each time takes long.
    rows: BTreeMap<String, (SkillRow, Value)>,
    /// By command and arguments: what it answers.
    calls: BTreeMap<String, BTreeMap<String, Vec<Value>>>,
    /// What belongs to no single thing.
    rest: Map<String, Value>,
}

impl Recording {
    pub(super) async fn of(engine: Engine, home: &Home) -> Self {
        let steady = Steady::new(home.machine.home.to_str().unwrap());
        let (states, now, calls) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut recording = Self { engine, steady, states, now, rows: BTreeMap::new(), calls, rest: Map::new() };
        recording.look("").await;
        let Snapshot { version, folders, endpoint, settings, keychain, .. } =
            recording.engine.snapshot().as_ref().clone();
        recording.rest("snapshot", &json!({
            "version": version, "folders": folders, "endpoint": endpoint, "settings": settings, "keychain": keychain,
        }));
        recording
    }

    pub(super) fn rest(&mut self, name: &str, value: &impl Serialize) {
        let value = self.steady.value(json!(value));
        self.rest.insert(name.to_owned(), value);
    }

    /// Records the answer of a command about a thing.
    pub(super) fn answer<T: Serialize>(
        &mut self,
        about: &str,
        command: &str,
        arguments: Value,
        answer: &Result<T, ActionError>,
    ) {
        let told = match answer {
            Ok(answer) => json!({ "ok": answer }),
            Err(error) => json!({ "error": error }),
        };
        self.add(about, command, arguments, told);
    }

    /// Records what a command changed.
    pub(super) async fn change<T: Serialize>(
        &mut self,
        about: &str,
        command: &str,
        arguments: Value,
        answer: &Result<T, ActionError>,
    ) {
        let about = &self.steady.text(about);
        let at = self.now.get(about).copied();
        let changed = self.look(about).await;
        let told = match answer {
            Ok(answer) => json!({ "ok": answer, "to": changed }),
            Err(error) => json!({ "error": error }),
        };
        self.add_at(at, command, arguments, told);
    }

    fn add(&mut self, about: &str, command: &str, arguments: Value, told: Value) {
        let at = self.now.get(&self.steady.text(about)).copied();
        self.add_at(at, command, arguments, told);
    }

    fn add_at(&mut self, at: Option<usize>, command: &str, arguments: Value, mut told: Value) {
        if let Some(at) = at.filter(|at| *at > 0) {
            told["at"] = json!(at);
        }
        let (told, arguments) = (self.steady.value(told), self.steady.value(arguments));
        let calls = self.calls.entry(command.to_owned()).or_default();
        let answers = calls.entry(sorted(arguments).to_string()).or_default();
        if answers.iter().all(|known| *known != told) {
            answers.push(told);
        }
    }

    /// The client of this id, as it is now.
    pub(super) fn client(&self, id: &str) -> Client {
        self.engine.snapshot().clients.iter().find(|client| client.id == id).unwrap().clone()
    }

    /// Waits for what somebody else does.
    pub(super) async fn until(&self, holds: impl Fn(&Snapshot) -> bool) {
        let mut snapshots = self.engine.snapshots();
        let waiting = snapshots.wait_for(|snapshot| holds(snapshot));
        assert!(timeout(PATIENCE, waiting).await.is_ok(), "it never came: {:#?}", self.engine.snapshot().clients);
    }

    /// Records the present states; those that changed are found under this name.
    pub(super) async fn keep(&mut self, name: &str) {
        let changed = self.look("").await;
        if !name.is_empty() {
            self.rest(name, &changed);
        }
    }

    /// Reads everything again, and says which things have another state now.
    async fn look(&mut self, about: &str) -> BTreeMap<String, usize> {
        let is_first = self.now.is_empty();
        let seen = self.everything(about).await;
        let seen: Vec<_> = seen.into_iter().map(|(name, state)| (self.steady.text(&name), state)).collect();
        let gone = self.now.keys().filter(|name| seen.iter().all(|(there, _)| there != *name));
        let gone: Vec<_> = gone.map(|name| (name.clone(), Value::Null)).collect();
        let mut changed = BTreeMap::new();
        for (name, state) in seen.into_iter().chain(gone) {
            let state = self.steady.value(state);
            // What comes later was not there at the start.
            let first = if is_first { Vec::new() } else { vec![Value::Null] };
            let states = self.states.entry(name.clone()).or_insert(first);
            let at = states.iter().position(|known| *known == state).unwrap_or(states.len());
            if at == states.len() {
                states.push(state);
            }
            if self.now.insert(name.clone(), at) != Some(at) {
                changed.insert(name, at);
            }
        }
        changed
    }

    /// The snapshot once the problems of the last change have been counted, and the servers that it needs are known.
    async fn settled(&mut self) -> Arc<Snapshot> {
        let mut snapshots = self.engine.snapshots();
        loop {
            actions::list_servers(&self.engine).await;
            let snapshot = snapshots.borrow_and_update().clone();
            let mut is_counted = true;
            for row in &snapshot.skills {
                if self.rows.get(&row.key).is_some_and(|(known, _)| known == row) {
                    continue;
                }
                let page = actions::read_skill(&self.engine, &row.key).await.unwrap();
                let count = |of| page.problems.iter().filter(|problem| problem.severity == of).count();
                let counted = [Severity::Error, Severity::Warning, Severity::Advice].map(count);
                let shown = [row.problems.error, row.problems.warning, row.problems.advice];
                is_counted &= counted == shown.map(|count| count as usize);
            }
            if is_counted {
                return snapshot;
            }
            let next = timeout(PATIENCE, snapshots.changed()).await;
            assert!(next.is_ok(), "the problems were never counted");
        }
    }

    async fn everything(&mut self, about: &str) -> BTreeMap<String, Value> {
        let engine = &self.engine.clone();
        let snapshot = self.settled().await;
        let mut all = BTreeMap::new();
        for row in &snapshot.skills {
            let name = format!("skill {}", row.key);
            let known = self.rows.get(&row.key).filter(|(known, _)| known == row && name != about);
            let page = match known {
                Some((_, page)) => page.clone(),
                None => json!(actions::read_skill(engine, &row.key).await.unwrap()),
            };
            self.rows.insert(row.key.clone(), (row.clone(), page.clone()));
            all.insert(name, json!({ "row": row, "page": page }));
        }
        for row in &snapshot.servers {
            let page = actions::read_server(engine, &row.name).await.unwrap();
            let consent = match actions::plan_server(engine, &row.name).await {
                Ok(consent) => json!({ "ok": consent }),
                Err(error) => json!({ "error": error }),
            };
            all.insert(format!("server {}", row.name), json!({ "row": row, "page": page, "consent": consent }));
        }
        for client in &snapshot.clients {
            let mut row = json!(client);
            // The page counts them itself.
            for count in ["skills", "tools", "toolTokens"] {
                row[count] = 0.into();
            }
            all.insert(format!("client {}", client.id), row);
        }
        for folder in actions::skill_folders(engine).await.unwrap() {
            all.insert(format!("target {}", folder.path), json!(folder));
        }
        all
    }

    /// The text of the file: one line for each state and each call.
    pub(super) fn text(&self) -> String {
        let mut text =
            String::from("{\n\"about\": \"Recorded by tests/golden/example.rs. Do not edit: cargo xtask golden\"");
        for (name, value) in &self.rest {
            let _ = write!(text, ",\n{}: {value}", json!(name));
        }
        let states = self.states.iter().map(|(name, states)| (name.clone(), lines(states)));
        let _ = write!(text, ",\n\"states\": {}", object(states));
        let calls = self.calls.iter().map(|(command, calls)| {
            let calls = calls.iter().map(|(arguments, answers)| (arguments.clone(), json!(answers).to_string()));
            (command.clone(), object(calls))
        });
        let _ = write!(text, ",\n\"calls\": {}\n}}\n", object(calls));
        text
    }
}

fn lines(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(Value::to_string).collect();
    format!("[\n{}\n]", values.join(",\n"))
}

fn object(fields: impl Iterator<Item = (String, String)>) -> String {
    let fields: Vec<_> = fields.map(|(name, value)| format!("{}: {value}", json!(name))).collect();
    format!("{{\n{}\n}}", fields.join(",\n"))
}

/// The same arguments with their fields in order, no matter who wrote them.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(all) => Value::Array(all.into_iter().map(sorted).collect()),
        Value::Object(all) => {
            let fields: BTreeMap<_, _> = all.into_iter().map(|(key, one)| (key, sorted(one))).collect();
            Value::Object(fields.into_iter().collect())
        }
        other => other,
    }
}
