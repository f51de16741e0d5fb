//! The keychain of the operating system: Secret Service on Linux, keychain on macOS, Credential
//! Manager on Windows.
//!
//! Everything here blocks, because a locked keychain asks its person first: it is called through a [`Queue`], by a thread
//! that may wait, and never while somebody else waits for a lock. Which secret has which account, and what to do
//! without a keychain, is left to [`crate::secrets`]. A secret that is longer than what a keychain takes lies
//! there in `parts`.

#[cfg(test)]
pub(crate) mod memory;
mod parts;
mod queue;
#[cfg(not(test))]
mod system;

use std::time::Duration;

use keyring_core::Error;

#[cfg(test)]
use self::memory as store;
pub(crate) use self::queue::Queue;
#[cfg(not(test))]
use self::system as store;
use crate::{secret::Secret, waiting};

/// The name under which a keychain lists our secrets.
pub(crate) const SERVICE: &str = "skilltender";

/// Why the keychain does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeychainTrouble {
    /// No program on this computer keeps secrets, or it is not running.
    #[error("No keychain answers on this computer. {help}", help = help())]
    Absent,
    /// It is locked and nobody opened it, or it has no collection to put secrets into.
    #[error("The keychain is locked. Unlock it, then try again.")]
    Locked,
    /// It has not said anything for so long: it may be asking its person.
    #[error("The keychain has not answered for {} seconds: it may be asking you something in a window of its own. Until it answers, secrets are kept in memory and are gone when Skilltender quits.", .0.as_secs())]
    Silent(Duration),
    /// Anything else.
    #[error("The keychain refused: {0}. Look at its own window for what it holds for {SERVICE}.")]
    Refused(String),
}

/// Asks whether a keychain answers; anew every time, so that it may be started meanwhile.
pub(crate) fn ask() -> Result<(), KeychainTrouble> {
    waiting::for_person();
    Ok(store::ask()?)
}

/// Puts a secret in. `label` is what a person reads in the keychain's own window. One that is there stays until the new
/// one is there whole.
pub(crate) fn put(account: &str, label: &str, secret: &Secret) -> Result<(), KeychainTrouble> {
    waiting::for_person();
    parts::put(account, label, secret.expose().as_bytes())
}

/// The secret of an account. `None`: it is not there any more, for instance because the person
/// deleted it in the keychain's own window.
pub(crate) fn get(account: &str) -> Result<Option<Secret>, KeychainTrouble> {
    waiting::for_person();
    let Some(mut bytes) = parts::get(account)? else { return Ok(None) };
    match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(text) => Ok(Secret::new(text).ok()),
        Err(error) => {
            drop(zeroize::Zeroizing::new(error.into_bytes()));
            Err(KeychainTrouble::Refused("this secret is not a text".to_owned()))
        }
    }
}

/// Takes an account out. One that is not there is no failure.
pub(crate) fn delete(account: &str) -> Result<(), KeychainTrouble> {
    waiting::for_person();
    parts::delete(account)
}

impl From<Error> for KeychainTrouble {
    /// What the system said of a keychain that does not answer is for the log; what an error may
    /// carry of the secret itself is dropped.
    fn from(error: Error) -> Self {
        match error {
            Error::NoDefaultStore => Self::Absent,
            Error::PlatformFailure(reason) => {
                tracing::info!(%reason, "no keychain answers");
                Self::Absent
            }
            Error::NoStorageAccess(reason) => {
                tracing::info!(%reason, "the keychain is locked");
                Self::Locked
            }
            Error::BadEncoding(_) | Error::BadDataFormat(..) => Self::Refused("this secret is not a text".to_owned()),
            Error::Ambiguous(_) => Self::Refused("it holds this secret more than once".to_owned()),
            other => Self::Refused(other.to_string()),
        }
    }
}

const fn help() -> &'static str {
    if cfg!(target_os = "linux") {
        "Start one, such as GNOME Keyring or KWallet, then try again. Until then secrets are kept in memory and are gone when Skilltender quits."
    } else {
        "Sign in anew, then try again. Until then secrets are kept in memory and are gone when Skilltender quits."
    }
}
