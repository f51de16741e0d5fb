//! The endpoint of the running engine: HTTP on 127.0.0.1 or where a person wants it, and the socket for bridges.
//!
//! The port is chosen once, at the first start, and kept, because clients' files name it. If another program
//! holds it later, HTTP stays off and that program is named; stdio works all the same (decision 7). Access
//! control is left to `mcp` for HTTP, to [`machine::socket`] for the socket.

pub(crate) mod listen;

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use api::{ActionError, Endpoint, EndpointState, ErrorKind, Notice, failed};
use arc_swap::ArcSwap;
use choices::tokens::{self, Tokens};
use connect::{port, port::PortHeld};
use files::{replace_file::ReplaceError, store};
use machine::{
    lock::Lock,
    malloc, open_files,
    socket::{Listener, Stream},
};
use mcp::{Access, Entrance, Limits, Token, Visitor, hear_hello, serve_http, serve_stream};
use state::EndpointFacts;
use tokio::{net::TcpListener, sync::watch, task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;

use self::listen::Opened;
use crate::{Engine, ServeAt, StartError, engine::serving::Serving, orders};

/// How long open calls may take to end when the engine stops.
const FAREWELL: Duration = Duration::from_secs(3);

/// How long a bridge may take to identify itself.
const HELLO: Duration = Duration::from_secs(5);

/// How to connect a client by hand.
#[derive(Clone, PartialEq, Eq)]
pub struct Connection {
    /// `http://127.0.0.1:8363/mcp`; `None` while HTTP is off.
    pub url: Option<String>,
    /// Why it is off, as a sentence.
    pub trouble: Option<String>,
    /// The token that HTTP asks for.
    pub token: String,
    /// For a client that starts its servers itself: the program and its arguments.
    pub command: Vec<String>,
}

impl Engine {
    /// Opens the endpoint of an engine that keeps no state: [`crate::Mode::Writing`] has opened its own. At a place of
    /// its own, any number of them serve beside each other and beside the writing one, and nothing is written.
    ///
    /// # Errors
    /// When another engine of this user serves at the library's port, or nothing can listen at the place.
    pub async fn serve(&self, at: ServeAt) -> Result<(), StartError> {
        let opened = at.open().map_err(StartError::Listen)?;
        let lock = if opened.is_some() { None } else { Some(Lock::take(&self.machine().data)?) };
        self.open_endpoint(lock, opened, at.token).await;
        Ok(())
    }

    /// Lets pages of these origins connect over HTTP; each must be spelled exactly as a browser does.
    pub fn allow_origins(&self, origins: Vec<String>) {
        if let Some(serving) = &*self.serving() {
            let tokens = serving.access.load().tokens.clone();
            serving.access.store(Arc::new(Access { tokens, origins }));
        }
    }

    /// How to connect a client by hand; `None` while nothing is served.
    pub fn connection(&self) -> Option<Connection> {
        let token = {
            let serving = self.serving();
            let serving = serving.as_ref()?;
            serving.given.clone().unwrap_or_else(|| serving.tokens.by_hand().to_owned())
        };
        let machine = self.machine();
        let mut command = vec![connect::lasting_program(machine).display().to_string(), "mcp".to_owned()];
        if !machine.default_data {
            command.extend(["--home".to_owned(), machine.data.display().to_string()]);
        }
        let Endpoint { address, state, .. } = self.snapshot().endpoint.clone();
        let trouble = match state {
            EndpointState::StdioOnly { message } => Some(message),
            EndpointState::Serving | EndpointState::Paused => None,
        };
        Some(Connection { url: (!address.is_empty()).then_some(address), trouble, token, command })
    }

    /// Changes the tokens, in the file and at an open endpoint.
    pub(crate) fn change_tokens<T>(&self, act: impl FnOnce(&mut Tokens) -> T) -> Result<T, ReplaceError> {
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
            serving.access.store(Arc::new(Access { tokens: shown(&tokens, serving.given.as_deref()), origins }));
            serving.tokens = tokens;
        }
        Ok(done)
    }

    /// Opens HTTP, at this place or the library's port, and with the lock the socket for bridges. The snapshot says what
    /// could not be opened; the rest works.
    pub(crate) async fn open_endpoint(&self, lock: Option<Lock>, opened: Option<Opened>, given: Option<String>) {
        let path = self.machine().data.join(tokens::FILE);
        let (tokens, notice) = if lock.is_some() { Tokens::load(&path) } else { (Tokens::peek(&path), None) };
        let mut notice = Vec::from_iter(notice);
        let tokens_now = shown(&tokens, given.as_deref());
        let access = Arc::new(ArcSwap::from_pointee(Access { tokens: tokens_now, origins: Vec::new() }));
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();

        let chosen = self.state().now().choices.port;
        let (http, at_own_port) = (stop.child_token(), opened.is_none());
        let (port, facts) = match opened {
            Some(Opened { entrance, facts }) => {
                // Sessions are kept by the one engine that may write.
                let sessions = lock.as_ref().map(|_| self.machine().data.join("sessions"));
                tasks.spawn(self.http(entrance, &access, sessions, http.clone()));
                (chosen, facts)
            }
            None => match listen(chosen).await {
                Ok((listener, port)) => {
                    tasks.spawn(self.http_at_port(listener, &access, http.clone()));
                    (Some(port), EndpointFacts::at(port))
                }
                Err(held) => {
                    notice.extend(shown_to_a_stranger(&tokens, &held));
                    (chosen, EndpointFacts { address: None, trouble: Some(held.to_string()) })
                }
            },
        };
        let bridges = lock.as_ref().map(|_| Listener::bind(&self.machine().data));
        let deaf = match bridges {
            Some(Ok(listener)) => {
                tasks.spawn(serve_bridges(self.clone(), listener, stop.clone()));
                None
            }
            Some(Err(error)) => Some(format!(
                "Clients that start Skilltender's program are served on their own, and changes here reach them late, because a file that connects them with this window cannot be made: {error}."
            )),
            None => None,
        };
        let opened = self.state().apply(move |state| {
            state.choices.port = port;
            state.endpoint = facts;
            state.notices.extend(notice);
            if let Some(message) = deaf {
                state.notice("socket", message);
            }
        });
        drop(opened.await);
        self.gateway().set_serves(true);
        *self.serving() = Some(Serving { access, tokens, stop, http, tasks, lock, given, at_own_port });
    }

    /// Serves HTTP at a port of this computer until `stop` is cancelled.
    fn http_at_port(
        &self,
        listener: TcpListener,
        access: &Arc<ArcSwap<Access>>,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + Send + use<> {
        let sessions = self.machine().data.join("sessions");
        self.http(Entrance::ThisComputer(listener), access, Some(sessions), stop)
    }

    /// Serves HTTP until `stop` is cancelled.
    fn http(
        &self,
        entrance: Entrance,
        access: &Arc<ArcSwap<Access>>,
        sessions: Option<PathBuf>,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + Send + use<> {
        let access = Arc::clone(access);
        let limits = Limits { connections: open_files::for_connections(), ..Limits::default() };
        let access_now = move || access.load_full();
        let (told, present) = watch::channel(0);
        let http = serve_http(Arc::new(self.clone()), entrance, access_now, sessions, limits, told, stop);
        async {
            tokio::spawn(give_back_at_ebb(present));
            if let Err(error) = http.await {
                tracing::error!("HTTP stopped: {error}.");
            }
        }
    }

    /// Serves HTTP at another port from now on, and remembers it. Entries of clients with the old port are out
    /// of date then.
    ///
    /// # Errors
    /// When the port cannot be opened, and nothing has changed; or when it cannot be remembered.
    pub(crate) async fn move_to_port(&self, port: u16) -> Result<(), ActionError> {
        let state = self.state().now();
        if (state.choices.port, state.endpoint.address.is_some()) == (Some(port), true) {
            return Ok(());
        }
        let (listener, _) = listen(Some(port)).await.map_err(|held| failed(ErrorKind::Refused, held.to_string()))?;
        let served = match &mut *self.serving() {
            Some(serving) if serving.at_own_port => {
                serving.http.cancel();
                serving.http = serving.stop.child_token();
                serving.tasks.spawn(self.http_at_port(listener, &serving.access, serving.http.clone()));
                true
            }
            // An engine for one order serves no clients, and one at a place of its own serves on there: the port was only
            // tested.
            Some(_) | None => false,
        };
        self.state()
            .change(move |state| {
                state.choices.port = Some(port);
                if served {
                    state.endpoint = EndpointFacts::at(port);
                }
            })
            .await
    }

    /// Closes the endpoint: open calls end, and clients are notified. The returned lock is the right to write.
    pub(crate) async fn close_endpoint(&self) -> Option<Lock> {
        let mut serving = self.serving().take()?;
        self.gateway().set_serves(false);
        serving.stop.cancel();
        let ended = async { while serving.tasks.join_next().await.is_some() {} };
        if timeout(FAREWELL, ended).await.is_err() {
            tracing::warn!("Some clients did not let go in time.");
        }
        serving.lock
    }
}

/// The notice about tokens that clients may have sent to the program that holds the port.
fn shown_to_a_stranger(tokens: &Tokens, held: &PortHeld) -> Option<Notice> {
    let PortHeld::By { by, .. } = held else { return None };
    let clients: Vec<_> = tokens.all().keys().filter(|client| *client != tokens::BY_HAND).map(String::as_str).collect();
    let first = clients.first()?;
    Some(Notice {
        id: "tokens-shown".to_owned(),
        message: format!(
            "Clients that connect over HTTP send their token to any program that listens on our port, so {by} may have seen those of {}. Once the port is ours again or another one is chosen, replace them, on the clients' pages or with `skilltender token {first} --replace`, and update the clients.",
            clients.join(", ")
        ),
    })
}

/// Listens on the stored port, or at a first start on the first free one. The error says which program holds
/// the stored one.
async fn listen(chosen: Option<u16>) -> Result<(TcpListener, u16), PortHeld> {
    // Port 0 asks the system for any free port, but clients' files need a fixed one.
    if let Some(port) = chosen.filter(|port| *port != 0) {
        return match bind(port).await {
            Ok(listener) => Ok((listener, port)),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(PortHeld::by(port)),
            Err(source) => Err(PortHeld::Closed { port, source }),
        };
    }
    for port in port::FIRST..port::FIRST + port::TRIES {
        if let Ok(listener) = bind(port).await {
            return Ok((listener, port));
        }
    }
    Err(PortHeld::All)
}

/// Loopback only, by its number: a name could be resolved to anything.
async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port)).await
}

