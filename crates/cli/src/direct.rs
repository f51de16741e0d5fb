//! `skilltender run`: started by a client's own entry for one server. This process becomes the server (on Windows, which
//! has no such call, it waits for it); for a server at an address it carries the messages in both directions.

use std::{env, path::Path, process::Command};

use engine::{
    Machine,
    direct::{self, Direct, Line},
};

use crate::{Failure, runtime, stdio};

const AFTER: &str = "\
A client can start a server by an entry of its own, without Skilltender's endpoint in between. This command checks the \
approval, takes the secrets from the keychain, and becomes the server. A client's entry for it:

  {\"command\": \"skilltender\", \"args\": [\"run\", \"github\"]}";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The server's name, as `skilltender servers` lists it
    server: String,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let server = &command.server;
    if let Some((name, value)) = engine::to_find_the_keychain(&machine) {
        // Runs the program again with the keychain's address: a process cannot safely change its own environment.
        let mut again = Command::new(env::current_exe()?);
        again.args(env::args_os().skip(1)).env(name, value);
        return Err(become_it(again, server));
    }
    let runtime = runtime()?;
    let prepared = runtime.block_on(async {
        match direct::prepare(machine, server).await.map_err(|error| Failure::refused(error.to_string()))? {
            Direct::Program(program) => Ok(Some(program)),
            Direct::Address(line) => carry(line, server).await.map(|()| None),
        }
    });
    runtime.leave();
    prepared?.map_or(Ok(()), |program| Err(become_it(program, server)))
}

/// Carries messages until the client or the server ends.
async fn carry(line: Line, server: &str) -> Result<(), Failure> {
    let (input, output) = stdio::open();
    let stop = engine::asked_to_stop()?;
    tokio::select! {
        why = line.join(Line::over_streams(input, output)) => match why {
            Some(why) => Err(Failure::refused(format!("The server {server} is not there any more: {why}."))),
            None => Ok(()),
        },
        () = stop => Ok(()),
    }
}

/// Becomes the server. On systems where a process cannot, ends with the server's code.
fn become_it(command: Command, server: &str) -> Failure {
    match processes::become_it(command) {
        Ok(ended) => {
            let code = ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(3);
            Failure { message: crate::Text::new(), code }
        }
        Err(error) => Failure::refused(format!("The server {server} could not be started: {error}.")),
    }
}
