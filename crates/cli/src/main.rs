//! The program `skilltender`: the command line, a client's stdio, and the engine without a window.
//!
//! Every command is one file and does its work through `engine`. Standard output carries what was
//! asked for, and nothing but protocol lines in `mcp`; everything else goes to standard error.
//! Exit codes: 0 done, 1 problems found, 2 wrong use, 3 refused or failed.

#![expect(clippy::print_stderr, reason = "a command line says on standard error why it failed")]

mod args;
mod instructions;
mod list;
mod mcp;
mod serve;

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use args::{Arguments, Command};
use clap::Parser as _;

/// Why a command did not do what it was asked for: a sentence, and the exit code.
struct Failure {
    message: String,
    code: u8,
}

fn main() -> ExitCode {
    let Arguments { home, command } = Arguments::parse();
    engine::start_log();
    let home = home.as_deref();
    let done = match command {
        Command::Mcp(command) => mcp::run(command, home),
        Command::Serve(command) => serve::run(command, home),
        Command::List(command) => list::run(&command, home),
        Command::Instructions(command) => instructions::run(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            eprintln!("{message}");
            ExitCode::from(code)
        }
    }
}

/// What runs the commands that serve; the others, and `--version`, do without its threads.
fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// Prints what was asked for. A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

impl Failure {
    /// Exit code 1: there are problems in what we looked at.
    fn problems(message: String) -> Self {
        Self { message, code: 1 }
    }

    /// Exit code 3: it was refused, or it failed.
    fn refused(message: String) -> Self {
        Self { message, code: 3 }
    }
}

/// Whatever else is said is exit code 3: refused or failed.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::refused(error.to_string())
    }
}
