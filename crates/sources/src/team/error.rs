//! Why a team's file cannot be read: what, where, and what to do.

/// Why a team's file cannot be read, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    /// It is not of this format.
    #[error("The team's file cannot be read: {why}.")]
    Broken {
        /// Why, as a part of a sentence.
        why: String,
    },
    /// A place in it is not of this format.
    #[error("The team's file cannot be read: line {line}, column {column}: {why}.")]
    At {
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: u64,
        /// Why, as a part of a sentence.
        why: String,
    },
    /// It is too large.
    #[error("The team's file is larger than 1 MiB, so it is not read.")]
    TooLarge,
    /// git merged it and left a conflict in it.
    #[error("The team's file has a conflict of git in line {0}: keep the lines of one side, and take its marks out.")]
    Conflict(usize),
    /// A newer program wrote it.
    #[error("The team's file is of version {0}, which this Skilltender does not know: it needs a newer one.")]
    Newer(u32),
}
