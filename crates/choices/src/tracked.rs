//! A value that shows, without a comparison, whether it may have changed.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// The value, and how often it was borrowed mutably. Comparisons use only the value. Clones share it until one of them
/// is changed.
#[derive(Debug, Clone, Default)]
pub struct Tracked<T> {
    value: Arc<T>,
    lent: u64,
}

impl<T> Tracked<T> {
    /// Incremented whenever the value is borrowed mutably.
    pub const fn lent(&self) -> u64 {
        self.lent
    }

    /// Counts as a mutable borrow, so that the caller learns the result of earlier changes.
    pub const fn touch(&mut self) {
        self.lent += 1;
    }
}

impl<T> From<T> for Tracked<T> {
    fn from(value: T) -> Self {
        Self { value: Arc::new(value), lent: 0 }
    }
}

impl<T> Deref for Tracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Clone> DerefMut for Tracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.lent += 1;
        Arc::make_mut(&mut self.value)
    }
}

impl<T: PartialEq> PartialEq for Tracked<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.value, &other.value) || self.value == other.value
    }
}

impl<T: Eq> Eq for Tracked<T> {}
