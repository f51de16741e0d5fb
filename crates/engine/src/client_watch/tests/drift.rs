//! Our entry after it was edited or removed by hand.

use std::fs;

use api::{Client, ClientChange, DriftChoice, ErrorKind, Standing};

use super::home::{ADD, CLIENT, Home, PLACE, REMOVE, THEIRS, UPDATE};
use crate::actions::{read_drift, settle_drift};

const EDITED: &str = "[\"mcp\", \"--client\", \"someone\"]";

/// A home whose client's entry was edited by hand.
async fn edited() -> Home {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    let compact =
        home.text().replace("[\n        \"mcp\",\n        \"--client\",\n        \"claude-desktop\"\n      ]", EDITED);
    let theirs =
        if compact == home.text() { home.text().replace("\"claude-desktop\"", "\"someone\"") } else { compact };
    assert_ne!(theirs, home.text());
    fs::write(home.file(), theirs).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Edited).await;
    home
}

/// A home whose client's entry was removed by hand.
async fn dropped() -> Home {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    fs::write(home.file(), THEIRS).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Dropped { waiting: false }).await;
    home
}

/// Returns once a later dropped entry was put back; an earlier one that is put back at all was put back by then.
async fn until_another_is_put_back(home: &Home) {
    home.give("windsurf", THEIRS);
    home.make("windsurf", ADD).await.unwrap();
    let ours = home.text_of("windsurf");
    home.give("windsurf", THEIRS);
    home.until_holds("windsurf", &ours).await;
}

#[tokio::test]
async fn three_texts_say_what_was_written_what_stands_there_and_what_stood_there() {
    let home = edited().await;
    let drift = read_drift(&home.engine, CLIENT, None).await.unwrap();
    assert!(drift.ours.contains("\"claude-desktop\"") && drift.ours.starts_with('{') && drift.ours.ends_with("\n}"));
    assert!(drift.theirs.unwrap().contains("\"someone\""));
    assert_eq!(drift.base, None);
    assert_eq!(drift.place, PLACE);

    let gone = dropped().await;
    let drift = read_drift(&gone.engine, CLIENT, None).await.unwrap();
    assert_eq!((drift.theirs, drift.base), (None, None));
}

#[tokio::test]
async fn nothing_has_drifted_where_our_entry_stands() {
    let home = Home::holding(THEIRS).await;
    home.connect().await.unwrap();
    assert_eq!(read_drift(&home.engine, CLIENT, None).await.unwrap_err().kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn ours_is_put_back_after_an_edit_and_after_a_removal() {
    for home in [edited().await, dropped().await] {
        home.make(CLIENT, UPDATE).await.unwrap();
        assert_eq!(home.client().standing, Standing::Added);
        home.disconnect().await.unwrap();
        assert_eq!(home.text(), THEIRS);
    }
}

#[tokio::test]
async fn an_edited_entry_that_is_kept_is_added_and_still_ours_to_take_out() {
    let home = edited().await;
    let theirs = home.text();
    let drift = read_drift(&home.engine, CLIENT, None).await.unwrap();
    settle_drift(&home.engine, CLIENT, None, &drift.id, DriftChoice::Keep).await.unwrap();
    assert_eq!((home.client().standing, home.text()), (Standing::Added, theirs.clone()));
    let home = home.again(|machine| machine).await;
    assert_eq!(home.client().standing, Standing::Added, "the choice is remembered");

    fs::write(home.file(), theirs.replace("someone", "another")).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Edited).await;
    home.disconnect().await.unwrap();
    assert_eq!(home.text(), THEIRS);
}

#[tokio::test]
async fn an_entry_that_we_look_after_no_longer_is_somebody_elses() {
    let home = edited().await;
    let theirs = home.text();
    let drift = read_drift(&home.engine, CLIENT, None).await.unwrap();
    settle_drift(&home.engine, CLIENT, None, &drift.id, DriftChoice::Forget).await.unwrap();
    assert_eq!((home.client().standing, home.text()), (Standing::Different, theirs.clone()));
    for change in [ADD, REMOVE, UPDATE] {
        assert!(home.plan(CLIENT, change).await.unwrap_err().message.contains("did not write"));
    }
    assert_eq!(home.text(), theirs);
}

#[tokio::test]
async fn an_entry_that_may_stay_away_is_simply_absent() {
    for choice in [DriftChoice::Keep, DriftChoice::Forget] {
        let home = dropped().await;
        let drift = read_drift(&home.engine, CLIENT, None).await.unwrap();
        settle_drift(&home.engine, CLIENT, None, &drift.id, choice).await.unwrap();
        assert_eq!((home.client().standing, home.text().as_str()), (Standing::Absent, THEIRS));
        home.connect().await.unwrap();
        assert_eq!(home.client().standing, Standing::Added);
    }
}

#[tokio::test]
async fn a_file_that_somebody_broke_still_says_that_we_wrote_to_it_until_we_look_after_it_no_longer() {
    let refused = |client: &Client| matches!(client.standing, Standing::Refused { .. });
    let home = edited().await;
    let theirs = home.text();
    fs::write(home.file(), format!("{theirs},")).unwrap();
    assert!(home.until(CLIENT, refused).await.written.is_some());

    fs::write(home.file(), theirs).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Edited).await;
    let drift = read_drift(&home.engine, CLIENT, None).await.unwrap();
    settle_drift(&home.engine, CLIENT, None, &drift.id, DriftChoice::Forget).await.unwrap();
    assert_eq!(home.client().written, None);
    fs::write(home.file(), format!("{},", home.text())).unwrap();
    assert_eq!(home.until(CLIENT, refused).await.written, None);
}

