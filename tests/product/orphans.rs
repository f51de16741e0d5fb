//! No process of a server outlives the program that started the server, even when that program is killed or crashes.

use std::{fs, path::Path, process::Stdio};

use serde_json::Value;
use tests::{Home, Serving, eventually};

/// The server's process tree, found by a unique argument.
struct Tree {
    mark: String,
}

impl Tree {
    /// The number of its living processes.
    fn alive(&self) -> usize {
        let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        processes.filter(|process| self.is_of(&process.path())).count()
    }

    fn is_of(&self, process: &Path) -> bool {
        let is_number = process.file_name().is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit));
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        is_number && words.split(|byte| *byte == 0).any(|word| word == self.mark.as_bytes())
    }
}

/// A skill whose server behaves like `npx` and worse: children, children in their own session, a child whose parent
/// has ended.
fn skill(home: &Home, tree: &Tree) {
    let sleep = format!("sleep {}", tree.mark);
    let script = format!("{sleep} & setsid {sleep} & (setsid sh -c '{sleep} & {sleep}' &) ; {sleep}");
    let text = format!(
        "---\nname: grove\ndescription: Grows. Use when somebody wants shade.\nrequires-mcp-servers:\n  - name: grove\n    \
         description: Grows\n    command: sh\n    args: [-c, \"{script}\"]\n---\n\nWait.\n"
    );
    home.write(".local/share/skilltender/skills/grove/SKILL.md", &text);
}

fn code(home: &Home, words: &[&str]) -> Option<i32> {
    home.skilltender().args(words).stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap().code()
}

fn digest(home: &Home) -> Option<String> {
    let output = home.skilltender().args(["servers", "show", "grove", "--json"]).stdin(Stdio::null()).output().unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).ok()?;
    shown["digest"].as_str().map(str::to_owned)
}

/// wire contract 46
#[test]
fn no_process_of_a_server_outlives_an_engine_that_quits() {
    nothing_outlives_an_engine_that_ends_by("TERM", 15);
}

#[test]
fn no_process_of_a_server_outlives_an_engine_that_faults() {
    nothing_outlives_an_engine_that_ends_by("ABRT", 6);
}

#[test]
fn no_process_of_a_server_outlives_an_engine_that_is_killed() {
    nothing_outlives_an_engine_that_ends_by("KILL", 9);
}

fn nothing_outlives_an_engine_that_ends_by(signal: &str, number: u32) {
    let rounds = if std::env::var("SKILLTENDER_LONG").is_ok_and(|long| long == "1") { 100 } else { 10 };
    let home = Home::new();
    // Longer than any test runs, and different from other tests'.
    let tree = Tree { mark: format!("{}.{number}", 100_000 + std::process::id()) };
    skill(&home, &tree);
    let mut serving = Some(Serving::start(&home));
    code(&home, &["enable", "grove"]);
    let digest = eventually("the skill is on", || digest(&home));
    assert_eq!(code(&home, &["servers", "approve", "grove", "--digest", &digest]), Some(0));
    for round in 0..rounds {
        let engine = serving.take().unwrap_or_else(|| Serving::start(&home));
        code(&home, &["servers", "restart", "grove"]);
        eventually("the tree has grown", || (tree.alive() == 5).then_some(()));
        engine.end_by(signal);
        eventually(&format!("nothing is left after SIG{signal} in round {round}"), || {
            (tree.alive() == 0).then_some(())
        });
    }
}
