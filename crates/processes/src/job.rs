//! Windows: starts a server in a job of its own, which ends with us.
//!
//! A job is the system's name for a process and everything that it starts. The server is suspended until it is in its
//! job, so none of its children is missed; we alone hold the job, and the system ends what is in it when we let go of
//! it, also when we are killed. So no supervisor is needed.

use std::{
    io,
    path::Path,
    process::{self, ExitStatus, Stdio},
};

use machine::Machine;
use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use windows::Win32::System::Threading::{CREATE_NO_WINDOW, PROCESS_CREATION_FLAGS};

use super::Recipe;

/// A running server. Dropping it ends its whole job.
pub(crate) struct Started {
    /// Its process id.
    pub(crate) id: u32,
    server: Box<dyn ChildWrapper>,
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
        command.args(args).current_dir(&cwd);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let started = in_a_job(command, CREATE_NO_WINDOW);
        let mut server = started.map_err(|error| super::spawn_error::after(&program, &cwd, &error))?;
        let streams = (server.stdin().take(), server.stdout().take(), server.stderr().take());
        let (Some(id), (Some(stdin), Some(stdout), Some(stderr))) = (server.id(), streams) else {
            return Err(io::Error::other("The system gave a new process no number or no streams."));
        };
        Ok((Self { id, server }, Streams { stdin, stdout, stderr }))
    }

    /// Waits for the server's end and ends what it leaves behind; a dropped wait loses nothing.
    pub(crate) async fn ended(&mut self) -> io::Result<ExitStatus> {
        // The process, not the job: the job's own wait blocks a thread for as long as a child of the server lives.
        let status = self.server.inner_mut().wait().await?;
        self.kill();
        Ok(status)
    }

    /// Windows has no polite signal.
    pub(crate) fn ask_to_end(&mut self) {
        self.kill();
    }

    /// Ends everything in the job.
    pub(crate) fn kill(&mut self) {
        // It may have just ended.
        drop(self.server.start_kill());
    }
}

/// Starts a program that is in a job of its own before it runs. Dropping it ends the job, and so does our own end.
///
/// # Errors
/// When the program cannot be started.
pub(crate) fn in_a_job(program: process::Command, flags: PROCESS_CREATION_FLAGS) -> io::Result<Box<dyn ChildWrapper>> {
    let mut program = CommandWrap::from(Command::from(program));
    // The job sets the flags of the start anew, so the caller's are told to it.
    program.wrap(KillOnDrop).wrap(CreationFlags(flags)).wrap(JobObject).spawn()
}

#[cfg(test)]
#[path = "job/tests.rs"]
mod tests;
