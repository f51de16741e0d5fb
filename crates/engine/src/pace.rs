//! Where files are read: right where they are needed, because a small one on a local disk is there before
//! another thread would have woken up; on a thread of its own while the disk is slow, such as a network
//! folder or a disk that sleeps, because whoever waits there keeps others waiting.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::clock;

/// A disk that let us wait longer than this is slow ...
const SLOW: Duration = Duration::from_millis(5);
/// ... for so long, in milliseconds.
const FOR: u64 = 10_000;

/// How the disk was lately.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Until when it counts as slow, in milliseconds since 1970.
    slow_until: AtomicU64,
}

impl Pace {
    /// Reads here; `None` when that is better done on a thread that may wait.
    pub(crate) fn here<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
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