#[tokio::test]
async fn what_was_not_shown_is_not_settled() {
    let home = edited().await;
    let drift = read_drift(&home.engine, CLIENT, None).await.unwrap();
    fs::write(home.file(), home.text().replace("someone", "another")).unwrap();
    let settled = settle_drift(&home.engine, CLIENT, None, &drift.id, DriftChoice::Keep).await;
    assert_eq!(settled.unwrap_err().kind, ErrorKind::Changed);
}

#[tokio::test]
async fn a_client_that_saves_what_it_had_read_before_undoes_our_change_only_once() {
    let home = Home::new().await;
    home.give("cursor", THEIRS);
    home.make("cursor", ADD).await.unwrap();
    let ours = home.text_of("cursor");
    home.give("cursor", THEIRS);
    home.until_holds("cursor", &ours).await;
    home.until("cursor", |client| client.standing == Standing::Added).await;

    home.give("cursor", THEIRS);
    home.until("cursor", |client| matches!(client.standing, Standing::Dropped { .. })).await;
    until_another_is_put_back(&home).await;
    assert_eq!(home.text_of("cursor"), THEIRS, "the second time somebody means it");
}

/// A simulated process of the client while the value is held, where the machine lists processes.
#[cfg(target_os = "linux")]
struct Running(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Running {
    fn start(home: &Home) -> Self {
        let process = home.engine.machine().processes.join("4711");
        fs::create_dir_all(&process).unwrap();
        fs::write(process.join("stat"), format!("4711 (claude-desktop) S{} 0", " 0".repeat(18))).unwrap();
        fs::write(process.with_file_name("stat"), "btime 1\n").unwrap();
        Self(process)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Running {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_a_running_client_drops_is_put_back_once_after_it_quit() {
    const AGAIN: ClientChange = ClientChange::Connect { transport: None, project: None, again: true };
    let home = Home::holding(THEIRS).await;
    let running = Running::start(&home);
    assert!(home.plan(CLIENT, AGAIN).await.unwrap().rewrites);
    home.make(CLIENT, AGAIN).await.unwrap();
    let ours = home.text();
    fs::write(home.file(), THEIRS).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Dropped { waiting: true }).await;
    until_another_is_put_back(&home).await;
    assert_eq!(home.text(), THEIRS, "not while it runs");

    let home = home.again(|machine| machine).await;
    assert_eq!(home.client().standing, Standing::Dropped { waiting: true }, "over a restart of ours too");
    drop(running);
    home.until(CLIENT, |client| client.standing == Standing::Added).await;
    assert_eq!(home.text(), ours);

    let running = Running::start(&home);
    fs::write(home.file(), THEIRS).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Dropped { waiting: false }).await;
    drop(running);
    until_another_is_put_back(&home).await;
    assert_eq!(home.text(), THEIRS, "once was agreed to");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_a_client_drops_as_it_quits_is_put_back() {
    const AGAIN: ClientChange = ClientChange::Connect { transport: None, project: None, again: true };
    let home = Home::holding(THEIRS).await;
    let running = Running::start(&home);
    home.make(CLIENT, AGAIN).await.unwrap();
    let ours = home.text();
    fs::write(home.file(), THEIRS).unwrap();
    drop(running);
    home.until_holds(CLIENT, &ours).await;
    home.until(CLIENT, |client| client.standing == Standing::Added).await;
}

#[tokio::test]
async fn what_a_person_takes_out_themselves_stays_out_whatever_they_agreed_to() {
    const AGAIN: ClientChange = ClientChange::Connect { transport: None, project: None, again: true };
    let home = Home::holding(THEIRS).await;
    home.make(CLIENT, AGAIN).await.unwrap();
    fs::write(home.file(), THEIRS).unwrap();
    home.until(CLIENT, |client| client.standing == Standing::Dropped { waiting: false }).await;
    until_another_is_put_back(&home).await;
    assert_eq!(home.text(), THEIRS);
}
