//! Skills with a source: from a real git host on this computer to the library, updated after a review, merged with what a
//! person changed, and back byte for byte.

use std::{collections::BTreeMap, fs, path::Path};

use api::{AbilityKind, Answers, ErrorKind, SkillOrigin, SourcePlan, Take, UpdateChange, UpdatePlan};
use engine::{Engine, actions};
use tests::{GitHost, GitRepository, Manner};

use crate::home::{Home, enable, row};

/// A home whose machine finds git.
pub(crate) fn home() -> Home {
    let mut home = Home::new();
    home.machine.search = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
    home
}

pub(crate) fn text(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Makes {name}. Use when {name} is wanted.\n---\n# {name}\n\n{body}\n")
}

/// A repository with two skills.
fn repository(host: &GitHost) -> GitRepository {
    let repository = host.repository("skills");
    repository.write("skills/tea/SKILL.md", text("tea", "Boil water.\n\nPour it."));
    repository.write("skills/tea/notes.md", "Green.\n");
    repository.write("skills/ale/SKILL.md", text("ale", "Brew it."));
    repository.write("README.md", "Skills.\n");
    repository.commit("one");
    repository
}

async fn look(engine: &Engine, source: &str) -> SourcePlan {
    actions::look_at_source(engine, source, None).await.unwrap()
}

async fn add(engine: &Engine, source: &str) -> Vec<String> {
    let SourcePlan { commit, plan, .. } = look(engine, source).await;
    actions::add_source(engine, source, &commit, &plan.id, "own", None).await.unwrap()
}

fn origin(engine: &Engine, id: &str) -> SkillOrigin {
    row(&engine.snapshot(), id).origin.clone().unwrap()
}

/// Every file of a skill, by path.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

async fn update(engine: &Engine, key: &str, answers: Answers) -> UpdatePlan {
    let plan = actions::plan_update(engine, key).await.unwrap();
    actions::update_skill(engine, key, &plan.to, &plan.id, answers).await.unwrap();
    plan
}

#[tokio::test]
async fn a_source_is_looked_at_and_its_skills_come_pinned_and_off() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    let engine = home.start().await;
    let seen = look(&engine, &repository.address).await;
    assert_eq!(
        seen.plan.skills.iter().map(|skill| skill.path.as_str()).collect::<Vec<_>>(),
        ["skills/ale", "skills/tea"]
    );
    assert!(!home.machine.data.join("skills/tea").exists());
    let keys = add(&engine, &repository.address).await;
    assert_eq!(keys, ["own/ale", "own/tea"]);
    assert!(!row(&engine.snapshot(), "tea").enabled && row(&engine.snapshot(), "tea").asks);
    let origin = origin(&engine, "tea");
    assert_eq!((origin.commit, origin.inside.as_str(), origin.newer), (seen.commit, "skills/tea", None));
    assert_eq!(engine.snapshot().sources[0].skills, ["own/ale", "own/tea"]);
    // What is here already does not come twice.
    let again = actions::look_at_source(&engine, &repository.address, None).await.unwrap_err();
    assert_eq!(again.kind, ErrorKind::Already);
    // Only one, by its name or by its folder.
    let one = actions::look_at_source(&engine, &format!("{}#main@ghost", repository.address), None).await.unwrap_err();
    assert!(one.message.ends_with("has no skill ghost. It has `ale`, `tea`."), "{}", one.message);
}

#[tokio::test]
async fn what_moved_while_it_was_looked_at_comes_as_it_was_shown() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    let engine = home.start().await;
    let seen = look(&engine, &repository.address).await;
    repository.write("skills/tea/SKILL.md", text("tea", "Something else."));
    repository.commit("two");
    let only = Some(vec!["skills/tea".to_owned()]);
    let keys =
        actions::add_source(&engine, &repository.address, &seen.commit, &seen.plan.id, "own", only).await.unwrap();
    assert_eq!(keys, ["own/tea"]);
    assert_eq!(origin(&engine, "tea").commit, seen.commit);
    assert!(fs::read_to_string(home.machine.data.join("skills/tea/SKILL.md")).unwrap().contains("Boil water."));
}

