//! What Skilltender knows at one moment, and the one loop that may change it.
//!
//! [`State`] is everything that a snapshot is made from. [`StateLoop`] applies changes to it, passes its persistent parts
//! to [`saving`] and publishes: [`Published`] is what the window, the tray, the endpoint and the command line read. Nothing
//! here waits for a disk or a person. What changes the state, and why, is left to `engine`.

#![forbid(unsafe_code)]

mod build_snapshot;
mod call_counts;
pub mod client_activity;
mod context;
mod examined;
mod proof;
mod remark;
pub mod saving;
mod sets;
mod snapshot;
mod state;
mod state_loop;
pub mod trash;

pub use self::state::{ClientFacts, EndpointFacts, State};
pub use call_counts::CallCounts;
pub use context::client_context;
pub use examined::{Content, Examined};
pub use sets::Catalogs;
pub use snapshot::{Published, inputs::Inputs};
pub use state_loop::{Change, Keeps, Reply, StateLoop};
