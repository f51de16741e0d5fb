//! Repositories on a computer without git: they come, are asked about and updated as with git, and git may appear later.

use std::fs;

use api::{Answers, ErrorKind};
use engine::{Engine, actions};
use tests::{GitHost, Manner};

use crate::{
    home::{Home, row},
    sources::{files, home, text},
};

/// The pins of a skill: its commit, and the bytes that it has.
fn pins(home: &Home, engine: &Engine) -> (String, Vec<String>) {
    let commit = row(&engine.snapshot(), "tea").origin.clone().unwrap().commit;
    let all = files(&home.machine.data.join("skills/tea")).into_iter();
    (commit, all.map(|(path, bytes)| format!("{path} {}", String::from_utf8_lossy(&bytes))).collect())
}

#[tokio::test]
async fn a_repository_comes_and_is_updated_without_git_as_with_it() {
    let host = GitHost::start();
    let repository = host.repository("skills");
    repository.write("skills/tea/SKILL.md", text("tea", "Boil water."));
    repository.write("skills/tea/scripts/brew.py", "print('tea')\n");
    repository.commit("one");
    let (with, mut without) = (home(), home());
    without.machine.search = Vec::new();
    let mut engines = Vec::new();
    for home in [&with, &without] {
        let engine = home.start().await;
        let seen = actions::look_at_source(&engine, &repository.address, None).await.unwrap();
        let id = (seen.commit, seen.plan.id);
        actions::add_source(&engine, &repository.address, &id.0, &id.1, "own", None).await.unwrap();
        engines.push((engine, id));
    }
    assert_eq!(engines[0].1, engines[1].1, "the same commit and the same page");
    assert_eq!(pins(&with, &engines[0].0), pins(&without, &engines[1].0));

    repository.write("skills/tea/SKILL.md", text("tea", "Boil fresh water."));
    let new = repository.commit("two");
    for (home, (engine, _)) in [&with, &without].into_iter().zip(&engines) {
        actions::ask_sources(engine, None).await.unwrap();
        assert_eq!(row(&engine.snapshot(), "tea").origin.clone().unwrap().newer.as_ref(), Some(&new));
        let plan = actions::plan_update(engine, "own/tea").await.unwrap();
        // What only git can tell is said, and is nobody's silent yes.
        let expected: &[&str] = if home.machine.search.is_empty() {
            &["Whether the history was rewritten is not known: only git can tell, and it is not on this computer."]
        } else {
            &[]
        };
        assert_eq!(plan.notes, expected);
        actions::update_skill(engine, "own/tea", &plan.to, &plan.id, Answers::new()).await.unwrap();
    }
    assert_eq!(pins(&with, &engines[0].0), pins(&without, &engines[1].0));
    for (engine, _) in engines {
        engine.stop().await;
    }

    // git is installed later: what came without it is where it was, and is updated on.
    without.machine.search = with.machine.search.clone();
    let engine = without.start().await;
    repository.write("skills/tea/SKILL.md", text("tea", "Boil it well."));
    let newest = repository.commit("three");
    actions::ask_sources(&engine, None).await.unwrap();
    let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
    assert_eq!((plan.to.as_str(), plan.notes.len()), (newest.as_str(), 0));
    actions::update_skill(&engine, "own/tea", &plan.to, &plan.id, Answers::new()).await.unwrap();
    let now = fs::read_to_string(without.machine.data.join("skills/tea/SKILL.md")).unwrap();
    assert!(now.contains("Boil it well."));
}

#[tokio::test]
async fn what_only_git_can_fetch_says_so_and_why() {
    let mut home = home();
    home.machine.search = Vec::new();
    let engine = home.start().await;
    for (address, why) in [
        ("git@host.example:tea/skills.git", "its address is not of https"),
        (GitHost::behaving(Manner::Private).repository("skills").address.as_str(), "it is not shown to everybody"),
    ] {
        let error = actions::look_at_source(&engine, address, None).await.unwrap_err();
        assert!(error.message.contains(why) && error.message.contains("nstall git"), "{}", error.message);
        assert!(matches!(error.kind, ErrorKind::System | ErrorKind::NotFound));
    }
}
