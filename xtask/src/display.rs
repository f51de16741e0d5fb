//! Whether there is a display, and a virtual one for tests.

use std::{env, process::Command};

/// Whether a window could be shown here.
pub(crate) fn there_is_one() -> bool {
    let named = |variable: &str| env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

/// A command that runs another one under a virtual display with its own session bus.
pub(crate) fn virtual_one() -> Command {
    let mut command = Command::new("xvfb-run");
    command.args(["--auto-servernum", "--server-args=-screen 0 1280x800x24", "dbus-run-session", "--"]);
    // Without it WebKit's screenshots are late; with the usual DMA-BUF switches they never arrive.
    command.env("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "1").env("NO_AT_BRIDGE", "1");
    command
}
