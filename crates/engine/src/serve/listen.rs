//! Where a person wants HTTP served, other than at the library's own port: a socket behind a proxy, or a port. Reading it
//! from words and opening it; serving there is left to the module above.

use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener as System},
    path::{Path, PathBuf},
};

use mcp::Entrance;
use state::EndpointFacts;
use tokio::net::TcpListener;

/// The place and the token of an endpoint; the default is the library's own port and tokens.
#[derive(Clone, Default)]
pub struct ServeAt {
    /// The place.
    pub listen: Option<Listen>,
    /// The rights of a socket; `None` for the user alone.
    pub mode: Option<u32>,
    /// A token that is accepted besides the stored ones, so that several instances can have the same.
    pub token: Option<String>,
}

impl ServeAt {
    /// Opens its place, if it has one of its own.
    pub(crate) fn open(&self) -> Result<Option<Opened>, String> {
        self.listen.as_ref().map(|listen| listen.open(self.mode.unwrap_or(0o600))).transpose()
    }
}

/// A place to listen at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// A socket at an absolute path.
    Socket(PathBuf),
    /// A port of this computer.
    ThisComputer(SocketAddr),
    /// A port of a container.
    Container(SocketAddr),
}

/// An open place.
pub(crate) struct Opened {
    pub(crate) entrance: Entrance,
    pub(crate) facts: EndpointFacts,
}

impl Listen {
    /// Reads `unix:/run/skilltender.sock` or `127.0.0.1:8400`; in a container, any address.
    ///
    /// # Errors
    /// A sentence that says what to write.
    pub fn read(text: &str, container: bool) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return socket(path);
        }
        if text.starts_with('/') {
            return Err(format!("For a socket, write --listen unix:{text}."));
        }
        let digits = text.strip_prefix(':').unwrap_or(text);
        let port = digits.parse::<u16>().ok().or_else(|| digits.strip_prefix("localhost:")?.parse().ok());
        if let Some(port) = port {
            return Err(format!("The address is written in numbers: --listen 127.0.0.1:{port}."));
        }
        let Ok(address) = text.parse::<SocketAddr>() else {
            return Err(format!(
                "{text} is no place to listen at: write --listen unix:/run/skilltender.sock for a socket, or --listen 127.0.0.1:8400 for a port."
            ));
        };
        if address.port() == 0 {
            return Err("Port 0 would be another one at each start: name a port.".to_owned());
        }
        match address.ip() {
            ip if ip.is_loopback() && is_ours(ip) => Ok(Self::ThisComputer(address)),
            _ if container => Ok(Self::Container(address)),
            ip => Err(format!(
                "{ip} can be reached from other computers, and Skilltender listens on this one only: name 127.0.0.1 or a socket (unix:/run/skilltender.sock), with a proxy in front of it for others. In a container whose network is the border, SKILLTENDER_CONTAINER=1 says so."
            )),
        }
    }

    /// Opens it; a socket with these rights.
    ///
    /// # Errors
    /// When something else is there, or the system refuses it: a sentence.
    fn open(&self, mode: u32) -> Result<Opened, String> {
        match self {
            Self::Socket(path) => open_socket(path, mode),
            Self::ThisComputer(address) => {
                let facts = EndpointFacts { address: Some(format!("http://{address}/mcp")), trouble: None };
                Ok(Opened { entrance: Entrance::ThisComputer(bind(*address)?), facts })
            }
            Self::Container(address) => {
                let facts = EndpointFacts::at(address.port());
                Ok(Opened { entrance: Entrance::Container(bind(*address)?), facts })
            }
        }
    }
}

/// The guard knows these names of this computer, and no other address of its loopback network.
fn is_ours(ip: IpAddr) -> bool {
    ip == IpAddr::from([127, 0, 0, 1]) || ip == IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])
}

#[cfg(unix)]
fn socket(path: &str) -> Result<Listen, String> {
    // `unix:///run/x.sock` is a common spelling of the same.
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() {
        return Err("unix: names no socket: write --listen unix:/run/skilltender.sock.".to_owned());
    }
    if !path.starts_with('/') {
        return Err(format!(
            "unix:{path} must be an absolute path, one that begins at the root: unix:/run/skilltender.sock."
        ));
    }
    if path.ends_with('/') {
        return Err(format!("{path} is a folder: name the socket in it, such as unix:{path}skilltender.sock."));
    }
    Ok(Listen::Socket(PathBuf::from(path)))
}

