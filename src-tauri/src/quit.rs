//! Quitting. The window is asked first, because only the page knows of unsaved edits: it answers with `leave`, or
//! with `stay` while it asks the person. A page that does not answer in time is not waited for. After an update the
//! program starts anew instead, or an installer is started that does that.

use std::time::Duration;

use engine::{Engine, actions};
use parking_lot::Mutex;
use tauri::{AppHandle, Manager as _, async_runtime};
use tokio::{sync::Notify, time::timeout};

use crate::{
    events::{self, Leave},
    main_page::MainPage,
    windows,
};

/// The time in which the page must answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Notified when the page wants to stay.
#[derive(Default)]
pub(crate) struct Stays(Notify);

/// What is started once the program has ended.
pub(crate) enum Next {
    /// The program again.
    #[cfg_attr(not(any(feature = "updater", test)), expect(dead_code, reason = "only the updater wants it"))]
    Program,
    /// An installer, which ends this process when it was started; else why it was not, as a sentence.
    #[cfg_attr(not(any(feature = "updater", test)), expect(dead_code, reason = "only the updater has one"))]
    Installer(Box<dyn FnOnce() -> Option<String> + Send>),
}

/// What follows the end of the program; nothing, unless an update wants it.
#[derive(Default)]
pub(crate) struct Anew(Mutex<Option<Following>>);

struct Following {
    was_shown: bool,
    next: Next,
}

/// How the program starts again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Again {
    /// Whether its window was shown.
    pub(crate) was_shown: bool,
    /// Why the installer was not started, as a sentence.
    pub(crate) trouble: Option<String>,
}

impl Anew {
    fn want(&self, was_shown: bool, next: Next) {
        *self.0.lock() = Some(Following { was_shown, next });
    }

    fn forget(&self) {
        *self.0.lock() = None;
    }

    /// Starts what follows, once the engine has stopped: the installer here, in whose place this program starts again if
    /// it does not start.
    pub(crate) fn follow(&self) -> Option<Again> {
        let Following { was_shown, next } = self.0.lock().take()?;
        let trouble = match next {
            Next::Program => None,
            Next::Installer(install) => install(),
        };
        Some(Again { was_shown, trouble })
    }
}

/// Asks the page as a quit does, and starts what follows once the program has ended. If the person stays, nothing does.
pub(crate) fn start_anew(app: &AppHandle, next: Next) {
    app.state::<Anew>().want(windows::is_shown(app), next);
    ask(app, Leave::Person);
}

/// Asks the page whether the program may end.
pub(crate) fn ask(app: &AppHandle, from: Leave) {
    if matches!(from, Leave::System) {
        // The session ends, or another program takes over.
        app.state::<Anew>().forget();
    }
    let app = app.clone();
    if !app.state::<MainPage>().listens() {
        async_runtime::spawn(async move { without_a_page(&app, from).await });
        return;
    }
    async_runtime::spawn(async move {
        let stays = app.state::<Stays>();
        let told = stays.0.notified();
        tokio::pin!(told);
        // It listens before it asks, so that an early answer is not lost.
        told.as_mut().enable();
        events::leave(&app, from);
        if timeout(PATIENCE, told).await.is_err() {
            tracing::warn!("the window did not answer, so Skilltender quits without it");
            app.exit(0);
        }
    });
}

/// Ends the program when no page listens. For unsaved texts that one has left, the person is asked by the next one, and
/// the system is not kept waiting.
async fn without_a_page(app: &AppHandle, from: Leave) {
    let unsaved = app.state::<MainPage>().unsaved();
    if !unsaved.is_empty() && matches!(from, Leave::Person) {
        windows::show(app);
        return events::leave(app, from);
    }
    if let Some(engine) = app.try_state::<Engine>() {
        for (key, text) in unsaved {
            if let Err(why) = actions::keep_version(&engine, &key, text, true).await {
                tracing::warn!("the unsaved text of {key} is lost: {}", why.message);
            }
        }
    }
    app.exit(0);
}

/// The page asks the person: cancels the quit and brings the window to the front.
pub(crate) fn stay(app: &AppHandle) {
    app.state::<Anew>().forget();
    app.state::<Stays>().0.notify_waiters();
    windows::show(app);
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };

    use super::*;

    #[test]
    fn an_installer_is_started_at_the_end_alone_and_one_that_does_not_start_is_followed_by_this_program() {
        let (anew, started) = (Anew::default(), Arc::<AtomicBool>::default());
        assert_eq!(anew.follow(), None);
        let want = |was_shown| {
            let started = Arc::clone(&started);
            let install = move || {
                started.store(true, Ordering::SeqCst);
                Some("It is blocked.".to_owned())
            };
            anew.want(was_shown, Next::Installer(Box::new(install)));
        };
        want(true);
        // The person stays, or the system ends the session.
        anew.forget();
        assert_eq!((anew.follow(), started.load(Ordering::SeqCst)), (None, false));
        want(true);
        assert!(!started.load(Ordering::SeqCst));
        let again = Again { was_shown: true, trouble: Some("It is blocked.".to_owned()) };
        assert_eq!((anew.follow(), started.load(Ordering::SeqCst)), (Some(again), true));
        anew.want(false, Next::Program);
        assert_eq!(anew.follow(), Some(Again { was_shown: false, trouble: None }));
        assert_eq!(anew.follow(), None);
    }
}
