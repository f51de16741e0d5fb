//! A folder of a later version is taken back to the copy that was made before that version: for a person who goes back to
//! the program before.
//!
//! What the later program left is set aside and not removed. A way back that was interrupted is ended by the next
//! program, the earlier or the later one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{LARGEST, folder, folder::Way, version, write};
use crate::replace_file::{self, ReplaceError};

/// What was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Back {
    /// The version that the folder has now.
    pub version: u32,
    /// Where the files of the later version are.
    pub aside: PathBuf,
}

/// Puts our files back from [`kept`](super::kept). The caller holds the lock.
///
/// # Errors
/// When the disk refuses. The next call goes on where this one ended.
pub fn take_back(data: &Path) -> Result<Option<Back>, ReplaceError> {
    let (Some(_), Some(now)) = (super::kept(data), folder::version_of(data)) else { return Ok(None) };
    if folder::way(data) != Some(Way::Back) {
        for old in folder::copies(data).into_iter().filter(|old| folder::is_set_aside(old)) {
            folder::remove(&old)?;
        }
        folder::mark(data, now, Some(Way::Back))?;
    }
    finish(data)
}

/// Goes the way back to its end.
pub(super) fn finish(data: &Path) -> Result<Option<Back>, ReplaceError> {
    let now = folder::version_of(data).unwrap_or_default();
    let Some(copy) = folder::copy(data) else {
        folder::mark(data, now, None)?;
        return Ok(None);
    };
    let aside = folder::newer(data, now);
    let goes = folder::files(&copy);
    for file in folder::files(data) {
        // A record that came since says nothing to the earlier program, and is there again for the later one.
        if folder::is_record(&file) && !goes.contains(&file) {
            continue;
        }
        let to = aside.join(&file);
        // Else it went aside already, and what is here came back before an interruption.
        if !to.exists() {
            to.parent().map_or(Ok(()), folder::make)?;
            fs::rename(data.join(&file), &to).map_err(|source| ReplaceError::from_system(&to, source))?;
        }
    }
    for file in goes {
        let to = data.join(&file);
        let parent = to.parent().unwrap_or(data);
        // What was in the trash may be gone for good.
        if !parent.is_dir() && file.starts_with("trash") {
            continue;
        }
        folder::make(parent)?;
        let bytes = replace_file::read(&copy.join(&file), LARGEST)?;
        bytes.map_or(Ok(()), |bytes| write(&to, &bytes))?;
    }
    let version = version(&copy.join(folder::FORMAT)).unwrap_or(1);
    folder::mark(data, version, None)?;
    folder::remove(&copy)?;
    Ok(Some(Back { version, aside }))
}
