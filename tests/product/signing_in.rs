//! A server with sign-in, built with the official Python SDK: from a skill that needs it to an answered call, a
//! renewed token, a refused token, and signing out.

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
};

use serde_json::{Value, json};
use tests::{Answer, Home, Lines, Serving, eventually, given, request};

use crate::persons::run;

/// The server, ended on drop.
struct Tearoom {
    child: Child,
    port: u16,
}

impl Tearoom {
    fn open() -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("product/servers/tearoom.py");
        let mut command = Command::new(given("SKILLTENDER_PYTHON"));
        let child = command.arg(script).arg(port.to_string()).stderr(Stdio::null()).spawn().unwrap();
        eventually("the tearoom opens", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
        Self { child, port }
    }

    /// Changes its behaviour, and returns what it did so far.
    fn told(&self, what: &Value) -> Value {
        let host = format!("127.0.0.1:{}", self.port);
        let headers = [("Host", host.as_str()), ("Content-Type", "application/json")];
        let answer = request(self.port, "POST /test HTTP/1.1", &headers, &what.to_string());
        serde_json::from_str(&answer.text[answer.text.find('{').unwrap()..]).unwrap()
    }

    fn renewed(&self) -> u64 {
        self.told(&json!({}))["renewed"].as_u64().unwrap()
    }
}

impl Drop for Tearoom {
    fn drop(&mut self) {
        // Fails when it has already ended, which is fine.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn skill(home: &Home, tearoom: &Tearoom) {
    let text = format!(
        "---\nname: pouring\ndescription: Pours tea. Use when somebody is thirsty.\nrequires-mcp-servers:\n  - name: tearoom\n    description: Pours\n    transport: http\n    url: http://127.0.0.1:{}/mcp\n---\n\nPour.\n",
        tearoom.port
    );
    home.write("skills/pouring/SKILL.md", &text);
}

fn row(home: &Home) -> Value {
    let all: Value = serde_json::from_str(&run(home, &["servers", "--json"], "")).unwrap();
    all[0].clone()
}

fn becomes(home: &Home, kind: &str) {
    eventually(&format!("the server is {kind}"), || (row(home)["state"]["kind"] == kind).then_some(()));
}

fn approve(home: &Home) {
    let shown: Value = serde_json::from_str(&run(home, &["servers", "show", "tearoom", "--json"], "")).unwrap();
    run(home, &["servers", "approve", "tearoom", "--digest", shown["digest"].as_str().unwrap()], "");
}

fn visit(address: &str) -> Answer {
    let (_, rest) = address.split_once("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let port = host.rsplit(':').next().unwrap().parse().unwrap();
    request(port, &format!("GET /{path} HTTP/1.1"), &[("Host", host)], "")
}

/// The redirect target of a browser that opens the address.
fn sent_to(address: &str) -> String {
    let answer = visit(address);
    assert!(matches!(answer.status, 302 | 303), "{answer:?}");
    let location = answer.text.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    location.trim().to_owned()
}

/// A sign-in at the command line that has shown an address.
struct Person {
    child: Child,
    /// The stream with the address, kept open for the writer.
    shown: io::Lines<BufReader<ChildStderr>>,
    address: String,
}

impl Person {
    fn asks(home: &Home) -> Self {
        let mut command = home.skilltender();
        command.args(["servers", "sign-in", "tearoom"]).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.by_ref().find_map(|line| line.ok().filter(|line| line.starts_with("http://"))).unwrap();
        Self { child, shown: lines, address }
    }

    /// Waits for the result.
    fn hears(mut self) -> (Option<i32>, String) {
        self.shown.map_while(Result::ok).for_each(drop);
        let code = self.child.wait().unwrap().code();
        let mut said = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        (code, said)
    }
}

fn sign_in(home: &Home) {
    let person = Person::asks(home);
    let page = visit(&sent_to(&person.address));
    assert!(page.status == 200 && page.text.contains("You are signed in to tearoom."), "{page:?}");
    assert_eq!(person.hears(), (Some(0), "You are signed in to tearoom.\n".to_owned()));
    becomes(home, "running");
}

/// The answer to a client's tool call.
fn pour(client: &mut Lines) -> String {
    let answer = client.call("tools/call", &json!({"name": "tearoom__pour", "arguments": {"tea": "Assam"}}));
    answer["content"][0]["text"].as_str().unwrap_or_else(|| panic!("text, not {answer}")).to_owned()
}

fn client(home: &Home) -> Lines {
    Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]))
}

