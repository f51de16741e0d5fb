//! The user's session on the desktop: its bus, and what starts with it ([`login_start`])
//! and what its menu of programs shows ([`app_menu`]).
//!
//! On the bus a Linux desktop has its keychain. Processes that clients start get few variables and not its address, so
//! the writing engine saves the one that it found.

pub(crate) mod app_menu;
mod desktop_entry;
pub(crate) mod login_start;

use std::{fs, path::PathBuf};

use files::{
    replace_file::{self, ReplaceError},
    store,
};
use machine::{BUS, Machine};

/// In the data folder, which only the user may enter.
const FILE: &str = "session-bus";
/// In bytes; more than any address has.
const LARGEST: u64 = 4 << 10;

/// Saves the address of the bus.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn keep(machine: &Machine) -> Result<(), ReplaceError> {
    let Some(address) = &machine.bus else { return Ok(()) };
    let file = file(machine);
    let kept = replace_file::read(&file, LARGEST).ok().flatten();
    if kept.as_deref() == Some(address.as_bytes()) { Ok(()) } else { store::write(&file, address.as_bytes()) }
}

/// The variable, with its value, by which a process finds the keychain: the last known address of the bus, if
/// the environment names none and the usual place has none.
pub fn to_find_the_keychain(machine: &Machine) -> Option<(&'static str, String)> {
    let kept = || fs::read_to_string(file(machine)).ok().filter(|address| !address.is_empty());
    if machine.bus.is_some() { None } else { Some((BUS, kept()?)) }
}

fn file(machine: &Machine) -> PathBuf {
    machine.data.join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_told_where_the_bus_is_learns_it_from_the_engine_that_was() {
        let home = tempfile::tempdir().unwrap();
        let nobody_says = Machine::at(home.path()).unwrap();
        assert_eq!(to_find_the_keychain(&nobody_says), None);
        let address = "unix:path=/tmp/dbus-4711".to_owned();
        let told = Machine { bus: Some(address.clone()), ..nobody_says.clone() };
        keep(&told).unwrap();
        assert_eq!(to_find_the_keychain(&nobody_says), Some((BUS, address)));
        assert_eq!(to_find_the_keychain(&told), None, "who knows it needs no telling");
    }
}
