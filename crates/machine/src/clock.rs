//! The clock of our files and the window: milliseconds since 1970.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current time.
pub fn now() -> u64 {
    milliseconds(SystemTime::now())
}

/// A point in time; anything before 1970 counts as 1970.
pub fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
