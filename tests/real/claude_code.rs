//! Claude Code: the first line of a run without a model lists its servers and their tools.

use serde_json::{Value, json};
use tests::{Home, Serving, eventually, given};

use crate::{
    connected::{self, Client, Said, ours, printed, skilltender},
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
        let first = first(home);
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

/// Its first output: its servers and their tools.
fn first(home: &Home) -> Value {
    asked(home).0
}

/// Its first output, and what it told the model.
fn asked(home: &Home) -> (Value, Model) {
    // Its package for this system holds the program; the others only refer to it.
    let program = Program::of(ClaudeCode::ID, &format!("@anthropic-ai/claude-code-{}/claude", system()));
    let model = Model::start();
    let environment =
        [("ANTHROPIC_API_KEY", "none"), ("ANTHROPIC_BASE_URL", &model.address("")), ("CLAUDE_CODE_MAX_RETRIES", "0")];
    let words = ["-p", "hello", "--output-format", "stream-json", "--verbose"];
    let out = printed(home, &program, &words, &environment);
    let first = serde_json::from_str(out.lines().next().unwrap_or_default());
    (first.unwrap_or_else(|_| panic!("a line of JSON first, not {out}")), model)
}

/// Which of these skills a person can use, and of which of them the model is told.
fn shown(home: &Home, skills: &[&str]) -> (Vec<String>, Vec<String>) {
    let (first, model) = asked(home);
    let of_person = first["skills"].as_array().unwrap_or_else(|| panic!("{first}"));
    let told = model.told();
    assert!(told.contains("hello"), "the model was asked");
    let names = |has: &dyn Fn(&str) -> bool| skills.iter().filter(|id| has(id)).map(|id| (*id).to_owned()).collect();
    (names(&|id| of_person.contains(&json!(id))), names(&|id| told.contains(&format!(": Makes {id}."))))
}

#[test]
fn claude_code_connects_over_stdio_and_has_our_tools() {
    connected::over_stdio::<ClaudeCode>();
}

#[test]
fn claude_code_connects_over_http_and_is_refused_with_a_wrong_token() {
    connected::over_http::<ClaudeCode>();
}

/// decision 87
#[test]
fn claude_code_shows_the_skills_of_a_set_that_was_written_into_its_settings_and_all_after_it_was_taken_back() {
    let home = Home::new();
    let all = ["tea", "coffee", ".hidden", "Two Words", "local", "above"];
    for (place, ids) in
        [(".claude/skills", &all[..4]), ("work/project/.claude/skills", &all[4..5]), ("work/.claude/skills", &all[5..])]
    {
        for id in ids {
            // Claude Code goes by the folder's name.
            let text = format!("---\nname: name-of-{}\ndescription: Makes {id}.\n---\n\nMake it.\n", id.len());
            home.write(&format!("{place}/{id}/SKILL.md"), &text);
        }
    }
    std::fs::create_dir_all(home.path("work/.git")).unwrap();
    std::os::unix::fs::symlink(home.path("work/project"), home.path("project")).unwrap();
    skilltender(&home, &["sets", "make", "hot", "tea"]);
    let folder = std::fs::canonicalize(home.path("project")).unwrap();
    let every: Vec<_> = all.map(str::to_owned).to_vec();
    let tea = vec!["tea".to_owned()];

    assert_eq!(shown(&home, &all), (every.clone(), every.clone()));
    let apply = ["sets", "apply", "hot", "--client", "claude-code", "--folder", folder.to_str().unwrap(), "--yes"];
    skilltender(&home, &apply);
    assert_eq!(shown(&home, &all), (tea.clone(), tea));
    skilltender(&home, &["undo", "claude-code", "--yes"]);
    assert!(!folder.join(".claude/settings.local.json").exists());
    assert_eq!(shown(&home, &all), (every.clone(), every));
}

/// A skill's server, through the endpoint and as the client's own entry: neither contains a secret.
#[test]
fn claude_code_has_a_skills_server_through_us_and_directly() {
    let home = Home::new();
    let server = include_str!("../product/servers/cellar.py");
    let text = "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\n\
                requires-mcp-servers:\n  - name: stock\n    description: Knows the cellar\n    command: python3\n    \
                args: [server.py]\n---\n\nAsk the server.\n";
    home.write("skills/cellar/SKILL.md", text);
    home.write("skills/cellar/server.py", server);
    std::fs::create_dir_all(home.path("project")).unwrap();
    let _serving = Serving::start(&home);
    let shown: Value = serde_json::from_str(&skilltender(&home, &["servers", "show", "stock", "--json"])).unwrap();
    skilltender(&home, &["servers", "approve", "stock", "--digest", shown["digest"].as_str().unwrap()]);
    eventually("it runs", || skilltender(&home, &["servers", "--json"]).contains("\"running\"").then_some(()));

    skilltender(&home, &["connect", "claude-code", "--yes"]);
    let has = |first: &Value, tool: &str| first["tools"].as_array().unwrap().iter().any(|name| name == tool);
    let through_us = first(&home);
    assert!(has(&through_us, "mcp__skilltender__stock__count"), "{through_us}");

    let program = given("SKILLTENDER_PROGRAM");
    let entry = json!({"mcpServers": {"stock": {"command": program, "args": ["run", "stock"]}}});
    home.write(".claude.json", &entry.to_string());
    let directly = first(&home);
    let stock = directly["mcp_servers"].as_array().unwrap().iter().find(|server| server["name"] == "stock").cloned();
    assert_eq!(stock.map(|stock| stock["status"].clone()), Some(json!("connected")), "{directly}");
    assert!(has(&directly, "mcp__stock__count"), "{directly}");
}
