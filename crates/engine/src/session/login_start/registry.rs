//! The login entry on Windows: our value of the user's key `Run`, and whether the Task Manager lets it start.

use std::io;

use windows_registry::CURRENT_USER;

/// The programs that start when the user logs in.
pub(super) const RUN: &str = r"Software\Microsoft\Windows\CurrentVersion\Run";
/// What the Task Manager switched off: a value whose first byte is odd.
const APPROVED: &str = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run";
const NAME: &str = "Skilltender";

pub(super) fn read() -> Option<String> {
    CURRENT_USER.open(RUN).and_then(|key| key.get_string(NAME)).ok()
}

/// Writes the value. A person who switches it on here overrules what they switched off in the Task Manager.
pub(super) fn write(command: &str) -> io::Result<()> {
    CURRENT_USER.create(RUN)?.set_string(NAME, command)?;
    drop(remove_from(APPROVED));
    Ok(())
}

pub(super) fn remove() -> io::Result<()> {
    drop(remove_from(APPROVED));
    if read().is_none() { Ok(()) } else { remove_from(RUN) }
}

pub(super) fn is_approved() -> bool {
    let said = CURRENT_USER.open(APPROVED).and_then(|key| key.get_value(NAME));
    !said.is_ok_and(|value| value.first().is_some_and(|byte| byte % 2 == 1))
}

fn remove_from(key: &str) -> io::Result<()> {
    CURRENT_USER.options().write().open(key)?.remove_value(NAME)?;
    Ok(())
}