#[tokio::test]
async fn an_update_is_a_review_and_the_old_version_goes_on_until_it_is_answered() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    let engine = home.start().await;
    add(&engine, &repository.address).await;
    enable(&engine, "own/tea").await;
    let folder = home.machine.data.join("skills/tea");
    let before = files(&folder);
    repository
        .write("skills/tea/SKILL.md", text("tea", "Boil water.\n\nPour it slowly, see https://tea.example.net/x."));
    repository.write("skills/tea/scripts/brew.py", "print('tea')\n");
    let new = repository.commit("two");
    actions::ask_sources(&engine, None).await.unwrap();
    assert_eq!(origin(&engine, "tea").newer.as_ref(), Some(&new));
    assert_eq!(origin(&engine, "ale").newer, None, "its folder is as it was");
    assert_eq!(engine.snapshot().sources[0].outdated, ["own/tea"]);
    let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
    assert_eq!(files(&folder), before, "looking changes nothing");
    let how: Vec<_> = plan.files.iter().map(|file| (file.path.as_str(), file.how)).collect();
    assert_eq!(how, [("SKILL.md", UpdateChange::Changed), ("scripts/brew.py", UpdateChange::Added)]);
    let gains: Vec<_> = plan.gains.iter().map(|gain| (gain.kind, gain.what.as_str())).collect();
    assert_eq!(gains, [(AbilityKind::Script, "scripts/brew.py"), (AbilityKind::Host, "tea.example.net")]);
    assert!(!plan.text_only && !plan.edited && plan.notes.is_empty(), "{plan:?}");
    update(&engine, "own/tea", Answers::new()).await;
    assert!(row(&engine.snapshot(), "tea").enabled, "it was on and stays on");
    assert_eq!((origin(&engine, "tea").commit, origin(&engine, "tea").newer), (new.clone(), None));
    let updated = new;
    assert!(folder.join("scripts/brew.py").is_file());

    // Back, and forward again, each byte for byte. What was gone back from is an update again, also when it is asked for.
    actions::ask_sources(&engine, None).await.unwrap();
    assert_eq!(origin(&engine, "tea").newer, None);
    let after = files(&folder);
    let plan = actions::plan_back(&engine, "own/tea", 1).await.unwrap();
    actions::go_back_to(&engine, "own/tea", 1, &plan.id).await.unwrap();
    assert_eq!(files(&folder), before);
    for _ in 0..2 {
        assert_eq!(origin(&engine, "tea").newer.as_ref(), Some(&updated));
        actions::ask_sources(&engine, None).await.unwrap();
    }
    let plan = actions::plan_back(&engine, "own/tea", 1).await.unwrap();
    actions::go_back_to(&engine, "own/tea", 1, &plan.id).await.unwrap();
    assert_eq!(files(&folder), after);
    let versions = actions::skill_versions(&engine, "own/tea").await.unwrap();
    assert_eq!(versions.len(), 4);
    // The list of what was written undoes it, too.
    let last = actions::own_writes(&engine).await.unwrap().into_iter().next().unwrap();
    assert!(last.undo);
    actions::undo_write(&engine, last.id).await.unwrap();
    assert_eq!(files(&folder), before);
}

