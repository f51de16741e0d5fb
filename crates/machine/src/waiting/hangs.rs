//! A disk that does not answer, for tests: a thread that announces access to a hanging place waits until it
//! answers again. Accesses without an announcement are not affected.

use std::{
    path::{Path, PathBuf},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

static HUNG: Mutex<Vec<Hung>> = Mutex::new(Vec::new());
static ANSWERS: Condvar = Condvar::new();

struct Hung {
    at: PathBuf,
    waiting: usize,
}

/// A file or folder that hangs, with everything below it, until this is dropped.
#[derive(Debug)]
pub struct Hangs(PathBuf);

impl Hangs {
    pub fn at(place: &Path) -> Self {
        hung().push(Hung { at: place.to_path_buf(), waiting: 0 });
        Self(place.to_path_buf())
    }

    /// Waits until this many threads hang there.
    pub async fn keeps(&self, threads: usize) {
        let waiting = || hung().iter().find(|hung| hung.at == self.0).is_some_and(|hung| hung.waiting >= threads);
        let there = async {
            while !waiting() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), there).await.expect("somebody looks there");
    }
}

impl Drop for Hangs {
    fn drop(&mut self) {
        hung().retain(|hung| hung.at != self.0);
        ANSWERS.notify_all();
    }
}

/// Returns once this place answers.
pub(super) fn answer(at: &Path) {
    let mut hung = hung();
    let mut counted = false;
    while let Some(place) = hung.iter_mut().find(|hung| at.starts_with(&hung.at)) {
        place.waiting += usize::from(!std::mem::replace(&mut counted, true));
        hung = ANSWERS.wait(hung).unwrap_or_else(PoisonError::into_inner);
    }
}

fn hung() -> MutexGuard<'static, Vec<Hung>> {
    HUNG.lock().unwrap_or_else(PoisonError::into_inner)
}
