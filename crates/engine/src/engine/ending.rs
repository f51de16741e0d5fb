//! Stops the engine within a fixed time, even if something hangs.

use std::{sync::atomic::Ordering, time::Duration};

use library::watch::Watch;
use tokio::time::{Instant, timeout_at};

use super::Engine;

/// The maximum time for stopping. A caller that stops us continues after ten seconds.
const STOP: Duration = Duration::from_secs(8);
/// The share of it for the library's folders and clients' files: what is on another disk is saved in any case.
const DISK: Duration = Duration::from_secs(5);

impl Engine {
    /// Stops all background work. Choices are on the disk when this returns. It takes `STOP` at most: whatever still
    /// hangs then, such as a keychain prompt, a disk or a server, is abandoned and logged.
    pub async fn stop(&self) {
        let begun = Instant::now();
        let last = begun + STOP;
        self.inner.stopping.store(true, Ordering::SeqCst);
        self.cancel_now();
        let lock = self.close_endpoint().await;
        self.gateway().sign_ins().cancel_all();
        let servers = async {
            if timeout_at(last, self.gateway().stop_all()).await.is_err() {
                tracing::warn!("Some servers did not end in time.");
            }
        };
        // The next holder of the lock must not see a late change by this engine.
        let (watch, engine) = (self.inner.watch().take(), self.clone());
        let disk = tokio::task::spawn_blocking(move || {
            watch.into_iter().for_each(Watch::end);
            drop(engine.client_files());
        });
        let kept = async {
            if timeout_at(begun + DISK, disk).await.is_err() {
                tracing::warn!("A client's file or a folder of the library was still being looked at.");
            }
            let recorded = async {
                if let Some(audit) = self.audit()
                    && timeout_at(last, audit.flush()).await.is_err()
                {
                    tracing::warn!("The last calls are not recorded: the disk did not answer.");
                }
            };
            let counted = async {
                if let Some(usage) = self.usage()
                    && timeout_at(last, usage.flush()).await.is_err()
                {
                    tracing::warn!("What was used last is not saved: the disk did not answer.");
                }
            };
            let saved = async {
                // If the loop has already ended, nothing is left to write, and failed writes were reported.
                if timeout_at(last, self.state().change(|state| state.ending = true)).await.is_err() {
                    tracing::warn!("What was changed last may not be saved: the disk did not answer.");
                }
            };
            // They run concurrently, because each may hang.
            tokio::join!(recorded, counted, saved);
        };
        tokio::join!(servers, kept);
        drop(lock);
    }
}
