//! opencode: `opencode mcp list` reports the connection, and a model is offered the tools.

use tests::Home;

use crate::{
    connected::{self, Client, Said, ours, printed},
    model::Model,
    program::{Program, system},
};

struct OpenCode;

impl Client for OpenCode {
    const ID: &'static str = "opencode";
    const FILE: &'static str = ".config/opencode/opencode.json";
    const BEFORE: Option<&'static str> = Some("{\n  // mine\n  \"share\": \"disabled\",\n}\n");

    fn tool(name: &str) -> String {
        format!("skilltender_{name}")
    }

    fn ask(home: &Home) -> Said {
        let program = Program::of(Self::ID, &format!("opencode-{}/bin/opencode", system()));
        let list = printed(home, &program, &["mcp", "list"], &[]);
        let us = list.lines().find(|line| line.contains("skilltender ")).unwrap_or_else(|| panic!("{list}"));
        if !us.contains("connected") {
            return Said::Failed;
        }
        let model = Model::start();
        let provider = format!(
            r#"{{"provider": {{"none": {{"npm": "@ai-sdk/openai-compatible", "name": "none", "models": {{"none": {{"name": "none"}}}},
               "options": {{"baseURL": "{}", "apiKey": "none"}}}}}}}}"#,
            model.address("/v1")
        );
        let environment = [("OPENCODE_CONFIG_CONTENT", provider.as_str())];
        printed(home, &program, &["run", "-m", "none/none", "hello"], &environment);
        Said::Connected(ours(model.tools().iter().map(String::as_str), "skilltender_"))
    }
}

#[test]
fn opencode_connects_over_stdio_and_has_our_tools() {
    connected::over_stdio::<OpenCode>();
}

#[test]
fn opencode_connects_over_http_and_is_refused_with_a_wrong_token() {
    connected::over_http::<OpenCode>();
}
