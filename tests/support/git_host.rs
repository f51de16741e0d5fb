//! A host of git repositories on this computer: git's own `http-backend` behind a few lines of HTTP, and repositories
//! that a test fills commit by commit.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use tempfile::TempDir;

/// When the first commit of a repository is made, in seconds since 1970.
const FIRST_COMMIT: u64 = 1_778_580_000;

/// How a host behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// As the large hosts do.
    #[default]
    Usual,
    /// It cannot leave files out of what it sends, as hosts of before 2017.
    Whole,
    /// It serves the files of repositories and knows nothing of git.
    Dumb,
    /// It wants to know who asks.
    Private,
    /// It answers, a byte now and then.
    Trickling,
    /// It sends every request on to an address that starts a program or reads a file.
    Misleading,
}

/// A running host. It ends with the test's process.
#[derive(Debug)]
pub struct GitHost {
    folder: TempDir,
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    sent: Arc<AtomicU64>,
}

/// A repository of a host, with a work tree that is pushed at each commit.
#[derive(Debug)]
pub struct GitRepository {
    work: PathBuf,
    /// Where it is fetched from.
    pub address: String,
}

impl GitHost {
    /// A host that behaves as usual.
    pub fn start() -> Self {
        Self::behaving(Manner::Usual)
    }

    /// A host that behaves in this way.
    pub fn behaving(manner: Manner) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let sent = Arc::new(AtomicU64::new(0));
        let (root, heard, counted) = (folder.path().join("served"), Arc::clone(&asked), Arc::clone(&sent));
        fs::create_dir(&root).expect("a folder");
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, heard, counted) = (root.clone(), Arc::clone(&heard), Arc::clone(&counted));
                // Whoever asked may have gone.
                thread::spawn(move || drop(answer(stream, &root, manner, &heard, &counted)));
            }
        });
        let host = Self { folder, port, asked, sent };
        host.told_by(manner);
        host
    }

    /// A new repository with nothing in it.
    pub fn repository(&self, name: &str) -> GitRepository {
        let served = self.folder.path().join(format!("served/{name}.git"));
        let work = self.folder.path().join(format!("work/{name}"));
        let path = |path: &Path| path.display().to_string();
        git(self.folder.path(), &["init", "--quiet", "--bare", "--initial-branch=main", &path(&served)]);
        git(self.folder.path(), &["init", "--quiet", "--initial-branch=main", &path(&work)]);
        git(&work, &["remote", "add", "origin", &path(&served)]);
        let settings = fs::read_to_string(self.folder.path().join("settings")).unwrap_or_default();
        for (name, value) in settings.lines().filter_map(|line| line.split_once(' ')) {
            git(&served, &["config", name, value]);
        }
        GitRepository { work, address: format!("http://127.0.0.1:{}/{name}.git", self.port) }
    }

    /// Takes a repository away.
    pub fn lose(&self, name: &str) {
        fs::remove_dir_all(self.folder.path().join(format!("served/{name}.git"))).expect("it was there");
    }

    /// Every request so far: its method, path and query.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no thread panics with it").clone()
    }

    /// How many bytes of git's answers it sent so far.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// The settings of its repositories.
    fn told_by(&self, manner: Manner) {
        let settings = match manner {
            Manner::Whole | Manner::Dumb => "uploadpack.allowFilter false\n",
            _ => "uploadpack.allowFilter true\nuploadpack.allowAnySHA1InWant true\n",
        };
        fs::write(self.folder.path().join("settings"), settings).expect("a file");
    }
}

impl GitRepository {
    /// Writes a file of the work tree.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let file = self.work.join(path);
        fs::create_dir_all(file.parent().expect("it is in the work tree")).expect("a folder");
        fs::write(&file, bytes).expect("a file");
        file
    }

    /// Runs git in the work tree and returns what it prints.
    pub fn git(&self, words: &[&str]) -> String {
        git(&self.work, words)
    }

    /// Commits all that is in the work tree and pushes it; returns the commit, which is the same wherever and whenever that
    /// is done: each is made a day after the one before.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        let before: u64 = self.git(&["rev-list", "--all", "--count"]).parse().expect("a number");
        let day = format!("{} +0000", FIRST_COMMIT + before * 86_400);
        run_git(&self.work, &["commit", "--quiet", "--allow-empty", "--message", message], Some(&day));
        self.push();
        self.git(&["rev-parse", "HEAD"])
    }

    /// Pushes every branch and tag, also where history was rewritten.
    pub fn push(&self) {
        self.git(&["push", "--quiet", "--force", "--all", "origin"]);
        self.git(&["push", "--quiet", "--force", "--tags", "origin"]);
        let served = self.git(&["remote", "get-url", "origin"]);
        git(Path::new(&served), &["update-server-info"]);
    }

    /// A clone on this computer whose upstream is the repository's folder, and whose commits are Ada's.
    pub fn clone_to(&self, at: &Path) {
        let served = self.git(&["remote", "get-url", "origin"]);
        git(self.work.parent().expect("a folder"), &["clone", "--quiet", &served, &at.display().to_string()]);
        git_in(at, &["config", "user.name", "Ada"]);
        git_in(at, &["config", "user.email", "ada@example.net"]);
    }

    /// The folder of the work tree.
    pub fn work(&self) -> &Path {
        &self.work
    }
}

