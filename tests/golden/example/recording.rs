//! What the engine shows and answers, as small machines: each skill, server, client and folder has its states, and a call
//! has an answer for the state that it met, or changes some of the states.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc, time::Duration};

use api::{ActionError, Client, ServerPage, SkillRow, Snapshot};
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
    /// By command and arguments: what it answers. Arguments that do not matter are left out at the end.
    calls: BTreeMap<String, BTreeMap<String, Vec<Value>>>,
    /// By command: how a call is refused that is out of date or names nothing.
    refusals: BTreeMap<String, Value>,
    /// What belongs to no single thing.
    rest: Map<String, Value>,
    /// Whether clients are looked at.
    sees_clients: bool,
}

impl Recording {
    pub(super) async fn of(engine: Engine, home: &Home) -> Self {
        let steady = Steady::new(home.machine.home.to_str().unwrap());
        let mut recording = Self {
            engine,
            steady,
            states: BTreeMap::new(),
            now: BTreeMap::new(),
            rows: BTreeMap::new(),
            calls: BTreeMap::new(),
            refusals: BTreeMap::new(),
            rest: Map::new(),
            sees_clients: true,
        };
        recording.look("").await;
        let Snapshot { version, settings, .. } = recording.engine.snapshot().as_ref().clone();
        recording.rest("snapshot", &json!({"version": version, "settings": settings}));
        recording
    }

    pub(super) async fn stop(&self) {
        self.engine.stop().await;
    }

    /// Goes on with another engine of the same home folder.
    pub(super) fn go_on_with(&mut self, engine: Engine, sees_clients: bool) {
        (self.engine, self.sees_clients) = (engine, sees_clients);
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
        let about = self.steady.text(about);
        let at = self.now.get(&about).copied();
        self.add(&about, at, command, arguments, told);
    }

    /// Records how a command refuses a call that is out of date or names nothing.
    pub(super) fn refusal<T>(&mut self, command: &str, arguments: &Value, answer: Result<T, ActionError>) {
        let Err(error) = answer else { panic!("{command} was not refused") };
        let refusal = self.steady.value(json!({"arguments": arguments, "error": error}));
        self.refusals.insert(command.to_owned(), refusal);
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
        self.add(about, at, command, arguments, told);
    }

    fn add(&mut self, about: &str, at: Option<usize>, command: &str, arguments: Value, mut told: Value) {
        if let Some(at) = at {
            told["about"] = json!(about);
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
        assert!(timeout(PATIENCE, waiting).await.is_ok(), "it never came: {:#?}", self.engine.snapshot());
    }

    /// Waits for what a server writes and offers, which the snapshot does not show.
    pub(super) async fn until_page(&self, server: &str, holds: impl Fn(&ServerPage) -> bool) {
        let waiting = async {
            while !holds(&actions::read_server(&self.engine, server).await.unwrap()) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        assert!(
            timeout(PATIENCE, waiting).await.is_ok(),
            "it never came: {:#?}",
            actions::read_server(&self.engine, server).await
        );
    }

    /// Records the present states; those that changed are found under this name.
    pub(super) async fn keep(&mut self, name: &str) {
        let changed = self.look("").await;
        if !name.is_empty() {
            self.rest(name, &changed);
        }
    }

    /// Records which states these things have now, under this name.
    pub(super) async fn stand(&mut self, name: &str, things: &[String]) {
        self.look("").await;
        let things: Vec<_> = things.iter().map(|thing| self.steady.text(thing)).collect();
        let now: BTreeMap<_, _> = things.iter().map(|thing| (thing, self.now[thing])).collect();
        self.rest.insert(name.to_owned(), json!(now));
    }

    /// Reads everything again, and says which things have another state now.
    async fn look(&mut self, about: &str) -> BTreeMap<String, usize> {
        let is_first = self.now.is_empty();
        let seen = self.everything(about).await;
        let seen: Vec<_> = seen.into_iter().map(|(name, state)| (self.steady.text(&name), state)).collect();
        let is_seen =
            |name: &&String| self.sees_clients || !name.starts_with("client ") && !name.starts_with("target ");
        let gone = self.now.keys().filter(is_seen).filter(|name| seen.iter().all(|(there, _)| there != *name));
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
            let mut shown = json!(row);
            // What was written during the start may be counted or not.
            shown["lines"] = page.log.len().into();
            all.insert(format!("server {}", row.name), json!({ "row": shown, "page": page, "consent": consent }));
        }
        for client in snapshot.clients.iter().filter(|_| self.sees_clients) {
            let mut row = json!(client);
            // The page counts them itself.
            for count in ["skills", "tools", "toolTokens"] {
                row[count] = 0.into();
            }
            all.insert(format!("client {}", client.id), row);
        }
        for folder in &snapshot.folders {
            let mut row = json!(folder);
            // The page counts them itself.
            row["skills"] = 0.into();
            all.insert(format!("folder {}", folder.id), row);
        }
        let mut endpoint = json!(snapshot.endpoint);
        // The page counts these too.
        endpoint["connected"] = 0.into();
        endpoint["served"] = 0.into();
        all.insert("endpoint here".to_owned(), endpoint);
        for source in &snapshot.sources {
            let mut row = json!(source);
            // The page finds them by their origin.
            row["skills"] = json!([]);
            row["outdated"] = json!([]);
            all.insert(format!("source {}", source.id), row);
        }
        for trashed in &snapshot.trash {
            all.insert(format!("trash {}", trashed.id), json!(trashed));
        }
        for folder in actions::client_folders(engine).await.unwrap().into_iter().filter(|_| self.sees_clients) {
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
        let _ = write!(text, ",\n\"calls\": {}", object(calls));
        let refusals = self.refusals.iter().map(|(command, refusal)| (command.clone(), refusal.to_string()));
        let _ = write!(text, ",\n\"refusals\": {}\n}}\n", object(refusals));
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
