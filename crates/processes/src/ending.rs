//! How a server ended, as a sentence for users.

use std::{fmt, process::ExitStatus};

/// How a server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It never ran; the sentence gives the reason.
    NotStarted(String),
    /// It exited by itself, or on request.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// The system does not report it.
    Unknown,
}

impl Ending {
    /// From the exit status of its supervisor, which adds 128 to signals, as shells do.
    pub fn of(status: ExitStatus, refused: Option<String>) -> Self {
        if let Some(sentence) = refused {
            return Self::NotStarted(sentence);
        }
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        match status.code() {
            Some(code @ 129..=192) if cfg!(unix) => Self::Signal(code - 128),
            Some(code) => Self::Code(code),
            None => Self::Unknown,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(sentence) => text.write_str(sentence),
            Self::Code(code) => write!(text, "It ended with exit code {code}."),
            Self::Signal(signal) => write!(text, "It was ended by signal {signal}."),
            Self::Unknown => text.write_str("It ended."),
        }
    }
}
