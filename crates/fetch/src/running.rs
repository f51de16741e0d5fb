//! One run of git: watched until it ends, is cancelled, falls silent, or brings too much.

use std::{
    fs,
    io::{self, Read, Write as _},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use machine::waiting;

use crate::FetchError;

/// How long nothing may come before it is given up. git's own limit for http is the same.
pub(crate) const SILENCE: Duration = Duration::from_secs(60);
/// How long one run may take.
pub(crate) const LONGEST: Duration = Duration::from_secs(15 * 60);
/// How long what git leaves behind may still hold its messages.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How often a run is looked at.
const BEAT: Duration = Duration::from_millis(25);
/// How often the size of what came is looked at: that reads a folder.
const WEIGHING: Duration = Duration::from_millis(500);
/// The most bytes of a repository that are fetched, in MiB.
pub(crate) const LARGEST: u64 = 512;
/// The most bytes of git's messages that are kept.
const MESSAGES: usize = 64 << 10;

/// Ends a run when a person does not want it any more. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends what runs, and what would run.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a run is about and when it ends early.
pub(crate) struct Watch<'w> {
    /// The repository, for messages.
    pub(crate) address: &'w str,
    pub(crate) cancel: &'w Cancel,
    /// The folder that fills while it runs.
    pub(crate) fills: Option<&'w Path>,
    /// Whether it may say nothing for as long as it may run.
    pub(crate) is_silent: bool,
}

/// What a run printed.
pub(crate) struct Printed {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs git to its end, and well, with these bytes as its input.
///
/// # Errors
/// When it says that it failed, prints more than `most` bytes, or is ended for what [`Watch`] says.
pub(crate) fn run(command: Command, input: Vec<u8>, most: usize, watch: &Watch<'_>) -> Result<Vec<u8>, FetchError> {
    let too_large = || FetchError::TooLarge(watch.address.to_owned(), (most >> 20) as u64);
    let Printed { status, stdout, stderr } = try_run(command, input, most, watch)?.ok_or_else(too_large)?;
    if status.success() { Ok(stdout) } else { Err(FetchError::told(watch.address, &stderr)) }
}

/// The same, however it ends. `None`: it printed more than `most` bytes, and was ended.
pub(crate) fn try_run(
    mut command: Command,
    input: Vec<u8>,
    most: usize,
    watch: &Watch<'_>,
) -> Result<Option<Printed>, FetchError> {
    waiting::for_person();
    if watch.cancel.is() {
        return Err(FetchError::Cancelled);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Its own group: what it starts for the transport ends with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let at = Path::new(command.get_program()).to_path_buf();
    let child = command.spawn().map_err(|error| FetchError::Disk(at, error))?;
    let mut child = Ended(child);
    let (stdin, stdout, stderr) = (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(FetchError::Other(watch.address.to_owned(), "the system gave it no streams".to_owned()));
    };
    let (tell, told) = mpsc::channel();
    // A git that ends early reads no more. None of these threads is waited for: a helper that git leaves behind, such as
    // ssh's shared connection, may hold a stream open for minutes.
    thread::spawn(move || drop(stdin.write_all(&input)));
    let tell_out = tell.clone();
    thread::spawn(move || pass(stdout, &|part| tell_out.send(Part::Out(part)).is_ok()));
    thread::spawn(move || pass(stderr, &|part| tell.send(Part::Err(part)).is_ok()));
    watched(&mut child.0, &told, most, watch)
}

/// What came of a stream; nothing at its end.
enum Part {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Passes a stream on, part by part, as long as somebody takes it.
fn pass(mut stream: impl Read, take: &dyn Fn(Vec<u8>) -> bool) {
    let mut part = vec![0; 64 << 10];
    loop {
        let read = match stream.read(&mut part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.unwrap_or_default(),
        };
        if !take(part[..read].to_vec()) || read == 0 {
            return;
        }
    }
}

fn watched(
    child: &mut Child,
    told: &mpsc::Receiver<Part>,
    most: usize,
    watch: &Watch<'_>,
) -> Result<Option<Printed>, FetchError> {
    let address = || watch.address.to_owned();
    let failed = |error: io::Error| FetchError::Other(address(), error.to_string());
    let started = Instant::now();
    let (mut out, mut err, mut out_ends, mut err_ends) = (Vec::new(), Vec::new(), false, false);
    let (mut since, mut weighed, mut weight) = (started, started, 0);
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        match told.recv_timeout(BEAT) {
            Ok(part) => {
                since = Instant::now();
                match part {
                    Part::Out(part) => {
                        out_ends |= part.is_empty();
                        out.extend(part);
                    }
                    Part::Err(part) => {
                        err_ends |= part.is_empty();
                        let room = MESSAGES.saturating_sub(err.len()).min(part.len());
                        err.extend_from_slice(&part[..room]);
                    }
                }
            }
            // Both streams may have ended before git did.
            Err(mpsc::RecvTimeoutError::Disconnected) => thread::sleep(BEAT),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if out.len() > most {
            return Ok(None);
        }
        if watch.cancel.is() {
            return Err(FetchError::Cancelled);
        }
        if ended.is_none() {
            ended = child.try_wait().map_err(failed)?.map(|status| (status, Instant::now()));
        }
        if let Some((status, when)) = ended
            && out_ends
            && (err_ends || when.elapsed() > LAST_WORDS)
        {
            let stderr = String::from_utf8_lossy(&err).into_owned();
            return Ok(Some(Printed { status, stdout: out, stderr }));
        }
        if let Some(folder) = watch.fills.filter(|_| weighed.elapsed() > WEIGHING) {
            let before = std::mem::replace(&mut weight, size(folder));
            weighed = Instant::now();
            if weight != before {
                since = weighed;
            }
            if weight > LARGEST << 20 {
                return Err(FetchError::TooLarge(address(), LARGEST));
            }
        }
        if since.elapsed() > SILENCE && !watch.is_silent {
            return Err(FetchError::Silent(address(), SILENCE.as_secs()));
        }
        if started.elapsed() > LONGEST {
            return Err(FetchError::TooSlow(address(), LONGEST.as_secs() / 60));
        }
    }
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(kind) if kind.is_dir() => size(&entry.path()),
        Ok(kind) => kind.len(),
        Err(_) => 0,
    };
    entries.map(of).sum()
}

/// A child that is ended, with all that it started, when it is dropped.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
