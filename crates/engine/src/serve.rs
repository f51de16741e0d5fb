//! The endpoint of the running engine: HTTP on 127.0.0.1, and the socket that bridges dial.
//!
//! The port is chosen once, at the first start, and kept, because clients' files name it. When
//! somebody else holds it later, HTTP stays off and the holder is named; stdio works all the same
//! (decision 7). Who is let in over HTTP is left to `mcp`, who over the socket to [`crate::socket`].

use std::{io, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use mcp::{Access, Token, Visitor, hear_hello, serve_http, serve_stream};
use tokio::{net::TcpListener, task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    Engine,
    guest::GuestError,
    holder,
    lock::{Lock, LockError},
    orders,
    socket::{Listener, Stream},
    state::EndpointFacts,
    store,
    tokens::{self, Tokens},
};

/// "TEND" on a telephone's keys.
const PORT: u16 = 8363;

/// How many ports a first start tries.
const TRIES: u16 = 100;

/// How long open calls may take to end when we stop.
const FAREWELL: Duration = Duration::from_secs(3);

/// How long a bridge may take to say who it is.
const HELLO: Duration = Duration::from_secs(5);

/// The open endpoint; closed when dropped.
pub(crate) struct Serving {
    access: Arc<ArcSwap<Access>>,
    tokens: Tokens,
    stop: CancellationToken,
    tasks: JoinSet<()>,
    lock: Lock,
}

/// How a client is connected by hand.
#[derive(Clone, PartialEq, Eq)]
pub struct Connection {
    /// `http://127.0.0.1:8363/mcp`; `None` while HTTP is off.
    pub url: Option<String>,
    /// The token that HTTP asks for.
    pub token: String,
    /// What a client runs that starts its servers itself: the program and its arguments.
    pub command: Vec<String>,
}

impl Engine {
    /// Opens the endpoint of an engine that keeps no state: [`crate::Mode::Writing`] has opened its own.
    ///
    /// # Errors
    /// When another engine of this user serves.
    pub async fn serve(&self) -> Result<(), LockError> {
        let lock = Lock::take(&self.machine().data)?;
        self.open_endpoint(lock).await;
        Ok(())
    }

    /// Lets pages of these origins connect over HTTP, letter by letter as a browser spells them.
    pub fn allow_origins(&self, origins: Vec<String>) {
        if let Some(serving) = &*self.serving() {
            let tokens = serving.access.load().tokens.clone();
            serving.access.store(Arc::new(Access { tokens, origins }));
        }
    }

    /// How a client is connected by hand; `None` while nothing is served.
    pub fn connection(&self) -> Option<Connection> {
        let token = self.serving().as_ref()?.tokens.by_hand().to_owned();
        let machine = self.machine();
        let mut command = vec![machine.program.display().to_string(), "mcp".to_owned()];
        if !machine.default_data {
            command.extend(["--home".to_owned(), machine.data.display().to_string()]);
        }
        let address = self.snapshot().endpoint.address.clone();
        Some(Connection { url: (!address.is_empty()).then_some(address), token, command })
    }

    /// Changes the tokens, on the disk and at the door of an open endpoint.
    pub(crate) fn change_tokens<T>(&self, act: impl FnOnce(&mut Tokens) -> T) -> Result<T, GuestError> {
        let path = self.machine().data.join(tokens::FILE);
        let _turn = self.tokens_turn();
        let served = self.serving().as_ref().map(|serving| serving.tokens.clone());
        let before = served.unwrap_or_else(|| Tokens::load(&path).0);
        let mut tokens = before.clone();
        let done = act(&mut tokens);
        if tokens != before {
            store::save(&path, &tokens)?;
        }
        if let Some(serving) = &mut *self.serving() {
            let origins = serving.access.load().origins.clone();
            serving.access.store(Arc::new(Access { tokens: shown(&tokens), origins }));
            serving.tokens = tokens;
        }
        Ok(done)
    }

    /// Opens HTTP and the socket. What cannot be opened is said in the snapshot; the rest works.
    pub(crate) async fn open_endpoint(&self, lock: Lock) {
        let (tokens, notice) = Tokens::load(&self.machine().data.join(tokens::FILE));
        let access = Arc::new(ArcSwap::from_pointee(Access { tokens: shown(&tokens), origins: Vec::new() }));
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();

        // A loop that is gone has no port to tell.
        let chosen = self.change(|state| state.choices.port).await.ok().flatten();
        let (port, facts) = match listen(chosen).await {
            Ok((listener, port)) => {
                let access = Arc::clone(&access);
                let sessions = self.machine().data.join("sessions");
                let http = serve_http(
                    Arc::new(self.clone()),
                    listener,
                    move || access.load_full(),
                    Some(sessions),
                    stop.clone(),
                );
                tasks.spawn(async {
                    if let Err(error) = http.await {
                        tracing::error!("HTTP stopped: {error}.");
                    }
                });
                (Some(port), EndpointFacts { address: Some(format!("http://127.0.0.1:{port}/mcp")), trouble: None })
            }
            Err(trouble) => (chosen, EndpointFacts { address: None, trouble: Some(trouble) }),
        };
        let deaf = match Listener::bind(&self.machine().data) {
            Ok(listener) => {
                tasks.spawn(hear(self.clone(), listener, stop.clone()));
                None
            }
            Err(error) => Some(format!(
                "Clients that run the program skilltender are served without this window: its socket cannot be made ({error})."
            )),
        };
        let opened = self.apply(move |state| {
            state.choices.port = port;
            state.endpoint = facts;
            state.notices.extend(notice);
            if let Some(message) = deaf {
                state.notice("socket", message);
            }
        });
        drop(opened.await);
        *self.serving() = Some(Serving { access, tokens, stop, tasks, lock });
    }

    /// Closes the endpoint: open calls end, and clients are told. With the lock that it returns goes the
    /// right to write.
    pub(crate) async fn close_endpoint(&self) -> Option<Lock> {
        let mut serving = self.serving().take()?;
        serving.stop.cancel();
        let ended = async { while serving.tasks.join_next().await.is_some() {} };
        if timeout(FAREWELL, ended).await.is_err() {
            tracing::warn!("Some clients did not let go in time.");
        }
        Some(serving.lock)
    }
}

/// The stored port, or at a first start the first free one. The error says who holds the stored one.
async fn listen(chosen: Option<u16>) -> Result<(TcpListener, u16), String> {
    // Nobody listens on port 0: it asks the system for any, and clients' files name one.
    if let Some(port) = chosen.filter(|port| *port != 0) {
        return match bind(port).await {
            Ok(listener) => Ok((listener, port)),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                let holder = holder::of(port).unwrap_or_else(|| "another program".to_owned());
                Err(format!(
                    "Port {port} is held by {holder}, so HTTP is off. Quit that program, then start Skilltender again; clients that run the program skilltender are served all the same."
                ))
            }
            Err(error) => Err(format!("Port {port} cannot be opened, so HTTP is off: {error}.")),
        };
    }
    for port in PORT..PORT + TRIES {
        if let Ok(listener) = bind(port).await {
            return Ok((listener, port));
        }
    }
    Err(format!("No port from {PORT} to {} is free, so HTTP is off.", PORT + TRIES - 1))
}