#[test]
fn a_person_signs_in_and_calls_are_answered_until_the_server_or_the_person_takes_it_back() {
    let (home, tearoom) = (Home::new(), Tearoom::open());
    skill(&home, &tearoom);
    let log = home.path("serve.log");
    let serving = Serving::start_with(&home, |command| {
        command.env("RUST_LOG", "trace").env("SKILLTENDER_LOG", "trace").stderr(fs::File::create(&log).unwrap())
    });

    // Before an approval the server gets no request.
    becomes(&home, "needs-consent");
    let too_soon = home.skilltender().args(["servers", "sign-in", "tearoom"]).output().unwrap();
    assert!(!too_soon.status.success());
    assert_eq!(tearoom.told(&json!({}))["clients"], json!([]));
    approve(&home);
    becomes(&home, "needs-sign-in");
    let mut client = client(&home);
    let remark = client.call("tools/call", &json!({"name": "get_skill", "arguments": {"id": "pouring"}}));
    assert!(remark.to_string().contains("its server tearoom wants the user to sign in"), "{remark}");

    sign_in(&home);
    assert_eq!(row(&home)["signedIn"], true);
    for words in
        [&["servers", "show", "tearoom", "--json"][..], &["secrets", "list", "--json"], &["servers", "log", "tearoom"]]
    {
        assert!(!run(&home, words, "").contains("canary"), "{words:?} prints no token");
    }
    let registered = tearoom.told(&json!({}))["clients"][0].clone();
    assert_eq!(registered["client_name"], "Skilltender");
    assert!(registered["redirect_uris"][0].as_str().unwrap().starts_with("http://127.0.0.1:"), "{registered}");
    eventually("its tool is offered", || {
        let listed = client.call("tools/list", &json!({}));
        listed.to_string().contains("tearoom__pour").then_some(())
    });
    assert_eq!(pour(&mut client), "a cup of Assam");
    assert_eq!(tearoom.renewed(), 0);

    // A refused token is renewed once, for any number of concurrent calls.
    tearoom.told(&json!({"void": ["access"]}));
    let asked: Vec<_> = (0..8)
        .map(|_| client.ask("tools/call", &json!({"name": "tearoom__pour", "arguments": {"tea": "Assam"}})))
        .collect();
    for asked in asked {
        assert_eq!(client.answer(asked)["result"]["content"][0]["text"], "a cup of Assam");
    }
    assert_eq!(tearoom.renewed(), 1);

    // A token that is about to expire is renewed before it is sent.
    tearoom.told(&json!({"void": ["access"], "lasts": 5}));
    assert_eq!(pour(&mut client), "a cup of Assam");
    tearoom.told(&json!({"lasts": 3600}));
    assert_eq!(pour(&mut client), "a cup of Assam");
    let renewed = tearoom.renewed();
    assert_eq!(pour(&mut client), "a cup of Assam");
    assert_eq!(tearoom.renewed(), renewed, "the one that lasts is used");

    // When renewal fails too, the person is asked again.
    tearoom.told(&json!({"void": ["access", "refresh"]}));
    let said = pour(&mut client);
    assert!(said.contains("wants the user to sign in") && said.contains("under Servers"), "{said}");
    becomes(&home, "needs-sign-in");
    assert_eq!(row(&home)["signedIn"], false);
    assert!(pour(&mut client).contains("wants the user to sign in"));
    sign_in(&home);
    assert_eq!(pour(&mut client), "a cup of Assam");

    // A missing scope is reported, and requested at the next sign-in.
    let asked = client.ask("tools/call", &json!({"name": "tearoom__bake", "arguments": {}}));
    let said = client.answer(asked).to_string();
    assert!(said.contains("too few rights") && said.contains("tea cake"), "{said}");
    assert_eq!(pour(&mut client), "a cup of Assam", "the rest goes on");
    sign_in(&home);
    let baked = client.call("tools/call", &json!({"name": "tearoom__bake", "arguments": {}}));
    assert_eq!(baked["content"][0]["text"], "a cake", "{baked}");

    // Signing out forgets the token here and on the server.
    run(&home, &["servers", "sign-out", "tearoom"], "");
    becomes(&home, "needs-sign-in");
    eventually("the tearoom is told", || (tearoom.told(&json!({}))["revoked"].as_u64() >= Some(1)).then_some(()));
    assert!(pour(&mut client).contains("wants the user to sign in"));

    // Revoking the approval does the same.
    sign_in(&home);
    run(&home, &["servers", "revoke", "tearoom"], "");
    becomes(&home, "needs-consent");
    approve(&home);
    becomes(&home, "needs-sign-in");

    client.close();
    assert_eq!(serving.stop(), 0);
    let given: Vec<String> = serde_json::from_value(tearoom.told(&json!({}))["given"].clone()).unwrap();
    assert!(given.len() > 10);
    for file in files(&home.path("")) {
        let bytes = fs::read(&file).unwrap_or_default();
        for token in &given {
            let found = bytes.windows(40).any(|part| part == &token.as_bytes()[..40]);
            assert!(!found, "{} holds a token or a code", file.display());
        }
    }
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files(&entry.path()),
        Ok(kind) if kind.is_file() => vec![entry.path()],
        _ => Vec::new(),
    };
    entries.flat_map(of).collect()
}

