//! The program `skilltender`: the command line, a client's stdio, and the engine without a window.
//!
//! Every command is one file and does its work through `engine`. Standard output carries what was
//! asked for, and nothing but protocol lines in `mcp`; everything else goes to standard error.
//! Exit codes: 0 done, 1 problems found, 2 wrong use, 3 refused or failed.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints")]

mod args;
mod instructions;
mod list;
mod mcp;
mod serve;

use std::process::ExitCode;

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
        Command::Instructions(command) => {
            instructions::run(&command);
            Ok(())
        }
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
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

impl Failure {
    /// Exit code 1: there are problems in what we looked at.
    fn problems(message: String) -> Self {
        Self { message, code: 1 }
    }
}

/// Whatever else is said is exit code 3: refused or failed.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { message: error.to_string(), code: 3 }
    }
}
