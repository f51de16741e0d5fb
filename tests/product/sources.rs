//! Skills from a git repository, on the command line alone: added, asked about, updated after a review, taken back, locked,
//! and the same on a second home.

use std::{fs, path::Path, process::Output, time::Duration};

use serde_json::Value;
use tests::{GitHost, GitRepository, Home, SecureHost};

fn run(home: &Home, words: &[&str]) -> Output {
    home.skilltender().args(words).output().unwrap()
}

/// What a command prints that ends well.
fn said(home: &Home, words: &[&str]) -> String {
    let Output { status, stdout, stderr } = run(home, words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(status.success(), "{words:?}: {}{}", text(&stdout), text(&stderr));
    text(&stdout)
}

/// The exit code of a command, and all that it prints.
fn ends(home: &Home, words: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = run(home, words);
    let all = [stdout, stderr].concat();
    (status.code().unwrap(), String::from_utf8_lossy(&all).into_owned())
}

fn text(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Makes {name}. Use when {name} is wanted.\n---\n# {name}\n\n{body}\n")
}

fn repository(host: &GitHost) -> GitRepository {
    let repository = host.repository("skills");
    repository.write("skills/brew/SKILL.md", text("brew", "Boil water."));
    repository.write("skills/brew/notes.md", "Green.\n");
    repository.write("skills/mead/SKILL.md", text("mead", "Brew it."));
    repository.commit("one");
    repository
}

fn read(home: &Home, below: &str) -> String {
    fs::read_to_string(home.data().join("skills").join(below)).unwrap_or_default()
}

#[test]
fn the_life_of_a_skill_from_a_repository() {
    let (host, home) = (GitHost::start(), Home::new());
    let repository = repository(&host);
    let address = repository.address.as_str();
    let (code, shown) = ends(&home, &["sources", "add", address]);
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("mead  (skills/mead)") && shown.contains("Nothing was added: `--yes` adds them."),
        "{shown}"
    );
    let added = said(&home, &["sources", "add", address, "--yes"]);
    assert_eq!(
        added,
        "brew came, and is off.\nmead came, and is off.\n`skilltender enable` shows what they carry and switches them on.\n"
    );
    assert!(said(&home, &["sources"]).contains("own/brew"));
    assert_eq!(said(&home, &["outdated"]), "Every skill is as its source has it.\n");

    repository.write("skills/brew/SKILL.md", text("brew", "Boil fresh water."));
    repository.write("skills/brew/scripts/boil.sh", "#!/bin/sh\ncurl https://tea.example.net\n");
    repository.commit("two");
    let (code, shown) = ends(&home, &["outdated"]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("own/brew  (another version is there)") && !shown.contains("own/mead  ("), "{shown}");
    let (code, shown) = ends(&home, &["update"]);
    assert_eq!(code, 1, "{shown}");
    for part in ["new: the script scripts/boil.sh", "-Boil water.", "+Boil fresh water.", "--yes updates it"] {
        assert!(shown.replace("- ", "-").replace("+ ", "+").contains(part), "{part}: {shown}");
    }
    let (code, shown) = ends(&home, &["update", "--text-only", "--yes"]);
    assert!(code == 1 && shown.contains("it changes more than texts"), "{shown}");
    assert!(read(&home, "brew/SKILL.md").contains("Boil water."));
    assert!(said(&home, &["update", "--yes"]).starts_with("own/brew is updated to "));
    assert!(read(&home, "brew/SKILL.md").contains("Boil fresh water."));

    assert_eq!(said(&home, &["outdated", "mead"]), "Every skill is as its source has it.\n");
    let versions: Value = serde_json::from_str(&said(&home, &["history", "brew", "--json"])).unwrap();
    assert_eq!(versions.as_array().unwrap().len(), 2);
    said(&home, &["rollback", "brew", "--yes"]);
    assert_eq!(read(&home, "brew/SKILL.md"), text("brew", "Boil water."));
    let (code, shown) = ends(&home, &["rollback", "mead", "--yes"]);
    assert!(code != 0 && shown.contains("no version before this one"), "{shown}");
    assert!(said(&home, &["activity", "--ours"]).contains("Went back to"));
    let (code, shown) = ends(&home, &["outdated"]);
    assert!(code == 1 && shown.contains("own/brew"), "what was gone back from is an update again: {shown}");
    // A source that does not answer says nothing about its skills.
    host.lose("skills");
    for words in [&["outdated", "mead"][..], &["update", "mead", "--yes"]] {
        let (code, shown) = ends(&home, words);
        assert!(code == 3 && shown.contains("There is no git repository"), "{words:?}: {shown}");
        assert!(!shown.contains("as its source has it"), "{words:?}: {shown}");
    }
    said(&home, &["sources", "remove", address]);
    assert!(said(&home, &["sources"]).starts_with("No skill has a source."));
    assert!(read(&home, "brew/SKILL.md").contains("Boil water."));
    // Nothing of it stays when Skilltender goes.
    said(&home, &["uninstall", "--data", "--yes"]);
    assert!(!home.data().exists());
}

