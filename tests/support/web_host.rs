//! A host of files on this computer: well-behaved, or in the ways in which a host may not be; with a certificate of its own
//! authority, if it is asked over https.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use tempfile::TempDir;

/// What a host answers for one path.
#[derive(Debug, Clone)]
pub enum Reply {
    /// These bytes.
    File(Vec<u8>),
    /// These bytes with these lines in the head, unless the request has one of them as its condition: then 304.
    Known(Vec<u8>, Vec<String>),
    /// A status, and no file.
    Status(u16),
    /// It sends on to this address.
    Moved(String),
    /// These bytes, which it says to be so many.
    Claimed(Vec<u8>, u64),
    /// A byte now and then, without end.
    Trickle,
    /// The head of an answer, and nothing after it.
    Silence,
}

/// A running host. It ends with the test's process.
#[derive(Debug)]
pub struct WebHost {
    port: u16,
    replies: Arc<Mutex<BTreeMap<String, Reply>>>,
    asked: Arc<Mutex<Vec<String>>>,
    sent: Arc<AtomicU64>,
    conditions: Arc<Mutex<Vec<String>>>,
}

impl WebHost {
    /// A host without files.
    ///
    /// # Panics
    /// When there is no port for it.
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let (replies, asked) = <(Arc<Mutex<BTreeMap<String, Reply>>>, Arc<Mutex<Vec<String>>>)>::default();
        let (sent, conditions) = <(Arc<AtomicU64>, Arc<Mutex<Vec<String>>>)>::default();
        let host = Self {
            port,
            replies: Arc::clone(&replies),
            asked: Arc::clone(&asked),
            sent: Arc::clone(&sent),
            conditions: Arc::clone(&conditions),
        };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (replies, asked) = (Arc::clone(&replies), Arc::clone(&asked));
                let (sent, conditions) = (Arc::clone(&sent), Arc::clone(&conditions));
                // Whoever asked may have gone.
                thread::spawn(move || drop(answer(stream, &replies, &asked, &sent, &conditions)));
            }
        });
        host
    }

    /// The address of a path.
    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Answers this for a path from now on; returns its address.
    ///
    /// # Panics
    /// When another thread panicked.
    pub fn answers(&self, path: &str, reply: Reply) -> String {
        self.replies.lock().expect("the replies").insert(path.to_owned(), reply);
        self.address(path)
    }

    /// Serves these bytes at a path from now on; returns its address.
    pub fn serves(&self, path: &str, bytes: impl Into<Vec<u8>>) -> String {
        self.answers(path, Reply::File(bytes.into()))
    }

    /// The paths that were asked for since the last time.
    ///
    /// # Panics
    /// When another thread panicked.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().expect("the requests"))
    }

    /// The conditions of requests since the last time, in small letters.
    ///
    /// # Panics
    /// When another thread panicked.
    pub fn conditions(&self) -> Vec<String> {
        std::mem::take(&mut *self.conditions.lock().expect("the requests"))
    }

    /// How many bytes of files it sent since the last time.
    pub fn sent(&self) -> u64 {
        self.sent.swap(0, Ordering::Relaxed)
    }
}

fn answer(
    mut stream: TcpStream,
    replies: &Mutex<BTreeMap<String, Reply>>,
    asked: &Mutex<Vec<String>>,
    sent: &AtomicU64,
    conditions: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut condition = None;
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some((name, value)) = line.trim_end().split_once(": ")
            && name.to_ascii_lowercase().starts_with("if-")
        {
            condition = Some(value.to_owned());
            conditions.lock().expect("the requests").push(line.trim_end().to_ascii_lowercase());
        }
    }
    let reply = replies.lock().expect("the replies").get(&path).cloned();
    asked.lock().expect("the requests").push(path);
    let mut head = |status: u16, more: &str| {
        stream.write_all(format!("HTTP/1.1 {status} Said\r\nConnection: close\r\n{more}\r\n").as_bytes())
    };
    let length = |length: u64| format!("Content-Length: {length}\r\n");
    match reply.unwrap_or(Reply::Status(404)) {
        Reply::File(bytes) => {
            sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            head(200, &length(bytes.len() as u64))?;
            stream.write_all(&bytes)
        }
        Reply::Known(bytes, lines) => {
            let value = |line: &String| line.split_once(": ").map(|(_, value)| value.to_owned());
            if condition.is_some() && lines.iter().any(|line| value(line) == condition) {
                return head(304, "");
            }
            sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
            head(200, &(lines + &length(bytes.len() as u64)))?;
            stream.write_all(&bytes)
        }
        Reply::Status(status) => head(status, &length(0)),
        Reply::Moved(to) => head(302, &format!("Location: {to}\r\n{}", length(0))),
        Reply::Claimed(bytes, claimed) => {
            head(200, &length(claimed))?;
            stream.write_all(&bytes)
        }
        Reply::Trickle => {
            head(200, "")?;
            loop {
                stream.write_all(b"a")?;
                thread::sleep(Duration::from_millis(20));
            }
        }
        Reply::Silence => {
            head(200, &length(5))?;
            // Until the other side gives up.
            stream.read(&mut [0]).map(drop)
        }
    }
}

/// A host over https, whose certificate is of an authority that no computer knows. It is the `openssl` of this computer,
/// and ends when this is dropped.
#[derive(Debug)]
pub struct SecureHost {
    folder: TempDir,
    port: u16,
    child: Child,
}

impl SecureHost {
    /// A host with these files by their names.
    ///
    /// # Panics
    /// When `openssl` does not do it.
    pub fn start(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let run = |words: &[&str]| {
            let done = Command::new("openssl").args(words).current_dir(folder.path()).output().expect("openssl");
            assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        };
        let new = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
        run(&[&new[..], &["-subj", "/CN=Nobody's authority", "-keyout", "ca.key", "-out", "ca.pem"]].concat());
        let names = "subjectAltName=IP:127.0.0.1,DNS:localhost";
        let signed = ["-subj", "/CN=localhost", "-addext", names, "-addext", "basicConstraints=CA:FALSE"];
        let by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "host.key", "-out", "host.pem"];
        run(&[&new[..], &signed, &by].concat());
        std::fs::create_dir(folder.path().join("served")).expect("a folder");
        for (name, bytes) in files {
            let file = folder.path().join("served").join(name);
            std::fs::create_dir_all(file.parent().expect("it is below a folder")).expect("a folder");
            std::fs::write(file, bytes).expect("a file");
        }
        // It says where it listens on its first line.
        let mut child = Command::new("openssl")
            .args(["s_server", "-accept", "127.0.0.1:0", "-cert", "../host.pem", "-key", "../host.key", "-WWW"])
            .current_dir(folder.path().join("served"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("openssl");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with("ACCEPT")).expect("where it listens");
        let port = line.rsplit(':').next().and_then(|port| port.trim().parse().ok()).expect("a port");
        thread::spawn(move || lines.for_each(drop));
        Self { folder, port, child }
    }

    /// The address of a file.
    pub fn address(&self, name: &str) -> String {
        format!("https://127.0.0.1:{}/{name}", self.port)
    }

    /// The certificate of its authority.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }
}

impl Drop for SecureHost {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
