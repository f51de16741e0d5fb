use super::*;
use crate::client;

fn read(id: &str, text: &str) -> Vec<Server> {
    servers(client(id).unwrap(), text.as_bytes()).unwrap()
}

fn program(command: &str, args: &[&str], env: &[&str]) -> Runs {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Runs::Program { command: command.to_owned(), args: owned(args), env: owned(env) }
}

/// The secrets found, as `kind name`.
fn secrets(server: &Server) -> Vec<String> {
    server.secrets.iter().map(|secret| format!("{:?} {}", secret.kind, secret.name)).collect()
}

#[test]
fn every_server_is_listed_with_its_place_and_without_its_values() {
    let text = r#"{
  "mcpServers": {
    "github": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-github@2025.4.8"],
               "env": {"GITHUB_TOKEN": "ghp_0123456789abcdef0123456789abcdef0123", "LOG": "debug"}},
    "off": {"command": "x", "disabled": true},
    "odd": 1
  }
}"#;
    let found = read("claude-desktop", text);
    assert_eq!(found[0].name, "github");
    assert_eq!(found[0].place.to_string(), "3:5");
    assert_eq!(
        found[0].runs,
        program("npx", &["-y", "@modelcontextprotocol/server-github@2025.4.8"], &["GITHUB_TOKEN", "LOG"])
    );
    assert_eq!(secrets(&found[0]), ["Variable GITHUB_TOKEN"]);
    assert!(!found[0].off && found[1].off);
    assert_eq!(found[2].runs, Runs::Unclear);
    assert!(!format!("{found:?}").contains("ghp_"));
}

#[test]
fn comments_and_trailing_commas_are_no_obstacle() {
    let text = "{\"servers\": { // mine\n\"a\": {\"command\": \"x\", \"args\": [\"1\", /* two */ \"2\",],},\n},}";
    assert_eq!(read("vscode", text)[0].runs, program("x", &["1", "2"], &[]));
}

#[test]
fn a_command_that_is_a_list_is_a_program_and_its_arguments() {
    let text = r#"{"mcp": {"a": {"type": "local", "command": ["bun", "x", "a"], "environment": {"A": "1"}, "enabled": false}}}"#;
    let found = read("opencode", text);
    assert_eq!(found[0].runs, program("bun", &["x", "a"], &["A"]));
    assert!(found[0].off);
}

#[test]
fn secrets_in_arguments_are_hidden_and_named_by_their_option() {
    let text = r#"{"mcpServers": {"a": {"command": "docker", "args": [
        "run", "--api-key", "hunter2-hunter2", "--token=abcdefgh", "-e", "DB_PASSWORD=correct horse", "-v", "/home:/home",
        "image@sha256:0123456789abcdef0123456789abcdef", "sk-0123456789abcdefghij"]}}}"#;
    let found = read("cursor", text);
    let args = [
        "run",
        "--api-key",
        "…",
        "--token=…",
        "-e",
        "DB_PASSWORD=…",
        "-v",
        "/home:/home",
        "image@sha256:0123456789abcdef0123456789abcdef",
        "…",
    ];
    assert_eq!(found[0].runs, program("docker", &args, &[]));
    assert_eq!(secrets(&found[0]), ["Argument api-key", "Argument token", "Argument DB_PASSWORD", "Argument "]);
}

#[test]
fn secrets_in_addresses_and_headers_are_hidden() {
    let text = r#"{"mcpServers": {"a": {
        "httpUrl": "https://ada:lovelace@mcp.example.com/s/k3yk3yk3yk3yk3yk3y/mcp?api_key=12345678&lang=en",
        "headers": {"Authorization": "Bearer abcdefgh", "X-Api-Key": "${KEY}", "Accept": "application/json"}}}}"#;
    let found = read("gemini-cli", text);
    let headers = ["Authorization", "X-Api-Key", "Accept"].map(str::to_owned).to_vec();
    let url = "https://…@mcp.example.com/s/…/mcp?api_key=…&lang=en".to_owned();
    assert_eq!(found[0].runs, Runs::Address { url, headers });
    assert_eq!(secrets(&found[0]), ["Address ada", "Address ", "Address api_key", "Header Authorization"]);
}

#[test]
fn what_the_client_fills_in_is_no_secret() {
    for value in [
        "${TOKEN}",
        "$TOKEN",
        "Bearer ${TOKEN}",
        "{env:TOKEN}",
        "%TOKEN%",
        "<your token>",
        "",
        "${{ secrets.T }}",
        "op://work/github/token",
        "env:TOKEN",
        "$(pass show github)",
        "YOUR_API_KEY_HERE",
        "your-api-key",
        "xxxxxxxxxxxx",
        "true",
        "12345",
    ] {
        assert!(!secrets::is_secret("TOKEN", value), "{value}");
    }
    for (name, value) in [
        ("PATH", "/usr/local/bin:/usr/bin"),
        ("KEYBOARD", "en_US.UTF-8"),
        ("MONKEY", "bananas bananas"),
        ("AUTH_URL", "https://login.example.com/start"),
        ("KEY_FILE", "/home/ada/key.pem"),
        ("TOKEN_PATH", "C:\\Users\\ada\\t"),
        ("GREETING", "good morning"),
    ] {
        assert!(!secrets::is_secret(name, value), "{name}");
    }
    for name in ["GITHUB_TOKEN", "apiKey", "OPENAI_API_KEY", "X-Auth", "APIKEY", "client-secrets"] {
        assert!(secrets::is_secret(name, "lovelace"), "{name}");
    }
    for value in [
        "ghp_abcdefghijkl",
        "github_pat_abcdefgh",
        "sk-abcdefghijkl",
        "xoxb-abcdefghijkl",
        "AKIAABCDEFGHIJKL",
        "glpat-abcdefgh",
    ] {
        assert!(secrets::is_secret("WHATEVER", value), "{value}");
    }
    assert!(secrets::is_secret("DATABASE_KEY", "postgres://ada:lovelace@localhost/db"));
}
