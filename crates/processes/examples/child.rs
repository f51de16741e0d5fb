//! A program that is a supervisor and nothing else: the one that the tests start. What people
//! have is `skilltender`, which does the same with the same word.

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == processes::SUPERVISE) {
        return processes::supervise();
    }
    ExitCode::from(2)
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    ExitCode::from(2)
}
