//! Gemini CLI: `gemini mcp list` reports the connection, and a model is offered the tools.

use tests::Home;

use crate::{
    connected::{self, Client, Said, ours, printed, run},
    model::Model,
    program::Program,
};

struct GeminiCli;

impl Client for GeminiCli {
    const ID: &'static str = "gemini-cli";
    const FILE: &'static str = ".gemini/settings.json";
    const BEFORE: Option<&'static str> =
        Some("{\n  // how I sign in\n  \"security\": { \"auth\": { \"selectedType\": \"gemini-api-key\" } }\n}\n");

    fn tool(name: &str) -> String {
        format!("mcp_skilltender_{name}")
    }

    fn ask(home: &Home) -> Said {
        let program = Program::of(Self::ID, ".bin/gemini");
        let list = run(home, &program, &["mcp", "list"], &[]);
        let list = list.out + &list.err;
        let us = list.lines().find(|line| line.contains("skilltender:")).unwrap_or_else(|| panic!("{list}"));
        if !us.ends_with("- Connected") {
            return Said::Failed;
        }
        let model = Model::start();
        let environment = [("GEMINI_API_KEY", "none"), ("GOOGLE_GEMINI_BASE_URL", &model.address(""))];
        // Without a terminal it offers no tool that needs a confirmation.
        printed(home, &program, &["-m", "gemini-2.5-flash", "--yolo", "-p", "hello"], &environment);
        Said::Connected(ours(model.tools().iter().map(String::as_str), "mcp_skilltender_"))
    }
}

#[test]
fn gemini_cli_connects_over_stdio_and_has_our_tools() {
    connected::over_stdio::<GeminiCli>();
}

#[test]
fn gemini_cli_connects_over_http_and_is_refused_with_a_wrong_token() {
    connected::over_http::<GeminiCli>();
}
