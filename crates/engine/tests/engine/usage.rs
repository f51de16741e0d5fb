//! What calls use: counted at the call, saved without holding anybody up, added up, exported, forgotten.

use std::{fs, path::Path, time::Duration};

use api::UsageVerdict;
use engine::{
    Engine, Machine, Mode, actions,
    orders::{self, Order},
};
use mcp::{Caller, ClientEvent, Host as _, Surface};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex, split};

use crate::{
    home::{ADD, Home, change_client, comes, until},
    servers,
};

/// A word that clients say in every place that is theirs.
const CANARY: &str = "canary4711";

fn called(engine: &Engine, client: &str, (method, target): (&str, &str), skill: Option<&str>, ok: bool) {
    engine.note(ClientEvent::Called {
        caller: Caller::of(client),
        surface: Surface::Tools,
        method: method.to_owned(),
        target: target.to_owned(),
        skill: skill.map(str::to_owned),
        ok,
        why: None,
        took: Duration::from_millis(1),
        bytes_in: 2,
        bytes_out: 10,
    });
}

fn gets(engine: &Engine, skill: &str) {
    called(engine, "codex", ("tools/call", "get_skill"), Some(skill), true);
}

/// The skills that were called, and how often.
async fn used(engine: &Engine) -> Vec<(String, u64)> {
    let report = actions::usage(engine, 30).await.unwrap();
    let used = report.skills.into_iter().filter(|skill| skill.calls > 0);
    used.map(|skill| (skill.id, skill.calls)).collect()
}

fn is(skills: &[(&str, u64)]) -> Vec<(String, u64)> {
    skills.iter().map(|(id, calls)| ((*id).to_owned(), *calls)).collect()
}

fn folder(machine: &Machine) -> std::path::PathBuf {
    machine.data.join("usage")
}

#[tokio::test]
async fn calls_are_known_at_once_and_after_a_restart_to_every_engine() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("milk", "White.");
    let engine = home.start_with_library().await;
    gets(&engine, "tea");
    gets(&engine, "tea");
    called(&engine, "cursor", ("prompts/get", "milk"), None, false);
    assert_eq!(used(&engine).await, is(&[("tea", 2), ("milk", 1)]), "before anything is saved");
    engine.stop().await;
    drop(engine);
    let reading = Engine::start_once(home.machine.clone(), Mode::Reading).await.unwrap();
    assert_eq!(used(&reading).await, is(&[("tea", 2), ("milk", 1)]));
    let engine = home.start().await;
    gets(&engine, "tea");
    assert_eq!(used(&engine).await, is(&[("tea", 3), ("milk", 1)]));
    let report = actions::usage(&engine, 1).await.unwrap();
    let milk = report.skills.iter().find(|skill| skill.id == "milk").unwrap();
    assert_eq!((milk.failed, milk.loaded, milk.used[0].client.as_str()), (1, 0, "cursor"));
    engine.stop().await;
}

#[tokio::test]
async fn counts_are_saved_some_seconds_after_the_first_without_being_asked() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    gets(&engine, "tea");
    let files = || fs::read_dir(folder(&home.machine)).into_iter().flatten().flatten();
    comes(async || files().any(|file| file.path().extension().is_some_and(|ending| ending == "json"))).await;
    engine.stop().await;
}

/// Everything below a folder that holds the word, but for the record of calls, which names what was asked for.
fn holding(folder: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, word));
        } else if String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).contains(word) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[tokio::test]
async fn no_text_of_a_call_is_in_any_file() {
    let home = servers::home();
    servers::skill(&home, "tea", "good", "");
    let engine = home.start_with_library().await;
    servers::approve(&engine).await;
    servers::running(&engine).await;
    let (mut ours, theirs) = duplex(1 << 16);
    let (read, write) = split(theirs);
    let bridge = tokio::spawn(engine::bridge::carry(home.machine.clone(), Some("codex"), None, read, write));
    greet(&mut ours).await;
    let arguments = json!({"cups": CANARY});
    let echoed = ask(&mut ours, "tools/call", json!({"name": "teapot__echo", "arguments": arguments})).await;
    assert!(echoed.to_string().contains(CANARY), "{echoed}");
    ask(&mut ours, "tools/call", json!({"name": "get_skill", "arguments": {"id": CANARY}})).await;
    ask(&mut ours, "tools/call", json!({"name": "get_skill", "arguments": {"id": "tea", "why": CANARY}})).await;
    ask(&mut ours, "prompts/get", json!({"name": "tea", "arguments": {"cups": CANARY}})).await;
    let report = actions::usage(&engine, 30).await.unwrap();
    let teapot = report.servers.iter().find(|server| server.name == "teapot").unwrap();
    assert_eq!((teapot.calls, teapot.failed, teapot.used[0].client.as_str()), (1, 0, "codex"));
    assert_eq!(used(&engine).await, is(&[("tea", 2)]));
    bridge.abort();
    engine.stop().await;
    assert_eq!(holding(&home.machine.data, CANARY), [""; 0]);
    assert!(!holding(&folder(&home.machine), "teapot").is_empty(), "what is counted is there");
}

#[tokio::test]
async fn names_that_clients_invent_are_not_counted() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    for (method, target) in [("resources/read", "skill://canary4711/SKILL.md"), ("prompts/get", CANARY)] {
        called(&engine, "codex", (method, target), None, false);
    }
    called(&engine, "codex", ("tools/call", "get_skill"), Some(CANARY), false);
    gets(&engine, "tea");
    engine.stop().await;
    assert_eq!(holding(&folder(&home.machine), CANARY), [""; 0]);
}

