//! Serializes keychain requests on one thread. A caller waits for a limited time and then continues without: a keychain
//! may be prompting the user, and some never answer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use machine::waiting::{self, Mutex};

use super::KeychainTrouble;

/// The thread, once there was a request, and since when it has been busy with the current one.
pub(crate) struct Queue {
    patience: Duration,
    jobs: Mutex<Option<Sender<Job>>>,
    busy: Arc<Mutex<Option<Instant>>>,
}

type Job = Box<dyn FnOnce() + Send>;

impl Queue {
    /// A queue whose callers wait this long.
    pub(crate) fn new(patience: Duration) -> Self {
        Self { patience, jobs: Mutex::default(), busy: Arc::default() }
    }

    /// Queues a request and waits for its result. `act` learns whether its caller has given up; `late` is called after
    /// it in that case.
    ///
    /// # Errors
    /// When the keychain has not answered in time. The request is carried out later all the same, unless the keychain
    /// had already been silent that long when it was made.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&AtomicBool) -> T + Send + 'static,
        late: impl FnOnce() + Send + 'static,
    ) -> Result<T, KeychainTrouble> {
        waiting::for_person();
        let silent = || KeychainTrouble::Silent(self.patience);
        if self.busy.lock().is_some_and(|since| since.elapsed() >= self.patience) {
            return Err(silent());
        }
        let (answer, answered) = mpsc::channel();
        let (given_up, busy) = (Arc::new(AtomicBool::new(false)), Arc::clone(&self.busy));
        let watched = Arc::clone(&given_up);
        self.send(Box::new(move || {
            *busy.lock() = Some(Instant::now());
            let done = act(&watched);
            *busy.lock() = None;
            // The caller may have given up.
            drop(answer.send(done));
            if watched.load(Ordering::SeqCst) {
                late();
            }
        }))?;
        match answered.recv_timeout(self.patience) {
            Ok(done) => Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                given_up.store(true, Ordering::SeqCst);
                // The answer may have arrived at this very moment.
                answered.try_recv().map_err(|_| silent())
            }
            Err(RecvTimeoutError::Disconnected) => Err(KeychainTrouble::Refused("it was asked in vain".to_owned())),
        }
    }

    fn send(&self, job: Job) -> Result<(), KeychainTrouble> {
        let mut jobs = self.jobs.lock();
        if jobs.is_none() {
            let (sender, received) = mpsc::channel::<Job>();
            let work = move || received.into_iter().for_each(|job| job());
            let started = thread::Builder::new().name("keychain".to_owned()).spawn(work);
            started.map_err(|error| KeychainTrouble::Refused(error.to_string()))?;
            *jobs = Some(sender);
        }
        if let Some(sender) = &*jobs {
            // The thread ends only with the process.
            drop(sender.send(job));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_is_silent_keeps_everybody_waiting_only_once_and_is_heard_when_it_answers() {
        let queue = Queue::new(Duration::from_millis(200));
        let (open, prompt) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let late = queue.ask(
            move |given_up| {
                prompt.recv().ok();
                assert!(given_up.load(Ordering::SeqCst), "what is answered late hears that it is late");
            },
            move || {
                tell.send(()).ok();
            },
        );
        assert!(matches!(late, Err(KeychainTrouble::Silent(_))));
        // On a busy computer the thread began later than its caller waited.
        while queue.busy.lock().is_none_or(|since| since.elapsed() < queue.patience) {
            thread::sleep(Duration::from_millis(5));
        }
        let (asked, never) = mpsc::channel();
        assert!(queue.ask(move |_| asked.send(()).ok(), || {}).is_err(), "nobody waits behind it");
        open.send(()).unwrap();
        told.recv().unwrap();
        assert_eq!(queue.ask(|_| 7, || {}), Ok(7));
        assert!(never.recv().is_err(), "what was refused is not done later");
    }

    #[test]
    fn what_many_ask_at_once_is_done_one_after_the_other() {
        let queue = Queue::new(Duration::from_secs(20));
        let at_once = Arc::new(Mutex::new((0, 0)));
        thread::scope(|scope| {
            for _ in 0..8 {
                let (queue, at_once) = (&queue, Arc::clone(&at_once));
                scope.spawn(move || {
                    let work = move |_: &AtomicBool| {
                        at_once.lock().0 += 1;
                        thread::yield_now();
                        let mut at_once = at_once.lock();
                        at_once.1 = at_once.1.max(at_once.0);
                        at_once.0 -= 1;
                    };
                    assert_eq!(queue.ask(work, || {}), Ok(()));
                });
            }
        });
        assert_eq!(*at_once.lock(), (0, 1));
    }
}
