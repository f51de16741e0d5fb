//! `tests/clients/<client>/<case>/`: the effect of connecting and disconnecting on a file, byte for byte.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `before` | the client's file; a case without one starts with no file |
//! | `entry.json` | the entry to add, where it is another than the usual one |
//! | `after` | the same file with our entry; removing it must give `before` back |
//! | `refused.txt` | instead of `after`: the sentence that refuses it |
//! | `edited` | `after` as another program left it |
//! | `removed` | `edited` without our entry |
//!
//! All but two end in `.json`, `.jsonc`, `.toml` or `.yaml`, by the client's format. With UPDATE_GOLDEN=1
//! (`cargo xtask golden`) the expected files are rewritten; review them before committing.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clients::{Client, Entry, Format, Standing, TABLE, connect, disconnect, snippet, standing, update};
use text::cut;

/// The fewest cases of a client: with fewer, some were lost.
const FEWEST: usize = 3;
/// The fewest cases in all.
const FEWEST_IN_ALL: usize = 300;

#[test]
fn every_client_case_gives_its_expected_bytes() {
    let mut wrong = Vec::new();
    for client in TABLE {
        for case in cases(client) {
            wrong.extend(check(client, &case).into_iter().map(|what| format!("{}: {what}", case.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_client_has_a_case_without_a_file_one_with_others_and_one_that_is_refused() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        // Another test is writing what this one looks for.
        return;
    }
    for client in TABLE {
        let (id, cases) = (client.id, cases(client));
        let is = |case: &PathBuf, name: &str| case.join(name).exists();
        assert!(cases.len() >= FEWEST, "tests/clients/{id} has {} cases and needs {FEWEST}", cases.len());
        assert!(cases.iter().any(|case| case.ends_with("no-file")), "tests/clients/{id} has no case no-file");
        assert!(cases.iter().any(|case| is(case, "refused.txt")), "tests/clients/{id} has no case that is refused");
        let others = cases.iter().filter(|case| is(case, &file(client, "before")) && is(case, &file(client, "after")));
        assert!(others.count() > 0, "tests/clients/{id} has no case with a file before that is changed");
    }
    let all: usize = TABLE.iter().map(|client| cases(client).len()).sum();
    assert!(all >= FEWEST_IN_ALL, "{all} cases");
}

/// The differences from the expected files, as sentences.
fn check(client: &Client, case: &Path) -> Vec<String> {
    let expect = |name: &str, got: &[u8]| expect(case, &file(client, name), got);
    let entry = entry(client, case);
    let before = fs::read(case.join(file(client, "before"))).ok();
    let plan = match connect(client, before.as_deref(), &entry) {
        Ok(plan) => plan,
        Err(refusal) => return self::expect(case, "refused.txt", format!("{refusal}\n").as_bytes()),
    };
    let after = plan.after.clone().unwrap_or_default();
    let mut wrong = expect("after", &after);
    if before.is_none() && snippet(client, &entry).ok().map(String::into_bytes) != Some(after.clone()) {
        wrong.push("what is shown to copy is not the file that would be made".to_owned());
    }

    let ours = plan.splice.start..plan.splice.start + plan.splice.insert.len();
    if cut(&after, ours) != before.clone().unwrap_or_default() {
        wrong.push("cutting our range does not give the file back".to_owned());
    }
    match standing(client, Some(&after), &entry) {
        Ok(Standing::Ours) => {}
        standing => wrong.push(format!("our entry is not there: {standing:?}")),
    }
    match disconnect(client, &after, Some(&plan.undo())) {
        Ok(undone) if undone.after == before => {}
        undone => wrong.push(format!("removing does not give the file back: {undone:?}")),
    }
    match update(client, &after, &moved(), Some(&plan.undo())) {
        Ok(updated) => match disconnect(client, updated.after.as_deref().unwrap_or_default(), Some(&updated.undo())) {
            Ok(undone) if undone.after == before => {}
            undone => wrong.push(format!("removing after an update does not give the file back: {undone:?}")),
        },
        Err(refusal) => wrong.push(format!("the program cannot move: {refusal}")),
    }
    if let Ok(edited) = fs::read(case.join(file(client, "edited"))) {
        match disconnect(client, &edited, Some(&plan.undo())) {
            Ok(undone) => wrong.extend(expect("removed", &undone.after.unwrap_or_default())),
            Err(refusal) => wrong.push(format!("removing from the edited file is refused: {refusal}")),
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

fn file(client: &Client, name: &str) -> String {
    let end = match client.format {
        Format::Json => "json",
        Format::Jsonc => "jsonc",
        Format::Toml => "toml",
        Format::Yaml => "yaml",
    };
    format!("{name}.{end}")
}

fn entry(client: &Client, case: &Path) -> Entry {
    if let Ok(entry) = fs::read(case.join("entry.json")) {
        return serde_json::from_slice(&entry).expect("an entry");
    }
    let args = ["mcp", "--client", client.id].map(str::to_owned);
    Entry::Stdio { command: "/usr/bin/skilltender".to_owned(), args: args.to_vec() }
}

fn moved() -> Entry {
    Entry::Stdio { command: "/opt/Skilltender 2/skilltender".to_owned(), args: vec!["mcp".to_owned()] }
}

fn cases(client: &Client) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients").join(client.id);
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    found.sort();
    found
}
