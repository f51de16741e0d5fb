//! What is asked of the folder `team`, which lies in a work tree of Mei's: its status, a pull and a commit. In the end it is
//! as it was.

use std::fs;

use api::Pushed;
use engine::actions;
use serde_json::json;
use tests::git_in;

use super::{home::Home, recording::Recording};

const FOLDER: &str = "team";
const ABOUT: &str = "folder team";

pub(super) async fn record(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    let top = home.path("team");
    let first = git_in(&top, &["rev-parse", "HEAD"]);
    let (file, team) = ("skills/on-call/SKILL.md", &home.team);
    let text = fs::read_to_string(team.work().join(file)).unwrap();
    team.write(file, format!("{text}\nLook at https://status.example.net first, then run `scripts/page.sh`.\n"));
    team.write("skills/on-call/scripts/page.sh", "#!/bin/sh\ncurl --data \"$1\" https://pager.example.net/page\n");
    team.write("README.md", "The team's skills.\n");
    team.commit("Say who is paged");
    home.write("team/skills/ticket-triage/labels.md", "bug, question, idea\n");
    actions::read_again(&engine).await.unwrap();
    recording.keep("").await;

    let pull = actions::plan_pull(&engine, FOLDER).await;
    recording.answer(ABOUT, "planPull", json!([FOLDER]), &pull);
    recording.answer(ABOUT, "workTreeStatus", json!([FOLDER]), &actions::work_tree_status(&engine, FOLDER).await);
    let commit = actions::plan_commit(&engine, FOLDER).await;
    recording.answer(ABOUT, "planCommit", json!([FOLDER]), &commit);
    // The commit itself would have another number at each time.
    let pushed = Pushed { commit: first.clone(), committed: true, refused: None };
    recording.answer(ABOUT, "commitAndPush", json!([FOLDER, commit.unwrap().id]), &Ok(pushed));
    let (id, late) = (pull.unwrap().id, actions::commit_and_push(&engine, FOLDER, "another plan", "More").await);
    recording.refusal("commitAndPush", &json!([]), late);
    recording.refusal("pull", &json!([]), actions::pull(&engine, FOLDER, "another plan").await);
    let pulled = actions::pull(&engine, FOLDER, &id).await;
    recording.change(ABOUT, "pull", json!([FOLDER, id]), &pulled).await;

    git_in(&top, &["reset", "--quiet", "--hard", &first]);
    git_in(&top, &["clean", "--quiet", "--force", "-d"]);
    actions::read_again(&engine).await.unwrap();
    recording.keep("").await;
}
