//! A server and all its descendants: asked to end, and awaited until none is left.
//!
//! Linux makes orphans our children (we are their "subreaper"), including those in sessions of their own, so having no
//! children left is exact. Elsewhere the server's process group has to do.

use std::time::Duration;

#[cfg(target_os = "linux")]
use std::path::Path;

use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitOptions, WaitStatus, wait},
};
use tokio::{
    signal::unix::Signal as Told,
    time::{sleep, timeout},
};

/// How long processes have to end after the request.
const GRACE: Duration = Duration::from_secs(3);

/// All processes that came from one server.
pub(crate) struct Tree {
    server: Pid,
    /// How the server itself ended.
    ended: Option<WaitStatus>,
}

impl Tree {
    /// The tree of a newly started server, in a process group of its own.
    pub(crate) const fn new(server: Pid) -> Self {
        Self { server, ended: None }
    }

    /// How the server itself ended, if [`Tree::reap`] has seen it.
    pub(crate) const fn ended(&self) -> Option<WaitStatus> {
        self.ended
    }

    /// Reaps the processes that have ended, and returns whether none is left.
    pub(crate) fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((id, status))) if id == self.server => self.ended = Some(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return false,
                Err(_) => return self.is_gone(),
            }
        }
    }

    /// Asks all of them to end, waits a little, then kills them. Returns when none is left.
    pub(crate) async fn end(&mut self, children: &mut Told) {
        if self.reap() {
            return;
        }
        self.signal(Signal::TERM);
        let gone = async {
            while !self.reap() {
                // The end of a process that is not our child is not reported to us.
                drop(timeout(Duration::from_millis(100), children.recv()).await);
            }
        };
        if timeout(GRACE, gone).await.is_ok() {
            return;
        }
        let mut pause = Duration::from_millis(5);
        loop {
            // A process that was just being started is killed in the next round.
            self.signal(Signal::KILL);
            sleep(pause).await;
            if self.reap() {
                return;
            }
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    }

    #[cfg(target_os = "linux")]
    #[expect(clippy::unused_self, reason = "elsewhere the server's group is asked")]
    const fn is_gone(&self) -> bool {
        true
    }

    #[cfg(target_os = "linux")]
    #[expect(clippy::unused_self, reason = "elsewhere the server's group is told")]
    fn signal(&self, signal: Signal) {
        use super::stat;

        let processes = Path::new("/proc");
        let ours = rustix::process::getpid().as_raw_nonzero().get();
        for process in stat::below(ours, &stat::all(processes)) {
            stat::send(processes, &process, signal);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn is_gone(&self) -> bool {
        rustix::process::test_kill_process_group(self.server).is_err()
    }

    #[cfg(not(target_os = "linux"))]
    fn signal(&self, signal: Signal) {
        let _all_of_it_may_have_ended = rustix::process::kill_process_group(self.server, signal);
    }
}
