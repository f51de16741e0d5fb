//! Who may wait for whom: every lock of this crate, and the rule that holds for them.
//!
//! A [`Mutex`] is held for a moment, never while something is asked that may keep us waiting: a disk, the keychain, a
//! child. So everybody may take it, the loop too. A [`Turn`] orders work on the disk; only a thread that may wait takes
//! it, and never while a person may be asked. The loop itself waits for nothing else. What may wait says so with
//! [`for_disk`] and [`for_person`], which hold their caller to this in every build with debug assertions, and so in every
//! test.
//!
//! Neither kind knows poison: what ships ends with its first panic, and a test that goes on after one finds the value as
//! the panic left it.

#[cfg(debug_assertions)]
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

#[cfg(debug_assertions)]
thread_local! {
    static HERE: Cell<Here> = const { Cell::new(Here { mutexes: 0, turns: 0, is_loop: false }) };
}

/// What this thread holds, and whether it is one that never waits.
#[cfg(debug_assertions)]
#[derive(Clone, Copy)]
struct Here {
    mutexes: u32,
    turns: u32,
    is_loop: bool,
}

/// A lock that is held for a moment.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(parking_lot::Mutex<T>);

/// The value of a [`Mutex`], until this is dropped.
#[derive(Debug)]
pub(crate) struct MutexGuard<'m, T>(parking_lot::MutexGuard<'m, T>);

/// A place in the order of those who work on the disk.
#[derive(Debug, Default)]
pub(crate) struct Turn<T>(parking_lot::Mutex<T>);

/// One's turn, until this is dropped.
#[derive(Debug)]
pub(crate) struct TurnGuard<'t, T>(parking_lot::MutexGuard<'t, T>);

/// This thread is one that never waits: the loop.
pub(crate) fn never_here() {
    #[cfg(debug_assertions)]
    HERE.set(Here { is_loop: true, ..HERE.get() });
}

/// Said before a file is looked at or written.
#[track_caller]
pub(crate) fn for_disk() {
    #[cfg(debug_assertions)]
    {
        let here = HERE.get();
        assert!(!here.is_loop, "the loop waits for a disk");
        assert!(here.mutexes == 0, "whoever wants this lock waits for a disk");
    }
}

/// Said before a child is started or the keychain is asked, which may ask its person.
#[track_caller]
pub(crate) fn for_person() {
    for_disk();
    #[cfg(debug_assertions)]
    assert!(HERE.get().turns == 0, "whoever waits for this turn waits for a person");
}

impl<T> Mutex<T> {
    /// A lock around a value.
    pub(crate) const fn new(value: T) -> Self {
        Self(parking_lot::Mutex::new(value))
    }

    /// The value, once nobody else has it.
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        let guard = self.0.lock();
        #[cfg(debug_assertions)]
        HERE.set(Here { mutexes: HERE.get().mutexes + 1, ..HERE.get() });
        MutexGuard(guard)
    }
}

impl<T> Turn<T> {
    /// Something that is worked on by one after the other.
    pub(crate) const fn new(value: T) -> Self {
        Self(parking_lot::Mutex::new(value))
    }

    /// Waits until it is one's turn.
    #[track_caller]
    pub(crate) fn wait(&self) -> TurnGuard<'_, T> {
        for_disk();
        let guard = self.0.lock();
        #[cfg(debug_assertions)]
        HERE.set(Here { turns: HERE.get().turns + 1, ..HERE.get() });
        TurnGuard(guard)
    }
}

macro_rules! guard {
    ($guard:ident, $count:ident) => {
        impl<T> Deref for $guard<'_, T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> DerefMut for $guard<'_, T> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }

        #[cfg(debug_assertions)]
        impl<T> Drop for $guard<'_, T> {
            fn drop(&mut self) {
                HERE.set(Here { $count: HERE.get().$count.saturating_sub(1), ..HERE.get() });
            }
        }
    };
}

guard!(MutexGuard, mutexes);
guard!(TurnGuard, turns);

#[cfg(test)]
mod tests {
    use std::{panic, thread};

    use super::*;

    /// Whether an act is let through, on a thread of its own.
    fn may(act: impl FnOnce() + Send + 'static) -> bool {
        thread::spawn(act).join().is_ok()
    }

    #[test]
    fn whoever_holds_a_lock_that_others_want_at_once_may_not_wait() {
        static LOCK: Mutex<()> = Mutex::new(());
        assert!(may(for_person));
        assert!(!may(|| {
            let _held = LOCK.lock();
            for_disk();
        }));
        assert!(may(|| {
            drop(LOCK.lock());
            for_person();
        }));
    }

    #[test]
    fn a_turn_is_for_the_disk_and_for_nobody_who_asks_a_person() {
        static TURN: Turn<()> = Turn::new(());
        assert!(may(|| {
            let _turn = TURN.wait();
            for_disk();
        }));
        assert!(!may(|| {
            let _turn = TURN.wait();
            for_person();
        }));
    }

    #[test]
    fn the_loop_waits_for_nothing_but_a_lock_of_a_moment() {
        static TURN: Turn<()> = Turn::new(());
        static LOCK: Mutex<()> = Mutex::new(());
        for waits in [for_disk, for_person, || drop(TURN.wait())] {
            assert!(!may(move || {
                never_here();
                waits();
            }));
        }
        assert!(may(|| {
            never_here();
            drop(LOCK.lock());
        }));
    }

    #[test]
    fn what_is_in_a_lock_outlives_a_panic() {
        let lock = Mutex::new(1);
        let panicked = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            *lock.lock() = 2;
            let _held = lock.lock();
            panic!("with the lock");
        }));
        assert!(panicked.is_err());
        assert_eq!(*lock.lock(), 2);
    }
}
