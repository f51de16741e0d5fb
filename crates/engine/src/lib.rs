//! The running application, without a window.
//!
//! [`Engine`] combines the library, the choices, the clients and the endpoint: every event becomes a change, one loop
//! computes a new [`view::Snapshot`] from it, and all readers use that. [`actions`] has the user's actions. The
//! appearance of the window is left to the shell, what MCP clients see to `mcp`.

pub mod actions;
mod audit;
mod beneath;
pub mod bridge;
mod bus;
mod child;
mod choices;
mod clock;
mod connect;
mod digests;
mod doctor;
mod engine;
mod environment;
mod guest;
mod holder;
mod host;
mod import;
mod journal;
mod keychain;
mod library;
mod lock;
mod logs;
mod machine;
mod memory;
mod moving;
mod native;
mod open_files;
pub mod orders;
mod pace;
mod pages;
mod placing;
mod portable;
mod processes;
mod project;
mod proof;
mod random;
mod remark;
mod saving;
mod search;
mod secret;
mod secrets;
mod seen;
mod sees;
mod serve;
mod servers;
mod session;
mod sets;
mod snapshot;
mod socket;
mod start;
mod state;
mod stop;
mod store;
mod subfolders;
mod tally;
mod templates;
mod tokens;
mod tracked;
mod trash;
#[cfg(test)]
mod typescript;
mod undumped;
mod values;
pub mod view;
mod waiting;
mod walk;
mod watch;
mod whole;

#[cfg(unix)]
pub use child::{SUPERVISE, supervise};
pub use engine::{Engine, Mode, StartError};
pub use environment::{Environment, SecretMissing, environment};
pub use library::folders_away;
pub use lock::LockError;
pub use logs::start_log;
pub use machine::{Machine, MachineError};
pub use mcp::{Surface, instructions};
pub use secret::{Secret, SecretRefused};
pub use serve::Connection;
pub use servers::direct;
pub use session::to_find_the_keychain;
pub use start::trouble_with_choices;
pub use stop::asked_to_stop;
pub use undumped::keep_memory_to_ourselves;
