//! A server that is reached over Streamable HTTP. rmcp handles sessions, streams of events and the headers that each
//! revision requires; its types do not know every field that a server may write, so results that come this way contain
//! only known fields.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, error::Error, future::poll_fn, sync::Once, task::Poll};

use axum::http::{HeaderName, HeaderValue};
use reqwest::redirect;
use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, JsonRpcMessage},
    transport::{
        StreamableHttpClientTransport, Transport,
        auth::AuthError,
        streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError},
    },
};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio_util::bytes::Bytes;
use zeroize::Zeroizing;

use super::{
    UpstreamError,
    bearer::{Bearer, Bearing},
    transport::{Carrier, LONGEST, Line},
};
use crate::peer::tidied;

/// The error code of a call that did not reach the server.
const UNREACHABLE: i32 = -32000;
/// The key in this error's data for the rights that the user did not grant.
const RIGHTS: &str = "skilltender/rights";

impl Line {
    /// A server at an address. `headers` are sent with every request, and so is a signed-in user's token; redirects are
    /// not followed, because these values are meant for this address.
    ///
    /// # Errors
    /// If a header is invalid.
    pub fn over_http(
        url: &str,
        headers: BTreeMap<String, Zeroizing<String>>,
        bearer: Option<Bearer>,
    ) -> Result<Self, UpstreamError> {
        // If a skill sets this header itself, a sign-in would not change it.
        let may_sign_in = !headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
        let headers = headers.into_iter().map(|(name, value)| header(&name, value)).collect::<Result<_, _>>()?;
        // Shared with the bearer, because its tokens are renewed.
        let hidden = bearer.as_ref().map(Bearer::hidden);
        let config = StreamableHttpClientTransportConfig::with_uri(url)
            .custom_headers(headers)
            .max_sse_event_size(LONGEST)
            .reinit_on_expired_session(true);
        let transport = StreamableHttpClientTransport::with_client(Bearing::new(client(url)?, bearer), config);
        let (mut line, carrier) = Self::new();
        line.newest_first = true;
        if let Some(hidden) = hidden {
            line.hidden = hidden;
        }
        tokio::spawn(carry(transport, carrier, may_sign_in));
        Ok(line)
    }
}

/// A value that is wiped with its last copy: all copies share these bytes.
struct Wiped(Zeroizing<String>);

impl AsRef<[u8]> for Wiped {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// No message shows the value, which may be a secret.
fn header(name: &str, value: Zeroizing<String>) -> Result<(HeaderName, HeaderValue), UpstreamError> {
    let odd = || UpstreamError::Unreachable(format!("The header {name} cannot be sent: it holds what no header may"));
    // The encoding of characters beyond ASCII in a header is undefined.
    let readable = value.chars().all(|c| c == '\t' || c == ' ' || c.is_ascii_graphic());
    let shared = readable.then(|| HeaderValue::from_maybe_shared(Bytes::from_owner(Wiped(value))));
    let mut value = shared.ok_or_else(odd)?.map_err(|_| odd())?;
    value.set_sensitive(true);
    Ok((HeaderName::try_from(name).map_err(|_| odd())?, value))
}

/// Selects `ring` for TLS, before the first HTTP client is created.
pub(crate) fn use_ring() {
    static PROVIDER: Once = Once::new();
    // A second installation is refused and would be the same.
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}

fn client(url: &str) -> Result<reqwest::Client, UpstreamError> {
    use_ring();
    let builder = reqwest::Client::builder().pool_max_idle_per_host(0).redirect(redirect::Policy::none());
    // A proxy cannot reach the servers of this computer.
    let builder = if is_here(url) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| UpstreamError::Unreachable(sentence(&error)))
}

fn is_here(url: &str) -> bool {
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|host| {
        let after = url.split_once("://").and_then(|(_, rest)| rest.strip_prefix(host));
        after.is_some_and(|after| after.is_empty() || after.starts_with([':', '/']))
    })
}

