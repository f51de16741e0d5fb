//! Why something is not done with a work tree.

use thiserror::Error;

use super::{Doing, WorkTree};
use crate::FetchError;

/// Why something is not done with a work tree, as sentences that say what to do. Nothing was changed.
#[derive(Debug, Error)]
pub enum WorkTreeError {
    /// git is missing, was cancelled, or the upstream cannot be reached.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// There is no work tree at this place.
    #[error("{0} is no git work tree that git can read.")]
    NoWorkTree(String),
    /// git refuses it because its folder belongs to another user.
    #[error(
        "{0} belongs to another user of this computer, so git does not read it. If you trust it, `git config --global --add safe.directory` allows that."
    )]
    Foreign(String),
    /// Its own settings name what Skilltender does not know to be harmless.
    #[error(
        "The settings of the work tree {place} may have git start programs ({names}), and Skilltender starts none that a folder names. Use git in a terminal for this one."
    )]
    Settings {
        /// The top of the work tree.
        place: String,
        /// The names of the settings.
        names: String,
    },
    /// Its own settings say how its upstream is reached.
    #[error(
        "The settings of the work tree {place} change how git reaches its upstream ({names}), and only your own settings may do that. If you trust them, set them with `git config --global` in a terminal, and remove them here with `git config --unset`."
    )]
    Connection {
        /// The top of the work tree.
        place: String,
        /// The names of the settings.
        names: String,
    },
    /// It has hooks that would take part.
    #[error(
        "This work tree has hooks ({0}), and Skilltender runs none. Commit and push with git in a terminal, which runs them."
    )]
    Hooks(String),
    /// The repository on this computer that is pushed to has hooks.
    #[error(
        "The repository {0} has hooks or settings that start programs, and Skilltender starts none. Push with git in a terminal, which runs them."
    )]
    HooksThere(String),
    /// The settings of the repository on this computer that is the upstream name what Skilltender does not know to be
    /// harmless.
    #[error(
        "The settings of the repository {place}, which is the upstream, may have git start programs ({names}), and Skilltender starts none that a folder names. Pull and push with git in a terminal."
    )]
    SettingsThere {
        /// The repository.
        place: String,
        /// The names of the settings.
        names: String,
    },
    /// Which repository of this computer an address leads to is known to git alone.
    #[error(
        "{0}, the address of the upstream, is not the folder of a repository itself, so it does not say which one git would open. Set it to that folder's whole path with `git remote set-url` in a terminal."
    )]
    Unclear(String),
    /// No branch is checked out.
    #[error("No branch is checked out here. `git switch` in a terminal goes back to one.")]
    Detached,
    /// The branch has no commit yet.
    #[error("The branch {0} has no commit yet. Make the first one, and push it, with git in a terminal.")]
    Unborn(String),
    /// The branch follows none of a remote.
    #[error("The branch {0} has no upstream. Set it once with `git push --set-upstream origin {0}` in a terminal.")]
    NoUpstream(String),
    /// The upstream is no more.
    #[error("{0} is not there any more. Choose another upstream with git in a terminal.")]
    Gone(String),
    /// git would push elsewhere than it pulls from.
    #[error("git pushes this branch to {0}, and pulls it from elsewhere. Push it with git in a terminal.")]
    PushedElsewhere(String),
    /// Something is half done.
    #[error("{0} is not finished here. Finish it, or give it up, with git in a terminal.")]
    Unfinished(Doing),
    /// Files that would come were changed here.
    #[error("You changed what would come: {0}. Commit your changes first, then pull.")]
    ChangedHere(String),
    /// Files that git does not track lie where others would come.
    #[error("Files that git does not track lie where others would come: {0}. Move them away, then pull.")]
    InTheWay(String),
    /// Both sides changed the same.
    #[error(
        "You and {upstream} changed the same: {files}. Merge them with git in a terminal; nothing was changed here."
    )]
    Conflict {
        /// For people: `origin/main`.
        upstream: String,
        /// The files.
        files: String,
    },
    /// Both histories have nothing in common.
    #[error("{0} has no commit in common with what is here. Look at it with git in a terminal.")]
    Unrelated(String),
    /// It is not as it was shown.
    #[error("The work tree changed since it was shown, so nothing was changed. Look at it again.")]
    Changed,
    /// A file has a staged version that is not the one on the disk.
    #[error("What is staged of {0} is not what the file holds. Commit or unstage it with git in a terminal.")]
    Staged(String),
    /// git does not know who commits.
    #[error(
        "git does not know who you are, which every commit says. Tell it once, in a terminal: `git config --global user.name` and `git config --global user.email`, each with yours behind it."
    )]
    NoAuthor,
    /// The commit cannot be signed.
    #[error("git signs your commits, and could not sign this one: {0}.")]
    Unsigned(String),
    /// The upstream has commits that are not here.
    #[error("{0} has commits that are not here, so it took none. Pull first, then push.")]
    Behind(String),
    /// The upstream refuses for another reason.
    #[error("{upstream} did not take it: {why}.")]
    Rejected {
        /// For people: `origin/main`.
        upstream: String,
        /// What it said.
        why: String,
    },
    /// Another git works here, or one was ended while it did.
    #[error(
        "Another git works in {0}, or was ended while it did. Wait for it; if there is none, remove `index.lock` in its `.git`."
    )]
    Locked(String),
    /// git failed for another reason.
    #[error("git could not do it: {0}.")]
    Git(String),
}

impl WorkTreeError {
    /// What git's messages mean. They are those of the language C.
    pub(super) fn told(tree: &WorkTree, stderr: &str) -> Self {
        let place = || tree.top.display().to_string();
        let has = |words: &str| stderr.contains(words);
        match () {
            () if has("dubious ownership") => Self::Foreign(place()),
            () if has("not a git repository") || has("must be run in a work tree") => Self::NoWorkTree(place()),
            () if has(".lock': File exists") => Self::Locked(place()),
            () if has("would be overwritten by merge") && has("untracked") => Self::InTheWay(listed_after(stderr)),
            () if has("would be overwritten by merge") => Self::ChangedHere(listed_after(stderr)),
            () if has("auto-detection is disabled") || has("tell me who you are") || has("empty ident") => {
                Self::NoAuthor
            }
            () if has("gpg failed to sign") || has("failed to write commit object") => {
                Self::Unsigned(crate::error::said(stderr))
            }
            () => Self::Git(crate::error::said(stderr)),
        }
    }
}

/// The files that git lists below such a message, each behind a tab.
fn listed_after(stderr: &str) -> String {
    let files: Vec<_> = stderr.lines().filter_map(|line| line.strip_prefix('\t')).collect();
    some_of(files.into_iter())
}

/// Some names for people.
pub(super) fn some_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    /// How many are named.
    const NAMED: usize = 5;
    let visible = |name: &str| name.chars().flat_map(char::escape_debug).collect::<String>().replace("\\'", "'");
    let all: Vec<_> = names.map(visible).collect();
    let more = all.len().saturating_sub(NAMED);
    let named = all[..all.len().min(NAMED)].join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}
