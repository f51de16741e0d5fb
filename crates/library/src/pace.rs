//! Chooses where to read files: on the current thread, because a small file on a local disk is there before
//! another thread would have woken up; or on a thread of its own while the disk is slow (a network folder, a
//! sleeping disk), so that the wait blocks no others.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use machine::clock;

/// A disk that takes longer than this is slow ...
const SLOW: Duration = Duration::from_millis(5);
/// ... for this long, in milliseconds.
const FOR: u64 = 10_000;

/// How fast the disk was lately.
#[derive(Debug, Default)]
pub struct Pace {
    /// Until when it counts as slow, in milliseconds since 1970.
    slow_until: AtomicU64,
}

impl Pace {
    /// Reads on this thread; `None` when a thread that may wait should do it.
    pub fn here<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
        if clock::now() < self.slow_until.load(Ordering::Relaxed) {
            return None;
        }
        let start = Instant::now();
        let value = read();
        if start.elapsed() > SLOW {
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
        let pace = Pace::default();
        assert_eq!(pace.here(|| 1), Some(1));
        pace.here(|| std::thread::sleep(2 * SLOW));
        assert_eq!(pace.here(|| 1), None);
        pace.slow_until.store(clock::now(), Ordering::Relaxed);
        assert_eq!(pace.here(|| 1), Some(1));
    }
}
