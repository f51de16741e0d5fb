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
    /// It starts with a byte order mark, which this client does not take.
    #[error(
        "The file starts with a byte order mark, which this client does not take. Save it as UTF-8 without one; nothing was changed."
    )]
    ByteOrderMark,
    /// It is larger than any settings file.
    #[error("The file is larger than 128 MiB, so it was left alone.")]
    TooLarge,
    /// It holds more names and values than can be looked at in a moment.
    #[error("The file holds more values than any settings file, so it was left alone.")]
    TooMuch,
    /// It holds something else than `what`.
    #[error("The file holds something else than {what}, so it was left alone.")]
    NotAMap {
        /// What it should hold: `one JSON object in curly brackets`.
        what: &'static str,
    },
    /// What should hold the servers is of another kind.
    #[error("\"{key}\" at {place} is something else than {what}, so it was left alone.")]
    NotServers {
        /// The name of what holds the servers.
        key: &'static str,
        /// Where it stands.
        place: Place,
        /// What it should be: `an object in curly brackets`.
        what: &'static str,
    },
    /// A name on our path stands there twice: which one counts differs between readers.
    #[error("\"{key}\" stands in the file a second time at {place}. Remove one of them; nothing was changed.")]
    Twice {
        /// The name.
        key: String,
        /// Where it stands the second time.
        place: Place,
    },
    /// The entries stand in a form that cannot be added to without moving what others wrote.
    #[error("\"{key}\" at {place} is written in a way that cannot be added to here: {reason}. Add the entry by hand.")]
    Form {
        /// The name of what holds the servers.
        key: &'static str,
        /// Where it stands.
        place: Place,
        /// Why, without quoting the file.
        reason: &'static str,
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
    /// This client's file knows no entry of this kind.
    #[error("{client} cannot be told to {what}.")]
    NoSuchEntry {
        /// Its name.
        client: &'static str,
        /// What: `run a program`, `dial an address`.
        what: &'static str,
    },
    /// The change could not be shown to be ours alone.
    #[error("The change could not be proven to touch nothing else, so nothing was changed.")]
    Unproven,
}
