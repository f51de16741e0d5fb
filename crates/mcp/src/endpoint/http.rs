//! The server over Streamable HTTP on 127.0.0.1: rmcp's service behind the guard.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, header::WWW_AUTHENTICATE},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse as _, Response},
    serve::ListenerExt as _,
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::guard::{self, Access, AccessNow, Refusal};
use crate::{
    Caller, Host,
    server::{Met, Server, Way, lock},
};

/// How long a session of a handshake may be silent: clients leave one open all day and few of them
/// begin another when it is gone.
const SILENCE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long open `listen` streams have for their final result, and then connections to close.
const FAREWELL: Duration = Duration::from_millis(250);

const SESSION: &str = "mcp-session-id";

/// Serves MCP at `/mcp` until `stop` is cancelled. `access` is asked at every request.
///
/// # Errors
/// When the listener is not on a loopback address, or stops working.
pub async fn serve_http<H: Host>(
    host: Arc<H>,
    listener: TcpListener,
    access: impl Fn() -> Arc<Access> + Send + Sync + 'static,
    stop: CancellationToken,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "Skilltender serves on this computer only."));
    }
    let sessions = Arc::new(sessions());
    let transport_stop = CancellationToken::new();
    let service = service(host, sessions.clone(), &stop, &transport_stop);
    let door = Door { port: address.port(), access: Arc::new(access), sessions, owners: Arc::default() };
    let app = Router::new().fallback_service(service).layer(from_fn_with_state(door, enter));
    // rmcp writes an answer in two pieces; without this, the second waits 40 ms for an acknowledgement.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("a connection stays slow: {error}");
        }
    });
    let serving = axum::serve(listener, app).with_graceful_shutdown(stop.clone().cancelled_owned());
    tokio::select! {
        result = serving => result,
        () = farewell(&stop, &transport_stop) => Ok(()),
    }
}

/// rmcp's service. Its own check of the Host header stays on behind ours.
fn service<H: Host>(
    host: Arc<H>,
    sessions: Arc<LocalSessionManager>,
    stop: &CancellationToken,
    transport_stop: &CancellationToken,
) -> StreamableHttpService<Server<H>, LocalSessionManager> {
    let met = Arc::new(Met::default());
    let stop = stop.clone();
    let server = move || Ok(Server::new(host.clone(), Way::Http(met.clone()), stop.child_token()));
    let config = StreamableHttpServerConfig::default().with_cancellation_token(transport_stop.clone());
    StreamableHttpService::new(server, sessions, config)
}

fn sessions() -> LocalSessionManager {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SILENCE);
    sessions
}

async fn farewell(stop: &CancellationToken, transport_stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(FAREWELL).await;
    transport_stop.cancel();
    tokio::time::sleep(FAREWELL).await;
}

/// What the guard needs to know.
#[derive(Clone)]
struct Door {
    port: u16,
    access: AccessNow,
    sessions: Arc<LocalSessionManager>,
    owners: Arc<Mutex<HashMap<String, Caller>>>,
}

/// Every request comes through here.
async fn enter(State(door): State<Door>, mut request: Request, next: Next) -> Response {
    let caller = match guard::admit(&request, door.port, &(door.access)()) {
        Ok(caller) => caller,
        Err(refusal) => return turn_away(refusal),
    };
    if door.belongs_to_another(&request, &caller) {
        return turn_away(Refusal::NotFound);
    }
    request.extensions_mut().insert(caller.clone());
    let response = next.run(request).await;
    if let Some(session) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
        door.remember(session, caller).await;
    }
    response
}

fn turn_away(refusal: Refusal) -> Response {
    let mut response = (refusal.status(), Body::empty()).into_response();
    if refusal == Refusal::Unauthorized {
        // Without `resource_metadata`: it would send clients off to look for an OAuth server.
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

impl Door {
    /// A session is no key: it opens only to the token that it was begun with.
    fn belongs_to_another(&self, request: &Request, caller: &Caller) -> bool {
        let owners = lock(&self.owners);
        let mut sessions = request.headers().get_all(SESSION).iter().filter_map(|id| id.to_str().ok());
        sessions.any(|id| owners.get(id).is_some_and(|owner| owner != caller))
    }

    /// Remembers whose session it is, and forgets those that have ended.
    async fn remember(&self, session: &str, caller: Caller) {
        let alive = self.sessions.sessions.read().await;
        let mut owners = lock(&self.owners);
        owners.retain(|id, _| alive.contains_key(id.as_str()));
        owners.insert(session.to_owned(), caller);
    }
}
