//! Another version in a skill's place: whole, with what lies beside its files, and undone or finished after a kill at
//! any point.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{fs, path::Path};

use machine::Machine;
use origins::{
    By, Files, Newest, Pending, PlaceError, Placed, Record, Spot, Version, Versions, finish, is_placed, load, locked,
    read_files, remove, save,
};
use proptest::prelude::*;
use sources::update::{FileBytes, FileSet};

fn files(all: &[(&str, &str)]) -> FileSet {
    let file = |text: &str| FileBytes { bytes: text.as_bytes().to_vec(), executable: text.starts_with("#!") };
    all.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect()
}

fn write(folder: &Path, files: &FileSet) {
    for (path, file) in files {
        let at = folder.join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(&at, &file.bytes).unwrap();
        #[cfg(unix)]
        if file.executable {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&at, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}

/// Puts a version in place, and removes the one that went.
fn put(skill: &Path, from: &FileSet, to: &FileSet) {
    let spot = Spot::of(skill).unwrap();
    Placed::prepare(&spot, from, to).unwrap().put().unwrap();
    let mut record = Record { left: Some(spot.shelter), ..Record::default() };
    record.clear();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_version_takes_the_place_of_another_and_nothing_else_is_left() {
    let home = tempfile::tempdir().unwrap();
    let skill = home.path().join("tea");
    let (old, new) = (
        files(&[("SKILL.md", "Green."), ("old/deep/a.md", "a"), ("scripts/run.sh", "#!/bin/sh\n")]),
        files(&[("SKILL.md", "Black."), ("new/b.md", "b"), ("scripts/run.sh", "#!/bin/sh\necho\n")]),
    );
    write(&skill, &old);
    put(&skill, &old, &new);
    assert_eq!(read_files(&skill, &Files::new()).unwrap().files, new);
    assert_eq!(names(home.path()), ["tea"]);
    assert_eq!(names(&skill), ["SKILL.md", "new", "scripts"]);
}

#[test]
fn what_changed_since_the_review_is_not_replaced() {
    let home = tempfile::tempdir().unwrap();
    let skill = home.path().join("tea");
    let (old, new) = (files(&[("SKILL.md", "Green.")]), files(&[("SKILL.md", "Black.")]));
    write(&skill, &files(&[("SKILL.md", "Mine.")]));
    assert!(matches!(Placed::prepare(&Spot::of(&skill).unwrap(), &old, &new), Err(PlaceError::Changed)));
    write(&skill, &old);
    let placed = Placed::prepare(&Spot::of(&skill).unwrap(), &old, &new).unwrap();
    // A moment before the exchange.
    write(&skill, &files(&[("SKILL.md", "Mine.")]));
    assert!(matches!(placed.put(), Err(PlaceError::Changed)));
    assert_eq!(fs::read_to_string(skill.join("SKILL.md")).unwrap(), "Mine.");
    assert_eq!(names(home.path()), ["tea"]);
}

#[cfg(unix)]
#[test]
fn links_and_what_tools_left_move_along_and_a_link_in_the_way_is_refused() {
    use std::os::unix::fs::symlink;

    let home = tempfile::tempdir().unwrap();
    let skill = home.path().join("tea");
    let (old, new) = (files(&[("SKILL.md", "Green."), ("old/a.md", "a")]), files(&[("SKILL.md", "Black.")]));
    write(&skill, &old);
    fs::create_dir_all(skill.join(".git/objects")).unwrap();
    fs::create_dir_all(skill.join("old/node_modules/x")).unwrap();
    fs::write(skill.join("old/node_modules/x/y"), "kept").unwrap();
    fs::write(skill.join(".DS_Store"), "kept").unwrap();
    symlink("SKILL.md", skill.join("README.md")).unwrap();
    put(&skill, &old, &new);
    assert_eq!(names(&skill), [".DS_Store", ".git", "README.md", "SKILL.md", "old"]);
    assert_eq!(fs::read_link(skill.join("README.md")).unwrap(), Path::new("SKILL.md"));
    assert_eq!(fs::read_to_string(skill.join("old/node_modules/x/y")).unwrap(), "kept");
    let theirs = files(&[("SKILL.md", "Black."), ("README.md", "Theirs.")]);
    assert!(matches!(Placed::prepare(&Spot::of(&skill).unwrap(), &new, &theirs), Err(PlaceError::Name(_))));
    // A skill that is a link is replaced where it leads to, and stays a link.
    symlink(&skill, home.path().join("linked")).unwrap();
    put(&home.path().join("linked"), &new, &old);
    assert!(home.path().join("linked").is_symlink());
    assert_eq!(fs::read_to_string(skill.join("SKILL.md")).unwrap(), "Green.");
}

fn version(files: &FileSet) -> Version {
    Version { at: 1, by: By::Updated, commit: "a".repeat(40), made: 1, came: locked(files), files: locked(files) }
}

/// Each point at which a kill may come, made by hand: what is there then is what a kill leaves.
#[test]
fn after_a_kill_at_any_point_it_is_the_old_version_or_the_new_one_and_nothing_is_left() {
    for (point, is_new) in [
        ("empty", false),
        ("half", false),
        ("before", false),
        ("exchanged", true),
        ("edited", true),
        ("written into", false),
    ] {
        let is_exchanged = !matches!(point, "empty" | "half" | "before");
        let home = tempfile::tempdir().unwrap();
        let skill = home.path().join("tea");
        let (old, new) = (files(&[("SKILL.md", "Green.")]), files(&[("SKILL.md", "Black."), ("b.md", "b")]));
        let shelter = home.path().join(".skilltender-x");
        let waiting = shelter.join("skill");
        write(if is_exchanged { &waiting } else { &skill }, &old);
        write(if is_exchanged { &skill } else { &waiting }, &new);
        let mine = files(&[("SKILL.md", "Mine.")]);
        match point {
            "empty" => fs::remove_dir_all(&waiting).unwrap(),
            "half" => fs::remove_file(waiting.join("b.md")).unwrap(),
            "edited" => write(&skill, &mine),
            // A person saved between the last look and the exchange.
            "written into" => write(&waiting, &mine),
            _ => {}
        }
        let pending = Pending { from: version(&old), to: version(&new), location: skill.clone(), shelter };
        assert_eq!(is_placed(&pending), is_new, "{point}");
        let mut record = Record { pending: Some(pending.clone()), ..Record::default() };
        if finish(&pending) {
            record.advance(pending.from, pending.to);
        }
        assert_eq!(record.left.is_some(), is_new, "{point}: the old one stays until the record is saved");
        record.clear();
        assert_eq!(names(home.path()), ["tea"], "{point}");
        let text = fs::read_to_string(skill.join("SKILL.md")).unwrap();
        let expected = match point {
            "edited" | "written into" => "Mine.",
            "exchanged" => "Black.",
            _ => "Green.",
        };
        assert_eq!(text, expected, "{point}");
    }
    // Where folders are exchanged in two steps, between them.
    let home = tempfile::tempdir().unwrap();
    let (old, new) = (files(&[("SKILL.md", "Green.")]), files(&[("SKILL.md", "Black.")]));
    let shelter = home.path().join(".skilltender-x");
    write(&shelter.join("aside"), &old);
    write(&shelter.join("skill"), &new);
    let skill = home.path().join("tea");
    let pending = Pending { from: version(&old), to: version(&new), location: skill.clone(), shelter };
    assert!(!finish(&pending));
    assert_eq!(read_files(&skill, &Files::new()).unwrap().files, old);
    assert_eq!(names(home.path()), ["tea"]);
}

#[test]
fn only_a_folder_of_ours_is_removed_whatever_a_record_says() {
    let home = tempfile::tempdir().unwrap();
    let skill = home.path().join("tea");
    write(&skill, &files(&[("SKILL.md", "Green.")]));
    for left in [skill.clone(), home.path().join(".skilltender-x/.."), home.path().join(".skilltender-gone")] {
        Record { left: Some(left), ..Record::default() }.clear();
    }
    assert_eq!(names(home.path()), ["tea"]);
}

#[test]
fn records_are_kept_by_their_keys_and_one_that_is_broken_is_set_aside() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::at(home.path()).unwrap();
    let newest = Some(Newest { at: 2, commit: "b".repeat(40), digest: "of others".to_owned(), notes: Vec::new() });
    let record = |key: &str| Record {
        key: key.to_owned(),
        address: "https://github.com/acme/skills.git".to_owned(),
        inside: "skills/tea".to_owned(),
        now: version(&files(&[("SKILL.md", "Green.")])),
        newest: newest.clone(),
        ..Record::default()
    };
    for key in ["own/tea", "own/Tea", "f1/a/b"] {
        save(&machine, &record(key)).unwrap();
    }
    let (origins, unreadable) = load(&machine, true);
    assert_eq!(origins.len(), 3);
    assert_eq!(origins["own/tea"], record("own/tea"));
    assert!(origins["own/tea"].is_outdated() && unreadable.is_empty());
    remove(&machine, "own/Tea").unwrap();
    remove(&machine, "own/Tea").unwrap();
    fs::write(machine.data.join("origins/broken.json"), "{\"version\": 1, \"key\": \"own/x\"}").unwrap();
    let (origins, unreadable) = load(&machine, true);
    assert_eq!((origins.len(), unreadable.len()), (2, 1));
    assert_eq!(load(&machine, true).1.len(), 0);
}

#[test]
fn bytes_of_versions_come_back_and_damage_is_told() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::at(home.path()).unwrap();
    let versions = Versions::of(&machine);
    let some = files(&[("SKILL.md", "Green."), ("copy.md", "Green."), ("run.sh", "#!/bin/sh\n")]);
    let kept = versions.keep(&some).unwrap();
    assert_eq!(versions.read(&kept).unwrap(), some);
    let sha = &kept["SKILL.md"].sha256;
    fs::write(machine.data.join("versions").join(&sha[..2]).join(sha), "Black.").unwrap();
    assert!(versions.read(&kept).unwrap_err().0.ends_with(".md"));
    // Young bytes stay although no record names them yet.
    versions.sweep(&origins::Origins::new());
    assert!(versions.read(&locked(&files(&[("run.sh", "#!/bin/sh\n")]))).is_ok());
}

fn some_files() -> impl Strategy<Value = FileSet> {
    let path = "SKILL\\.md|[ab]\\.md|[ab]/[cd]\\.md|[ab]/e/f";
    let one = (prop::collection::vec(any::<u8>(), 0..8), any::<bool>());
    let one = one.prop_map(|(bytes, executable)| FileBytes { bytes, executable: cfg!(unix) && executable });
    prop::collection::btree_map(path, one, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Two hundred histories of ten versions each: two thousand.
    #[test]
    fn going_back_is_byte_equal_however_often(history in prop::collection::vec(some_files(), 10)) {
        // In memory where that can be had: each step waits for its disk.
        let memory = Path::new("/dev/shm");
        let home = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
        let machine = Machine::at(home.path()).unwrap();
        let versions = Versions::of(&machine);
        let skill = home.path().join("tea");
        write(&skill, &history[0]);
        let mut kept = vec![versions.keep(&history[0]).unwrap()];
        for pair in history.windows(2) {
            put(&skill, &pair[0], &pair[1]);
            kept.push(versions.keep(&pair[1]).unwrap());
        }
        for (before, files) in kept.iter().zip(&history).rev() {
            let now = read_files(&skill, &Files::new()).unwrap().files;
            put(&skill, &now, &versions.read(before).unwrap());
            prop_assert_eq!(&read_files(&skill, &Files::new()).unwrap().files, files);
        }
    }
}
