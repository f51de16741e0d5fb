use std::{
    io::{self, Write},
    panic::Location,
    sync::{Arc, Mutex, mpsc},
    thread,
};

use machine::Machine;
use mcp::{Caller, ClientEvent};
use servers::{Observed, What};
use tracing_subscriber::fmt;

use super::*;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log of a loop that applies these changes, a line for each.
fn log_of(acts: Vec<Act>) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let state = State::new(Arc::new(Machine::at(home.path()).unwrap()), Choices::default());
    let (send, received) = mpsc::channel();
    for act in acts {
        send.send(Change { from: Location::caller(), act }).unwrap();
    }
    drop(send);
    let state_loop = StateLoop { counts: Arc::default(), published: Arc::new(Published::new(&state)), keeps: None };
    let log = Log::default();
    let writer = log.clone();
    let lines = fmt().with_max_level(Level::DEBUG).with_ansi(false).without_time();
    let lines = lines.with_writer(move || writer.clone()).finish();
    // Only the loop's own thread may not wait.
    let run = move || tracing::subscriber::with_default(lines, || state_loop.run(state, &received));
    thread::spawn(run).join().unwrap();
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn each_change_is_logged_with_its_sender_and_the_parts_that_differ() {
    let observed = Observed { server: "tea".to_owned(), what: What::Lines(3) };
    let caller = Caller::of("pot");
    let log = log_of(vec![
        Act::Soon(Box::new(|state| state.notice("cold", "The tea is cold."))),
        Act::Observed(observed),
        Act::Client(ClientEvent::Disconnected { caller }),
        Act::Counted,
        Act::Soon(Box::new(|state| state.choices.paused = true)),
    ]);
    let ends = [
        r#"act="code" changed=["notices"]"#,
        r#"act="tea: wrote 3 lines" changed=["servers.runs"]"#,
        r#"act="pot: disconnected" changed=["clients"]"#,
        r#"act="calls" changed=[]"#,
        r#"act="code" changed=["choices"]"#,
    ];
    assert_eq!(log.len(), ends.len(), "{log:#?}");
    for (line, end) in log.iter().zip(ends) {
        assert!(line.ends_with(end), "{line}");
        assert!(line.contains("from=crates/state/src/state_loop/tests.rs"), "{line}");
    }
}
