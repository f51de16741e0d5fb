//! An update of a skill that is killed at any of its system calls that change a file: the skill is whole, in its old version
//! or its new one, the next start says which, and nothing lies about. `cargo xtask test --long` kills at every call,
//! otherwise at some.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tests::{GitHost, Home, able::has};

/// What changes files. Each is counted by itself, in each thread.
const CALLS: &[&str] = &[
    "write",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fchmod",
    "chmod",
    "utimensat",
];

fn text(body: &str) -> String {
    format!("---\nname: brew\ndescription: Makes tea. Use when tea is wanted.\n---\n# brew\n\n{body}\n")
}

/// The command of an update, traced by `strace` with these words.
fn traced(home: &Home, strace: &[&str]) -> Output {
    let program = home.skilltender();
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(home.path("trace")).args(strace).arg(program.get_program());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.args(["update", "brew", "--yes"]).output().unwrap()
}

/// How often a thread of ours makes each call, at most. Git's processes do not count: that they may end is tested elsewhere.
fn counts(trace: &str) -> BTreeMap<String, u32> {
    let calls = || {
        trace.lines().filter_map(|line| {
            let (thread, call) = line.split_once(' ')?;
            Some((thread, call.trim_start().split_once('(')?))
        })
    };
    let git = |(thread, (name, words)): (&'_ str, (&str, &str))| {
        (name == "execve" && words.contains("git")).then(|| thread.to_owned())
    };
    let theirs: BTreeSet<_> = calls().filter_map(git).collect();
    let (mut threads, mut most) = (BTreeMap::<_, u32>::new(), BTreeMap::<String, u32>::new());
    for (thread, (name, _)) in calls().filter(|(thread, (name, _))| !theirs.contains(*thread) && CALLS.contains(name)) {
        let count = threads.entry((thread, name)).or_default();
        *count += 1;
        let most = most.entry(name.to_owned()).or_default();
        *most = (*most).max(*count);
    }
    most
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.path().is_dir() {
            true => found.extend(files(&entry.path())),
            false => drop(found.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
    found
}

#[test]
fn killed_at_any_call_an_update_leaves_a_whole_version_its_record_and_nothing_beside_it() {
    if !has(&["strace"]) {
        return;
    }
    let (host, home) = (GitHost::start(), Home::new());
    let repository = host.repository("skills");
    repository.write("skills/brew/SKILL.md", text("Boil water."));
    repository.write("skills/brew/gone.md", "Gone.\n");
    repository.commit("one");
    let run = |words: &[&str]| {
        let Output { status, stdout, stderr } = home.skilltender().args(words).output().unwrap();
        assert!(status.success(), "{words:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8_lossy(&stdout).into_owned()
    };
    run(&["sources", "add", &repository.address, "--yes"]);
    let skill = home.data().join("skills/brew");
    let old = files(&skill);
    repository.write("skills/brew/SKILL.md", text("Boil fresh water."));
    repository.write("skills/brew/deep/more.md", "More.\n");
    fs::remove_file(repository.work().join("skills/brew/gone.md")).unwrap();
    repository.commit("two");
    // What is traced is the update, not the fetching.
    let shown = home.skilltender().args(["update", "brew"]).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stderr).contains("fresh water"), "{shown:?}");
    let trace = format!("trace=execve,{}", CALLS.join(","));
    assert!(traced(&home, &["-e", &trace]).status.success());
    let new = files(&skill);
    assert_ne!(old, new);
    let most = counts(&fs::read_to_string(home.path("trace")).unwrap());
    run(&["rollback", "brew", "--yes"]);

    let step = if std::env::var("SKILLTENDER_LONG").is_ok_and(|long| long == "1") { 1 } else { 4 };
    let (mut killed, mut news) = (0, 0);
    for (call, most) in most {
        for at in (1..=most).step_by(step) {
            let case = format!("{call}, the {at}th of {most}");
            let inject = format!("inject={call}:signal=KILL:when={at}");
            let ended = traced(&home, &["-e", &format!("trace={call}"), "-e", &inject]);
            killed += u32::from(ended.status.code() != Some(0));
            let now = files(&skill);
            assert!(now == old || now == new, "{case}: {:?}", now.keys());
            // The next start finishes it, and says what is there.
            let said = run(&["history", "brew"]);
            run(&["disable", "brew"]);
            let after = files(&skill);
            assert!(after == now, "{case}: what is there stays: {:?}", after.keys());
            if now == new {
                news += 1;
                let back = run(&["rollback", "brew", "--yes"]);
                assert!(files(&skill) == old, "{case}: {back}{said}");
            }
            let beside = fs::read_dir(home.data().join("skills")).unwrap().flatten().count();
            assert_eq!(beside, 1, "{case}: nothing lies beside the skill");
        }
    }
    assert!(killed > 10 && news > 0 && news < killed + news, "{killed} were killed, {news} had the new version");
}
