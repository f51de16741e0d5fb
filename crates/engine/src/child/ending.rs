//! How a server ended, in a sentence for people.

use std::{fmt, process::ExitStatus};

/// How a server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It never ran; the sentence says why.
    NotStarted(String),
    /// It ended by itself, or when it was asked to.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// The system does not say.
    Unknown,
}

impl Ending {
    /// From the end of its supervisor, which counts signals from 128, as shells do.
    pub(crate) fn of(status: ExitStatus, refused: Option<String>) -> Self {
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
