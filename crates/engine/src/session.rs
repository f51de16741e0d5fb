//! The session bus, on which a Linux desktop has its keychain, for those who are not told where it is: clients hand few
//! variables to what they start. The engine that writes keeps where it found the bus.

use std::{fs, path::PathBuf};

use crate::{
    Machine,
    guest::{self, GuestError},
    machine::BUS,
    store,
};

/// In our own folder, which is for the user alone.
const FILE: &str = "session-bus";
/// More than any address has.
const LARGEST: u64 = 4 << 10;

/// Keeps where the bus is.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn keep(machine: &Machine) -> Result<(), GuestError> {
    let Some(address) = &machine.bus else { return Ok(()) };
    let file = file(machine);
    let kept = guest::read(&file, LARGEST).ok().flatten();
    if kept.as_deref() == Some(address.as_bytes()) { Ok(()) } else { store::write(&file, address.as_bytes()) }
}

/// What a process has to be told so that it finds the keychain, as a variable and its value: where the bus was last, when
/// nobody says where it is and there is none in the usual place.
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
