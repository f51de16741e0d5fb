//! `skilltender run`: what a client's own entry for one server starts. This process becomes the server.

use std::{path::Path, process::Command};

use engine::{Machine, direct};

use crate::{Failure, runtime};

const AFTER: &str = "\
For clients that are to have a server as an entry of its own, without the tools going through Skilltender. It starts what \
was agreed to, with the secrets of the keychain, and nothing else. A client's entry for it:

  {\"command\": \"skilltender\", \"args\": [\"run\", \"github\"]}";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The server's name, as `skilltender servers` lists it
    server: String,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let runtime = runtime()?;
    let prepared = runtime.block_on(direct::prepare(machine, &command.server));
    runtime.shutdown_background();
    let prepared = prepared.map_err(|error| Failure::refused(error.to_string()))?;
    Err(become_it(prepared, &command.server))
}

/// Returns only when that failed.
#[cfg(unix)]
fn become_it(mut command: Command, server: &str) -> Failure {
    use std::os::unix::process::CommandExt as _;

    let error = command.exec();
    Failure::refused(format!("The server {server} could not be started: {error}."))
}

/// Where no process can become another one, this one waits for it and ends as it does.
#[cfg(not(unix))]
fn become_it(mut command: Command, server: &str) -> Failure {
    match command.status() {
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(3);
            Failure { message: String::new(), code }
        }
        Err(error) => Failure::refused(format!("The server {server} could not be started: {error}.")),
    }
}