#[tokio::test]
async fn what_the_person_changed_is_merged_and_what_both_changed_waits_for_an_answer() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    let engine = home.start().await;
    add(&engine, &repository.address).await;
    let folder = home.machine.data.join("skills/tea");
    fs::write(folder.join("SKILL.md"), text("tea", "Boil fresh water.\n\nPour it.")).unwrap();
    fs::write(folder.join("notes.md"), "Mine.\n").unwrap();
    fs::write(folder.join("own.md"), "My own.\n").unwrap();
    repository.write("skills/tea/SKILL.md", text("tea", "Boil water.\n\nPour it slowly."));
    repository.write("skills/tea/notes.md", "Theirs.\n");
    repository.commit("two");
    actions::read_again(&engine).await.unwrap();
    let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
    assert!(plan.edited && plan.conflicts == 1, "{plan:?}");
    let conflict = &plan.files.iter().find(|file| file.how == UpdateChange::Conflict).unwrap().conflicts[0];
    assert_eq!((conflict.mine.as_deref(), conflict.theirs.as_deref()), (Some("Mine.\n"), Some("Theirs.\n")));
    let without = actions::update_skill(&engine, "own/tea", &plan.to, &plan.id, Answers::new()).await.unwrap_err();
    assert_eq!(without.kind, ErrorKind::Refused);
    let before = files(&folder);
    let answers = Answers::from([("notes.md".to_owned(), vec![Take::Theirs])]);
    update(&engine, "own/tea", answers).await;
    let merged = fs::read_to_string(folder.join("SKILL.md")).unwrap();
    assert!(merged.contains("Boil fresh water.") && merged.contains("Pour it slowly."), "{merged}");
    assert_eq!(fs::read_to_string(folder.join("notes.md")).unwrap(), "Theirs.\n");
    assert_eq!(fs::read_to_string(folder.join("own.md")).unwrap(), "My own.\n");
    let plan = actions::plan_back(&engine, "own/tea", 1).await.unwrap();
    actions::go_back_to(&engine, "own/tea", 1, &plan.id).await.unwrap();
    assert_eq!(files(&folder), before);
    // After going back, the update is offered as before, with the same merge.
    let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
    assert_eq!(plan.conflicts, 1);
}

#[tokio::test]
async fn what_changed_since_the_review_is_not_written_over() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    let engine = home.start().await;
    add(&engine, &repository.address).await;
    let folder = home.machine.data.join("skills/tea");
    repository.write("skills/tea/notes.md", "Black.\n");
    repository.commit("two");
    let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
    assert!(plan.text_only);
    fs::write(folder.join("notes.md"), "Mine.\n").unwrap();
    let error = actions::update_skill(&engine, "own/tea", &plan.to, &plan.id, Answers::new()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Changed);
    assert_eq!(fs::read_to_string(folder.join("notes.md")).unwrap(), "Mine.\n");
}

#[tokio::test]
async fn a_moved_tag_a_rewritten_history_and_what_is_gone_are_said_and_nothing_changes() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    repository.git(&["tag", "v1"]);
    repository.push();
    let engine = home.start().await;
    let tagged = format!("{}#v1", repository.address);
    let seen = look(&engine, &tagged).await;
    assert_eq!(seen.follows.as_deref(), Some("v1"));
    let only = |path: &str| Some(vec![path.to_owned()]);
    actions::add_source(&engine, &tagged, &seen.commit, &seen.plan.id, "own", only("skills/tea")).await.unwrap();
    let seen = look(&engine, &repository.address).await;
    actions::add_source(&engine, &repository.address, &seen.commit, &seen.plan.id, "own", only("skills/ale"))
        .await
        .unwrap();
    assert_eq!(engine.snapshot().sources.len(), 2);
    // The history is made anew, and the tag moves along.
    repository.git(&["checkout", "--quiet", "--orphan", "other"]);
    repository.write("skills/tea/notes.md", "Other.\n");
    repository.write("skills/ale/SKILL.md", text("ale", "Other."));
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "other"]);
    repository.git(&["branch", "--quiet", "--force", "main", "other"]);
    repository.git(&["tag", "--force", "v1"]);
    repository.push();
    let plan = actions::plan_update(&engine, "own/tea").await.unwrap();
    assert_eq!(plan.notes, ["The tag v1 was moved: it named another commit before."]);
    let plan = actions::plan_update(&engine, "own/ale").await.unwrap();
    assert!(plan.notes[0].starts_with("The history of the repository was rewritten"), "{:?}", plan.notes);
    // The tag is deleted, and the skill is gone.
    repository.git(&["push", "--quiet", "origin", ":refs/tags/v1"]);
    repository.git(&["rm", "-r", "--quiet", "skills/ale"]);
    repository.git(&["commit", "--quiet", "--message", "gone"]);
    repository.git(&["branch", "--quiet", "--force", "main", "other"]);
    repository.git(&["push", "--quiet", "--force", "origin", "main"]);
    actions::ask_sources(&engine, None).await.unwrap();
    let troubles: Vec<_> = engine.snapshot().sources.iter().filter_map(|row| row.trouble.clone()).collect();
    assert_eq!(troubles.len(), 2, "{troubles:?}");
    assert!(troubles.iter().any(|trouble| trouble.contains("no branch, tag or commit v1")), "{troubles:?}");
    assert!(troubles.iter().any(|trouble| trouble.contains("has no skill at skills/ale any more")), "{troubles:?}");
    assert!(home.machine.data.join("skills/ale/SKILL.md").is_file());
}

