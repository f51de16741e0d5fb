//! The example that the window shows without the app (`npm run dev`, and the window's own tests): what a real engine
//! says of a home folder, `example/home`, and of servers that it runs, `example/servers`. Every state, answer and
//! refusal in `ui/src/backend/example.json` is recorded here, on Linux; the page's in-memory backend only replays them.
//! `cargo xtask golden` writes the recording again.

#![expect(clippy::unwrap_used, reason = "a recording that cannot go on says where")]

mod at_work;
mod clients;
mod folders;
mod home;
mod recording;
mod servers;
mod skills;
mod sources;
mod steady;
mod team;
mod work_trees;

use std::{env, fs};

use home::Home;
use recording::Recording;

use crate::architecture::root;

const FILE: &str = "ui/src/backend/example.json";

#[tokio::test]
async fn the_pages_example_is_what_an_engine_says() {
    let home = Home::new();
    let (first, engine) = (home.first_start().await, home.start().await);
    let mut recording = Recording::of(engine.clone(), &home).await;
    recording.rest("found", &first.found);
    recording.rest("keychain", &[&first.keychain, &engine.snapshot().keychain]);
    skills::record(&mut recording, &home).await;
    servers::record(&mut recording).await;
    clients::record(&mut recording, &home).await;
    work_trees::record(&mut recording, &home).await;
    recording.stop().await;
    recording.go_on_with(home.start_with_supervisor().await, false);
    at_work::record(&mut recording, &home).await;
    recording.stop().await;
    recording.go_on_with(home.start_again().await, true);
    sources::record(&mut recording, &home).await;
    folders::record(&mut recording, &home).await;
    let now = recording.text();
    recording.stop().await;

    // The ports are those that people have, so another engine on this computer would be part of what is recorded.
    assert!(!now.contains("is held by"), "another program has the port: end it, and try again");

    let file = root().join(FILE);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, &now).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let differs = now.lines().zip(committed.lines()).find(|(now, committed)| now != committed);
    assert!(now == committed, "{FILE} is out of date: cargo xtask golden. The first other line:\n{differs:#?}");
}
