//! Work trees of a person's own, with real git: their status, pulls and commits, and all that must not happen to them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod desks;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

#[cfg(unix)]
use desks::trap;
use desks::{Desks, commit, incoming, keep, kept, write};
use fetch::{Cancel, Doing, How, Status, WorkTree, WorkTreeError};
use tests::git_in;

fn read(at: &Path, path: &str) -> String {
    fs::read_to_string(at.join(path)).unwrap_or_default()
}

fn push(at: &Path) {
    git_in(at, &["push", "--quiet"]);
}

fn status(tree: &WorkTree) -> Status {
    tree.status(&Cancel::default()).unwrap()
}

/// Every file below a folder with its bytes, but for what git itself changes when it looks.
fn everything(at: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![at.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).unwrap().flatten() {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                found.insert(entry.path(), fs::read(entry.path()).unwrap_or_default());
            }
        }
    }
    found
}

#[test]
fn a_status_says_what_changed_in_the_folder_and_leaves_no_trace() {
    let desks = Desks::new();
    let one = desks.one();
    write(&one, "skills/tea/SKILL.md", "Black.\n");
    write(&one, "skills/ale/SKILL.md", "Brew.\n");
    fs::remove_file(one.join("skills/tea/notes.md")).unwrap();
    write(&one, "README.md", "Other.\n");
    let before = everything(&one);
    let tree = desks.tree();
    let found = status(&tree);
    let entries: Vec<_> = found.entries.iter().map(|one| (one.path.as_str(), one.how)).collect();
    assert_eq!(
        entries,
        [
            ("skills/ale/SKILL.md", How::New),
            ("skills/tea/SKILL.md", How::Changed),
            ("skills/tea/notes.md", How::Removed)
        ]
    );
    assert_eq!((found.branch.as_deref(), found.upstream.as_deref()), (Some("main"), Some("origin/main")));
    assert_eq!((found.apart, found.doing, tree.inside()), (Some((0, 0)), None, "skills/"));
    let plan = kept(&tree).unwrap();
    assert_eq!(plan.paths, ["skills/ale/SKILL.md", "skills/tea/SKILL.md", "skills/tea/notes.md"]);
    assert_eq!(everything(&one), before, "looking writes nothing");
}

#[test]
fn a_pull_brings_exactly_the_commit_that_was_shown() {
    let desks = Desks::new();
    let (one, two) = (desks.one(), desks.two());
    let tree = desks.tree();
    assert_eq!(incoming(&tree).unwrap(), None);
    write(&two, "skills/tea/SKILL.md", "Black.\n");
    write(&two, "skills/ale/SKILL.md", "Brew.\n");
    write(&two, "README.md", "Other.\n");
    let second = commit(&two, "two");
    push(&two);
    let shown = incoming(&tree).unwrap().unwrap();
    assert_eq!(
        (shown.upstream.as_str(), shown.commits, shown.ahead, shown.name.as_str()),
        (&*second, 1, 0, "origin/main")
    );
    let paths: Vec<_> = shown.changes.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["README.md", "skills/ale/SKILL.md", "skills/tea/SKILL.md"]);
    let bytes = |files: &[fetch::TreeFile], path: &str| {
        let file = files.iter().find(|file| file.path == path).unwrap();
        String::from_utf8(shown.bytes[&file.id].clone()).unwrap()
    };
    assert_eq!(bytes(&shown.before, "skills/tea/SKILL.md"), "Green.\n\nHot.\n\nStrong.\n");
    assert_eq!(bytes(&shown.after, "skills/tea/SKILL.md"), "Black.\n");
    assert_eq!(bytes(&shown.after, "skills/tea/notes.md"), "Notes.\n", "what the skill has besides");
    assert_eq!(read(&one, "skills/tea/SKILL.md"), "Green.\n\nHot.\n\nStrong.\n", "looking changes nothing");
    // More comes than was shown.
    write(&two, "skills/tea/SKILL.md", "White.\n");
    commit(&two, "three");
    push(&two);
    tree.fetch(&Cancel::default()).unwrap();
    assert!(matches!(tree.take(&shown, &Cancel::default()), Err(WorkTreeError::Changed)));
    assert_eq!(read(&one, "skills/tea/SKILL.md"), "Green.\n\nHot.\n\nStrong.\n");
    // What does not come in the way stays: changed, staged, untracked and ignored.
    write(&one, "skills/tea/notes.md", "Mine.\n");
    write(&one, "skills/tea/new.md", "Mine.\n");
    write(&one, "skills/tea/x.log", "Mine.\n");
    write(&one, "staged.md", "Mine.\n");
    git_in(&one, &["add", "staged.md"]);
    let shown = incoming(&tree).unwrap().unwrap();
    assert_eq!(tree.take(&shown, &Cancel::default()).unwrap(), shown.upstream);
    assert_eq!(git_in(&one, &["rev-parse", "HEAD"]), shown.upstream);
    assert_eq!(read(&one, "skills/tea/SKILL.md"), "White.\n");
    for path in ["skills/tea/notes.md", "skills/tea/new.md", "skills/tea/x.log", "staged.md"] {
        assert_eq!(read(&one, path), "Mine.\n", "{path}");
    }
    assert_eq!(git_in(&one, &["diff", "--cached", "--name-only"]), "staged.md");
}

