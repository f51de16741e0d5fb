//! The server over Streamable HTTP: rmcp's service behind the guard.

mod fast_path;

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{
        HeaderValue, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE},
    },
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse as _, Response},
};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use rmcp::{
    model::ProtocolVersion,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::json;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use self::fast_path::Direct;
use super::{
    concurrency_limit::{self, ConcurrencyLimit},
    connections::{self, Limits},
    entrance::Entrance,
    guard::{self, Access, AccessNow, Hosts, Refusal},
    priming,
    sessions::Sessions,
};
use crate::{
    Host,
    memory_budget::Outlet,
    server::{Met, Server, Way},
};

/// How long a session with a handshake may be silent: clients leave one open for days, and few begin another after its
/// end. Requests answered directly do not count as activity.
const SILENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The maximum size of a request's body, in bytes, as in rmcp.
const LARGEST: usize = 4 << 20;
/// How long open `listen` streams have for their final result, and connections then have to close.
const FAREWELL: Duration = Duration::from_millis(250);

/// The header in which a client names its protocol revision.
pub(super) const REVISION: &str = "mcp-protocol-version";
const SESSION: &str = "mcp-session-id";
const JSON: &[u8] = b"application/json";
const NO_MESSAGE: &str = "The body is not a message of JSON-RPC 2.0 in JSON.";

/// Serves MCP at `/mcp` until `stop` is cancelled.
///
/// `access` is called for every request; `sessions` is the folder in which sessions survive a restart; `present`
/// receives the number of connections.
///
/// # Errors
/// If an entrance of this computer is not on a loopback address.
pub async fn serve_http<H: Host>(
    host: Arc<H>,
    entrance: Entrance,
    access: impl Fn() -> Arc<Access> + Send + Sync + 'static,
    sessions: Option<PathBuf>,
    limits: Limits,
    present: watch::Sender<usize>,
    stop: CancellationToken,
) -> io::Result<()> {
    let hosts = entrance.hosts()?;
    let live = Arc::new(live_sessions());
    let sessions = Arc::new(Sessions::open(Arc::clone(&live), sessions).await);
    let transport_stop = CancellationToken::new();
    let direct = Direct { host: Arc::clone(&host), met: Arc::default(), live: Arc::clone(&live) };
    let service = service(host, live, hosts, Arc::clone(&direct.met), Arc::clone(&sessions), &stop, &transport_stop);
    let door = Door {
        hosts,
        access: Arc::new(access),
        sessions,
        concurrency_limit: ConcurrencyLimit::within(limits.connections),
        direct,
    };
    let app = Router::new().fallback_service(service).layer(from_fn_with_state(Arc::new(door), enter::<H>));
    let (at, until) = (entrance, stop.clone());
    let serving = async move {
        match at {
            Entrance::ThisComputer(port) | Entrance::Container(port) => {
                connections::serve(port, app, limits, present, until).await;
            }
            #[cfg(unix)]
            Entrance::Proxy(socket) => connections::serve(socket, app, limits, present, until).await,
        }
    };
    tokio::select! {
        () = serving => {}
        () = farewell(&stop, &transport_stop) => {}
    }
    Ok(())
}

/// rmcp's service. Its own check of the Host header stays enabled behind the guard where we know our names.
fn service<H: Host>(
    host: Arc<H>,
    live: Arc<LocalSessionManager>,
    hosts: Hosts,
    met: Arc<Met>,
    sessions: Arc<Sessions>,
    stop: &CancellationToken,
    transport_stop: &CancellationToken,
) -> StreamableHttpService<Server<H>, LocalSessionManager> {
    let stop = stop.clone();
    let server = move || Ok(Server::new(host.clone(), Way::Http(met.clone()), stop.child_token()));
    let mut config = StreamableHttpServerConfig::default().with_cancellation_token(transport_stop.clone());
    config.session_store = Some(sessions);
    if hosts == Hosts::Any {
        config = config.disable_allowed_hosts();
    }
    StreamableHttpService::new(server, live, config)
}

fn live_sessions() -> LocalSessionManager {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SILENCE);
    // A cancelled call has no answer to resume. rmcp would keep its stream for a minute, and a client can cancel
    // thousands in that time.
    sessions.session_config.completed_cache_ttl = Duration::ZERO;
    sessions
}

