//! An MCP server over stdio for tests and for the benchmark of the gateway: it answers at once, or misbehaves in the way
//! that its first argument names.
//!
//! `server good FILE`: one tool `echo`, described by what FILE holds; when FILE changes it says so. It does not start where
//! FILE says `crash`.
//! `server crash`: ends at once. `server silent`: never answers. `server flood`: writes without a line end.
//! `server stubborn`: as `good`, and does not end when it is asked to.

#![expect(clippy::print_stderr, reason = "a server writes its log there")]

use std::{
    env, fs,
    io::{self, BufRead as _, Write as _},
    thread,
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow)]
    id: Option<&'m RawValue>,
    method: Option<&'m str>,
    #[serde(borrow)]
    params: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct Call<'c> {
    name: &'c str,
    #[serde(borrow)]
    arguments: Option<&'c RawValue>,
}

fn main() -> io::Result<()> {
    let mut words = env::args().skip(1);
    let (mode, file) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    match mode.as_str() {
        "crash" => {
            eprintln!("cannot find the teapot");
            std::process::exit(3);
        }
        "silent" => loop {
            thread::sleep(Duration::from_secs(3600));
        },
        "flood" => loop {
            io::stdout().write_all(&[b'x'; 1 << 16])?;
        },
        "stubborn" => drop(thread::spawn(stay)),
        _ => {}
    }
    if fs::read_to_string(&file).is_ok_and(|text| text == "crash") {
        eprintln!("cannot find the teapot");
        std::process::exit(3);
    }
    if !file.is_empty() {
        let watched = file.clone();
        thread::spawn(move || watch(&watched));
    }
    eprintln!("listening on stdio");
    for line in io::stdin().lock().lines() {
        if let Some(reply) = answer(&line?, &file) {
            say(&reply)?;
        }
    }
    Ok(())
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

fn answer(line: &str, file: &str) -> Option<String> {
    let message: Message<'_> = serde_json::from_str(line).ok()?;
    let (id, method) = (message.id?, message.method?);
    let result = match method {
        "initialize" => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "teapot", "version": "1.2.3"}})
        .to_string(),
        "tools/list" => {
            let description = fs::read_to_string(file).unwrap_or_default();
            json!({"tools": [
                {"name": "echo", "description": description, "inputSchema": {"type": "object"}},
                {"name": "environment", "description": "Names and lengths", "inputSchema": {"type": "object"}},
            ]})
            .to_string()
        }
        "tools/call" => {
            let call: Call<'_> = serde_json::from_str(message.params?.get()).ok()?;
            let text = match call.name {
                "environment" => {
                    let mut all: Vec<_> = env::vars().map(|(name, value)| format!("{name}={}", value.len())).collect();
                    all.sort();
                    all.join(" ")
                }
                _ => call.arguments.map_or("{}", RawValue::get).to_owned(),
            };
            format!(r#"{{"content":[{{"type":"text","text":{}}}]}}"#, Value::String(text))
        }
        "ping" => "{}".to_owned(),
        _ => return Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#)),
    };
    Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
}

/// Says whenever its description changes.
fn watch(file: &str) {
    let mut before = fs::read_to_string(file).unwrap_or_default();
    loop {
        thread::sleep(Duration::from_millis(50));
        let now = fs::read_to_string(file).unwrap_or_default();
        if now != before && say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).is_err() {
            return;
        }
        before = now;
    }
}

/// Hears that it should end, and goes on.
fn stay() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        #[cfg(unix)]
        if let Ok(mut asked) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            while asked.recv().await.is_some() {}
        }
    });
}
