//! Memory that is not needed any more goes back to the system after something large was done. glibc alone
//! keeps it for the next time, which in an engine at rest may be tomorrow.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Whoever did something large may still be at it.
const SOON: Duration = Duration::from_secs(1);

/// Gives back what is free now.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "the C library has no other way to be asked")]
    // SAFETY: it takes a number, keeps its own locks, and touches only what is free.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// The same in a moment; once for many calls.
pub(crate) fn give_back_soon() {
    static WAITING: AtomicBool = AtomicBool::new(false);
    if !WAITING.swap(true, Ordering::Relaxed) {
        tokio::spawn(async {
            tokio::time::sleep(SOON).await;
            WAITING.store(false, Ordering::Relaxed);
            give_back();
        });
    }
}
