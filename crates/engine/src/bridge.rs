//! What `skilltender mcp` runs: a client's stdio carried to the one engine, or answered here.

use std::{io, sync::Arc};

use mcp::{Caller, say_hello, serve_stream};
use tokio::io::{AsyncRead, AsyncWrite, copy, split};
use tokio_util::sync::CancellationToken;

use crate::{Engine, Machine, Mode, socket, tokens::BY_HAND};

/// Answers one client from this engine until it has nothing more to ask.
///
/// # Errors
/// When the stream breaks before the client has said what it wants.
pub async fn answer(
    engine: &Engine,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let caller = Caller { client: BY_HAND.to_owned() };
    serve_stream(Arc::new(engine.clone()), caller, read, write, CancellationToken::new()).await
}

/// Carries one client to the running engine, or answers it from an engine of its own that reads only.
///
/// # Errors
/// When the client's stream breaks.
pub async fn carry(
    machine: Machine,
    client: Option<&str>,
    mut read: impl AsyncRead + Send + Unpin + 'static,
    mut write: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let caller = Caller { client: client.unwrap_or(BY_HAND).to_owned() };
    let Ok(stream) = socket::connect(&machine.data).await else {
        let engine = Engine::start(machine, Mode::Reading).await.map_err(io::Error::other)?;
        return serve_stream(Arc::new(engine), caller, read, write, CancellationToken::new()).await;
    };
    let (mut from, mut to) = split(stream);
    say_hello(&mut from, &mut to, &caller).await?;
    tokio::try_join!(copy(&mut read, &mut to), copy(&mut from, &mut write))?;
    Ok(())
}
