//! A value of which one can tell, without comparing it, whether somebody may have changed it.

use std::ops::{Deref, DerefMut};

/// The value, and how often it was lent to be changed. Only the value counts when two are compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tracked<T> {
    value: T,
    lent: u64,
}

impl<T> Tracked<T> {
    /// Goes up whenever the value is lent to be changed.
    pub(crate) const fn lent(&self) -> u64 {
        self.lent
    }

    /// Counts as lent: whoever does this is told what became of the changes of before.
    pub(crate) const fn touch(&mut self) {
        self.lent += 1;
    }
}

impl<T> From<T> for Tracked<T> {
    fn from(value: T) -> Self {
        Self { value, lent: 0 }
    }
}

impl<T> Deref for Tracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Tracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.lent += 1;
        &mut self.value
    }
}

impl<T: PartialEq> PartialEq for Tracked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Tracked<T> {}
