//! One file for a team, by the engine: what a yes to its page covers, and what it does not.

use std::{fs, os::unix::fs::PermissionsExt as _};

use api::{ErrorKind, TeamAct, TeamLeft, TeamSkillState, TeamYes};
use engine::{Engine, Machine, actions};
use tests::{GitHost, GitRepository, Manner};

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

fn yes(servers: bool) -> TeamYes {
    TeamYes { servers, values: None }
}

async fn join(engine: &Engine, text: &str, servers: bool) -> TeamLeft {
    let page = actions::look_at_team(engine, text).await.unwrap();
    actions::join_team(engine, text, &page.id, "own", &yes(servers)).await.unwrap()
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
    let error = actions::join_team(&engine, &other, &page.id, "own", &yes(true)).await.unwrap_err();
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
    let left = actions::join_team(&engine, &text, &page.id, "own", &yes(true)).await.unwrap();
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

#[tokio::test]
async fn a_file_is_found_by_its_path_in_a_folder_and_at_the_top_of_a_source_with_nothing_else() {
    let host = GitHost::start();
    let skills = repository(&host, "");
    let text = export(&skills, false).await;
    let team = host.repository("team");
    let file = team.write("skilltender.team.yaml", &text);
    let commit = team.commit("one");
    let home = home();
    let engine = home.start().await;
    let by_file = actions::find_team(&engine, file.to_str().unwrap()).await.unwrap();
    assert_eq!((by_file.commit, by_file.from.as_str()), (None, file.to_str().unwrap()));
    fs::copy(&file, home.path("skilltender.team.yaml")).unwrap();
    for written in [file.parent().unwrap().to_str().unwrap(), "~", "~/skilltender.team.yaml", " ~/ "] {
        assert_eq!(actions::find_team(&engine, written).await.unwrap().id, by_file.id, "{written}");
    }
    let by_source = actions::find_team(&engine, &team.address).await.unwrap();
    assert_eq!((by_source.id, by_source.commit), (by_file.id, Some(commit)));
    // The source that somebody pastes to add skills says so, though it has none of its own.
    let seen = actions::look_at_source(&engine, &team.address, None).await.unwrap();
    assert!(seen.team && seen.plan.skills.is_empty(), "{seen:?}");
    assert!(!actions::look_at_source(&engine, &skills.address, None).await.unwrap().team);
}

#[tokio::test]
async fn a_path_that_is_no_teams_file_says_nothing_more_about_itself_and_holds_nobody_up() {
    let home = home();
    let engine = home.start().await;
    fs::write(home.path("key"), "version: secret-of-mine").unwrap();
    fs::write(home.path("key.yaml"), "secret-of-mine").unwrap();
    fs::write(home.path("large.yaml"), "#".repeat(3 << 20)).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, home.path("pipe.yaml"), rustix::fs::Mode::RWXU).unwrap();
    fs::create_dir_all(home.path("folder.yaml")).unwrap();
    for (written, why) in [
        ("~/key", "is no team's file"),
        ("~/key.yaml", "it is not what belongs there"),
        ("~/large.yaml", "larger than 1 MiB"),
        ("~/pipe.yaml", "cannot be read"),
        ("~/folder.yaml", "There is no file"),
        ("/dev/zero", "is no team's file"),
        ("/nowhere/skilltender.team.yaml", "There is no file"),
    ] {
        let error = actions::find_team(&engine, written).await.unwrap_err();
        assert!(error.message.contains(why) && !error.message.contains("secret-of-mine"), "{written}: {error:?}");
    }
}

#[tokio::test]
async fn a_fetch_that_hangs_ends_when_it_is_cancelled_and_nothing_of_the_team_is_here() {
    let trickling = GitHost::behaving(Manner::Trickling);
    let text = export(&repository(&GitHost::start(), ""), false).await;
    let slow = trickling.repository("skills");
    let source = text.lines().find(|line| line.trim_start().starts_with("source: ")).unwrap();
    let text = text.replace(source, &format!("    source: \"{}\"", slow.address));
    let home = home();
    let engine = home.start().await;
    let other = engine.clone();
    let looking = tokio::spawn(async move { actions::look_at_team(&other, &text).await });
    crate::home::comes(async || !trickling.asked().is_empty()).await;
    actions::cancel_fetching(&engine);
    let error = looking.await.unwrap().unwrap_err();
    assert!(error.message.starts_with("It was cancelled"), "{}", error.message);
    assert!(!home.machine.data.join("skills").exists());
}

/// Decision 88
#[tokio::test]
async fn a_server_is_approved_only_with_the_plain_values_that_stood_beside_the_yes() {
    let host = GitHost::start();
    let more = "    env: {REGION: \"${REGION}\"}\n    parameters: {REGION: {description: Where}}\n";
    let text = export(&repository(&host, more), false).await;
    let home = home();
    let engine = home.start().await;
    let page = actions::look_at_team(&engine, &text).await.unwrap();
    let with = |value: Option<&str>| {
        let value = value.map(|value| ("REGION".to_owned(), value.to_owned()));
        TeamYes { servers: true, values: Some([("teapot".to_owned(), value.into_iter().collect())].into()) }
    };
    let join = async |yes: TeamYes| actions::join_team(&engine, &text, &page.id, "own", &yes).await.unwrap();
    let left = join(with(None)).await;
    assert_eq!((left.values[0].what.name.as_str(), left.ready.len()), ("REGION", 0), "{left:?}");
    // Another value than the one that was seen, or one where none was.
    actions::set_value(&engine, "own/pot", "teapot", "REGION", Some("elsewhere".to_owned())).await.unwrap();
    for seen in [None, Some("north")] {
        let left = join(with(seen)).await;
        assert!(left.servers[0].why.starts_with("A value of teapot is not the one that you saw."), "{left:?}");
        assert_eq!(left.servers[0].act, Some(TeamAct::Approve));
    }
    let again = actions::look_at_team(&engine, &text).await.unwrap();
    assert_eq!(again.servers[0].asks[0].given.as_deref(), Some("elsewhere"), "the page shows it");
    let left = join(with(Some("elsewhere"))).await;
    assert!(left.is_whole() && left.ready == ["teapot"], "{left:?}");
}

#[tokio::test]
async fn what_nobody_would_see_in_the_words_of_others_is_spelled_out_on_the_page() {
    let host = GitHost::start();
    let more = "    env: {MODE: \"a\\u202Eb\"}\n";
    let text = export(&repository(&host, more), false).await;
    let text = text.replacen("version: 1\n", "version: 1\nname: \"Tea\\u202Etxt\"\nadvice: \"One\\ntwo\\u200B\"\n", 1);
    let home = home();
    let engine = home.start().await;
    let page = actions::look_at_team(&engine, &text).await.unwrap();
    assert_eq!(page.name.as_deref(), Some("Tea<U+202E>txt"));
    assert_eq!(page.advice.as_deref(), Some("One\ntwo<U+200B>"));
    let values: Vec<_> = page.servers.iter().flat_map(|row| &row.values).map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["a<U+202E>b"]);
}