#[test]
fn a_conflict_is_shown_with_both_sides_and_answered_by_name() {
    let (host, home) = (GitHost::start(), Home::new());
    let repository = repository(&host);
    said(&home, &["sources", "add", &repository.address, "--only", "skills/brew", "--yes"]);
    fs::write(home.data().join("skills/brew/notes.md"), "Mine.\n").unwrap();
    repository.write("skills/brew/notes.md", "Theirs.\n");
    repository.commit("two");
    let (code, shown) = ends(&home, &["update", "--yes"]);
    assert!(
        code == 1 && shown.contains("    Mine.") && shown.contains("    Theirs.") && shown.contains("--theirs answers"),
        "{shown}"
    );
    assert_eq!(read(&home, "brew/notes.md"), "Mine.\n");
    said(&home, &["update", "--yes", "--theirs"]);
    assert_eq!(read(&home, "brew/notes.md"), "Theirs.\n");
    said(&home, &["rollback", "brew", "--yes"]);
    assert_eq!(read(&home, "brew/notes.md"), "Mine.\n");
}

#[test]
fn a_lock_makes_a_second_home_the_same_and_one_changed_byte_fails() {
    let (host, one, other) = (GitHost::start(), Home::new(), Home::new());
    let repository = repository(&host);
    said(&one, &["sources", "add", &repository.address, "--yes"]);
    let lock = one.path("project/skilltender.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    let lock = lock.display().to_string();
    said(&one, &["lock", "--out", &lock]);
    let first = fs::read_to_string(&lock).unwrap();
    // The repository goes on; the lock does not.
    repository.write("skills/brew/notes.md", "Black.\n");
    repository.commit("two");
    let (code, shown) = ends(&other, &["sync", "--lock", &lock, "--check"]);
    assert!(code == 1 && shown.contains("brew is missing."), "{shown}");
    assert!(said(&other, &["sync", "--lock", &lock, "--frozen"]).contains("byte for byte"));
    assert_eq!(read(&other, "brew/notes.md"), "Green.\n");
    let again = other.path("skilltender.lock").display().to_string();
    said(&other, &["lock", "--out", &again]);
    assert_eq!(fs::read_to_string(&again).unwrap(), first, "the same on every computer");

    said(&other, &["update", "--yes"]);
    let (code, shown) = ends(&other, &["sync", "--lock", &lock, "--check"]);
    assert!(code == 1 && shown.contains("brew: notes.md is another file."), "{shown}");
    said(&other, &["sync", "--lock", &lock, "--yes"]);
    assert_eq!(read(&other, "brew/notes.md"), "Green.\n");

    // A lock whose digests are others is not believed: nothing comes, and the other skills do.
    let third = Home::new();
    let other_digest = &first.lines().find_map(|line| line.trim().strip_suffix("  notes.md\",")).unwrap()[1..];
    let forged = first.replace(other_digest, &"0".repeat(64));
    let forged = with_digests(&forged);
    third.write("skilltender.lock", &forged);
    let (code, shown) =
        ends(&third, &["sync", "--lock", &third.path("skilltender.lock").display().to_string(), "--frozen"]);
    assert!(
        code == 1
            && shown.contains("gives other files of brew for its commit than the lock has: notes.md is another file."),
        "{shown}"
    );
    assert_eq!(
        (read(&third, "brew/SKILL.md"), read(&third, "mead/SKILL.md")),
        (String::new(), text("mead", "Brew it."))
    );

    // In CI: folders beside the lock, without a library.
    let project = other.path("project");
    for skill in ["brew", "mead"] {
        copy(&other.data().join("skills").join(skill), &project.join("skills").join(skill));
    }
    fs::write(project.join("skilltender.lock"), &first).unwrap();
    let folder = project.join("skills").display().to_string();
    said(&other, &["check", "--frozen", &folder]);
    fs::write(project.join("skills/brew/notes.md"), "Green!\n").unwrap();
    let (code, shown) = ends(&other, &["check", "--frozen", &folder]);
    assert!(code == 1 && shown.contains("brew: notes.md is another file."), "{shown}");
}

/// A lock in which the digest of each skill belongs to its files again.
fn with_digests(lock: &str) -> String {
    use sha2::{Digest as _, Sha256};

    let (mut made, mut at) = (lock.to_owned(), 0);
    while let Some(begin) = made[at..].find("digest = \"").map(|begin| at + begin) {
        let end = begin + made[begin..].find("\n]").unwrap();
        let lines =
            made[begin..end].lines().skip(2).filter_map(|line| line.trim().trim_matches(['"', ',']).split_once(' '));
        let lines: String = lines.map(|(sha, path)| format!("{}\0{sha}\n", &path[1..])).collect();
        let line = made[begin..].find('\n').unwrap() + begin;
        made.replace_range(begin..line, &format!("digest = \"sha256:{:x}\"", Sha256::digest(lines)));
        at = line;
    }
    made
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let at = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &at) } else { assert!(fs::copy(entry.path(), at).is_ok()) }
    }
}

