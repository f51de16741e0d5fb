//! A keychain in memory with the limits of the smallest real one: for tests, which must not use the user's own. Only a
//! [`Machine`](machine::Machine) with the stand-in for a keychain uses it, and only tests make one.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use keyring_core::Error;
use zeroize::Zeroizing;

/// The limit of the Windows Credential Manager, in bytes.
const LONGEST: usize = 2_560;

static ITEMS: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// The number of writes on this thread after which it is locked.
    static LOCKS_AFTER: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Locks it after this many writes on this thread; `None` never does.
pub fn lock_after(writes: Option<usize>) {
    LOCKS_AFTER.set(writes);
}

/// Labels with an open prompt: a write with one of them waits for the answer.
static OPEN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
static ANSWERED: Condvar = Condvar::new();

/// Makes it prompt before it stores anything with this label.
pub fn open_prompt(label: &'static str) {
    locked(&OPEN).insert(label);
}

/// Answers the prompt.
pub fn answer_prompt(label: &'static str) {
    locked(&OPEN).remove(label);
    ANSWERED.notify_all();
}

/// The accounts with this prefix.
pub fn accounts(start: &str) -> Vec<String> {
    items().keys().filter(|account| account.starts_with(start)).cloned().collect()
}

/// All stored values.
pub fn values() -> Vec<Vec<u8>> {
    items().values().cloned().collect()
}

pub(super) fn write(account: &str, label: &str, bytes: &[u8]) -> keyring_core::Result<()> {
    let mut open = locked(&OPEN);
    while open.contains(label) {
        open = ANSWERED.wait(open).unwrap_or_else(PoisonError::into_inner);
    }
    drop(open);
    match LOCKS_AFTER.get() {
        Some(0) => return Err(Error::NoStorageAccess("locked".into())),
        left => LOCKS_AFTER.set(left.map(|left| left - 1)),
    }
    if bytes.len() > LONGEST {
        return Err(Error::TooLong("secret".to_owned(), u32::try_from(LONGEST).unwrap_or_default()));
    }
    drop(items().insert(account.to_owned(), bytes.to_vec()));
    Ok(())
}

pub(super) fn read(account: &str) -> Option<Zeroizing<Vec<u8>>> {
    items().get(account).cloned().map(Zeroizing::new)
}

pub(super) fn erase(account: &str) {
    drop(items().remove(account));
}

fn items() -> MutexGuard<'static, BTreeMap<String, Vec<u8>>> {
    locked(&ITEMS)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
