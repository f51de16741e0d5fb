//! Which MCP clients exist, and how their config files are written.
//!
//! A client is one row in [`TABLE`]. A row, the machine's folders and the current bytes of the client's file determine
//! a [`Plan`]: one splice that adds our entry, changes it, or removes it. Nothing outside that splice changes, and a
//! file that the client itself could not read is refused, never repaired. This crate is pure: `engine` reads and writes
//! the files.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod client;
mod edit;
mod entry;
mod link;
mod locate;
mod node;
mod plan;
mod refusal;
mod rescue;
mod servers;
mod shape;
mod show;
mod switches;
mod table;

pub use client::{Choice, Client, ClientFolders, Files, Format, Key, Link, Mark, Reload, Signs, Takes, Variable};
pub use entry::{Entry, NAME};
pub use link::link;
pub use locate::{
    Places, Platform, client_folders, locate, locate_project, locate_sandboxed, moved_folders, signs, variables,
};
pub use plan::{
    LARGEST, Plan, Standing, Undo, connect, connect_as, disconnect, disconnect_as, reset, standing, standing_as, update,
};
pub use refusal::Refusal;
pub use rescue::{Moved, Moves, PlainValue, Rescuable, Stays, put_back, rescuable, rescue};
pub use servers::{PlainSecret, Runs, SecretKind, Server, secret_ranges, secrets::named_secrets, servers};
pub use shape::{Part, Template};
pub use show::{Shown, one_line, ours, snippet};
pub use switches::{Shows, SkillSwitches, SkillWanted, SwitchForm, Switched, switch_back, switch_skills};
pub use table::{TABLE, client, models};
