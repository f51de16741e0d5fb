//! Answers to clients are never older than their requests, with or without the watch (the skills server specification).

use std::{
    fs,
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use files::digest;
use library::watch::Watch;
use machine::Machine;
use mcp::{Caller, serve_stream};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, split};
use tokio_util::sync::CancellationToken;

use super::{Engine, Mode};

/// A client of an engine of its own, in this process.
struct Client {
    library: PathBuf,
    engine: Engine,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    last: u64,
    _home: tempfile::TempDir,
}

impl Client {
    async fn start() -> Self {
        Self::of(async |machine, mode| Engine::start(machine, mode).await.unwrap()).await
    }

    /// A client of the engine that is started so.
    async fn of(start: impl AsyncFn(Machine, Mode) -> Engine) -> Self {
        let home = ::tests::watched_folder();
        let library = dunce::canonicalize(home.path()).unwrap().join("skills");
        write(&library, "tea", "Green.");
        write(&library, "milk", "White.");
        let mode = Mode::Plain { folders: vec![library.clone()] };
        let engine = start(Machine::at(home.path()).unwrap(), mode).await;
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = split(theirs);
        let caller = Caller::of("test");
        let (now, stop) = (SystemTime::now(), CancellationToken::new());
        tokio::spawn(serve_stream(Arc::new(engine.clone()), caller, now, read, write, stop));
        let (read, write) = split(ours);
        Self { library, engine, lines: BufReader::new(read).lines(), write, last: 0, _home: home }
    }

    /// Waits until everything is watched. An engine starts watching a moment after its start.
    async fn watched(self) -> Self {
        while !self.engine.watches_all() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self
    }

    /// Simulates a system where nothing can be watched.
    async fn unwatched(self) -> Self {
        let client = self.watched().await;
        let watch = client.engine.inner.watch().take();
        thread::spawn(move || watch.map(Watch::end)).join().unwrap();
        client
    }

    async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.last += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let request = json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        self.write.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        loop {
            let line = self.lines.next_line().await.unwrap().unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.last {
                return answer;
            }
        }
    }

    /// Each skill and its description, as listed by the tool and the extension.
    async fn listed(&mut self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let answer = self.ask("tools/call", json!({"name": "list_skills", "arguments": {}})).await;
        let rows = answer["result"]["structuredContent"]["skills"].as_array().unwrap().clone();
        let by_tool: Vec<_> = rows.iter().map(|row| (text(&row["id"]), text(&row["description"]))).collect();
        let answer = self.ask("skills/list", json!({})).await;
        let rows = answer["result"]["skills"].as_array().unwrap().clone();
        let described = |row: &Value| (text(&row["frontmatter"]["name"]), text(&row["frontmatter"]["description"]));
        assert_eq!(rows.iter().map(described).collect::<Vec<_>>(), by_tool);
        by_tool
    }

    /// The digest of each file of a skill, by its address.
    async fn digests(&mut self, id: &str) -> Vec<(String, String)> {
        let answer = self.ask("skills/get", json!({"uri": format!("skill://{id}/SKILL.md")})).await;
        let files = answer["result"]["skill"]["resources"].as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        files.iter().map(|file| (text(&file["uri"]), text(&file["digest"]))).collect()
    }

    /// The description of a skill, as returned by the tool and the resource; `None` when neither knows the skill.
    async fn read(&mut self, id: &str) -> Option<String> {
        let answer = self.ask("tools/call", json!({"name": "get_skill", "arguments": {"id": id}})).await;
        let by_tool = answer["result"]["structuredContent"]["description"].as_str().map(str::to_owned);
        let answer = self.ask("resources/read", json!({"uri": format!("skill://{id}/SKILL.md")})).await;
        let text = answer["result"]["contents"][0]["text"].as_str();
        let by_resource = text.map(|text| skills::read(id, text.as_bytes()).description);
        assert_eq!(by_tool, by_resource);
        by_tool
    }
}

fn write(library: &std::path::Path, id: &str, description: &str) {
    fs::create_dir_all(library.join(id)).unwrap();
    fs::write(library.join(id).join("SKILL.md"), format!("---\nname: {id}\ndescription: {description}\n---\n"))
        .unwrap();
}

fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(id, description)| ((*id).to_owned(), (*description).to_owned())).collect()
}

/// An edit, a new skill and a removed one appear in the very next answer.
async fn is_never_stale(mut client: Client) {
    let library = client.library.clone();
    assert_eq!(client.listed().await, rows(&[("milk", "White."), ("tea", "Green.")]));

    write(&library, "tea", "Black.");
    assert_eq!(client.listed().await, rows(&[("milk", "White."), ("tea", "Black.")]));
    write(&library, "tea", "White.");
    assert_eq!(client.read("tea").await.as_deref(), Some("White."));

    write(&library, "coffee", "Strong.");
    assert_eq!(client.read("coffee").await.as_deref(), Some("Strong."));
    write(&library, "cocoa", "Sweet.");
    assert_eq!(
        client.listed().await,
        rows(&[("cocoa", "Sweet."), ("coffee", "Strong."), ("milk", "White."), ("tea", "White.")])
    );

    let notes = library.join("tea/notes.md");
    let mut seen = vec![client.digests("tea").await];
    for text in ["old", "new"] {
        // The size is the same; only the bytes differ.
        fs::write(&notes, text).unwrap();
        seen.push(client.digests("tea").await);
        assert_eq!(seen.last().unwrap()[1].1, format!("sha256:{}", digest(text.as_bytes())));
    }
    fs::remove_file(&notes).unwrap();
    assert_eq!(client.digests("tea").await, seen[0]);

    fs::remove_dir_all(library.join("milk")).unwrap();
    assert_eq!(client.read("milk").await, None);
    fs::remove_dir_all(library.join("cocoa")).unwrap();
    assert_eq!(client.listed().await, rows(&[("coffee", "Strong."), ("tea", "White.")]));
}

/// wire contract 24
#[tokio::test(flavor = "multi_thread")]
async fn without_a_watch_each_answer_is_fresh() {
    is_never_stale(Client::start().await.unwatched().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_watch_each_answer_is_fresh() {
    is_never_stale(Client::start().await.watched().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn right_after_the_start_each_answer_is_fresh() {
    is_never_stale(Client::start().await).await;
}

/// A list reads nothing while surely nothing changed since the start, and everything once something may have.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_fence_around_the_first_reading_stands_until_something_changes() {
    // It watches nothing, so that nothing takes the place of the fence meanwhile.
    let mut client = Client::of(async |machine, mode| {
        let beginning = Engine::begin(machine, mode).unwrap();
        let engine = beginning.engine().clone();
        engine.read_fenced().await;
        engine
    })
    .await;
    let fenced = |client: &Client| client.engine.inner.fence.load().is_some();
    assert!(fenced(&client));
    let first = *client.engine.inner.swept();
    client.listed().await;
    assert_eq!(*client.engine.inner.swept(), first);
    write(&client.library, "coffee", "Strong.");
    assert_eq!(client.listed().await.len(), 3);
    assert!(!fenced(&client));
    write(&client.library, "cocoa", "Sweet.");
    assert_eq!(client.listed().await.len(), 4);
}
