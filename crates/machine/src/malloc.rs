//! Returns memory to the system that was needed only for a moment.
//!
//! By itself, glibc returns only the free memory at the end of a heap. Each connection leaves a few kilobytes
//! scattered over it, so after three hundred at once, thirty megabytes stayed until the next three hundred
//! came.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "glibc takes these wishes through C functions only")
)]

use std::time::Duration;

use tokio::{sync::watch, time::sleep};

/// Allocations of at least this many bytes are mapped one by one, and returned when they are freed. By default
/// glibc raises this limit to 32 MiB as soon as something large was freed, and each thread then keeps some of
/// them: a few large answers in a row cost three times as much as one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// How many must have gone to be worth a walk through all free memory.
const MANY: usize = 32;
/// Connections that end together are all gone after this long.
const TOGETHER: Duration = Duration::from_secs(1);

/// Calls `act` whenever many have gone: half of the most since the last call. Ends when the sender of the count
/// is gone.
pub async fn at_ebb(mut present: watch::Receiver<usize>, act: impl Fn()) {
    let mut most = 0;
    while present.changed().await.is_ok() {
        let now = *present.borrow_and_update();
        most = most.max(now);
        if most >= MANY && now <= most / 2 {
            sleep(TOGETHER).await;
            act();
            most = *present.borrow();
        }
    }
}

/// Sets the limit, once for the whole process.
pub fn give_back_large_pieces() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::sync::Once;

        static WISHED: Once = Once::new();
        WISHED.call_once(|| {
            // SAFETY: both arguments are plain numbers, and the function may be called at any time.
            let done = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
            if done == 0 {
                tracing::debug!("the allocator keeps large pieces of memory");
            }
        });
    }
}

/// Returns what is free now, for use after a large operation on small allocations.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes a number, does its own locking, and touches only free memory.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Tells these counts so that each is seen.
    async fn send_each(told: &watch::Sender<usize>, counts: &[usize]) {
        for count in counts {
            told.send_replace(*count);
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn before_half_of_many_have_gone_no_memory_is_given_back() {
        let (told, present) = watch::channel(0);
        let tide = at_ebb(present, || panic!("too few have gone"));
        let counts = async {
            send_each(&told, &[MANY - 1, 0, MANY, MANY / 2 + 1, MANY]).await;
            drop(told);
        };
        // It ends when it has given back what it wants to.
        tokio::join!(biased; tide, counts);
    }

    #[tokio::test]
    async fn memory_is_given_back_once_when_half_of_many_have_gone() {
        let (told, present) = watch::channel(0);
        let times = AtomicUsize::new(0);
        let tide = at_ebb(present, || {
            times.fetch_add(1, Ordering::Relaxed);
        });
        let counts = async {
            send_each(&told, &[MANY, MANY / 2]).await;
            while times.load(Ordering::Relaxed) == 0 {
                sleep(TOGETHER / 20).await;
            }
            // The rest is too few.
            send_each(&told, &[0]).await;
            drop(told);
        };
        tokio::join!(biased; tide, counts);
        assert_eq!(times.into_inner(), 1);
    }
}
