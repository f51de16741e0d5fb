//! What is asked of everything together: serving is paused, the folders are read again, one is added, and each of them is
//! removed. Nothing comes after it, because a folder that is added again has another id.

use api::Folder;
use engine::actions;
use serde_json::json;

use super::{home::Home, recording::Recording};

pub(super) async fn record(recording: &mut Recording, home: &Home) {
    let engine = recording.engine.clone();
    recording.keep("").await;
    for on in [true, false] {
        let paused = actions::pause(&engine, on).await;
        recording.change("endpoint here", "pause", json!([on]), &paused).await;
    }
    recording.answer("", "readAgain", json!([]), &actions::read_again(&engine).await);
    let path = home.path("more-skills").to_str().unwrap().to_owned();
    actions::add_folder(&engine, &path, None).await.unwrap();
    let folders: Vec<Folder> = engine.snapshot().folders.clone();
    let added = folders.iter().find(|folder| folder.path == path).map(|folder| folder.id.clone());
    recording.rest("folders", &folders.iter().map(|folder| &folder.id).collect::<Vec<_>>());
    // The window's command answers with the id.
    recording.change("", "addFolder", json!([path]), &Ok(added)).await;
    for folder in folders.iter().filter(|folder| folder.id != "own") {
        let removed = actions::remove_folder(&engine, &folder.id).await;
        recording.change(&format!("folder {}", folder.id), "removeFolder", json!([folder.id]), &removed).await;
    }
}
