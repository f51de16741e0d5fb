//! Real clients, old and new protocol, over every transport.

use serde_json::{Value, json};
use tests::{Home, Serving, given, inspector, python, verified_by_inspector};

/// What the Python client must receive over any transport.
fn check(home: &Home, visit: &Value) {
    assert_eq!(visit["tools"], json!(["list_skills", "get_skill"]));
    assert_eq!(
        visit["skills"],
        json!([
            {"id": "coffee", "name": "coffee", "description": "Makes coffee. Use when somebody is tired."},
            {"id": "tea", "name": "tea", "description": "Makes tea. Use when somebody wants tea."},
        ])
    );
    assert_eq!(visit["skill"]["path"], home.path("skills/tea/SKILL.md").to_str().unwrap());
    assert!(std::path::Path::new(visit["skill"]["path"].as_str().unwrap()).is_file());
    assert!(visit["skill"]["content"].as_str().unwrap().starts_with("# tea\n"));
    assert!(visit["resources"].as_array().unwrap().contains(&json!("skill://tea/SKILL.md")));
    assert_eq!(visit["reference"], "Boil it.\n");
    assert!(visit["prompt"].as_str().unwrap().starts_with("# Skills MCP - Usage Guide"));
}

/// What is stored about a client after its handshake with this protocol.
fn seen(home: &Home, client: &str, protocol: &str) -> Value {
    let file = home.data().join("seen.json");
    let began = std::time::Instant::now();
    loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let seen: Value = serde_json::from_str(&text).unwrap_or_default();
        let client = &seen["clients"][client];
        if client["peer"]["protocol"] == protocol && client["connected"].is_u64() {
            return client.clone();
        }
        assert!(began.elapsed().as_secs() < 20, "{text}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn over_stdio(home: &Home, mode: &str, args: &[&str]) -> Value {
    let env = json!({"HOME": home.path("")});
    python(&json!({"mode": mode, "command": given("SKILLTENDER_PROGRAM"), "args": args, "env": env}))
}

/// wire contract 30
#[test]
fn the_python_client_reads_a_folder_of_skills_over_stdio() {
    let home = Home::new();
    let folder = home.path("skills");
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let visit = over_stdio(&home, mode, &["mcp", "--skills-dir", folder.to_str().unwrap()]);
        check(&home, &visit);
        assert_eq!(visit["protocol"], protocol);
    }
}

#[test]
fn the_python_client_reaches_the_running_engine_through_the_bridge() {
    let home = Home::new();
    let _serving = Serving::start(&home);
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let visit = over_stdio(&home, mode, &["mcp", "--client", "codex"]);
        check(&home, &visit);
        assert_eq!(visit["protocol"], protocol);
        let peer = seen(&home, "codex", protocol)["peer"].clone();
        assert_eq!(peer["transport"], "stdio");
        assert!(peer["name"].is_string() && peer["version"].is_string(), "{peer}");
    }
    let record = std::fs::read_to_string(home.data().join("audit/calls.jsonl")).unwrap();
    assert!(record.lines().any(|line| line.contains("\"codex\"") && line.contains("get_skill")), "{record}");
}

#[test]
fn the_python_client_reads_over_http() {
    let home = Home::new();
    let serving = Serving::start(&home);
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let visit = python(&json!({"mode": mode, "url": serving.url, "token": serving.token}));
        check(&home, &visit);
        assert_eq!(visit["protocol"], protocol);
        assert_eq!(seen(&home, "by-hand", protocol)["peer"]["transport"], "http");
    }
}

/// The Inspector's view of the two skills.
fn inspect(target: &[&str]) {
    for era in ["legacy", "modern"] {
        let ask = |words: &[&str]| inspector(&[target, &["--protocol-era", era], words].concat())["result"].clone();
        let verified = verified_by_inspector(&[target, &["--protocol-era", era]].concat());
        assert_eq!(verified, [("coffee".to_owned(), 1), ("tea".to_owned(), 2)]);
        assert_eq!(ask(&["--method", "tools/list"])["tools"][1]["name"], "get_skill");
        let got = ask(&["--method", "tools/call", "--tool-name", "get_skill", "--tool-arg", "id=tea"]);
        assert_eq!(got["structuredContent"]["name"], "tea", "{got}");
        let read = ask(&["--method", "resources/read", "--uri", "skill://tea/references/water.md"]);
        assert_eq!(read["contents"][0]["text"], "Boil it.\n", "{read}");
        let prompt = ask(&["--method", "prompts/get", "--prompt-name", "init-skills"]);
        assert!(prompt.to_string().contains("# Skills MCP - Usage Guide"), "{prompt}");
    }
}

/// wire contract 27
#[test]
fn the_inspector_reads_and_verifies_skills_over_stdio() {
    let home = Home::new();
    let program = given("SKILLTENDER_PROGRAM");
    let folder = home.path("skills");
    inspect(&[program.to_str().unwrap(), "mcp", "--skills-dir", folder.to_str().unwrap()]);
}

/// wire contract 27
#[test]
fn the_inspector_reads_and_verifies_skills_over_http() {
    let home = Home::new();
    let serving = Serving::start(&home);
    inspect(&[&serving.url, "--header", &format!("Authorization: Bearer {}", serving.token)]);
}
