//! Fetching from real git servers on this computer: well-behaved, old, dumb, private, slow and hostile ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{collections::BTreeMap, fs, io::Write as _, path::Path, thread, time::Duration};

use fetch::{Cancel, Commit, FetchError, Kind, Repositories};
use machine::Machine;
use tempfile::TempDir;
use tests::{GitHost, GitRepository, Manner};

fn git() -> (TempDir, Repositories) {
    let home = tempfile::tempdir().unwrap();
    let mut machine = Machine::at(home.path()).unwrap();
    machine.search = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
    let git = Repositories::of(&machine, &machine.data.join("fetched")).unwrap();
    (home, git)
}

fn newest(git: &Repositories, repository: &GitRepository, follows: Option<&str>) -> Result<Commit, FetchError> {
    let cancel = Cancel::default();
    let tip = git.tip(&repository.address, follows, &cancel)?;
    git.fetch(&repository.address, &tip, &cancel)
}

/// The texts of all files of a commit, by path.
fn texts(commit: &Commit) -> BTreeMap<String, String> {
    let files = commit.files(&Cancel::default()).unwrap();
    let bytes = commit.bytes(files.iter().map(|file| file.id.as_str()), &Cancel::default()).unwrap();
    let text = |id: &str| String::from_utf8_lossy(&bytes[id]).into_owned();
    files.iter().map(|file| (file.path.clone(), text(&file.id))).collect()
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
}

#[test]
fn every_kind_of_server_gives_the_same_commit() {
    for manner in [Manner::Usual, Manner::Whole, Manner::Dumb] {
        let host = GitHost::behaving(manner);
        let repository = host.repository("skills");
        repository.write("tea/SKILL.md", "Green.");
        repository.write("tea/scripts/brew.sh", "#!/bin/sh\n");
        let script = repository.work().join("tea/scripts/brew.sh");
        assert!(std::process::Command::new("chmod").arg("+x").arg(script).status().unwrap().success());
        let first = repository.commit("one");
        repository.write("tea/SKILL.md", "Black.");
        let second = repository.commit("two");
        let (_home, git) = git();
        let commit = newest(&git, &repository, None).unwrap_or_else(|error| panic!("{manner:?}: {error}"));
        assert_eq!(commit.id(), second, "{manner:?}");
        assert_eq!(texts(&commit)["tea/SKILL.md"], "Black.");
        let files = commit.files(&Cancel::default()).unwrap();
        assert_eq!(files[1].kind, Kind::Executable);
        // A commit of before, by its number.
        let old = newest(&git, &repository, Some(&first)).unwrap_or_else(|error| panic!("{manner:?}: {error}"));
        assert_eq!(texts(&old)["tea/SKILL.md"], "Green.");
    }
}

#[test]
fn what_is_here_is_not_asked_for_again_and_a_check_is_one_request() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("SKILL.md", "Green.");
    let commit = repository.commit("one");
    let (_home, git) = git();
    texts(&newest(&git, &repository, None).unwrap());
    let before = host.asked().len();
    let kept = git.kept(&repository.address, &commit).unwrap();
    assert_eq!(texts(&kept)["SKILL.md"], "Green.");
    assert_eq!(host.asked().len(), before);
    git.tips(&repository.address, &Cancel::default()).unwrap();
    // The newer protocol tells the abilities first, and the references when asked.
    assert!(host.asked().len() - before <= 2, "{:?}", host.asked());
}

#[test]
fn only_the_wanted_files_come() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    let noise: Vec<u8> = (0..3_000_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    repository.write("movie.bin", noise);
    repository.write("tea/SKILL.md", "Green.");
    repository.commit("one");
    let (home, git) = git();
    let commit = newest(&git, &repository, None).unwrap();
    let files = commit.files(&Cancel::default()).unwrap();
    let tea = files.iter().find(|file| file.path == "tea/SKILL.md").unwrap();
    let bytes = commit.bytes([tea.id.as_str()], &Cancel::default()).unwrap();
    assert_eq!(bytes[&tea.id], b"Green.");
    assert!(weight(home.path()) < 1_000_000, "the film did not come");
}

fn weight(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| if entry.path().is_dir() { weight(&entry.path()) } else { entry.metadata().unwrap().len() })
        .sum()
}

#[test]
fn branches_tags_and_what_is_not_there_are_told_apart() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("SKILL.md", "One.");
    let one = repository.commit("one");
    repository.git(&["tag", "--annotate", "v1", "--message", "first"]);
    repository.git(&["checkout", "--quiet", "-b", "feature/tea"]);
    repository.write("SKILL.md", "Two.");
    let two = repository.commit("two");
    let (_home, git) = git();
    let id = |follows| newest(&git, &repository, follows).map(|commit| commit.id().to_owned());
    assert_eq!(id(None).unwrap(), one);
    assert_eq!(id(Some("v1")).unwrap(), one);
    assert_eq!(id(Some("feature/tea")).unwrap(), two);
    let error = id(Some("nothing")).unwrap_err();
    assert!(error.to_string().ends_with("no branch, tag or commit nothing. It has feature/tea, main, v1."), "{error}");
    let error = id(Some(&"a".repeat(40))).unwrap_err();
    assert!(matches!(error, FetchError::Other(..) | FetchError::NoRepository(_)), "{error}");
    let empty = host.repository("empty");
    assert!(matches!(newest(&git, &empty, None), Err(FetchError::Empty(_))));
    let missing = repository.address.replace("skills", "missing");
    assert!(matches!(git.tips(&missing, &Cancel::default()), Err(FetchError::NoRepository(_))));
    let error = git.tips("http://127.0.0.1:1/a.git", &Cancel::default()).unwrap_err();
    assert!(matches!(error, FetchError::Offline(..)), "{error}");
}

