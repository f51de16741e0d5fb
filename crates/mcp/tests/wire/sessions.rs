//! Sessions that outlive the endpoint they began with, and limits.

use std::{fs, path::Path, sync::Arc, time::Duration};

use mcp::ClientEvent;
use serde_json::{Value, json};

use crate::{
    client::told,
    memory::Memory,
    web::{Web, until},
};

fn list() -> Value {
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// wire contract 14
#[tokio::test]
async fn a_session_goes_on_after_a_restart_and_is_told_to_look_again() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("sessions");
    let host = Memory::new();
    let web = Web::serve_with(host.clone(), Some(kept.clone())).await;
    let session = web.handshake("secret-one").await;
    web.stop();
    web.stopped().await;
    assert_eq!(files(&kept), [format!("{session}.json")]);

    let web = Web::serve_with(host.clone(), Some(kept.clone())).await;
    for method in ["POST", "GET", "DELETE"] {
        let answer = web.request(method, "secret-two").session(&session).body(&list()).send().await;
        assert_eq!(answer.status, 404, "{method}: it is another client's");
    }
    let answer = web.request("POST", "secret-one").session(&session).body(&list()).send().await;
    assert_eq!(answer.message()["result"]["tools"].as_array().unwrap().len(), 2);
    let mut stream = web.request("GET", "secret-one").session(&session).open().await;
    for expected in ["tools", "prompts", "resources"] {
        assert_eq!(told(&stream.event().await.unwrap()), format!("{expected}/list_changed"));
    }
    host.enable("tea", false);
    assert_eq!(told(&stream.event().await.unwrap()), "prompts/list_changed");

    assert!(web.request("DELETE", "secret-one").session(&session).send().await.status < 300);
    assert!(files(&kept).is_empty());
    assert_eq!(web.request("POST", "secret-one").session(&session).body(&list()).send().await.status, 404);
}

#[tokio::test]
async fn every_handshake_is_told_and_one_that_is_repeated_after_a_restart_is_no_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let host = Memory::new();
    let begun = || {
        let times = host.notes().into_iter().filter_map(|note| match note {
            ClientEvent::Met { since, .. } => Some(since.is_some()),
            _ => None,
        });
        times.collect::<Vec<_>>()
    };
    let web = Web::serve_with(host.clone(), Some(folder.path().to_path_buf())).await;
    web.handshake("secret-one").await;
    let session = web.handshake("secret-one").await;
    assert_eq!(begun(), [true, true]);
    web.stop();
    web.stopped().await;

    let web = Web::serve_with(host.clone(), Some(folder.path().to_path_buf())).await;
    web.request("POST", "secret-one").session(&session).body(&list()).send().await;
    assert_eq!(begun(), [true, true, false]);
}

#[tokio::test]
async fn a_session_that_nobody_used_for_a_week_is_dropped_and_what_is_no_session_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::serve_with(Memory::new(), Some(folder.path().to_path_buf())).await;
    let (old, new) = (web.handshake("secret-one").await, web.handshake("secret-one").await);
    web.stop();
    web.stopped().await;
    let week = Duration::from_secs(7 * 24 * 60 * 60 + 60);
    let file = |id: &str| folder.path().join(format!("{id}.json"));
    let aged = fs::File::options().append(true).open(file(&old)).unwrap();
    aged.set_modified(std::time::SystemTime::now() - week).unwrap();
    // On Windows a file that is open keeps its name when it is removed.
    drop(aged);
    fs::write(folder.path().join("notes.json"), "mine").unwrap();
    let broken = "3f2b8c1e-0d4a-4b6f-9c7d-5e8f0a1b2c3d";
    fs::write(file(broken), "{").unwrap();

    let web = Web::serve_with(Memory::new(), Some(folder.path().to_path_buf())).await;
    for (id, status) in [(old.as_str(), 404), (broken, 404), ("../notes", 404), ("notes", 404), (new.as_str(), 200)] {
        let answer = web.request("POST", "secret-one").session(id).body(&list()).send().await;
        assert_eq!(answer.status, status, "{id}");
    }
    let mut left = files(folder.path());
    left.sort();
    let mut expected = [format!("{new}.json"), "notes.json".to_owned()];
    expected.sort();
    assert_eq!(left, expected);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_user_may_read_what_is_kept_and_no_token_is_in_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("sessions");
    let web = Web::serve_with(Memory::new(), Some(kept.clone())).await;
    let session = web.handshake("secret-one").await;
    let file = kept.join(format!("{session}.json"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&kept), mode(&file)), (0o700, 0o600));
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("tester") && !text.contains("secret"), "{text}");
}

