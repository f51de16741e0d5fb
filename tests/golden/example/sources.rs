//! What is asked of sources: skills are added from repositories of a host on this computer, some of them get new versions,
//! which are reviewed, taken and taken back. In the end all of them leave.

use std::{fs, os::unix::fs::symlink};

use api::{Answers, Take, UpdatePlan};
use engine::{Engine, actions};
use serde_json::json;
use tests::{GitHost, GitRepository};

use super::{
    home::{Home, copy},
    recording::Recording,
    skills::leave,
    team,
};
use crate::architecture::root;

/// The skills of `acme/skills`.
const REVIEW: &str = "own/api-review";
const CHANGELOG: &str = "own/changelog";
const INCIDENT: &str = "own/incident-report";
/// The one of `beta/sql-style`, and the one of a repository that is not there any more.
const STYLE: &str = "own/sql-style";
const NOTES: &str = "own/meeting-notes";
const ALL: [&str; 5] = [REVIEW, CHANGELOG, INCIDENT, STYLE, NOTES];

pub(super) async fn record(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let host = GitHost::start();
    let [acme, beta, old] = ["acme/skills", "beta/sql-style", "old/notes"].map(|name| host.repository(name));
    // A skill that is fetched has no links.
    let link = acme.write("skills/linked/rules.md", "");
    fs::remove_file(&link).unwrap();
    symlink("../../README.md", link).unwrap();
    for repository in [&acme, &beta, &old] {
        commit(repository, 1);
    }
    beta.git(&["tag", "v1"]);
    beta.push();
    recording.keep("").await;
    look(recording, &acme).await;
    for (source, only) in [(&acme, None), (&beta, Some("#v1")), (&old, None)] {
        add(&engine, &format!("{}{}", source.address, only.unwrap_or_default())).await;
    }
    commit(&acme, 2);
    ask(recording, Some(&[CHANGELOG])).await;
    update(recording, CHANGELOG, Answers::new()).await;
    edit(home);
    actions::read_again(&engine).await.unwrap();
    commit(&acme, 3);
    commit(&beta, 2);
    beta.git(&["tag", "--force", "v1"]);
    beta.push();
    fs::remove_dir_all(old.git(&["remote", "get-url", "origin"])).unwrap();
    let sources = [acme.address.clone(), format!("{}#v1", beta.address), old.address.clone()];
    let skills = ALL.map(|key| format!("skill {key}"));
    let mut things = vec!["folder own".to_owned()];
    things.extend(skills.into_iter().chain(sources.map(|id| format!("source {id}"))));
    recording.stand("added", &things).await;
    ask(recording, None).await;
    recording.stand("sources", &things).await;
    let again = actions::look_at_source(&engine, &acme.address, None).await;
    recording.answer(&format!("source {}", acme.address), "lookAtSource", json!([acme.address]), &again);
    for key in ALL {
        show(recording, key).await;
    }
    ask(recording, None).await;
    for key in ALL {
        ask(recording, Some(&[key])).await;
    }
    refuse(recording, &old).await;
    for key in [CHANGELOG, INCIDENT, STYLE] {
        update(recording, key, Answers::new()).await;
        back(recording, key, 1).await;
        update(recording, key, Answers::new()).await;
    }
    // The first version, the second, and from there the first again: the step that a person takes at the start.
    for number in [4, 2, 1] {
        back(recording, CHANGELOG, number).await;
    }
    adopt(recording, home, &acme).await;
    update(recording, REVIEW, Answers::new()).await;
    let both = [Take::Mine, Take::Theirs];
    for takes in both.iter().flat_map(|one| both.map(|other| vec![*one, other])) {
        update(recording, REVIEW, Answers::from([("SKILL.md".to_owned(), takes)])).await;
        back(recording, REVIEW, 1).await;
    }
    let text = team::written(&engine, &[REVIEW, INCIDENT]).await;
    for key in ALL {
        leave(recording, key).await;
    }
    team::look(recording, &host.repository("acme/team"), &text).await;
}

/// Two skills of the projects were installed by `npx skills`, which recorded it in its file there. The source of one of them
/// is followed, and forgotten again; what the other recorded is no source.
async fn adopt(recording: &mut Recording, home: &Home, acme: &GitRepository) {
    let engine = recording.engine.clone();
    let lock = json!({"version": 1, "skills": {
        "postmortem": {"source": acme.address, "sourceType": "git", "skillPath": "skills/incident-report/SKILL.md", "computedHash": ""},
        "quarterly-report": {"source": "npm:reports", "sourceType": "node_modules", "computedHash": ""},
    }});
    fs::write(home.path("projects/skills-lock.json"), lock.to_string()).unwrap();
    recording.answer("", "managedSkills", json!([]), &actions::managed_skills(&engine, None).await);
    for key in ["projects/postmortem", "projects/quarterly-report"] {
        let about = format!("skill {key}");
        recording.keep("").await;
        let adopted = actions::adopt_skill(&engine, key).await;
        recording.change(&about, "adoptSkill", json!([key]), &adopted).await;
        if adopted.is_ok() {
            let forgotten = actions::forget_origins(&engine, &[key.to_owned()]).await;
            recording.change(&about, "forgetOrigins", json!([[key]]), &forgotten).await;
        }
    }
}

/// Puts the files of a commit over those that are there.
fn commit(repository: &GitRepository, number: u8) {
    let owner = repository.address.rsplit('/').nth(1).unwrap();
    let files = root().join(format!("tests/golden/example/repositories/{owner}/{number}"));
    copy(&files, repository.work());
    repository.commit(&format!("Version {number}"));
}