#[test]
fn an_answer_with_another_state_on_another_path_or_for_the_second_time_is_refused() {
    let (home, tearoom) = (Home::new(), Tearoom::open());
    skill(&home, &tearoom);
    let serving = Serving::start(&home);
    approve(&home);
    becomes(&home, "needs-sign-in");

    let person = Person::asks(&home);
    let right = sent_to(&person.address);
    let (at, query) = right.split_once('?').unwrap();
    let state = query.split('&').find(|pair| pair.starts_with("state=")).unwrap();
    assert_eq!(visit(&right.replace(state, "state=wrong")).status, 400);
    assert_eq!(visit(&format!("{at}/more?{query}")).status, 404);
    assert_eq!(row(&home)["state"]["asked"]["host"], format!("127.0.0.1:{}", tearoom.port));
    assert_eq!(visit(&right).status, 200);
    assert_eq!(person.hears().0, Some(0));
    let port: u16 = at.rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
    eventually("nobody listens any more", || TcpStream::connect(("127.0.0.1", port)).err());

    // A refused sign-in is reported, and can be repeated.
    run(&home, &["servers", "sign-out", "tearoom"], "");
    tearoom.told(&json!({"saysNo": true}));
    let person = Person::asks(&home);
    let page = visit(&sent_to(&person.address));
    assert!(page.status == 400 && page.text.contains("You are not signed in to tearoom."), "{page:?}");
    assert!(page.text.to_lowercase().contains("content-security-policy: default-src 'none'"), "{page:?}");
    assert!(!page.text.contains("<script"), "{page:?}");
    assert_eq!(person.hears().0, Some(3));
    assert!(row(&home)["state"]["trouble"].as_str().unwrap().contains("access_denied"));

    // A code from an earlier sign-in is refused: the second sign-in replaces the first.
    tearoom.told(&json!({"saysNo": false}));
    let (first, second) = (Person::asks(&home), Person::asks(&home));
    let (one, other) = (sent_to(&first.address), sent_to(&second.address));
    eventually("the first is over", || {
        let at = one.split('/').nth(2)?.to_owned();
        TcpStream::connect(at).err()
    });
    assert_eq!(visit(&other).status, 200);
    assert_eq!(second.hears().0, Some(0));
    assert_eq!(first.hears().0, Some(3));
    assert_eq!(serving.stop(), 0);
}

