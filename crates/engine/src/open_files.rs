//! How many files this process may have open. The usual limit of 1,024 is one that no machine needs: what asks for more
//! today raises it by itself. Connections share it with the skills that are read, so they get a part of it.

/// Enough for every connection, every watched folder and what is read meanwhile.
#[cfg(unix)]
const ENOUGH: u64 = 8192;
/// How many connections over HTTP there are at most, where there are files enough.
const MOST_CONNECTIONS: usize = 1024;

/// Raises the limit as far as the system lets us, and no further than is enough. What we start inherits it, as it is:
/// none of them could have opened as many before.
#[cfg(unix)]
pub(crate) fn raise() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let enough = maximum.map_or(ENOUGH, |maximum| maximum.min(ENOUGH));
    if current.is_some_and(|current| current < enough)
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(enough), maximum })
    {
        tracing::debug!("the limit of open files stays at {current:?}: {error}");
    }
}

/// Windows knows no such limit.
#[cfg(not(unix))]
pub(crate) const fn raise() {}

/// How many connections over HTTP there may be: no more than half of all files.
pub(crate) fn for_connections() -> usize {
    #[cfg(unix)]
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let files: Option<u64> = None;
    let half = files.and_then(|files| usize::try_from(files / 2).ok()).unwrap_or(MOST_CONNECTIONS);
    half.min(MOST_CONNECTIONS)
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
