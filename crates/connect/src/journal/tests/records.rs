//! Records are kept, found, limited in number and true after an interruption.

use super::super::*;

fn record(time: u64, path: &str) -> Record {
    Record {
        path: path.into(),
        time,
        before: None,
        after: Some("a1".to_owned()),
        added: None,
        change: String::new(),
        project: None,
        switched: Vec::new(),
        ..Record::default()
    }
}

#[test]
fn finds_the_last_change_of_a_file() {
    let data = tempfile::tempdir().unwrap();
    for (time, path) in [(1_000, "/a"), (1_001, "/b"), (1_002, "/a"), (1_003, "/b")] {
        keep(data.path(), "claude-desktop", record(time, path), Some(b"old")).unwrap();
    }
    assert_eq!(last(data.path(), "claude-desktop", Path::new("/a")).unwrap().time, 1_002);
    assert_eq!(last(data.path(), "claude-desktop", Path::new("/c")), None);
    assert_eq!(last(data.path(), "cursor", Path::new("/a")), None);
}

#[test]
fn two_changes_in_one_millisecond_are_two_records() {
    let data = tempfile::tempdir().unwrap();
    keep(data.path(), "c", record(1_000, "/a"), None).unwrap();
    keep(data.path(), "c", record(1_000, "/a"), None).unwrap();
    assert_eq!(last(data.path(), "c", Path::new("/a")).unwrap().time, 1_001);
}

#[test]
fn keeps_the_last_twenty_with_what_was_there_before_and_forgets_a_withdrawn_one() {
    let data = tempfile::tempdir().unwrap();
    for time in 0..25 {
        keep(data.path(), "c", record(1_000 + time, "/a"), Some(b"old")).unwrap();
    }
    let folder = folder(data.path(), "c");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2 * KEPT);
    keep(data.path(), "c", record(1_050, "/b"), None).unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2 * KEPT + 1, "each file has its own twenty");
    assert_eq!(fs::read(folder.join("1024.before")).unwrap(), b"old");
    keep(data.path(), "c", record(2_000, "/a"), Some(b"old")).unwrap().withdraw();
    assert_eq!(last(data.path(), "c", Path::new("/a")).unwrap().time, 1_024);
    assert!(!folder.join("2000.before").exists());
}

#[cfg(unix)]
#[test]
fn is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let data = tempfile::tempdir().unwrap();
    keep(data.path(), "c", record(1_000, "/a"), Some(b"old")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = folder(data.path(), "c");
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join("1000.json")), 0o600);
    assert_eq!(mode(&folder.join("1000.before")), 0o600);
}
