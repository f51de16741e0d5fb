//! Plain-text secrets move from a client's file to the keychain: the client's servers start through Skilltender, no
//! file keeps a secret, and undo restores every byte.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use api::{ClientChange, DiffSign, ErrorKind, LastChange, ServerState, Standing};
use machine::{KeychainKind, Machine};
use secrets::keychain::stand_in;

use super::home::{ADD, CLIENT, Home, UNDO};
use crate::{
    actions,
    direct::{self, Direct},
};

const RESCUE: ClientChange = ClientChange::Rescue { file: None };

/// The file of the program that starts servers.
const NPX: &str = if cfg!(windows) { "npx.cmd" } else { "npx" };

/// A unique secret: all tests share one keychain.
fn secret() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("ghp_c4n4ry{:026}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A home with a keychain and a program `npx`, whose client has a file that holds `text`.
async fn home(client: &str, text: &str) -> Home {
    let home = Home::with(|machine| {
        let programs = machine.home.join("bin");
        fs::create_dir_all(&programs).unwrap();
        fs::write(programs.join(NPX), "#!/bin/sh\nenv\n").unwrap();
        executable(&programs.join(NPX));
        fs::create_dir_all(&machine.data).unwrap();
        // The login shell of the user who runs the tests is not asked.
        fs::write(machine.data.join("login-path.json"), r#"{"version": 1, "folders": []}"#).unwrap();
        Machine { keychain: KeychainKind::StandIn, search: vec![programs], ..machine }
    })
    .await;
    home.give(client, text);
    home.look(client).await;
    home
}

fn executable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let _ = path;
}

/// Every file below a folder that holds `text`.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(holding(&path, text));
        } else if kind.is_file() && fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
            found.push(path);
        }
    }
    found
}

fn is_in_keychain(secret: &str) -> bool {
    stand_in::values().iter().any(|value| value == secret.as_bytes())
}

/// A file of each kind with a secret in it.
fn files(secret: &str) -> Vec<(&'static str, String)> {
    let json = r#"{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "server-github@1.0.0"],
      "env": {"GITHUB_TOKEN": "SECRET", "LOG": "debug"}
    }
  }
}
"#;
    let jsonc = "{ // mine\n\t\"servers\": {\n\t\t\"github\": { \"command\": \"npx\", \"env\": { \"GITHUB_TOKEN\": \"SECRET\" } }, // SECRET, for now\n\t},\n}\n";
    let toml = "model = \"o\"\n\n[mcp_servers.github]\ncommand = \"npx\"\n\n[mcp_servers.github.env]\nGITHUB_TOKEN = \"SECRET\"\n";
    let yaml = "extensions:\n  github:\n    type: stdio\n    cmd: npx\n    args: [-y]\n    envs:\n      GITHUB_TOKEN: SECRET\n    enabled: true\n";
    let files = [("claude-desktop", json), ("vscode", jsonc), ("codex", toml), ("goose", yaml)];
    files.map(|(client, text)| (client, text.replace("SECRET", secret))).to_vec()
}

#[tokio::test]
async fn a_secret_goes_from_the_file_to_the_keychain_and_undoing_gives_every_byte_back() {
    let secret = secret();
    for (client, text) in files(&secret) {
        let home = home(client, &text).await;
        assert_eq!(home.client_of(client).plain, 1, "{client}");
        let plan = home.plan(client, RESCUE).await.unwrap();
        assert!(!serde_json::to_string(&plan).unwrap().contains(&secret), "{client}: {plan:?}");
        assert!(plan.lines.iter().any(|line| line.text.contains("•••") && line.sign == DiffSign::Removed), "{client}");
        assert_eq!((plan.moves[0].server.as_str(), plan.moves[0].name.as_str()), ("github", "GITHUB_TOKEN"));

        home.make(client, RESCUE).await.unwrap();
        assert!(is_in_keychain(&secret), "{client}");
        let left = holding(&home.engine.machine().home, &secret);
        // The user's comments are left alone.
        let comment = if client == "vscode" { vec![home.file_of(client)] } else { Vec::new() };
        assert_eq!(left, comment, "{client}");
        assert!(home.text_of(client).contains(&format!("github@{client}")), "{client}");
        assert_eq!(home.client_of(client).plain, 0, "{client}");
        assert!(matches!(home.client_of(client).undo, Some(LastChange { moved: 1, .. })), "{client}");

        let plan = home.plan(client, UNDO).await.unwrap();
        assert!(!serde_json::to_string(&plan).unwrap().contains(&secret), "{client}: {plan:?}");
        home.make(client, UNDO).await.unwrap();
        assert_eq!(home.text_of(client), text, "{client}");
        assert!(!is_in_keychain(&secret), "{client}");
        assert_eq!(holding(&home.engine.machine().home, &secret), [home.file_of(client)], "{client}");
        assert_eq!(home.client_of(client).undo, None, "{client}");
        assert_eq!(actions::list_servers(&home.engine).await, [], "{client}");
        assert_eq!(home.plan(client, UNDO).await.unwrap_err().kind, ErrorKind::NotFound, "{client}");
    }
}