#[test]
fn who_has_no_rights_is_told_so_and_nobody_is_asked() {
    let host = GitHost::behaving(Manner::Private);
    let repository = host.repository("skills");
    repository.write("SKILL.md", "One.");
    repository.commit("one");
    let (_home, git) = git();
    let error = git.tips(&repository.address, &Cancel::default()).unwrap_err();
    assert!(matches!(error, FetchError::NoRights(_)), "{error}");
}

#[test]
fn a_host_that_leads_elsewhere_is_not_followed() {
    let host = GitHost::behaving(Manner::Misleading);
    let repository = host.repository("skills");
    let (_home, git) = git();
    let error = git.tips(&repository.address, &Cancel::default()).unwrap_err();
    assert!(matches!(error, FetchError::Other(..) | FetchError::Offline(..)), "{error:?}");
}

#[test]
fn what_is_cancelled_ends_at_once_and_leaves_nothing() {
    let host = GitHost::behaving(Manner::Trickling);
    let repository = host.repository("skills");
    let (home, git) = git();
    let cancel = Cancel::default();
    let other = cancel.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        other.now();
    });
    assert!(matches!(git.tips(&repository.address, &cancel), Err(FetchError::Cancelled)));
    assert!(is_empty(&home.path().join(".local/share/skilltender/fetched")));
}

/// As ssh leaves its shared connection behind, with git's standard error. Whoever waited for it would give up after a
/// minute.
#[cfg(unix)]
#[test]
fn a_helper_that_git_leaves_behind_holds_nobody_up() {
    use std::os::unix::fs::PermissionsExt as _;

    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("SKILL.md", "Green.");
    let commit = repository.commit("one");
    let home = tempfile::tempdir().unwrap();
    let wrapped = home.path().join("git");
    fs::write(&wrapped, "#!/bin/sh\nsleep 70 < /dev/null > /dev/null &\nexec /usr/bin/env git \"$@\"\n").unwrap();
    fs::set_permissions(&wrapped, fs::Permissions::from_mode(0o755)).unwrap();
    let mut machine = Machine::at(home.path()).unwrap();
    machine.search = vec![home.path().to_path_buf()];
    let git = Repositories::of(&machine, &machine.data.join("fetched")).unwrap();
    assert_eq!(git.tip(&repository.address, None, &Cancel::default()).unwrap().commit, commit);
}

#[test]
fn nothing_of_a_repository_runs_and_nothing_of_it_is_on_the_disk_as_a_file() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    let mark = host_mark(&repository);
    repository.write("tea/SKILL.md", "Green.");
    repository.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
    repository.write(
        ".gitmodules",
        format!("[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c \"touch {mark}\"\n\tupdate = !touch {mark}\n"),
    );
    repository.write(".lfsconfig", format!("[lfs]\n\turl = ext::touch {mark}\n"));
    repository.write("hooks/post-checkout", format!("#!/bin/sh\ntouch {mark}\n"));
    repository.write("config", format!("[core]\n\tfsmonitor = touch {mark}\n\tsshCommand = touch {mark}\n"));
    repository.git(&["add", "--all"]);
    let link = repository.git(&["rev-parse", ":tea/SKILL.md"]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{link},tea/out")]);
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},x", "a".repeat(40))]);
    repository.git(&["commit", "--quiet", "--message", "one"]);
    repository.push();
    let (home, git) = git();
    let commit = newest(&git, &repository, None).unwrap();
    let files = commit.files(&Cancel::default()).unwrap();
    let kind = |path: &str| files.iter().find(|file| file.path == path).unwrap().kind;
    assert_eq!(kind("tea/out"), Kind::Link);
    assert_eq!(kind("x"), Kind::Submodule);
    let ids: Vec<_> = files.iter().map(|file| file.id.as_str()).collect();
    commit.bytes(ids, &Cancel::default()).unwrap();
    assert!(!Path::new(&mark).exists());
    assert!(!any(home.path(), "SKILL.md"));
}

fn host_mark(repository: &GitRepository) -> String {
    repository.work().join("../it-ran").display().to_string()
}

/// Whether a file of this name is anywhere below a folder.
fn any(folder: &Path, name: &str) -> bool {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.path()).any(|path| path.ends_with(name) || path.is_dir() && any(&path, name))
}

