//! Where each client stands, and the change that connects it.
//!
//! The pure part – rows, paths, plans – is the crate `clients`; here its values meet the disk. A
//! change is computed from the present bytes of a client's files, shown, and written only while it
//! still is the one that was shown. Each write is in the journal before it is in the file.
//!
//! `scene` says what all of it goes by, `standing` looks at a file, `plans` makes a wish a `change` (`direct` and `undo`
//! those wishes), `watch` follows the files, and the rest is what these need.

mod change;
mod custom;
mod diff;
mod direct;
mod drift;
mod entry;
mod files;
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
    drift::{drift, settle},
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