#[tokio::test]
async fn where_a_skill_came_from_moves_with_it_and_goes_with_it() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    home.library();
    let engine = home.start_with_library().await;
    add(&engine, &repository.address).await;
    let key = actions::move_skill(&engine, "own/tea", "f1").await.unwrap();
    assert_eq!(origin(&engine, "tea").inside, "skills/tea");
    let id = actions::trash_skill(&engine, &key).await.unwrap();
    assert!(engine.snapshot().sources[0].skills == ["own/ale"]);
    let key = actions::restore_skill(&engine, &id).await.unwrap();
    assert_eq!(origin(&engine, "tea").inside, "skills/tea");
    let id = actions::trash_skill(&engine, &key).await.unwrap();
    actions::delete_trashed(&engine, &id).await.unwrap();
    // Another skill at the same place has nothing of it.
    fs::create_dir_all(home.library().join("tea")).unwrap();
    fs::write(home.library().join("tea/SKILL.md"), text("tea", "Mine.")).unwrap();
    actions::read_again(&engine).await.unwrap();
    assert_eq!(row(&engine.snapshot(), "tea").origin, None);
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    assert_eq!(origin(&engine, "ale").inside, "skills/ale");
}

#[tokio::test]
async fn a_hostile_repository_is_refused_in_a_sentence() {
    let (host, home) = (GitHost::start(), home());
    let repository = host.repository("skills");
    repository.write("tea/SKILL.md", text("tea", "Boil."));
    repository.write("con/SKILL.md", text("con", "A device."));
    repository.git(&["add", "--all"]);
    let id = repository.git(&["rev-parse", ":tea/SKILL.md"]);
    let add = |mode: &str, path: &str| {
        repository.git(&["update-index", "--add", "--cacheinfo", &format!("{mode},{id},{path}")]);
    };
    add("120000", "link/out");
    add("100644", "link/SKILL.md");
    add("100644", "case/SKILL.md");
    add("100644", "case/a.md");
    add("100644", "case/A.md");
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub/inner", "a".repeat(40))]);
    add("100644", "sub/SKILL.md");
    repository.git(&["commit", "--quiet", "--message", "one"]);
    repository.push();
    let engine = home.start().await;
    let seen = look(&engine, &repository.address).await;
    assert_eq!(seen.plan.skills.iter().map(|skill| skill.path.as_str()).collect::<Vec<_>>(), ["tea"]);
    let refused: BTreeMap<_, _> =
        seen.plan.refused.iter().map(|refused| (refused.path.as_str(), refused.why.as_str())).collect();
    assert!(refused["con"].contains("Windows keeps for a device"), "{refused:?}");
    assert!(refused["link"].contains("is a link"), "{refused:?}");
    assert!(refused["case"].contains("are one file on many systems"), "{refused:?}");
    assert!(refused["sub"].contains("another repository"), "{refused:?}");
    for (source, kind) in [
        ("ext::sh -c touch", ErrorKind::Input),
        ("file:///etc", ErrorKind::Refused),
        ("--upload-pack=touch", ErrorKind::Input),
        ("./here", ErrorKind::Input),
        ("http://192.0.2.1/a.git", ErrorKind::Input),
        ("https://ada:secret@github.com/a/b", ErrorKind::Input),
    ] {
        let error = actions::look_at_source(&engine, source, None).await.unwrap_err();
        assert_eq!(error.kind, kind, "{source}: {}", error.message);
        assert!(!error.message.contains("secret@"), "{}", error.message);
    }
    let private = GitHost::behaving(Manner::Private);
    let error = actions::look_at_source(&engine, &private.repository("x").address, None).await.unwrap_err();
    assert!(error.message.contains("needs a sign-in"), "{}", error.message);
}

