//! What the upstream of a work tree would bring, and taking exactly that: a fast-forward to one commit.
//!
//! Where both sides have commits, their merge is computed beside the repository; if nothing conflicts, it can be committed
//! and taken in the same way. git itself refuses to write over anything that is not in a commit.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::{Beside, Done, Status, Wholes, WorkTree, WorkTreeError, error::some_of, upstream_here::Talk};
use crate::{Cancel, FetchError, TreeFile};

/// What the upstream would bring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The commit that is checked out.
    pub head: String,
    /// The newest commit of the upstream.
    pub upstream: String,
    /// The upstream for people: `origin/main`.
    pub name: String,
    /// How many commits would come.
    pub commits: u32,
    /// How many commits are here and not there: with some, both are merged.
    pub ahead: u32,
    /// The tree that would be there then.
    pub tree: String,
    /// The files in the folder before and after, and whatever else changes in the work tree.
    pub before: Vec<TreeFile>,
    /// The same after.
    pub after: Vec<TreeFile>,
    /// The paths of everything that changes, in the whole work tree.
    pub changes: Vec<Move>,
    /// The bytes of the files that change, and of those that are read with them, by their ids; those of more than 16 MiB are
    /// missing.
    pub bytes: BTreeMap<String, Vec<u8>>,
}

/// A path that a pull changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Its path in the work tree.
    pub path: String,
    /// Whether it is another repository, whose own files stay as they are.
    pub is_submodule: bool,
}

/// The branch that a branch follows.
pub(super) struct Upstream {
    /// The branch here.
    pub(super) branch: String,
    /// The remote by its name, and what it is called there: `refs/heads/main`.
    pub(super) remote: String,
    pub(super) there: String,
    /// What is known of it here: `refs/remotes/origin/main`.
    pub(super) known: String,
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.known.strip_prefix("refs/remotes/").unwrap_or(&self.known))
    }
}

impl WorkTree {
    /// The address that the upstream is fetched from, for people: without a password.
    ///
    /// # Errors
    /// When there is none.
    pub fn address(&self, cancel: &Cancel) -> Done<String> {
        let upstream = self.upstream(&self.settled(cancel)?, cancel)?;
        Ok(without_password(&self.text(&["remote", "get-url", &upstream.remote], cancel)?))
    }

