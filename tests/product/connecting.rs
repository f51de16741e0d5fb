//! Clients connected from the command line: the entry in their files can be started unchanged.

use std::{fs, process::Command};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, post};

fn run(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let output = home.skilltender().args(words).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn file(home: &Home, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(home.path(path)).unwrap()).unwrap()
}

#[test]
fn what_connect_writes_can_be_started_and_disconnect_leaves_no_byte() {
    let home = Home::new();
    let theirs = "{\n\t\"theme\": \"dark\"\n}";
    home.write(".claude.json", theirs);
    let (code, shown) = run(&home, &["connect", "claude-code", "--dry-run"]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("+ \t\t\"skilltender\": {"), "{shown}");
    assert_eq!(fs::read_to_string(home.path(".claude.json")).unwrap(), theirs);
    let (code, said) = run(&home, &["connect", "claude-code"]);
    assert_eq!((code, said.contains("--yes")), (Some(2), true), "nobody is there to ask: {said}");

    assert_eq!(run(&home, &["connect", "claude-code", "--yes"]).0, Some(0));
    let entry = &file(&home, ".claude.json")["mcpServers"]["skilltender"];
    let args = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let mut command = Command::new(entry["command"].as_str().unwrap());
    // As a client starts it: with only HOME and PATH, in its own folder.
    command.env_clear().env("HOME", home.path("")).env("PATH", "/usr/bin:/bin").current_dir("/").args(args);
    let mut client = Lines::initialized(&mut command);
    assert_eq!(client.skills(), ["coffee", "tea"]);
    client.close();

    assert_eq!(run(&home, &["undo", "claude-code", "--yes"]).0, Some(0));
    assert_eq!(fs::read_to_string(home.path(".claude.json")).unwrap(), theirs);
    assert_eq!(run(&home, &["undo", "claude-code", "--yes"]).0, Some(3), "redo is its own word");
    assert_eq!(run(&home, &["redo", "claude-code", "--yes"]).0, Some(0));
    assert_eq!(run(&home, &["disconnect", "claude-code", "--yes"]).0, Some(0));
    assert_eq!(fs::read_to_string(home.path(".claude.json")).unwrap(), theirs);
}

#[test]
fn connecting_twice_and_disconnecting_twice_is_fine_and_a_deleted_program_comes_back() {
    let home = Home::new();
    home.write(".claude.json", "{}");
    let (code, said) = run(&home, &["disconnect", "claude-code", "--yes"]);
    assert_eq!((code, said.contains("holds no entry of ours")), (Some(0), true), "{said}");
    assert_eq!(run(&home, &["connect", "claude-code", "--yes"]).0, Some(0));
    let program = file(&home, ".claude.json")["mcpServers"]["skilltender"]["command"].as_str().unwrap().to_owned();
    fs::remove_file(&program).unwrap();
    for words in [&["connect", "claude-code"][..], &["connect", "claude-code", "--dry-run"]] {
        let (code, said) = run(&home, words);
        assert_eq!((code, said.contains("already")), (Some(0), true), "{said}");
    }
    assert!(fs::metadata(&program).is_ok());
    let told: Value = serde_json::from_str(&run(&home, &["connect", "claude-code", "--json"]).1).unwrap();
    assert_eq!((&told["plan"], &told["made"]), (&Value::Null, &json!(false)));

    fs::remove_file(&program).unwrap();
    let serving = Serving::start(&home);
    let since = std::time::Instant::now();
    while !fs::exists(&program).unwrap() {
        assert!(since.elapsed().as_secs() < 30, "serving does not put it back");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(serving.stop(), 0);
    let (code, said) = run(&home, &["connect", "claud-code"]);
    assert_eq!((code, said.contains("Did you mean claude-code")), (Some(2), true), "{said}");
    let (code, said) = run(&home, &["connect", "jetbrains-ai"]);
    assert_eq!((code, said.contains("{\"mcpServers\":{\"skilltender\":")), (Some(3), true), "{said}");
}

#[test]
fn what_was_written_and_could_not_be_printed_is_said_all_the_same() {
    let home = Home::new();
    let theirs = "{\n  \"theme\": \"dark\"\n}\n";
    for json in [false, true] {
        for closed in [false, true] {
            if !closed && !cfg!(target_os = "linux") {
                continue;
            }
            home.write(".cursor/mcp.json", theirs);
            let mut words = vec!["connect", "cursor", "--yes"];
            words.extend(json.then_some("--json"));
            let mut command = home.skilltender();
            command.args(&words);
            if closed {
                let (reader, writer) = std::io::pipe().unwrap();
                drop(reader);
                command.stdout(writer);
            } else {
                command.stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
            }
            let output = command.stderr(std::process::Stdio::piped()).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(3), "{said}");
            assert!(said.contains("~/.cursor/mcp.json was changed as it was planned"), "{said}");
            assert!(said.contains("`skilltender undo cursor` takes it back"), "{said}");
            assert_eq!(said.starts_with("{\"error\":"), json, "{said}");
            assert!(file(&home, ".cursor/mcp.json")["mcpServers"]["skilltender"].is_object());
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let undone = home.skilltender().args(["undo", "cursor", "--yes"]).stdout(writer).output().unwrap();
            let said = String::from_utf8(undone.stderr).unwrap();
            assert!(said.contains("`skilltender redo cursor` takes it back"), "{said}");
            assert_eq!(fs::read_to_string(home.path(".cursor/mcp.json")).unwrap(), theirs);
        }
    }
    // Nothing was changed; the only error is that nothing can be printed.
    let mut shown = home.skilltender();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let shown = shown.args(["connect", "cursor", "--dry-run"]).stdout(writer).output().unwrap();
    assert_eq!((shown.status.code(), shown.stderr.is_empty()), (Some(0), true));
}

