//! Claude Code: the first line of a run without a model says which servers it has, and their tools.

use serde_json::Value;
use tests::Home;

use crate::{
    connected::{self, Client, Said, ours, printed},
    model::Model,
    program::{Program, system},
};

struct ClaudeCode;

impl Client for ClaudeCode {
    const ID: &'static str = "claude-code";
    const FILE: &'static str = ".claude.json";
    const BEFORE: Option<&'static str> = Some("{\n  \"numStartups\": 3,\n  \"theme\": \"dark\"\n}\n");

    fn tool(name: &str) -> String {
        format!("mcp__skilltender__{name}")
    }

    fn ask(home: &Home) -> Said {
        // Its package for this system holds the program; the others only lead to it.
        let program = Program::of(Self::ID, &format!("@anthropic-ai/claude-code-{}/claude", system()));
        let model = Model::start();
        let environment = [
            ("ANTHROPIC_API_KEY", "none"),
            ("ANTHROPIC_BASE_URL", &model.address("")),
            ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ];
        let words = ["-p", "hello", "--output-format", "stream-json", "--verbose"];
        let out = printed(home, &program, &words, &environment);
        let first: Value = serde_json::from_str(out.lines().next().unwrap_or_default())
            .unwrap_or_else(|_| panic!("a line of JSON first, not {out}"));
        let servers = first["mcp_servers"].as_array().unwrap();
        let us = servers.iter().find(|server| server["name"] == "skilltender").unwrap_or_else(|| panic!("{first}"));
        match us["status"].as_str() {
            Some("connected") => {
                let tools = first["tools"].as_array().unwrap().iter().filter_map(Value::as_str);
                Said::Connected(ours(tools, "mcp__skilltender__"))
            }
            _ => Said::Failed,
        }
    }
}

#[test]
fn claude_code_connects_over_stdio_and_has_our_tools() {
    connected::over_stdio::<ClaudeCode>();
}

#[test]
fn claude_code_connects_over_http_and_is_refused_with_a_wrong_token() {
    connected::over_http::<ClaudeCode>();
}
