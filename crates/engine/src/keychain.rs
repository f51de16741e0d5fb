//! The keychain of the operating system: Secret Service on Linux, keychain on macOS, Credential Manager on Windows.
//!
//! Everything here blocks, because a locked keychain prompts the user first: it is called through a [`Queue`], on a
//! thread that may wait, and never while holding a lock that others need. The accounts of secrets, and the fallback
//! without a keychain, are left to [`crate::secrets`]. A secret that is too long for a keychain is stored in `parts`.

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
use machine::{bus::KeychainFact, waiting};

use crate::secret::Secret;

/// The name under which a keychain lists our secrets.
pub(crate) const SERVICE: &str = "skilltender";

/// Why the keychain failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeychainTrouble {
    /// No program on this computer stores secrets, or it is not running.
    #[error("No keychain answers on this computer. {help}", help = help())]
    Absent,
    /// It is locked and was not unlocked, or it has no collection for secrets.
    #[error("The keychain is locked. Unlock it, then try again.")]
    Locked,
    /// It has not answered for this long: it may be prompting the user.
    #[error("The keychain has not answered for {} seconds: it may be asking you something in a window of its own. Until it answers, secrets are kept in memory and are gone when Skilltender quits.", .0.as_secs())]
    Silent(Duration),
    /// Anything else.
    #[error("The keychain refused: {0}. Look at its own window for what it holds for {SERVICE}.")]
    Refused(String),
}

/// Asks whether a keychain answers; checked every time, because it may be started later.
pub(crate) fn ask() -> Result<(), KeychainTrouble> {
    waiting::for_person();
    Ok(store::ask()?)
}

/// The state of a keychain that is asked without a session bus.
pub(crate) fn state() -> KeychainFact {
    match ask() {
        Ok(()) => KeychainFact::Open,
        Err(KeychainTrouble::Locked) => KeychainFact::Locked,
        Err(KeychainTrouble::Absent) => KeychainFact::Absent,
        Err(KeychainTrouble::Silent(_) | KeychainTrouble::Refused(_)) => KeychainFact::Unknown,
    }
}

/// Stores a secret. `label` is shown in the keychain's own window. An existing secret stays until the new one is stored
/// completely.
pub(crate) fn put(account: &str, label: &str, secret: &Secret) -> Result<(), KeychainTrouble> {
    waiting::for_person();
    parts::put(account, label, secret.expose().as_bytes())
}

/// The secret of an account; `None` if it does not exist, for instance because the user deleted it in the keychain's
/// own window.
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

/// Deletes an account. A missing one is not an error.
pub(crate) fn delete(account: &str) -> Result<(), KeychainTrouble> {
    waiting::for_person();
    parts::delete(account)
}

impl From<Error> for KeychainTrouble {
    /// The system's reason for a keychain that does not answer is logged; secret bytes that an error may carry are
    /// dropped.
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
