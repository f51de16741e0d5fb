//! Unreadable skills do not count as missing.

use std::{env, fs, fs::File, process::Command};

use super::*;

/// Tells a test that it runs alone in a process of its own.
const ALONE: &str = "SKILLTENDER_TEST_ALONE";

fn library(skills: &[&str]) -> (tempfile::TempDir, Vec<Root>) {
    let home = tempfile::tempdir().expect("the test's folder");
    for id in skills {
        fs::create_dir(home.path().join(id)).expect("the test's folder");
        fs::write(home.path().join(id).join("SKILL.md"), format!("---\nname: {id}\ndescription: d\n---\n"))
            .expect("the test's folder");
    }
    let path = home.path().canonicalize().expect("the test's folder");
    (home, vec![Root { id: "own".to_owned(), path, made_later: false }])
}

fn ids(reading: &Reading) -> Vec<&str> {
    reading.folder("own").expect("the folder was read").skills.iter().map(|entry| &*entry.skill.id).collect()
}

#[test]
fn a_folder_that_is_made_with_its_first_skill_is_empty_before_and_missing_after() {
    let (home, _) = library(&[]);
    let path = home.path().canonicalize().unwrap().join("skills");
    let own = Root { id: "own".to_owned(), path: path.clone(), made_later: true };
    let other = Root { id: "f1".to_owned(), made_later: false, ..own.clone() };
    let mut library = Library::default();
    let roots = [own, other];
    let trouble = |reading: &Reading, id: &str| reading.folder(id).unwrap().trouble.clone();
    library.sweep(&roots, &Scope::All);
    let reading = &library.reading;
    assert_eq!(trouble(reading, "own"), None);
    assert!(trouble(reading, "f1").unwrap().contains("is not there"));
    fs::create_dir_all(path.join("tea")).unwrap();
    fs::write(path.join("tea/SKILL.md"), "---\nname: tea\ndescription: d\n---\n").unwrap();
    library.sweep(&roots, &Scope::All);
    assert_eq!(ids(&library.reading), ["tea"]);
    fs::remove_dir_all(&path).unwrap();
    library.sweep(&roots, &Scope::All);
    assert!(trouble(&library.reading, "own").unwrap().contains("is not there"));
}

#[test]
fn a_skill_md_that_cannot_be_opened_is_known_to_be_there() {
    let (home, roots) = library(&["tea"]);
    let mut library = Library::default();
    library.sweep(&roots, &Scope::All);
    assert!(library.unread().is_empty());
    fs::create_dir(home.path().join("pot")).unwrap();
    // A socket has a name but no contents.
    let _socket = std::os::unix::net::UnixListener::bind(home.path().join("pot/SKILL.md")).unwrap();
    library.sweep(&roots, &Scope::All);
    let [unread] = &**library.unread() else { panic!("{:?}", library.unread()) };
    assert_eq!(unread.id.as_deref(), Some("pot"));
    assert!(!library.is_short());
}

#[test]
fn while_no_more_files_can_be_opened_the_library_stays_as_it_was() {
    if env::var_os(ALONE).is_none() {
        let name = "library::tests::while_no_more_files_can_be_opened_the_library_stays_as_it_was";
        let alone = Command::new(env::current_exe().unwrap())
            .args(["--exact", name, "--test-threads=1"])
            .env(ALONE, "1")
            .output()
            .unwrap();
        assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stdout));
        return;
    }
    let (home, roots) = library(&["milk", "tea"]);
    let mut swept = Library::default();
    let before = swept.sweep(&roots, &Scope::All).unwrap();
    fs::write(home.path().join("tea/SKILL.md"), "---\nname: tea\ndescription: other\n---\n").unwrap();
    fs::create_dir(home.path().join("new")).unwrap();
    fs::write(home.path().join("new/SKILL.md"), "---\nname: new\ndescription: d\n---\n").unwrap();
    let all: Vec<_> = std::iter::from_fn(|| File::open("/dev/null").ok()).collect();
    assert!(swept.sweep(&roots, &Scope::All).is_none(), "nothing is known to have changed");
    assert_eq!(ids(&before), ["milk", "tea"]);
    assert!(swept.is_short() && swept.unread().iter().any(|unread| unread.id.is_none()));
    // A library that starts now knows no skills, and gives the reason.
    let mut young = Library::default();
    let found = young.sweep(&roots, &Scope::All).unwrap();
    assert!(ids(&found).is_empty() && young.is_short());
    drop(all);
    // Everything is scanned, whatever was reported since.
    let nothing = Scope::Only(crate::watch::Places::default());
    assert_eq!(ids(&swept.sweep(&roots, &nothing).unwrap()), ["milk", "new", "tea"]);
    assert_eq!(ids(&young.sweep(&roots, &nothing).unwrap()), ["milk", "new", "tea"]);
    assert!(!swept.is_short() && swept.unread().is_empty());
}

