//! Writes the persistent parts of the state, on a thread of its own, so that the loop waits for no disk.
//!
//! A failed write is pending: it is retried until it succeeds or a newer one replaces it. Meanwhile it is
//! reported by the answer of the action that changed the state, once in the log, and in the snapshot for as
//! long as it lasts.

use std::{
    collections::BTreeMap,
    io,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use api::{ActionError, ErrorKind, failed};
use files::replace_file::ReplaceError;
use tokio::{sync::oneshot, time::timeout};

/// The pause before a retry.
const AGAIN: Duration = Duration::from_secs(2);

/// How long an action waits for a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A part of the state with a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The person's choices.
    Choices,
    /// Values of parameters that are not secret.
    Values,
    /// The person's approvals.
    Approvals,
    /// Servers that are kept for clients.
    Adopted,
    /// The activity of clients. Nothing depends on it, so only the log reports a failed write.
    Seen,
}

impl Part {
    const fn what(self) -> &'static str {
        match self {
            Self::Choices => "what you chose",
            Self::Values => "a value that you gave",
            Self::Approvals => "your approvals",
            Self::Adopted => "which servers are kept for clients",
            Self::Seen => "what clients do",
        }
    }
}

/// Writes one part as it was at some time.
pub type Write = Box<dyn Fn() -> Result<(), ReplaceError> + Send>;

/// How writing ended: the error is a sentence.
pub type Saved = Result<(), String>;

/// Takes what is to be written. Dropping it ends the thread, after a last attempt.
#[derive(Debug)]
pub struct Saver {
    jobs: Sender<Job>,
}

enum Job {
    Write(Part, Write),
    /// Answers with the result for these parts, once all earlier jobs were tried.
    Answer(Vec<Part>, oneshot::Sender<Saved>),
}

/// Waits for a change to be on the disk.
#[derive(Debug)]
pub struct Saving {
    pub saved: oneshot::Receiver<Saved>,
    /// Whether the change holds although it is not saved, because the engine keeps running.
    pub lasts: bool,
}

impl Saver {
    /// Starts the thread. It calls `told` with a sentence about what cannot be written from now on, or with
    /// `None` when all is written.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(told: impl Fn(Option<String>) + Send + 'static) -> io::Result<Self> {
        let (jobs, received) = mpsc::channel();
        thread::Builder::new().name("saving".to_owned()).spawn(move || run(&received, told))?;
        Ok(Self { jobs })
    }

    /// Writes a part as it is now, in place of a pending write of it.
    pub fn write(&self, part: Part, write: Write) {
        // The thread ends only after this sender is gone.
        drop(self.jobs.send(Job::Write(part, write)));
    }

    /// Sends the result for these parts, once all earlier jobs were tried.
    pub fn answer(&self, parts: Vec<Part>, saved: oneshot::Sender<Saved>) {
        drop(self.jobs.send(Job::Answer(parts, saved)));
    }
}

impl Saving {
    /// Waits until the change is on the disk.
    ///
    /// # Errors
    /// When it is not. It holds all the same for as long as the engine runs.
    pub async fn done(self) -> Result<(), ActionError> {
        let lasts = self.lasts;
        self.outcome().await.map_err(|why| match lasts {
            true => failed(
                ErrorKind::System,
                format!(
                    "This holds until Skilltender quits, but it is not saved: {why} It is tried again until it is saved."
                ),
            ),
            false => not_done(&why),
        })
    }

    /// The same for a change that the caller undoes if it cannot be saved.
    ///
    /// # Errors
    /// When it is not saved.
    pub async fn needed(self) -> Result<(), ActionError> {
        self.outcome().await.map_err(|why| not_done(&why))
    }

    /// Like [`Saving::needed`], on a thread that may wait.
    ///
    /// # Errors
    /// When it is not saved.
    pub fn needed_here(self) -> Result<(), ActionError> {
        self.saved.blocking_recv().unwrap_or_else(|_| Err(QUITTING.to_owned())).map_err(|why| not_done(&why))
    }

    async fn outcome(self) -> Saved {
        match timeout(PATIENCE, self.saved).await {
            Ok(saved) => saved.unwrap_or_else(|_| Err(QUITTING.to_owned())),
            Err(_) => Err(format!("the disk has not answered for {} seconds.", PATIENCE.as_secs())),
        }
    }
}

const QUITTING: &str = "Skilltender is quitting.";

fn not_done(why: &str) -> ActionError {
    failed(ErrorKind::System, format!("This could not be saved, so nothing was changed: {why}"))
}

/// The failed writes and their errors.
type Pending = BTreeMap<Part, (Write, String)>;

