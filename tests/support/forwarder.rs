//! A loopback forwarder that adds the token, for suites that cannot send their own header (decision 7: the product
//! has no switch for tests). Everything else is unchanged, except that the forwarder's port becomes the endpoint's,
//! because the guard compares it.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    thread,
};

/// A port of 127.0.0.1 that forwards to an endpoint, until the test process ends.
#[derive(Debug)]
pub struct Forwarder {
    listener: TcpListener,
    /// The port on which it listens.
    pub port: u16,
}

impl Forwarder {
    /// Takes a free port; connections wait until [`Forwarder::forward`].
    ///
    /// # Errors
    /// No port is free.
    pub fn bind() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// Forwards to the endpoint at `port` from now on.
    pub fn forward(self, port: u16, token: &str) {
        let token = token.to_owned();
        thread::spawn(move || {
            for client in self.listener.incoming().flatten() {
                let token = token.clone();
                thread::spawn(move || {
                    // A client that disconnects early is not an error.
                    drop(carry(client, self.port, port, &token));
                });
            }
        });
    }
}

/// Carries one request per connection: `Connection: close` makes the next one use a new connection.
fn carry(mut client: TcpStream, ours: u16, theirs: u16, token: &str) -> io::Result<()> {
    let (head, rest) = read_head(&mut client)?;
    let mut lines = head.split("\r\n");
    let mut sent = format!("{}\r\n", lines.next().unwrap_or_default());
    for line in lines.filter(|line| !line.is_empty()) {
        match line.split_once(": ") {
            Some((name, _)) if name.eq_ignore_ascii_case("connection") => {}
            Some((name, host)) if name.eq_ignore_ascii_case("host") => {
                sent += &format!("Host: {}\r\n", host.replace(&ours.to_string(), &theirs.to_string()));
            }
            _ => sent += &format!("{line}\r\n"),
        }
    }
    sent += &format!("Authorization: Bearer {token}\r\nConnection: close\r\n\r\n");

    let mut server = TcpStream::connect(("127.0.0.1", theirs))?;
    server.write_all(sent.as_bytes())?;
    server.write_all(&rest)?;
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    let upwards = thread::spawn(move || {
        // Ends when the client disconnects. The server must notice it, because this cancels an open stream.
        drop(io::copy(&mut from_client, &mut to_server));
        drop(to_server.shutdown(Shutdown::Both));
    });
    drop(io::copy(&mut server, &mut client));
    drop(client.shutdown(Shutdown::Both));
    drop(upwards.join());
    Ok(())
}

/// The request line and the headers, and the bytes read after them.
fn read_head(client: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    const END: &[u8] = b"\r\n\r\n";
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(END.len()).position(|window| window == END) {
            let rest = bytes.split_off(end + END.len());
            return Ok((String::from_utf8_lossy(&bytes).into_owned(), rest));
        }
        let mut buffer = [0; 4096];
        match client.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
