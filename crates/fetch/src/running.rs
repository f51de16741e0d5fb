//! One run of git: watched until it ends, is cancelled, falls silent, or brings too much.

use std::{
    fs,
    io::{self, Read, Write as _},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
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
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// How often a run is looked at.
const BEAT: Duration = Duration::from_millis(25);
/// How often the size of what came is looked at: that reads a folder.
const WEIGHING: Duration = Duration::from_millis(500);
/// The most bytes of a repository that are fetched, in MiB.
const LARGEST: u64 = 512;
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
}

/// What a run printed.
pub(crate) struct Printed {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs git to its end, with these bytes as its input. At most `most` bytes of its output are taken: of more, it is
/// ended and `None` is returned.
pub(crate) fn run(
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
    let program = || Path::new(command.get_program()).to_path_buf();
    let at = program();
    let child = command.spawn().map_err(|error| FetchError::Disk(at, error))?;
    let mut child = Ended(child);
    let moved = Arc::new(AtomicU64::new(0));
    let (tell, told) = mpsc::channel();
    let (stdin, stdout, stderr) = (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(FetchError::Other(watch.address.to_owned(), "the system gave it no streams".to_owned()));
    };
    thread::scope(|threads| {
        // A git that ends early reads no more.
        threads.spawn(move || drop(stdin.write_all(&input)));
        let (out_moved, out_tell) = (Arc::clone(&moved), tell.clone());
        threads.spawn(move || drop(out_tell.send(Stream::Out(taken(stdout, most, &out_moved)))));
        let err_moved = Arc::clone(&moved);
        threads.spawn(move || drop(tell.send(Stream::Err(taken(stderr, MESSAGES, &err_moved)))));
        let ended = watched(&mut child.0, &told, &moved, watch);
        // The threads end when the streams do.
        drop(child);
        ended
    })
}

enum Stream {
    Out(Taken),
    Err(Taken),
}

/// What was read of a stream, and whether that is all.
struct Taken {
    bytes: Vec<u8>,
    all: bool,
}

fn taken(mut stream: impl Read, most: usize, moved: &AtomicU64) -> Taken {
    let (mut bytes, mut part, mut all) = (Vec::new(), vec![0; 64 << 10], true);
    loop {
        let read = match stream.read(&mut part) {
            Ok(0) => return Taken { bytes, all },
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Taken { bytes, all: false },
        };
        moved.fetch_add(read as u64, Ordering::Relaxed);
        let room = most.saturating_sub(bytes.len()).min(read);
        bytes.extend_from_slice(&part[..room]);
        if room < read {
            all = false;
            // Enough of it; messages are read on so that git does not wait.
            if most != MESSAGES {
                return Taken { bytes, all };
            }
        }
    }
}

fn watched(
    child: &mut Child,
    told: &mpsc::Receiver<Stream>,
    moved: &AtomicU64,
    watch: &Watch<'_>,
) -> Result<Option<Printed>, FetchError> {
    let address = || watch.address.to_owned();
    let started = Instant::now();
    let (mut out, mut err) = (None, None);
    let (mut progress, mut since, mut weighed) = (0, started, started);
    let mut weight = 0;
    while out.is_none() || err.is_none() {
        match told.recv_timeout(BEAT) {
            Ok(Stream::Out(taken)) if !taken.all => return Ok(None),
            Ok(Stream::Out(taken)) => out = Some(taken.bytes),
            Ok(Stream::Err(taken)) => err = Some(taken.bytes),
            Err(_) => {}
        }
        if watch.cancel.is() {
            return Err(FetchError::Cancelled);
        }
        if let Some(folder) = watch.fills.filter(|_| weighed.elapsed() > WEIGHING) {
            weight = size(folder);
            weighed = Instant::now();
            if weight > LARGEST << 20 {
                return Err(FetchError::TooLarge(address(), LARGEST));
            }
        }
        let now = moved.load(Ordering::Relaxed) + weight;
        if now != progress {
            (progress, since) = (now, Instant::now());
        } else if since.elapsed() > SILENCE {
            return Err(FetchError::Silent(address(), SILENCE.as_secs()));
        }
        if started.elapsed() > LONGEST {
            return Err(FetchError::TooSlow(address(), LONGEST.as_secs() / 60));
        }
    }
    let status = child.wait().map_err(|error| FetchError::Other(address(), error.to_string()))?;
    let stderr = String::from_utf8_lossy(&err.unwrap_or_default()).into_owned();
    Ok(Some(Printed { status, stdout: out.unwrap_or_default(), stderr }))
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
