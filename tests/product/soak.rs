//! An engine that works for hours: clients come, ask and go, skills are edited, come and go, a server with a secret starts
//! and is stopped, and the machine sleeps. Its memory and its open files stay what they were. One that nobody asks gives back
//! what its start needed.
//!
//! In the whole run it lasts a minute; `--long` lasts eight hours, and `SKILLTENDER_SOAK` names other seconds.

use std::{
    env, fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, eventually, given, post, say, skill};

use crate::persons::{agree, run};

const SECRET: &str = "canary-of-the-cellar-4711";
/// How much larger its own memory may be at the end, in megabytes.
const MOST_MORE: f64 = 2.0;
/// Threads that work for others stay for a while after their work.
const IDLE_THREADS: usize = 6;
const META: &str = "io.modelcontextprotocol/";

#[test]
fn an_engine_that_works_for_long_keeps_no_memory_and_no_open_files() {
    let home = Home::new();
    let cellar = format!(
        "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\n\
         requires-mcp-servers:\n  - name: stock\n    description: Knows the cellar\n    command: {}\n    \
         args: [server.py]\n    env: {{TOKEN: \"${{TOKEN}}\"}}\n    parameters:\n      \
         TOKEN: {{description: Its key, sensitive: true}}\n---\n\nAsk the server.\n",
        given("SKILLTENDER_PYTHON").display()
    );
    home.write("skills/cellar/SKILL.md", &cellar);
    home.write("skills/cellar/server.py", include_str!("servers/cellar.py"));
    for number in 0..200 {
        home.write(&format!("skills/tea-{number}/SKILL.md"), &skill(&format!("tea-{number}"), "Makes tea."));
    }
    let serving = Serving::start(&home);
    run(&home, &["secrets", "set", "cellar", "stock", "TOKEN"], SECRET);
    agree(&home, "stock");

    let lasts = seconds();
    let begun = Instant::now();
    let mut round = 0;
    let mut go_on = |until: Duration| {
        while begun.elapsed() < until {
            a_round(&home, &serving, round);
            round += 1;
        }
        rest(&home, &serving)
    };
    // What it needs for its work is there after a third of the time.
    let before = go_on(lasts / 3);
    let after = go_on(lasts);
    say(&format!("{round} rounds: {before:?}, then {after:?}"));
    assert!(round >= 6, "{round} rounds say nothing");
    assert!(after.megabytes < before.megabytes + MOST_MORE, "{before:?}, then {after:?}");
    assert!(after.files <= before.files, "{before:?}, then {after:?}");
    assert!(after.threads <= before.threads + IDLE_THREADS, "{before:?}, then {after:?}");
    assert_eq!(serving.stop(), 0);
}

#[test]
fn an_engine_at_rest_gives_back_the_code_of_its_start_and_answers_as_before() {
    let home = Home::new();
    home.write("skills/tea/SKILL.md", &skill("tea", "Makes tea."));
    let serving = Serving::start(&home);
    let started = held(&serving);
    eventually("the code of the start is given back", || (held(&serving).code < started.code / 2.0).then_some(()));
    assert!(ask(&serving, "get_skill", &json!({"id": "tea"})).contains("Makes tea"));
    home.write("skills/coffee/SKILL.md", &skill("coffee", "Makes coffee."));
    assert!(ask(&serving, "list_skills", &json!({})).contains("Makes coffee"));

    // What clients and edits run is run again soon. The first cache belongs to the start, half a minute after it.
    eventually("the cache is written", || home.data().join("library.cache").exists().then_some(()));
    eventually("its code is given back", || (held(&serving).code < started.code / 2.0).then_some(()));
    assert!(ask(&serving, "list_skills", &json!({})).contains("Makes coffee"));
    let used = held(&serving);
    home.write("skills/tea/SKILL.md", &skill("tea", "Makes green tea."));
    thread::sleep(Duration::from_secs(8));
    let later = held(&serving);
    assert!(later.code > used.code * 0.9, "{used:?}, then {later:?}");
    assert_eq!(serving.stop(), 0);
}

fn seconds() -> Duration {
    let asked = env::var("SKILLTENDER_SOAK").ok().and_then(|seconds| seconds.parse().ok());
    let long = env::var_os("SKILLTENDER_LONG").is_some_and(|long| !long.is_empty());
    Duration::from_secs(asked.unwrap_or(if long { 8 * 60 * 60 } else { 60 }))
}

/// What clients, an editor and a person do in a few seconds.
fn a_round(home: &Home, serving: &Serving, round: usize) {
    for number in 0..20 {
        let id = format!("tea-{}", (round * 20 + number) % 200);
        let told = ask(serving, "get_skill", &json!({"id": id}));
        assert!(told.contains("Makes tea"), "{told}");
    }
    assert!(ask(serving, "list_skills", &json!({})).contains("tea-199"));

    home.write("skills/tea-7/SKILL.md", &skill("tea-7", &format!("Makes tea, {round}.")));
    home.write("skills/guest/SKILL.md", &skill("guest", "Comes and goes."));
    assert!(ask(serving, "list_skills", &json!({})).contains("Comes and goes"));
    fs::remove_dir_all(home.path("skills/guest")).unwrap();
    assert!(!ask(serving, "list_skills", &json!({})).contains("Comes and goes"));

    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    let told = client.call("tools/call", &json!({"name": "stock__count", "arguments": {}}));
    assert!(told.to_string().contains("process"), "{told}");
    client.call("resources/list", &json!({}));
    if round.is_multiple_of(2) {
        run(home, &["servers", "stop", "stock"], "");
    }
    client.close();

    if round % 4 == 3 {
        // As in the sleep of a machine: it does nothing, and its clients' requests wait.
        signal(serving, "-STOP");
        thread::sleep(Duration::from_secs(1));
        signal(serving, "-CONT");
    }
}

/// Calls a tool in a connection of its own.
fn ask(serving: &Serving, tool: &str, arguments: &Value) -> String {
    let meta = json!({format!("{META}protocolVersion"): "2026-07-28", format!("{META}clientCapabilities"): {}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments, "_meta": meta}});
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool)];
    let answer = post(serving, &headers, &call.to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.text
}

fn signal(serving: &Serving, signal: &str) {
    assert!(Command::new("kill").args([signal, &serving.id().to_string()]).status().unwrap().success());
}

/// What a process holds.
#[derive(Debug)]
struct Held {
    /// Memory of its own, without the pages of files.
    megabytes: f64,
    /// Pages of its program and its libraries.
    code: f64,
    files: usize,
    threads: usize,
}

/// What it holds once nobody asks, the server is stopped, and what was needed for a moment is given back.
fn rest(home: &Home, serving: &Serving) -> Held {
    run(home, &["servers", "stop", "stock"], "");
    thread::sleep(Duration::from_secs(5));
    held(serving)
}

/// What it holds now.
fn held(serving: &Serving) -> Held {
    let process = format!("/proc/{}", serving.id());
    let status = fs::read_to_string(format!("{process}/status")).unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    let files = fs::read_dir(format!("{process}/fd")).unwrap().count();
    Held {
        megabytes: field("RssAnon:") / 1024.0,
        code: field("RssFile:") / 1024.0,
        files,
        threads: field("Threads:") as usize,
    }
}
