//! Entries with secrets in plain text become entries that run our program: nothing else changes, and no part of the
//! secrets is left.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails at once")]

use clients::{Entry, Moved, Rescuable, Stays, client, put_back, rescuable, rescue, secret_ranges};

const TOKEN: &str = "ghp_0123456789abcdef0123456789abcdef0123";

fn ours() -> Entry {
    let args = ["run", "github@x"].map(str::to_owned).to_vec();
    Entry::Stdio { command: "/usr/bin/skilltender".to_owned(), args }
}

fn read(id: &str, text: &str) -> Vec<Rescuable> {
    rescuable(client(id).unwrap(), text.as_bytes()).unwrap()
}

fn why(id: &str, text: &str) -> Stays {
    read(id, text).remove(0).moves.unwrap_err()
}

fn rescued(id: &str, text: &str) -> String {
    let bytes = rescue(client(id).unwrap(), text.as_bytes(), "github", &ours()).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn with(text: &str) -> String {
    text.replace("TOKEN-HERE", TOKEN)
}

/// The file of each kind before and after.
fn files() -> Vec<(&'static str, String, &'static str)> {
    vec![
        (
            "claude-desktop",
            with(
                r#"{
  "theme": "dark",
  "mcpServers": {
    "a": {"command": "x", "env": {"API_KEY": "k-1234567"}},
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github@2025.4.8"],
      "env": {
        "GITHUB_TOKEN": "TOKEN-HERE",
        "LOG": "debug"
      },
      "disabled": false
    }
  }
}
"#,
            ),
            r#"{
  "theme": "dark",
  "mcpServers": {
    "a": {"command": "x", "env": {"API_KEY": "k-1234567"}},
    "github": {
      "command": "/usr/bin/skilltender",
      "args": ["run", "github@x"],
      "disabled": false
    }
  }
}
"#,
        ),
        (
            "vscode",
            with(
                r#"{ // mine
	"servers": {
		/* for pull requests */
		"github": { "type": "stdio", "command": "npx", "env": { "GITHUB_TOKEN": "TOKEN-HERE", /* soon old */ }, "dev": { "watch": "**" } }, // last
	},
}"#,
            ),
            r#"{ // mine
	"servers": {
		/* for pull requests */
		"github": { "type": "stdio", "command": "/usr/bin/skilltender", "dev": { "watch": "**" }, "args": ["run", "github@x"] }, // last
	},
}"#,
        ),
        (
            "codex",
            with(
                "model = \"o\" # mine\r\n\r\n[mcp_servers.github]\r\ncommand = \"npx\"\r\nargs = [\"-y\", \"s\"]\r\nstartup_timeout_sec = 2.5 # slow\r\n\r\n[mcp_servers.github.env]\r\nGITHUB_TOKEN = \"TOKEN-HERE\"\r\n\r\n[tui]\r\ntheme = 1\r\n",
            ),
            "model = \"o\" # mine\r\n\r\n[mcp_servers.github]\r\ncommand = \"/usr/bin/skilltender\"\r\nargs = [\"run\", \"github@x\"]\r\nstartup_timeout_sec = 2.5 # slow\r\n\r\n\r\n[tui]\r\ntheme = 1\r\n",
        ),
        (
            "goose",
            with(
                "# mine\nextensions:\n  github:\n    type: stdio\n    cmd: npx\n    args:\n      - -y\n      - s\n    envs:\n      GITHUB_TOKEN: TOKEN-HERE\n    env_keys: []\n    timeout: 7\n    enabled: true\n  other:\n    type: builtin\n",
            ),
            "# mine\nextensions:\n  github:\n    type: stdio\n    cmd: /usr/bin/skilltender\n    args:\n      - run\n      - 'github@x'\n    envs: {}\n    env_keys: []\n    timeout: 7\n    enabled: true\n  other:\n    type: builtin\n",
        ),
        (
            "opencode",
            with(
                r#"{"mcp": {"github": {"type": "local", "command": ["npx", "s"], "environment": {"GITHUB_TOKEN": "TOKEN-HERE"}, "enabled": true}}}"#,
            ),
            r#"{"mcp": {"github": {"type": "local", "command": ["/usr/bin/skilltender", "run", "github@x"], "enabled": true}}}"#,
        ),
    ]
}

