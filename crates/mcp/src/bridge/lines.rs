//! Splits a byte stream into lines, one JSON message each, and queues lines for writing.

use std::{collections::VecDeque, io};

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};

/// The maximum length of a line, in bytes. Longer ones are dropped, as in rmcp.
const LONGEST: usize = 16 * 1024 * 1024;

/// Reads lines. A read that is cancelled half-way continues where it stopped.
pub(super) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    dropping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(read: R) -> Self {
        Self { read: BufReader::new(read), line: Vec::new(), dropping: false }
    }

    /// The next non-empty line, without its line break; `None` at the end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let bytes = self.read.fill_buf().await?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let over = bytes.is_empty();
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + piece.len() > LONGEST {
                self.dropping = true;
                self.line.clear();
            }
            if !self.dropping {
                self.line.extend_from_slice(piece);
            }
            let consumed = piece.len() + usize::from(end.is_some());
            self.read.consume(consumed);
            if end.is_none() && !over {
                continue;
            }
            self.dropping = false;
            let mut line = std::mem::take(&mut self.line);
            line.pop_if(|byte| *byte == b'\r');
            if over || !line.is_empty() {
                return Ok((!line.is_empty()).then_some(line));
            }
        }
    }
}

/// The number of unwritten bytes at which no more are accepted.
const ROOM: usize = 4 * 1024 * 1024;

/// Lines that wait until the other side reads them. Filling it never blocks.
#[derive(Default)]
pub(super) struct Outbox {
    lines: VecDeque<Vec<u8>>,
    /// The bytes of the first line already written.
    written: usize,
    /// The bytes of all lines.
    bytes: usize,
    unflushed: bool,
}

impl Outbox {
    pub(super) fn push(&mut self, mut line: Vec<u8>) {
        line.push(b'\n');
        self.bytes += line.len();
        self.lines.push_back(line);
    }

    /// Whether more may be accepted. The relay's own messages are always accepted.
    pub(super) fn has_room(&self) -> bool {
        self.bytes < ROOM
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && !self.unflushed
    }

    /// Writes everything. A write that is cancelled half-way continues where it stopped.
    ///
    /// # Errors
    /// If the other side no longer reads.
    pub(super) async fn write_to(&mut self, to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        while let Some(line) = self.lines.front() {
            self.unflushed = true;
            match to.write(&line[self.written..]).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => self.written += count,
            }
            if self.written == line.len() {
                self.bytes -= line.len();
                self.written = 0;
                self.lines.pop_front();
            }
        }
        to.flush().await?;
        self.unflushed = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(text: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(text);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            all.push(String::from_utf8(line).unwrap());
        }
        all
    }

    #[tokio::test]
    async fn lines_end_at_any_line_break_and_at_the_end() {
        assert_eq!(lines(b"{}\r\n\n[1]\n\r\n\"last\"").await, ["{}", "[1]", "\"last\""]);
        assert!(lines(b"").await.is_empty());
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_dropped_and_the_next_one_read() {
        let mut text = vec![b'x'; LONGEST + 1];
        text.extend_from_slice(b"\n{}\n");
        assert_eq!(lines(&text).await, ["{}"]);
    }
}
