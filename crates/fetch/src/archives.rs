//! Repositories without git: their branches as hosts list them for git over https, and a commit as the archive that the
//! host makes of it. No sign-in is sent, so it is only what hosts show everybody.
//!
//! What an archive holds must be what its commit holds: it says which commit it is, and one whose attributes change or
//! leave out files is refused, because with git other bytes would come. Attributes that leave out themselves are not seen;
//! the files that they leave out besides are then missing.

mod archived;

use std::{collections::VecDeque, path::Path, sync::Arc};

pub use archived::Archived;
use machine::waiting::Mutex;

use crate::{
    Cancel, FetchError, Tips, Web,
    git::MOST_TIPS,
    tips::{advertised, is_commit},
};

/// How many archives that were read are remembered, and how many bytes of memory their lists take at most, unless there is
/// one alone.
const MOST_READ: usize = 64;
const HEAVIEST: usize = 64 << 20;

/// The hosts of repositories, and the folder for what is fetched.
#[derive(Debug, Clone)]
pub struct Archives {
    web: Web,
    /// Those that were read last, the newest at the end: to read one is to unpack all of it. Clones share them.
    read: Arc<Mutex<VecDeque<Archived>>>,
}

impl Archives {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { web: Web::new(folder), read: Arc::default() }
    }

    pub(crate) fn tips(&self, address: &str, cancel: &Cancel) -> Result<Tips, FetchError> {
        if !address.starts_with("https://") && !address.starts_with("http://") {
            return Err(FetchError::OnlyGit(address.to_owned(), "its address is not of https"));
        }
        let at = format!("{address}/info/refs?service=git-upload-pack");
        match self.web.bytes(&at, MOST_TIPS as u64, cancel) {
            Ok(bytes) => advertised(&bytes).ok_or_else(|| FetchError::NoRepository(address.to_owned())),
            // Hosts answer either for what is not there and for what they do not show.
            Err(FetchError::NotThere(_) | FetchError::NotShown(..)) => Err(FetchError::NotPublic(address.to_owned())),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn kept(&self, address: &str, commit: &str) -> Option<Archived> {
        let is_it = |read: &&Archived| (read.address(), read.id()) == (address, commit);
        if let Some(read) = self.read.lock().iter().find(is_it) {
            return Some(read.clone());
        }
        let latest = places(address, commit).into_iter().find_map(|place| self.web.latest(&place))?;
        Archived::read(address, commit, &latest.path, &Cancel::default()).ok().map(|archived| self.note(archived))
    }

    /// Notes that it was read.
    fn note(&self, archived: Archived) -> Archived {
        remember(&mut self.read.lock(), archived.clone());
        archived
    }

    pub(crate) fn fetch(&self, address: &str, commit: &str, cancel: &Cancel) -> Result<Archived, FetchError> {
        // It becomes part of an address.
        if !is_commit(commit) {
            return Err(FetchError::Other(address.to_owned(), "it named no commit".to_owned()));
        }
        if let Some(kept) = self.kept(address, commit) {
            return Ok(kept);
        }
        let mut refusal = FetchError::OnlyGit(address.to_owned(), "its host gives no archive of a commit");
        for place in places(address, commit) {
            let fetched = match self.web.file(&place, cancel) {
                Ok(fetched) => fetched,
                Err(FetchError::NotThere(_) | FetchError::NotShown(..) | FetchError::Odd(..)) => continue,
                Err(error) => return Err(error),
            };
            match Archived::read(address, commit, &fetched.path, cancel) {
                Ok(archived) => return Ok(self.note(archived)),
                Err(error) => {
                    if let Err(error) = std::fs::remove_file(&fetched.path) {
                        tracing::debug!(%error, "an archive that was refused stays");
                    }
                    if cancel.is() {
                        return Err(error);
                    }
                    // Some hosts answer with a page where they have no such address.
                    refusal = error;
                }
            }
        }
        Err(refusal)
    }
}

/// Puts one that was read to those before it, and forgets the oldest of too many.
fn remember(read: &mut VecDeque<Archived>, archived: Archived) {
    read.retain(|one| (one.address(), one.id()) != (archived.address(), archived.id()));
    read.push_back(archived);
    let mut weight: usize = read.iter().map(Archived::weight).sum();
    while read.len() > 1 && (read.len() > MOST_READ || weight > HEAVIEST) {
        weight -= read.pop_front().map_or(0, |oldest| oldest.weight());
    }
}

/// Where a host gives a commit as an archive. Of a host that is not known, the forms of the programs that people host
/// repositories with are tried.
fn places(address: &str, commit: &str) -> Vec<String> {
    let base = address.strip_suffix(".git").unwrap_or(address);
    let host = base.split("://").nth(1).and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
    // GitHub, Gitea, Forgejo, Gogs, sourcehut.
    let usual = format!("{base}/archive/{commit}.tar.gz");
    let gitlab = format!("{base}/-/archive/{commit}/{commit}.tar.gz");
    match host {
        "github.com" | "gist.github.com" | "codeberg.org" => vec![usual],
        "gitlab.com" => vec![gitlab],
        "bitbucket.org" => vec![format!("{base}/get/{commit}.tar.gz")],
        "dev.azure.com" => Vec::new(),
        _ => vec![gitlab, usual],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_forgotten_from_the_oldest_where_it_is_too_much() {
        let mut read = VecDeque::new();
        let mut left = |address: &str, files| {
            remember(&mut read, Archived::of(address, files));
            read.iter().map(|one| one.address().to_owned()).collect::<Vec<_>>()
        };
        (0..MOST_READ).for_each(|number| drop(left(&number.to_string(), 1)));
        assert_eq!(left("0", 1).len(), MOST_READ, "it was there");
        let all = left("one more", 1);
        assert_eq!((all.len(), all[0].as_str(), all[MOST_READ - 2].as_str()), (MOST_READ, "2", "0"));
        // Of 1 KiB each.
        let half = HEAVIEST / 2 / 1100;
        assert_eq!(left("half", half).len(), MOST_READ);
        assert_eq!(left("other half", half).last().map(String::as_str), Some("other half"));
        assert_eq!(left("all", 2 * half), ["all"]);
        assert_eq!(left("too large", 3 * half), ["too large"]);
        assert_eq!(left("small", 1), ["small"]);
    }
}
