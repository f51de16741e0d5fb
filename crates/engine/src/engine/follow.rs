//! Follows the disk: changed places are scanned again, and the results become changes of the state.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use library::{
    Library, Root,
    walk::Scope,
    watch::{Seen, Watch},
};
use machine::{
    Mode,
    waiting::{MutexGuard, TurnGuard},
};
use tokio::time::timeout;

use crate::engine::{Engine, Inner, Look};

/// How long a client waits for a scan of the library. A disk that has not answered by then may never answer, so the
/// library is served as it was.
const PATIENCE: Duration = Duration::from_secs(5);

/// Returning to the window within this time shows the previous results.
const JUST_NOW: Duration = Duration::from_secs(2);

impl Engine {
    /// Scans the whole library and every watched file again: after the computer woke up, a disk was mounted, or the
    /// window came to the front.
    pub async fn look_again(&self) {
        let engine = self.clone();
        let look = move || {
            let just_now = Instant::now().checked_sub(JUST_NOW);
            if just_now.is_none_or(|just_now| !engine.swept_since(just_now)) {
                engine.see(Seen::Anything);
            }
        };
        // As in `sweep`.
        drop(tokio::task::spawn_blocking(look).await);
        drop(self.state().flush().await);
    }

    /// Scans folders of the library again. When this returns, the results are published, and the resulting choices are
    /// saved or reported as unsaved.
    pub(crate) async fn sweep(&self, fresh: Scope) {
        let engine = self.clone();
        // Neither can fail while the engine runs; a stopped one needs no scan.
        drop(tokio::task::spawn_blocking(move || engine.sweep_here(&fresh)).await);
        drop(self.state().change(|state| state.choices.touch()).await);
    }

    /// Ensures that every disk change before this call is seen.
    ///
    /// Where everything is watched, it is enough that the watch has reported its events, or that the last full scan is
    /// less than `age` old; before that, that the fence around the first reading holds. Otherwise the whole library is
    /// scanned. Concurrent callers share one scan.
    pub(crate) async fn refresh(&self, age: Duration) {
        let asked = Instant::now();
        if self.inner.fence.load().as_ref().is_some_and(|fence| fence.holds()) {
            return;
        }
        let settling = self.inner.watch().as_ref().filter(|watch| watch.healthy()).and_then(Watch::settling);
        let watched = self.watches_all();
        let enough = if watched && settling.is_none() { asked.checked_sub(age).unwrap_or(asked) } else { asked };
        if self.swept_since(enough) {
            return;
        }
        let settled = match settling {
            Some(settling) => settling.wait().await,
            None => false,
        };
        // The watch's reports do not cover what could not be scanned.
        if !settled || self.inner.short.load(Ordering::Relaxed) {
            let engine = self.clone();
            let look = move || {
                // Callers that wait for a hanging scan must not each occupy a thread.
                let Some(library) = engine.inner.library.wait_at_most(PATIENCE) else { return };
                if !engine.swept_since(asked) {
                    engine.sweep_locked(library, &Scope::All);
                }
            };
            if timeout(PATIENCE, tokio::task::spawn_blocking(look)).await.is_err() {
                tracing::warn!(
                    "A folder of the library has not answered in time. Until it does, clients get the skills as they were read last."
                );
            }
        }
        drop(self.state().flush().await);
    }

    /// As [`Engine::sweep`], on this thread, and without waiting for the snapshot.
    pub(crate) fn sweep_here(&self, fresh: &Scope) {
        self.sweep_locked(self.inner.library(), fresh);
    }

