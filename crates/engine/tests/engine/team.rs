//! One file for a team, by the engine: what a yes to its page covers, and what it does not.

use std::{fs, os::unix::fs::PermissionsExt as _};

use api::{ErrorKind, TeamLeft, TeamSkillState};
use engine::{Engine, Machine, actions};
use tests::{GitHost, GitRepository};

use crate::{
    home::{Home, row},
    sources,
};

/// A home with git and an `npx` that nobody starts.
fn home() -> Home {
    let mut home = sources::home();
    let folder = home.path("bin");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("npx"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(folder.join("npx"), fs::Permissions::from_mode(0o755)).unwrap();
    let search = std::iter::once(folder).chain(home.machine.search).collect();
    home.machine = Machine { search, ..home.machine };
    // The login shell was asked already: a test must not run a person's.
    fs::create_dir_all(&home.machine.data).unwrap();
    fs::write(home.machine.data.join("login-path.json"), r#"{"version":1,"folders":[]}"#).unwrap();
    home
}

fn pot(more: &str) -> String {
    format!(
        "---\nname: pot\ndescription: Brews tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: teapot\n    \
         description: Brews\n    command: npx\n    args: [\"-y\", \"@tea/pot\"]\n{more}---\nBoil water.\n"
    )
}

/// A repository with these skills: one that needs a server, and one that does not.
fn repository(host: &GitHost, more: &str) -> GitRepository {
    let repository = host.repository("skills");
    repository.write("skills/pot/SKILL.md", pot(more));
    repository.write("skills/tea/SKILL.md", sources::text("tea", "Boil water."));
    repository.commit("one");
    repository
}

/// The file of somebody who has all of them.
async fn export(repository: &GitRepository, pin: bool) -> String {
    let home = home();
    let engine = home.start().await;
    let seen = actions::look_at_source(&engine, &repository.address, None).await.unwrap();
    actions::add_source(&engine, &repository.address, &seen.commit, &seen.plan.id, "own", None).await.unwrap();
    crate::home::enable(&engine, "own/pot").await;
    if pin {
        actions::pin_server(&engine, "teapot", "1.2.3").await.unwrap();
    }
    actions::make_set(&engine, "calm", &["own/tea".to_owned()]).await.unwrap();
    actions::list_servers(&engine).await;
    let done = actions::export_team(&engine, None, None).await.unwrap();
    assert_eq!(
        (done.skills, done.servers, done.left_out),
        (vec!["pot".to_owned(), "tea".to_owned()], vec!["teapot".to_owned()], Vec::new())
    );
    done.text
}

async fn join(engine: &Engine, text: &str, servers: bool) -> TeamLeft {
    let page = actions::look_at_team(engine, text).await.unwrap();
    actions::join_team(engine, text, &page.id, "own", servers).await.unwrap()
}

#[tokio::test]
async fn a_yes_to_the_page_approves_exactly_the_launch_on_it_with_its_pinned_version() {
    let host = GitHost::start();
    let repository = repository(&host, "");
    let text = export(&repository, true).await;
    assert!(text.contains("version: \"1.2.3\""), "{text}");
    let home = home();
    let engine = home.start().await;
    let page = actions::look_at_team(&engine, &text).await.unwrap();
    assert_eq!((page.servers[0].command.join(" ").as_str(), &page.servers[0].unpinned), ("npx -y @tea/pot", &None));
    // Skills come, and nothing is approved.
    let left = join(&engine, &text, false).await;
    assert!(row(&engine.snapshot(), "pot").enabled && row(&engine.snapshot(), "tea").enabled);
    assert_eq!(left.servers[0].name, "teapot");
    assert!(left.servers[0].why.starts_with("Nobody agreed to teapot yet."), "{left:?}");
    let left = join(&engine, &text, true).await;
    assert!(left.is_whole() && left.ready == ["teapot"], "{left:?}");
    let approved = actions::read_server(&engine, "teapot").await.unwrap().approved.unwrap();
    assert_eq!(approved.command.join(" "), "npx -y @tea/pot@1.2.3");
    // Another text is another page.
    let page = actions::look_at_team(&engine, &text).await.unwrap();
    let other = text.replace("1.2.3", "1.2.4");
    let error = actions::join_team(&engine, &other, &page.id, "own", true).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Changed);
}

#[tokio::test]
async fn what_goes_beyond_the_page_is_left_to_a_question_of_its_own() {
    let host = GitHost::start();
    // A variable that loads code is agreed to by its name.
    let repository = repository(&host, "    env: {NODE_OPTIONS: \"--require x\"}\n");
    let text = export(&repository, false).await;
    let home = home();
    let engine = home.start().await;
    let left = join(&engine, &text, true).await;
    assert!(left.servers[0].why.starts_with("NODE_OPTIONS can make teapot do something else"), "{left:?}");
    assert!(actions::read_server(&engine, "teapot").await.unwrap().approved.is_none());
}

#[tokio::test]
async fn a_pin_of_the_persons_own_is_not_what_the_page_showed() {
    let host = GitHost::start();
    let text = export(&repository(&host, ""), false).await;
    let home = home();
    let engine = home.start().await;
    join(&engine, &text, false).await;
    actions::pin_server(&engine, "teapot", "0.0.1").await.unwrap();
    let left = join(&engine, &text, true).await;
    assert!(left.servers[0].why.contains("is not only what the team's file says"), "{left:?}");
}

#[tokio::test]
async fn what_the_person_changed_stays_and_their_set_loses_nothing() {
    let host = GitHost::start();
    let text = export(&repository(&host, ""), false).await;
    let home = home();
    home.skill("ale", "Brews ale. Use when asked.");
    let engine = home.start_with_library().await;
    actions::make_set(&engine, "Calm", &["f1/ale".to_owned()]).await.unwrap();
    join(&engine, &text, true).await;
    let set = engine.snapshot().sets[0].clone();
    assert_eq!((set.name.as_str(), set.skills.len()), ("Calm", 2), "{set:?}");
    let file = home.machine.data.join("skills/tea/SKILL.md");
    let mine = sources::text("tea", "Boil fresh water.");
    fs::write(&file, &mine).unwrap();
    actions::read_again(&engine).await.unwrap();
    let page = actions::look_at_team(&engine, &text).await.unwrap();
    assert!(matches!(&page.skills[1].state, TeamSkillState::Stays { why } if why.starts_with("tea was changed here")));
    let left = actions::join_team(&engine, &text, &page.id, "own", true).await.unwrap();
    assert_eq!(left.skills[0].name, "tea");
    assert_eq!(fs::read_to_string(file).unwrap(), mine);
}

#[tokio::test]
async fn files_that_are_others_than_the_digests_never_come() {
    let host = GitHost::start();
    let repository = repository(&host, "");
    let text = export(&repository, false).await;
    // The same digests, at a commit that has other files.
    repository.write("skills/tea/SKILL.md", sources::text("tea", "Something else."));
    let other = repository.commit("two");
    let first = repository.git(&["rev-parse", "HEAD~1"]);
    let home = home();
    let engine = home.start().await;
    let error = actions::look_at_team(&engine, &text.replace(&first, &other)).await.unwrap_err();
    assert!(error.message.contains("gives other files of tea for its commit"), "{}", error.message);
    assert!(!home.machine.data.join("skills").exists());
}
