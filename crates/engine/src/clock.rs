//! The clock, as our files and the window count: milliseconds since 1970.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
pub(crate) fn now() -> u64 {
    milliseconds(SystemTime::now())
}

/// A moment; what lies before 1970 is 1970.
pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
