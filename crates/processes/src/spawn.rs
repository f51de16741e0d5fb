//! Starts a supervisor, sends it its order, and ends it.

use std::{
    io,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
};

use machine::{Machine, waiting};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
};

use super::{Recipe, orphans, protocol::Frame, supervisor::SUPERVISE};

/// A running supervisor. Dropping it asks it to end.
pub(crate) struct Started {
    /// Its process id.
    pub(crate) id: u32,
    supervisor: Child,
    /// The path of its record.
    record: PathBuf,
    /// The folder where Linux lists processes.
    processes: PathBuf,
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
    /// Starts a supervisor and sends it the order. A call that is dropped midway starts no server: the supervisor ends
    /// if the frame is incomplete.
    pub(crate) async fn start(
        machine: &Machine,
        recipe: Recipe,
        mark: &str,
        running: &Path,
    ) -> io::Result<(Self, Streams)> {
        waiting::for_person();
        let frame = Frame::write(&recipe, mark, running)?;
        let mut supervisor = Command::new(&machine.program)
            .arg(SUPERVISE)
            .env_clear()
            // So that no folder is kept from being unmounted.
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| {
                let program = machine.program.display();
                io::Error::new(
                    error.kind(),
                    format!("Skilltender's own program {program} could not be started: {error}."),
                )
            })?;
        let streams = (supervisor.stdin.take(), supervisor.stdout.take(), supervisor.stderr.take());
        let (Some(id), (Some(mut stdin), Some(stdout), Some(stderr))) = (supervisor.id(), streams) else {
            return Err(io::Error::other("The system gave a new process no number or no streams."));
        };
        let record = orphans::place(running, id);
        let started = Self { id, supervisor, record, processes: machine.processes.clone() };
        stdin.write_all(frame.bytes()).await?;
        Ok((started, Streams { stdin, stdout, stderr }))
    }

    /// Waits for the supervisor's end; a dropped wait loses nothing. Ends what a killed supervisor left behind.
    pub(crate) async fn ended(&mut self) -> io::Result<ExitStatus> {
        let status = self.supervisor.wait().await?;
        orphans::end_orphan(&self.processes, &self.record);
        Ok(status)
    }

    /// Asks the supervisor to end the server's processes and itself.
    pub(crate) fn ask_to_end(&self) {
        // The id exists only until the process is reaped, so it cannot belong to another process.
        if let Some(id) = self.supervisor.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            let _it_may_just_have_ended = kill_process(id, Signal::TERM);
        }
    }

    /// Kills the supervisor; [`Started::ended`] ends what it leaves behind.
    pub(crate) fn kill(&mut self) {
        // It may have just ended.
        drop(self.supervisor.start_kill());
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.ask_to_end();
    }
}