/// Returns the memory of connections when many have ended.
async fn give_back_at_ebb(present: watch::Receiver<usize>) {
    malloc::at_ebb(present, || drop(tokio::task::spawn_blocking(malloc::give_back))).await;
}

/// Serves bridges until `stop` is cancelled.
async fn serve_bridges(engine: Engine, mut listener: Listener, stop: CancellationToken) {
    let mut bridges = JoinSet::new();
    let (told, present) = watch::channel(0);
    tokio::spawn(give_back_at_ebb(present));
    loop {
        told.send_replace(bridges.len());
        tokio::select! {
            () = stop.cancelled() => break,
            stream = listener.accept() => match stream {
                Ok(stream) => drop(bridges.spawn(serve_bridge(engine.clone(), stream, stop.clone()))),
                Err(error) => {
                    // Out of file handles, for instance: others may be closed meanwhile.
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
        Ok(Visitor::Orders) => orders::serve(&engine, read, write, &stop).await,
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

fn shown(tokens: &Tokens, given: Option<&str>) -> Vec<Token> {
    let token = |(client, value): (&String, &String)| Token { client: client.clone(), value: value.clone() };
    let given = given.map(|value| Token { client: tokens::BY_HAND.to_owned(), value: value.to_owned() });
    tokens.all().iter().map(token).chain(given).collect()
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