/// Mei changes what the update changes, too, and something else.
fn edit(home: &Home) {
    let file = home.machine.data.join("skills/api-review/SKILL.md");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("a sentence.", "a sentence that says what to do.").replace("Give 50", "Give 20");
    fs::write(file, text.replace("`/orders`, ", "`/orders`, `/invoices`, ")).unwrap();
}

/// Looks at the source, and adds every choice of its skills.
async fn look(recording: &mut Recording, acme: &GitRepository) {
    let engine = recording.engine.clone();
    actions::cancel_fetching(&engine);
    recording.answer("", "cancelFetching", json!([]), &Ok(()));
    let one = format!("{}#main@changelog", acme.address);
    let all = ["api-review", "changelog", "incident-report"].map(|id| format!("skills/{id}"));
    for (source, most) in [(&acme.address, 7), (&one, 1)] {
        let seen = actions::look_at_source(&engine, source, None).await;
        recording.answer("", "lookAtSource", json!([source]), &seen);
        let seen = seen.unwrap();
        for some in 1..=most {
            let chosen = all.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1).map(|(_, path)| path.clone());
            let only = (some < most).then(|| chosen.collect::<Vec<_>>());
            let keys = actions::add_source(&engine, source, &seen.commit, &seen.plan.id, "own", only.clone()).await;
            let arguments = json!([source, seen.commit, seen.plan.id, "own", only]);
            recording.change("", "addSource", arguments, &keys).await;
            for key in keys.unwrap() {
                leave(recording, &key).await;
            }
            recording.keep("").await;
        }
    }
    let late = actions::add_source(&engine, &acme.address, "HEAD", "another plan", "own", None).await;
    recording.refusal("addSource", &json!([]), late);
}

async fn add(engine: &Engine, source: &str) {
    let seen = actions::look_at_source(engine, source, None).await.unwrap();
    actions::add_source(engine, source, &seen.commit, &seen.plan.id, "own", None).await.unwrap();
}

async fn ask(recording: &mut Recording, keys: Option<&[&str]>) {
    let keys = keys.map(|keys| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>());
    let asked = actions::ask_sources(&recording.engine, keys.as_deref()).await;
    let about = format!("skill {}", keys.as_ref().map_or(INCIDENT, |keys| &keys[0]));
    recording.change(&about, "askSources", json!([keys]), &asked).await;
}

/// What is read of a skill: what it carries, its files, its versions, and what an update would change.
async fn show(recording: &mut Recording, key: &str) {
    let engine = recording.engine.clone();
    let about = format!("skill {key}");
    recording.answer(&about, "lookAtSkill", json!([key]), &actions::look_at_skill(&engine, key).await);
    for file in actions::read_skill(&engine, key).await.unwrap().files {
        let text = actions::read_file(&engine, key, &file.path).await;
        recording.answer(&about, "readFile", json!([key, file.path]), &text);
    }
    recording.answer(&about, "planUpdate", json!([key]), &actions::plan_update(&engine, key).await);
    versions(recording, key).await;
}

async fn versions(recording: &mut Recording, key: &str) {
    let engine = recording.engine.clone();
    let about = format!("skill {key}");
    let versions = actions::skill_versions(&engine, key).await;
    recording.answer(&about, "skillVersions", json!([key]), &versions);
    for number in 1..versions.unwrap().len() {
        let number = u32::try_from(number).unwrap();
        recording.answer(&about, "planBack", json!([key, number]), &actions::plan_back(&engine, key, number).await);
    }
}

async fn update(recording: &mut Recording, key: &str, answers: Answers) {
    let engine = recording.engine.clone();
    let about = format!("skill {key}");
    let plan = actions::plan_update(&engine, key).await;
    recording.answer(&about, "planUpdate", json!([key]), &plan);
    let UpdatePlan { id, to, .. } = plan.unwrap();
    let done = actions::update_skill(&engine, key, &to, &id, answers.clone()).await;
    recording.change(&about, "updateSkill", json!([key, to, id, answers]), &done).await;
    versions(recording, key).await;
}

/// Goes back to a version.
async fn back(recording: &mut Recording, key: &str, number: u32) {
    let engine = recording.engine.clone();
    let plan = actions::plan_back(&engine, key, number).await.unwrap();
    let done = actions::go_back_to(&engine, key, number, &plan.id).await;
    recording.change(&format!("skill {key}"), "goBackTo", json!([key, number, plan.id]), &done).await;
    versions(recording, key).await;
}

async fn refuse(recording: &mut Recording, old: &GitRepository) {
    let engine = recording.engine.clone();
    let absent = old.address.replace("notes", "absent");
    recording.refusal("lookAtSource", &json!([absent]), actions::look_at_source(&engine, &absent, None).await);
    for written in
        ["", "skills", "./skills", "http://example.com/skills.git", "-x", "https://mei:secret@github.com/acme/skills"]
    {
        let refused = actions::look_at_source(&engine, written, None).await;
        recording.answer("", "lookAtSource", json!([written]), &refused);
    }
    let late = actions::update_skill(&engine, CHANGELOG, "HEAD", "another plan", Answers::new()).await;
    recording.refusal("updateSkill", &json!([]), late);
    recording.refusal("goBackTo", &json!([]), actions::go_back_to(&engine, CHANGELOG, 1, "another plan").await);
    let (gone, number) = ("gone", 99);
    recording.refusal("planBack", &json!([gone, number]), actions::plan_back(&engine, CHANGELOG, number).await);
    let not_fetched = actions::skill_versions(&engine, "claude/code-review").await;
    recording.refusal("skillVersions", &json!([]), not_fetched);
    recording.refusal("planUpdate", &json!([]), actions::plan_update(&engine, "claude/code-review").await);
}
