//! A lease on a file (Linux): while we hold one, no program has the file open for writing, and one that tries to open
//! it so waits until we release the lease, which the lease shows.
//!
//! Network file systems answer as if every file were in use, and other systems have no leases: there nothing is known.

use std::fs::File;

/// Another program has the file open for writing.
#[derive(Debug)]
pub(super) struct InUse;

/// Held until dropped.
#[derive(Debug)]
#[cfg(target_os = "linux")]
pub(super) struct Lease<'a>(&'a File);

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no crate has a safe name for these calls, which take and give plain numbers")]
impl<'a> Lease<'a> {
    /// Waits briefly for programs that have the file open for writing. `None` if this cannot be known.
    pub(super) fn take(file: &'a File) -> Result<Option<Self>, InUse> {
        use std::{io, os::fd::AsRawFd as _, thread, time::Duration};

        /// Linux's value, which the crate lacks.
        const F_SETSIG: libc::c_int = 10;
        const TRIES: u32 = 100;
        const PAUSE: Duration = Duration::from_millis(20);
        if is_remote(file) {
            return Ok(None);
        }
        // Notification by an ignored signal, because the default one ends the process.
        // SAFETY: the descriptor is open while `file` is borrowed, and the other arguments are numbers.
        let quiet = unsafe { libc::fcntl(file.as_raw_fd(), F_SETSIG, libc::SIGURG) };
        if quiet == -1 {
            return Ok(None);
        }
        for _ in 0..TRIES {
            // SAFETY: as above.
            if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK) } == 0 {
                return Ok(Some(Self(file)));
            }
            if io::Error::last_os_error().kind() != io::ErrorKind::WouldBlock {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
        Err(InUse)
    }

    /// Whether a program waits for the release, in order to write.
    pub(super) fn is_wanted(&self) -> bool {
        use std::os::fd::AsRawFd as _;

        // SAFETY: as above.
        unsafe { libc::fcntl(self.0.as_raw_fd(), libc::F_GETLEASE) != libc::F_RDLCK }
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "as above")]
impl Drop for Lease<'_> {
    fn drop(&mut self) {
        use std::os::fd::AsRawFd as _;

        // SAFETY: as above.
        unsafe { libc::fcntl(self.0.as_raw_fd(), libc::F_SETLEASE, libc::F_UNLCK) };
    }
}

/// These file systems refuse a lease with the same error as for a file in use.
#[cfg(target_os = "linux")]
fn is_remote(file: &File) -> bool {
    const CIFS: u32 = 0xff53_4d42;
    const SMB2: u32 = 0xfe53_4d42;
    const NFS: u32 = 0x6969;
    // The width of the type differs between systems; the values have 32 bits.
    rustix::fs::fstatfs(file).is_ok_and(|volume| [CIFS, SMB2, NFS].contains(&(volume.f_type as u32)))
}

#[derive(Debug)]
#[cfg(not(target_os = "linux"))]
pub(super) struct Lease<'a>(std::marker::PhantomData<&'a File>);

#[cfg(not(target_os = "linux"))]
impl<'a> Lease<'a> {
    pub(super) fn take(_: &'a File) -> Result<Option<Self>, InUse> {
        Ok(None)
    }

    pub(super) fn is_wanted(&self) -> bool {
        false
    }
}
