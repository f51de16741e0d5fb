//! Why nothing can be started for a declaration yet.

/// Why a want has no launch spec yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfilled {
    /// Values are missing.
    Missing {
        /// Their names, secrets first.
        names: Vec<String>,
        /// The program that runs it, if that was not found either.
        runtime: Option<String>,
    },
    /// The declaration cannot be followed, as a sentence.
    Refused(String),
    /// The program was not found, by its name.
    NoProgram(String),
    /// It runs in a container, and no container engine is installed.
    NoContainers,
    /// It runs in a container, and the engine of this program does not run.
    ContainersDown(String),
}