/// What comes to a library once it was read.
#[cfg(target_os = "linux")]
type Change = fn(&std::path::Path);

#[cfg(target_os = "linux")]
#[test]
fn a_reading_that_is_fenced_notices_every_change() {
    const CHANGES: [(&str, Change); 8] = [
        ("a file is written", |home| fs::write(home.join("tea/references/a.md"), "b").unwrap()),
        ("a file is added to", |home| {
            use std::io::Write as _;
            let mut file = fs::OpenOptions::new().append(true).open(home.join("tea/SKILL.md")).unwrap();
            file.write_all(b"b").unwrap();
            // It is open still.
            std::mem::forget(file);
        }),
        ("a folder comes", |home| fs::create_dir(home.join("tea/assets")).unwrap()),
        ("a skill is renamed", |home| fs::rename(home.join("tea"), home.join("ale")).unwrap()),
        ("a skill goes", |home| fs::remove_dir_all(home.join("tea")).unwrap()),
        ("a file has another time", |home| {
            fs::File::open(home.join("tea/SKILL.md")).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }),
        ("a hidden folder is searched now", |home| fs::create_dir(home.join("team/.tools/skills")).unwrap()),
        ("a folder above is renamed", |home| {
            let above = home.parent().unwrap();
            fs::rename(above, above.with_file_name("other")).unwrap();
        }),
    ];
    for (what, change) in CHANGES {
        let top = tempfile::tempdir().unwrap();
        let home = top.path().canonicalize().unwrap().join("home/skills");
        fs::create_dir_all(home.join("tea/references")).unwrap();
        fs::create_dir_all(home.join("team/.tools")).unwrap();
        fs::write(home.join("tea/SKILL.md"), "---\nname: tea\ndescription: d\n---\n").unwrap();
        fs::write(home.join("tea/references/a.md"), "a").unwrap();
        let roots = [Root { id: "own".to_owned(), path: home.clone(), made_later: false }];
        let fence = Fence::new().unwrap();
        Library::default().sweep_within(&roots, &Scope::All, Some(&fence));
        assert!(fence.holds(), "before {what}");
        fs::read(home.join("tea/SKILL.md")).unwrap();
        fs::create_dir(top.path().join("beside")).unwrap();
        assert!(fence.holds(), "before {what}, after another program read it, and something else changed");
        change(&home);
        assert!(!fence.holds(), "after {what}");
        assert!(!fence.holds(), "and from then on");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_with_links_or_behind_one_is_never_said_to_be_unchanged() {
    use std::os::unix::fs::symlink;

    let (home, roots) = library(&["tea", "ale"]);
    let is_unchanged = |roots: &[Root]| {
        let fence = Fence::new().unwrap();
        Library::default().sweep_within(roots, &Scope::All, Some(&fence));
        fence.holds()
    };
    assert!(is_unchanged(&roots));
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(home.path(), elsewhere.path().join("skills")).unwrap();
    let behind = Root { path: elsewhere.path().join("skills"), ..roots[0].clone() };
    assert!(!is_unchanged(&[behind]));
    let missing = Root { path: elsewhere.path().join("missing/later"), ..roots[0].clone() };
    assert!(!is_unchanged(&[missing]));
    let file = elsewhere.path().join("notes.md");
    fs::write(&file, "a").unwrap();
    fs::hard_link(&file, home.path().join("tea/notes.md")).unwrap();
    assert!(!is_unchanged(&roots), "a second name of a file may be anywhere");
    fs::remove_file(home.path().join("tea/notes.md")).unwrap();
    assert!(is_unchanged(&roots));
    symlink(elsewhere.path(), home.path().join("linked")).unwrap();
    assert!(!is_unchanged(&roots));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_not_there_yet_is_noticed_when_it_comes_and_what_comes_beside_it_is_not() {
    let (home, _) = library(&[]);
    let data = home.path().canonicalize().unwrap();
    let later = Root { id: "own".to_owned(), path: data.join("skills"), made_later: true };
    type Come = fn(&std::path::Path);
    const WAYS: [Come; 2] = [
        |data| fs::create_dir(data.join("skills")).unwrap(),
        |data| fs::rename(data.join("skills.half"), data.join("skills")).unwrap(),
    ];
    for come in WAYS {
        let fence = Fence::new().unwrap();
        Library::default().sweep_within(std::slice::from_ref(&later), &Scope::All, Some(&fence));
        for number in 0..300 {
            fs::write(data.join(format!("audit-{number}")), "a call").unwrap();
        }
        fs::create_dir_all(data.join("skills.half")).unwrap();
        assert!(fence.holds());
        come(&data);
        assert!(!fence.holds());
        fs::remove_dir_all(data.join("skills")).unwrap();
    }
}
