//! Where HTTP comes in: a port of this computer, a port of a container, or a socket behind a proxy. Opening it, and
//! who may open which, is left to the caller; what a request must name is left to the guard.

use std::io;

#[cfg(unix)]
use machine::socket::ProxySocket;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
};

use super::guard::Hosts;

/// An open entrance.
#[derive(Debug)]
pub enum Entrance {
    /// A port that only programs on this computer reach.
    ThisComputer(TcpListener),
    /// A port of a container: whoever runs the container decides who reaches it.
    Container(TcpListener),
    /// A socket on the disk: the peer is a proxy on this computer.
    #[cfg(unix)]
    Proxy(ProxySocket),
}

impl Entrance {
    /// The names by which requests may call us here.
    ///
    /// # Errors
    /// If others can reach what is said to be of this computer alone.
    pub(super) fn hosts(&self) -> io::Result<Hosts> {
        match self {
            Self::ThisComputer(listener) => {
                let address = listener.local_addr()?;
                if !address.ip().is_loopback() {
                    let sentence = "Skilltender serves on this computer only.";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
                }
                Ok(Hosts::ThisComputer(address.port()))
            }
            Self::Container(_) => Ok(Hosts::Any),
            #[cfg(unix)]
            Self::Proxy(_) => Ok(Hosts::Any),
        }
    }
}

/// What accepts connections.
pub(super) trait Listens {
    /// One connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection; cancel safe.
    fn accept(&mut self) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

impl Listens for TcpListener {
    type Stream = TcpStream;

    async fn accept(&mut self) -> io::Result<TcpStream> {
        let (stream, _) = Self::accept(self).await?;
        // rmcp writes an answer in two pieces; without this, the second waits 40 ms for an acknowledgement.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("a connection stays slow: {error}");
        }
        Ok(stream)
    }
}

#[cfg(unix)]
impl Listens for ProxySocket {
    type Stream = tokio::net::UnixStream;

    async fn accept(&mut self) -> io::Result<Self::Stream> {
        Self::accept(self).await
    }
}
