//! Skilltender's own state on the disk, as an engine of each mode reads it. The files themselves are left to
//! [`files::store`].

use std::path::Path;

use api::Notice;
use files::store::{self, Unreadable};
use machine::Mode;
use serde::de::DeserializeOwned;

/// The content of `path`; defaults, with a notice, when it had to be set aside.
pub fn load<T: Default + DeserializeOwned>(path: &Path) -> (T, Option<Notice>) {
    let (value, unreadable) = store::load(path);
    (value, unreadable.map(notice))
}

/// The content of `path`, if an engine of this mode uses the state. One that writes nothing leaves a file where it is
/// that it cannot read, and says so too.
pub fn open<T: Default + DeserializeOwned>(path: &Path, mode: &Mode) -> (T, Option<Notice>) {
    match mode {
        Mode::Writing => load(path),
        Mode::Reading => {
            let (value, message) = store::peek_at(path);
            (value, message.map(|message| notice(Unreadable { path: path.to_path_buf(), message })))
        }
        Mode::Plain { .. } => (T::default(), None),
    }
}

fn notice(unreadable: Unreadable) -> Notice {
    Notice { id: format!("unreadable:{}", unreadable.path.display()), message: unreadable.message }
}
