//! What the gateway adds to a call of a server's tool: the same server called directly over its own stdio, and through
//! the engine's socket as a client's bridge calls it, in turns. `cargo xtask bench` prints it with the rest.

#![expect(clippy::print_stdout, reason = "it prints a table")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on says where")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant, SystemTime},
};

use api::ServerState;
use engine::{Engine, Machine, Mode, actions};
use machine::socket;
use mcp::{Caller, Visitor, say_hello};
use serde_json::{Value, json};
use tests::goals::{Figure, Goal};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader, split},
    process::Command,
};

const ROUNDS: usize = 4;
const CALLS: usize = 2_000;
const AT_ONCE: usize = 32;

/// One connection to a server.
struct Client {
    read: Box<dyn AsyncBufRead + Unpin>,
    write: Box<dyn AsyncWrite + Unpin>,
    tool: &'static str,
    next: usize,
}

#[tokio::main]
async fn main() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path()).await;
    let mut child = Command::new(programs().join("server"));
    let child = child.arg("good").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.kill_on_drop(true).spawn().unwrap();
    let (read, write) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    let mut direct = Client::new(read, write, "echo").await;
    let stream = socket::connect(&engine.machine().data).await.unwrap();
    let (mut read, mut write) = split(stream);
    let caller = Caller::of("cursor");
    let visitor = Visitor::Client { caller, since: SystemTime::now() };
    say_hello(&mut read, &mut write, &visitor).await.unwrap();
    let mut through = Client::new(read, write, "teapot__echo").await;

    println!("\n### gateway\n");
    println!("| round | way | p50, ms | p99, ms | calls/s, {AT_ONCE} at once |");
    println!("| ---: | --- | ---: | ---: | ---: |");
    let (mut usual, mut rates) = ([Vec::new(), Vec::new()], Vec::new());
    for round in 1..=ROUNDS {
        for (way, client) in [("direct", &mut direct), ("gateway", &mut through)] {
            let (mut times, rate) = (client.one_by_one().await, client.at_once().await);
            times.sort_unstable();
            let at = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1e3;
            println!("| {round} | {way} | {:.3} | {:.3} | {rate:.0} |", at(50), at(99));
            usual[usize::from(way == "gateway")].push(at(50));
            rates.extend((way == "gateway").then_some(rate));
        }
    }
    let middle = |mut figures: Vec<f64>| {
        figures.sort_by(f64::total_cmp);
        figures[figures.len() / 2]
    };
    let [direct, through] = usual.map(middle);
    Figure::of("a tool's call, more than direct", through - direct, "ms", Goal::AtMost(0.3)).tell();
    Figure::of("tools' calls, 32 at a time", middle(rates), "a second", Goal::AtLeast(8_000.0)).tell();
    engine.stop().await;
}

impl Client {
    async fn new(
        read: impl tokio::io::AsyncRead + Unpin + 'static,
        write: impl AsyncWrite + Unpin + 'static,
        tool: &'static str,
    ) -> Self {
        let mut client = Self { read: Box::new(BufReader::new(read)), write: Box::new(write), tool, next: 0 };
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
        client.say(&json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello})).await;
        client.hear().await;
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn say(&mut self, message: &Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        self.write.flush().await.unwrap();
    }

    async fn hear(&mut self) -> String {
        let mut line = String::new();
        loop {
            self.read.read_line(&mut line).await.unwrap();
            if !line.contains("\"method\"") {
                return line;
            }
            line.clear();
        }
    }

    async fn call(&mut self) {
        self.next += 1;
        let (id, tool) = (self.next, self.tool);
        let params =
            format!(r#"{{"name":"{tool}","arguments":{{"text":"as much as a model usually says to a tool"}}}}"#);
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{params}}}\n");
        self.write.write_all(line.as_bytes()).await.unwrap();
    }

    async fn answer(&mut self) {
        let answer = self.hear().await;
        assert!(answer.contains("as much as a model"), "{answer}");
    }

    async fn one_by_one(&mut self) -> Vec<Duration> {
        let mut times = Vec::new();
        for _ in 0..CALLS {
            let start = Instant::now();
            self.call().await;
            self.answer().await;
            times.push(start.elapsed());
        }
        times
    }

    async fn at_once(&mut self) -> f64 {
        let start = Instant::now();
        for _ in 0..AT_ONCE {
            self.call().await;
        }
        for _ in AT_ONCE..CALLS * 4 {
            self.answer().await;
            self.call().await;
        }
        for _ in 0..AT_ONCE {
            self.answer().await;
        }
        (CALLS * 4) as f64 / start.elapsed().as_secs_f64()
    }
}

/// The examples of this crate, which `cargo xtask bench` has built.
fn programs() -> PathBuf {
    let bench = std::env::current_exe().unwrap();
    bench.parent().unwrap().parent().unwrap().join("examples")
}

/// An engine whose one skill needs the server, and whose person has agreed to it.
async fn start(home: &Path) -> Engine {
    let library = home.join("skills");
    fs::create_dir_all(library.join("tea")).unwrap();
    let text = "---\nname: tea\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: teapot\n    description: To brew\n    command: server\n    args: [\"good\"]\n---\nBoil water.\n";
    fs::write(library.join("tea/SKILL.md"), text).unwrap();
    let machine = Machine::at(home).unwrap();
    let folder = json!({"id": "f1", "path": library, "enable_new": true, "enable_first": true});
    fs::write(
        machine.data.join("choices.json"),
        json!({"version": 1, "last_folder": 1, "folders": [folder]}).to_string(),
    )
    .unwrap();
    fs::write(machine.data.join("login-path.json"), r#"{"version":1,"folders":[]}"#).unwrap();
    let machine = Machine { program: programs().join("child"), search: vec![programs()], ..machine };
    let engine = Engine::start(machine, Mode::Writing).await.unwrap();
    let consent = actions::plan_server(&engine, "teapot").await.unwrap();
    actions::approve_server(&engine, "teapot", &consent.digest, &[]).await.unwrap();
    let mut snapshots = engine.snapshots();
    let runs = |snapshot: &std::sync::Arc<api::Snapshot>| {
        snapshot.servers.first().is_some_and(|server| matches!(server.state, ServerState::Running { .. }))
    };
    drop(snapshots.wait_for(runs).await.unwrap());
    engine
}
