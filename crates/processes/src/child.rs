//! One running server and the end of it. How its supervisor does both is left to [`spawn`](crate::spawn).

use std::{io, path::PathBuf, time::Duration};

use machine::{Machine, random};
use secrets::{Environment, Redaction};
use tokio::{
    process::{ChildStdin, ChildStdout},
    task::JoinHandle,
    time::timeout,
};

use crate::{ending::Ending, log::Log, orphans, spawn::Started, spawn_error};

/// How long a server may take to exit after its input has ended.
const GRACE: Duration = Duration::from_secs(3);

/// How long its supervisor may take to end it: slightly longer than the supervisor's own limits.
const LAST: Duration = Duration::from_secs(7);

/// How long to wait for the rest of its log, which ends with the last process that holds it.
const REST: Duration = Duration::from_secs(1);

/// What to start.
pub struct Recipe {
    /// The program: a path, or a name that is searched in the PATH of `environment`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its complete environment.
    pub environment: Environment,
    /// Its working folder.
    pub cwd: PathBuf,
}

/// A started server. Dropping it also ends the server, shortly afterwards in the background.
pub struct Child {
    /// The server's input. Dropping it closes the input.
    pub stdin: Option<ChildStdin>,
    /// The server's output.
    pub stdout: Option<ChildStdout>,
    /// The server's standard error.
    pub log: Log,
    /// The server's secrets, which are removed from its output.
    pub secrets: Redaction,
    pub(crate) started: Started,
    /// What reads its log.
    reading: Vec<JoinHandle<()>>,
    ending: Option<Ending>,
}

/// Starts a server.
///
/// # Errors
/// With a sentence for users: `NotFound` when the program or its folder does not exist, `PermissionDenied` when the
/// program is not executable. Failures of the launch itself are reported by [`Child::ended`].
pub async fn start(machine: &Machine, recipe: Recipe) -> io::Result<Child> {
    spawn_error::before(&recipe.program, &recipe.cwd)?;
    let running = machine.data.join(orphans::FOLDER);
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
        reading: vec![reading],
        ending: None,
    })
}

impl Child {
    /// The id of the process that we started: the supervisor's.
    pub const fn id(&self) -> u32 {
        self.started.id
    }

    /// Reads the server's output into its log until it ends, for a server that is spoken to in another way. Nobody
    /// else can read it then. A server whose output nobody reads hangs or ends at its next line.
    pub fn log_output(&mut self) {
        if let Some(output) = self.stdout.take() {
            // No line of it is the supervisor's.
            self.reading.push(tokio::spawn(self.log.clone().read(output, String::new(), self.secrets.clone())));
        }
    }

    /// Waits until nothing is left of the server, and returns how it ended. Cancel-safe: a dropped wait loses nothing.
    pub async fn ended(&mut self) -> Ending {
        if let Some(ending) = &self.ending {
            return ending.clone();
        }
        let status = self.started.ended().await;
        while let Some(reading) = self.reading.last_mut() {
            // Awaited by reference, so that the next wait can continue after a dropped one.
            drop(timeout(REST, reading).await);
            drop(self.reading.pop());
        }
        let ending = status.map_or(Ending::Unknown, |status| Ending::of(status, self.log.refused()));
        self.ending.insert(ending).clone()
    }

    /// Ends the server: closing its input asks it to exit; after 3 seconds it gets a signal to end, and after another 3
    /// it is killed, with all its descendants.
    pub async fn stop(mut self) -> Ending {
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
