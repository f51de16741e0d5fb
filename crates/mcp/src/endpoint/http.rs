//! The server over Streamable HTTP on 127.0.0.1: rmcp's service behind the guard.

mod direct;

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
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::direct::Direct;
use super::{
    connections::{self, Limits},
    guard::{self, Access, AccessNow, Refusal},
    priming,
    room::{self, Room},
    sessions::Sessions,
};
use crate::{
    Host,
    server::{Met, Server, Way},
    weight::Outlet,
};

/// How long a session of a handshake may be silent: clients leave one open for days and few of them
/// begin another when it is gone. What is answered directly does not break the silence.
const SILENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The largest body of a request, in bytes, as in rmcp.
const LARGEST: usize = 4 << 20;
/// How long open `listen` streams have for their final result, and then connections to close.
const FAREWELL: Duration = Duration::from_millis(250);

/// The header in which a client names its revision of the protocol.
pub(super) const REVISION: &str = "mcp-protocol-version";
const SESSION: &str = "mcp-session-id";
const JSON: &[u8] = b"application/json";
const NO_MESSAGE: &str = "The body is not a message of JSON-RPC 2.0 in JSON.";

/// Serves MCP at `/mcp` until `stop` is cancelled. `access` is asked at every request; `sessions` is the
/// folder in which sessions outlive this run.
///
/// # Errors
/// When the listener is not on a loopback address.
pub async fn serve_http<H: Host>(
    host: Arc<H>,
    listener: TcpListener,
    access: impl Fn() -> Arc<Access> + Send + Sync + 'static,
    sessions: Option<PathBuf>,
    limits: Limits,
    stop: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "Skilltender serves on this computer only."));
    }
    let live = Arc::new(live_sessions());
    let sessions = Arc::new(Sessions::open(Arc::clone(&live), sessions).await);
    let transport_stop = CancellationToken::new();
    let direct = Direct { host: Arc::clone(&host), met: Arc::default(), live: Arc::clone(&live) };
    let service = service(host, live, Arc::clone(&direct.met), Arc::clone(&sessions), &stop, &transport_stop);
    let door = Door {
        port: address.port(),
        access: Arc::new(access),
        sessions,
        room: Room::within(limits.connections),
        direct,
    };
    let app = Router::new().fallback_service(service).layer(from_fn_with_state(Arc::new(door), enter::<H>));
    tokio::select! {
        () = connections::serve(listener, app, limits, stop.clone()) => {}
        () = farewell(&stop, &transport_stop) => {}
    }
    Ok(())
}

/// rmcp's service. Its own check of the Host header stays on behind ours.
fn service<H: Host>(
    host: Arc<H>,
    live: Arc<LocalSessionManager>,
    met: Arc<Met>,
    sessions: Arc<Sessions>,
    stop: &CancellationToken,
    transport_stop: &CancellationToken,
) -> StreamableHttpService<Server<H>, LocalSessionManager> {
    let stop = stop.clone();
    let server = move || Ok(Server::new(host.clone(), Way::Http(met.clone()), stop.child_token()));
    let mut config = StreamableHttpServerConfig::default().with_cancellation_token(transport_stop.clone());
    config.session_store = Some(sessions);
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

/// What the guard needs to know, and who answers at the door.
struct Door<H> {
    port: u16,
    access: AccessNow,
    sessions: Arc<Sessions>,
    room: Room,
    direct: Direct<H>,
}

/// Every request comes through here.
async fn enter<H: Host>(State(door): State<Arc<Door<H>>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(AUTHORIZATION).cloned();
    let caller = match guard::admit(&request, door.port, &(door.access)()) {
        Ok(caller) => caller,
        Err(refusal) => return turn_away(refusal),
    };
    // A session is no key: it opens only to the token that it was begun with.
    let mut named = request.headers().get_all(SESSION).iter().filter_map(|id| id.to_str().ok());
    if named.any(|id| door.sessions.is_of_another(id, &caller)) {
        return turn_away(Refusal::NotFound);
    }
    // A place is taken by what is there to be answered: who sends half a request keeps nobody out.
    let (parts, body) = request.into_parts();
    let body = match whole(body).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let Some(place) = door.room.take(&parts.method, &parts.headers) else { return room::full() };
    let outlet = Arc::new(Outlet::default());
    // What is still under way ends with the token that it was begun with.
    let access = Arc::clone(&door.access);
    let holds = move || shown.as_ref().is_some_and(|shown| guard::is_key(shown, &access()));
    if let Some(answer) = door.direct.answer(&parts, &body, &caller, &outlet).await {
        return room::held(answer, place, outlet, holds);
    }
    let mut request = Request::from_parts(parts, Body::from(body));
    let speaks_json = request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(JSON));
    request.extensions_mut().insert(caller.clone());
    request.extensions_mut().insert(Arc::clone(&outlet));
    let unprimed = priming::is_unknown_to(request.headers());
    let response = next.run(request).await;
    if let Some(session) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
        door.sessions.begin(session, caller).await;
    }
    if speaks_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return no_message();
    }
    room::held(if unprimed { priming::without(response) } else { response }, place, outlet, holds)
}

/// All of a body, or what its client hears of one that is too large or breaks off.
async fn whole(body: Body) -> Result<Bytes, Response> {
    match Limited::new(body, LARGEST).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let sentence = format!("A request holds no more than {} MiB.\n", LARGEST >> 20);
            Err((StatusCode::PAYLOAD_TOO_LARGE, sentence).into_response())
        }
        // Its connection broke, and nobody hears this, or it does not keep to the way in which it says that it is sent.
        Err(_) => Err((StatusCode::BAD_REQUEST, "The body of this request is not complete.\n").into_response()),
    }
}

/// rmcp answers a body that is no message as if it were of another media type.
fn no_message() -> Response {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": NO_MESSAGE}});
    (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}

fn turn_away(refusal: Refusal) -> Response {
    let mut response = (refusal.status(), Body::empty()).into_response();
    if refusal == Refusal::Unauthorized {
        // Without `resource_metadata`: it would send clients off to look for an OAuth server.
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
