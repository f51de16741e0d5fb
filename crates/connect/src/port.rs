//! The port that clients' entries name, and the programs that hold it. Listening is left to `engine`.

use std::io;

use machine::port_owner;

/// "TEND" on a telephone's keys.
pub const FIRST: u16 = 8363;

/// How many ports a first start tries.
pub const TRIES: u16 = 100;

/// Why a port is not available.
#[derive(Debug, thiserror::Error)]
pub enum PortHeld {
    #[error(
        "Port {port} is held by {by}, so HTTP is off. Quit that program, then start Skilltender again, or choose another port with `skilltender settings port {other}` or in the window's settings; clients that run the program skilltender are served all the same."
    )]
    By { port: u16, by: String, other: u16 },
    #[error("Port {port} cannot be opened, so HTTP is off: {source}.")]
    Closed { port: u16, source: io::Error },
    #[error("No port from {FIRST} to {last} is free, so HTTP is off.", last = FIRST + TRIES - 1)]
    All,
}

/// Which other program listens on this port, as a sentence, if any. For an engine that does not listen itself.
pub fn held(port: u16) -> Option<String> {
    match std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port)) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Some(PortHeld::by(port).to_string()),
        _ => None,
    }
}

impl PortHeld {
    pub fn by(port: u16) -> Self {
        let by = port_owner::of(port).unwrap_or_else(|| "another program".to_owned());
        Self::By { port, by, other: if port < u16::MAX { port + 1 } else { FIRST } }
    }
}
