//! The computer that Skilltender runs on, as one user's process sees it: its folders, clock, random bytes, processes,
//! session bus, sockets, locks and signals.
//!
//! Everything that differs between systems and is not a file of a user is here, so that the crates above read the same
//! on each. What Skilltender is (skills, clients' entries, secrets, servers) is left to them; of ours this crate knows
//! only [`clients::Places`], the folders that clients' files are relative to.

mod background;
pub mod clock;
mod copied;
pub mod lock;
mod machine;
pub mod malloc;
pub mod mapped;
mod mode;
pub mod network;
pub mod open_files;
pub mod port_owner;
pub mod processes;
pub mod random;
pub mod session_bus;
pub mod signals;
pub mod socket;
pub mod undumped;
pub mod waiting;

pub use background::background;
pub use copied::mark;
pub use machine::{APP_ID, BUS, KeychainKind, Machine, MachineError, make_private, private};
pub use mode::Mode;
