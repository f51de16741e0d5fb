//! Why a client's file is left alone, as sentences that never quote the file.

use text::Place;

/// Why a client's file is left alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The client could not read this file either.
    #[error("The file has an error at {place}: {reason}. Correct it there; nothing was changed.")]
    Syntax {
        /// The position.
        place: Place,
        /// The reason, without quoting the file.
        reason: &'static str,
    },
    /// Its bytes are not UTF-8.
    #[error("The file is not UTF-8 text from {place} on. Save it as UTF-8; nothing was changed.")]
    NotUtf8 {
        /// The first invalid place.
        place: Place,
    },
    /// It starts with a byte order mark, which this client does not accept.
    #[error(
        "The file starts with a byte order mark, which this client does not take. Save it as UTF-8 without one; nothing was changed."
    )]
    ByteOrderMark,
    /// It is larger than any settings file.
    #[error("The file is larger than 128 MiB, so it was left alone.")]
    TooLarge,
    /// It holds more names and values than can be read quickly.
    #[error("The file holds more values than any settings file, so it was left alone.")]
    TooMuch,
    /// It holds another kind of value than `what`.
    #[error("The file holds something else than {what}, so it was left alone.")]
    NotAMap {
        /// The expected kind: `one JSON object in curly brackets`.
        what: &'static str,
    },
    /// The value that should hold the servers is of another kind.
    #[error("\"{key}\" at {place} is something else than {what}, so it was left alone.")]
    NotServers {
        /// The name of that value.
        key: &'static str,
        /// Its position.
        place: Place,
        /// The expected kind: `an object in curly brackets`.
        what: &'static str,
    },
    /// A name on our path appears twice: readers differ in which one counts.
    #[error("\"{key}\" is in the file a second time, at {place}. Remove one of them; nothing was changed.")]
    Twice {
        /// The name.
        key: String,
        /// The position of the second.
        place: Place,
    },
    /// The entries are written in a form that cannot be extended without moving others' text.
    #[error("\"{key}\" at {place} is written in a way that cannot be added to here: {reason}. Add the entry by hand.")]
    Form {
        /// The name of the value that holds the servers.
        key: &'static str,
        /// Its position.
        place: Place,
        /// The reason, without quoting the file.
        reason: &'static str,
    },
    /// The file already holds our entry.
    #[error("The file holds our entry already.")]
    Already,
    /// An entry with our name has other contents.
    #[error(
        "The file holds an entry \"skilltender\" that Skilltender did not write, so it was left alone. Remove it by hand."
    )]
    Different,
    /// The file holds no entry with our name.
    #[error("The file holds no entry of ours.")]
    Absent,
    /// This client's file has no entries of this kind.
    #[error("{client} cannot be told to {what}.")]
    NoSuchEntry {
        /// The client's name.
        client: &'static str,
        /// The kind: `run a program`, `dial an address`.
        what: &'static str,
    },
    /// The change could not be proven to be ours alone.
    #[error("The change could not be proven to touch nothing else, so nothing was changed.")]
    Unproven,
}