#[test]
fn an_entry_runs_our_program_afterwards_and_every_other_byte_stays() {
    for (id, before, after) in files() {
        assert_eq!(rescued(id, &before), after, "{id}");
    }
}

#[test]
fn what_can_be_moved_is_found_with_its_place_and_told_without_its_value() {
    for (id, before, _) in files() {
        let found = read(id, &before);
        let github = found.iter().find(|found| found.server.name == "github").unwrap();
        let moves = github.moves.as_ref().unwrap();
        assert!(matches!(&moves.runs, Moved::Program { command, .. } if command == "npx"), "{id}");
        assert_eq!(moves.secrets.len(), 1, "{id}");
        assert_eq!(moves.secrets[0].name, "GITHUB_TOKEN", "{id}");
        assert_eq!(&before[moves.secrets[0].at.clone()], TOKEN, "{id}");
        assert!(!format!("{found:?}").contains("ghp_"), "{id}");
    }
    let (_, before, _) = files().remove(0);
    let moves = read("claude-desktop", &before).remove(1).moves.unwrap();
    assert_eq!(moves.secrets[0].place.to_string(), "9:26");
    let Moved::Program { env, .. } = moves.runs else { panic!("a program") };
    assert_eq!(env, [("LOG".to_owned(), "debug".to_owned())].into());
}

#[test]
fn what_was_moved_is_put_back_where_others_edited_the_file_meanwhile() {
    for (id, before, _) in files() {
        let edited = rescued(id, &before).replace("true", "false").replace("mine", "ours");
        let client = client(id).unwrap();
        let back = put_back(client, edited.as_bytes(), "github", &ours(), before.as_bytes()).unwrap();
        let back = String::from_utf8(back).unwrap();
        let moves = read(id, &back).into_iter().find(|found| found.server.name == "github").unwrap().moves;
        let was = read(id, &before).into_iter().find(|found| found.server.name == "github").unwrap().moves;
        let said = |moves: Result<clients::Moves, Stays>| moves.map(|moves| (moves.runs, moves.secrets.len())).unwrap();
        assert_eq!(said(moves), said(was), "{id}: {back}");
        assert!(back.contains(TOKEN) && !back.contains("mine"), "{id}: {back}");
    }
}

#[test]
fn an_entry_that_somebody_led_elsewhere_is_not_put_back() {
    let (id, before, after) = files().remove(0);
    let edited = after.replace("github@x", "other");
    assert!(put_back(client(id).unwrap(), edited.as_bytes(), "github", &ours(), before.as_bytes()).is_err());
}

