//! Windows: starts the server without a supervisor.
//!
//! Missing: a job object with `KILL_ON_JOB_CLOSE`. Until then the server's children may outlive it, and the server may
//! outlive us when we crash.

use std::{
    io,
    path::Path,
    process::{self, ExitStatus, Stdio},
};

use machine::Machine;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use super::Recipe;

/// Opens no console window for a console program.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// A running server. Dropping it kills it.
pub(crate) struct Started {
    /// Its process id.
    pub(crate) id: u32,
    server: Child,
}

/// The server's own streams.
pub(crate) struct Streams {
    /// Its input.
    pub(crate) stdin: ChildStdin,
    /// Its output.
    pub(crate) stdout: ChildStdout,
    /// Its standard error.
    pub(crate) stderr: ChildStderr,
}

impl Started {
    /// Starts the server.
    #[expect(clippy::unused_async, reason = "elsewhere a supervisor is told what to start")]
    pub(crate) async fn start(_: &Machine, recipe: Recipe, _: &str, _: &Path) -> io::Result<(Self, Streams)> {
        let Recipe { program, args, environment, cwd } = recipe;
        let mut command = process::Command::new(&program);
        environment.give(&mut command);
        let mut command = Command::from(command);
        command.args(args).current_dir(&cwd).creation_flags(CREATE_NO_WINDOW).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().map_err(|error| super::spawn_error::after(&program, &cwd, &error))?;
        let streams = (server.stdin.take(), server.stdout.take(), server.stderr.take());
        let (Some(id), (Some(stdin), Some(stdout), Some(stderr))) = (server.id(), streams) else {
            return Err(io::Error::other("The system gave a new process no number or no streams."));
        };
        Ok((Self { id, server }, Streams { stdin, stdout, stderr }))
    }

    /// Waits for its end; a dropped wait loses nothing.
    pub(crate) async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.server.wait().await
    }

    /// Windows has no polite signal.
    pub(crate) fn ask_to_end(&mut self) {
        self.kill();
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        // It may have just ended.
        drop(self.server.start_kill());
    }
}
