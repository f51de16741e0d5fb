//! A secret key in a client's own file: the command line moves it to a real keychain, and the server of the client's
//! own entry gets it.
//!
//! A keychain belongs to a session, so the test runs twice: the outer run starts a new session, the inner run is the
//! test.

use std::{
    env, fs,
    io::Write as _,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tests::{Home, given, python_script};

use crate::gateway::{KEY, Vault};

const INSIDE: &str = "SKILLTENDER_INSIDE_A_SESSION";
const CELLAR: &str = include_str!("servers/cellar.py");
const SECRET: &str = "canary-0123456789abcdef";

#[test]
fn a_key_that_was_moved_reaches_the_server_that_the_clients_own_entry_starts() {
    if env::var_os(INSIDE).is_none() {
        let keyring = tempfile::tempdir().unwrap();
        let mut session = Command::new("dbus-run-session");
        session.arg("--").arg(env::current_exe().unwrap());
        session.args(["a_key_that_was_moved_reaches", "--nocapture"]).env(INSIDE, "1").env("HOME", keyring.path());
        let output = session.output().expect("dbus-run-session is installed (`cargo xtask test` sees to it)");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    start_keyring();
    let home = Home::new();
    home.write("cellar.py", CELLAR);
    let vault = Vault::open();
    let text = format!(
        "{{\n  \"mcpServers\": {{\n    \"stock\": {{\n      \"command\": {},\n      \"args\": [{}],\n      \"env\": {{\"REGION\": \"north\", \"TOKEN\": \"{SECRET}\"}}\n    }},\n    \"vault\": {{\"url\": \"http://127.0.0.1:{}/mcp\", \"headers\": {{\"Authorization\": \"Bearer {KEY}\"}}}}\n  }}\n}}\n",
        json!(given("SKILLTENDER_PYTHON")),
        json!(home.path("cellar.py")),
        vault.port,
    );
    home.write(".cursor/mcp.json", &text);

    let (code, said) = run(&home, &["secrets", "rescue", "--dry-run"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("TOKEN of stock (6:44) moves to the keychain") && said.contains("\"•••\""), "{said}");
    assert_eq!(fs::read_to_string(home.path(".cursor/mcp.json")).unwrap(), text);
    let (code, said) = run(&home, &["secrets", "rescue", "cursor", "--yes"]);
    assert_eq!(code, Some(0), "{said}");

    // What Cursor does with its file.
    let file: Value = serde_json::from_slice(&fs::read(home.path(".cursor/mcp.json")).unwrap()).unwrap();
    let entry = &file["mcpServers"]["stock"];
    assert!(!file.to_string().contains("canary") && entry.get("env").is_none(), "{file}");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let call = |entry: &Value, mode: &str, tool: &str, arguments: Value| {
        let target = json!({
            "mode": mode, "command": entry["command"], "args": entry["args"], "tool": tool, "arguments": arguments,
            "env": {
                "HOME": home.path(""), "PATH": variable("PATH"), "CANARY": "not for servers",
                "DBUS_SESSION_BUS_ADDRESS": variable("DBUS_SESSION_BUS_ADDRESS"),
            },
        });
        python_script("call.py", &target)["text"].as_str().unwrap().to_owned()
    };
    let got: Value = serde_json::from_str(&call(entry, "legacy", "count", json!({}))).unwrap();
    let digest: String = Sha256::digest(SECRET).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((&got["region"], &got["token"], &got["foreign"]), (&json!("north"), &json!(digest), &Value::Null));
    // The bridge program reaches a server at an address, in both eras.
    let entry = &file["mcpServers"]["vault"];
    assert!(entry.get("url").is_none() && entry.get("headers").is_none(), "{entry}");
    for mode in ["legacy", "auto"] {
        let told = call(entry, mode, "blend", json!({"tea": "oolong"}));
        assert_eq!(told, "oolong: three parts oolong, one part fog", "{mode}");
    }

    let (code, said) = run(&home, &["secrets", "list"]);
    assert!(code == Some(0) && said.contains("client/cursor\n  stock@cursor  TOKEN  stored since"), "{said}");
    let (code, said) = run(&home, &["undo", "cursor", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(fs::read_to_string(home.path(".cursor/mcp.json")).unwrap(), text);
    assert_eq!(run(&home, &["secrets", "list"]).1, "No skill asks for a secret.\n");
}

/// Runs the program in this session, without a terminal to ask at.
fn run(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let mut command = home.skilltender();
    command.env("DBUS_SESSION_BUS_ADDRESS", env::var_os("DBUS_SESSION_BUS_ADDRESS").unwrap_or_default());
    let output = command.args(words).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!said.contains("canary"), "a secret is never printed");
    (output.status.code(), said)
}

/// The program carries file capabilities, which fail in some containers: a copy has none.
fn start_keyring() {
    let copy = env::home_dir().unwrap().join("keyring-daemon");
    tests::copy_program("/usr/bin/gnome-keyring-daemon".as_ref(), &copy);
    let mut daemon = Command::new(copy);
    daemon.args(["--unlock", "--components=secrets"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = daemon.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"password").unwrap();
    assert!(child.wait().unwrap().success(), "the keyring starts");
    let is_there = || {
        let mut ask = Command::new("dbus-send");
        ask.args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"]);
        let answer = ask.args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]).output();
        String::from_utf8_lossy(&answer.expect("dbus-send is installed").stdout).contains("true")
    };
    while !is_there() {
        thread::sleep(Duration::from_millis(20));
    }
}