fn run(jobs: &Receiver<Job>, told: impl Fn(Option<String>)) {
    let (mut pending, mut said) = (Pending::new(), None);
    loop {
        let first = match pending.is_empty() {
            true => jobs.recv().map_err(RecvTimeoutError::from),
            false => jobs.recv_timeout(AGAIN),
        };
        let over = matches!(first, Err(RecvTimeoutError::Disconnected));
        let again = std::mem::take(&mut pending).into_iter().map(|(part, (write, why))| (part, (write, Some(why))));
        let mut due: BTreeMap<_, _> = again.collect();
        let mut answers = Vec::new();
        for job in first.into_iter().chain(jobs.try_iter()) {
            match job {
                Job::Write(part, write) => {
                    let before = due.remove(&part).and_then(|(_, why)| why);
                    due.insert(part, (write, before));
                }
                Job::Answer(parts, saved) => answers.push((parts, saved)),
            }
        }
        for (part, (write, before)) in due {
            let Err(error) = write() else { continue };
            let why = error.to_string();
            if before.is_none() {
                tracing::warn!("Not saved: {}. {why} It is tried again until it is.", part.what());
            }
            pending.insert(part, (write, why));
        }
        let now = sentence(&pending);
        if now != said {
            told(now.clone());
            said = now;
        }
        for (parts, saved) in answers {
            let failed = parts.iter().find_map(|part| pending.get(part).filter(|_| *part != Part::Seen));
            // The caller may have gone.
            drop(saved.send(failed.map_or(Ok(()), |(_, why)| Err(why.clone()))));
        }
        if over {
            return;
        }
    }
}

/// The sentence about it for people.
fn sentence(pending: &Pending) -> Option<String> {
    let told: Vec<_> = pending.iter().filter(|(part, _)| **part != Part::Seen).collect();
    let (_, (_, why)) = told.first()?;
    let parts: Vec<_> = told.iter().map(|(part, _)| part.what()).collect();
    Some(format!(
        "Not saved, and gone when Skilltender quits: {}. {why} It is tried again until it is saved.",
        parts.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use std::{
        path::PathBuf,
        sync::{
            Arc,
            atomic::{AtomicBool, AtomicU32, Ordering},
        },
    };

    use super::*;

    /// A disk that is full while `full` is set, and the number of writes.
    #[derive(Default)]
    struct Disk {
        full: AtomicBool,
        written: AtomicU32,
    }

    fn write(disk: &Arc<Disk>) -> Write {
        let disk = Arc::clone(disk);
        Box::new(move || {
            if disk.full.load(Ordering::Relaxed) {
                return Err(ReplaceError::Full(PathBuf::from("/data/choices.json")));
            }
            disk.written.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
    }

    fn asked(saver: &Saver, parts: &[Part]) -> Saved {
        let (saved, outcome) = oneshot::channel();
        saver.answer(parts.to_vec(), saved);
        outcome.blocking_recv().unwrap()
    }

    #[test]
    fn what_does_not_fit_is_told_and_tried_again_until_it_does() {
        let (tell, told) = mpsc::channel();
        let saver = Saver::start(move |now| drop(tell.send(now))).unwrap();
        let disk = Arc::new(Disk { full: AtomicBool::new(true), ..Disk::default() });
        saver.write(Part::Choices, write(&disk));
        saver.write(Part::Seen, write(&disk));
        assert!(asked(&saver, &[Part::Choices]).unwrap_err().contains("no room left"));
        assert_eq!(asked(&saver, &[Part::Approvals, Part::Seen]), Ok(()), "only what hangs on it hears of it");
        let said = told.recv().unwrap().unwrap();
        assert!(
            said.starts_with("Not saved, and gone when Skilltender quits: what you chose. There is no room"),
            "{said}"
        );
        disk.full.store(false, Ordering::Relaxed);
        assert_eq!(told.recv_timeout(Duration::from_secs(20)).unwrap(), None, "said once, and then that all is well");
        assert_eq!(disk.written.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn what_is_newer_takes_the_place_of_what_waits_and_the_end_tries_once_more() {
        let (tell, _told) = mpsc::channel();
        let saver = Saver::start(move |now| drop(tell.send(now))).unwrap();
        let (full, room) = (Arc::new(Disk { full: AtomicBool::new(true), ..Disk::default() }), Arc::<Disk>::default());
        saver.write(Part::Choices, write(&full));
        assert!(asked(&saver, &[Part::Choices]).is_err());
        saver.write(Part::Choices, write(&room));
        assert_eq!(asked(&saver, &[Part::Choices]), Ok(()));
        saver.write(Part::Values, write(&full));
        assert!(asked(&saver, &[Part::Values]).is_err());
        full.full.store(false, Ordering::Relaxed);
        let (saved, outcome) = oneshot::channel();
        saver.answer(Vec::new(), saved);
        drop(saver);
        assert_eq!(outcome.blocking_recv().unwrap(), Ok(()));
        assert_eq!((full.written.load(Ordering::Relaxed), room.written.load(Ordering::Relaxed)), (1, 1));
    }
}