/// Carries messages until the last sender is gone or the server is lost.
async fn carry(mut transport: StreamableHttpClientTransport<Bearing>, carrier: Carrier, may_sign_in: bool) {
    let Carrier { mut out, heard } = carrier;
    let mut first = true;
    loop {
        tokio::select! {
            message = out.recv() => {
                let Some(message) = message else { break };
                // Messages written here are always valid.
                let Ok(message) = serde_json::from_slice::<ClientJsonRpcMessage>(&message) else { continue };
                let id = match &message {
                    JsonRpcMessage::Request(request) => serde_json::to_string(&request.id).ok(),
                    _ => None,
                };
                let sending = transport.send(message);
                if std::mem::take(&mut first) {
                    if let Err(error) = sending.await {
                        drop(heard.send(Err(unreachable(&error, may_sign_in))).await);
                        return;
                    }
                } else {
                    tokio::spawn(send(queued(sending).await, id, heard.clone(), may_sign_in));
                }
            }
            message = Transport::<RoleClient>::receive(&mut transport) => {
                let told = match message {
                    Some(message) => serde_json::to_vec(&message).map_err(|error| UpstreamError::Odd(error.to_string())),
                    None => Err(UpstreamError::Closed),
                };
                let over = told.is_err();
                if heard.send(told).await.is_err() || over {
                    break;
                }
            }
        }
    }
    // Ends the session, if any; a server that does not answer is not waited for.
    drop(tokio::time::timeout(std::time::Duration::from_secs(3), transport.close()).await);
}

/// The rest of a sending whose message is queued. rmcp queues a message when its future is first polled, so futures that
/// are first polled in tasks of their own may overtake each other, and a request may pass the end of the greeting.
async fn queued<T>(sending: impl Future<Output = T>) -> impl Future<Output = T> {
    let mut sending = Box::pin(sending);
    let first = poll_fn(|context| Poll::Ready(sending.as_mut().poll(context))).await;
    async move {
        match first {
            Poll::Ready(sent) => sent,
            Poll::Pending => sending.await,
        }
    }
}

/// Sends one message. A request that fails is answered here, so that the others continue.
async fn send(
    sending: impl Future<Output = Result<(), StreamableHttpError<reqwest::Error>>> + Send,
    id: Option<String>,
    heard: mpsc::Sender<Result<Vec<u8>, UpstreamError>>,
    may_sign_in: bool,
) {
    let Err(error) = sending.await else { return };
    let told = match (unreachable(&error, may_sign_in), id) {
        // No further request succeeds before the user signs in, so the connection ends.
        (UpstreamError::SignIn, _) => Err(UpstreamError::SignIn),
        (_, None) => return,
        (error, Some(id)) => {
            let message = error.to_string();
            let error = match error {
                UpstreamError::TooFewRights { scope } => {
                    serde_json::json!({"code": UNREACHABLE, "message": message, "data": {RIGHTS: scope}})
                }
                _ => serde_json::json!({"code": UNREACHABLE, "message": message}),
            };
            Ok(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes())
        }
    };
    // The caller may be gone.
    drop(heard.send(told).await);
}

/// The missing rights in an answer of [`send`].
pub(super) fn rights(data: Option<&RawValue>) -> Option<String> {
    let data: serde_json::Value = serde_json::from_str(data?.get()).ok()?;
    tidied(data.get(RIGHTS)?.as_str()?)
}

/// Why a server was not reached, without its address, which may hold private data.
fn unreachable(error: &StreamableHttpError<reqwest::Error>, may_sign_in: bool) -> UpstreamError {
    UpstreamError::Unreachable(match error {
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::Auth(AuthError::AuthorizationRequired)
            if may_sign_in =>
        {
            return UpstreamError::SignIn;
        }
        StreamableHttpError::AuthRequired(_) => "it wants to know who asks: its secret is missing or wrong".to_owned(),
        StreamableHttpError::InsufficientScope(error) if may_sign_in => {
            let scope = error.required_scope.as_deref().and_then(tidied);
            return UpstreamError::TooFewRights { scope: scope.unwrap_or_else(|| "more".to_owned()) };
        }
        StreamableHttpError::InsufficientScope(_) => "its secret does not allow this".to_owned(),
        StreamableHttpError::HttpStatus(status) => format!("it answered with HTTP {}", status.status),
        StreamableHttpError::Client(error) => sentence(error),
        StreamableHttpError::Auth(_) => "the sign-in there could not be renewed; try again in a moment".to_owned(),
        StreamableHttpError::UnexpectedServerResponse(_) | StreamableHttpError::UnexpectedContentType(_) => {
            "there is something at its address that does not speak MCP".to_owned()
        }
        other => format!("it was not reached ({})", other.to_string().split(':').next().unwrap_or_default()),
    })
}

/// The innermost cause, which contains no address.
fn sentence(error: &(dyn Error + 'static)) -> String {
    let mut reason = error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    if reason.to_string().contains("://") {
        return "it was not reached".to_owned();
    }
    format!("it was not reached ({reason})")
}
