//! The running application, without a window.

mod guest;
mod machine;
pub mod view;

pub use machine::{Machine, MachineError};