#[test]
fn what_would_be_written_over_is_never_written_over() {
    for (path, name, clash) in [
        ("skills/tea/SKILL.md", "changed", true),
        ("skills/ale/SKILL.md", "untracked", true),
        ("skills/tea/big.log", "ignored", true),
        // A file where a folder comes.
        ("skills/ale", "in the way", true),
        ("skills/tea/notes.md", "beside it", false),
    ] {
        let desks = Desks::new();
        let (one, two) = (desks.one(), desks.two());
        write(&two, "skills/tea/SKILL.md", "Black.\n");
        write(&two, "skills/ale/SKILL.md", "Brew.\n");
        write(&two, "skills/tea/big.log", "Theirs.\n");
        git_in(&two, &["add", "--force", "skills/tea/big.log"]);
        commit(&two, "two");
        push(&two);
        write(&one, path, "Mine.\n");
        let head = git_in(&one, &["rev-parse", "HEAD"]);
        let tree = desks.tree();
        let done = incoming(&tree).and_then(|shown| tree.take(&shown.unwrap(), &Cancel::default()));
        assert_eq!(read(&one, path), "Mine.\n", "{name}");
        assert_eq!(done.is_err(), clash, "{name}: {done:?}");
        if let Err(error) = done {
            assert_eq!(git_in(&one, &["rev-parse", "HEAD"]), head, "{name}");
            assert!(error.to_string().contains("skills/"), "{name}: {error}");
            assert_eq!(git_in(&one, &["diff", "--name-only"]).is_empty(), path != "skills/tea/SKILL.md", "{name}");
        }
    }
}

#[test]
fn two_histories_are_merged_only_where_nothing_conflicts() {
    let desks = Desks::new();
    let (one, two) = (desks.one(), desks.two());
    write(&two, "skills/tea/SKILL.md", "Black.\n\nHot.\n\nStrong.\n");
    commit(&two, "two");
    push(&two);
    write(&one, "skills/tea/SKILL.md", "Green.\n\nHot.\n\nWeak.\n");
    let mine = commit(&one, "mine");
    let tree = desks.tree();
    let before = everything(&one.join("skills"));
    let shown = incoming(&tree).unwrap().unwrap();
    assert_eq!((shown.ahead, shown.commits), (1, 1));
    assert_eq!(everything(&one.join("skills")), before);
    let merged = tree.take(&shown, &Cancel::default()).unwrap();
    assert_eq!(read(&one, "skills/tea/SKILL.md"), "Black.\n\nHot.\n\nWeak.\n");
    assert_eq!(
        git_in(&one, &["log", "-1", "--format=%s%n%P"]),
        format!("Merge origin/main\n{mine} {}", shown.upstream)
    );
    assert_eq!(git_in(&one, &["rev-parse", "HEAD"]), merged);
    assert_eq!(git_in(&one, &["status", "--porcelain"]), "");
    push(&one);
    // And now the same lines.
    git_in(&two, &["pull", "--quiet"]);
    write(&two, "skills/tea/notes.md", "Theirs.\n");
    commit(&two, "three");
    push(&two);
    write(&one, "skills/tea/notes.md", "Mine.\n");
    commit(&one, "mine again");
    let before = everything(&one.join("skills"));
    let error = incoming(&tree).unwrap_err();
    assert_eq!(
        error.to_string(),
        "You and origin/main changed the same: skills/tea/notes.md. Merge them with git in a terminal; nothing was changed here."
    );
    assert_eq!(everything(&one.join("skills")), before);
    assert_eq!(status(&tree).doing, None);
}

