//! The last lines of a server's standard error, without its secrets.

use std::{collections::VecDeque, sync::Arc};

use machine::{
    clock,
    waiting::{Mutex, MutexGuard},
};
use secrets::Redaction;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    sync::watch,
};

use super::redact::{reach, show};

/// The maximum number of lines kept.
const LINES: usize = 1_000;

/// The maximum total size of the kept lines, in bytes.
const BYTES: usize = 256 << 10;

/// The last lines of one server. Clones share the same log.
#[derive(Clone)]
pub struct Log {
    inner: Arc<Inner>,
}

struct Inner {
    kept: Mutex<Kept>,
    /// The number of lines ever read.
    count: watch::Sender<u64>,
}

#[derive(Default)]
struct Kept {
    lines: VecDeque<(u64, String)>,
    bytes: usize,
    /// The supervisor's message: why there is no server.
    refused: Option<String>,
}

impl Log {
    /// An empty log.
    pub(crate) fn new() -> Self {
        Self { inner: Arc::new(Inner { kept: Mutex::default(), count: watch::Sender::new(0) }) }
    }

    /// The kept lines, oldest first, each with its time in milliseconds since 1970.
    pub fn lines(&self) -> Vec<(u64, String)> {
        self.kept().lines.iter().cloned().collect()
    }

    /// Changes with each line; the value is the number of lines ever read.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.count.subscribe()
    }

    /// Why there is no server, if its supervisor gave a reason.
    pub fn refused(&self) -> Option<String> {
        self.kept().refused.clone()
    }

    /// Reads until the end. A line of any length takes a few kilobytes. The stream is always read, so the server never
    /// blocks on it.
    pub async fn read(self, mut from: impl AsyncRead + Unpin, mark: String, redaction: Redaction) {
        let mut line = Line { bytes: Vec::new(), reach: reach(&redaction) };
        let mut buffer = [0; 4 << 10];
        loop {
            let count = match from.read(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(count) => count,
            };
            let mut pieces = buffer[..count].split(|&byte| byte == b'\n');
            if let Some(first) = pieces.next() {
                line.add(first);
            }
            for piece in pieces {
                self.take(&line.end(), &mark, &redaction);
                line.add(piece);
            }
        }
        if !line.bytes.is_empty() {
            self.take(&line.end(), &mark, &redaction);
        }
    }

    fn take(&self, line: &[u8], mark: &str, redaction: &Redaction) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.strip_prefix(mark.as_bytes()).filter(|_| !mark.is_empty()) {
            Some(reason) => self.kept().refused = Some(show(redaction, reason)),
            None => self.push(show(redaction, line)),
        }
    }

    fn push(&self, line: String) {
        let mut kept = self.kept();
        kept.bytes += line.len();
        kept.lines.push_back((clock::now(), line));
        while kept.lines.len() > LINES || kept.bytes > BYTES {
            let Some((_, oldest)) = kept.lines.pop_front() else { break };
            kept.bytes -= oldest.len();
        }
        drop(kept);
        self.inner.count.send_modify(|count| *count += 1);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.inner.kept.lock()
    }
}

/// The line being read. It stops growing once the displayed part is complete.
struct Line {
    bytes: Vec<u8>,
    reach: usize,
}

impl Line {
    fn add(&mut self, bytes: &[u8]) {
        let room = self.reach.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..room.min(bytes.len())]);
    }

    fn end(&mut self) -> zeroize::Zeroizing<Vec<u8>> {
        std::mem::take(&mut self.bytes).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn logged(pieces: &[&[u8]], secrets: &[&str]) -> Log {
        let log = Log::new();
        let (mut near, far) = tokio::io::duplex(7);
        let writing = async {
            for piece in pieces {
                tokio::io::AsyncWriteExt::write_all(&mut near, piece).await.unwrap();
            }
            drop(near);
        };
        let redaction = Redaction::new(secrets.iter().copied());
        tokio::join!(log.clone().read(far, "mark".to_owned(), redaction), writing);
        log
    }

    fn texts(log: &Log) -> Vec<String> {
        log.lines().into_iter().map(|(_, line)| line).collect()
    }

    #[tokio::test]
    async fn lines_are_put_together_from_pieces_and_secrets_in_them_are_hidden() {
        let log = logged(&[b"key s3", b"cret\r\n", b"\n", b"no end"], &["s3cret"]).await;
        assert_eq!(texts(&log), ["key ••••", "", "no end"]);
        assert_eq!(*log.changes().borrow(), 3);
        assert!(log.lines()[0].0 > 1_700_000_000_000);
    }

    #[tokio::test]
    async fn only_the_last_lines_are_kept() {
        let many: Vec<u8> = (0..1_500).flat_map(|line| format!("{line}\n").into_bytes()).collect();
        let log = logged(&[&many], &[]).await;
        assert_eq!(log.lines().len(), LINES);
        assert_eq!(texts(&log)[LINES - 1], "1499");

        let long: Vec<u8> = (0..100).flat_map(|_| [vec![b'x'; 10_000], vec![b'\n']].concat()).collect();
        let log = logged(&[&long], &[]).await;
        assert!(log.lines().iter().map(|(_, line)| line.len()).sum::<usize>() <= BYTES);
        assert!(texts(&log)[0].ends_with("x …"));
    }

    #[tokio::test]
    async fn what_a_supervisor_says_is_no_line_of_the_server() {
        let log = logged(&[b"markThe program is not there.\n"], &[]).await;
        assert_eq!(log.refused().as_deref(), Some("The program is not there."));
        assert!(log.lines().is_empty());
    }
}
