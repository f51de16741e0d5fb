//! A full disk: every interface reports unsaved data until it is saved, and what must stop stops.
//!
//! Mounting needs a mount namespace: the test restarts itself in one, if allowed. In CI it must be.

use std::{
    env, fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tests::{Home, Lines, Serving, eventually, given, say};

use crate::persons::agree;

const INSIDE: &str = "SKILLTENDER_TEST_MOUNTS";
const CELLAR: &str = include_str!("servers/cellar.py");

/// Runs a test again in its own mount namespace, if allowed.
fn again_with_own_mounts(test: &str) {
    let ways: [&[&str]; 3] = [
        &["unshare", "--mount"],
        &["unshare", "--user", "--map-root-user", "--mount"],
        &["sudo", "-n", "--preserve-env", "unshare", "--mount"],
    ];
    let may = |way: &&&[&str]| {
        let mut mount = Command::new(way[0]);
        mount.args(&way[1..]).args(["mount", "-t", "tmpfs", "x", "/mnt"]);
        mount.output().is_ok_and(|output| output.status.success())
    };
    let Some(way) = ways.iter().find(may) else {
        assert!(env::var_os("CI").is_none(), "nothing may be mounted here");
        say("skipped: nothing may be mounted here");
        return;
    };
    let mut inner = Command::new(way[0]);
    inner.args(&way[1..]).arg(env::current_exe().unwrap()).args(["--exact", test, "--nocapture"]).env(INSIDE, "1");
    let output = inner.output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// Fills the disk.
fn fill(folder: &Path) -> PathBuf {
    let ballast = folder.join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    for size in [64 << 10, 4 << 10, 1] {
        while file.write_all(&vec![b'x'; size]).is_ok() {}
    }
    ballast
}

fn run(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let output = home.skilltender().args(words).stdin(Stdio::null()).output().unwrap();
    (
        output.status.code(),
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat(),
    )
}

fn unsaved(home: &Home) -> String {
    let (_, said) = run(home, &["doctor", "--json"]);
    let checkup: Value = serde_json::from_str(&said).unwrap();
    let check = checkup["checks"].as_array().unwrap().iter().find(|check| check["id"] == "unsaved").unwrap();
    check["what"].as_str().unwrap().to_owned()
}

#[test]
fn with_a_full_disk_a_change_is_an_error_until_there_is_room_and_a_server_is_stopped_all_the_same() {
    const NAME: &str =
        "full_disk::with_a_full_disk_a_change_is_an_error_until_there_is_room_and_a_server_is_stopped_all_the_same";
    if env::var_os(INSIDE).is_none() {
        again_with_own_mounts(NAME);
        return;
    }
    let home = Home::new();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "x"]).arg(home.data()).status();
    assert!(mounted.unwrap().success());
    home.choose(&[]);
    let python = given("SKILLTENDER_PYTHON");
    home.write(
        "skills/cellar/SKILL.md",
        &format!(
            "---\nname: cellar\ndescription: Counts the tea. Use when somebody asks what is left.\nrequires-mcp-servers:\n  \
             - name: stock\n    command: {}\n    args: [server.py]\n---\n\nAsk the server.\n",
            python.display()
        ),
    );
    home.write("skills/cellar/server.py", CELLAR);
    let errors = home.path("errors");
    let to = fs::File::create(&errors).unwrap();
    let serving = Serving::start_with(&home, |command| command.stderr(to));
    agree(&home, "stock");
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    let call = |client: &mut Lines| client.call("tools/call", &json!({"name": "stock__count", "arguments": {}}));
    assert_ne!(call(&mut client)["isError"], true);

    let ballast = fill(&home.data());
    let (code, said) = run(&home, &["disable", "tea"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("holds until Skilltender quits, but it is not saved: There is no room left"), "{said}");
    assert!(!client.skills().contains(&"tea".to_owned()), "it holds");
    eventually("the doctor says it", || unsaved(&home).contains("what you chose").then_some(()));
    let (code, said) = run(&home, &["servers", "revoke", "stock"]);
    assert_eq!(code, Some(3), "{said}");
    let asked = client.ask("tools/call", &json!({"name": "stock__count", "arguments": {}}));
    let answer = client.answer(asked);
    assert!(answer.get("error").is_some() || answer["result"]["isError"] == true, "{answer}");
    let (_, listed) = run(&home, &["servers", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_ne!(listed[0]["state"]["kind"], "running", "{listed}");
    // Reading continues.
    assert_eq!(run(&home, &["settings"]).0, Some(0));

    fs::remove_file(ballast).unwrap();
    eventually("it is saved", || (unsaved(&home) == "What was chosen is saved.").then_some(()));
    let mut warned = String::new();
    fs::File::open(&errors).unwrap().read_to_string(&mut warned).unwrap();
    assert_eq!(warned.matches("Not saved: what you chose").count(), 1, "{warned}");
    client.close();
    serving.kill();
    let _serving = Serving::start(&home);
    let (_, listed) = run(&home, &["servers", "--json"]);
    assert!(listed.contains("\"stock\"") && !listed.contains("running"), "{listed}");
    let (_, shown) = run(&home, &["list", "--json"]);
    let rows: Value = serde_json::from_str(&shown).unwrap();
    let tea = rows.as_array().unwrap().iter().find(|row| row["id"] == "tea").unwrap();
    assert_eq!(tea["enabled"], false, "{tea}");
}
