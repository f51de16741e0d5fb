//! The engine follows the disk: what was seen changing is looked at again, and what is found becomes
//! a change of the state.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use crate::{
    engine::{Engine, Mode},
    library::{Library, Root},
    waiting::TurnGuard,
    walk::Fresh,
    watch::{Seen, Watch},
};

/// Who comes back to the window again and again is shown what was found so shortly ago.
const JUST_NOW: Duration = Duration::from_secs(2);

impl Engine {
    /// Looks at the whole library and at every watched file again: for when the computer woke up, a disk
    /// was mounted, or a person comes back to the window.
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
        drop(self.change(|_| ()).await);
    }

    /// Looks at folders of the library again. What it finds is published when this returns, and what was chosen because
    /// of it is saved, or said to be not.
    pub(crate) async fn sweep(&self, fresh: Fresh) {
        let engine = self.clone();
        // Neither can fail while the engine runs; a stopped one needs no sweep.
        drop(tokio::task::spawn_blocking(move || engine.sweep_here(&fresh)).await);
        drop(self.change(|state| state.choices.touch()).await);
    }

    /// Makes sure that nothing is missed that happened before this call. Where everything is watched, it
    /// is enough that the watch tells what it saw, or elsewhere that all was looked at less than `age`
    /// ago; else the whole library is looked at again. Many may ask at once: one of them looks.
    pub(crate) async fn refresh(&self, age: Duration) {
        let asked = Instant::now();
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
        // What the watch tells is nothing of what could not be looked at.
        if !settled || self.inner.short.load(Ordering::Relaxed) {
            let engine = self.clone();
            let look = move || {
                let library = engine.inner.library();
                if !engine.swept_since(asked) {
                    engine.sweep_locked(library, &Fresh::All);
                }
            };
            // As in `sweep`.
            drop(tokio::task::spawn_blocking(look).await);
        }
        drop(self.change(|_| ()).await);
    }

    /// As [`Engine::sweep`], on this thread, and without waiting for the snapshot.
    pub(crate) fn sweep_here(&self, fresh: &Fresh) {
        self.sweep_locked(self.inner.library(), fresh);
    }

    fn sweep_locked(&self, mut library: TurnGuard<'_, Library>, fresh: &Fresh) {
        let started = Instant::now();
        let roots = self.roots();
        if let Some(reading) = library.sweep(&roots, fresh) {
            let announce = self.inner.mode == Mode::Writing;
            // Sent while the library is locked: two sweeps arrive in the order in which they were made.
            drop(self.ask(move |state| state.take(reading, announce)));
        }
        let was_short = self.inner.short.swap(library.is_short(), Ordering::Relaxed);
        self.inner.unread.store(Arc::new(library.unread().to_vec()));
        if library.is_short() {
            if !was_short {
                tracing::warn!(
                    "Too many files are open, so the library could not be looked at; it is served as it was."
                );
            }
        } else if matches!(fresh, Fresh::All) {
            *self.inner.swept() = Some(started);
        }
        // Looking everywhere is also the time to watch again what could not be watched.
        let lost = self.inner.watch().as_ref().map(Watch::lost_some);
        if let Some(lost) = lost
            && let Some(folders) = library.watched(lost || matches!(fresh, Fresh::All))
            && let Some(watch) = &*self.inner.watch()
        {
            watch.library(folders, paths(&roots));
        }
    }

    /// Why a skill of this id may be in the library although none is known: it is there and cannot be read, or nothing can.
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

    /// Begins to watch the library. Without a watch, lists look at the disk each time.
    pub(crate) fn watch_library(&self) {
        let weak = Arc::downgrade(&self.inner);
        let see = move |seen| {
            if let Some(inner) = weak.upgrade() {
                Self { inner }.see(seen);
            }
        };
        match Watch::start(see) {
            Ok(watch) => {
                watch.library(self.inner.library().watched(true).unwrap_or_default(), paths(&self.roots()));
                self.inner.files().keys().for_each(|file| watch.file(file.clone()));
                *self.inner.watch() = Some(watch);
                // Whoever stops us may have looked for a watch a moment too early.
                if self.inner.stopping.load(Ordering::SeqCst) {
                    let late = self.inner.watch().take();
                    drop(late);
                }
            }
            Err(error) => tracing::warn!(%error, "nothing is watched"),
        }
    }

    /// Calls `look` on the watch's thread whenever this file, which need not exist, changed.
    pub(crate) fn watch_file(&self, path: &Path, look: impl Fn(&Self) + Send + Sync + 'static) {
        self.inner.files().insert(path.to_path_buf(), Arc::new(look));
        if let Some(watch) = &*self.inner.watch() {
            watch.file(path.to_path_buf());
        }
    }

    fn see(&self, seen: Seen) {
        match seen {
            Seen::Limited(message) => self.tell(|state| state.notice("watch", message)),
            Seen::Anything => {
                self.sweep_here(&Fresh::All);
                self.look_at_files(|_| true);
            }
            Seen::Places(places) => {
                let files = places.paths.clone();
                self.sweep_here(&Fresh::Only(places));
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

fn paths(roots: &[Root]) -> Vec<PathBuf> {
    roots.iter().map(|root| root.path.clone()).collect()
}
