//! Repositories, with the git of this computer or, where there is none, with the archives that their hosts give. Which
//! of the two it is makes no difference to what comes: a commit, its files and their bytes.

use std::path::Path;

use machine::Machine;

use crate::{Cancel, Commit, FetchError, Git, Tip, Tips, archives::Archives, commit::no_reference};

/// How repositories are fetched on this computer, and the folder for what is fetched.
#[derive(Debug, Clone)]
pub enum Repositories {
    /// With git, which has the person's sign-ins.
    Git(Git),
    /// Without: what hosts show everybody over https.
    Archives(Archives),
}

impl Repositories {
    /// Looks for git. `folder` is where what is fetched is kept.
    ///
    /// # Errors
    /// When git is there and cannot be asked.
    pub fn of(machine: &Machine, folder: &Path) -> Result<Self, FetchError> {
        match Git::find(machine, folder) {
            Err(FetchError::NoGit) => Ok(Self::Archives(Archives::new(folder))),
            found => found.map(Self::Git),
        }
    }

    /// Asks a repository for its branches and tags.
    ///
    /// # Errors
    /// When it cannot be reached or read.
    pub fn tips(&self, address: &str, cancel: &Cancel) -> Result<Tips, FetchError> {
        let tips = match self {
            Self::Git(git) => git.tips(address, cancel),
            Self::Archives(archives) => archives.tips(address, cancel),
        }?;
        if tips.is_empty() { Err(FetchError::Empty(address.to_owned())) } else { Ok(tips) }
    }

    /// Asks a repository for the branch, tag or commit of this name; `None` for what it shows first.
    ///
    /// # Errors
    /// When it cannot be reached or read, or has none of this name.
    pub fn tip(&self, address: &str, follows: Option<&str>, cancel: &Cancel) -> Result<Tip, FetchError> {
        self.tip_of(address, &self.tips(address, cancel)?, follows)
    }

    /// The same of tips that were asked for.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn tip_of(&self, address: &str, tips: &Tips, follows: Option<&str>) -> Result<Tip, FetchError> {
        tips.find(follows).ok_or_else(|| no_reference(address, follows.unwrap_or("HEAD"), tips))
    }

    /// A commit that was fetched before.
    pub fn kept(&self, address: &str, commit: &str) -> Option<Commit> {
        match self {
            Self::Git(git) => git.kept(address, commit).map(Commit::Git),
            Self::Archives(archives) => archives.kept(address, commit).map(Commit::Archive),
        }
    }

    /// Fetches one commit without its history, unless it is here already. With git, if the branch moved since it was
    /// asked for, its present commit comes.
    ///
    /// # Errors
    /// When it cannot be fetched; then nothing is left.
    pub fn fetch(&self, address: &str, tip: &Tip, cancel: &Cancel) -> Result<Commit, FetchError> {
        match self {
            Self::Git(git) => git.fetch(address, tip, cancel).map(Commit::Git),
            Self::Archives(archives) => archives.fetch(address, &tip.commit, cancel).map(Commit::Archive),
        }
    }

    /// Whether `new` was made after the commit `old`, which is of the time `made`: a rewritten history has lost it.
    ///
    /// # Errors
    /// When the repository cannot be asked, which only git can.
    pub fn follows(&self, new: &Commit, old: &str, made: u64, cancel: &Cancel) -> Result<bool, FetchError> {
        match (self, new) {
            (Self::Git(git), Commit::Git(new)) => git.follows(new, old, made, cancel),
            _ => Err(FetchError::NoGit),
        }
    }
}
