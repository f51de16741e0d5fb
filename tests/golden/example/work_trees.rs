//! What is asked of the folder `team`, which lies in a work tree of Mei's: its status, a pull and a commit, with the
//! switches and sets of another machine of hers. In the end it is as it was.

use std::fs;

use api::Pushed;
use engine::actions;
use serde_json::json;
use tests::git_in;

use super::{home::Home, recording::Recording};

/// What her other machine says now.
const OTHER_MACHINE: &str = "version: 1
skills:
  api-errors: on 1
  design-review: off 2
  notes-index: on 1
  on-call: on 1
  query-plans: off 1
  sprint-plan: on 1
  ticket-triage: on 1
  travel-plans: on 1
sets:
  reviews:
    name: Reviews
    count: 2
    skills:
      api-errors: on 2
      on-call: on 2
";
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
    team.write("skills/.skilltender/3f2a1c04b7d9.yaml", OTHER_MACHINE);
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

    let set = engine.snapshot().sets[0].id.clone();
    actions::delete_set(&engine, &set).await.unwrap();
    actions::enable_skill(&engine, "team/design-review", true).await.unwrap();
    git_in(&top, &["reset", "--quiet", "--hard", &first]);
    git_in(&top, &["clean", "--quiet", "--force", "-d"]);
    actions::read_again(&engine).await.unwrap();
    recording.keep("").await;
}
