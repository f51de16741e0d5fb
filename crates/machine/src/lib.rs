//! The computer that Skilltender runs on, as one user's process sees it: its folders, clock, random bytes, processes,
//! session bus, sockets, locks and signals.
//!
//! Everything that differs between systems and is not a file of a user is here, so that the crates above read the same
//! on each. What Skilltender is (skills, clients' entries, secrets, servers) is left to them; of ours this crate knows
//! only [`clients::Places`], the folders that clients' files are relative to.

pub mod bus;
pub mod clock;
pub mod holder;
pub mod lock;
mod machine;
pub mod memory;
mod mode;
pub mod open_files;
pub mod processes;
pub mod random;
pub mod socket;
pub mod stop;
pub mod undumped;
pub mod waiting;

pub use machine::{BUS, KeychainKind, Machine, MachineError, make_private, private};
pub use mode::Mode;
