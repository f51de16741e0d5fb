//! The state of each client's files, and the change that connects a client.
//!
//! The pure part (rows, paths, plans) is the crate `clients`; this module applies it to the disk. A change is computed
//! from the current bytes of a client's files, shown, and written only while those bytes are unchanged. Each write is
//! recorded in the journal before the file is written.
//!
//! `scene` holds the inputs, `standing` reads a file's state, `plans` turns a request into a `change` (`direct` and
//! `undo` cover their own requests), `watch` follows the files, and the other modules serve these.

mod change;
mod client_files;
mod custom;
mod diff;
mod direct;
mod drift;
mod entry;
mod plans;
mod program;
mod rescue;
mod scene;
mod servers;
mod standing;
#[cfg(test)]
mod tests;
mod text;
mod undo;
mod watch;
mod words;

pub(crate) use self::{
    change::Change,
    custom::described,
    drift::{aligned, drift, settle},
    plans::{Secrets, plan, takes_no_file, wanted, way},
    program::{restore as restore_program, stable_program},
    rescue::Moving,
    scene::{Known, Scene},
    servers::configured,
    standing::{ClientFile, look},
    text::entry_text,
    watch::{Guests, follow, look_at_all, look_now, verify_later, watch},
    words::{mark, reload},
};