#[tokio::test]
async fn moving_is_agreeing_and_the_server_is_started_as_it_was() {
    let secret = secret();
    let (client, text) = files(&secret).remove(0);
    let home = home(client, &text).await;
    home.make(client, RESCUE).await.unwrap();
    let servers = actions::list_servers(&home.engine).await;
    assert_eq!((servers[0].name.as_str(), &servers[0].state), ("github@claude-desktop", &ServerState::Resting));
    assert_eq!(servers[0].client.as_deref(), Some("claude-desktop"));

    let machine = home.engine.machine().as_ref().clone();
    let prepared = direct::prepare(machine.clone(), "github@claude-desktop").await;
    let Ok(Direct::Program(command)) = prepared else { panic!("it is a program") };
    assert_eq!(command.get_program(), machine.home.join("bin").join(NPX));
    assert_eq!(command.get_args().collect::<Vec<_>>(), ["-y", "server-github@1.0.0"]);
    assert_eq!(command.get_current_dir(), None, "it runs where the client starts it");
    let given = |name: &str| {
        let mut envs = command.get_envs();
        envs.find(|(given, _)| *given == name).and_then(|(_, value)| Some(value?.to_str()?.to_owned()))
    };
    assert_eq!((given("GITHUB_TOKEN"), given("LOG")), (Some(secret), Some("debug".to_owned())));

    // If another program takes its place, approval is asked for again.
    let other = machine.home.join("bin0");
    fs::create_dir_all(&other).unwrap();
    fs::copy(machine.home.join("bin").join(NPX), other.join(NPX)).unwrap();
    let elsewhere = Machine { search: vec![other], ..machine };
    let why = direct::prepare(elsewhere, "github@claude-desktop").await.err().unwrap().to_string();
    assert!(why.contains("has not approved"), "{why}");
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_shown_is_left_alone() {
    let secret = secret();
    let (client, text) = files(&secret).remove(0);
    let home = home(client, &text).await;
    let plan = home.plan(client, RESCUE).await.unwrap();
    let edited = text.replace("debug", "info");
    home.give(client, &edited);
    let refused = actions::change_client(&home.engine, client, RESCUE, &plan.id).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Changed);
    assert_eq!(home.text_of(client), edited);
    assert!(!is_in_keychain(&secret));
    assert_eq!(actions::list_servers(&home.engine).await, []);
}

#[tokio::test]
async fn what_somebody_edited_since_stays_when_the_secrets_come_back() {
    let secret = secret();
    let (client, text) = files(&secret).remove(0);
    let home = home(client, &text).await;
    home.make(client, RESCUE).await.unwrap();
    home.give(client, home.text().replacen("{\n", "{\n  \"theme\": \"dark\",\n", 1));
    home.make(client, UNDO).await.unwrap();
    assert!(home.text().contains("\"theme\": \"dark\"") && home.text().contains(&secret), "{}", home.text());
    assert!(home.text().contains("\"npx\"") && !home.text().contains("github@claude"), "{}", home.text());
    assert!(!is_in_keychain(&secret));
}

#[tokio::test]
async fn older_copies_of_the_file_lose_the_secret_and_our_own_entry_stays_ours() {
    let secret = secret();
    let (client, text) = files(&secret).remove(0);
    let home = home(client, &text).await;
    home.connect().await.unwrap();
    let connected = home.text();
    home.make(CLIENT, RESCUE).await.unwrap();
    assert_eq!(home.client().standing, Standing::Added);
    assert_eq!(holding(&home.engine.machine().home, &secret), [""; 0].map(PathBuf::from));
    home.make(CLIENT, UNDO).await.unwrap();
    assert_eq!((home.text(), home.client().standing), (connected, Standing::Added));
    home.make(CLIENT, UNDO).await.unwrap();
    assert_eq!((home.text(), home.client().standing), (text, Standing::Absent));
    home.make(client, ADD).await.unwrap();
    home.make(client, RESCUE).await.unwrap();
    home.disconnect().await.unwrap();
    assert!(home.text().contains("github@") && !home.text().contains("\"mcp\""), "{}", home.text());
}

