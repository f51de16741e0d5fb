//! What is asked of a team's file: the page that its yes is to, while none of its skills is here.

use api::{SourcePlan, TeamPage, TeamQuestion};
use engine::{Engine, actions};
use serde_json::json;
use tests::GitRepository;

use super::recording::Recording;

/// The commit of the file. The real one hangs on the port of the host, which the file names.
const COMMIT: &str = "58b6feff1ad6c0de58b6feff1ad6c0de58b6feff";

/// What people wrote into the file.
const OURS: &str = "\
version: 1
name: Acme on call
advice: |
  Begin with incident-report when the pager rings.
  Questions go to #on-call.
clients:
  - claude-code
  - codex
policy:
  refuse:
    - unpinned-servers
";
/// What a skill says of its secret, and what the team does.
const HOW: [&str; 2] = [
    "how: \"Reads alerts.\"\n",
    "how: Ask Ada for one that only reads alerts.\n        address: \"https://grafana.acme.example/tokens\"\n",
];

/// The file of somebody who has these skills.
pub(super) async fn written(engine: &Engine, keys: &[&str]) -> String {
    let keys: Vec<_> = keys.iter().map(|key| (*key).to_owned()).collect();
    let text = actions::export_team(engine, Some(&keys), Some(OURS)).await.unwrap().text;
    assert!(text.contains(HOW[0]), "{text}");
    let set = "\nsets:\n  On call:\n    - incident-report\nservers:\n";
    text.replacen("\nservers:\n", set, 1).replace(HOW[0], HOW[1])
}

pub(super) async fn look(recording: &mut Recording, team: &GitRepository, text: &str) {
    let engine = recording.engine.clone();
    team.write("skilltender.team.yaml", text);
    team.commit("Version 1");
    let found = actions::find_team(&engine, &team.address).await.unwrap();
    let page = TeamPage { commit: Some(COMMIT.to_owned()), ..found };
    recording.answer("", "lookAtTeam", json!([team.address]), &Ok(&page));
    let question = TeamQuestion { page: page.clone(), left: None, keychain: engine.snapshot().keychain.clone() };
    recording.answer("", "teamAsked", json!([page.id]), &Ok(question));
    let seen = actions::look_at_source(&engine, &team.address, None).await.unwrap();
    let seen = SourcePlan { commit: COMMIT.to_owned(), ..seen };
    recording.answer("", "lookAtSource", json!([team.address]), &Ok(seen));
    let none = actions::find_team(&engine, "/home/mei/none").await;
    recording.answer("", "lookAtTeam", json!(["/home/mei/none"]), &none);
}
