//! A skill with its own server, from import to a client's tool call: all by the command line, with a real server and
//! a real client.

use std::process::{Output, Stdio};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tests::{Home, Lines, Serving, eventually, given, python_script};

const CELLAR: &str = include_str!("servers/cellar.py");
const OURS: [&str; 2] = ["list_skills", "get_skill"];
const SECRET: &str = "canary-\"quoted\"-secret";

/// Writes a skill that needs the server, outside the library.
fn incoming(home: &Home, parameters: &str, env: &str) -> String {
    let python = given("SKILLTENDER_PYTHON");
    let text = format!(
        "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\n\
         requires-mcp-servers:\n  - name: stock\n    description: Knows the cellar\n    command: {}\n    \
         args: [server.py]\n{env}{parameters}---\n\nAsk the server.\n",
        python.display()
    );
    home.write("incoming/cellar/SKILL.md", &text);
    home.write("incoming/cellar/server.py", CELLAR);
    home.path("incoming/cellar").display().to_string()
}

const ENV: &str = "    env: {REGION: \"${REGION}\", TOKEN: \"${TOKEN}\"}\n";
const PARAMETERS: &str = "    parameters:\n      REGION: {description: Which cellar}\n      \
                          TOKEN: {description: Its key, sensitive: true}\n";

/// Runs the program without a terminal to ask at.
fn run(home: &Home, words: &[&str]) -> Output {
    let mut command = home.skilltender();
    command.env("STOCK_TOKEN", SECRET).args(words).stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = [output.stdout.as_slice(), &output.stderr].concat();
    assert!(!String::from_utf8_lossy(&said).contains("canary"), "a secret is never printed");
    output
}

fn code(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let output = run(home, words);
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

fn json_of(home: &Home, words: &[&str]) -> Value {
    let output = run(home, words);
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("JSON, not {text}"))
}

fn state(home: &Home) -> Value {
    json_of(home, &["servers", "--json"])[0]["state"]["kind"].clone()
}