    /// Fetches the upstream of the branch: its commits come into the repository, as with `git fetch`. Files and branches
    /// stay as they are.
    ///
    /// # Errors
    /// When there is no upstream, it cannot be reached, it is gone, or it is on this computer and something there may start a
    /// program.
    pub fn fetch(&self, cancel: &Cancel) -> Done<()> {
        let upstream = self.upstream(&self.settled(cancel)?, cancel)?;
        let address = self.text(&["remote", "get-url", &upstream.remote], cancel)?;
        let way = self.way(&address, Talk::Fetch, cancel)?;
        let mut command = self.command(None);
        command.args(["fetch", "--quiet", "--progress", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"]);
        way.open(&mut command);
        command.args(["--no-recurse-submodules", "--", &upstream.remote]);
        command.arg(format!("+{}:{}", upstream.there, upstream.known));
        match self.talk(command, &without_password(&address), cancel) {
            Err(FetchError::Other(_, why)) if why.contains("couldn't find remote ref") => {
                Err(WorkTreeError::Gone(upstream.to_string()))
            }
            done => Ok(done.map(drop)?),
        }
    }

    /// What the upstream, as it was fetched last, would bring; `None` where all of it is here. Nothing is written.
    ///
    /// # Errors
    /// When something is half done, what would come was changed here, or both sides changed the same.
    pub fn incoming(&self, wholes: Wholes<'_>, cancel: &Cancel) -> Done<Option<Incoming>> {
        let beside = self.beside(true)?;
        self.computed(&beside, wholes, cancel)
    }

    fn computed(&self, beside: &Beside, wholes: Wholes<'_>, cancel: &Cancel) -> Done<Option<Incoming>> {
        let status = self.settled(cancel)?;
        let upstream = self.upstream(&status, cancel)?;
        let name = upstream.to_string();
        let head = status.head.clone().unwrap_or_default();
        let there = self.commit(&upstream.known, cancel).map_err(|_| WorkTreeError::Gone(name.clone()))?;
        let counts = self.text(&["rev-list", "--left-right", "--count", &format!("{head}...{there}")], cancel)?;
        let mut counts = counts.split('\t').map(|count| count.parse::<u32>().unwrap_or_default());
        let (ahead, commits) = (counts.next().unwrap_or_default(), counts.next().unwrap_or_default());
        if commits == 0 {
            return Ok(None);
        }
        let tree = if ahead == 0 {
            self.text(&["rev-parse", &format!("{there}^{{tree}}")], cancel)?
        } else {
            self.merged(beside, (&head, &there), &name, cancel)?
        };
        let changes = self.changes(beside, &head, &tree, cancel)?;
        self.refuse_changed_here(&changes, cancel)?;
        let (before, after) = (self.listed(None, &head, cancel)?, self.listed(Some(beside), &tree, cancel)?);
        let changed = changes.iter().map(|one| one.path.as_str()).collect();
        let bytes = self.bytes_near(beside, (&before, &after), &changed, wholes, cancel)?;
        Ok(Some(Incoming { head, upstream: there, name, commits, ahead, tree, before, after, changes, bytes }))
    }

    /// Takes what [`incoming`](Self::incoming) showed: the branch goes forward to the upstream's commit, or to the merge of
    /// both. Returns the commit. Once git writes, it is not interrupted.
    ///
    /// # Errors
    /// When anything differs from what was shown, or git refuses to write over something: then nothing changes.
    pub fn take(&self, shown: &Incoming, cancel: &Cancel) -> Done<String> {
        let beside = self.beside(false)?;
        let now = self.computed(&beside, &|_| BTreeSet::new(), cancel)?;
        let is_same =
            |now: &Incoming| (&now.head, &now.upstream, &now.tree) == (&shown.head, &shown.upstream, &shown.tree);
        if !now.as_ref().is_some_and(is_same) {
            return Err(WorkTreeError::Changed);
        }
        let to = if shown.ahead == 0 {
            shown.upstream.clone()
        } else {
            let message = format!("Merge {}", shown.name);
            self.commit_of(&shown.tree, &[&shown.head, &shown.upstream], &message, cancel)?
        };
        let mut command = self.command(None);
        command.args(["merge", "--ff-only", "--quiet", "--no-stat", "--no-overwrite-ignore", "--no-autostash", &to]);
        // What git begins to write it writes to its end.
        self.write(command, Vec::new())?;
        Ok(to)
    }

    /// The merge of two commits, if nothing conflicts.
    fn merged(&self, beside: &Beside, (ours, theirs): (&str, &str), name: &str, cancel: &Cancel) -> Done<String> {
        let mut command = self.command(Some(beside));
        command.args(["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs]);
        let printed = self.try_run(command, Vec::new(), cancel)?;
        let text = String::from_utf8_lossy(&printed.stdout).into_owned();
        let mut fields = text.split('\0').filter(|field| !field.is_empty());
        match printed.status.code() {
            Some(0) => Ok(fields.next().unwrap_or_default().trim().to_owned()),
            Some(1) => {
                let files = some_of(fields.skip(1));
                Err(WorkTreeError::Conflict { upstream: name.to_owned(), files })
            }
            _ if printed.stderr.contains("unrelated histories") => Err(WorkTreeError::Unrelated(name.to_owned())),
            _ => Err(WorkTreeError::told(self, &printed.stderr)),
        }
    }

    /// The paths that differ between a commit and a tree.
    fn changes(&self, beside: &Beside, from: &str, to: &str, cancel: &Cancel) -> Done<Vec<Move>> {
        let mut command = self.command(Some(beside));
        command.args(["diff-tree", "-r", "-z", "--no-renames", "--ignore-submodules=none", "--raw", from, to]);
        let printed = self.run(command, Vec::new(), cancel)?;
        Ok(raw(&printed).map(|(modes, path)| Move { path, is_submodule: modes.contains("160000") }).collect())
    }

    /// Refuses what would come where the person has something that is in no commit.
    fn refuse_changed_here(&self, changes: &[Move], cancel: &Cancel) -> Done<()> {
        let coming: BTreeSet<_> = changes.iter().map(|one| one.path.as_str()).collect();
        let status = self.status_of("", cancel)?;
        let here: Vec<_> = status.entries.iter().filter(|one| coming.contains(&*one.path)).collect();
        if here.is_empty() {
            return Ok(());
        }
        Err(WorkTreeError::ChangedHere(some_of(here.iter().map(|one| one.path.as_str()))))
    }

    /// The status, if nothing is half done and a branch with a commit is checked out.
    pub(super) fn settled(&self, cancel: &Cancel) -> Done<Status> {
        let status = self.status(cancel)?;
        if let Some(doing) = status.doing {
            return Err(WorkTreeError::Unfinished(doing));
        }
        match (&status.branch, &status.head) {
            (None, _) => Err(WorkTreeError::Detached),
            (Some(branch), None) => Err(WorkTreeError::Unborn(branch.clone())),
            _ => Ok(status),
        }
    }

    pub(super) fn upstream(&self, status: &Status, cancel: &Cancel) -> Done<Upstream> {
        let branch = status.branch.clone().unwrap_or_default();
        let format = "--format=%(upstream)%00%(upstream:remotename)%00%(upstream:remoteref)";
        let printed = self.text(&["for-each-ref", format, "--", &format!("refs/heads/{branch}")], cancel)?;
        let mut fields = printed.split('\0').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let (known, remote, there) = (next(), next(), next());
        // A branch of this same repository is no upstream that another computer sees.
        if !known.starts_with("refs/remotes/") || remote.is_empty() || remote == "." || there.is_empty() {
            return Err(WorkTreeError::NoUpstream(branch));
        }
        Ok(Upstream { branch, remote, there, known })
    }
}

/// What `git diff-tree --raw -z` prints: modes, ids and a letter, NUL, the path, NUL.
pub(super) fn raw(printed: &[u8]) -> impl Iterator<Item = (String, String)> {
    let mut fields = printed.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field).into_owned());
    std::iter::from_fn(move || {
        let head = fields.next().filter(|head| head.starts_with(':'))?;
        Some((head, fields.next()?))
    })
}

/// An address without the password that may stand in it.
pub(super) fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) if scheme.starts_with("http") => format!("{scheme}://{}", &rest[at + 1..]),
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_told() {
        for (address, told) in [
            ("https://ada:sesame@host.example/a.git", "https://host.example/a.git"),
            ("https://token@host.example/a@b.git", "https://host.example/a@b.git"),
            ("https://host.example/a@b.git", "https://host.example/a@b.git"),
            ("ssh://git@host.example/a.git", "ssh://git@host.example/a.git"),
            ("git@host.example:a.git", "git@host.example:a.git"),
            ("/mnt/a.git", "/mnt/a.git"),
        ] {
            assert_eq!(without_password(address), told);
        }
    }
}
