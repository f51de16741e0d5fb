//! What Skilltender knows at one moment, and the one loop that may change it.
//!
//! [`State`] is everything that a snapshot is made from. The loop applies changes to it, passes its persistent parts to
//! [`saving`] and publishes: [`Published`] is what the window, the tray, the endpoint and the command line read. All of them
//! hold it by a [`StateHandle`], which also takes changes. Nothing here waits for a disk or a person. What changes the state, and why, is left to `engine`.

#![forbid(unsafe_code)]

mod build_snapshot;
mod call_counts;
mod change;
pub mod client_activity;
mod context;
mod difference;
mod examined;
mod handle;
mod harm;
mod proof;
mod published;
mod remark;
pub mod saving;
mod sets;
mod skill_sources;
mod state;
mod state_loop;
pub mod trash;
pub mod usage;

pub use self::state::{Asked, ClientFacts, EndpointFacts, State};
pub use context::client_context;
pub use examined::{Content, Examined};
pub use handle::{StateHandle, blocking, quitting};
pub use harm::{Harm, Harmful, Scan};
pub use published::Published;
pub use sets::Catalogs;
