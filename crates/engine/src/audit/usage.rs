//! What skills and servers are used, in `usage`: a file of counts for each month. Counted is by skill, client and day, at
//! the call (`state::usage`); nothing that a client or a server wrote is here.
//!
//! A thread of its own saves the counts some seconds after the first of them, so that no call waits for the disk; a crash
//! loses those seconds. What cannot be saved waits and is tried again, with one notice. Adding up is left to `report`.

pub(crate) mod day;
pub(crate) mod months;
mod report;

use std::{
    io,
    path::Path,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

pub(crate) use report::{CSV, Seen, csv, first_of, report};
use tokio::sync::oneshot;

use crate::Engine;

/// The folder's name in the data folder.
pub(crate) const FOLDER: &str = "usage";

/// How long counts are collected before they are saved.
const GATHER: Duration = Duration::from_secs(5);

/// The same in an engine that answers one client while no engine writes, and may end with it.
const GATHER_ALONE: Duration = Duration::from_millis(50);

/// How long what could not be saved waits for the next attempt.
const AGAIN: Duration = Duration::from_secs(30);

/// The id of the notice that counts cannot be saved.
const NOTICE: &str = "usage";

/// Saves what calls used. Cheap to clone; the thread ends when the last engine does.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    asks: Sender<Ask>,
}

enum Ask {
    /// Something was counted.
    Counted,
    /// Answered once everything counted before is saved, or cannot be.
    Flush(oneshot::Sender<()>),
}

impl Usage {
    /// Begins to count the calls of this engine's clients.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub(crate) fn start(engine: &Engine, alone: bool) -> io::Result<Self> {
        let (asks, asked) = mpsc::channel();
        let engines = engine.downgrade();
        let gather = if alone { GATHER_ALONE } else { GATHER };
        let folder = engine.machine().data.join(FOLDER);
        thread::Builder::new().name("usage".to_owned()).spawn(move || run(&asked, &folder, gather, engines))?;
        let wake = asks.clone();
        // The thread ends with the engine, and nothing is counted after that.
        engine.state().usage().start(move || drop(wake.send(Ask::Counted)));
        Ok(Self { asks })
    }

    /// Waits until everything counted so far is saved, or could not be.
    pub(crate) async fn flush(&self) {
        let (mark, reached) = oneshot::channel();
        drop(self.asks.send(Ask::Flush(mark)));
        // An error means that the thread has ended, with nothing left to save.
        drop(reached.await);
    }
}

fn run(asked: &Receiver<Ask>, folder: &Path, gather: Duration, engine: impl Fn() -> Option<Engine>) {
    let mut failing = false;
    loop {
        let first = match failing {
            false => asked.recv().map_err(RecvTimeoutError::from),
            true => asked.recv_timeout(AGAIN),
        };
        if matches!(first, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
        let marks = gathered(asked, first.ok(), gather);
        let Some(engine) = engine() else { return };
        let saved = months::save(folder, engine.state().usage());
        let failed = saved.is_err();
        if let Err(why) = &saved
            && !failing
        {
            tracing::warn!("What is used is not saved: {why}");
            let why = why.clone();
            engine.state().change_soon(move |state| {
                state.notice(
                    NOTICE,
                    format!("What skills are used is counted, but not saved: {why} It is tried again until it is."),
                );
            });
        }
        if failing && !failed {
            engine.state().change_soon(|state| state.notices.retain(|notice| notice.id != NOTICE));
        }
        failing = failed;
        for mark in marks {
            // The waiter may be gone.
            mark.send(()).ok();
        }
    }
}

/// Waits for further counts, and returns who wants to know of the save. A wish to know ends the wait.
fn gathered(asked: &Receiver<Ask>, first: Option<Ask>, gather: Duration) -> Vec<oneshot::Sender<()>> {
    let mut marks = Vec::new();
    let (until, mut next) = (Instant::now() + gather, first);
    while let Some(ask) = next {
        if let Ask::Flush(mark) = ask {
            marks.push(mark);
            break;
        }
        next = asked.recv_timeout(until.saturating_duration_since(Instant::now())).ok();
    }
    marks.extend(asked.try_iter().filter_map(|ask| match ask {
        Ask::Flush(mark) => Some(mark),
        Ask::Counted => None,
    }));
    marks
}
