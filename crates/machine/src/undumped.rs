//! Protects this process' memory, through which secrets pass: no crash writes it to the disk, and no other
//! program of this user reads it.

use std::io;

/// Keeps the memory of this process out of core files and from debuggers, until it executes another program.
/// Its child processes write no core file either, and cannot change that: servers have secrets in their
/// environment, a password manager has them in its memory, and the others are not worth a second rule. Every
/// Skilltender program calls this first. Does nothing on Windows.
///
/// # Errors
/// When the system refuses, which no system does for a lower limit.
#[cfg(unix)]
pub fn keep_memory_to_ourselves() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    // A program that receives core files from the kernel gets one regardless of the limit; a process that is
    // not dumpable has none.
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Windows has neither.
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
