//! How a program is started that works in the background: without a window of its own.
//!
//! On Windows a console program that is started by a program without a console opens one, and the person sees it
//! flash. What the program gets (arguments, variables, streams) is left to the caller.

use std::{ffi::OsStr, process::Command};

/// A program that opens no console window.
pub fn background(program: impl AsRef<OsStr>) -> Command {
    #[cfg_attr(not(windows), expect(unused_mut, reason = "only Windows has the flag"))]
    let mut command = Command::new(program);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(
        &mut command,
        windows_sys::Win32::System::Threading::CREATE_NO_WINDOW,
    );
    command
}
