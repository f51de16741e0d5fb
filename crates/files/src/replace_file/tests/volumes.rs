//! Volumes that are full, read-only, or a single file; marks and access lists set with the system's tools.
//!
//! What only root may do, a test does in a process of its own ([`has_right`]).

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown},
    path::Path,
    process::{Command, Output},
};

use tests::able::{MARKS, MOUNTS, OWNERS, has, has_right, run};

use super::super::{ReplaceError, replace};

fn mount(words: &[&str], at: &Path) {
    run(Command::new("mount").args(words).arg(at));
}

#[test]
fn volumes_that_are_full_or_read_only_and_mounted_files_are_refused_with_a_sentence() {
    const NAME: &str = "replace_file::tests::volumes::volumes_that_are_full_or_read_only_and_mounted_files_are_refused_with_a_sentence";
    if !has_right(&MOUNTS, NAME) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    full(home.path());
    read_only(home.path());
    single_file(home.path());
}

fn full(home: &Path) {
    let volume = home.join("full");
    fs::create_dir(&volume).unwrap();
    mount(&["-t", "tmpfs", "-o", "size=32k", "tmpfs"], &volume);
    let path = volume.join("a");
    fs::write(&path, "old").unwrap();
    // Part of it fits: the system accepts that part and then reports a full disk.
    let large = vec![b'x'; 100_000];
    let refused = replace(&path, Some(b"old"), Some(&large)).unwrap_err();
    assert!(matches!(refused, ReplaceError::Full(_)), "{refused:?}");
    assert_eq!(
        refused.to_string(),
        format!(
            "There is no room left on the disk of {}, so nothing was written. Free some space and try again.",
            path.display()
        )
    );
    let made = volume.join("b");
    assert!(matches!(replace(&made, None, Some(&large)), Err(ReplaceError::Full(_))));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(&volume).unwrap().count(), 1, "nothing stays beside it");
    replace(&path, Some(b"old"), Some(b"new")).unwrap();
}

fn read_only(home: &Path) {
    let volume = home.join("read-only");
    fs::create_dir(&volume).unwrap();
    let path = volume.join("a");
    fs::write(&path, "old").unwrap();
    mount(&["--bind", volume.to_str().unwrap()], &volume);
    mount(&["-o", "remount,ro,bind"], &volume);
    let refused = [
        replace(&path, Some(b"old"), Some(b"new")),
        replace(&path, Some(b"old"), None),
        replace(&volume.join("b"), None, Some(b"new")),
    ];
    for refused in refused.map(|refused| refused.unwrap_err().to_string()) {
        assert!(refused.ends_with("is on a volume that is mounted read-only, so nothing was written."), "{refused}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

fn single_file(home: &Path) {
    let (real, path) = (home.join("real"), home.join("a"));
    fs::write(&real, "old").unwrap();
    fs::write(&path, "").unwrap();
    mount(&["--bind", real.to_str().unwrap()], &path);
    for after in [Some(b"new".as_slice()), None] {
        let refused = replace(&path, Some(b"old"), after).unwrap_err();
        assert!(matches!(refused, ReplaceError::Mounted(_)), "{refused:?}");
    }
    assert_eq!(fs::read(&real).unwrap(), b"old");
    let strays = fs::read_dir(home)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".skilltender-"));
    assert_eq!(strays.count(), 0);
}

#[test]
fn a_file_or_folder_that_is_marked_as_not_to_be_changed_is_refused() {
    if !has_right(
        &MARKS,
        "replace_file::tests::volumes::a_file_or_folder_that_is_marked_as_not_to_be_changed_is_refused",
    ) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a");
    fs::write(&path, "old").unwrap();
    for (marked, mark) in [(path.as_path(), 'i'), (path.as_path(), 'a'), (home.path(), 'i')] {
        run(Command::new("chattr").arg(format!("+{mark}")).arg(marked));
        let refused = [replace(&path, Some(b"old"), Some(b"new")), replace(&path, Some(b"old"), None)];
        run(Command::new("chattr").arg(format!("-{mark}")).arg(marked));
        for refused in refused {
            assert!(matches!(refused, Err(ReplaceError::Immutable(at)) if at == marked));
        }
    }
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

#[test]
fn access_lists_and_extended_attributes_are_the_same_before_and_after() {
    if !has(&["setfacl", "getfacl", "setfattr", "getfattr"]) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    run(Command::new("setfacl").args(["-m", "u:12345:rw,g:23456:r"]).arg(&path));
    run(Command::new("setfattr").args(["-n", "user.note", "-v", "0x00ff0a"]).arg(&path));
    let before = told(&path);
    assert!(before.contains("user:12345:rw-") && before.contains("user.note=0sAP8K"), "{before}");
    replace(&path, Some(b"old"), Some(b"new")).unwrap();
    assert_eq!(told(&path), before);

    // The attributes inherited by a new file here differ from this one's.
    run(Command::new("setfacl").args(["-d", "-m", "u:34567:rwx"]).arg(home.path()));
    replace(&path, Some(b"new"), Some(b"newer")).unwrap();
    assert_eq!(told(&path), before);
    run(Command::new("setfacl").arg("-b").arg(&path));
    let bare = told(&path);
    replace(&path, Some(b"newer"), Some(b"newest")).unwrap();
    assert_eq!(told(&path), bare);
}

#[test]
fn a_file_of_another_user_and_group_stays_theirs() {
    if !has_right(&OWNERS, "replace_file::tests::volumes::a_file_of_another_user_and_group_stays_theirs") {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
    chown(&path, Some(12345), Some(23456)).unwrap();
    replace(&path, Some(b"old"), Some(b"new")).unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.uid(), after.gid(), after.mode() & 0o7777), (12345, 23456, 0o664));
}

/// The metadata of a file, as printed by the system's tools.
fn told(path: &Path) -> String {
    let text = |output: Output| {
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let acl = Command::new("getfacl").args(["--absolute-names", "--numeric"]).arg(path).output().unwrap();
    let all = ["--absolute-names", "--dump", "--encoding=base64", "--match=-"];
    text(acl) + &text(Command::new("getfattr").args(all).arg(path).output().unwrap())
}
