//! Why a client's file is left alone, in sentences that never quote the file.

use text::Place;

/// Why a client's file is left alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The client could not read this file either.
    #[error("The file has an error at {place}: {reason}. Correct it there; nothing was changed.")]
    Syntax {
        /// Where.
        place: Place,
        /// What, without quoting the file.
        reason: &'static str,
    },
    /// Its bytes are not UTF-8.
    #[error("The file is not UTF-8 text from {place} on. Save it as UTF-8; nothing was changed.")]
    NotUtf8 {
        /// The first place that is not.
        place: Place,
    },
    /// It is larger than any settings file.
    #[error("The file is larger than 16 MiB, so it was left alone.")]
    TooLarge,
    /// It holds something else than an object.
    #[error("The file holds something else than one JSON object in curly brackets, so it was left alone.")]
    NotAnObject,
    /// What should hold the servers is not an object.
    #[error("\"{key}\" at {place} is something else than an object in curly brackets, so it was left alone.")]
    NotServers {
        /// The name of the object of servers.
        key: &'static str,
        /// Where it stands.
        place: Place,
    },
    /// A name on our path stands there twice: which one counts differs between readers.
    #[error("\"{key}\" stands in the file a second time at {place}. Remove one of them; nothing was changed.")]
    Twice {
        /// The name.
        key: &'static str,
        /// Where it stands the second time.
        place: Place,
    },
    /// Our entry is there already.
    #[error("The file holds our entry already.")]
    Already,
    /// There is an entry of our name that says something else.
    #[error(
        "The file holds an entry \"skilltender\" that Skilltender did not write, so it was left alone. Take it out by hand."
    )]
    Different,
    /// There is no entry of our name.
    #[error("The file holds no entry of ours.")]
    Absent,
    /// The change could not be shown to be ours alone.
    #[error("The change could not be proven to touch nothing else, so nothing was changed.")]
    Unproven,
}
