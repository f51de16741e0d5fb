//! Calls Skilltender as a client does: starts the program of the client's entry, greets it and asks for its tools.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// How long the whole call may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many tools the entry offers.
///
/// # Errors
/// Why it does not answer, as a part of a sentence.
pub(super) fn tools(words: &[String]) -> Result<usize, String> {
    let (program, args) = words.split_first().ok_or("it names no program")?;
    let mut command = engine::background(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{program} cannot be started: {error}"))?;
    let asked = ask(&mut child);
    // It ends with its input; one that does not is ended.
    drop(child.stdin.take());
    let until = Instant::now() + Duration::from_secs(5);
    while child.try_wait().is_ok_and(|ended| ended.is_none()) && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    drop(child.kill());
    drop(child.wait());
    asked
}

fn ask(child: &mut Child) -> Result<usize, String> {
    let output = child.stdout.take().ok_or("it has no output")?;
    let (says, heard) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if says.send(line).is_err() {
                return;
            }
        }
    });
    let until = Instant::now() + PATIENCE;
    let about = json!({"name": "skilltender-team", "version": env!("CARGO_PKG_VERSION")});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about});
    send(child, &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))?;
    answer(&heard, 1, until)?;
    send(child, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    send(child, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}))?;
    let listed = answer(&heard, 2, until)?;
    listed["tools"].as_array().map(Vec::len).ok_or_else(|| "it lists no tools".to_owned())
}

fn send(child: &mut Child, message: &Value) -> Result<(), String> {
    let input = child.stdin.as_mut().ok_or("it has no input")?;
    writeln!(input, "{message}").and_then(|()| input.flush()).map_err(|error| format!("it ended: {error}"))
}

fn answer(heard: &Receiver<String>, id: u64, until: Instant) -> Result<Value, String> {
    loop {
        let rest = until.saturating_duration_since(Instant::now());
        let line = heard.recv_timeout(rest).map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => format!("it did not answer within {} seconds", PATIENCE.as_secs()),
            mpsc::RecvTimeoutError::Disconnected => "it ended without an answer".to_owned(),
        })?;
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        if message["id"] == json!(id) {
            let error = message["error"]["message"].as_str().map(str::to_owned);
            return error.map_or_else(|| Ok(message["result"].clone()), |error| Err(format!("it says: {error}")));
        }
    }
}
