//! Our folder as a later program left it: every way in says the same sentence, and changes nothing.

use std::{collections::BTreeSet, fs, process::Stdio};

use tests::Home;

#[test]
fn every_command_says_that_a_newer_program_wrote_our_folder_and_leaves_it_alone() {
    let home = Home::new();
    let file = home.data().join("choices.json");
    let later = fs::read_to_string(&file).unwrap().replace("\"version\":1", "\"version\":2");
    fs::write(&file, &later).unwrap();
    let mut said = BTreeSet::new();
    let refused = home.skilltender().args(["go-back", "--yes"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("holds no copy"));
    for words in [
        &["list"][..],
        &["serve"],
        &["mcp"],
        &["doctor"],
        &["clients"],
        &["connect", "codex", "--yes"],
        &["enable", "tea"],
        &["settings", "pause", "on"],
        &["run", "stock"],
        &["uninstall", "--check"],
        &["uninstall", "--yes"],
    ] {
        let output = home.skilltender().args(words).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{words:?}: {output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        said.insert(text.split_once(&home.data().display().to_string()).unwrap().1.trim().to_owned());
    }
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said.first().unwrap().starts_with("was written by a newer Skilltender (choices.json is of version 2"));
    assert_eq!(fs::read_to_string(&file).unwrap(), later);
    let there: Vec<_> = fs::read_dir(home.data()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(there, ["choices.json"]);
}
