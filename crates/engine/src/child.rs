//! One child process, an MCP server over stdio, that cannot outlive us, gets exactly the environment that
//! was declared, and cannot flood us.
//!
//! On Linux and macOS another process of our own program stands between: a [`supervisor`]. It is told what
//! to start over its standard input, so secrets stand in no argument and in no environment but the
//! server's, and it ends all that came from the server when we end, even by SIGKILL. What is left when it
//! is killed too is ended by [`sweep`] at the next start. What is said over the server's streams is left
//! to others.

mod ending;
#[cfg(unix)]
mod frame;
mod log;
#[cfg_attr(not(target_os = "linux"), path = "child/unrecorded.rs")]
mod record;
mod redact;
mod refusal;
#[cfg_attr(not(unix), path = "child/direct.rs")]
mod spawn;
#[cfg(target_os = "linux")]
mod stat;
#[cfg(unix)]
mod supervisor;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod tree;

use std::{io, path::PathBuf, time::Duration};

use mcp::Redaction;
use tokio::{
    process::{ChildStdin, ChildStdout},
    task::JoinHandle,
    time::timeout,
};

use self::spawn::Started;
pub(crate) use self::{ending::Ending, log::Log, record::sweep};
use crate::{Environment, Machine, machine, random};

#[cfg(unix)]
pub use self::supervisor::{SUPERVISE, supervise};

/// How long a server has to end by itself once its input has ended.
const GRACE: Duration = Duration::from_secs(3);

/// How long its supervisor has to end it: a little more than the supervisor gives it.
const LAST: Duration = Duration::from_secs(7);

/// How long the rest of its log is waited for. It ends with the last process that holds it.
const REST: Duration = Duration::from_secs(1);

/// What is to be started.
pub(crate) struct Recipe {
    /// The program: a path, or a name that is looked for in the PATH of `environment`.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) args: Vec<String>,
    /// All that its environment holds.
    pub(crate) environment: Environment,
    /// The folder that it runs in.
    pub(crate) cwd: PathBuf,
}

/// A server that was started. Dropping it ends the server too, a little later and unseen.
pub(crate) struct Child {
    /// What the server reads. Whoever takes it ends the server's input by dropping it.
    pub(crate) stdin: Option<ChildStdin>,
    /// What the server writes.
    pub(crate) stdout: Option<ChildStdout>,
    /// What it says on standard error.
    pub(crate) log: Log,
    /// The secrets that it was given, which it must not say.
    pub(crate) secrets: Redaction,
    started: Started,
    reading: Option<JoinHandle<()>>,
    ending: Option<Ending>,
}

/// Starts a server.
///
/// # Errors
/// With a sentence for people: `NotFound` when the program or its folder is not there, `PermissionDenied`
/// when the program may not be run. What only shows when the system is asked to run it is told by
/// [`Child::ended`].
pub(crate) async fn start(machine: &Machine, recipe: Recipe) -> io::Result<Child> {
    refusal::before(&recipe.program, &recipe.cwd)?;
    let running = machine.data.join(record::FOLDER);
    machine::make_private(&running)?;
    let mark = random::hex(&random::bytes::<16>());
    let secrets = Redaction::new(recipe.environment.secrets());
    let (started, streams) = Started::start(machine, recipe, &mark, &running).await?;
    let log = Log::new();
    let reading = tokio::spawn(log.clone().read(streams.stderr, mark, secrets.clone()));
    Ok(Child {
        stdin: Some(streams.stdin),
        stdout: Some(streams.stdout),
        log,
        secrets,
        started,
        reading: Some(reading),
        ending: None,
    })
}

impl Child {
    /// The number of the process that we started: the supervisor's.
    pub(crate) const fn id(&self) -> u32 {
        self.started.id
    }

    /// Waits until nothing is left of the server, and says how it ended. It may be waited for in pieces:
    /// a wait that is dropped loses nothing.
    pub(crate) async fn ended(&mut self) -> Ending {
        if let Some(ending) = &self.ending {
            return ending.clone();
        }
        let status = self.started.ended().await;
        if let Some(reading) = &mut self.reading {
            // Awaited in place, so that a dropped wait leaves it for the next.
            drop(timeout(REST, reading).await);
            self.reading = None;
        }
        let ending = status.map_or(Ending::Unknown, |status| Ending::of(status, self.log.refused()));
        self.ending.insert(ending).clone()
    }

    /// Ends the server: its input ends, which asks it politely; after 3 seconds it is told to end, and
    /// after another 3 killed, with all that came from it.
    pub(crate) async fn stop(mut self) -> Ending {
        self.stdin = None;
        if let Ok(ending) = timeout(GRACE, self.ended()).await {
            return ending;
        }
        self.started.ask_to_end();
        if let Ok(ending) = timeout(LAST, self.ended()).await {
            return ending;
        }
        self.started.kill();
        self.ended().await
    }
}
