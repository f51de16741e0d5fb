//! The file that pins the skills of a project.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sources::{Difference, Lock, LockError, LockedFile, LockedSkill};

fn brew() -> LockedSkill {
    let files = [("SKILL.md", b"Boil.\n".as_slice(), false), ("scripts/boil.sh", b"echo hi\n", true)];
    LockedSkill {
        source: "https://github.com/green/tea.git".to_owned(),
        follows: Some("main".to_owned()),
        commit: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        inside: "skills/brew".to_owned(),
        files: files.map(|(path, bytes, runs)| (path.to_owned(), LockedFile::of(bytes, runs))).into(),
    }
}

const TEXT: &str = r#"# The skills that belong here, with the digest of every file. Skilltender writes it.
version = 1

[[skill]]
name = "brew"
source = "https://github.com/green/tea.git"
follows = "main"
commit = "0123456789abcdef0123456789abcdef01234567"
inside = "skills/brew"
digest = "sha256:DIGEST"
files = [
  "4a9dc1a74ff4a62f7cf1d0bd2b9c3ec0c4b8d0e5b5bb1f0d0ffb7a2c4aeb8a6f  SKILL.md",
  "00000 *scripts/boil.sh",
]
"#;

#[test]
fn a_lock_is_written_line_by_line_and_reads_as_it_was() {
    let lock = Lock { skills: [("brew".to_owned(), brew())].into() };
    let text = lock.to_string();
    let of = |text: &str| text.lines().map(|line| line.split('"').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(of(&text), of(TEXT), "{text}");
    assert!(text.contains(" *scripts/boil.sh\",") && text.contains("  SKILL.md\","), "{text}");
    assert_eq!(Lock::read(&text).unwrap(), lock);
    assert_eq!(Lock::read(&text.replace('\n', "\r\n")).unwrap(), lock, "as git checks it out on Windows");
    assert_eq!(Lock::read("version = 1\n").unwrap(), Lock::default());
}

#[test]
fn what_differs_is_named_file_by_file() {
    let skill = brew();
    let mut there = skill.files.clone();
    assert!(skill.differences(&there).is_empty());
    there.insert("SKILL.md".to_owned(), LockedFile::of(b"Boil!\n", false));
    there.insert("notes.md".to_owned(), LockedFile::of(b"", false));
    there.remove("scripts/boil.sh");
    let expected =
        [("SKILL.md", Difference::Changed), ("notes.md", Difference::Added), ("scripts/boil.sh", Difference::Missing)];
    assert_eq!(skill.differences(&there), expected.map(|(path, how)| (path.to_owned(), how)).into());
    // May be run and could not before: the bytes are the same.
    let mut there = skill.files.clone();
    there.get_mut("SKILL.md").unwrap().executable = true;
    assert_eq!(skill.differences(&there).into_values().collect::<Vec<_>>(), [Difference::Changed]);
}

#[test]
fn a_lock_that_lies_or_leads_elsewhere_is_refused() {
    let text = Lock { skills: [("brew".to_owned(), brew())].into() }.to_string();
    let why = |text: &str| Lock::read(text).unwrap_err().to_string();
    assert_eq!(Lock::read("version = 2\nelse = true\n"), Err(LockError::Newer(2)));
    assert_eq!(Lock::read(&format!("{text}<<<<<<< ours\n")), Err(LockError::Conflict(text.lines().count() + 1)));
    assert!(why("").contains("version"));
    assert!(why("version = 0").contains("its version is 0"));
    let other = LockedFile::of(b"evil", false).sha256;
    let known = LockedFile::of(b"Boil.\n", false).sha256;
    assert!(why(&text.replace(&known, &other)).contains("of brew, the digest does not belong to the files"));
    for (from, to) in [
        ("SKILL.md", "../SKILL.md"),
        ("SKILL.md", "/etc/passwd"),
        ("SKILL.md", "a//b"),
        ("SKILL.md", "C:x"),
        ("SKILL.md", "a\\\\b"),
        ("\"brew\"", "\"../brew\""),
        ("\"brew\"", "\"a/b\""),
        ("skills/brew", "../brew"),
        (known.as_str(), "0123"),
        ("commit", "comit"),
    ] {
        assert!(matches!(Lock::read(&text.replace(from, to)), Err(LockError::Broken(_))), "{to}");
    }
    assert!(why(&format!("{text}{}", text.split_once("\n\n").unwrap().1)).contains("brew is there twice"));
}

fn skill() -> impl Strategy<Value = LockedSkill> {
    let name = "[a-zA-Z0-9 _.\"'#ä茶-]{0,5}[a-zA-Z0-9]";
    let file = (prop::collection::vec(any::<u8>(), 0..9), any::<bool>());
    let paths = prop::collection::vec(name, 1..3).prop_map(|parts| parts.join("/"));
    let files = prop::collection::btree_map(paths, file, 0..4);
    let text = || prop::option::of("[ -~ä\u{7f}]{1,9}");
    ("[ -~]{1,9}", text(), text(), name, files).prop_map(|(source, follows, commit, inside, files)| LockedSkill {
        source,
        follows,
        commit,
        inside,
        files: files.into_iter().map(|(path, (bytes, runs))| (path, LockedFile::of(&bytes, runs))).collect(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_lock_reads_as_it_was_written(skills in prop::collection::btree_map("[a-z0-9-]{1,6}", skill(), 0..4)) {
        let lock = Lock { skills };
        prop_assert_eq!(Lock::read(&lock.to_string()).unwrap(), lock);
    }

    #[test]
    fn the_order_in_which_skills_come_leaves_no_trace(skills in prop::collection::vec(("[a-z]{1,3}", skill()), 0..5)) {
        let there: BTreeMap<_, _> = skills.iter().cloned().collect();
        let again: BTreeMap<_, _> = there.clone().into_iter().rev().collect();
        prop_assert_eq!(Lock { skills: there }.to_string(), Lock { skills: again }.to_string());
    }
}