    fn sweep_locked(&self, mut library: TurnGuard<'_, Library>, fresh: &Scope) {
        // A start reads with code that is not needed for what a change makes it read.
        let _first = self.inner.swept().is_none().then(|| self.works());
        self.asked();
        let started = Instant::now();
        let roots = self.state().roots();
        // Only the first reading has one: what a later one found is not what it is around.
        let fence = self.inner.fence.swap(None).filter(|_| self.inner.swept().is_none());
        if let Some(reading) = library.sweep_within(&roots, fresh, fence.as_deref()) {
            let announce = self.inner.mode == Mode::Writing;
            let scans = self.scan_new(&reading, &roots);
            // Sent while the library is locked, so that the results of two scans arrive in order.
            self.state().change_now(move |state| state.take(reading, scans, announce));
            self.inner.reread.notify_one();
        }
        self.inner.fence.store(fence.filter(|fence| !library.is_short() && fence.holds()));
        let was_short = self.inner.short.swap(library.is_short(), Ordering::Relaxed);
        self.inner.unread.store(Arc::new(library.unread().to_vec()));
        if library.is_short() {
            if !was_short {
                tracing::warn!(
                    "Too many files are open, so the library could not be looked at. Clients get the skills as they were read last."
                );
            }
        } else if matches!(fresh, Scope::All) {
            *self.inner.swept() = Some(started);
        }
        // A full scan also retries the watches that failed.
        let lost = self.inner.watch().as_ref().map(Watch::lost_some);
        if let Some(lost) = lost
            && let Some(folders) = library.watched(lost || matches!(fresh, Scope::All))
            && let Some(watch) = &*self.inner.watch()
        {
            watch.library(folders, paths(&roots));
        }
    }

    /// Why a skill of this id may exist although none is known: it cannot be read, or nothing can.
    pub(crate) fn unread(&self, id: &str) -> Option<String> {
        let unread = self.inner.unread.load();
        let found = unread.iter().find(|unread| unread.id.as_deref().is_none_or(|other| other == id))?;
        Some(found.why.clone())
    }

    /// Whether everything is watched.
    pub(crate) fn watches_all(&self) -> bool {
        self.inner.watch().as_ref().is_some_and(Watch::healthy)
    }

    fn swept_since(&self, moment: Instant) -> bool {
        self.inner.swept().is_some_and(|swept| swept >= moment)
    }

    /// Starts watching the library. Without a watch, each list reads the disk.
    pub(crate) fn watch_library(&self) {
        let weak = Arc::downgrade(&self.inner);
        let see = move |seen| {
            if let Some(inner) = weak.upgrade() {
                Self { inner }.see(seen);
            }
        };
        match Watch::start(see) {
            Ok(watch) => {
                watch.library(self.inner.library().watched(true).unwrap_or_default(), paths(&self.state().roots()));
                self.inner.files().keys().for_each(|file| watch.file(file.clone()));
                *self.inner.watch() = Some(watch);
                // The engine may have been stopped just before the watch was stored.
                if self.inner.stopping.load(Ordering::SeqCst) {
                    let late = self.inner.watch().take();
                    drop(late);
                }
            }
            Err(error) => tracing::warn!(%error, "nothing is watched"),
        }
    }

    /// Calls `look` on the watch's thread whenever this file changes; the file need not exist.
    pub(crate) fn watch_file(&self, path: &Path, look: impl Fn(&Self) + Send + Sync + 'static) {
        self.inner.files().insert(path.to_path_buf(), Arc::new(look));
        if let Some(watch) = &*self.inner.watch() {
            watch.file(path.to_path_buf());
        }
    }

    fn see(&self, seen: Seen) {
        match seen {
            Seen::Limited(message) => self.state().change_soon(|state| state.notice("watch", message)),
            Seen::Anything => {
                // From the first time on, the watch has every folder.
                let fence = self.inner.fence.swap(None);
                if !fence.is_some_and(|fence| fence.holds()) {
                    self.sweep_here(&Scope::All);
                }
                self.look_at_files(|_| true);
            }
            Seen::Places(places) => {
                let files = places.paths.clone();
                self.sweep_here(&Scope::Only(places));
                self.look_at_files(|file| file.ancestors().any(|above| files.contains(above)));
            }
        }
    }

    fn look_at_files(&self, touched: impl Fn(&Path) -> bool) {
        let looks: Vec<_> =
            self.inner.files().iter().filter(|(file, _)| touched(file)).map(|(_, look)| Arc::clone(look)).collect();
        for look in looks {
            look(self);
        }
    }
}

impl Inner {
    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, Look>> {
        self.files.lock()
    }

    pub(super) fn library(&self) -> TurnGuard<'_, Library> {
        self.library.wait()
    }

    pub(super) fn swept(&self) -> MutexGuard<'_, Option<Instant>> {
        self.swept.lock()
    }

    pub(super) fn watch(&self) -> MutexGuard<'_, Option<Watch>> {
        self.watch.lock()
    }
}

fn paths(roots: &[Root]) -> Vec<PathBuf> {
    roots.iter().map(|root| root.path.clone()).collect()
}
