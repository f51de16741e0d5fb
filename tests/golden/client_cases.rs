//! `tests/clients/<client>/<case>/`: what connecting and disconnecting do to a file, byte for byte.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `before.json` | the client's file; a case without one starts with no file |
//! | `after.json` | the same file with our entry; removing it must give `before.json` back |
//! | `refused.txt` | instead of `after.json`: the sentence that refuses it |
//! | `edited.json` | `after.json` as somebody else left it |
//! | `removed.json` | `edited.json` without our entry |
//!
//! With UPDATE_GOLDEN=1 the expected files are written anew, to be read before they are committed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clients::{Client, Entry, TABLE, connect, disconnect};
use text::cut;

/// A client's folder with fewer cases has lost some.
const FEWEST: usize = 40;

#[test]
fn every_client_case_gives_its_expected_bytes() {
    let mut wrong = Vec::new();
    for client in TABLE.iter().filter(|client| client.id == "claude-desktop") {
        let cases = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(client.id));
        assert!(cases.len() >= FEWEST, "{}: {} cases", client.id, cases.len());
        for case in cases {
            wrong.extend(check(client, &case).into_iter().map(|what| format!("{}: {what}", case.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is not as expected, as sentences.
fn check(client: &Client, case: &Path) -> Vec<String> {
    let before = fs::read(case.join("before.json")).ok();
    let plan = match connect(client, before.as_deref(), &entry(client)) {
        Ok(plan) => plan,
        Err(refusal) => return expect(case, "refused.txt", format!("{refusal}\n").as_bytes()),
    };
    let after = plan.after.clone().unwrap_or_default();
    let mut wrong = expect(case, "after.json", &after);

    let ours = plan.splice.start..plan.splice.start + plan.splice.insert.len();
    if cut(&after, ours) != before.clone().unwrap_or_default() {
        wrong.push("cutting our range does not give the file back".to_owned());
    }
    match disconnect(client, &after, Some(&plan.undo())) {
        Ok(undone) if undone.after == before => {}
        undone => wrong.push(format!("removing does not give the file back: {undone:?}")),
    }
    if let Ok(edited) = fs::read(case.join("edited.json")) {
        match disconnect(client, &edited, Some(&plan.undo())) {
            Ok(undone) => wrong.extend(expect(case, "removed.json", &undone.after.unwrap_or_default())),
            Err(refusal) => wrong.push(format!("removing from edited.json is refused: {refusal}")),
        }
    }
    wrong
}

fn expect(case: &Path, name: &str, got: &[u8]) -> Vec<String> {
    let path = case.join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, got).expect("the expected file can be written");
    }
    match fs::read(&path) {
        Ok(expected) if expected == got => Vec::new(),
        _ => vec![format!("{name} should hold\n{}", String::from_utf8_lossy(got))],
    }
}

fn entry(client: &Client) -> Entry {
    let args = ["mcp", "--client", client.id].map(str::to_owned);
    Entry::Stdio { command: "/usr/bin/skilltender".to_owned(), args: args.to_vec() }
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(of).expect("every client has a folder of cases");
    let mut found: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    found.sort();
    found
}