#[test]
fn a_history_that_was_rewritten_is_told_from_one_that_went_on() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("SKILL.md", "One.");
    repository.commit("one");
    let (_home, git) = git();
    let cancel = Cancel::default();
    let old = newest(&git, &repository, None).unwrap();
    let made = |commit: &Commit| commit.made(&cancel).unwrap();
    repository.write("SKILL.md", "Two.");
    repository.commit("two");
    repository.write("SKILL.md", "Three.");
    repository.commit("three");
    let new = newest(&git, &repository, None).unwrap();
    assert!(git.follows(&new, old.id(), made(&old), &cancel).unwrap());
    repository.git(&["checkout", "--quiet", "--orphan", "other"]);
    repository.write("SKILL.md", "Four.");
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "four"]);
    repository.git(&["branch", "--quiet", "--force", "main", "other"]);
    repository.push();
    let rewritten = newest(&git, &repository, None).unwrap();
    assert!(!git.follows(&rewritten, new.id(), made(&new), &cancel).unwrap());
}

/// Fills a repository from what is written, as `git fast-import` reads it: the blob 1 is a skill.
fn imported(repository: &GitRepository, write: impl FnOnce(&mut dyn std::io::Write)) {
    let served = repository.git(&["remote", "get-url", "origin"]);
    for setting in [["core.compression", "0"], ["core.bigFileThreshold", "1m"], ["pack.threads", "1"]] {
        tests::git_in(Path::new(&served), &[&["config"][..], &setting].concat());
    }
    let mut import = std::process::Command::new("git");
    import.args(["fast-import", "--quiet", "--force"]).current_dir(&served).stdin(std::process::Stdio::piped());
    let mut importing = import.spawn().unwrap();
    let mut stream = std::io::BufWriter::new(importing.stdin.take().unwrap());
    stream.write_all(b"blob\nmark :1\ndata 6\nGreen.\n").unwrap();
    write(&mut stream);
    stream.flush().unwrap();
    drop(stream);
    assert!(importing.wait().unwrap().success());
}

const COMMIT: &[u8] =
    b"commit refs/heads/main\ncommitter A <a@example.net> 1778580000 +0000\ndata 3\none\nM 100644 :1 tea/SKILL.md\n";

/// Bytes that nothing makes smaller.
fn noise(seed: &mut u64, bytes: &mut [u8]) {
    for eight in bytes.chunks_exact_mut(8) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        eight.copy_from_slice(&seed.to_le_bytes());
    }
}

#[test]
fn of_a_gigabyte_only_the_skill_comes_and_a_host_that_sends_all_of_it_is_given_up() {
    let (mut seed, mut film) = (0x9e37_79b9_7f4a_7c15, vec![0; 64 << 20]);
    noise(&mut seed, &mut film);
    let host = GitHost::start();
    let repository = host.repository("skills");
    imported(&repository, |out| {
        for mark in 2..18 {
            // Another start is another file.
            noise(&mut seed, &mut film[..8]);
            write!(out, "blob\nmark :{mark}\ndata {}\n", film.len()).unwrap();
            out.write_all(&film).unwrap();
            out.write_all(b"\n").unwrap();
        }
        out.write_all(COMMIT).unwrap();
        (2..18).for_each(|mark| writeln!(out, "M 100644 :{mark} films/{mark}.mp4").unwrap());
    });
    let left = |home: &TempDir| -> u64 {
        let kept = std::process::Command::new("du").arg("-sm").arg(home.path()).output().unwrap().stdout;
        String::from_utf8_lossy(&kept).split_whitespace().next().unwrap().parse().unwrap()
    };
    let (home, of_one) = git();
    let commit = newest(&of_one, &repository, None).unwrap();
    let files = commit.files(&Cancel::default()).unwrap();
    let skill = files.iter().find(|file| file.path == "tea/SKILL.md").unwrap();
    assert_eq!(commit.bytes([skill.id.as_str()], &Cancel::default()).unwrap()[&skill.id], b"Green.");
    assert!(host.sent() < 1 << 20 && left(&home) < 16, "{} were sent, {} MiB are left", host.sent(), left(&home));

    let served = repository.git(&["remote", "get-url", "origin"]);
    tests::git_in(Path::new(&served), &["config", "uploadpack.allowFilter", "false"]);
    let (home, of_another) = git();
    let error = newest(&of_another, &repository, None).unwrap_err();
    assert!(matches!(error, FetchError::TooLarge(..)), "{error}");
    assert!(host.sent() < 1 << 30 && left(&home) < 16, "{} were sent, {} MiB are left", host.sent(), left(&home));
}

#[test]
fn a_million_files_are_too_many_and_said_so() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    imported(&repository, |out| {
        out.write_all(COMMIT).unwrap();
        (0..1_000_000).for_each(|file| writeln!(out, "M 100644 :1 many/{}/{file}.md", file / 1_000).unwrap());
    });
    let (_home, git) = git();
    let error = newest(&git, &repository, None).and_then(|commit| commit.files(&Cancel::default())).unwrap_err();
    assert!(matches!(error, FetchError::TooMany(..)), "{error}");
}
