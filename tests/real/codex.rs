//! Codex: its app server lists the servers that it started, and what each of them offers.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::Stdio,
};

use serde_json::{Value, json};
use tests::Home;

use crate::{
    connected::{self, Client, Said},
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
        let program = Program::of(Self::ID, ".bin/codex");
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
        let status = ask(2, "mcpServerStatus/list", json!({}));
        drop(to);
        codex.kill().unwrap();
        codex.wait().unwrap();

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

#[test]
fn codex_connects_over_stdio_and_has_our_tools() {
    connected::over_stdio::<Codex>();
}

#[test]
fn codex_connects_over_http_and_is_refused_with_a_wrong_token() {
    connected::over_http::<Codex>();
}
