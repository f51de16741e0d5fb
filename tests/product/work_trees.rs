//! The same skills on two machines through a git repository of the person's own, on the command line alone.

use std::{fs, path::PathBuf, process::Output};

use serde_json::Value;
use tests::{GitHost, GitRepository, Home, git_in};

/// The exit code of a command, and all that it prints.
fn ends(home: &Home, words: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = home.skilltender().args(words).output().unwrap();
    let all = [stdout, stderr].concat();
    (status.code().unwrap(), String::from_utf8_lossy(&all).into_owned())
}

fn said(home: &Home, words: &[&str]) -> String {
    let (code, said) = ends(home, words);
    assert_eq!(code, 0, "{words:?}: {said}");
    said
}

fn text(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Makes {name}. Use when {name} is wanted.\n---\n# {name}\n\n{body}\n")
}

/// A machine with a clone of the repository, whose folder of skills is in the library.
fn machine(repository: &GitRepository) -> (Home, PathBuf) {
    let home = Home::new();
    let top = home.path("desk");
    repository.clone_to(&top);
    said(&home, &["library", "add", top.join("lib").to_str().unwrap()]);
    (home, top)
}

#[test]
fn the_same_skills_on_two_machines() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("lib/brew/SKILL.md", text("brew", "Boil water."));
    repository.commit("one");
    let ((one, top), (two, there)) = (machine(&repository), machine(&repository));
    let listed = said(&one, &["library"]);
    assert!(listed.contains("~/desk/lib  (1 skill; in the git work tree ~/desk)"), "{listed}");
    let status = said(&one, &["library", "status"]);
    assert!(
        status.contains("(main, as origin/main was when it was fetched last)\n  nothing changed since"),
        "{status}"
    );
    assert_eq!(said(&one, &["library", "push"]), "No skill changed, and origin/main has every commit.\n");
    assert_eq!(said(&one, &["library", "pull"]), "origin/main has nothing that is not here.\n");

    fs::write(top.join("lib/brew/SKILL.md"), text("brew", "Boil fresh water, see https://tea.example.net/x.")).unwrap();
    fs::create_dir(top.join("lib/mead")).unwrap();
    fs::write(top.join("lib/mead/SKILL.md"), text("mead", "Brew it.")).unwrap();
    fs::write(top.join("README.md"), "Not a skill.\n").unwrap();
    let status: Value = serde_json::from_str(&said(&one, &["library", "status", "--json"])).unwrap();
    assert_eq!(status[0]["skills"][1]["how"], "added", "{status}");
    // Nobody is there to answer: it is shown, and nothing is done.
    let (code, shown) = ends(&one, &["library", "push"]);
    assert_eq!(code, 1, "{shown}");
    for part in [
        "main to origin/main, ",
        "message: Skills: change brew, add mead",
        "new: links to tea.example.net",
        "- Boil water.",
        "Nothing was committed: `--yes` commits and pushes it.",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(git_in(&top, &["log", "--format=%s"]), "one");
    let pushed = said(&one, &["library", "push", "--yes", "--message", "Fresh water"]);
    assert!(pushed.contains("message: Fresh water") && pushed.contains("; origin/main is at "), "{pushed}");
    assert_eq!(
        git_in(&top, &["log", "-1", "--format=%s", "--name-only"]),
        "Fresh water\n\nlib/brew/SKILL.md\nlib/mead/SKILL.md"
    );
    assert_eq!(git_in(&top, &["status", "--porcelain"]), "?? README.md");

    let (code, shown) = ends(&two, &["library", "pull"]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("1 commit of origin/main:") && shown.contains("new: links to tea.example.net"), "{shown}");
    assert!(!there.join("lib/mead").exists());
    let pulled = said(&two, &["library", "pull", "--yes"]);
    assert!(pulled.contains("Pulled 1 commit of origin/main: now at "), "{pulled}");
    assert!(said(&two, &["list"]).contains("mead"));
    let ours = said(&two, &["activity", "--ours"]);
    assert!(ours.contains("Pulled origin/main into ~/desk/lib: ") && ours.contains("Asked "), "{ours}");

    // Both go on. The second to push is behind, pulls, and pushes.
    fs::write(top.join("lib/brew/notes.md"), "One.\n").unwrap();
    said(&one, &["library", "push", "--yes"]);
    fs::write(there.join("lib/mead/notes.md"), "Two.\n").unwrap();
    let (code, refused) = ends(&two, &["library", "push", "--yes"]);
    assert_eq!(code, 3, "{refused}");
    assert!(refused.contains("Pull first, then push. `skilltender library pull` does that."), "{refused}");
    let merged = said(&two, &["library", "pull", "--yes"]);
    assert!(
        merged.contains("so both are merged. Nothing conflicts.") && merged.contains("Merged 1 commit"),
        "{merged}"
    );
    said(&two, &["library", "push", "--yes"]);
    said(&one, &["library", "pull", "--yes"]);
    assert_eq!(fs::read_to_string(top.join("lib/mead/notes.md")).unwrap(), "Two.\n");

    // Which skills are on goes along only once a person says so, and comes as it was shown.
    let is_on = |home: &Home, skill: &str| {
        let listed: Value = serde_json::from_str(&said(home, &["list", "--json"])).unwrap();
        let all = listed.as_array().or_else(|| listed["skills"].as_array()).unwrap().clone();
        all.iter().find(|row| row["id"] == skill).unwrap()["enabled"] == true
    };
    for home in [&one, &two] {
        said(home, &["enable", "brew", "--yes"]);
        said(home, &["enable", "mead", "--yes"]);
    }
    assert_eq!(said(&one, &["library", "push"]), "No skill changed, and origin/main has every commit.\n");
    for (home, top) in [(&one, &top), (&two, &there)] {
        let shared = said(home, &["library", "share-switches", top.join("lib").to_str().unwrap(), "on"]);
        assert!(shared.contains("; shares switches and sets)"), "{shared}");
    }
    said(&one, &["sets", "make", "Calm", "brew"]);
    let status = said(&one, &["library", "status"]);
    assert!(status.contains("changes of switches and sets for your other machines"), "{status}");
    let pushed = said(&one, &["library", "push", "--yes"]);
    assert!(pushed.contains("message: Switches and sets") && pushed.contains("brew joins the set Calm"), "{pushed}");
    said(&two, &["disable", "mead"]);
    let (code, shown) = ends(&two, &["library", "pull"]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("the set Calm is new (machine ") && !said(&two, &["sets"]).contains("Calm"), "{shown}");
    said(&two, &["library", "pull", "--yes"]);
    assert!(said(&two, &["sets"]).contains("Calm"));
    said(&two, &["library", "push", "--yes"]);
    let (_, shown) = ends(&one, &["library", "pull", "--json"]);
    let shown: Value = serde_json::from_str(shown.split("\n\n").next().unwrap()).unwrap();
    assert_eq!(
        (&shown["plan"]["switches"][0]["how"], &shown["plan"]["switches"][0]["skill"]),
        (&"off".into(), &"mead".into())
    );
    assert!(is_on(&one, "mead"));
    said(&one, &["library", "pull", "--yes"]);
    assert!(!is_on(&one, "mead") && !is_on(&two, "mead") && is_on(&one, "brew"));
    // Pulled in a terminal, they still wait for a yes.
    said(&two, &["enable", "mead"]);
    said(&two, &["library", "push", "--yes"]);
    git_in(&top, &["pull", "--quiet", "--ff-only"]);
    let taken = said(&one, &["library", "pull", "--yes"]);
    assert!(taken.contains("The switches and sets are as they were shown.") && is_on(&one, "mead"), "{taken}");
    assert_eq!(git_in(&top, &["status", "--porcelain"]), "?? README.md");
    // Nothing of this machine is in it but names of skills and sets.
    let files = git_in(&top, &["grep", "-h", "", "--", "lib/.skilltender"]);
    assert!(!files.contains(one.path("").to_str().unwrap()) && files.contains("mead: on"), "{files}");

    // What its own settings name never runs.
    git_in(&top, &["config", "filter.x.clean", "touch /tmp/never"]);
    let (code, refused) = ends(&one, &["library", "status"]);
    assert_eq!(code, 3, "{refused}");
    assert!(refused.contains("may have git start programs (filter.x.clean)"), "{refused}");
}

