//! Which MCP clients exist, and how their config files are written.
//!
//! A client is one row in [`TABLE`]. From a row, the machine's folders and the present bytes of
//! the client's file comes a [`Plan`]: one splice that adds our entry, or takes it out again.
//! Nothing outside that splice changes, and a file that the client itself could not read is
//! refused, never repaired. Reading and writing the files is `engine`'s part: this crate is pure.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod edit;
mod entry;
mod locate;
mod plan;
mod refusal;
mod table;

pub use entry::{Entry, NAME};
pub use locate::{Places, Platform, locate};
pub use plan::{LARGEST, Plan, Standing, Undo, connect, disconnect, standing};
pub use refusal::Refusal;
pub use table::{Client, Format, TABLE, client};
