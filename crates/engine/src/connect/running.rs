//! Whether a client runs now, by the names of its processes.

use crate::Machine;

/// Whether a process of one of these names runs. What cannot be found out counts as no.
pub(crate) fn any(machine: &Machine, names: &[&str]) -> bool {
    !names.is_empty() && running(machine).iter().any(|running| names.iter().any(|name| is(running, name)))
}

/// The names of what runs: a process may have several.
#[cfg(target_os = "linux")]
fn running(machine: &Machine) -> Vec<String> {
    let mut found = Vec::new();
    for process in std::fs::read_dir(&machine.processes).into_iter().flatten().flatten() {
        if !process.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        found.extend(std::fs::read_to_string(process.path().join("comm")).map(|name| name.trim_end().to_owned()));
        // The kernel keeps 15 bytes of a name; the link has the whole of it.
        found.extend(std::fs::read_link(process.path().join("exe")).ok().and_then(|program| name_of(&program)));
    }
    found
}

#[cfg(target_os = "linux")]
fn name_of(program: &std::path::Path) -> Option<String> {
    Some(program.file_name()?.to_string_lossy().into_owned())
}

/// Elsewhere the system's own program tells it.
#[cfg(not(target_os = "linux"))]
fn running(_: &Machine) -> Vec<String> {
    use std::process::{Command, Stdio};

    let mut command = if cfg!(windows) { Command::new("tasklist") } else { Command::new("/bin/ps") };
    command.args(if cfg!(windows) { &["/fo", "csv", "/nh"][..] } else { &["-axo", "comm="] });
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| named(&String::from_utf8_lossy(&output.stdout), cfg!(windows))).unwrap_or_default()
}

/// The names in what `tasklist /fo csv` or `ps -o comm=` says: a quoted first column, or a path in a line.
#[cfg(any(not(target_os = "linux"), test))]
fn named(said: &str, windows: bool) -> Vec<String> {
    let name = |line: &str| {
        let name = if windows { line.split('"').nth(1)? } else { line.rsplit('/').next()? };
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    };
    said.lines().filter_map(name).collect()
}

/// Windows adds an ending, and neither it nor macOS minds the case.
fn is(running: &str, name: &str) -> bool {
    let bare = running.strip_suffix(".exe").unwrap_or(running);
    if cfg!(target_os = "linux") { bare == name } else { bare.eq_ignore_ascii_case(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_what_windows_and_macos_say() {
        let windows = "\"Claude.exe\",\"812\",\"Console\",\"1\",\"120,000 K\"\r\n\"svchost.exe\",\"4\"\r\n";
        assert_eq!(named(windows, true), ["Claude.exe", "svchost.exe"]);
        assert!(is("Claude.exe", "Claude"));
        let macos = "/sbin/launchd\n/Applications/Claude.app/Contents/MacOS/Claude\n\n";
        assert_eq!(named(macos, false), ["launchd", "Claude"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_found_by_the_name_of_its_program() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a-client-with-a-long-name");
        std::fs::copy("/bin/sleep", &program).unwrap();
        let machine = Machine { processes: "/proc".into(), ..Machine::at(folder.path()).unwrap() };
        let mut child = std::process::Command::new(&program).arg("60").spawn().unwrap();
        assert!(any(&machine, &["nobody", "a-client-with-a-long-name"]));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!any(&machine, &["a-client-with-a-long-name"]));
        assert!(!any(&machine, &[]));
    }
}
