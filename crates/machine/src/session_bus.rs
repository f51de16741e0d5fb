//! Queries the session bus of a Linux desktop: whether it has a tray and a keychain.

/// The state of the keychain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeychainFact {
    /// It answers and is open.
    Open,
    /// It answers and is locked.
    Locked,
    /// None answers.
    Absent,
    /// It cannot be determined.
    Unknown,
}

/// The bus's answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusFacts {
    /// Whether a panel shows tray icons; `None` without a bus.
    pub tray: Option<bool>,
    pub keychain: KeychainFact,
}

/// Queries the bus at this address. Blocks for a few seconds at most.
#[cfg(target_os = "linux")]
pub fn ask(address: Option<&str>, _keychain: fn() -> KeychainFact) -> BusFacts {
    let nobody = BusFacts { tray: None, keychain: KeychainFact::Absent };
    asked(address, |bus| BusFacts { tray: linux::tray(bus), keychain: linux::keychain(bus) }).unwrap_or(nobody)
}

/// Whether a panel shows tray icons; `None` without a bus. Blocks as [`ask`] does.
#[cfg(target_os = "linux")]
pub fn tray(address: Option<&str>) -> Option<bool> {
    asked(address, linux::tray)?
}

/// The bus's answer; `None` without a bus, or if it does not answer in time.
#[cfg(target_os = "linux")]
fn asked<T: Send + 'static>(address: Option<&str>, ask: fn(&zbus::blocking::Connection) -> T) -> Option<T> {
    let address = address?.to_owned();
    let (answer, answered) = std::sync::mpsc::channel();
    let asking = move || {
        // The caller stops waiting when this takes too long.
        drop(linux::reach(&address).map(|bus| answer.send(ask(&bus))));
    };
    std::thread::Builder::new().name("bus".to_owned()).spawn(asking).ok()?;
    answered.recv_timeout(PATIENCE).ok()
}

/// How long a bus may take to answer.
#[cfg(target_os = "linux")]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);

/// On other systems the tray is part of the system, and the keychain is not on a bus: `keychain` finds its state.
#[cfg(not(target_os = "linux"))]
pub fn ask(_address: Option<&str>, keychain: fn() -> KeychainFact) -> BusFacts {
    BusFacts { tray: Some(true), keychain: keychain() }
}

/// As in [`ask`].
#[cfg(not(target_os = "linux"))]
pub const fn tray(_address: Option<&str>) -> Option<bool> {
    Some(true)
}

#[cfg(target_os = "linux")]
mod linux {
    use zbus::{
        blocking::{Connection, connection::Builder, fdo::DBusProxy},
        zvariant::OwnedValue,
    };

    use super::KeychainFact;

    /// The owner of this name shows tray icons.
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    const SECRETS: &str = "org.freedesktop.secrets";
    /// The collection for secrets that name none.
    const DEFAULT: &str = "/org/freedesktop/secrets/aliases/default";

    pub(super) fn reach(address: &str) -> Option<Connection> {
        Builder::address(address).ok()?.build().ok()
    }

    pub(super) fn tray(bus: &Connection) -> Option<bool> {
        DBusProxy::new(bus).ok()?.name_has_owner(WATCHER.try_into().ok()?).ok()
    }

    /// The bus starts a keychain that is not running, as it does whenever a program asks for a secret.
    pub(super) fn keychain(bus: &Connection) -> KeychainFact {
        let asked = ("org.freedesktop.Secret.Collection", "Locked");
        let properties = Some("org.freedesktop.DBus.Properties");
        let Ok(answer) = bus.call_method(Some(SECRETS), DEFAULT, properties, "Get", &asked) else {
            return KeychainFact::Absent;
        };
        let locked = answer.body().deserialize::<OwnedValue>().ok().and_then(|value| bool::try_from(value).ok());
        match locked {
            Some(true) => KeychainFact::Locked,
            Some(false) => KeychainFact::Open,
            None => KeychainFact::Unknown,
        }
    }
}
