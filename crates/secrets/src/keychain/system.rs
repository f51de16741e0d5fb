//! The system's keychain.

use keyring_core::{Entry, Error};
use zeroize::Zeroizing;

use super::SERVICE;

/// Asks whether it answers.
pub(super) fn ask() -> keyring_core::Result<()> {
    drop(entry("any", None)?);
    Ok(())
}

/// Stores these bytes for an account.
pub(super) fn write(account: &str, label: &str, bytes: &[u8]) -> keyring_core::Result<()> {
    entry(account, Some(label))?.set_secret(bytes)
}

/// The bytes of an account; `None` if it does not exist.
pub(super) fn read(account: &str) -> keyring_core::Result<Option<Zeroizing<Vec<u8>>>> {
    match entry(account, None).and_then(|entry| entry.get_secret()) {
        Ok(bytes) => Ok(Some(Zeroizing::new(bytes))),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Deletes an account, if it exists.
pub(super) fn erase(account: &str) -> keyring_core::Result<()> {
    match entry(account, None).and_then(|entry| entry.delete_credential()) {
        Ok(()) | Err(Error::NoEntry) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The keychain's entry of an account, over a connection of its own.
///
/// The crate `keyring` connects once per process and caches a failure permanently. On Linux a keychain is a program
/// that may start, or restart, while we run, so we connect every time.
#[cfg(target_os = "linux")]
fn entry(account: &str, label: Option<&str>) -> keyring_core::Result<Entry> {
    use keyring_core::api::CredentialStoreApi as _;

    let modifiers = label.map(|label| std::collections::HashMap::from([("label", label)]));
    zbus_secret_service_keyring_store::Store::new()?.build(SERVICE, account, modifiers.as_ref())
}

/// On other systems the keychain is part of the system, and shows the service's name as the label.
#[cfg(not(target_os = "linux"))]
fn entry(account: &str, _label: Option<&str>) -> keyring_core::Result<Entry> {
    keyring::Entry::new(SERVICE, account).map(|entry| entry.inner)
}
