//! Why something is no source.

use thiserror::Error;

/// Why something is no source, as a sentence that says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// Nothing was written.
    #[error("Write where the skills are: owner/repository, an address, or a folder that begins with ./ or /.")]
    Empty,
    /// It begins with a hyphen, and would be an option of the programs that fetch it.
    #[error("{0} begins with a hyphen, so it is no source.")]
    Option(String),
    /// No spelling that is known.
    #[error(
        "{0} is no source. Write owner/repository, an address that begins with https://, or a folder that begins with ./ or /."
    )]
    Unknown(String),
    /// A way of fetching that starts a program, or that is not known.
    #[error(
        "{0} is a way of fetching that is not used, because git would start another program for it. Write an address that begins with https:// or ssh://."
    )]
    Transport(String),
    /// What is fetched could be changed on its way.
    #[error("{0} is not encrypted, so anyone on the way could change the skills. Write https:// or ssh://.")]
    NotEncrypted(String),
    /// A name or password stands in the address.
    #[error("The address holds a name or a password. Leave it out: git asks the program that keeps it.")]
    Password,
    /// The folder leads out of the repository.
    #[error("{0} leads out of the repository.")]
    LeadsOut(String),
    /// Not a name that git allows.
    #[error("{0} is no name of a branch, tag or commit.")]
    Reference(String),
    /// Another page of a repository.
    #[error("This is a page about {0}, not a folder in it. Write {0}, or the address of a folder.")]
    OtherPage(String),
}