async fn farewell(stop: &CancellationToken, transport_stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(FAREWELL).await;
    transport_stop.cancel();
    tokio::time::sleep(FAREWELL).await;
}

/// The state that the guard and the answers need.
struct Door<H> {
    hosts: Hosts,
    access: AccessNow,
    sessions: Arc<Sessions>,
    concurrency_limit: ConcurrencyLimit,
    direct: Direct<H>,
}

/// Handles every request.
async fn enter<H: Host>(State(door): State<Arc<Door<H>>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(AUTHORIZATION).cloned();
    let caller = match guard::admit(&request, door.hosts, &(door.access)()) {
        Ok(caller) => caller,
        Err(refusal) => return turn_away(refusal),
    };
    // A session id grants no access: the session opens only to the token that it was begun with.
    let named: Vec<_> = request.headers().get_all(SESSION).iter().filter_map(|id| id.to_str().ok()).collect();
    if named.iter().any(|id| door.sessions.is_of_another(id, &caller)) {
        return turn_away(Refusal::NotFound);
    }
    let of_session: Vec<_> = named.iter().filter_map(|id| door.sessions.answer(id)).collect();
    // Only a complete request takes a place: a client that sends half a request keeps no other out.
    let (parts, body) = request.into_parts();
    let body = match whole(body).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let Some(place) = door.concurrency_limit.take(&parts.method, &parts.headers) else {
        return concurrency_limit::full();
    };
    let place = (place, of_session);
    let outlet = Arc::new(Outlet::default());
    // Open work ends when the token of its request is revoked.
    let access = Arc::clone(&door.access);
    let holds = move || shown.as_ref().is_some_and(|shown| guard::is_key(shown, &access()));
    if let Some(answer) = door.direct.answer(&parts, &body, &caller, &outlet).await {
        return concurrency_limit::held(answer, place, outlet, holds);
    }
    let mut request = Request::from_parts(parts, Body::from(body));
    let speaks_json = request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(JSON));
    request.extensions_mut().insert(caller.clone());
    request.extensions_mut().insert(Arc::clone(&outlet));
    let unprimed = priming::is_unknown_to(request.headers());
    let inline = request.headers().get(REVISION).is_some_and(|named| named == ProtocolVersion::V_2026_07_28.as_str());
    let sessions = Arc::clone(&door.sessions);
    let answering = async move {
        let response = next.run(request).await;
        if let Some(session) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
            sessions.begin(session, caller).await;
        }
        sessions.rest().await;
        response
    };
    // A handshake that is half done when its client leaves would leave a session without an owner: it is completed.
    // A request without a session is dropped when its client leaves.
    let response = if inline { answering.await } else { to_its_end(answering).await };
    if speaks_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return no_message();
    }
    concurrency_limit::held(if unprimed { priming::without(response) } else { response }, place, outlet, holds)
}

/// The result of `work`, which continues even if the caller is dropped.
async fn to_its_end<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(work).await {
        Ok(given) => given,
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The whole program is ending.
            Err(_) => std::future::pending().await,
        },
    }
}

/// The whole body, or the error response if it is too large or incomplete.
async fn whole(body: Body) -> Result<Bytes, Response> {
    match Limited::new(body, LARGEST).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let sentence = format!("A request holds no more than {} MiB.\n", LARGEST >> 20);
            Err((StatusCode::PAYLOAD_TOO_LARGE, sentence).into_response())
        }
        // Either the connection broke, and no client reads this, or the body violates its own transfer encoding.
        Err(_) => Err((StatusCode::BAD_REQUEST, "The body of this request is not complete.\n").into_response()),
    }
}

/// The answer to a body that is not a message; rmcp answers as if the media type were wrong.
fn no_message() -> Response {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": NO_MESSAGE}});
    (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}

fn turn_away(refusal: Refusal) -> Response {
    let mut response = (refusal.status(), Body::empty()).into_response();
    if refusal == Refusal::Unauthorized {
        // Without `resource_metadata`, which would make clients search for an OAuth server.
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Waker},
    };

    use super::*;

    #[tokio::test]
    async fn what_is_to_come_to_its_end_does_so_although_whoever_waited_has_gone() {
        let (done, told) = tokio::sync::oneshot::channel();
        {
            let mut work = pin!(to_its_end(async {
                tokio::task::yield_now().await;
                done.send(())
            }));
            assert!(work.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        told.await.unwrap();
    }
}
