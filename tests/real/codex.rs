//! Codex: its app server lists the servers that it started, what each of them offers, and which skills it shows.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::Stdio,
};

use serde_json::{Value, json};
use tests::Home;

use crate::{
    connected::{self, Client, Said, skilltender},
    program::Program,
};

struct Codex;

impl Client for Codex {
    const ID: &'static str = "codex";
    const FILE: &'static str = ".codex/config.toml";
    const BEFORE: Option<&'static str> = Some("# mine\nmodel = \"none\" # not asked\n\n[tools]\nweb_search = false\n");

    fn tool(name: &str) -> String {
        name.to_owned()
    }

    fn ask(home: &Home) -> Said {
        let status = answer(home, "mcpServerStatus/list", json!({}));
        let servers = status["result"]["data"].as_array().unwrap();
        let us = servers.iter().find(|server| server["name"] == "skilltender").unwrap_or_else(|| panic!("{status}"));
        if us["serverInfo"]["name"] != "skilltender" {
            return Said::Failed;
        }
        let mut tools: Vec<_> = us["tools"].as_object().unwrap().keys().cloned().collect();
        tools.sort();
        Said::Connected(tools)
    }
}

/// What its app server answers.
fn answer(home: &Home, method: &str, params: Value) -> Value {
    let program = Program::of(Codex::ID, ".bin/codex");
    let mut codex =
        program.command(home).arg("app-server").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = codex.stdin.take().unwrap();
    let mut from = BufReader::new(codex.stdout.take().unwrap()).lines();
    let mut ask = |id: u32, method: &str, params: Value| -> Value {
        writeln!(to, "{}", json!({"id": id, "method": method, "params": params})).unwrap();
        let answers = from.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        answers.into_iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("no answer to {method}"))
    };
    ask(1, "initialize", json!({"clientInfo": {"name": "tests", "title": "Tests", "version": "1"}}));
    let answer = ask(2, method, params);
    drop(to);
    codex.kill().unwrap();
    codex.wait().unwrap();
    answer
}

/// The skills in its folders that it shows, without those that it brings.
fn shown(home: &Home) -> Vec<String> {
    let answer = answer(home, "skills/list", json!({"cwds": [home.path("project")]}));
    let of_project = &answer["result"]["data"][0];
    assert_eq!(of_project["errors"], json!([]), "{answer}");
    let skills = of_project["skills"].as_array().unwrap().iter();
    let shown = skills.filter(|skill| skill["scope"] != "system" && skill["enabled"] == true);
    let mut names: Vec<_> = shown.map(|skill| skill["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn codex_connects_over_stdio_and_has_our_tools() {
    connected::over_stdio::<Codex>();
}

#[test]
fn codex_connects_over_http_and_is_refused_with_a_wrong_token() {
    connected::over_http::<Codex>();
}

/// decision 87
#[test]
fn codex_shows_the_skills_of_a_set_that_was_written_into_its_settings_and_all_after_it_was_taken_back() {
    let home = Home::new();
    fs::create_dir_all(home.path("project")).unwrap();
    for (folder, name) in [
        (".agents/skills/tea", "name: tea\n"),
        (".agents/skills/coffee", "name: coffee\n"),
        (".agents/skills/folder", "name: Other name\n"),
        (".agents/skills/nameless", ""),
        (".agents/skills/repaired", "name: bro: ken\n"),
        (".agents/skills/group/deep", "name: deep\n"),
        (".agents/skills/tea/inner", "name: inner\n"),
        (".codex/skills/cocoa", "name: cocoa\n"),
    ] {
        home.write(&format!("{folder}/SKILL.md"), &format!("---\n{name}description: Makes it.\n---\n\nMake it.\n"));
    }
    // Codex itself writes a switch by path.
    let tea = home.path(".agents/skills/tea/SKILL.md");
    let before = format!("# mine\n[[skills.config]]\npath = \"{}\"\nenabled = false\n", tea.display());
    home.write(".codex/config.toml", &before);
    skilltender(&home, &["sets", "make", "hot", "tea"]);

    let all = ["Other name", "bro: ken", "cocoa", "coffee", "deep", "inner", "nameless"];
    assert_eq!(shown(&home), all);
    skilltender(&home, &["sets", "apply", "hot", "--client", "codex", "--yes"]);
    assert_eq!(shown(&home), ["tea"]);
    skilltender(&home, &["undo", "codex", "--yes"]);
    assert_eq!(fs::read_to_string(home.path(".codex/config.toml")).unwrap(), before);
    assert_eq!(shown(&home), all);
}
