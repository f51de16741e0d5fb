//! What a source holds at one moment: a commit of a repository, or the files of a folder, an archive or a site, which have
//! no commit and are known by their digests.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use api::{ActionError, ErrorKind, failed};
use fetch::{Cancel, Commit, Kind, TreeFile};
use library::import::{Contents, Listed, Refused};

use super::opened::refuse;

/// What a source holds at one moment.
#[derive(Clone)]
pub(super) enum Held {
    /// A commit of a repository.
    Commit(Commit),
    /// Files without a commit.
    Files {
        contents: Arc<Contents>,
        /// The sha256 of the fetched file that they are in; none for a place of this computer, which is read again.
        sha256: Option<String>,
    },
}

impl Held {
    /// The commit; empty for what has none.
    pub(super) fn commit(&self) -> &str {
        match self {
            Self::Commit(commit) => commit.id(),
            Self::Files { .. } => "",
        }
    }

    /// When the commit was made, in seconds since 1970; 0 for what has none.
    pub(super) fn made(&self, cancel: &Cancel) -> Result<u64, ActionError> {
        match self {
            Self::Commit(commit) => commit.made(cancel).map_err(|error| refuse(&error)),
            Self::Files { .. } => Ok(0),
        }
    }

    /// All files. Those of no commit have their place in the list as their id.
    pub(super) fn files(&self, cancel: &Cancel) -> Result<Vec<TreeFile>, ActionError> {
        match self {
            Self::Commit(commit) => commit.files(cancel).map_err(|error| refuse(&error)),
            Self::Files { contents, .. } => {
                let kind = |file: &Listed| match file {
                    _ if file.link => Kind::Link,
                    _ if file.executable => Kind::Executable,
                    _ => Kind::Plain,
                };
                let file = |(place, file): (usize, &Listed)| TreeFile {
                    path: file.path.clone(),
                    kind: kind(file),
                    id: place.to_string(),
                };
                Ok(contents.listed().iter().enumerate().map(file).collect())
            }
        }
    }

    /// The sizes of these files, in bytes.
    pub(super) fn sizes(&self, ids: &[&str], cancel: &Cancel) -> Result<HashMap<String, u64>, ActionError> {
        match self {
            Self::Commit(commit) => commit.sizes(ids.iter().copied(), cancel).map_err(|error| refuse(&error)),
            Self::Files { contents, .. } => {
                let size = |id: &&str| Some(((*id).to_owned(), listed(contents, id)?.size));
                Ok(ids.iter().filter_map(size).collect())
            }
        }
    }

    /// The bytes of these files.
    pub(super) fn bytes(&self, ids: &[&str], cancel: &Cancel) -> Result<BTreeMap<String, Vec<u8>>, ActionError> {
        match self {
            Self::Commit(commit) => commit.bytes(ids.iter().copied(), cancel).map_err(|error| refuse(&error)),
            Self::Files { contents, .. } => {
                let places: BTreeSet<usize> = ids.iter().filter_map(|id| id.parse().ok()).collect();
                let read = contents.read(&places).map_err(unread)?;
                Ok(read.into_iter().map(|(place, bytes)| (place.to_string(), bytes)).collect())
            }
        }
    }

    /// Why a file cannot be read, as a sentence.
    pub(super) fn trouble(&self, file: &TreeFile) -> Option<String> {
        match self {
            Self::Commit(_) if file.kind == Kind::Submodule => {
                Some(format!("`{}` is another repository, which is not fetched.", file.path))
            }
            Self::Commit(_) if file.path.contains(char::REPLACEMENT_CHARACTER) => {
                Some(format!("The name of `{}` is not UTF-8.", file.path))
            }
            Self::Commit(_) => None,
            Self::Files { contents, .. } => listed(contents, &file.id)?.trouble.clone(),
        }
    }
}

fn listed<'c>(contents: &'c Contents, id: &str) -> Option<&'c Listed> {
    contents.listed().get(id.parse::<usize>().ok()?)
}

/// What reading refuses is refused by the action.
pub(super) fn unread(refused: Refused) -> ActionError {
    failed(ErrorKind::Refused, refused.0)
}
