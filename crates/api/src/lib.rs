//! What the engine shows and takes: the types that the window, the tray and the command line share with it, and the only
//! ones that cross into the window.
//!
//! A [`Snapshot`] is everything that a list, the tray or a badge shows; a new one is sent whenever something changed. The
//! text of one skill is asked for ([`SkillPage`]) because it is large. Nothing here can hold the value of a secret: a
//! secret is *stored* or *missing*. How these values come about is left to the engine.

mod action;
mod activity;
mod client;
mod client_folder;
mod connect;
mod doctor;
mod endpoint;
mod folder;
mod import;
mod language;
mod lifecycle;
mod need;
mod pack;
mod page;
mod peer;
mod rows;
mod search;
mod sees;
mod server;
mod sets;
mod settings;
mod skill;
mod snapshot;
mod sources;
mod tags;
mod team;
mod trust;
#[cfg(test)]
mod typescript;
mod uninstall;
mod unknown;
mod updates;
mod usage;
mod verdict;
mod work_tree;

pub use action::*;
pub use activity::*;
pub use client::*;
pub use client_folder::*;
pub use connect::*;
pub use doctor::*;
pub use endpoint::*;
pub use folder::*;
pub use import::*;
pub use language::*;
pub use lifecycle::*;
pub use need::*;
pub use pack::*;
pub use page::*;
pub use peer::*;
pub use rows::*;
pub use search::*;
pub use sees::*;
pub use server::*;
pub use sets::*;
pub use settings::*;
pub use skill::*;
pub use snapshot::*;
pub use sources::*;
pub use tags::*;
pub use team::*;
pub use trust::*;
pub use uninstall::*;
pub use unknown::{unknown, unknown_client};
pub use updates::*;
pub use usage::*;
pub use verdict::*;
pub use work_tree::*;
