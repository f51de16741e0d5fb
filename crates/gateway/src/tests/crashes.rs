//! How often a server may end by itself.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;
use servers::LaunchSpec;

use super::{gateway, machine, spec};
use crate::{
    gateway::{CRASHES, CRASHES_WITHIN, PAUSE, Server},
    run::over,
    shared::Shared,
    start::start,
};

#[test]
fn only_recent_crashes_make_a_start_wait_and_too_many_at_once_make_it_wait_for_a_person() {
    let mut server = Server::default();
    let first = Instant::now();
    assert_eq!(server.pause(first), Some(Duration::ZERO));
    for pauses in [1, 2, 4, 8] {
        assert!(!server.crashed(first));
        assert_eq!(server.pause(first), Some(PAUSE * pauses));
    }
    let later = first + CRASHES_WITHIN;
    assert_eq!(server.pause(later), Some(Duration::ZERO), "the crashes of long ago count no more");
    assert!(!server.crashed(later), "four of the five were long ago");
    assert_eq!(server.pause(later), Some(PAUSE));
    for _ in 2..CRASHES {
        assert!(!server.crashed(later));
    }
    assert!(server.crashed(later));
    assert_eq!(server.pause(later + CRASHES_WITHIN * 100), None, "a person decides, and not the time");
}

#[tokio::test]
async fn what_is_refused_before_anything_was_started_is_no_crash() {
    let home = tempfile::tempdir().unwrap();
    let machine = machine(home.path(), home.path());
    let gateway = gateway(&machine);
    let argv = ["sh", "-c", "exit 3"].map(str::to_owned);
    let runs = spec(&machine, Path::new("/bin/sh"), &argv);
    let secret = json!({"KEY": {"key": "f1/tea", "server": "teapot", "name": "KEY"}});
    let lacks = LaunchSpec { secrets: serde_json::from_value(secret).unwrap(), ..runs.clone() };
    let ends = async |spec: &LaunchSpec| {
        let shared = Shared::new(spec.clone());
        let why = start(&gateway, spec, &shared.stop, &mut |_| {}).await.err().unwrap();
        over(&gateway, &shared, why.clone());
        (why.unwrap(), gateway.pause("teapot").unwrap())
    };
    for _ in 0..CRASHES {
        let (why, pause) = ends(&lacks).await;
        assert_eq!(why.sentence("teapot"), "The secret KEY is missing. Enter it under Needs.");
        assert_eq!(pause, Duration::ZERO);
    }
    let (why, pause) = ends(&runs).await;
    assert_eq!(why.sentence("teapot"), "teapot ended before it answered. It ended with exit code 3.");
    assert_eq!(pause, PAUSE);
}