#[test]
fn a_push_of_switches_that_is_killed_at_any_time_leaves_nothing_half() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("lib/brew/SKILL.md", text("brew", "Boil water."));
    repository.commit("one");
    let (one, top) = machine(&repository);
    said(&one, &["enable", "brew", "--yes"]);
    said(&one, &["library", "share-switches", top.join("lib").to_str().unwrap(), "on"]);
    let begun = std::time::Instant::now();
    said(&one, &["library", "push", "--yes"]);
    let whole = begun.elapsed();
    for part in 1..=10 {
        said(&one, &[if part % 2 == 0 { "enable" } else { "disable" }, "brew"]);
        let mut push = one.skilltender().args(["library", "push", "--yes"]).spawn().unwrap();
        std::thread::sleep(whole * part / 11);
        push.kill().unwrap();
        push.wait().unwrap();
        // git itself tells of its lock.
        drop(fs::remove_file(top.join(".git/index.lock")));
        let (code, pushed) = ends(&one, &["library", "push", "--yes"]);
        assert!(code == 0, "{part}: {pushed}");
        let said = if part % 2 == 0 { "brew: on " } else { "brew: off " };
        let files = git_in(&top, &["grep", "-h", "brew", "origin/main", "--", "lib/.skilltender"]);
        assert!(files.contains(said), "{part}: {files}");
        assert_eq!(git_in(&top, &["status", "--porcelain"]), "", "{part}");
    }
}
