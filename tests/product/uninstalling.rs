//! Taking Skilltender out of clients' files and folders again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use serde_json::{Value, json};
use tests::{Home, Serving};

fn run(home: &Home, words: &[&str]) -> (Option<i32>, String, String) {
    let output = home.skilltender().args(words).stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err)
}

fn done(home: &Home, words: &[&str]) -> String {
    let (code, out, err) = run(home, words);
    assert_eq!(code, Some(0), "{words:?}: {err}");
    out
}

/// Every file and link of the home but those of our folder: its bytes, or where it leads.
fn others(home: &Home) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(folder: &Path, without: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path == without {
            } else if path.is_symlink() {
                let target = fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes();
                all.insert(path, target);
            } else if path.is_dir() {
                all.insert(path.clone(), Vec::new());
                walk(&path, without, all);
            } else {
                let bytes = fs::read(&path).unwrap();
                all.insert(path, bytes);
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(&home.path(""), &home.data(), &mut all);
    all
}

/// A home with two clients, one of them with a file of its own.
fn two_clients() -> Home {
    let home = Home::new();
    home.write(".codex/config.toml", "# mine\r\nmodel = \"x\"\r\n\r\n[mcp_servers.other]\r\ncommand = \"other\"\r\n");
    fs::create_dir_all(home.path(".cursor")).unwrap();
    fs::create_dir_all(home.path(".claude")).unwrap();
    home
}

fn connect_all(home: &Home) {
    for words in [
        &["connect", "codex", "--yes"][..],
        &["connect", "cursor", "--yes"],
        &["client-folders", "link", "claude-code"],
    ] {
        done(home, words);
    }
}

#[test]
fn clients_files_and_folders_are_as_they_were_before_and_what_is_the_persons_own_stays() {
    let home = two_clients();
    let before = others(&home);
    assert!(done(&home, &["uninstall", "--check"]).contains("hold nothing of ours"));
    connect_all(&home);
    assert!(others(&home).len() > before.len());
    let connected = others(&home);

    let listed = done(&home, &["uninstall", "--check"]);
    for part in ["~/.codex/config.toml", "~/.cursor/mcp.json", "~/.claude/skills", "coffee, tea", "our own folder"] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
    let json: Value = serde_json::from_str(&done(&home, &["uninstall", "--check", "--json"])).unwrap();
    assert_eq!(json["entries"].as_array().unwrap().len(), 2, "{json}");
    let (code, _, said) = run(&home, &["uninstall"]);
    assert!(code == Some(2) && said.contains("--yes"), "{said}");
    assert_eq!(others(&home), connected, "nobody agreed");

    let told = done(&home, &["uninstall", "--yes"]);
    assert!(
        told.contains("[mcp_servers.skilltender]") && told.contains("Your skills, choices and secrets stay"),
        "{told}"
    );
    assert_eq!(others(&home), before);
    assert!(home.data().join("choices.json").exists());
    assert!(done(&home, &["list"]).contains("tea"), "it works on");
    assert!(done(&home, &["uninstall", "--yes"]).contains("hold nothing of ours"));
}

#[test]
fn a_running_engine_takes_it_out_and_keeps_its_folder() {
    let home = two_clients();
    let before = others(&home);
    let serving = Serving::start(&home);
    connect_all(&home);
    let (code, _, said) = run(&home, &["uninstall", "--data", "--yes"]);
    assert!(code == Some(3) && said.contains("Quit it first"), "{said}");
    let told: Value = serde_json::from_str(&done(&home, &["uninstall", "--yes", "--json"])).unwrap();
    assert_eq!((&told["stays"], &told["data_removed"]), (&json!([]), &json!(false)));
    assert_eq!(others(&home), before);
    assert_eq!(serving.stop(), 0);
}

#[test]
fn with_data_our_own_folder_goes_but_nothing_in_it_that_is_not_ours() {
    let home = two_clients();
    let before = others(&home);
    connect_all(&home);
    done(&home, &["uninstall", "--data", "--yes"]);
    assert_eq!(others(&home), before, "the library's other folders stay");
    assert!(!home.data().exists());

    done(&home, &["connect", "codex", "--yes"]);
    fs::write(home.data().join("notes.txt"), "mine").unwrap();
    let told = done(&home, &["uninstall", "--data", "--yes"]);
    assert!(told.contains("notes.txt stays"), "{told}");
    let left: Vec<_> = fs::read_dir(home.data()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["notes.txt"]);
    assert_eq!(others(&home), before);
}

#[test]
fn what_somebody_changed_is_said_and_stays() {
    let home = two_clients();
    connect_all(&home);
    let file = home.path(".codex/config.toml");
    let broken = format!("{}broken = [", fs::read_to_string(&file).unwrap());
    fs::write(&file, &broken).unwrap();
    fs::remove_file(home.path(".claude/skills/tea")).unwrap();
    home.write(".claude/skills/tea/SKILL.md", "mine");
    let told = done(&home, &["uninstall", "--yes"]);
    assert!(told.contains("~/.codex/config.toml cannot be changed safely"), "{told}");
    assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    assert_eq!(fs::read_to_string(home.path(".claude/skills/tea/SKILL.md")).unwrap(), "mine");
    assert!(!home.path(".cursor/mcp.json").exists() && !home.path(".claude/skills/coffee").is_symlink());
}