#[test]
fn a_commit_holds_the_named_files_alone_and_the_index_stays_the_persons() {
    let desks = Desks::new();
    let (one, two) = (desks.one(), desks.two());
    write(&one, "skills/tea/SKILL.md", "Black.\n");
    write(&one, "skills/ale/SKILL.md", "Brew.\n");
    fs::remove_file(one.join("skills/tea/notes.md")).unwrap();
    write(&one, "README.md", "Changed and staged.\n");
    git_in(&one, &["add", "README.md"]);
    write(&one, ".gitignore", "*.log\n*.tmp\n");
    let tree = desks.tree();
    let shown = kept(&tree).unwrap();
    let commit = keep(&tree, &shown, "Skills: change tea, add ale\n\nMore.\n").unwrap();
    assert_eq!(git_in(&one, &["rev-parse", "HEAD"]), commit);
    assert_eq!(
        git_in(&one, &["show", "--format=%an %s", "--name-status", "HEAD"]),
        "Ada Skills: change tea, add ale\n\nA\tskills/ale/SKILL.md\nM\tskills/tea/SKILL.md\nD\tskills/tea/notes.md"
    );
    assert_eq!(git_in(&one, &["status", "--porcelain"]), "M .gitignore\nM  README.md".replacen('M', " M", 1).trim());
    assert_eq!(status(&tree).apart, Some((1, 0)));
    let again = kept(&tree).unwrap();
    assert_eq!((again.paths.len(), again.ahead), (0, vec!["Skills: change tea, add ale".to_owned()]));
    tree.push(&commit, &Cancel::default()).unwrap();
    tree.push(&commit, &Cancel::default()).unwrap();
    assert_eq!(status(&tree).apart, Some((0, 0)));
    git_in(&two, &["pull", "--quiet"]);
    assert_eq!(read(&two, "skills/ale/SKILL.md"), "Brew.\n");
    assert_eq!(read(&two, "README.md"), "Skills.\n");
}

#[test]
fn what_changed_since_it_was_shown_is_not_committed() {
    let desks = Desks::new();
    let one = desks.one();
    write(&one, "skills/tea/SKILL.md", "Black.\n");
    let tree = desks.tree();
    let shown = kept(&tree).unwrap();
    write(&one, "skills/tea/SKILL.md", "White.\n");
    assert!(matches!(keep(&tree, &shown, "x"), Err(WorkTreeError::Changed)));
    // A staged version of its own.
    git_in(&one, &["add", "skills/tea/SKILL.md"]);
    write(&one, "skills/tea/SKILL.md", "Red.\n");
    assert!(matches!(kept(&tree), Err(WorkTreeError::Staged(path)) if path == "skills/tea/SKILL.md"));
    assert_eq!(git_in(&one, &["show", ":skills/tea/SKILL.md"]), "White.");
    // Staged as it is, it is committed.
    git_in(&one, &["add", "skills/tea/SKILL.md"]);
    keep(&tree, &kept(&tree).unwrap(), "x").unwrap();
    assert_eq!(git_in(&one, &["status", "--porcelain"]), "");
    // Taken out of git, and kept on the disk.
    git_in(&one, &["rm", "--quiet", "--cached", "skills/tea/notes.md"]);
    assert!(matches!(kept(&tree), Err(WorkTreeError::Staged(path)) if path == "skills/tea/notes.md"));
}

