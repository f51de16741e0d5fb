//! The running application, without a window.
//!
//! [`Engine`] combines the library, the choices, the clients and the endpoint: every event becomes a change, the loop of
//! `state` computes a new [`api::Snapshot`] from it, and all readers use that. [`actions`] has the user's actions. The
//! appearance of the window is left to the shell, what MCP clients see to `mcp`.

pub mod actions;
mod audit;
pub mod bridge;
mod client_folders;
mod client_watch;
pub mod direct;
mod doctor;
mod engine;
mod host;
mod logs;
pub mod orders;
mod pages;
mod sees;
mod serve;
mod session;
mod start;

pub use connect::lasting_program;
pub use doctor::try_out::try_out;
pub use engine::{
    Engine,
    run::{Beginning, StartError},
};
pub use files::store;
pub use logs::start_log;
pub use machine::{
    Machine, MachineError, Mode, background,
    lock::{LockError, Lockable},
    malloc::give_back as give_back_memory,
    mapped::give_back as give_back_code,
    signals::asked_to_stop,
    undumped::keep_memory_to_ourselves,
};
pub use mcp::{CallTrouble, Surface, instructions};
pub use serve::{
    Connection,
    listen::{Listen, ServeAt},
};
pub use session::{login_start::BACKGROUND, to_find_the_keychain};
pub use start::{folders_away, trouble_with_choices};
