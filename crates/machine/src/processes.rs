//! The processes on this computer: their names and, where the system reports them directly, their ids and start
//! times.

#[cfg(target_os = "linux")]
use std::path::Path;

use crate::Machine;

/// One process on Linux.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Its names: the kernel's, which is cut to 15 bytes, and that of its program.
    pub names: Vec<String>,
    /// Its process id.
    pub id: u32,
    /// When it started, in milliseconds since 1970; accurate to the second.
    pub started: u64,
}

impl Process {
    /// Whether one of these names is one of its own.
    pub fn goes_by(&self, names: &[&str]) -> bool {
        self.names.iter().any(|running| names.iter().any(|name| is(running, name)))
    }
}

/// Whether a process of one of these names runs; `false` if the system does not say.
pub fn runs(machine: &Machine, names: &[&str]) -> bool {
    !names.is_empty() && running(machine).iter().any(|running| names.iter().any(|name| is(running, name)))
}

/// Windows adds an extension, and Windows and macOS ignore the case.
fn is(running: &str, name: &str) -> bool {
    let bare = running.strip_suffix(".exe").unwrap_or(running);
    if cfg!(target_os = "linux") { bare == name } else { bare.eq_ignore_ascii_case(name) }
}

/// The names of all processes: a process may have several.
#[cfg(target_os = "linux")]
fn running(machine: &Machine) -> Vec<String> {
    processes(machine).into_iter().flatten().flat_map(|process| process.names).collect()
}

/// On other systems, their own program lists them.
#[cfg(not(target_os = "linux"))]
fn running(_: &Machine) -> Vec<String> {
    use std::process::Stdio;

    let mut command = crate::background(if cfg!(windows) { "tasklist" } else { "/bin/ps" });
    command.args(if cfg!(windows) { &["/fo", "csv", "/nh"][..] } else { &["-axo", "comm="] });
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.map(|output| named(&String::from_utf8_lossy(&output.stdout), cfg!(windows))).unwrap_or_default()
}

/// The names in the output of `tasklist /fo csv` or `ps -o comm=`: a quoted first column, or a path in a line.
#[cfg(any(not(target_os = "linux"), test))]
fn named(said: &str, windows: bool) -> Vec<String> {
    let name = |line: &str| {
        let name = if windows { line.split('"').nth(1)? } else { line.rsplit('/').next()? };
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    };
    said.lines().filter_map(name).collect()
}

/// The ticks per second in which Linux reports times to programs.
#[cfg(target_os = "linux")]
const TICKS: u64 = 100;

/// Every process that may be inspected.
#[cfg(target_os = "linux")]
pub fn processes(machine: &Machine) -> Option<Vec<Process>> {
    listed(&machine.processes)
}

/// Other systems do not report it as directly.
#[cfg(not(target_os = "linux"))]
pub const fn processes(_: &Machine) -> Option<Vec<Process>> {
    None
}

/// Every process in the folder where Linux lists them.
#[cfg(target_os = "linux")]
fn listed(listed: &Path) -> Option<Vec<Process>> {
    let booted = booted(&std::fs::read_to_string(listed.join("stat")).ok()?)?;
    let found = std::fs::read_dir(listed).ok()?.flatten().filter_map(|process| {
        let id = process.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        let (name, ticks) = name_and_start(&stat)?;
        let program = std::fs::read_link(process.path().join("exe")).ok();
        let program = program.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let names = [Some(name.to_owned()), program].into_iter().flatten().collect();
        Some(Process { names, id, started: booted * 1_000 + ticks * 1_000 / TICKS })
    });
    Some(found.collect())
}

/// When the computer started, in seconds since 1970.
#[cfg(target_os = "linux")]
fn booted(stat: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

/// The name in brackets, which may contain anything, and the 22nd column: ticks since the computer started.
#[cfg(target_os = "linux")]
fn name_and_start(stat: &str) -> Option<(&str, u64)> {
    let (head, rest) = stat.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    Some((name, rest.split_ascii_whitespace().nth(19)?.parse().ok()?))
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
    fn a_name_with_brackets_and_blanks_is_read() {
        let stat = "812 (a) b (c) S 1 812 812 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 2 3";
        assert_eq!(name_and_start(stat), Some(("a) b (c", 4711)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_found_and_started_before_now() {
        let ours =
            listed(Path::new("/proc")).unwrap().into_iter().find(|process| process.id == std::process::id()).unwrap();
        assert!(ours.started <= crate::clock::now() + 1_000);
        let program = std::env::current_exe().unwrap();
        assert!(ours.goes_by(&[program.file_name().unwrap().to_str().unwrap()]));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_found_by_the_name_of_its_program() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a-client-with-a-long-name");
        ::tests::copy_program("/bin/sleep".as_ref(), &program);
        let machine = Machine { processes: "/proc".into(), ..Machine::at(folder.path()).unwrap() };
        let mut child = std::process::Command::new(&program).arg("60").spawn().unwrap();
        assert!(runs(&machine, &["nobody", "a-client-with-a-long-name"]));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!runs(&machine, &["a-client-with-a-long-name"]));
        assert!(!runs(&machine, &[]));
    }
}