/// Loopback only, by its number: a name could be made to mean anything.
async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port)).await
}

/// Serves bridges until it is told to stop.
async fn hear(engine: Engine, mut listener: Listener, stop: CancellationToken) {
    let mut bridges = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            stream = listener.accept() => match stream {
                Ok(stream) => drop(bridges.spawn(serve_bridge(engine.clone(), stream, stop.clone()))),
                Err(error) => {
                    // Out of file handles, for instance: others may close theirs meanwhile.
                    tracing::warn!("A client could not be let in: {error}.");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = bridges.join_next() => {}
        }
    }
    drop(listener);
    while bridges.join_next().await.is_some() {}
}

async fn serve_bridge(engine: Engine, stream: Stream, stop: CancellationToken) {
    let (mut read, mut write) = tokio::io::split(stream);
    let met = match timeout(HELLO, hear_hello(&mut read, &mut write)).await {
        Ok(met) => met,
        Err(late) => Err(late.into()),
    };
    let served = match met {
        Ok(Visitor::Orders) => orders::hear(&engine, read, write, &stop).await,
        Ok(Visitor::Client { caller, since }) => {
            tracing::info!("{} is connected over the socket.", caller.client);
            // A token of its own, because the end of this connection cancels it.
            serve_stream(Arc::new(engine), caller, since, read, write, stop.child_token()).await
        }
        Err(error) => Err(error),
    };
    if let Err(error) = served {
        tracing::info!("A client's connection ended: {error}");
    }
}

fn shown(tokens: &Tokens) -> Vec<Token> {
    let token = |(client, value): (&String, &String)| Token { client: client.clone(), value: value.clone() };
    tokens.all().iter().map(token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stored_port_of_zero_counts_as_none() {
        let (listener, port) = listen(Some(0)).await.unwrap();
        assert_eq!(listener.local_addr().unwrap().port(), port);
        assert_ne!(port, 0);
    }
}