async fn ask(stream: &mut DuplexStream, method: &str, params: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    loop {
        let mut line = String::new();
        BufReader::with_capacity(1, &mut *stream).read_line(&mut line).await.unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        if answer["id"] == 7 {
            return answer;
        }
    }
}

async fn greet(stream: &mut DuplexStream) {
    let hello =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    ask(stream, "initialize", hello).await;
    stream.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await.unwrap();
}

#[tokio::test]
async fn calls_that_are_answered_while_no_engine_writes_are_counted_too() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    engine.stop().await;
    drop(engine);
    let (mut ours, theirs) = duplex(1 << 16);
    let (read, write) = split(theirs);
    let bridge = tokio::spawn(engine::bridge::carry(home.machine.clone(), Some("codex"), None, read, write));
    greet(&mut ours).await;
    ask(&mut ours, "tools/call", json!({"name": "get_skill", "arguments": {"id": "tea"}})).await;
    let reading = Engine::start_once(home.machine.clone(), Mode::Reading).await.unwrap();
    comes(async || used(&reading).await == is(&[("tea", 1)])).await;
    bridge.abort();
}

#[tokio::test]
async fn where_counts_cannot_be_saved_one_notice_says_so_and_calls_go_on() {
    let home = Home::new();
    home.skill("tea", "Green.");
    // A file where the folder belongs: even root cannot write into it.
    fs::write(folder(&home.machine), "").unwrap();
    let engine = home.start_with_library().await;
    gets(&engine, "tea");
    let snapshot = until(&engine, |snapshot| snapshot.notices.iter().any(|notice| notice.id == "usage")).await;
    let notices: Vec<_> = snapshot.notices.iter().filter(|notice| notice.id == "usage").collect();
    assert_eq!(notices.len(), 1);
    assert!(notices[0].message.contains("counted, but not saved"), "{notices:?}");
    gets(&engine, "tea");
    assert_eq!(used(&engine).await, is(&[("tea", 2)]));
    fs::remove_file(folder(&home.machine)).unwrap();
    engine.stop().await;
    drop(engine);
    assert_eq!(used(&home.start().await).await, is(&[("tea", 2)]), "what waited is saved once it can be");
}

#[tokio::test]
async fn forgetting_leaves_no_count_behind_and_counting_goes_on() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    gets(&engine, "tea");
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    gets(&engine, "tea");
    actions::wipe_usage(&engine).await.unwrap();
    let report = actions::usage(&engine, 30).await.unwrap();
    assert_eq!((report.since, report.skills[0].calls), (None, 0));
    gets(&engine, "tea");
    assert_eq!(used(&engine).await, is(&[("tea", 1)]));
    engine.stop().await;
    drop(engine);
    orders::give(home.machine.clone(), Order::WipeUsage).await.unwrap();
    assert_eq!(used(&home.start().await).await, is(&[]));
}

#[tokio::test]
async fn an_engine_that_only_reads_forgets_nothing() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    gets(&engine, "tea");
    engine.stop().await;
    drop(engine);
    let reading = Engine::start_once(home.machine.clone(), Mode::Reading).await.unwrap();
    assert!(actions::wipe_usage(&reading).await.is_err());
    assert_eq!(used(&reading).await, is(&[("tea", 1)]));
}

#[tokio::test]
async fn the_table_is_written_over_an_earlier_one_and_over_nothing_else() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    gets(&engine, "tea");
    let to = |name: &str| home.path(name).display().to_string();
    actions::save_usage(&engine, 30, &to("usage.csv")).await.unwrap();
    gets(&engine, "tea");
    actions::save_usage(&engine, 30, &to("usage.csv")).await.unwrap();
    let text = fs::read_to_string(home.path("usage.csv")).unwrap();
    assert!(text.lines().nth(1).unwrap().contains(",skill,tea,codex,2,0,"), "{text}");
    fs::write(home.path("other.csv"), "mine\n").unwrap();
    for name in ["other.csv", "usage.txt"] {
        assert!(actions::save_usage(&engine, 30, &to(name)).await.is_err(), "{name}");
    }
    assert!(actions::save_usage(&engine, 30, "usage.csv").await.is_err());
    assert_eq!(fs::read_to_string(home.path("other.csv")).unwrap(), "mine\n");
    for days in [0, 732] {
        assert!(actions::usage(&engine, days).await.is_err(), "{days}");
    }
    engine.stop().await;
}

#[tokio::test]
async fn a_skill_that_a_connected_client_also_reads_by_itself_is_loaded_twice() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("../.codex/skills/milk", "White.");
    let engine = home.start_with_library().await;
    crate::home::add_folder(&engine, &home.path(".codex/skills")).await;
    let twice = async |engine: &Engine| {
        let report = actions::usage(engine, 30).await.unwrap();
        let mut found = Vec::new();
        for skill in report.skills {
            for verdict in skill.verdicts {
                if let UsageVerdict::LoadedTwice { client, ours, .. } = verdict {
                    found.push((skill.id.clone(), client, ours));
                }
            }
        }
        found.sort();
        found
    };
    assert_eq!(twice(&engine).await, [], "Codex is not connected");
    change_client(&engine, "codex", ADD).await;
    assert_eq!(twice(&engine).await, [("milk".to_owned(), "codex".to_owned(), false)]);
    let way = Some(api::PlaceWay::Copy);
    let plan = actions::plan_client_folder(&engine, "codex", way).await.unwrap();
    actions::link_skills(&engine, "codex", api::PlaceWay::Copy, &plan.id).await.unwrap();
    let tea = |ours| ("tea".to_owned(), "codex".to_owned(), ours);
    comes(async || twice(&engine).await.contains(&tea(true))).await;
    engine.stop().await;
}
