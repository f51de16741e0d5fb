//! Repositories that are reached over ssh, of a real sshd on this computer, and over https, with a certificate of an authority
//! of one's own: added as every other, with what the person's ssh and git trust; and a host that they do not trust is refused
//! in a sentence, without a question that nobody would see.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use tests::{GitHost, Home, SecureHost, able::has};

const NEEDED: &[&str] = &["sshd", "ssh", "ssh-keygen"];
/// A test that waits longer than this has failed; a loaded machine is slow.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running sshd. It ends with the test.
struct Sshd {
    child: Child,
    port: u16,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ended = self.child.kill().and_then(|()| self.child.wait());
    }
}

fn run(program: &str, words: &[&str]) -> String {
    let Output { status, stdout, stderr } = Command::new(program).args(words).output().unwrap();
    assert!(status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8_lossy(&stdout).trim().to_owned()
}

impl Sshd {
    /// Starts one that lets in who has the key in `folder`.
    fn start(folder: &Path) -> Self {
        let path = |name: &str| folder.join(name).display().to_string();
        for key in ["host", "mine"] {
            run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", &path(key)]);
        }
        fs::copy(folder.join("mine.pub"), folder.join("allowed")).unwrap();
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        // Where root starts it, it wants its empty folder.
        let _made = fs::create_dir_all("/run/sshd");
        let program = run("sh", &["-c", "command -v sshd"]);
        let settings = [
            format!("Port={port}"),
            "ListenAddress=127.0.0.1".to_owned(),
            format!("HostKey={}", path("host")),
            format!("AuthorizedKeysFile={}", path("allowed")),
            "StrictModes=no".to_owned(),
            "UsePAM=no".to_owned(),
            "PasswordAuthentication=no".to_owned(),
            "PidFile=none".to_owned(),
        ];
        let mut command = Command::new(program);
        command.args(["-D", "-e", "-f", "/dev/null"]).args(settings.iter().flat_map(|setting| ["-o", setting]));
        let log = fs::File::create(folder.join("log")).unwrap();
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "{}", fs::read_to_string(folder.join("log")).unwrap_or_default());
            thread::sleep(Duration::from_millis(50));
        }
        Self { child, port }
    }
}

#[test]
fn a_repository_over_ssh_comes_with_the_keys_that_ssh_has_and_an_unknown_host_is_refused() {
    if !has(NEEDED) {
        return;
    }
    let (host, home, keys) = (GitHost::start(), Home::new(), tempfile::tempdir().unwrap());
    let repository = host.repository("skills");
    let text = |body: &str| format!("---\nname: brew\ndescription: Makes tea. Use when tea is wanted.\n---\n{body}\n");
    repository.write("skills/brew/SKILL.md", text("Boil water."));
    repository.commit("one");
    let sshd = Sshd::start(keys.path());
    let path = |name: &str| keys.path().join(name).display().to_string();
    let settings = format!(
        "Host *\n  IdentityFile {}\n  IdentitiesOnly yes\n  UserKnownHostsFile {}\n  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n",
        path("mine"),
        path("known")
    );
    fs::write(keys.path().join("settings"), settings).unwrap();
    fs::write(keys.path().join("known"), "").unwrap();
    let served = repository.git(&["remote", "get-url", "origin"]);
    let address = format!("ssh://{}@127.0.0.1:{}{served}", run("id", &["-un"]), sshd.port);
    let skilltender = |words: &[&str]| {
        let mut command = home.skilltender();
        command.env("GIT_SSH_COMMAND", format!("ssh -F {}", path("settings"))).args(words);
        let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
        (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
    };

    let (code, said) = skilltender(&["sources", "add", &address, "--yes"]);
    assert!(code != Some(0) && said.contains("ssh does not know the host"), "{said}");
    let host_key = fs::read_to_string(keys.path().join("host.pub")).unwrap();
    fs::write(keys.path().join("known"), format!("[127.0.0.1]:{} {host_key}", sshd.port)).unwrap();
    let (code, said) = skilltender(&["sources", "add", &address, "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    let file = home.data().join("skills/brew/SKILL.md");
    assert_eq!(fs::read_to_string(&file).unwrap(), text("Boil water."));

    repository.write("skills/brew/SKILL.md", text("Boil fresh water."));
    repository.commit("two");
    let (code, said) = skilltender(&["update", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text("Boil fresh water."));

    // Who may not come in is told so, and nothing is asked.
    fs::write(keys.path().join("allowed"), "").unwrap();
    let (code, said) = skilltender(&["sources", "add", &format!("{address}#main"), "--yes"]);
    assert!(code != Some(0) && said.contains("needs a sign-in that your git does not have"), "{said}");
}

/// The files below a folder, by their paths in it.
fn served(folder: &Path, below: &str, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = format!("{below}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => served(&entry.path(), &path, found),
            false => found.push((path, fs::read(entry.path()).unwrap())),
        }
    }
}

#[test]
fn a_repository_over_https_comes_where_git_trusts_its_certificate_and_not_elsewhere() {
    if !has(&["openssl"]) {
        return;
    }
    let (host, home) = (GitHost::start(), Home::new());
    let repository = host.repository("skills");
    repository.write(
        "skills/brew/SKILL.md",
        "---\nname: brew\ndescription: Makes tea. Use when tea is wanted.\n---\nBoil.\n",
    );
    repository.commit("one");
    let mut files = Vec::new();
    served(Path::new(&repository.git(&["remote", "get-url", "origin"])), "skills.git", &mut files);
    // What a server that knows git answers first, from one that only has files.
    let references = files.iter().find(|(path, _)| path.ends_with("info/refs")).unwrap().1.clone();
    files.push(("skills.git/info/refs?service=git-upload-pack".to_owned(), references));
    let files: Vec<_> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let host = SecureHost::start(&files);
    let add = |trusts: Option<&Path>| {
        let mut command = home.skilltender();
        command.args(["sources", "add", &host.address("skills.git"), "--yes"]);
        if let Some(authority) = trusts {
            command.env("GIT_SSL_CAINFO", authority);
        }
        let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
        (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
    };
    let (code, said) = add(None);
    assert!(code != Some(0) && said.contains("is not trusted by your git"), "{said}");
    let (code, said) = add(Some(&host.authority()));
    assert_eq!(code, Some(0), "{said}");
    assert!(fs::read_to_string(home.data().join("skills/brew/SKILL.md")).unwrap().contains("Boil."));
}