fn tools(client: &mut Lines) -> Vec<String> {
    let listed = client.call("tools/list", &json!({}));
    let tools = listed["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// Whether a call of the tool is answered with a refusal.
fn is_refused(client: &mut Lines) -> bool {
    let asked = client.ask("tools/call", &json!({"name": "stock__count", "arguments": {}}));
    let answer = client.answer(asked);
    answer.get("error").is_some() || answer["result"]["isError"] == true
}

/// Decisions 32, 34, 38, 40
#[test]
fn a_server_runs_after_somebody_agreed_and_gets_its_value_and_its_secret() {
    let home = Home::new();
    let serving = Serving::start_with(&home, |command| command.env("CANARY", "not for servers"));
    let folder = incoming(&home, PARAMETERS, ENV);

    // Without values for its servers, it is not installed.
    let (said, why) = code(&home, &["install", &folder]);
    assert_eq!(said, Some(1), "{why}");
    assert!(why.contains("It needs REGION") && why.contains("It needs TOKEN") && why.contains("--with-mcp"), "{why}");
    assert!(!home.data().join("skills/cellar").exists());

    // With them it is installed, and waits for an approval.
    let given = ["--set", "REGION=north", "--secret-from-env", "TOKEN=STOCK_TOKEN"];
    let words = [&["install", &folder, "--with-mcp"], &given[..]].concat();
    let (said, why) = code(&home, &words);
    assert_eq!(said, Some(1), "{why}");
    assert!(why.contains("skilltender servers approve stock"), "{why}");
    assert!(home.data().join("skills/cellar/SKILL.md").exists());
    let secrets = json_of(&home, &["secrets", "list", "--json"]);
    assert_eq!((&secrets[0]["name"], &secrets[0]["state"]["kind"]), (&json!("TOKEN"), &json!("secret-stored")));
    assert_eq!(json_of(&home, &["values", "--json"])[0]["state"]["value"], "north");
    assert_eq!(state(&home), "needs-consent");

    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    assert_eq!(tools(&mut client), OURS);
    assert!(is_refused(&mut client));

    // Only what was shown is approved.
    let shown = json_of(&home, &["servers", "show", "stock", "--json"]);
    let digest = shown["digest"].as_str().unwrap();
    assert_eq!(shown["agreed"], false);
    assert_eq!(code(&home, &["servers", "approve", "stock"]).0, Some(3), "nobody is there to ask");
    assert_eq!(
        code(&home, &["servers", "approve", "stock", "--digest", &digest.replace(&digest[..3], "xyz")]).0,
        Some(3)
    );
    assert_eq!(state(&home), "needs-consent");
    let (said, why) = code(&home, &["servers", "approve", "stock", "--digest", digest]);
    assert_eq!(said, Some(0), "{why}");

    // It runs, and a client has its tool.
    eventually("the server runs", || (state(&home) == "running").then_some(()));
    eventually("its tool is offered", || tools(&mut client).contains(&"stock__count".to_owned()).then_some(()));
    for mode in ["legacy", "auto"] {
        let target = json!({
            "mode": mode,
            "command": tests::given("SKILLTENDER_PROGRAM"),
            "args": ["mcp", "--client", "codex"],
            "env": {"HOME": home.path("")},
            "tool": "stock__count",
        });
        let visit = python_script("call.py", &target);
        assert!(visit["tools"].as_array().unwrap().contains(&json!("stock__count")), "{visit}");
        let inside: Value = serde_json::from_str(visit["text"].as_str().unwrap()).unwrap();
        let token: String = Sha256::digest(SECRET).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((&inside["region"], &inside["token"]), (&json!("north"), &json!(token)));
        assert_eq!(inside["foreign"], Value::Null, "nothing of our own environment gets there");
    }

    let (_, tools_in_words) = code(&home, &["servers", "tools", "stock"]);
    assert!(tools_in_words.contains("stock__count  Counts the tea"), "{tools_in_words}");
    assert!(code(&home, &["servers", "log", "stock"]).1.contains("the cellar is open"));

    // A tool that is switched off is not offered.
    assert_eq!(code(&home, &["servers", "switch", "stock", "count", "off"]).0, Some(0));
    eventually("its tool is gone", || (tools(&mut client) == OURS).then_some(()));
    assert_eq!(code(&home, &["servers", "switch", "stock", "count", "on"]).0, Some(0));
    eventually("its tool is back", || tools(&mut client).contains(&"stock__count".to_owned()).then_some(()));

    // Revoking the approval ends it.
    assert_eq!(code(&home, &["servers", "revoke", "stock"]).0, Some(0));
    assert!(is_refused(&mut client));
    assert_eq!(state(&home), "needs-consent");
    for file in ["choices.json", "values.json", "approvals.json"] {
        let text = std::fs::read_to_string(home.data().join(file)).unwrap_or_default();
        assert!(!text.contains("canary"), "{file} holds a secret");
    }
    assert_eq!(client.close().code(), Some(0));
    assert_eq!(serving.stop(), 0);
}

/// Decision 40
#[test]
fn an_entry_of_its_own_becomes_the_server_that_was_agreed_to() {
    let home = Home::new();
    let folder = incoming(&home, "", "");
    let (said, why) = code(&home, &["install", &folder, "--with-mcp", "--direct"]);
    assert_eq!(said, Some(1), "{why}");
    assert!(why.contains("\"run\""), "an entry for the client's file is shown: {why}");

    let (said, why) = code(&home, &["run", "stock"]);
    assert_eq!((said, why.lines().count()), (Some(3), 1), "{why}");
    assert!(why.contains("has not approved"), "{why}");

    let shown = json_of(&home, &["servers", "show", "stock", "--json"]);
    let digest = shown["digest"].as_str().unwrap();
    let (said, why) = code(&home, &["servers", "approve", "stock", "--digest", digest]);
    assert_eq!(said, Some(0), "{why}");
    let mut command = home.skilltender();
    let mut server = Lines::initialized(command.env("CANARY", "not for servers").args(["run", "stock"]));
    let called = server.call("tools/call", &json!({"name": "count", "arguments": {}}));
    let inside: Value = serde_json::from_str(called["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(inside["process"], server.id(), "the process is the server");
    assert_eq!(inside["foreign"], Value::Null);
    assert_eq!(server.close().code(), Some(0));

    // A changed program under the same name needs a new approval.
    std::fs::write(home.data().join("skills/cellar/server.py"), "print('something else')\n").unwrap();
    assert_eq!(code(&home, &["run", "stock"]).0, Some(3));
    let (_, shown) = code(&home, &["servers", "show", "stock"]);
    assert!(shown.contains("changed since it was approved"), "{shown}");
}

/// Decision 34, the dependency plan
#[test]
fn a_server_that_a_client_has_already_counts_as_there() {
    let home = Home::new();
    let folder = incoming(&home, PARAMETERS, ENV);
    home.write(".cursor/mcp.json", r#"{"mcpServers": {"stock": {"command": "stock-server"}}}"#);
    let why = json_of(&home, &["install", &folder, "--client", "claude-code", "--json"]);
    assert_eq!(
        (&why["installed"], &why["missing"][0]["server"]),
        (&json!(false), &json!("stock")),
        "it is not that client's"
    );
    assert_eq!(code(&home, &["install", &folder, "--client", "nobody"]).0, Some(2));
    assert_eq!(code(&home, &["install", &folder, "--set", "TOKEN=1"]).0, Some(2));

    let done = json_of(&home, &["install", &folder, "--client", "cursor", "--yes", "--json"]);
    assert_eq!((&done["installed"], &done["skill"]), (&json!(true), &json!("own/cellar")));
    let entry = std::fs::read_to_string(home.path(".cursor/mcp.json")).unwrap();
    assert!(entry.contains("skilltender") && entry.contains("stock-server"), "the client is connected: {entry}");
    assert!(code(&home, &["list"]).1.contains("on   cellar"));
}

#[test]
fn a_secret_from_standard_input_is_stored_where_one_can_be_kept_and_nowhere_else() {
    use std::io::Write as _;

    let home = Home::new();
    home.write("skills/cellar/SKILL.md", &{
        let folder = incoming(&home, PARAMETERS, ENV);
        std::fs::read_to_string(std::path::Path::new(&folder).join("SKILL.md")).unwrap()
    });
    let set = |words: &[&str]| {
        let mut command = home.skilltender();
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"canary\n").unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (said, why) = set(&["secrets", "set", "cellar", "stock", "TOKEN"]);
    assert_eq!(said, Some(3), "{why}");
    assert!(why.contains("No keychain answers") && !why.contains("canary"), "{why}");

    let _serving = Serving::start(&home);
    let (said, why) = set(&["secrets", "set", "cellar", "stock", "TOKEN"]);
    assert_eq!(said, Some(0), "{why}");
    assert!(why.contains("until Skilltender quits") && !why.contains("canary"), "{why}");
    let (_, listed) = code(&home, &["secrets"]);
    assert!(listed.contains("stock  TOKEN  in memory until Skilltender quits"), "{listed}");
    assert_eq!(set(&["secrets", "set", "cellar", "stock", "TOKE"]).0, Some(3), "nobody asks for this one");
    assert_eq!(code(&home, &["secrets", "delete", "cellar", "stock", "TOKEN"]).0, Some(0));
    assert!(code(&home, &["secrets"]).1.contains("stock  TOKEN  missing"));
}

#[test]
fn a_refused_install_leaves_nothing_behind() {
    let home = Home::new();
    let folder = incoming(&home, PARAMETERS, ENV);
    let words = ["install", &folder, "--yes", "--with-mcp", "--set", "REGION=north", "--secret-from-env"];
    let refused = |token: &str, client: &[&str]| {
        let mut command = home.skilltender();
        let output = command.env("A_TOKEN", token).args(words).arg("TOKEN=A_TOKEN").args(client).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!home.data().join("skills/cellar").exists());
        assert_eq!(json_of(&home, &["trash", "--json"]), json!([]));
        assert_eq!(json_of(&home, &["values", "--json"]), json!([]));
    };
    refused(&"longer than any program can be given ".repeat(3_000), &[]);
    home.write(".claude.json", "{ broken");
    refused("a token", &["--client", "claude-code"]);
}
