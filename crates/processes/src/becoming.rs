//! This process becomes a server, for a client that starts it by an entry of its own. What would run, and whether it
//! may, is left to the caller.
//!
//! Linux and macOS replace the program of a process. Windows cannot: there this process waits for the server and ends
//! with its code, and the server is in a job, so that it ends with this process, however that ends.

use std::{
    io,
    process::{Command, ExitStatus},
};

/// Becomes the program, with our own streams: returns only when it cannot be started.
///
/// # Errors
/// When the program cannot be started.
#[cfg(unix)]
pub fn become_it(mut program: Command) -> io::Result<ExitStatus> {
    use std::os::unix::process::CommandExt as _;

    Err(program.exec())
}

/// Runs the program with our own streams and waits for its end. It shares our console: who presses Ctrl-C there asks
/// the program to end, and it decides.
///
/// # Errors
/// When the program cannot be started.
#[cfg(not(unix))]
pub fn become_it(program: Command) -> io::Result<ExitStatus> {
    use crate::spawn::in_a_job;
    use tokio::signal::windows::{ctrl_break, ctrl_c};
    use windows::Win32::System::Threading::PROCESS_CREATION_FLAGS;

    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        // While somebody listens, neither ends us.
        let _listening = (ctrl_c()?, ctrl_break()?);
        let mut server = in_a_job(program, PROCESS_CREATION_FLAGS::default())?;
        server.inner_mut().wait().await
    })
}