#[test]
fn a_push_that_is_behind_says_so_and_nothing_is_forced() {
    let desks = Desks::new();
    let (one, two) = (desks.one(), desks.two());
    write(&two, "skills/tea/SKILL.md", "Black.\n");
    let theirs = commit(&two, "two");
    push(&two);
    write(&one, "skills/ale/SKILL.md", "Brew.\n");
    let tree = desks.tree();
    let mine = keep(&tree, &kept(&tree).unwrap(), "mine").unwrap();
    let error = tree.push(&mine, &Cancel::default()).unwrap_err();
    assert_eq!(error.to_string(), "origin/main has commits that are not here, so it took none. Pull first, then push.");
    assert_eq!(git_in(&two, &["ls-remote", "origin", "main"]), format!("{theirs}\trefs/heads/main"));
    let shown = incoming(&tree).unwrap().unwrap();
    let merged = tree.take(&shown, &Cancel::default()).unwrap();
    tree.push(&merged, &Cancel::default()).unwrap();
    git_in(&two, &["pull", "--quiet"]);
    assert_eq!(read(&two, "skills/ale/SKILL.md"), "Brew.\n");
}

#[test]
fn what_stands_in_the_way_is_said_in_a_sentence() {
    let says = |prepare: &dyn Fn(&Path), part: &str| {
        let desks = Desks::new();
        let one = desks.one();
        write(&one, "skills/tea/SKILL.md", "Mine.\n");
        prepare(&one);
        let error = desks.open(&one).and_then(|tree| keep(&tree, &kept(&tree)?, "x")).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    says(&|one| drop(git_in(one, &["checkout", "--quiet", "--detach"])), "No branch is checked out here.");
    says(&|one| drop(git_in(one, &["branch", "--unset-upstream"])), "has no upstream");
    says(&|one| drop(git_in(one, &["config", "branch.main.remote", "."])), "has no upstream");
    says(&|one| drop(git_in(one, &["checkout", "--quiet", "--orphan", "new"])), "has no commit yet");
    says(&|one| drop(git_in(one, &["config", "user.email", ""])), "git does not know who you are");
    says(&|one| fs::write(one.join(".git/index.lock"), "").unwrap(), "Another git works in");
    says(
        &|one| fs::write(one.join(".git/MERGE_HEAD"), git_in(one, &["rev-parse", "HEAD"])).unwrap(),
        "A merge is not finished",
    );
    says(&|one| fs::create_dir(one.join(".git/rebase-merge")).unwrap(), "A rebase is not finished");
    says(&|one| fs::remove_dir_all(one.join(".git/objects")).unwrap(), "is no git work tree");
    says(
        &|one| {
            git_in(one, &["config", "remote.pushDefault", "elsewhere"]);
            git_in(one, &["remote", "add", "elsewhere", "/x.git"]);
        },
        "pushes this branch to elsewhere",
    );
    assert_eq!(Doing::CherryPick.to_string(), "A cherry-pick");
}

#[cfg(unix)]
#[test]
fn nothing_that_a_work_tree_names_runs() {
    let settings = [
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "core.sshCommand",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "merge.x.driver",
        "gpg.program",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
        "hook.x.command",
    ];
    for name in settings {
        let desks = Desks::new();
        let (one, two) = (desks.one(), desks.two());
        write(&two, "skills/tea/SKILL.md", "Black.\n");
        write(&two, ".gitattributes", "* filter=x diff=x merge=x\n");
        commit(&two, "two");
        push(&two);
        let trap = trap(&one, "trap");
        git_in(&one, &["config", name, &trap]);
        write(&one, "skills/tea/notes.md", "Mine.\n");
        let error = desks.open(&one).unwrap_err();
        assert!(
            matches!(&error, WorkTreeError::Settings { names, .. } if names.eq_ignore_ascii_case(name)),
            "{name}: {error}"
        );
        assert!(!one.join("ran").exists(), "{name}");
    }
    // In a file that is included.
    let desks = Desks::new();
    let one = desks.one();
    fs::write(one.join(".git/more"), "[filter \"x\"]\n clean = evil\n").unwrap();
    git_in(&one, &["config", "include.path", "more"]);
    assert!(matches!(desks.open(&one), Err(WorkTreeError::Settings { .. })));
    // A setting that leads elsewhere.
    let desks = Desks::new();
    let one = desks.one();
    git_in(&one, &["config", "core.worktree", &desks.two().display().to_string()]);
    assert!(matches!(desks.open(&one), Err(WorkTreeError::NoWorkTree(_))));
}

#[test]
fn how_the_upstream_is_reached_is_not_for_the_folder_to_say() {
    let desks = Desks::new();
    let one = desks.one();
    for (name, value) in [
        ("http.proxy", "http://127.0.0.1:9"),
        ("http.https://host.example/.proxy", "http://127.0.0.1:9"),
        ("http.sslVerify", "false"),
        ("http.sslCAInfo", "ours.pem"),
        ("http.sslBackend", "openssl"),
        ("http.extraHeader", "X: y"),
        ("http.curloptResolve", "host.example:443:127.0.0.1"),
        ("http.followRedirects", "true"),
        ("remote.origin.proxy", "http://127.0.0.1:9"),
        ("url.https://elsewhere.example/.insteadOf", "https://host.example/"),
        ("url.https://elsewhere.example/.pushInsteadOf", "https://host.example/"),
        ("credential.https://host.example.username", "ada"),
        ("push.pushOption", "merge_request.create"),
    ] {
        git_in(&one, &["config", name, value]);
        let error = desks.open(&one).unwrap_err();
        let WorkTreeError::Connection { names, .. } = &error else { panic!("{name}: {error}") };
        assert!(names.eq_ignore_ascii_case(name), "{name}: {error}");
        assert!(error.to_string().contains("git config --global"), "{error}");
        git_in(&one, &["config", "--unset", name]);
    }
    assert!(desks.open(&one).is_ok());
    git_in(&one, &["config", "http.proxy", "http://127.0.0.1:9"]);
    git_in(&one, &["config", "credential.helper", "evil"]);
    let error = desks.open(&one).unwrap_err();
    assert!(matches!(&error, WorkTreeError::Settings { names, .. } if names == "credential.helper"), "{error}");
}

#[cfg(unix)]
#[test]
fn monitors_and_hooks_never_run_and_a_commit_with_hooks_is_the_persons() {
    let desks = Desks::new();
    let (one, two) = (desks.one(), desks.two());
    write(&two, "skills/tea/SKILL.md", "Black.\n");
    commit(&two, "two");
    push(&two);
    let monitor = trap(&one, "monitor");
    git_in(&one, &["config", "core.fsmonitor", &monitor]);
    for name in ["post-merge", "post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"] {
        trap(&one, &format!(".git/hooks/{name}"));
    }
    let mark = one.join("ran");
    for entry in fs::read_dir(one.join(".git/hooks")).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap();
        if text.contains("echo .git") {
            fs::write(entry.path(), format!("#!/bin/sh\necho hook >> '{}'\n", mark.display())).unwrap();
        }
    }
    let tree = desks.tree();
    status(&tree);
    assert_eq!(tree.hooks_after_pull(&Cancel::default()).unwrap(), ["post-merge"]);
    let shown = incoming(&tree).unwrap().unwrap();
    tree.take(&shown, &Cancel::default()).unwrap();
    assert_eq!(read(&one, "skills/tea/SKILL.md"), "Black.\n");
    assert!(!mark.exists(), "{}", read(&one, "ran"));
    write(&one, "skills/tea/SKILL.md", "Mine.\n");
    let error = kept(&tree).unwrap_err().to_string();
    assert!(error.contains("has hooks (reference-transaction)"), "{error}");
    // A folder of hooks that the tree itself brings.
    fs::remove_dir_all(one.join(".git/hooks")).unwrap();
    trap(&one, ".husky/pre-commit");
    git_in(&one, &["config", "core.hooksPath", ".husky"]);
    let error = kept(&tree).unwrap_err().to_string();
    assert!(error.contains("has hooks (pre-commit)"), "{error}");
    git_in(&one, &["config", "--unset", "core.hooksPath"]);
    // Hooks of a repository on this computer that is pushed to.
    let served = git_in(&one, &["remote", "get-url", "origin"]);
    fs::write(Path::new(&served).join("hooks/pre-receive"), "#!/bin/sh\n").unwrap();
    let commit = keep(&tree, &kept(&tree).unwrap(), "mine").unwrap();
    trap(Path::new(&served), "hooks/pre-receive");
    assert!(matches!(tree.push(&commit, &Cancel::default()), Err(WorkTreeError::HooksThere(_))));
    let up = "../".repeat(one.components().count());
    git_in(&one, &["remote", "set-url", "origin", &format!("{up}{served}")]);
    assert!(matches!(tree.push(&commit, &Cancel::default()), Err(WorkTreeError::HooksThere(_))));
    git_in(&one, &["remote", "set-url", "origin", &format!("file://{served}")]);
    assert!(matches!(tree.push(&commit, &Cancel::default()), Err(WorkTreeError::HooksThere(_))));
    assert!(!mark.exists() && !Path::new(&served).join("ran").exists());
}