/// A separate keychain, on a separate bus.
#[cfg(target_os = "linux")]
struct Keychain {
    bus: Child,
    daemon: Option<Child>,
    address: String,
}

#[cfg(target_os = "linux")]
impl Keychain {
    fn open(home: &Home) -> Self {
        use std::io::Write as _;

        let mut bus = Command::new("dbus-daemon");
        let bus = bus.args(["--session", "--nofork", "--print-address"]).env("HOME", home.path(""));
        let mut bus = bus.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(bus.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let mut keychain = Self { bus, daemon: None, address: address.trim().to_owned() };
        // The program carries file capabilities, which fail in some containers: a copy has none.
        let copy = home.path("keyring-daemon");
        tests::copy_program(Path::new("/usr/bin/gnome-keyring-daemon"), &copy);
        let mut daemon = keychain.asks(copy.to_str().unwrap(), home);
        daemon.args(["--foreground", "--unlock", "--components=secrets"]);
        let mut child = daemon.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"password").unwrap();
        keychain.daemon = Some(child);
        eventually("the keychain is there", || {
            let mut ask = keychain.asks("dbus-send", home);
            ask.args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"]);
            let answer = ask.args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]).output();
            String::from_utf8_lossy(&answer.unwrap().stdout).contains("true").then_some(())
        });
        keychain
    }

    fn asks(&self, program: &str, home: &Home) -> Command {
        let mut command = Command::new(program);
        command.env("HOME", home.path("")).env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        command
    }

    /// The number of Skilltender's entries in it.
    fn held(&self, home: &Home) -> usize {
        let mut ask = self.asks("secret-tool", home);
        let output = ask.args(["search", "--all", "service", "skilltender"]).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&said).matches("label = Skilltender: sign-in for tearoom at http://127.0.0.1:").count()
    }
}

#[cfg(target_os = "linux")]
impl Drop for Keychain {
    fn drop(&mut self) {
        for child in self.daemon.iter_mut().chain([&mut self.bus]) {
            // Fails when it has already ended, which is fine.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn who_is_signed_in_stays_so_when_skilltender_starts_anew_and_the_keychain_holds_it() {
    let (home, tearoom) = (Home::new(), Tearoom::open());
    skill(&home, &tearoom);
    let keychain = Keychain::open(&home);
    let start = || Serving::start_with(&home, |command| command.env("DBUS_SESSION_BUS_ADDRESS", &keychain.address));
    let serving = start();
    approve(&home);
    becomes(&home, "needs-sign-in");
    sign_in(&home);
    assert_eq!(
        keychain.held(&home),
        3,
        "it is longer than what one entry holds everywhere: two parts, and what names them"
    );
    assert_eq!(serving.stop(), 0);

    let serving = start();
    becomes(&home, "resting");
    tearoom.told(&json!({"void": ["access"]}));
    let mut client = client(&home);
    assert_eq!(pour(&mut client), "a cup of Assam");
    client.close();
    assert_eq!(serving.stop(), 0);

    // The renewed token is the stored one.
    let serving = start();
    let mut client = self::client(&home);
    assert_eq!((pour(&mut client).as_str(), tearoom.renewed()), ("a cup of Assam", 1));
    run(&home, &["servers", "sign-out", "tearoom"], "");
    assert_eq!(keychain.held(&home), 0);
    client.close();
    assert_eq!(serving.stop(), 0);

    let serving = start();
    becomes(&home, "needs-sign-in");
    assert_eq!(serving.stop(), 0);
}
