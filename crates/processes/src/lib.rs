//! Child processes: MCP servers over stdio that cannot outlive us, get exactly the declared environment, and cannot
//! flood us.
//!
//! On Linux and macOS another process of our own program runs in between: a supervisor ([`supervise`]). It receives the
//! launch order over its standard input, so secrets appear in no arguments and in no environment but the server's. When
//! we end, even by SIGKILL, it ends the server and all its descendants. If the supervisor is killed too, [`sweep`] ends
//! what is left at the next start. On Windows the system does that: each server is in a job of its own. [`become_it`] is for a client that
//! starts a server itself. Whether a server
//! may run, when it does, and the protocol on its streams are left to `engine` and `mcp`.

mod becoming;
mod child;
mod ending;
mod log;
#[cfg_attr(not(target_os = "linux"), path = "orphans_elsewhere.rs")]
mod orphans;
#[cfg(unix)]
mod protocol;
mod redact;
#[cfg_attr(not(unix), path = "job.rs")]
mod spawn;
mod spawn_error;
#[cfg(target_os = "linux")]
mod stat;
#[cfg(unix)]
mod supervisor;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod tree;

pub use becoming::become_it;
pub use child::{Child, Recipe, start};
pub use ending::Ending;
pub use log::Log;
pub use orphans::sweep;
#[cfg(unix)]
pub use supervisor::{SUPERVISE, supervise};
