//! The sign-ins under way. What they store is left to [`super::sign_in`], the sign-in itself to `mcp`.

use std::collections::BTreeMap;

use machine::waiting::{Mutex, MutexGuard};
use mcp::{SignIn, SignedIn};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How a sign-in ended; the error is a sentence.
pub type Ended = Result<(), String>;

/// The sign-ins that wait for their person, at most one for each server.
#[derive(Default)]
pub struct SignIns {
    under_way: Mutex<BTreeMap<String, UnderWay>>,
}

struct UnderWay {
    stop: CancellationToken,
    ended: watch::Receiver<Option<Ended>>,
}

impl SignIns {
    /// Waits for the person, in place of an earlier sign-in at this server; `over` gets the result.
    pub fn begin<F>(
        &self,
        server: &str,
        sign_in: SignIn,
        over: impl FnOnce(Result<SignedIn, String>) -> F + Send + 'static,
    ) where
        F: Future<Output = Ended> + Send + 'static,
    {
        let (tell, ended) = watch::channel(None);
        let stop = CancellationToken::new();
        let under_way = UnderWay { stop: stop.clone(), ended };
        if let Some(before) = self.under_way().insert(server.to_owned(), under_way) {
            before.stop.cancel();
        }
        tokio::spawn(async move {
            let finished = stop.run_until_cancelled(sign_in.finish()).await;
            let ending = match finished {
                Some(finished) => over(finished.map_err(|error| error.to_string())).await,
                // The sign-in was cancelled deliberately.
                None => Err("The sign-in was cancelled.".to_owned()),
            };
            tell.send_replace(Some(ending));
        });
    }

    /// Cancels the wait for a person and closes its listener.
    pub fn cancel(&self, server: &str) {
        if let Some(under_way) = self.under_way().remove(server) {
            under_way.stop.cancel();
        }
    }

    /// Cancels all of them.
    pub fn cancel_all(&self) {
        std::mem::take(&mut *self.under_way()).into_values().for_each(|under_way| under_way.stop.cancel());
    }

    /// Waits until the last sign-in at a server has ended; `None` without one.
    pub async fn ended(&self, server: &str) -> Option<Ended> {
        let mut ended = self.under_way().get(server)?.ended.clone();
        ended.wait_for(Option::is_some).await.ok()?.clone()
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<String, UnderWay>> {
        self.under_way.lock()
    }
}
