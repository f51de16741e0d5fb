//! What runs on this computer since when, as far as the system tells it plainly.

use std::path::Path;

/// One process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    /// The names that it goes by: what the kernel keeps of it, and its program's.
    pub(crate) names: Vec<String>,
    /// Its number.
    pub(crate) id: u32,
    /// When it started, in milliseconds since 1970; to the second.
    pub(crate) started: u64,
}

/// The ticks of a second in which Linux tells programs of time.
#[cfg(target_os = "linux")]
const TICKS: u64 = 100;

/// Every process that may be looked at; `listed` is where Linux lists them.
#[cfg(target_os = "linux")]
pub(crate) fn processes(listed: &Path) -> Option<Vec<Process>> {
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

/// Elsewhere nothing as plain tells it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processes(_listed: &Path) -> Option<Vec<Process>> {
    None
}

/// When the computer started, in seconds since 1970.
#[cfg(target_os = "linux")]
fn booted(stat: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

/// The name in brackets, which may hold anything, and the 22nd column: ticks since the computer started.
#[cfg(target_os = "linux")]
fn name_and_start(stat: &str) -> Option<(&str, u64)> {
    let (head, rest) = stat.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    Some((name, rest.split_ascii_whitespace().nth(19)?.parse().ok()?))
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_read() {
        let stat = "812 (a) b (c) S 1 812 812 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 2 3";
        assert_eq!(name_and_start(stat), Some(("a) b (c", 4711)));
    }

    #[test]
    fn this_process_is_found_and_started_before_now() {
        let ours = processes(Path::new("/proc"))
            .unwrap()
            .into_iter()
            .find(|process| process.id == std::process::id())
            .unwrap();
        assert!(ours.started <= crate::clock::now() + 1_000);
        let program = std::env::current_exe().unwrap();
        assert!(ours.names.contains(&program.file_name().unwrap().to_string_lossy().into_owned()));
    }
}
