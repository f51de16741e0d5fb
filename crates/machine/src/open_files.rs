//! The limit of open files for this process. The usual limit of 1,024 is too low for today's machines; programs
//! that need more raise it themselves. Connections share it with the skills that are read, so they get a part
//! of it.

use std::io;

/// Enough for every connection, every watched folder and the files read meanwhile.
#[cfg(unix)]
const ENOUGH: u64 = 8192;
/// The maximum number of HTTP connections, if the file limit allows it.
const MOST_CONNECTIONS: usize = 1024;

/// Raises the limit up to `ENOUGH` or the system's maximum, if that is lower. Child processes inherit the
/// raised limit: before, none of them could have opened as many files.
#[cfg(unix)]
pub fn raise() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let enough = maximum.map_or(ENOUGH, |maximum| maximum.min(ENOUGH));
    if current.is_some_and(|current| current < enough)
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(enough), maximum })
    {
        tracing::debug!("the limit of open files stays at {current:?}: {error}");
    }
}

/// Windows has no such limit.
#[cfg(not(unix))]
pub const fn raise() {}

/// The maximum number of HTTP connections: no more than half of all files.
pub fn for_connections() -> usize {
    #[cfg(unix)]
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let files: Option<u64> = None;
    let half = files.and_then(|files| usize::try_from(files / 2).ok()).unwrap_or(MOST_CONNECTIONS);
    half.min(MOST_CONNECTIONS)
}

/// Whether the system ran out of open files or memory, which says nothing about the file to be opened.
pub fn is_shortage(error: &io::Error) -> bool {
    // "Too many open files", in this process and in the system.
    const TOO_MANY: &[i32] = if cfg!(windows) { &[4] } else { &[23, 24] };
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(|code| TOO_MANY.contains(&code))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_half_of_the_files_to_others() {
        raise();
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX);
        assert!(for_connections() as u64 <= files / 2);
    }
}