/// Runs git in a folder with nothing of a person's configuration, and returns what it prints.
pub fn git_in(at: &Path, words: &[&str]) -> String {
    git(at, words)
}

/// Runs git with nothing of a person's configuration.
fn git(at: &Path, words: &[&str]) -> String {
    run_git(at, words, None)
}

/// The same; what it commits is made on this day.
fn run_git(at: &Path, words: &[&str], day: Option<&str>) -> String {
    let mut command = Command::new("git");
    command.args(words).current_dir(at);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Ada").env(format!("GIT_{who}_EMAIL"), "ada@example.net");
        command.envs(day.map(|day| (format!("GIT_{who}_DATE"), day)));
    }
    let output = command.output().expect("git starts");
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn answer(
    stream: TcpStream,
    root: &Path,
    manner: Manner,
    heard: &Mutex<Vec<String>>,
    sent: &AtomicU64,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let body = body(&mut lines, header("content-length"), header("transfer-encoding").is_some())?;
    let (method, target) = first.split_once(' ').unwrap_or_default();
    let target = target.split(' ').next().unwrap_or_default();
    heard.lock().expect("no thread panics with it").push(format!("{method} {target}"));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut stream = stream;
    match manner {
        Manner::Private if header("authorization") != Some("Basic YWRhOnNlc2FtZQ==") => {
            return stream.write_all(b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"git\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        Manner::Misleading => {
            return stream.write_all(
                b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
        Manner::Trickling => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 100000\r\n\r\n")?;
            loop {
                stream.write_all(b"0")?;
                thread::sleep(Duration::from_millis(300));
            }
        }
        Manner::Dumb => {
            let found = fs::read(root.join(path.trim_start_matches('/')));
            let (status, bytes) = found.map_or(("404 Not Found", Vec::new()), |bytes| ("200 OK", bytes));
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len())?;
            return stream.write_all(&bytes);
        }
        Manner::Usual | Manner::Whole | Manner::Private => {}
    }
    if let Some(archive) = archive(root, path) {
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", archive.len())?;
        return stream.write_all(&archive);
    }
    let mut backend = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", method)
        .env("CONTENT_TYPE", header("content-type").unwrap_or_default())
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding").unwrap_or_default())
        .env("GIT_PROTOCOL", header("git-protocol").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = backend.stdin.take().expect("it has one");
    let feeding = thread::spawn(move || drop(input.write_all(&body)));
    let mut output = BufReader::new(backend.stdout.take().expect("it has one"));
    let sending = pass_on(&mut output, &mut stream, sent);
    // One that nobody listens to any more ends with its pipe.
    drop(output);
    backend.wait()?;
    drop(feeding.join());
    sending
}

/// Passes on an answer of git's, piece by piece: it may be larger than what is kept in memory, and nobody may want its end.
fn pass_on(output: &mut impl std::io::BufRead, stream: &mut TcpStream, sent: &AtomicU64) -> std::io::Result<()> {
    let (mut status, mut others) = ("200 OK".to_owned(), String::new());
    loop {
        let mut line = String::new();
        output.read_line(&mut line)?;
        match line.trim_end() {
            "" => break,
            line => match line.strip_prefix("Status: ") {
                Some(said) => status = said.to_owned(),
                None => others += &format!("{line}\r\n"),
            },
        }
    }
    write!(stream, "HTTP/1.1 {status}\r\n{others}Connection: close\r\n\r\n")?;
    loop {
        let piece = output.fill_buf()?;
        if piece.is_empty() {
            return Ok(());
        }
        stream.write_all(piece)?;
        let length = piece.len();
        sent.fetch_add(length as u64, Ordering::Relaxed);
        output.consume(length);
    }
}

/// A commit as an archive, at the address that Gitea and GitHub have for it: `/skills/archive/<commit>.tar.gz`.
fn archive(root: &Path, path: &str) -> Option<Vec<u8>> {
    let (name, commit) = path.trim_start_matches('/').split_once("/archive/")?;
    let commit = commit.strip_suffix(".tar.gz")?;
    let prefix = format!("--prefix={name}-{commit}/");
    let made = Command::new("git")
        .args(["archive", "--format=tar.gz", &prefix, commit])
        .current_dir(root.join(format!("{name}.git")))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output();
    made.ok().filter(|made| made.status.success()).map(|made| made.stdout)
}

fn body(lines: &mut impl std::io::BufRead, length: Option<&str>, chunked: bool) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    if !chunked {
        let length: u64 = length.and_then(|length| length.parse().ok()).unwrap_or_default();
        lines.take(length).read_to_end(&mut body)?;
        return Ok(body);
    }
    loop {
        let mut size = String::new();
        lines.read_line(&mut size)?;
        let size = u64::from_str_radix(size.trim(), 16).unwrap_or_default();
        lines.by_ref().take(size).read_to_end(&mut body)?;
        lines.read_line(&mut String::new())?;
        if size == 0 {
            return Ok(body);
        }
    }
}
