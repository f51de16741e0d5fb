//! How the program is started.

use std::{io::Write as _, process::Stdio};

use crate::home::Home;

#[test]
fn the_program_serves_with_streams_that_lead_nowhere() {
    let home = Home::new();
    let mut serve = home.skilltender(&["serve"]);
    let mut child = serve.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    home.serves();
    child.kill().unwrap();
    child.wait().unwrap();
}

/// `DETACHED_PROCESS`: it has no console, and no streams at all.
#[test]
fn the_program_serves_without_a_console() {
    let home = Home::new();
    let mut child = home.detached(&["serve"]).spawn().unwrap();
    home.serves();
    assert!(child.try_wait().unwrap().is_none(), "it runs");
    child.stdin.take().unwrap().write_all(b"end\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(96), "it ran until it was ended by force");
}
