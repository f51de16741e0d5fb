//! Pipes and sockets on Linux. Other processes that share the stream rely on its blocking mode, so the mode stays
//! unchanged, and each read and write is non-blocking by itself.

use std::{
    io::{self, IoSlice, IoSliceMut},
    os::fd::{AsFd, OwnedFd},
    pin::Pin,
    task::{Context, Poll, ready},
};

use rustix::{
    fs::{FileType, fstat},
    io::{Errno, ReadWriteFlags, dup, preadv2, pwritev2},
    net::{RecvFlags, SendFlags, recv, send},
    stdio::{stdin, stdout},
};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, unix::AsyncFd};

/// The offset that means the stream's current position.
const HERE: u64 = u64::MAX;

/// One end of a pipe or a socket.
pub(super) struct Ready {
    stream: AsyncFd<OwnedFd>,
    socket: bool,
}

/// Standard input; `None` if it does not support this.
pub(super) fn input() -> Option<Ready> {
    Ready::of(stdin(), Interest::READABLE)
}

/// Standard output; `None` if it does not support this.
pub(super) fn output() -> Option<Ready> {
    Ready::of(stdout(), Interest::WRITABLE)
}

impl Ready {
    fn of(stream: impl AsFd, interest: Interest) -> Option<Self> {
        let socket = match FileType::from_raw_mode(fstat(&stream).ok()?.st_mode) {
            FileType::Socket => true,
            FileType::Fifo if knows_pipes() => false,
            _ => return None,
        };
        let stream = dup(stream).ok()?;
        // SAFETY: an `OwnedFd` keeps the same handle and closes it only when dropped.
        #[expect(unsafe_code, reason = "tokio asks for the promise that the handle stays the same")]
        let stream = unsafe { AsyncFd::register_with_interest(stream, interest) }.ok()?;
        Some(Self { stream, socket })
    }

    fn read(&self, stream: &OwnedFd, bytes: &mut [u8]) -> Result<usize, Errno> {
        match self.socket {
            true => recv(stream, bytes, RecvFlags::DONTWAIT).map(|(read, _)| read),
            false => preadv2(stream, &mut [IoSliceMut::new(bytes)], HERE, ReadWriteFlags::NOWAIT),
        }
    }

    fn write(&self, stream: &OwnedFd, bytes: &[u8]) -> Result<usize, Errno> {
        match self.socket {
            true => send(stream, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL),
            false => pwritev2(stream, &[IoSlice::new(bytes)], HERE, ReadWriteFlags::NOWAIT),
        }
    }
}

/// Whether this kernel can read a pipe without blocking, which Linux refuses before 6.4.
fn knows_pipes() -> bool {
    let Ok((read, _write)) = rustix::pipe::pipe() else { return false };
    preadv2(read, &mut [IoSliceMut::new(&mut [0])], HERE, ReadWriteFlags::NOWAIT) == Err(Errno::AGAIN)
}

impl AsyncRead for Ready {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.stream.poll_read_ready(context))?;
            let bytes = buffer.initialize_unfilled();
            if let Ok(read) = ready.try_io(|stream| Ok(self.read(stream.get_ref(), bytes)?)) {
                return Poll::Ready(read.map(|read| buffer.advance(read)));
            }
        }
    }
}

impl AsyncWrite for Ready {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.stream.poll_write_ready(context))?;
            if let Ok(written) = ready.try_io(|stream| Ok(self.write(stream.get_ref(), bytes)?)) {
                return Poll::Ready(written);
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
