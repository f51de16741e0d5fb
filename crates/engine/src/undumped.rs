//! Our own memory, in which secrets pass: no crash writes it to the disk, and no other program of this user reads it.

use std::io;

/// Keeps the memory of this process out of core files and from debuggers, for as long as it is this program. Whatever it
/// starts writes no core file either. It is the first thing that a program of ours does. On Windows nothing is done.
///
/// # Errors
/// When the system refuses, which it does to nobody who asks for less.
#[cfg(unix)]
pub fn keep_memory_to_ourselves() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // A program that takes core files from the kernel gets one whatever the limit; nobody gets one of such a process.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Windows knows neither.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub const fn keep_memory_to_ourselves() -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::{DumpableBehavior, Resource, dumpable_behavior, getrlimit};

    #[test]
    fn no_memory_of_ours_reaches_the_disk_or_a_debugger() {
        super::keep_memory_to_ourselves().unwrap();
        let limit = getrlimit(Resource::Core);
        assert_eq!((limit.current, limit.maximum), (Some(0), Some(0)));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }
}
