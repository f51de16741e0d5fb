//! One endpoint, a skill, its reference file, and three realistic servers: two from npm as child processes, one
//! FastMCP server over HTTP with a key.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, eventually, given, python_script};

use crate::persons::{agree, run};

pub(crate) const KEY: &str = "canary-of-the-vault-4711";

/// A FastMCP server, ended on drop.
pub(crate) struct Vault {
    child: Child,
    pub(crate) port: u16,
}

impl Vault {
    pub(crate) fn open() -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("product/servers/vault.py");
        let mut command = Command::new(given("SKILLTENDER_PYTHON"));
        let child = command.arg(script).arg(port.to_string()).env("VAULT_KEY", KEY).stderr(Stdio::null()).spawn();
        let vault = Self { child: child.unwrap(), port };
        eventually("the vault opens", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
        vault
    }
}

impl Drop for Vault {
    fn drop(&mut self) {
        // Fails when it has already ended, which is fine.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Writes a skill that needs all three.
fn skill(home: &Home, vault: &Vault) {
    let servers = given("SKILLTENDER_SERVERS");
    let node = given("SKILLTENDER_NODE");
    let program = |name: &str, more: &str| {
        format!("    command: {}\n    args: [{}/{name}/dist/index.js{more}]\n", node.display(), servers.display())
    };
    let text = format!(
        "---\nname: tea-report\ndescription: Reports on tea. Use when somebody asks for a report.\n\
         requires-mcp-servers:\n\
         \x20 - name: filesystem\n    description: Writes the report\n{}\
         \x20   parameters:\n      FOLDER: {{description: Where reports go}}\n\
         \x20 - name: everything\n    description: Adds\n{}\
         \x20 - name: vault\n    description: Knows blends\n    transport: http\n    url: http://127.0.0.1:{}/mcp\n\
         \x20   headers: {{Authorization: \"Bearer ${{VAULT_KEY}}\"}}\n\
         \x20   parameters:\n      VAULT_KEY: {{description: Opens it, sensitive: true}}\n\
         ---\n\nRead references/format.md, then write report.txt.\n",
        program("server-filesystem", ", \"${FOLDER}\""),
        program("server-everything", ""),
        vault.port,
    );
    home.write("skills/tea-report/SKILL.md", &text);
    home.write("skills/tea-report/references/format.md", "The blend, then ` / `, then the sum.\n");
}

fn said(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("text, not {result}"))
}

#[test]
fn a_client_completes_a_task_with_a_skill_its_reference_and_three_real_servers() {
    let home = Home::new();
    let vault = Vault::open();
    skill(&home, &vault);
    fs::create_dir_all(home.path("reports")).unwrap();
    let serving = Serving::start(&home);
    run(
        &home,
        &["values", "set", "tea-report", "filesystem", "FOLDER", &home.path("reports").display().to_string()],
        "",
    );
    run(&home, &["secrets", "set", "tea-report", "vault", "VAULT_KEY"], KEY);
    for server in ["filesystem", "everything", "vault"] {
        agree(&home, server);
    }

    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    let offered = eventually("all three offer tools", || {
        let listed = client.call("tools/list", &json!({}));
        let names = listed["tools"].as_array()?.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned());
        let names: Vec<_> = names.collect();
        let has = |server: &str| names.iter().any(|name| name.starts_with(server));
        ["filesystem__", "everything__", "vault__"].into_iter().all(has).then_some(names)
    });
    assert!(offered.iter().all(|name| name.len() <= 46), "{offered:?}");

    let call = |client: &mut Lines, name: &str, arguments: Value| {
        client.call("tools/call", &json!({"name": name, "arguments": arguments}))
    };
    let skill = call(&mut client, "get_skill", json!({"id": "tea-report"}));
    assert!(said(&skill).contains("references/format.md"));
    assert_eq!(skill["content"].as_array().unwrap().len(), 1, "it is ready, so nothing is remarked: {skill}");
    let format = client.call("resources/read", &json!({"uri": "skill://tea-report/references/format.md"}));
    assert!(format["contents"][0]["text"].as_str().unwrap().contains(" / "));
    let blend = call(&mut client, "vault__blend", json!({"tea": "Fog"}));
    let sum = call(&mut client, "everything__get-sum", json!({"a": 2, "b": 3}));
    assert!(said(&sum).contains('5'), "{sum}");
    let report = format!("{} / {}", said(&blend), said(&sum));
    let path = home.path("reports/report.txt").display().to_string();
    let written = call(&mut client, "filesystem__write_file", json!({"path": path, "content": report}));
    assert_ne!(written["isError"], true, "{written}");
    let report = fs::read_to_string(home.path("reports/report.txt")).unwrap();
    assert!(report.starts_with("Fog: three parts oolong, one part fog / "), "{report}");
    let outside = call(&mut client, "filesystem__read_text_file", json!({"path": "/etc/passwd"}));
    assert_eq!(outside["isError"], true, "the folder that was given is the only one: {outside}");

    client.close();
    assert_eq!(serving.stop(), 0);
}

#[test]
fn the_python_client_uses_the_prompts_and_resources_of_a_real_server_and_answers_its_questions() {
    let home = Home::new();
    let program = given("SKILLTENDER_SERVERS").join("server-everything/dist/index.js");
    let server = format!("    command: {}\n    args: [{}]\n", given("SKILLTENDER_NODE").display(), program.display());
    let text = format!(
        "---\nname: tea-talk\ndescription: Talks of tea. Use when somebody wants to.\n\
         requires-mcp-servers:\n  - name: everything\n    description: Has all\n{server}---\n\nTalk.\n"
    );
    home.write("skills/tea-talk/SKILL.md", &text);
    let serving = Serving::start(&home);
    agree(&home, "everything");
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    eventually("its resources are listed", || {
        let listed = client.call("resources/templates/list", &json!({}));
        listed["resourceTemplates"].to_string().contains("demo://").then_some(())
    });
    client.close();

    for (mode, message) in
        [("legacy", Some("everything asks: Please provide inputs for the following fields:")), ("auto", None)]
    {
        let env = json!({"HOME": home.path("")});
        let args = json!(["mcp", "--client", "codex"]);
        let command = given("SKILLTENDER_PROGRAM");
        let visit = python_script("theirs.py", &json!({"mode": mode, "command": command, "args": args, "env": env}));
        let has = |list: &str, one: &str| visit[list].as_array().unwrap().contains(&json!(one));
        assert!(has("prompts", "init-skills") && has("prompts", "everything__simple-prompt"), "{visit}");
        assert_eq!(visit["prompt"], "What's weather in Paris, Texas?");
        assert!(has("resources", "skill://tea-talk/SKILL.md"), "{visit}");
        assert!(visit["resources"].to_string().contains("demo://resource/static/"), "{visit}");
        assert!(has("templates", "demo://resource/dynamic/text/{resourceId}"), "{visit}");
        assert!(visit["read"].as_str().unwrap().contains("Resource 7"), "{visit}");
        // Without a handshake the client cannot be asked during a call.
        assert_eq!(visit["asked"], message.map_or(json!([]), |message| json!([message])));
        assert_eq!(visit["said"].to_string().contains("Ada"), message.is_some(), "{visit}");
    }
    assert_eq!(serving.stop(), 0);
}
