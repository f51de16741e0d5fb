//! Chooses where to read files: on the current thread, because a small file on a local disk is there before
//! another thread would have woken up; or on a thread of its own while the disk is slow (a network folder, a
//! sleeping disk), so that the wait blocks no others.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use machine::clock;

/// Half a turn of a hard disk: a file on a local disk is there earlier.
const SLOW: Duration = Duration::from_millis(5);
/// For how long a disk counts as slow, in milliseconds.
const FOR: u64 = 10_000;

/// How fast the disk was lately.
#[derive(Debug)]
pub struct Pace {
    /// A disk that takes longer than this is slow.
    slow: Duration,
    /// Until when it counts as slow, in milliseconds since 1970.
    slow_until: AtomicU64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { slow: SLOW, slow_until: AtomicU64::new(0) }
    }
}

impl Pace {
    /// Reads on this thread; `None` when a thread that may wait should do it.
    pub fn here<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
        if clock::now() < self.slow_until.load(Ordering::Relaxed) {
            return None;
        }
        let start = Instant::now();
        let value = read();
        if start.elapsed() >= self.slow {
            self.slow_until.store(clock::now() + FOR, Ordering::Relaxed);
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_let_us_wait_is_read_elsewhere_for_a_while() {
        let fast = Pace { slow: Duration::MAX, ..Pace::default() };
        assert_eq!((fast.here(|| 1), fast.here(|| 2)), (Some(1), Some(2)));

        let pace = Pace { slow: Duration::ZERO, ..Pace::default() };
        assert_eq!(pace.here(|| 1), Some(1));
        assert_eq!(pace.here(|| 1), None);
        pace.slow_until.store(clock::now(), Ordering::Relaxed);
        assert_eq!(pace.here(|| 1), Some(1));
    }
}
