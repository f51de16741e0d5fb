//! Why a way cannot be filled, as sentences for people. None of them shows a value.

use std::collections::BTreeSet;

use super::Missing;

/// Why a declaration cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Values are missing.
    #[error("The server `{server}` needs {names}, which nobody has given yet.", names = names(.missing))]
    Missing {
        /// The server.
        server: String,
        /// What is missing.
        missing: Vec<Missing>,
    },
    /// A placeholder names no parameter, or is none.
    #[error("The server `{server}` uses `{placeholder}`, which is declared nowhere.")]
    Undeclared {
        /// The server.
        server: String,
        /// The placeholder as written.
        placeholder: String,
    },
    /// A secret stands where others could read it, or is only a part of a value.
    #[error("The server `{server}` uses the secret `{parameter}` where others could read it.")]
    SecretInTheOpen {
        /// The server.
        server: String,
        /// The parameter.
        parameter: String,
    },
    /// A variable decides which code is loaded and which programs are found.
    #[error("The server `{server}` wants to set `{variable}`, which no skill may set.")]
    Variable {
        /// The server.
        server: String,
        /// The variable.
        variable: String,
    },
    /// A header is not the author's to set, or cannot hold what it is to hold.
    #[error("The server `{server}` wants to send the header `{header}`, which cannot be sent.")]
    Header {
        /// The server.
        server: String,
        /// The header.
        header: String,
    },
    /// What is to name an image names none.
    #[error("The server `{server}` names no image that can be run.")]
    Image {
        /// The server.
        server: String,
    },
    /// A mount is none, or is of a folder that nobody gave.
    #[error("The server `{server}` wants to see `{mount}`, which is no folder that somebody gave.")]
    Mount {
        /// The server.
        server: String,
        /// The mount as written.
        mount: String,
    },
    /// The address could be read or changed on its way, or leads elsewhere once it is filled.
    #[error("The address of the server `{server}` is not safe once its values are in it.")]
    Address {
        /// The server.
        server: String,
    },
    /// A value would be taken for an option, or holds what no argument may.
    #[error("The value of `{parameter}` for the server `{server}` {what}.")]
    Value {
        /// The server.
        server: String,
        /// The parameter.
        parameter: String,
        /// What is wrong with it, without showing it.
        what: &'static str,
    },
}

fn names(missing: &[Missing]) -> String {
    let names: BTreeSet<_> = missing.iter().map(|missing| format!("`{}`", missing.parameter)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}
