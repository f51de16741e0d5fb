//! The keychain of the operating system: Secret Service on Linux, keychain on macOS, Credential Manager on Windows.
//!
//! Everything here blocks, because a locked keychain prompts the user first: it is called through a `Queue`, on a
//! thread that may wait, and never while holding a lock that others need. The accounts of secrets, and the fallback
//! without a keychain, are left to [`crate::Secrets`]. A secret that is too long for a keychain is stored in `parts`.

mod parts;
mod queue;
pub mod stand_in;
mod system;

use std::time::Duration;

use keyring_core::Error;
use machine::{KeychainKind, session_bus::KeychainFact, waiting};
use zeroize::Zeroizing;

pub(crate) use self::queue::Queue;
use crate::Secret;

/// The name under which a keychain lists our secrets.
const SERVICE: &str = "skilltender";

/// Why the keychain failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeychainTrouble {
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

/// The keychain of one machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keychain(pub(crate) KeychainKind);

impl Keychain {
    /// Asks whether it answers; checked every time, because it may be started later.
    pub(crate) fn ask(self) -> Result<(), KeychainTrouble> {
        waiting::for_person();
        match self.0 {
            KeychainKind::System => Ok(system::ask()?),
            KeychainKind::StandIn => Ok(()),
            KeychainKind::None => Err(KeychainTrouble::Absent),
        }
    }

    /// Stores a secret. `label` is shown in the keychain's own window. An existing secret stays until the new one is
    /// stored completely.
    pub(crate) fn put(self, account: &str, label: &str, secret: &Secret) -> Result<(), KeychainTrouble> {
        waiting::for_person();
        parts::put(self, account, label, secret.expose().as_bytes())
    }

    /// The secret of an account; `None` if it does not exist, for instance because the user deleted it in the
    /// keychain's own window.
    pub(crate) fn get(self, account: &str) -> Result<Option<Secret>, KeychainTrouble> {
        waiting::for_person();
        let Some(mut bytes) = parts::get(self, account)? else { return Ok(None) };
        match String::from_utf8(std::mem::take(&mut *bytes)) {
            Ok(text) => Ok(Secret::new(text).ok()),
            Err(error) => {
                drop(Zeroizing::new(error.into_bytes()));
                Err(KeychainTrouble::Refused("this secret is not a text".to_owned()))
            }
        }
    }

    /// Deletes an account. A missing one is not an error.
    pub(crate) fn delete(self, account: &str) -> Result<(), KeychainTrouble> {
        waiting::for_person();
        parts::delete(self, account)
    }

    /// Stores the bytes of one item.
    fn write(self, account: &str, label: &str, bytes: &[u8]) -> keyring_core::Result<()> {
        match self.0 {
            KeychainKind::System => system::write(account, label, bytes),
            KeychainKind::StandIn => stand_in::write(account, label, bytes),
            KeychainKind::None => Err(Error::NoDefaultStore),
        }
    }

    /// The bytes of one item; `None` if it does not exist.
    fn read(self, account: &str) -> keyring_core::Result<Option<Zeroizing<Vec<u8>>>> {
        match self.0 {
            KeychainKind::System => system::read(account),
            KeychainKind::StandIn => Ok(stand_in::read(account)),
            KeychainKind::None => Err(Error::NoDefaultStore),
        }
    }

    /// Deletes one item, if it exists.
    fn erase(self, account: &str) -> keyring_core::Result<()> {
        match self.0 {
            KeychainKind::System => system::erase(account),
            KeychainKind::StandIn => {
                stand_in::erase(account);
                Ok(())
            }
            KeychainKind::None => Err(Error::NoDefaultStore),
        }
    }
}

/// The state of the system's keychain, where no session bus tells it.
pub fn state() -> KeychainFact {
    match Keychain(KeychainKind::System).ask() {
        Ok(()) => KeychainFact::Open,
        Err(KeychainTrouble::Locked) => KeychainFact::Locked,
        Err(KeychainTrouble::Absent) => KeychainFact::Absent,
        Err(KeychainTrouble::Silent(_) | KeychainTrouble::Refused(_)) => KeychainFact::Unknown,
    }
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
