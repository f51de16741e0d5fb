//! Starting the app when its user logs in: an entry in a file or a registry value of the desktop.
//!
//! The entry itself is the truth, because desktops have a page of their own to switch it off: it is read, and nothing
//! about it is remembered. On Linux it is a desktop entry in the autostart folder (Desktop Application Autostart
//! Specification 0.5), on macOS a launch agent, on Windows a value of the key `Run`. The app is started with
//! [`BACKGROUND`]: the tray, and no window. What the entry says is here; where it is kept is left to `entry`.

mod entry;
#[cfg(windows)]
mod registry;

use std::path::Path;

use api::DesktopEntry;
use files::{replace_file::ReplaceError, store};
use machine::{Machine, make_private};

pub use entry::BACKGROUND;

/// Whether the app starts at login, and if that cannot be switched on, why.
pub(crate) fn read(machine: &Machine) -> DesktopEntry {
    DesktopEntry { on: is_on(machine), trouble: why_not(machine) }
}

/// Why the app cannot be started at login, as a sentence.
pub(crate) fn why_not(machine: &Machine) -> Option<String> {
    if !machine.default_data {
        return Some(format!(
            "This Skilltender has a data folder of its own, {}; only the one with the usual folder is started at login.",
            machine.place(&machine.data)
        ));
    }
    match &machine.app {
        Some(app) if entry::can_name(machine.places.platform, app) => None,
        Some(app) => {
            Some(format!("A desktop cannot start {}: move the app to a folder with a simpler name.", app.display()))
        }
        None => Some("The app with the window and the tray is not installed beside this program.".to_owned()),
    }
}

/// Writes the entry, or removes it.
///
/// # Errors
/// When the disk or the registry refuses.
pub(crate) fn switch(machine: &Machine, on: bool) -> Result<(), ReplaceError> {
    let app = machine.app.as_deref().unwrap_or(Path::new(""));
    #[cfg(windows)]
    if machine.places.platform == clients::Platform::Windows {
        let wrote = if on { registry::write(&entry::command(app)) } else { registry::remove() };
        return wrote.map_err(|source| ReplaceError::System { path: registry::RUN.into(), source });
    }
    let path = entry::path(&machine.places);
    let system = |source| ReplaceError::from_system(&path, source);
    if !on {
        return match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(system(error)),
            _ => Ok(()),
        };
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
        make_private(folder).map_err(system)?;
    }
    store::write(&path, entry::text(machine.places.platform, app).as_bytes())
}

/// Writes an entry that is on anew when the program in it is gone, as after an AppImage was moved. For the app, at its
/// start.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn renew(machine: &Machine) -> Result<(), ReplaceError> {
    let is_gone = || {
        let started = entry::program(machine.places.platform, &said(machine)?)?;
        (!Path::new(&started).exists()).then_some(())
    };
    if is_on(machine) && why_not(machine).is_none() && is_gone().is_some() { switch(machine, true) } else { Ok(()) }
}

fn is_on(machine: &Machine) -> bool {
    #[cfg(windows)]
    if machine.places.platform == clients::Platform::Windows && !registry::is_approved() {
        return false;
    }
    said(machine).is_some_and(|entry| entry::is_on(machine.places.platform, &entry))
}

/// The entry as it is.
fn said(machine: &Machine) -> Option<String> {
    #[cfg(windows)]
    if machine.places.platform == clients::Platform::Windows {
        return registry::read();
    }
    std::fs::read_to_string(entry::path(&machine.places)).ok()
}

#[cfg(test)]
mod tests;
