//! Which servers run, and what clients ask of them.
//!
//! [`Gateway`] holds at most one run for each name. A run is started by the first call, never without an approval, and
//! ends when it is idle. What a server does is sent to the loop as an observation (`servers::Observed`). It knows the
//! machine, the secrets and the state ([`Parts`]), and nothing of the engine.
//!
//! `servers` decides what may run and with what. `processes` supervises the programs, `mcp` speaks with them. What a
//! person asks for is left to the engine's actions.

#![forbid(unsafe_code)]

mod calls;
mod containers;
mod direct;
mod gateway;
mod keep_up;
mod look;
mod process;
mod references;
mod run;
mod shared;
mod sign_in;
mod sign_ins;
mod start;
#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
mod watched;
mod with_secrets;

pub use self::gateway::{Gateway, Parts};
pub use direct::Direct;
pub use sign_ins::{Ended, SignIns};
pub use watched::Watched;
pub use with_secrets::still_signed_in;
