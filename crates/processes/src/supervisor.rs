//! The supervisor: our own program between the engine and one server. The server ends when the engine does, however
//! that ends.
//!
//! It reads a [`Frame`], starts the server on its own standard streams, closes its copies of these, and then only
//! waits: for the server to end, for the engine to end, or for a signal. No server data passes through it. In each case
//! it ends the server and all its descendants before it exits.

use std::{
    fs::OpenOptions,
    io::{self, Write as _},
    os::unix::process::CommandExt as _,
    process::{Command, ExitCode},
    time::Duration,
};

use rustix::process::{Pid, WaitStatus, getppid};
#[cfg(target_os = "linux")]
use tokio::net::unix::pipe::Receiver;
use tokio::{
    signal::unix::{Signal as Told, SignalKind, signal},
    time::sleep,
};

use super::{
    orphans::{self, Record},
    protocol::{Frame, Order},
    spawn_error,
    tree::Tree,
};
use machine::undumped::keep_memory_to_ourselves;

/// The argument that starts our program as a supervisor.
pub const SUPERVISE: &str = "__child";

/// The exit code when the server could not be started; the reason is on standard error.
const NOT_STARTED: u8 = 126;

/// How often the parent is checked where its end is not reported.
const LOOK: Duration = Duration::from_millis(250);

/// Runs this process as the supervisor of one server, until nothing of the server is left. Its exit code is the
/// server's; a signal counts from 128.
///
/// It must be the program's first step: it needs a process with one thread, no children, and unread standard input.
pub fn supervise() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // A supervisor that cannot listen for its own end must not start anything.
    let done = runtime.and_then(|runtime| runtime.block_on(watch_over()));
    ExitCode::from(done.unwrap_or(NOT_STARTED))
}

/// The signals that end a supervisor.
struct Calls {
    terminate: Told,
    interrupt: Told,
    hangup: Told,
}

async fn watch_over() -> io::Result<u8> {
    let mut calls = Calls {
        terminate: signal(SignalKind::terminate())?,
        interrupt: signal(SignalKind::interrupt())?,
        hangup: signal(SignalKind::hangup())?,
    };
    let mut children = signal(SignalKind::child())?;
    keep_to_ourselves()?;
    let frame = Frame::read(io::stdin())?;
    let Some(order) = frame.order() else {
        refuse(b"", "Skilltender was renewed while it ran. Start it again.");
        return Ok(NOT_STARTED);
    };
    let parent = Parent::watch(order.parent)?;
    let server = match start(&order) {
        Ok(server) => server,
        Err(error) => {
            refuse(order.mark, &spawn_error::after(order.program, order.cwd, &error).to_string());
            return Ok(NOT_STARTED);
        }
    };
    // Without a record the server still ends with us; only a start after we were killed would not find it.
    let _unrecorded = Record::write(order.running, server.as_raw_nonzero().get(), order.program);
    let record = orphans::place(order.running, std::process::id());
    drop(frame);
    let mut tree = Tree::new(server);
    if let_go().is_ok() {
        until_it_is_over(&mut tree, &mut children, &mut calls, &parent).await;
    }
    tree.end(&mut children).await;
    // The record may not exist.
    drop(std::fs::remove_file(record));
    Ok(tree.ended().map_or(NOT_STARTED, code))
}

/// Returns when the server has ended or is to be ended.
async fn until_it_is_over(tree: &mut Tree, children: &mut Told, calls: &mut Calls, parent: &Parent) {
    loop {
        tree.reap();
        if tree.ended().is_some() {
            return;
        }
        tokio::select! {
            _ = children.recv() => {}
            _ = calls.terminate.recv() => return,
            _ = calls.interrupt.recv() => return,
            _ = calls.hangup.recv() => return,
            () = parent.gone() => return,
        }
    }
}

/// Disables core dumps for us and the server, and bars other processes of this user from reading our memory, which
/// still contains the system's copy of the server's environment.
///
/// Orphans become our children.
fn keep_to_ourselves() -> io::Result<()> {
    keep_memory_to_ourselves()?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

fn start(order: &Order<'_>) -> io::Result<Pid> {
    let server = Command::new(order.program)
        .args(&order.args)
        .env_clear()
        .envs(order.variables.iter().copied())
        .current_dir(order.cwd)
        .process_group(0)
        .spawn()?;
    // Dropping it neither ends nor awaits the server; `Tree` does both.
    Pid::from_raw(server.id().cast_signed()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Leaves the three streams to the server alone, so that each end is seen on the other side.
fn let_go() -> io::Result<()> {
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// Reports in one line why there is no server. The mark, which no server knows, distinguishes it from server output.
fn refuse(mark: &[u8], reason: &str) {
    let line = [mark, reason.as_bytes(), b"\n"].concat();
    // The reader may be gone.
    drop(io::stderr().write_all(&line));
}

/// The exit code in the form that shells use.
fn code(status: WaitStatus) -> u8 {
    let code = status.exit_status().or_else(|| Some(128 + status.terminating_signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}

/// The process that started us.
struct Parent {
    id: i32,
    /// Becomes readable when the parent ends.
    #[cfg(target_os = "linux")]
    handle: Option<Receiver>,
}

impl Parent {
    /// The parent of this process, if it still has this id.
    fn watch(id: i32) -> io::Result<Self> {
        let parent = Self {
            id,
            #[cfg(target_os = "linux")]
            handle: Self::open(id),
        };
        // The id may have been another process's when it was opened, but then that process is not our parent.
        if parent.is_there() { Ok(parent) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    /// Kernels before 5.10 have no such handles. The handle is not a pipe but is awaited as one: tokio has no other
    /// safe way for unknown descriptors, and nothing is ever read from it.
    #[cfg(target_os = "linux")]
    fn open(id: i32) -> Option<Receiver> {
        use rustix::process::{PidfdFlags, pidfd_open};

        let handle = pidfd_open(Pid::from_raw(id)?, PidfdFlags::NONBLOCK).ok()?;
        Receiver::from_owned_fd_unchecked(handle).ok()
    }

    fn is_there(&self) -> bool {
        getppid().is_some_and(|parent| parent.as_raw_nonzero().get() == self.id)
    }

    /// Returns when the parent has ended.
    async fn gone(&self) {
        #[cfg(target_os = "linux")]
        if let Some(handle) = &self.handle {
            // Whatever woke us, the parent's id decides.
            drop(handle.readable().await);
        }
        while self.is_there() {
            sleep(LOOK).await;
        }
    }
}
