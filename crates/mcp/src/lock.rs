//! Locks of this crate, which are held for moments only.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks the mutex. Nothing panics while holding it, so a poisoned one is valid.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
