//! Every row of the table through the same flow: added as shown, checked on the disk, and removed to the byte, over
//! every transport of the client.

use std::fs;

use api::{ClientChange, PlanFile, Standing, Transport};
use clients::{Client, TABLE};

use super::home::{ADD, Home, OVER_HTTP, REMOVE, UNDO, UPDATE, cases};
use crate::actions::client_token;

/// How many golden files of a client are tried.
const FEW: usize = 3;

/// The rows whose file is known on this system, with the transports of each.
fn rows() -> impl Iterator<Item = (&'static Client, Vec<ClientChange>)> {
    let files = |row: &Client| {
        if cfg!(windows) {
            row.files.windows
        } else if cfg!(target_os = "macos") {
            row.files.macos
        } else {
            row.files.linux
        }
    };
    TABLE.iter().filter(move |row| !files(row).is_empty()).map(|row| {
        let stdio = row.stdio.map(|_| ADD);
        (*row, stdio.into_iter().chain(row.http.map(|_| OVER_HTTP)).collect())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_client_is_connected_from_nothing_and_leaves_nothing() {
    let home = Home::new().await;
    let mut count = 0;
    for (row, ways) in rows() {
        for way in ways {
            let before = home.client_of(row.id);
            assert_eq!((&before.standing, before.found), (&Standing::Absent, false), "{}", row.id);
            let plan = home.plan(row.id, way.clone()).await.unwrap();
            assert_eq!((plan.file, plan.removed), (PlanFile::Created, 0), "{}", row.id);
            assert!(!home.file_of(row.id).exists(), "{}: a preview writes nothing", row.id);

            home.make(row.id, way.clone()).await.unwrap();
            let client = home.client_of(row.id);
            assert_eq!((&client.standing, client.found), (&Standing::Added, true), "{}", row.id);
            let over_http = client.transport == Some(Transport::Http);
            let mut text = home.text_of(row.id);
            assert_eq!(text.contains("Bearer "), over_http, "{}", row.id);
            if over_http {
                text = text.replace(&client_token(&home.engine, row.id).await.unwrap(), "•••");
            }
            let shown: Vec<_> = plan.lines.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(text.lines().collect::<Vec<_>>(), shown, "{}: what was shown", row.id);

            home.make(row.id, REMOVE).await.unwrap();
            let file = home.file_of(row.id);
            assert!(!file.exists(), "{}: {} is still there", row.id, file.display());
            count += 1;
        }
    }
    let left: Vec<_> =
        fs::read_dir(&home.engine.machine().home).unwrap().map(|left| left.unwrap().file_name()).collect();
    assert_eq!(left, [".local"], "the folders that we made are gone too");
    assert!(count >= 60, "{count} ways");
}

#[tokio::test(flavor = "multi_thread")]
async fn golden_files_of_every_client_get_their_bytes_back() {
    let home = Home::new().await;
    let mut count = 0;
    for (row, ways) in rows() {
        // The crate `clients` checks all cases; a few of each client are tried on the disk here.
        let cases = cases(row.id);
        for case in cases.iter().step_by(cases.len().div_ceil(FEW).max(1)) {
            let Some(before) = before(case) else { continue };
            home.give(row.id, &before);
            // Files that are refused or already have an entry with our name have their own tests.
            if home.look(row.id).await.standing != Standing::Absent {
                continue;
            }
            for way in &ways {
                if home.plan(row.id, way.clone()).await.is_err() {
                    continue;
                }
                home.make(row.id, way.clone()).await.unwrap();
                assert!(fs::read(home.file_of(row.id)).unwrap() != before, "{}", case.display());
                home.make(row.id, REMOVE).await.unwrap();
                assert!(fs::read(home.file_of(row.id)).unwrap() == before, "{} after removing", case.display());
                home.make(row.id, UNDO).await.unwrap();
                home.make(row.id, UNDO).await.unwrap();
                assert!(fs::read(home.file_of(row.id)).unwrap() == before, "{} after undoing twice", case.display());
                count += 1;
            }
        }
    }
    assert!(count >= 30, "only {count} files");
}

/// The file `before`, with the extension of its format.
fn before(case: &std::path::Path) -> Option<Vec<u8>> {
    let files = fs::read_dir(case).ok()?.flatten().map(|file| file.path());
    let mut before = files.filter(|path| path.file_stem().is_some_and(|stem| stem == "before"));
    fs::read(before.next()?).ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_adds_switches_of_its_own_to_our_entry_has_not_changed_it() {
    let home = Home::new().await;
    for (client, ours, theirs) in [
        ("cline", "\"command\"", "\"disabled\": true,\n      \"autoApprove\": [\"list_skills\"],\n      \"command\""),
        ("kiro", "\"command\"", "\"disabledTools\": [],\n      \"timeout\": 5,\n      \"command\""),
        ("zed", "\"command\"", "\"remote\": false,\n      \"command\""),
        ("goose", "    cmd:", "    bundled: false\n    description: skills\n    cmd:"),
        ("codex", "command =", "startup_timeout_sec = 20\ncommand ="),
    ] {
        home.make(client, ADD).await.unwrap();
        let text = home.text_of(client);
        let edited = text.replacen(ours, theirs, 1);
        assert_ne!(edited, text, "{client}: {text}");
        home.give(client, &edited);
        assert_eq!(home.look(client).await.standing, Standing::Added, "{client}: {edited}");
        assert!(home.plan(client, UPDATE).await.unwrap_err().message.contains("already"), "{client}");
        home.make(client, REMOVE).await.unwrap();
        assert!(!fs::read_to_string(home.file_of(client)).unwrap_or_default().contains("skilltender"), "{client}");
    }
}