/// As a drive that does not answer, or a folder that somebody prepared.
#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_ended_with_the_question() {
    let desks = Desks::new();
    let one = desks.one();
    let pipe = one.join(".git/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    git_in(&one, &["config", "include.path", "pipe"]);
    let cancel = Cancel::default();
    let other = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        other.now();
    });
    let error = WorkTree::open(&desks.git, &one, &one.join("skills"), &cancel).unwrap_err();
    assert!(matches!(error, WorkTreeError::Fetch(fetch::FetchError::Cancelled)), "{error}");
}

#[test]
fn odd_names_are_committed_as_they_are() {
    let desks = Desks::new();
    let one = desks.one();
    let names = ["a b.md", "-rf", ":(glob)*", "*.md", "ümläut.md", "a\tb\n.md", "\"quoted\".md", "#x", "~", "@{u}"];
    let names = names.iter().filter(|_| !cfg!(windows));
    for name in names.clone() {
        write(&one, &format!("skills/tea/{name}"), "Mine.\n");
    }
    write(&one, "skills/outside.md", "Stays.\n");
    // A repository inside is left out.
    git_in(&one, &["init", "--quiet", "skills/tea/inner"]);
    write(&one, "skills/tea/inner/x.md", "Inner.\n");
    let tree = desks.tree();
    let shown = kept(&tree).unwrap();
    assert_eq!(shown.paths.len(), names.clone().count());
    let commit = keep(&tree, &shown, "odd").unwrap();
    tree.push(&commit, &Cancel::default()).unwrap();
    let two = desks.two();
    git_in(&two, &["pull", "--quiet"]);
    for name in names {
        assert_eq!(read(&two, &format!("skills/tea/{name}")), "Mine.\n", "{name}");
    }
    assert_eq!(git_in(&one, &["status", "--porcelain"]), "?? skills/outside.md\n?? skills/tea/inner/");
}

#[test]
fn what_is_cancelled_changes_nothing() {
    let desks = Desks::new();
    let one = desks.one();
    let tree = desks.tree();
    let cancel = Cancel::default();
    cancel.now();
    assert!(matches!(tree.fetch(&cancel), Err(WorkTreeError::Fetch(_))));
    assert!(matches!(tree.status(&cancel), Err(WorkTreeError::Fetch(_))));
    assert_eq!(git_in(&one, &["status", "--porcelain"]), "");
}
