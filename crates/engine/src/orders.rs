//! Orders from the command line to the writing engine: an action, by its name. A running engine gets the order
//! over the socket, so that the window shows the result at once. Without one, an engine starts for this order
//! only.
//!
//! An order is one line of JSON, and so is its answer. Access to the socket is left to [`machine::socket`], the
//! effect of an action to [`crate::actions`].

mod ask;
mod carry_out;
mod give;
mod given;
mod order;
mod serve;
mod servers;
mod take_over;
mod work_trees;

pub(crate) use ask::ask_running;
pub use give::give;
pub use given::{GivenOrder, SecretText};
pub use order::{Asked, Order};
pub(crate) use serve::serve;
pub use servers::{ServerInFull, ServerOrder};
pub use take_over::take_over;
pub use work_trees::WorkTreeOrder;
