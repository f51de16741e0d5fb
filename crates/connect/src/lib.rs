//! What Skilltender writes into clients: their config files, and client folders, in which they look for skills by themselves.
//!
//! The pure part (rows, paths, plans) is the crate `clients`; this crate applies it to the disk. A change is computed
//! from the current bytes of a client's files, shown, and written only while those bytes are unchanged. Each write is
//! recorded in the [`journal`] before the file is written.
//!
//! `context` holds the inputs, `standing` reads a file's state, `plans` turns a request into a `change` (`direct` and
//! `undo` cover their own requests), [`client_folders`] links or copies skills. When to read and to write is left to
//! `engine`.

#![forbid(unsafe_code)]

mod change;
mod client_files;
pub mod client_folders;
mod context;
mod custom;
mod diff;
mod direct;
mod drift;
mod entry;
mod errors;
pub mod journal;
mod labels;
mod moving;
mod own_entries;
mod plans;
pub mod port;
mod program;
mod rescue;
mod servers;
mod standing;
mod steps;
mod switches;
mod target;
mod text;
mod undo;

pub use self::servers::configured;
pub use change::Change;
pub use context::{ClientContext, KnownClient};
pub use custom::described;
pub use diff::plain_lines;
pub use drift::{aligned, drift, settle};
pub use entry::entry;
pub use errors::file_failed;
pub use labels::{mark, reload, rewrites};
pub use moving::Moving;
pub use plans::{plan, takes_no_file, wanted};
pub use program::{lasting_program, renew as renew_program, restore as restore_program, stable_program};
pub use standing::{ClientFile, is_dropped, look, watched};
pub use switches::left as switches_left;
pub use target::{Secrets, way};
pub use text::entry_text;