#[tokio::test]
async fn of_too_many_sessions_the_one_unused_for_longest_ends() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::serve_with(Memory::new(), Some(folder.path().to_path_buf())).await;
    let ping = |session: &str| web.request("POST", "secret-one").session(session).body(&list());
    let (first, second) = (web.handshake("secret-one").await, web.handshake("secret-one").await);
    assert_eq!(ping(&first).send().await.status, 200);
    for _ in 0..255 {
        web.handshake("secret-one").await;
    }
    assert_eq!((ping(&second).send().await.status, ping(&first).send().await.status), (404, 200));
    assert_eq!(files(folder.path()).len(), 256);
}

/// Each session in memory holds the host, so its reference count gives their number.
#[tokio::test]
async fn of_many_sessions_few_are_held_in_memory_and_the_others_go_on_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let host = Memory::new();
    let web = Web::serve_with(host.clone(), Some(folder.path().to_path_buf())).await;
    assert_eq!(web.modern("tools/list", json!({})).await.status, 200);
    web.is_left().await;
    let none = Arc::strong_count(&host);
    let first = web.handshake("secret-one").await;
    let each = Arc::strong_count(&host) - none;
    let mut stream = web.request("GET", "secret-one").session(&first).open().await;
    let mut sessions = Vec::new();
    for _ in 0..100 {
        sessions.push(web.handshake("secret-one").await);
    }
    until(|| Arc::strong_count(&host) - none <= 32 * each).await;
    assert_eq!(files(folder.path()).len(), 101);
    host.enable("tea", false);
    assert_eq!(told(&stream.event().await.unwrap()), "prompts/list_changed", "one that listens is held");
    for session in &sessions {
        let answer = web.request("POST", "secret-one").session(session).body(&list()).send().await;
        assert_eq!(answer.message()["result"]["tools"].as_array().unwrap().len(), 2);
    }
    until(|| Arc::strong_count(&host) - none <= 32 * each).await;
    let resting = sessions.remove(0);
    assert_eq!(web.request("POST", "secret-two").session(&resting).body(&list()).send().await.status, 404);
    assert!(web.request("DELETE", "secret-one").session(&resting).send().await.status < 300);
    assert_eq!(web.request("POST", "secret-one").session(&resting).body(&list()).send().await.status, 404);
}

#[tokio::test]
async fn sessions_that_are_kept_nowhere_stay_in_memory() {
    let web = Web::serve(Memory::new()).await;
    let first = web.handshake("secret-one").await;
    for _ in 0..40 {
        web.handshake("secret-one").await;
    }
    assert_eq!(web.request("POST", "secret-one").session(&first).body(&list()).send().await.status, 200);
}

/// wire contract 11
#[tokio::test]
async fn a_body_that_is_no_message_is_a_parse_error() {
    let web = Web::serve(Memory::new()).await;
    for body in ["{", "", "nonsense", "\u{0}"] {
        let answer = web.modern_request("tools/list", json!({})).text(body).send().await;
        assert_eq!((answer.status, &answer.message()["error"]["code"]), (400, &json!(-32700)), "{body:?}");
        assert_eq!(answer.message()["id"], Value::Null);
    }
}
