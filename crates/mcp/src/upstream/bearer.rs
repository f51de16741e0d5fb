//! A signed-in user's token on its way to the one server it is for.
//!
//! rmcp's own client renews a token once for each request that was refused with it, one after the other, which makes
//! the first new token invalid at servers that hold one at a time. Here a second refused request gets the token that
//! the first one obtained.

use std::{collections::HashMap, pin::Pin, sync::Arc};

use axum::http::{HeaderName, HeaderValue};
use futures_core::stream::BoxStream;
use rmcp::{
    model::ClientJsonRpcMessage,
    transport::{
        auth::AuthError,
        streamable_http_client::{SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse},
    },
};
use secrets::Redaction;
use sse_stream::Sse;
use tokio::sync::Mutex;

use super::transport::LONGEST;
use crate::sign_in::{Kept, NotRenewed, SignedIn};

/// Keeps new tokens before they are used; `None` deletes the old ones, which were refused for good.
pub type Keep = Arc<dyn Fn(Option<SignedIn>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A user's tokens for one server. Cheap to clone; all clones renew them together.
#[derive(Clone)]
pub struct Bearer(Arc<Inner>);

struct Inner {
    url: String,
    /// `None` once they were refused.
    kept: Mutex<Option<Kept>>,
    keep: Keep,
    /// Hides every token so far.
    hidden: Redaction,
}

impl Bearer {
    /// For the server of this address, and no other.
    pub fn new(url: &str, signed_in: SignedIn, keep: Keep) -> Self {
        let hidden = Redaction::new(signed_in.0.secrets());
        Self(Arc::new(Inner { url: url.to_owned(), kept: Mutex::new(Some(signed_in.0)), keep, hidden }))
    }

    /// Hides its tokens, including future ones.
    pub(super) fn hidden(&self) -> Redaction {
        self.0.hidden.clone()
    }

    /// The token to send; `refused` is the one that a request was just refused with.
    async fn token(&self, refused: Option<String>) -> Result<String, AuthError> {
        let inner = Arc::clone(&self.0);
        // A new token must be kept even if the request is dropped: the old one may be invalid by then.
        let renewing = tokio::spawn(async move { inner.token(refused.as_deref()).await });
        renewing.await.unwrap_or(Err(later()))
    }
}

impl Inner {
    async fn token(&self, refused: Option<&str>) -> Result<String, AuthError> {
        let mut kept = self.kept.lock().await;
        let now = kept.as_ref().ok_or(AuthError::AuthorizationRequired)?;
        let was_refused = refused == Some(now.tokens.access.as_str());
        if !was_refused && !now.tokens.end_soon() {
            return Ok(now.tokens.access.clone());
        }
        match now.renewed(&self.url).await {
            Ok(renewed) => {
                renewed.secrets().for_each(|secret| self.hidden.hide(secret));
                (self.keep)(Some(SignedIn(renewed.clone()))).await;
                Ok(kept.insert(renewed).tokens.access.clone())
            }
            // The token is valid until it ends.
            Err(NotRenewed::Later) if !was_refused => Ok(now.tokens.access.clone()),
            Err(NotRenewed::Later) => Err(later()),
            Err(NotRenewed::Refused) => {
                *kept = None;
                (self.keep)(None).await;
                Err(AuthError::AuthorizationRequired)
            }
        }
    }
}

fn later() -> AuthError {
    AuthError::TokenRefreshFailed("it may work later".to_owned())
}

/// rmcp's HTTP client, with the user's token if there is one.
#[derive(Clone)]
pub(super) struct Bearing {
    client: reqwest::Client,
    bearer: Option<Bearer>,
}

type Headers = HashMap<HeaderName, HeaderValue>;
type Got<T> = Result<T, StreamableHttpError<reqwest::Error>>;

impl Bearing {
    pub(super) const fn new(client: reqwest::Client, bearer: Option<Bearer>) -> Self {
        Self { client, bearer }
    }

    /// Makes a request with the token, and once more with a new one if it is refused.
    async fn with_token<T, F>(&self, request: impl Fn(Option<String>) -> F + Send) -> Got<T>
    where
        T: Send,
        F: Future<Output = Got<T>> + Send,
    {
        let Some(bearer) = &self.bearer else { return request(None).await };
        let token = bearer.token(None).await?;
        match request(Some(token.clone())).await {
            Err(StreamableHttpError::AuthRequired(_)) => {
                let token = bearer.token(Some(token)).await?;
                request(Some(token)).await
            }
            other => other,
        }
    }
}

impl StreamableHttpClient for Bearing {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Got<StreamableHttpPostResponse> {
        self.post_message_with_max_sse_event_size(uri, message, session, token, headers, LONGEST).await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Got<StreamableHttpPostResponse> {
        self.with_token(|token| {
            let (uri, message, session, headers) = (uri.clone(), message.clone(), session.clone(), headers.clone());
            self.client.post_message_with_max_sse_event_size(uri, message, session, token, headers, most)
        })
        .await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _token: Option<String>,
        headers: Headers,
    ) -> Got<()> {
        self.with_token(|token| self.client.delete_session(uri.clone(), session.clone(), token, headers.clone())).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Got<BoxStream<'static, Result<Sse, SseError>>> {
        self.get_stream_with_max_sse_event_size(uri, session, last, token, headers, LONGEST).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Got<BoxStream<'static, Result<Sse, SseError>>> {
        self.with_token(|token| {
            let (uri, session, last, headers) = (uri.clone(), session.clone(), last.clone(), headers.clone());
            self.client.get_stream_with_max_sse_event_size(uri, session, last, token, headers, most)
        })
        .await
    }
}
