//! What was fetched stays for a week: a person looks first and takes it later.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

/// How long something is kept that nobody asks for.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Notes that somebody asks for it.
pub(crate) fn touch(path: &Path) {
    if let Ok(file) = fs::File::open(path) {
        drop(file.set_modified(SystemTime::now()));
    }
}

/// Removes what nobody asked for in a week, and what a killed fetch left.
pub(crate) fn sweep(folder: &Path) {
    let is_old = |entry: &fs::DirEntry| {
        let time = entry.metadata().and_then(|kind| kind.modified()).ok();
        time.is_some_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > KEPT))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(is_old) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let gone = if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        if let Err(error) = gone {
            tracing::debug!(%error, "something fetched stays");
        }
    }
}