#[test]
fn what_could_not_be_started_through_us_stays_and_says_why() {
    let server = |fields: &str| format!(r#"{{"mcpServers": {{"github": {{{fields}}}}}}}"#);
    let key = r#""env": {"API_KEY": "k-1234567"}"#;
    for (fields, reason) in [
        (
            r#""url": "https://x.example/?api_key=abcdefgh1", "headers": {"Authorization": "Bearer abcdefgh"}"#
                .to_owned(),
            Stays::Address,
        ),
        (r#""url": "https://x.example/sse", "headers": {"Authorization": "Bearer abcdefgh"}"#.to_owned(), Stays::Older),
        (
            r#""type": "sse", "url": "https://x.example", "headers": {"Authorization": "Bearer abcdefgh"}"#.to_owned(),
            Stays::Older,
        ),
        (
            r#""url": "https://x.example", "headers": {"X-Api-Key": "abcdefgh1", "X-Team": "${TEAM}"}"#.to_owned(),
            Stays::Reference,
        ),
        (format!(r#""command": "x", "args": ["--token=abcdefgh1"], {key}"#), Stays::Argument),
        (format!(r#""command": "x", "args": ["${{HOME}}/x"], {key}"#), Stays::Reference),
        (format!(r#""command": "./x", {key}"#), Stays::Relative),
        (format!(r#""command": "x", "envFile": ".env", {key}"#), Stays::PassedOn("envFile")),
        (format!(r#""command": ["x"], {key}"#), Stays::Form),
        (format!(r#""command": "x", "args": "y", {key}"#), Stays::Form),
        (r#""command": "x", "env": {"API_KEY": "k-1234567", "PORT": 80}"#.to_owned(), Stays::Form),
        (
            "\"command\": \"x\", \"env\": {\"API_KEY\": \"k-\\u0031234567\"}".to_owned(),
            Stays::Escaped("API_KEY".to_owned()),
        ),
    ] {
        assert_eq!(why("cursor", &server(&fields)), reason, "{fields}");
    }
    let twice = r#"{"mcpServers": {"github": {"command": "x", "env": {"API_KEY": "k-1234567"}}, "github": {}}}"#;
    assert_eq!(why("cursor", twice), Stays::Form);
    let ours = r#"{"mcpServers": {"skilltender": {"command": "x", "env": {"API_KEY": "k-1234567"}}}}"#;
    assert_eq!(read("cursor", ours), []);
}

#[test]
fn the_place_of_every_secret_is_known_so_that_a_text_can_be_shown_without_them() {
    let text = r#"{"mcpServers": {
        "a": {"command": "x", "args": ["--token", "abcdefgh1"], "env": {"API_KEY": "k-1234567", "LOG": "debug"}},
        "b": {"url": "https://x.example/?key=l-1234567", "headers": {"Authorization": "Bearer m-1234567"}},
        "c": {"command": "x", "env": {"API_KEY": "k-1234567", "KEY_2": "n-\u0031234567"}}}}"#;
    let mut shown = text.to_owned();
    for range in secret_ranges(client("cursor").unwrap(), text.as_bytes()).unwrap().into_iter().rev() {
        shown.replace_range(range, "•");
    }
    for value in ["abcdefgh1", "k-1", "l-1", "m-1", "234567"] {
        assert!(!shown.contains(value), "{shown}");
    }
    assert!(shown.contains("debug") && shown.contains("x.example"), "{shown}");
}

/// Entries of servers at an address: the client, its entry, and the entry afterwards.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "cursor",
        r#"{"mcpServers": {"github": {"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer TOKEN-HERE", "X-Team": "tea"}, "autoApprove": ["a"]}}}"#,
        r#"{"mcpServers": {"github": {"autoApprove": ["a"], "command": "/usr/bin/skilltender", "args": ["run", "github@x"]}}}"#,
    ),
    (
        "vscode",
        r#"{"servers": {"github": {"type": "http", "url": "https://x.example/mcp", "headers": {"X-Api-Key": "TOKEN-HERE"}}}}"#,
        r#"{"servers": {"github": {"type": "stdio", "command": "/usr/bin/skilltender", "args": ["run", "github@x"]}}}"#,
    ),
    (
        "codex",
        "[mcp_servers.github]\nurl = \"https://x.example/mcp\"\nstartup_timeout_sec = 9\nhttp_headers = { Authorization = \"Bearer TOKEN-HERE\" }\n",
        "[mcp_servers.github]\ncommand = \"/usr/bin/skilltender\"\nargs = [\"run\", \"github@x\"]\nenv_vars = [\"DBUS_SESSION_BUS_ADDRESS\", \"XDG_RUNTIME_DIR\"]\nstartup_timeout_sec = 9\n",
    ),
];

#[test]
fn a_server_at_an_address_is_reached_through_us_afterwards_and_can_be_put_back() {
    for (id, before, after) in ELSEWHERE {
        let before = with(before);
        let moves = read(id, &before).remove(0).moves.unwrap();
        assert!(matches!(&moves.runs, Moved::Address { url, .. } if url == "https://x.example/mcp"), "{id}");
        let secret = &moves.secrets[0];
        assert_eq!(&before[secret.at.clone()], TOKEN, "{id}");
        assert_eq!(secret.before, if secret.name == "Authorization" { "Bearer " } else { "" }, "{id}");
        let moved = rescued(id, &before);
        assert_eq!(moved, *after, "{id}");

        let client = client(id).unwrap();
        let back = put_back(client, moved.as_bytes(), "github", &ours(), before.as_bytes()).unwrap();
        let back = String::from_utf8(back).unwrap();
        assert_eq!(read(id, &back).remove(0).moves.unwrap().runs, moves.runs, "{id}: {back}");
        assert!(back.contains(TOKEN), "{id}: {back}");
    }
}
