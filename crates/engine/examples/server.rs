//! An MCP server over stdio for tests and for the benchmark of the gateway: it answers at once, or misbehaves in the way
//! that its first argument names.
//!
//! `server good FILE`: one tool `echo`, described by what FILE holds; when FILE changes it says so. It does not start where
//! FILE says `crash`.
//! `server crash`: ends at once. `server silent`: never answers. `server flood`: writes without a line end.
//! `server stubborn`: as `good`, and does not end when it is asked to.
//! `server slow FILE`: as `good`, never answers a call of `environment`, and ends a second after its input.
//! `server mute FILE`: makes the handshake and never lists its tools. Both say in their log what they do not answer.
//! `server rich FILE`: as `good`, and has a prompt `brew` that FILE describes, a resource for each line of FILE.leaves, a
//! template for more, and a tool `ask` that asks the person a question. When FILE.leaf changes it says so of all that is
//! subscribed to.

#![expect(clippy::print_stderr, reason = "a server writes its log there")]

use std::{
    env, fs,
    io::{self, BufRead as _, Write as _},
    sync::{Mutex, PoisonError},
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
    let rich = mode == "rich";
    let lists = if rich { &["tools", "prompts"][..] } else { &["tools"] };
    if !file.is_empty() {
        watch(file.clone(), lists);
    }
    if rich {
        watch(leaves(&file), &["resources"]);
        watch(format!("{file}.leaf"), &[]);
    }
    eprintln!("listening on stdio");
    // The call that waits for what a person says.
    let mut asked = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if rich {
            match question(&line, &mut asked) {
                Some(said) => {
                    say(&said)?;
                    continue;
                }
                None => {
                    if let Some(reply) = answer_more(&line, &file) {
                        say(&reply)?;
                        continue;
                    }
                }
            }
        }
        let is_unheard = match mode.as_str() {
            "slow" => line.contains("\"environment\""),
            "mute" => line.contains("tools/list"),
            _ => false,
        };
        if is_unheard {
            eprintln!("says nothing to {}", if mode == "slow" { "environment" } else { "tools/list" });
        } else if let Some(reply) = answer(&line, &file) {
            say(&reply)?;
        }
    }
    if mode == "slow" {
        eprintln!("hears nothing more");
        thread::sleep(Duration::from_secs(1));
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

fn leaves(file: &str) -> String {
    format!("{file}.leaves")
}

/// Asks a person when it is called, and answers that call with what it hears.
fn question(line: &str, asked: &mut Option<String>) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["method"] == "tools/call" && message["params"]["name"] == "ask" {
        *asked = Some(message["id"].to_string());
        let schema = json!({"type": "object", "properties": {"cups": {"type": "integer"}}});
        let params = json!({"message": "How many cups?", "requestedSchema": schema});
        let question = json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params});
        return Some(question.to_string());
    }
    if message["id"] == "q" && message.get("method").is_none() {
        let said = if message["error"].is_null() { &message["result"] } else { &message["error"] };
        let text = Value::String(said.to_string());
        let content = format!(r#"{{"content":[{{"type":"text","text":{text}}}]}}"#);
        return Some(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{content}}}"#, asked.take()?));
    }
    None
}

/// What only a rich server has an answer to.
fn answer_more(line: &str, file: &str) -> Option<String> {
    let message: Value = serde_json::from_str(line).ok()?;
    let params = &message["params"];
    let result = match message["method"].as_str()? {
        "initialize" => json!({"protocolVersion": "2025-11-25", "serverInfo": {"name": "teapot", "version": "2"},
            "capabilities": {"tools": {"listChanged": true}, "prompts": {}, "resources": {"subscribe": true}}}),
        "tools/list" => json!({"tools": [
            {"name": "echo", "description": "Says what it is told", "inputSchema": {"type": "object"}},
            {"name": "ask", "description": "Asks", "inputSchema": {"type": "object"}},
        ]}),
        "prompts/list" => {
            let description = fs::read_to_string(file).unwrap_or_default();
            json!({"prompts": [{"name": "brew", "description": description, "arguments": [{"name": "cups"}]}]})
        }
        "prompts/get" => {
            let text = format!("Brew {} cups.", params["arguments"]["cups"].as_str().unwrap_or("some"));
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": text}}]})
        }
        "resources/list" => {
            let leaves = fs::read_to_string(leaves(file)).unwrap_or_default();
            json!({"resources": leaves.lines().map(|uri| json!({"uri": uri, "name": uri})).collect::<Vec<_>>()})
        }
        "resources/templates/list" => json!({"resourceTemplates": [{"uriTemplate": "leaf://{name}", "name": "leaf"}]}),
        "resources/read" => json!({"contents": [{"uri": params["uri"], "text": "A leaf"}]}),
        method @ ("resources/subscribe" | "resources/unsubscribe") => {
            let uri = params["uri"].as_str()?.to_owned();
            let mut subscribed = SUBSCRIBED.lock().unwrap_or_else(PoisonError::into_inner);
            subscribed.retain(|other| *other != uri);
            if method == "resources/subscribe" {
                subscribed.push(uri);
            }
            json!({})
        }
        _ => return None,
    };
    let id = message.get("id")?;
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
}

/// What is subscribed to.
static SUBSCRIBED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says which lists changed whenever what a file holds does; without a list, that what is subscribed to did.
fn watch(file: String, lists: &'static [&'static str]) {
    // As it is before anybody has heard of us: whoever has may change it at once.
    let mut before = fs::read_to_string(&file).unwrap_or_default();
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(50));
            let now = fs::read_to_string(&file).unwrap_or_default();
            if now != before && tell_of_change(lists).is_err() {
                return;
            }
            before = now;
        }
    });
}

fn tell_of_change(lists: &[&str]) -> io::Result<()> {
    if lists.is_empty() {
        for uri in SUBSCRIBED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let method = "notifications/resources/updated";
            say(&json!({"jsonrpc": "2.0", "method": method, "params": {"uri": uri}}).to_string())?;
        }
    }
    for list in lists {
        say(&json!({"jsonrpc": "2.0", "method": format!("notifications/{list}/list_changed")}).to_string())?;
    }
    Ok(())
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