#[tokio::test]
async fn without_a_keychain_nothing_is_moved() {
    let secret = secret();
    let (client, text) = files(&secret).remove(0);
    let home = home(client, &text).await.again(|machine| Machine { keychain: KeychainKind::None, ..machine }).await;
    let refused = home.make(client, RESCUE).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Keychain);
    assert!(refused.message.contains("No keychain answers"), "{}", refused.message);
    assert_eq!(home.text(), text);
    assert_eq!(actions::list_servers(&home.engine).await, []);
    assert!(home.journal().is_empty());
}

#[tokio::test]
async fn what_cannot_be_moved_stays_and_says_why() {
    let text = r#"{"mcpServers": {
        "far": {"url": "https://x.example/sse", "headers": {"Authorization": "Bearer abcdefgh1"}},
        "near": {"command": "npx", "env": {"API_KEY": "k-1234567"}},
        "lost": {"command": "nowhere", "env": {"API_KEY": "l-1234567"}}}}"#;
    let home = home("cursor", text).await;
    let plan = home.plan("cursor", RESCUE).await.unwrap();
    assert_eq!(plan.moves.iter().map(|moved| moved.server.as_str()).collect::<Vec<_>>(), ["near"]);
    let stays: Vec<_> = plan.stays.iter().map(|stays| (stays.server.as_str(), stays.names.join(" "))).collect();
    assert_eq!(stays, [("far", "Authorization".to_owned()), ("lost", "API_KEY".to_owned())]);
    assert_eq!(plan.stays[1].why, "Its program nowhere was not found on this computer.");
    home.make("cursor", RESCUE).await.unwrap();
    let refused = home.plan("cursor", RESCUE).await.unwrap_err();
    assert!(refused.message.contains("can be moved") && refused.hints.len() == 2, "{refused:?}");
}

#[tokio::test]
async fn a_secret_that_was_moved_can_be_replaced() {
    let secret = secret();
    let (client, text) = files(&secret).remove(0);
    let home = home(client, &text).await;
    home.make(client, RESCUE).await.unwrap();
    let (key, server) = ("client/claude-desktop", "github@claude-desktop");
    let newer = format!("{secret}-newer");
    actions::set_secret(&home.engine, key, server, "GITHUB_TOKEN", newer.clone()).await.unwrap();
    assert!(is_in_keychain(&newer) && !is_in_keychain(&secret));
    let needs = actions::read_needs(&home.engine);
    assert_eq!((needs[0].key.as_str(), needs[0].needs[0].server.as_str()), (key, server));
    let unknown = actions::set_secret(&home.engine, key, server, "OTHER", newer.clone()).await;
    assert_eq!(unknown.unwrap_err().kind, ErrorKind::NotFound);

    // The newer value is put back.
    home.make(client, UNDO).await.unwrap();
    assert!(home.text().contains(&newer) && home.text().contains("\"npx\""), "{}", home.text());
    assert!(!is_in_keychain(&newer) && home.client_of(client).undo.is_none());
}

#[tokio::test]
async fn keys_that_are_in_the_keychain_only_are_put_back_before_everything_is_taken_out() {
    let secret = secret();
    for (client, text) in files(&secret) {
        let home = home(client, &text).await;
        home.make(client, RESCUE).await.unwrap();
        let rescued = home.text_of(client);
        let planned = actions::plan_uninstall(&home.engine).await.unwrap();
        assert_eq!((planned.keys_of.as_slice(), planned.entries.len()), (&[client.to_owned()][..], 0), "{planned:?}");
        assert!(planned.stays.iter().any(|said| said.contains(&format!("skilltender undo {client}"))), "{planned:?}");
        let refused = actions::uninstall(&home.engine, &planned.id, true).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Refused);
        assert!(is_in_keychain(&secret), "{client}");
        assert_eq!(actions::uninstall(&home.engine, &planned.id, false).await.unwrap(), [""; 0], "{client}");
        assert_eq!(home.text_of(client), rescued, "{client}");

        home.make(client, UNDO).await.unwrap();
        home.make(client, ADD).await.unwrap();
        let planned = actions::plan_uninstall(&home.engine).await.unwrap();
        assert_eq!((planned.keys_of.len(), planned.entries.len()), (0, 1), "{planned:?}");
        assert_eq!(actions::uninstall(&home.engine, &planned.id, true).await.unwrap(), [""; 0], "{client}");
        assert_eq!(home.text_of(client), text, "{client}");
    }
}
