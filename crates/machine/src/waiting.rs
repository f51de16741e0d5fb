//! Who may wait for whom: every lock of this crate, and its rule.
//!
//! A [`Mutex`] is held for a moment, never during an operation that may block: a disk, the keychain, a child.
//! So every thread may take it, even the loop. A [`Turn`] orders work on the disk; only a thread that may wait
//! takes it, and never while a person may be asked. The loop itself waits for nothing else. Blocking operations
//! announce themselves with [`for_disk`] and [`for_person`], which check their caller in every build with debug
//! assertions, and so in every test.
//!
//! Neither kind is poisoned: a release ends with its first panic, and a test that continues after one finds the
//! value as the panic left it.

#[cfg(debug_assertions)]
mod hangs;

#[cfg(debug_assertions)]
use std::cell::Cell;
use std::{
    ops::{Deref, DerefMut},
    path::Path,
    time::Duration,
};

#[cfg(debug_assertions)]
pub use hangs::Hangs;

#[cfg(debug_assertions)]
thread_local! {
    static HERE: Cell<Here> = const { Cell::new(Here { mutexes: 0, turns: 0, is_loop: false }) };
}

/// The locks that this thread holds, and whether it is one that never waits.
#[cfg(debug_assertions)]
#[derive(Clone, Copy)]
struct Here {
    mutexes: u32,
    turns: u32,
    is_loop: bool,
}

/// A lock that is held for a moment.
#[derive(Debug, Default)]
pub struct Mutex<T>(parking_lot::Mutex<T>);

/// The value of a [`Mutex`], until this is dropped.
#[derive(Debug)]
pub struct MutexGuard<'m, T>(parking_lot::MutexGuard<'m, T>);

/// The order of threads that work on the disk.
#[derive(Debug, Default)]
pub struct Turn<T>(parking_lot::Mutex<T>);

/// A turn, until this is dropped.
#[derive(Debug)]
pub struct TurnGuard<'t, T>(parking_lot::MutexGuard<'t, T>);

/// Marks this thread as one that never waits: the loop.
pub fn never_here() {
    #[cfg(debug_assertions)]
    HERE.set(Here { is_loop: true, ..HERE.get() });
}

/// Must be called before a file or folder at this path is read or written.
#[track_caller]
pub fn for_disk(at: &Path) {
    may_wait();
    #[cfg(debug_assertions)]
    hangs::answer(at);
    let _ = at;
}

#[track_caller]
fn may_wait() {
    #[cfg(debug_assertions)]
    {
        let here = HERE.get();
        assert!(!here.is_loop, "the loop waits for a disk");
        assert!(here.mutexes == 0, "the next holder of this lock waits for a disk");
    }
}

/// Must be called before a child is started or the keychain is asked, which may ask its person.
#[track_caller]
pub fn for_person() {
    may_wait();
    #[cfg(debug_assertions)]
    assert!(HERE.get().turns == 0, "the next in turn waits for a person");
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Self {
        Self(parking_lot::Mutex::new(value))
    }

    /// Locks the value, once no other thread holds it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let guard = self.0.lock();
        #[cfg(debug_assertions)]
        HERE.set(Here { mutexes: HERE.get().mutexes + 1, ..HERE.get() });
        MutexGuard(guard)
    }
}

impl<T> Turn<T> {
    /// A value that threads work on one after the other.
    pub const fn new(value: T) -> Self {
        Self(parking_lot::Mutex::new(value))
    }

    /// Waits for a turn.
    #[track_caller]
    pub fn wait(&self) -> TurnGuard<'_, T> {
        may_wait();
        TurnGuard::holding(self.0.lock())
    }

    /// Waits for a turn for at most `patience`; `None` when its holder hangs.
    #[track_caller]
    pub fn wait_at_most(&self, patience: Duration) -> Option<TurnGuard<'_, T>> {
        may_wait();
        self.0.try_lock_for(patience).map(TurnGuard::holding)
    }
}

impl<'t, T> TurnGuard<'t, T> {
    fn holding(guard: parking_lot::MutexGuard<'t, T>) -> Self {
        #[cfg(debug_assertions)]
        HERE.set(Here { turns: HERE.get().turns + 1, ..HERE.get() });
        Self(guard)
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

    /// Whether an act is allowed, on a thread of its own.
    fn may(act: impl FnOnce() + Send + 'static) -> bool {
        thread::spawn(act).join().is_ok()
    }

    #[test]
    fn whoever_holds_a_lock_that_others_want_at_once_may_not_wait() {
        static LOCK: Mutex<()> = Mutex::new(());
        assert!(may(for_person));
        assert!(!may(|| {
            let _held = LOCK.lock();
            for_disk(Path::new("/"));
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
            for_disk(Path::new("/"));
        }));
        assert!(!may(|| {
            let _turn = TURN.wait();
            for_person();
        }));
    }

    #[test]
    fn whoever_waits_for_a_turn_no_longer_than_they_said_goes_on_without_it() {
        static TURN: Turn<()> = Turn::new(());
        let held = TURN.wait();
        assert!(may(|| assert!(TURN.wait_at_most(Duration::from_millis(10)).is_none())));
        drop(held);
        assert!(may(|| {
            let _turn = TURN.wait_at_most(Duration::from_secs(60)).unwrap();
            for_disk(Path::new("/"));
        }));
    }

    #[test]
    fn the_loop_waits_for_nothing_but_a_lock_of_a_moment() {
        static TURN: Turn<()> = Turn::new(());
        static LOCK: Mutex<()> = Mutex::new(());
        for waits in [|| for_disk(Path::new("/")), for_person, || drop(TURN.wait())] {
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