#[test]
fn what_a_person_agrees_to_holds_for_an_entry_that_is_there_already() {
    let home = Home::new();
    home.write(".cursor/mcp.json", "{}\n");
    let again = || {
        file(&home, home.data().join("choices.json").strip_prefix(home.path("")).unwrap().to_str().unwrap())
        ["connections"]["cursor"]["again"].clone()
    };
    assert_eq!(run(&home, &["connect", "cursor", "--yes"]).0, Some(0));
    assert_eq!(again(), Value::Null);
    assert_eq!(run(&home, &["connect", "cursor", "--again", "--dry-run"]).0, Some(0));
    assert_eq!(again(), Value::Null, "it was only looked at");
    let (code, said) = run(&home, &["connect", "cursor", "--again"]);
    assert_eq!(
        (code, said.contains("already"), said.contains("once, should the client drop it")),
        (Some(0), true, true),
        "{said}"
    );
    assert_eq!(again(), true);
    let serving = Serving::start(&home);
    let told: Value = serde_json::from_str(&run(&home, &["connect", "cursor", "--again", "--json"]).1).unwrap();
    assert_eq!((&told["made"], &told["again"]), (&json!(false), &json!(true)));
    assert_eq!(serving.stop(), 0);
    assert_eq!(again(), true, "the engine that runs keeps it, too");
}

#[test]
fn nothing_is_installed_for_a_client_whose_file_takes_no_entries() {
    let home = Home::new();
    home.write(
        "outside/cellar/SKILL.md",
        "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\nrequires-mcp-servers:\n  \
         - name: stock\n    command: \"true\"\n---\n\nAsk.\n",
    );
    home.write(".cursor/mcp.json", "{ broken\n");
    let folder = home.path("outside/cellar");
    let words = ["install", folder.to_str().unwrap(), "--with-mcp", "--yes", "--client", "cursor"];
    for words in [&words[..], &[&words[..], &["--direct"]].concat()] {
        let (code, said) = run(&home, words);
        assert_eq!(code, Some(3), "{words:?}: {said}");
        assert!(said.contains("~/.cursor/mcp.json"), "{words:?}: {said}");
        assert!(!home.data().join("skills/cellar").exists(), "{words:?}");
    }
    home.write(".cursor/mcp.json", "{}\n");
    let (code, said) = run(&home, &[&words[..], &["--direct"]].concat());
    assert_eq!(code, Some(1), "nobody agreed to its server: {said}");
    assert!(home.data().join("skills/cellar/SKILL.md").exists());
}

#[test]
fn a_program_under_another_name_connects_clients_like_any_other() {
    let home = Home::new();
    let renamed = home.path("st");
    tests::copy_program(&tests::given("SKILLTENDER_PROGRAM"), &renamed);
    let words = ["connect", "claude-code", "--yes"];
    let run_as = |program: &std::path::Path| {
        let mut other = Command::new(program);
        let variables = home.skilltender();
        let variables = variables.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        other.env_clear().envs(variables).args(words).output()
    };
    let output = run_as(&renamed).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let program = file(&home, ".claude.json")["mcpServers"]["skilltender"]["command"].as_str().unwrap().to_owned();
    assert!(program.ends_with("/bin/skilltender") && fs::exists(&program).unwrap(), "{program}");
    let usual = home.skilltender().args(words).output().unwrap();
    assert!(String::from_utf8_lossy(&usual.stdout).contains("already"), "both write the same entry");
}

#[test]
fn the_engine_that_runs_connects_over_http_and_answers_the_token_that_it_wrote() {
    let home = Home::new();
    let serving = Serving::start(&home);
    assert_eq!(run(&home, &["connect", "cursor", "--http", "--yes"]).0, Some(0));
    let entry = &file(&home, ".cursor/mcp.json")["mcpServers"]["skilltender"];
    assert_eq!(entry["url"], serving.url.as_str());
    let bearer = entry["headers"]["Authorization"].as_str().unwrap();
    assert_ne!(bearer, format!("Bearer {}", serving.token), "it is the client's own");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}).to_string();
    let ask = |bearer: &str| post(&serving, &[("Authorization", bearer)], &ping).status;
    assert_ne!(ask(bearer), 401);
    assert_eq!(ask("Bearer nobody's"), 401);

    let clients: Value = serde_json::from_str(&run(&home, &["clients", "--json"]).1).unwrap();
    assert_eq!(clients[0]["id"], "cursor");
    assert_eq!((&clients[0]["standing"]["state"], &clients[0]["transport"]), (&json!("added"), &json!("http")));
    assert_eq!(run(&home, &["disconnect", "cursor", "--yes"]).0, Some(0));
    assert_eq!(ask(bearer), 401, "what is disconnected needs no key");
    assert!(!home.path(".cursor").exists());
}
