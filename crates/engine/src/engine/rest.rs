//! An engine at rest gives back what it needed for work (decision 94): memory after each burst of requests, and after its start
//! and the end of a server the code of them too. What many connections leave behind is given back where they end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use machine::{malloc, mapped};
use tokio::{sync::Notify, task::spawn_blocking, time::sleep};

/// So many looks without anything between them are rest.
const QUIET: u32 = 5;

/// Whether clients ask, or the engine works by itself.
#[derive(Debug)]
pub(super) struct Rest {
    /// The time between two looks, of which there are none at rest.
    look: Duration,
    /// How much work of the engine itself is under way.
    works: AtomicUsize,
    /// Whether anything was done since the last look.
    busy: AtomicBool,
    /// Whether code was run that clients do not need.
    code: AtomicBool,
    /// Whether nobody looks before something is done.
    rests: AtomicBool,
    woken: Notify,
}

/// Work of the engine itself, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Work(Arc<Rest>);

impl Default for Rest {
    fn default() -> Self {
        Self {
            look: Duration::from_secs(1),
            works: AtomicUsize::default(),
            busy: AtomicBool::default(),
            code: AtomicBool::default(),
            rests: AtomicBool::default(),
            woken: Notify::default(),
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.code.store(true, SeqCst);
        self.0.works.fetch_sub(1, SeqCst);
        self.0.asked();
    }
}

impl Rest {
    /// Somebody asks for something.
    pub(super) fn asked(&self) {
        // Usually it is noted already, and then nothing is written that other processors have.
        if !self.busy.load(SeqCst) {
            self.busy.store(true, SeqCst);
        }
        if self.rests.load(SeqCst) {
            self.woken.notify_one();
        }
    }

    /// The engine works by itself, with code that is not needed again soon.
    pub(super) fn works(self: &Arc<Self>) -> Work {
        self.works.fetch_add(1, SeqCst);
        Work(Arc::clone(self))
    }

    /// Gives back what is not needed whenever it is quiet.
    pub(super) async fn follow(self: Arc<Self>) {
        loop {
            self.quiet().await;
            let code = self.code.swap(false, SeqCst);
            let given = spawn_blocking(move || {
                malloc::give_back();
                if code {
                    mapped::give_back();
                }
            });
            drop(given.await);
            self.rests.store(true, SeqCst);
            self.waits().await;
            self.rests.store(false, SeqCst);
        }
    }

    /// Waits until nothing has been done for a while.
    async fn quiet(&self) {
        let mut quiet = 0;
        while quiet < QUIET {
            self.busy.store(false, SeqCst);
            sleep(self.look).await;
            let busy = self.works.load(SeqCst) > 0 || self.busy.load(SeqCst);
            quiet = if busy { 0 } else { quiet + 1 };
        }
    }

    /// Waits until something is done. An earlier request may have woken already.
    async fn waits(&self) {
        while !self.busy.load(SeqCst) {
            self.woken.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    fn rest() -> Arc<Rest> {
        Arc::new(Rest { look: Duration::from_millis(1), ..Rest::default() })
    }

    #[tokio::test]
    async fn it_is_not_quiet_while_the_engine_works_however_long_that_takes() {
        let rest = rest();
        let work = rest.works();
        assert!(timeout(SOON, rest.quiet()).await.is_err());
        drop(work);
        rest.quiet().await;
        assert!(rest.code.load(SeqCst));
    }

    #[tokio::test]
    async fn it_is_not_quiet_while_somebody_asks() {
        let rest = rest();
        let asks = async {
            loop {
                rest.asked();
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            () = rest.quiet() => panic!("somebody asked all the time"),
            () = asks => {}
            () = sleep(SOON) => {}
        }
    }

    #[tokio::test]
    async fn a_request_ends_the_rest_once() {
        let rest = rest();
        rest.rests.store(true, SeqCst);
        rest.asked();
        rest.waits().await;
        rest.asked();
        rest.busy.store(false, SeqCst);
        assert!(timeout(SOON, rest.waits()).await.is_err(), "it was woken for what had been done before");
        rest.asked();
        rest.waits().await;
    }
}