/// A kill at any moment of an update leaves the old version or the new one, and the next start says which.
#[test]
fn an_update_that_is_killed_leaves_one_version_or_the_other() {
    let (host, home) = (GitHost::start(), Home::new());
    let repository = repository(&host);
    said(&home, &["sources", "add", &repository.address, "--only", "skills/brew", "--yes"]);
    let (old, new) = (text("brew", "Boil water."), text("brew", "Boil fresh water."));
    repository.write("skills/brew/SKILL.md", &new);
    repository.write("skills/brew/more.md", "More.\n");
    repository.commit("two");
    for wait in [5, 20, 40, 60, 80, 100, 120, 160, 200, 300] {
        let mut child = home.skilltender().args(["update", "brew", "--yes"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let is_new = read(&home, "brew/SKILL.md") == new;
        assert!(is_new || read(&home, "brew/SKILL.md") == old);
        assert_eq!(home.data().join("skills/brew/more.md").exists(), is_new, "whole, after {wait} ms");
        let versions: Value = serde_json::from_str(&said(&home, &["history", "brew", "--json"])).unwrap();
        if is_new {
            // An order finishes what was interrupted.
            said(&home, &["disable", "brew"]);
            said(&home, &["rollback", "brew", "--yes"]);
            assert_eq!(read(&home, "brew/SKILL.md"), old, "{versions}");
        }
    }
    said(&home, &["update", "brew", "--yes"]);
    assert_eq!(read(&home, "brew/SKILL.md"), new);
    let names = fs::read_dir(home.data().join("skills")).unwrap().flatten().map(|entry| entry.file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with(".skilltender-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Skills from a folder and from an archive over https, and written down for other programs.
#[test]
fn a_folder_and_an_archive_are_sources_and_leaving_costs_nothing() {
    let home = Home::new();
    home.write("team/brew/SKILL.md", &text("brew", "Boil water."));
    home.write("team/brew/scripts/boil.sh", "echo\n");
    let here = home.path("");
    let run_here = |words: &[&str]| {
        let Output { status, stdout, stderr } = home.skilltender().args(words).current_dir(&here).output().unwrap();
        (status.code().unwrap(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
    };
    let (code, shown) = run_here(&["sources", "add", "./team", "--yes"]);
    assert!(code == 0 && shown.contains("team at sha256:") && shown.contains("brew came, and is off."), "{shown}");
    home.write("team/brew/SKILL.md", &text("brew", "Boil fresh water."));
    let (code, shown) = run_here(&["outdated"]);
    assert!(code == 1 && shown.contains("own/brew  (another version is there)"), "{shown}");
    let (code, shown) = run_here(&["update", "--yes"]);
    assert!(code == 0 && shown.starts_with("own/brew is updated to sha256:"), "{shown}");
    let (code, shown) = run_here(&["lock"]);
    assert!(code == 3 && shown.contains("brew came from a place of this computer"), "{shown}");
    let (code, shown) = run_here(&["sources", "remove", "./team"]);
    assert_eq!(code, 0, "{shown}");

    let market = home.path("market").display().to_string();
    said(&home, &["export", "brew", "--format", "claude-marketplace", "--out", &market]);
    let exported = fs::read_to_string(home.path("market/skills/brew/SKILL.md")).unwrap();
    assert_eq!(exported, text("brew", "Boil fresh water."));
    home.write("market/skills/brew/SKILL.md", "mine");
    let (code, shown) = ends(&home, &["export", "brew", "--format", "claude-marketplace", "--out", &market]);
    assert!(code == 3 && shown.contains("is there already, so nothing was written."), "{shown}");

    if !tests::able::has(&["openssl", "tar"]) {
        return;
    }
    let archive = home.path("team.tgz");
    tests::able::run(std::process::Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(&here).arg("team"));
    let host = SecureHost::start(&[("team.tgz", &fs::read(&archive).unwrap())]);
    let (other, address) = (Home::new(), host.address("team.tgz"));
    let (code, shown) = ends(&other, &["sources", "add", &address, "--yes"]);
    assert!(code == 3 && shown.contains("is not trusted by this computer"), "{shown}");
    let trusting =
        other.skilltender().args(["sources", "add", &address, "--yes"]).env("SSL_CERT_FILE", host.authority()).output();
    let Output { status, stdout, stderr } = trusting.unwrap();
    assert!(status.success(), "{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert_eq!(read(&other, "brew/SKILL.md"), text("brew", "Boil fresh water."));
}
