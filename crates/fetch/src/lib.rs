//! Fetches what sources of skills are: repositories ([`Repositories`]) with the git of this computer, whose credentials,
//! proxies and certificates apply, or without one as the archives of their hosts, and files of the web ([`Web`]).
//!
//! A repository is never checked out and nothing of it runs: no hooks, filters, submodules, templates or monitors. What
//! is fetched is one commit, bare and without its history, in a folder of ours that is named by address and commit and
//! never changes its meaning. Only https and ssh are spoken, and http with this computer. Fetching ends when it is
//! cancelled, when nothing comes any more, and when more comes than a repository of skills holds.
//!
//! A work tree of the person's own is another matter ([`WorkTree`]): it is theirs, it stays where it is, and what changes
//! in it was shown before.
//!
//! What is in a commit is given as a list of paths and as bytes. Whether a path is harmless, what a skill is, and how a
//! source is written, is left to others.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod archives;
mod bare;
mod commit;
mod error;
mod git;
mod kept;
mod repositories;
mod running;
mod tips;
mod web;
mod work_tree;

pub use archives::{Archived, Archives};
pub use bare::Bare;
pub use commit::{Commit, Kind, TreeFile};
pub use error::FetchError;
pub use git::Git;
pub use repositories::Repositories;
pub use running::Cancel;
pub use tips::{Tip, Tips};
pub use web::{Fetched, Web};
pub use work_tree::{Doing, Entry, How, Incoming, Kept, Move, Status, Wholes, WorkTree, WorkTreeError};
