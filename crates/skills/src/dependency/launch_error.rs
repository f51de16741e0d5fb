//! Why a way cannot be filled, as sentences for people. No sentence shows a value.

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
    /// A placeholder is malformed or names no parameter.
    #[error("The server `{server}` uses `{placeholder}`, which is declared nowhere.")]
    Undeclared {
        /// The server.
        server: String,
        /// The placeholder as written.
        placeholder: String,
    },
    /// A secret is in a place that others can read, or is only a part of a value.
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
    /// A header is reserved, or its value is invalid.
    #[error("The server `{server}` wants to send the header `{header}`, which cannot be sent.")]
    Header {
        /// The server.
        server: String,
        /// The header.
        header: String,
    },
    /// The image name is invalid.
    #[error("The server `{server}` names no image that can be run.")]
    Image {
        /// The server.
        server: String,
    },
    /// A mount is malformed, or is not of a folder that a person gave.
    #[error("The server `{server}` wants to see `{mount}`, which is no folder that somebody gave.")]
    Mount {
        /// The server.
        server: String,
        /// The mount as written.
        mount: String,
    },
    /// The address is not protected on its way, or leads elsewhere once it is filled.
    #[error("The address of the server `{server}` is not safe once its values are in it.")]
    Address {
        /// The server.
        server: String,
    },
    /// A value would be read as an option, or holds characters that no argument may.
    #[error("The value of `{parameter}` for the server `{server}` {what}.")]
    Value {
        /// The server.
        server: String,
        /// The parameter.
        parameter: String,
        /// What is wrong with the value, without showing it.
        what: &'static str,
    },
}

fn names(missing: &[Missing]) -> String {
    let names: BTreeSet<_> = missing.iter().map(|missing| format!("`{}`", missing.parameter)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}
