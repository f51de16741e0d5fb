//! One fetched commit: the list of its files, and their bytes.

use std::collections::{BTreeMap, HashMap};

use crate::{Cancel, FetchError, Tips, archives::Archived, bare::Bare};

/// The most files of a commit that are listed.
pub(crate) const MOST_FILES: usize = 200_000;
/// The largest file that is read, in bytes, and the most of all files in one reading.
pub(crate) const LARGEST: u64 = 16 << 20;
pub(crate) const TOGETHER: usize = 256 << 20;

/// A fetched commit.
#[derive(Debug, Clone)]
pub enum Commit {
    /// One that git fetched.
    Git(Bare),
    /// One that came as an archive.
    Archive(Archived),
}

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Its path, with `/`. It may be any name, also one that leads elsewhere.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// The id of its bytes.
    pub id: String,
}

/// What a file of a commit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    Plain,
    /// A file that may be run.
    Executable,
    /// A symbolic link; its bytes are its target.
    Link,
    /// Another repository at a commit. It is never fetched.
    Submodule,
}

impl Commit {
    /// The commit, 40 or 64 hexadecimal digits.
    pub fn id(&self) -> &str {
        match self {
            Self::Git(bare) => bare.id(),
            Self::Archive(archived) => archived.id(),
        }
    }

    /// The repository's address.
    pub fn address(&self) -> &str {
        match self {
            Self::Git(bare) => bare.address(),
            Self::Archive(archived) => archived.address(),
        }
    }

    /// When it was made, as its author's computer said, in seconds since 1970.
    ///
    /// # Errors
    /// When git fails.
    pub fn made(&self, cancel: &Cancel) -> Result<u64, FetchError> {
        match self {
            Self::Git(bare) => bare.made(cancel),
            Self::Archive(archived) => Ok(archived.made()),
        }
    }

    /// All files. Names that are not UTF-8 are spelled with replacement characters.
    ///
    /// # Errors
    /// When there are too many, or git fails.
    pub fn files(&self, cancel: &Cancel) -> Result<Vec<TreeFile>, FetchError> {
        match self {
            Self::Git(bare) => bare.files(cancel),
            Self::Archive(archived) => Ok(archived.files()),
        }
    }

    /// The sizes in bytes of these files, by their ids; those that were not fetched yet are fetched first, in one
    /// request.
    ///
    /// # Errors
    /// When they cannot be fetched.
    pub fn sizes<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<HashMap<String, u64>, FetchError> {
        match self {
            Self::Git(bare) => bare.sizes(ids, cancel),
            Self::Archive(archived) => Ok(archived.sizes(ids)),
        }
    }

    /// The bytes of these files, by their ids. Those of more than 16 MiB are left out.
    ///
    /// # Errors
    /// When they cannot be fetched, or are too large together.
    pub fn bytes<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, Vec<u8>>, FetchError> {
        match self {
            Self::Git(bare) => bare.bytes(ids, cancel),
            Self::Archive(archived) => archived.bytes(ids, cancel),
        }
    }
}

/// There is no branch, tag or commit of this name.
pub(crate) fn no_reference(address: &str, name: &str, tips: &Tips) -> FetchError {
    let some: Vec<_> = tips.names().take(8).collect();
    let known = if some.is_empty() { String::new() } else { format!(" It has {}.", some.join(", ")) };
    FetchError::NoReference { address: address.to_owned(), name: name.to_owned(), known }
}