#[cfg(not(unix))]
fn socket(_: &str) -> Result<Listen, String> {
    Err("This system has no sockets at a path that proxies use: name a port, such as --listen 127.0.0.1:8400."
        .to_owned())
}

#[cfg(unix)]
fn open_socket(path: &Path, mode: u32) -> Result<Opened, String> {
    let socket = machine::socket::ProxySocket::bind(path, mode).map_err(|error| format!("{error}."))?;
    let at = format!("HTTP is served at the socket {}, for a proxy in front of it.", path.display());
    Ok(Opened { entrance: Entrance::Proxy(socket), facts: EndpointFacts { address: None, trouble: Some(at) } })
}

#[cfg(not(unix))]
fn open_socket(path: &Path, _mode: u32) -> Result<Opened, String> {
    socket(&path.display().to_string()).map(|_| unreachable!("there is none here"))
}

fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    let open = || -> io::Result<TcpListener> {
        let listener = System::bind(address)?;
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener)
    };
    open().map_err(|error| format!("{address} cannot be listened at: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_and_a_port_of_this_computer_are_places_to_listen_at() {
        let port = |text: &str| Listen::ThisComputer(text.parse().unwrap());
        assert_eq!(Listen::read("127.0.0.1:8400", false), Ok(port("127.0.0.1:8400")));
        assert_eq!(Listen::read("[::1]:8400", true), Ok(port("[::1]:8400")));
        if cfg!(unix) {
            for text in ["unix:/run/x.sock", "unix:///run/x.sock"] {
                assert_eq!(Listen::read(text, false), Ok(Listen::Socket(PathBuf::from("/run/x.sock"))));
            }
        }
    }

    #[test]
    fn what_other_computers_reach_is_listened_at_only_in_a_container_that_says_so() {
        for text in ["0.0.0.0:8363", "[::]:8363", "192.168.1.5:8363", "127.0.0.2:8363"] {
            let refused = Listen::read(text, false).unwrap_err();
            assert!(refused.contains("SKILLTENDER_CONTAINER=1") && refused.contains("unix:/run"), "{refused}");
            assert_eq!(Listen::read(text, true), Ok(Listen::Container(text.parse().unwrap())));
        }
    }

    #[test]
    fn every_other_spelling_is_answered_with_what_to_write() {
        let rows: &[(&str, &str)] = &[
            ("/run/x.sock", "--listen unix:/run/x.sock"),
            ("8400", "--listen 127.0.0.1:8400"),
            (":8400", "--listen 127.0.0.1:8400"),
            ("localhost:8400", "--listen 127.0.0.1:8400"),
            ("127.0.0.1", "is no place to listen at"),
            ("127.0.0.1:0", "name a port"),
            ("127.0.0.1:70000", "is no place to listen at"),
            ("http://127.0.0.1:8400", "is no place to listen at"),
            ("tcp:127.0.0.1:8400", "is no place to listen at"),
            ("UNIX:/run/x.sock", "is no place to listen at"),
            ("example.com:80", "is no place to listen at"),
            ("", "is no place to listen at"),
        ];
        let sockets: &[(&str, &str)] = &[
            ("unix:", "names no socket"),
            ("unix:x.sock", "absolute path"),
            ("unix:./x.sock", "absolute path"),
            ("unix://x.sock", "absolute path"),
            ("unix:~/x.sock", "absolute path"),
            ("unix:/run/", "unix:/run/skilltender.sock"),
        ];
        for (text, part) in rows.iter().chain(if cfg!(unix) { sockets } else { &[] }) {
            for container in [false, true] {
                let said = Listen::read(text, container).expect_err(text);
                assert!(said.contains(part) && said.ends_with('.'), "{text}: {said}");
            }
        }
    }

    #[cfg(not(unix))]
    #[test]
    fn a_socket_is_refused_where_there_are_none() {
        assert!(Listen::read("unix:/run/x.sock", false).unwrap_err().contains("name a port"));
    }
}
