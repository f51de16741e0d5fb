//! Sign-ins: a person's tokens for one server at one address, and the sign-ins under way.
//!
//! Tokens are stored where secrets are ([`Secrets`]), under the server's name and its exact address: a server
//! that moved gets none of them. The sign-in itself is left to `mcp`, a person's request for one to
//! [`crate::actions`].

use std::{collections::BTreeMap, sync::Arc};

use machine::waiting::{Mutex, MutexGuard};
use mcp::{Bearer, SignIn, SignedIn};
use servers::{
    Form,
    sign_in::{address, read, slot},
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{Engine, actions};

/// How a sign-in ended; the error is a sentence.
pub(crate) type Ended = Result<(), String>;

/// The sign-ins that wait for their person, at most one for each server.
#[derive(Default)]
pub(crate) struct SignIns {
    under_way: Mutex<BTreeMap<String, UnderWay>>,
}

struct UnderWay {
    stop: CancellationToken,
    ended: watch::Receiver<Option<Ended>>,
}

impl SignIns {
    /// Waits for the person, in place of an earlier sign-in at this server; `over` gets the result.
    pub(crate) fn begin<F>(
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
    pub(crate) fn cancel(&self, server: &str) {
        if let Some(under_way) = self.under_way().remove(server) {
            under_way.stop.cancel();
        }
    }

    /// Cancels all of them.
    pub(crate) fn cancel_all(&self) {
        std::mem::take(&mut *self.under_way()).into_values().for_each(|under_way| under_way.stop.cancel());
    }

    /// Waits until the last sign-in at a server has ended; `None` without one.
    pub(crate) async fn ended(&self, server: &str) -> Option<Ended> {
        let mut ended = self.under_way().get(server)?.ended.clone();
        ended.wait_for(Option::is_some).await.ok()?.clone()
    }

    fn under_way(&self) -> MutexGuard<'_, BTreeMap<String, UnderWay>> {
        self.under_way.lock()
    }
}

/// Whether a sign-in is stored.
pub(super) fn is_kept(engine: &Engine, server: &str, url: &str) -> bool {
    engine.secrets().facts().contains_key(&slot(server, url))
}

/// The token for a server with a sign-in. A new token is stored, and a refused one forgotten, before the next
/// request.
///
/// # Errors
/// When the keychain does not give them out, as a sentence.
pub(super) async fn bearer(engine: &Engine, form: &Form) -> Result<Option<Bearer>, String> {
    let Some(url) = address(form).map(str::to_owned) else { return Ok(None) };
    let (secrets, server, at) = (engine.secrets(), form.name.clone(), url.clone());
    let read = actions::blocking(move || {
        read(&secrets, &server, &at).map_err(|error| api::failed(api::ErrorKind::Keychain, error.to_string()))
    });
    let Some(signed_in) = read.await.map_err(|error| error.message)? else { return Ok(None) };
    let (alive, server, at) = (engine.while_it_lives(), form.name.clone(), url.clone());
    let keep: mcp::Keep = Arc::new(move |signed_in| {
        let (engine, server, at) = (alive(), server.clone(), at.clone());
        Box::pin(async move {
            let Some(engine) = engine else { return };
            let kept = match signed_in {
                Some(signed_in) => actions::keep_sign_in(&engine, &server, &at, signed_in).await,
                None => actions::forget_sign_in(&engine, &server, &at).await,
            };
            if let Err(error) = kept {
                tracing::warn!("What became of the sign-in at {server} is not remembered: {error}");
            }
        })
    });
    Ok(Some(Bearer::new(&url, signed_in, keep)))
}