#[tokio::test]
async fn fetching_ends_when_it_is_cancelled() {
    let (host, home) = (GitHost::behaving(Manner::Trickling), home());
    let engine = home.start().await;
    let repository = host.repository("skills");
    let (other, address) = (engine.clone(), repository.address.clone());
    let looking = tokio::spawn(async move { actions::look_at_source(&other, &address, None).await });
    crate::home::comes(async || !host.asked().is_empty()).await;
    actions::cancel_fetching(&engine);
    let error = looking.await.unwrap().unwrap_err();
    assert!(error.message.starts_with("It was cancelled"), "{}", error.message);
    assert!(engine.snapshot().sources.is_empty());
    assert!(actions::look_at_source(&engine, "acme", None).await.is_err());
}

/// One request asks a repository, however many skills are from it; what moved comes in a few more. The newer protocol of
/// git has two messages for a request.
#[tokio::test]
async fn many_skills_of_one_repository_are_asked_about_and_updated_together() {
    let (host, home) = (GitHost::start(), home());
    let repository = host.repository("skills");
    let write = |body: &str| {
        for at in 0..40 {
            repository.write(&format!("skills/s{at}/SKILL.md"), text(&format!("s{at}"), body));
        }
        repository.commit(body);
    };
    write("One.");
    let engine = home.start().await;
    let keys = add(&engine, &repository.address).await;
    let asked = async || {
        let before = host.asked().len();
        actions::ask_sources(&engine, None).await.unwrap();
        host.asked().len() - before
    };
    assert!(asked().await <= 2, "{:?}", host.asked());
    write("Two.");
    assert!(asked().await <= 10, "{:?}", host.asked());
    assert!(asked().await <= 2, "what was fetched is known: {:?}", host.asked());
    let before = host.asked().len();
    let plans = actions::plan_updates(&engine, &keys).await.unwrap();
    assert!(plans.len() == 40 && plans.iter().all(|plan| plan.text_only));
    let agreed = plans.into_iter().map(|plan| api::AgreedUpdate {
        key: plan.key,
        commit: plan.to,
        plan: plan.id,
        answers: Answers::new(),
    });
    actions::update_skills(&engine, agreed.collect()).await.unwrap();
    assert_eq!(host.asked().len(), before, "a review and its answer ask nobody");
    assert!(engine.snapshot().sources[0].outdated.is_empty());
}

#[tokio::test]
async fn nobody_is_asked_unless_a_person_wants_it_and_then_at_the_start_and_it_is_listed() {
    let (host, home) = (GitHost::start(), home());
    let repository = repository(&host);
    let engine = home.start().await;
    add(&engine, &repository.address).await;
    repository.write("skills/tea/notes.md", "Black.\n");
    repository.commit("two");
    engine.stop().await;
    drop(engine);
    let before = host.asked().len();
    let engine = home.start().await;
    actions::read_again(&engine).await.unwrap();
    assert_eq!(host.asked().len(), before);
    actions::set_ask_sources(&engine, true).await.unwrap();
    engine.stop().await;
    drop(engine);
    let engine = home.start().await;
    crate::home::until(&engine, |snapshot| snapshot.sources.iter().any(|row| row.outdated == ["own/tea"])).await;
    let listed =
        async || actions::own_writes(&engine).await.unwrap().into_iter().map(|write| write.what).collect::<Vec<_>>();
    crate::home::comes(async || matches!(listed().await.first(), Some(api::Wrote::Asked { silent: 0, .. }))).await;
    assert!(engine.snapshot().settings.ask_sources);
}
