//! An engine at rest gives back what it needed for work: memory after each burst of clients' requests, and after work of its own,
//! such as its start, the code of it too. What a single connection or server leaves behind is given back where it ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use machine::{malloc, mapped};
use tokio::{sync::Notify, task::spawn_blocking, time::sleep};

/// So many looks without anything between them are rest.
const QUIET: u32 = 5;
const LOOK: Duration = Duration::from_secs(1);

/// Whether clients ask, or the engine works by itself.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// Whether anything was done since the last look.
    asked: AtomicBool,
    /// Whether code was run that clients do not need.
    worked: AtomicBool,
    /// Whether nobody looks before something is asked.
    rests: AtomicBool,
    woken: Notify,
}

impl Rest {
    /// A client asks.
    pub(super) fn asked(&self) {
        // Usually it is noted already, and then nothing is written that other processors have.
        if !self.asked.load(Ordering::Relaxed) {
            self.asked.store(true, Ordering::SeqCst);
        }
        if self.rests.load(Ordering::SeqCst) {
            self.woken.notify_one();
        }
    }

    /// The engine does something by itself.
    pub(super) fn worked(&self) {
        self.worked.store(true, Ordering::SeqCst);
        self.asked();
    }

    /// Gives back what is not needed whenever it is quiet, from the end of the start on.
    pub(super) async fn follow(self: Arc<Self>) {
        self.worked();
        self.quiet().await;
        loop {
            let code = self.worked.swap(false, Ordering::SeqCst);
            let given = spawn_blocking(move || {
                malloc::give_back();
                if code {
                    mapped::give_back();
                }
            });
            drop(given.await);
            self.rests.store(true, Ordering::SeqCst);
            // Whoever asked just before that woke nobody.
            if !self.asked.load(Ordering::SeqCst) {
                self.woken.notified().await;
            }
            self.rests.store(false, Ordering::SeqCst);
            self.quiet().await;
        }
    }

    /// Waits until nobody has asked for a while.
    async fn quiet(&self) {
        let mut quiet = 0;
        while quiet < QUIET {
            self.asked.store(false, Ordering::SeqCst);
            sleep(LOOK).await;
            quiet = if self.asked.load(Ordering::SeqCst) { 0 } else { quiet + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_ends_the_rest_and_is_remembered_until_it_is_quiet() {
        let rest = Rest::default();
        rest.rests.store(true, Ordering::SeqCst);
        rest.asked();
        rest.woken.notified().await;
        assert!(rest.asked.load(Ordering::SeqCst));
        rest.quiet().await;
        assert!(!rest.asked.load(Ordering::SeqCst));
    }
}
