//! The keychain of the operating system: Secret Service on Linux, keychain on macOS, Credential
//! Manager on Windows.
//!
//! Everything here blocks, because a locked keychain asks its person first: call it from
//! `spawn_blocking`, never from the window's thread. Which secret has which account, and what to do
//! without a keychain, is left to [`crate::secrets`].

use keyring_core::{Entry, Error};

use crate::secret::Secret;

/// The name under which a keychain lists our secrets.
const SERVICE: &str = "skilltender";

/// Why the keychain does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeychainTrouble {
    /// No program on this computer keeps secrets, or it is not running.
    #[error("No keychain answers on this computer. {help}", help = help())]
    Absent,
    /// It is locked and nobody opened it, or it has no collection to put secrets into.
    #[error("The keychain is locked. Unlock it, then try again.")]
    Locked,
    /// Anything else.
    #[error("The keychain refused: {0}. Look at its own window for what it holds for {SERVICE}.")]
    Refused(String),
}

/// Asks whether a keychain answers; anew every time, so that it may be started meanwhile.
pub(crate) fn ask() -> Result<(), KeychainTrouble> {
    drop(entry("any", None)?);
    Ok(())
}

/// Puts a secret in. `label` is what a person reads in the keychain's own window.
pub(crate) fn put(account: &str, label: &str, secret: &Secret) -> Result<(), KeychainTrouble> {
    Ok(entry(account, Some(label))?.set_secret(secret.expose().as_bytes())?)
}

/// The secret of an account. `None`: it is not there any more, for instance because the person
/// deleted it in the keychain's own window.
pub(crate) fn get(account: &str) -> Result<Option<Secret>, KeychainTrouble> {
    match entry(account, None).and_then(|entry| entry.get_password()) {
        Ok(text) => Ok(Secret::new(text).ok()),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Takes an account out. One that is not there is no failure.
pub(crate) fn delete(account: &str) -> Result<(), KeychainTrouble> {
    match entry(account, None).and_then(|entry| entry.delete_credential()) {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(error.into()),
    }
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

/// The keychain's entry of an account, over a connection of its own.
///
/// The crate `keyring` connects once per process and remembers a failure for ever. On Linux a
/// keychain is a program that may start, or start again, while we run: there we connect every time.
#[cfg(target_os = "linux")]
fn entry(account: &str, label: Option<&str>) -> keyring_core::Result<Entry> {
    use keyring_core::api::CredentialStoreApi as _;

    let modifiers = label.map(|label| std::collections::HashMap::from([("label", label)]));
    zbus_secret_service_keyring_store::Store::new()?.build(SERVICE, account, modifiers.as_ref())
}

/// Elsewhere the keychain is part of the system, and shows the service's name for a label.
#[cfg(not(target_os = "linux"))]
fn entry(account: &str, _label: Option<&str>) -> keyring_core::Result<Entry> {
    keyring::Entry::new(SERVICE, account).map(|entry| entry.inner)
}

const fn help() -> &'static str {
    if cfg!(target_os = "linux") {
        "Start one, such as GNOME Keyring or KWallet, then try again. Until then secrets are kept in memory and are gone when Skilltender quits."
    } else {
        "Sign in anew, then try again. Until then secrets are kept in memory and are gone when Skilltender quits."
    }
}
