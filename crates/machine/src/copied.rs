//! Telling a folder from a copy of it: of a home that was copied to another computer, both sides believe to be the first.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::{random, waiting};

/// Where Linux keeps the name of an installation, which is another on each.
const INSTALLATION: &str = "/etc/machine-id";

/// A mark of a folder that stays the same there, and is another for a copy of it elsewhere. It says nothing about where
/// that is.
pub fn mark(folder: &Path) -> String {
    waiting::for_disk(folder);
    let place = dunce::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let installation = std::fs::read(INSTALLATION).unwrap_or_default();
    let mut digest = Sha256::new();
    digest.update(place.as_os_str().as_encoded_bytes());
    digest.update(number(&place).to_le_bytes());
    digest.update(installation);
    random::hex(&digest.finalize()[..16])
}

/// The folder's number on its disk.
#[cfg(unix)]
fn number(folder: &Path) -> u64 {
    std::fs::metadata(folder).map_or(0, |found| std::os::unix::fs::MetadataExt::ino(&found))
}

#[cfg(not(unix))]
fn number(_: &Path) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn a_copy_of_a_folder_has_another_mark_and_what_is_in_it_none() {
        let home = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| home.path().join(name));
        std::fs::create_dir(&one).unwrap();
        let was = mark(&one);
        std::fs::write(one.join("file"), "more").unwrap();
        assert_eq!(mark(&one), was);
        std::fs::create_dir(&two).unwrap();
        assert_ne!(mark(&two), was);
        // In the same place, as on another computer.
        if cfg!(unix) {
            let away = home.path().join("away");
            std::fs::rename(&one, &away).unwrap();
            std::fs::create_dir(&one).unwrap();
            assert_ne!(mark(&one), was);
        }
    }
}
