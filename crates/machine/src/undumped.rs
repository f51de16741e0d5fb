//! Protects this process' memory, through which secrets pass: no crash writes it to the disk, and no other
//! program of this user reads it.

use std::io;

/// Keeps the memory of this process out of core files and from debuggers, until it executes another program.
/// Its child processes write no core file either, and cannot change that: servers have secrets in their
/// environment, a password manager has them in its memory, and the others are not worth a second rule. (Where the limit was 0
/// before, a program that receives core files gets those of children.) Every
/// Skilltender program calls this first. Does nothing on Windows.
///
/// # Errors
/// When the system refuses, which no system does for a lower limit.
#[cfg(unix)]
pub fn keep_memory_to_ourselves() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let at_most = |bytes| setrlimit(Resource::Core, Rlimit { current: Some(bytes), maximum: Some(bytes) });
    // Where a program receives core files (systemd-coredump, apport), Linux gives it those that a limit of 0 forbids too,
    // and it keeps the environment even of a process whose memory it drops. At a limit of 1, which is for such a program
    // itself, Linux starts none; and no core file is that small. A limit that is 0 already cannot be raised.
    if cfg!(not(target_os = "linux")) || at_most(1).is_err() {
        at_most(0)?;
    }
    // A process that is not dumpable has none in any case.
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
        let before = getrlimit(Resource::Core).maximum;
        super::keep_memory_to_ourselves().unwrap();
        let limit = getrlimit(Resource::Core);
        // 1 keeps receivers of core files away, which 0 does not; but nobody may raise a limit, except root.
        let most = if before == Some(0) { limit.maximum } else { Some(1) };
        assert_eq!((limit.current, limit.maximum), (most, most));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }
}
