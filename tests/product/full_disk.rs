//! A full disk: every interface reports unsaved data until it is saved, and what must stop stops.
//!
//! The disk is a mount that only the test sees ([`has_right`]).

use std::{
    fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tests::{
    Home, Lines, Serving,
    able::{MOUNTS, has_right, run as run_well},
    eventually, given,
};

use crate::persons::agree;

const CELLAR: &str = include_str!("servers/cellar.py");

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
    if !has_right(&MOUNTS, NAME) {
        return;
    }
    let home = Home::new();
    run_well(Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "x"]).arg(home.data()));
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
    assert!(
        said.contains("holds until Skilltender quits, but it is not saved: There is no room left on the disk"),
        "{said}"
    );
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
