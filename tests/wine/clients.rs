//! Clients' files and the program that they name.

use std::{fs, path::PathBuf};

use serde_json::json;
use tests::{Lines, SERVE, Serving, eventually};

use crate::home::{Home, person, windows};

/// A client's file in a home, which one of these tests has at a time.
fn file() -> PathBuf {
    let file = person().join("AppData/Roaming/Claude/claude_desktop_config.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    file
}

#[test]
fn connecting_and_disconnecting_leave_the_same_bytes_and_so_does_an_interruption() {
    let home = Home::new();
    let file = file();
    let theirs = "{\r\n\t\"mcpServers\": {\"other\": {\"command\": \"x\"}},\r\n  \"theme\": \"dark\"}\r\n";
    fs::write(&file, theirs).unwrap();
    home.said(&["connect", "claude-desktop", "--yes"]);
    let written = fs::read_to_string(&file).unwrap();
    let entry: serde_json::Value = serde_json::from_str(&written).unwrap();
    let command = entry["mcpServers"]["skilltender"]["command"].as_str().unwrap();
    assert_eq!(command, windows(&home.path(r"data/bin/skilltender.exe")));
    assert!(home.path("data/bin/skilltender.exe").is_file());
    home.said(&["disconnect", "claude-desktop", "--yes"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);

    // As if the computer had stopped between the two steps of the system's replacement.
    let name = file.file_name().unwrap().to_str().unwrap();
    let stray = file.with_file_name(format!(".skilltender-{name}.1"));
    let old = file.with_file_name(format!(".skilltender-{name}.1.old"));
    fs::write(&stray, &written).unwrap();
    fs::rename(&file, &old).unwrap();
    let user = person().file_name().unwrap().to_str().unwrap().to_owned();
    let target = format!(r"\\?\C:\users\{user}\AppData\Roaming\Claude\{name}");
    let target: Vec<u16> = target.encode_utf16().collect();
    let record = json!({
        "target": {"Windows": target},
        "before": digest(theirs),
        "after": digest(&written),
        "told": [],
    });
    home.write("data/writing/0123456789abcdef0123456789abcdef.json", &record.to_string());
    let serving = Serving::run(&mut home.skilltender(&SERVE));
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    eventually("the strays are gone", || (!stray.exists() && !old.exists()).then_some(()));
    serving.kill();
    fs::remove_file(&file).unwrap();
}

fn digest(text: &str) -> String {
    use sha2::Digest as _;

    sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_program_that_clients_run_is_renewed_and_the_old_one_goes_at_the_next_start() {
    let home = Home::new();
    let newer = home.path("newer/skilltender.exe");
    let copy = home.path("data/bin/skilltender.exe");
    for path in [&newer, &copy] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(tests::given("SKILLTENDER_WINE_PROGRAM"), path).unwrap();
    }
    // What follows the program in its file changes nothing of it.
    let mut bytes = fs::read(&newer).unwrap();
    bytes.extend_from_slice(b"newer");
    fs::write(&newer, &bytes).unwrap();

    let mut client = Lines::initialized(&mut home.run(&copy, &["mcp"]));
    assert_eq!(client.skills(), ["tea"]);
    let aside = || {
        let names = fs::read_dir(copy.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_str().unwrap().starts_with(".skilltender-old-")).count()
    };
    let serving = Serving::run(&mut home.run(&newer, &SERVE));
    eventually("the copy is renewed", || (fs::read(&copy).unwrap() == bytes).then_some(()));
    assert_eq!(aside(), 1);
    assert_eq!(client.skills(), ["tea"], "the old program goes on");
    client.close();
    serving.kill();

    let again = Serving::run(&mut home.run(&newer, &SERVE));
    eventually("the old program is gone", || (aside() == 0).then_some(()));
    again.kill();
}
