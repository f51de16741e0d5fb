//! Going back to the files of an earlier version, which a person asks for who went back to that program. No engine runs
//! then: the earlier program refuses to start one.

use files::store::{self, Back};
use machine::{
    Machine,
    lock::{Lock, LockError},
};

/// Why the files were not taken back.
#[derive(Debug, thiserror::Error)]
pub enum GoBackError {
    /// The present ones are not of a later version.
    #[error("{0} was not written by a newer Skilltender, so there is nothing to go back from. Nothing was changed.")]
    NotNewer(String),
    /// There is no copy that this program knows.
    #[error("{0} holds no copy of its files from before they were brought to the newer version. Nothing was changed.")]
    NoCopy(String),
    /// An engine runs.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The disk refused.
    #[error("The files could not be taken back: {0} The same command goes on where it ended.")]
    Disk(#[from] files::replace_file::ReplaceError),
}

/// Whether [`go_back`] can be done. Nothing is changed.
///
/// # Errors
/// When it cannot.
pub fn can_go_back(machine: &Machine) -> Result<(), GoBackError> {
    let place = || machine.place(&machine.data);
    if store::refuse_newer(&machine.data).is_ok() {
        return Err(GoBackError::NotNewer(place()));
    }
    store::kept(&machine.data).map(drop).ok_or_else(|| GoBackError::NoCopy(place()))
}

/// Takes our files back to how they were before a later program brought them to its version; what they are now is set
/// aside.
///
/// # Errors
/// When there is no such copy, an engine runs, or the disk refuses.
pub fn go_back(machine: &Machine) -> Result<Back, GoBackError> {
    can_go_back(machine)?;
    let _lock = Lock::take(&machine.data)?;
    store::take_back(&machine.data)?.ok_or_else(|| GoBackError::NoCopy(machine.place(&machine.data)))
}
