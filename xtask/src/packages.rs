//! The system's packages: finds missing ones and installs them when allowed.
//!
//! On Debian and derivatives it shows the command and installs them, when run as root or with sudo without a
//! password; elsewhere it prints the exact command or the list. macOS and Windows need no packages.

use std::{process::Command, thread, time::Duration};

use crate::step::{Done, Failed, output_of, run};

/// Needed to build the window.
pub(crate) const WINDOW: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
    "libdbus-1-dev",
];

/// Needed to test it: a display, a window manager, a session bus, a keychain, WebDriver; tools that inject errors
/// into system calls, and set access lists and attributes of files; what packs an AppImage and an rpm; judges of packages
/// and of their files; the bus of screen readers; what a test drags files from; Chinese letters.
pub(crate) const TESTS: &[&str] = &[
    "xvfb",
    "xauth",
    "webkit2gtk-driver",
    "dbus",
    "gnome-keyring",
    "libsecret-tools",
    "imagemagick",
    "x11-utils",
    "openbox",
    "wmctrl",
    "python3-gi",
    "python3-venv",
    "at-spi2-core",
    "gir1.2-atspi-2.0",
    "gir1.2-gtk-3.0",
    "fonts-noto-core",
    "fonts-wqy-microhei",
    "strace",
    "openssh-client",
    "openssh-server",
    "acl",
    "attr",
    "appstream",
    "desktop-file-utils",
    "squashfs-tools",
    "rpm",
    "cpio",
    "lintian",
    "rpmlint",
    "ruby",
];

/// Makes sure that the packages are installed.
pub(crate) fn ensure(packages: &[&[&str]], yes: bool) -> Done {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let wanted = packages.concat();
    if output_of(Command::new("dpkg-query").arg("--version")).is_none() {
        println!("These Debian packages, under the names of your system, are needed: {}.", wanted.join(" "));
        println!("If they are there already, all is well.");
        return Ok(());
    }
    let missing: Vec<_> = wanted.into_iter().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        println!("All system packages are there.");
        return Ok(());
    }
    install(&missing, yes)
}

fn is_installed(package: &str) -> bool {
    let status = output_of(Command::new("dpkg-query").args(["--show", "--showformat=${db:Status-Status}", package]));
    status.is_some_and(|status| status == "installed")
}

fn install(missing: &[&str], yes: bool) -> Done {
    let install = format!("apt-get install -y --no-install-recommends {}", missing.join(" "));
    let Some(before) = privilege() else {
        return Err(Failed(format!(
            "System packages are missing. Install them with\n\n  sudo apt-get update && sudo {install}\n"
        )));
    };
    println!("System packages are missing. This installs them:\n\n  {before}apt-get update && {before}{install}\n");
    if !yes {
        println!("Starting in 5 seconds; Ctrl-C stops it.");
        thread::sleep(Duration::from_secs(5));
    }
    let mut apt = Command::new("sh");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    run(apt.args(["-c", &format!("{before}apt-get update -qq && {before}{install} -qq >/dev/null")]))
}

/// The prefix of a command that root must run; `None` without permission.
fn privilege() -> Option<&'static str> {
    if output_of(Command::new("id").arg("-u"))? == "0" {
        return Some("");
    }
    output_of(Command::new("sudo").args(["-n", "true"])).map(|_| "sudo ")
}
