//! The running application, without a window.

mod guest;
mod machine;
#[cfg(test)]
mod typescript;
pub mod view;

pub use machine::{Machine, MachineError};
