//! An update of a skill's files, merged with what a person changed.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sources::{
    merge::Side,
    update::{Change, FileBytes, FileSet, merge, result},
};

fn file(text: &str) -> FileBytes {
    FileBytes { bytes: text.as_bytes().to_vec(), executable: false }
}

fn files(all: &[(&str, &str)]) -> FileSet {
    all.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect()
}

#[test]
fn what_one_side_changed_is_taken_and_what_nobody_changed_is_kept() {
    let base = files(&[("SKILL.md", "a\n"), ("gone.md", "x\n"), ("mine.md", "m\n"), ("same.md", "s\n")]);
    let mine =
        files(&[("SKILL.md", "a\n"), ("gone.md", "x\n"), ("mine.md", "M\n"), ("same.md", "s\n"), ("own.md", "o\n")]);
    let theirs = files(&[("SKILL.md", "b\n"), ("mine.md", "m\n"), ("new.md", "n\n"), ("same.md", "s\n")]);
    let changes = merge(&base, &mine, &theirs);
    let after = result(&mine, &changes, &BTreeMap::new());
    let expected =
        files(&[("SKILL.md", "b\n"), ("mine.md", "M\n"), ("new.md", "n\n"), ("own.md", "o\n"), ("same.md", "s\n")]);
    assert_eq!(after, expected);
    assert_eq!(changes.values().map(Change::conflicts).sum::<usize>(), 0);
}

#[test]
fn a_file_that_one_removed_and_the_other_changed_waits_for_an_answer() {
    let base = files(&[("a.md", "a\n"), ("b.md", "b\n")]);
    let mine = files(&[("a.md", "A\n")]);
    let theirs = files(&[("b.md", "B\n")]);
    let changes = merge(&base, &mine, &theirs);
    assert_eq!(changes.values().map(Change::conflicts).sum::<usize>(), 2);
    assert_eq!(result(&mine, &changes, &BTreeMap::new()), mine);
    let both = BTreeMap::from([("a.md".to_owned(), vec![Side::Theirs]), ("b.md".to_owned(), vec![Side::Theirs])]);
    assert_eq!(result(&mine, &changes, &both), theirs);
}

#[test]
fn bytes_that_are_no_text_are_taken_whole_and_the_right_to_run_is_merged() {
    let with =
        |bytes: &[u8], executable| FileSet::from([("x".to_owned(), FileBytes { bytes: bytes.to_vec(), executable })]);
    let changes = merge(&with(b"\0a", false), &with(b"\0b", false), &with(b"\0c", true));
    assert!(matches!(changes["x"], Change::Whole { .. }));
    let changes = merge(&with(b"\0a", false), &with(b"\0b", false), &with(b"\0a", true));
    assert_eq!(changes["x"], Change::Merged(FileBytes { bytes: b"\0b".to_vec(), executable: true }));
}

fn some_files() -> impl Strategy<Value = FileSet> {
    let text = prop::collection::vec("[a-c]{0,2}\n", 0..5).prop_map(|lines| lines.concat());
    let one = (text, any::<bool>()).prop_map(|(text, executable)| FileBytes { bytes: text.into_bytes(), executable });
    prop::collection::btree_map("[ab]\\.md|SKILL\\.md", one, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn an_update_onto_itself_changes_nothing_and_without_edits_is_the_update(base in some_files(), mine in some_files(), theirs in some_files()) {
        let none = BTreeMap::new();
        prop_assert_eq!(result(&mine, &merge(&base, &mine, &base), &none), mine.clone());
        prop_assert_eq!(result(&base, &merge(&base, &base, &theirs), &none), theirs.clone());
        prop_assert_eq!(result(&mine, &merge(&base, &mine, &mine), &none), mine.clone());
    }

    #[test]
    fn a_conflict_answered_for_one_side_has_every_line_of_that_side_that_the_other_did_not_remove(base in some_files(), mine in some_files(), theirs in some_files()) {
        let changes = merge(&base, &mine, &theirs);
        let after = result(&mine, &changes, &BTreeMap::new());
        for (path, file) in &mine {
            let of = |files: &FileSet| files.get(path).map(|file| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default();
            let (before, there, now) = (of(&base), of(&theirs), of(&after));
            for line in String::from_utf8_lossy(&file.bytes).lines() {
                // What the person wrote is there; what both began with may have gone with the update.
                let is_mine = !before.lines().any(|old| old == line);
                prop_assert!(!is_mine || now.lines().any(|new| new == line), "{path}: {line:?} of {there:?}");
            }
        }
    }
}
