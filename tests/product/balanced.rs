//! Three instances of plain folders behind nginx, over sockets, with the settings of docs/containers.md.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use tests::{Home, PATIENCE, Serving, able, conformance, eventually, say};

use crate::conformance::{applicable, judge};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const CONNECTIONS: usize = 32;
/// The requests of each.
const EACH: usize = 1000;
/// The instances.
const NAMES: [&str; 3] = ["a", "b", "c"];

/// nginx in front of the instances of a home, ended on drop.
struct Nginx {
    child: Child,
    port: u16,
}

impl Nginx {
    fn start(program: &Path, home: &Home, port: u16) -> Self {
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let user = String::from_utf8(user).unwrap();
        let servers: String = NAMES
            .map(|name| format!("server unix:{} max_fails=1 fail_timeout=1s;\n", socket(home, name).display()))
            .concat();
        let at = |name: &str| home.path(name).display().to_string();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {};\n", at(&format!("nginx-{kind}"))))
            .concat();
        let (names, keep) = ("localhost 127.0.0.1", "keepalive 32;");
        // As on the page, without encryption; and the suite, which knows no token, is given one here.
        home.write(
            "nginx.conf",
            &format!(
                "daemon off; worker_processes 1; user {user}; pid {}; error_log stderr crit;
events {{ worker_connections 512; }}
http {{
access_log off; {temporary}
upstream any {{ {servers} {keep} }}
upstream sessions {{ hash $remote_addr consistent; {servers} {keep} }}
map $http_mcp_protocol_version $skilltender {{ \"2026-07-28\" any; default sessions; }}
server {{ listen 127.0.0.1:{port} default_server; return 403; }}
server {{
  listen 127.0.0.1:{port}; server_name {names};
  keepalive_requests 1000000;
  location = /mcp {{
    proxy_pass http://$skilltender; proxy_http_version 1.1;
    proxy_set_header Host $host; proxy_set_header Connection \"\"; proxy_set_header Authorization \"Bearer {TOKEN}\";
    proxy_buffering off; proxy_read_timeout 1h; client_max_body_size 4m;
    proxy_next_upstream error timeout non_idempotent;
  }}
}}
}}
",
                at("nginx.pid")
            ),
        );
        let child = Command::new(program)
            .args(["-e", "stderr", "-p"])
            .arg(home.path(""))
            .arg("-c")
            .arg(home.path("nginx.conf"))
            .spawn();
        let started = Self { child: child.unwrap(), port };
        eventually("nginx listens", || TcpStream::connect(("127.0.0.1", port)).ok());
        started
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its workers end with it, unlike by a kill.
        drop(Command::new("kill").args(["-TERM", &self.child.id().to_string()]).stderr(Stdio::null()).status());
        drop(self.child.wait());
    }
}

fn socket(home: &Home, name: &str) -> PathBuf {
    home.path(&format!("{name}.sock"))
}

/// The program that `cargo xtask test` found, or `None` after [`able::skip`].
fn nginx() -> Option<PathBuf> {
    let found = std::env::var_os("SKILLTENDER_NGINX").map(PathBuf::from);
    if found.is_none() {
        able::skip("nginx", "it is not installed and could not be unpacked");
    }
    found
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

fn instance(home: &Home, name: &str, port: u16) -> Serving {
    let origins = [format!("http://localhost:{port}"), format!("http://127.0.0.1:{port}")];
    Serving::start_with(home, |command| {
        command.arg("--skills-dir").arg(home.path("skills")).arg("--token-file").arg(home.path("token"));
        command.args(["--listen", &format!("unix:{}", socket(home, name).display())]);
        origins.iter().fold(command, |command, origin| command.args(["--allow-origin", origin]))
    })
}

fn home() -> Home {
    let home = Home::new();
    home.write("skills/coffee/references/beans.md", "Grind them.\n");
    home.write("token", TOKEN);
    home
}

/// Asks over one connection until the number is reached, and returns what was not answered as it should be.
fn ask(port: u16, number: usize, done: &AtomicUsize) -> Vec<String> {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_skill","arguments":{"id":"tea"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"many","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_skill\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut wrong = Vec::new();
    let mut stream: Option<BufReader<TcpStream>> = None;
    for _ in 0..number {
        let open = || {
            let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.set_nodelay(true).unwrap();
            BufReader::new(stream)
        };
        let reader = stream.get_or_insert_with(open);
        match reader.get_mut().write_all(request.as_bytes()).and_then(|()| answer(reader)) {
            Ok((200, text)) if text.contains("Read references first.") => {}
            Ok((status, text)) => wrong.push(format!("{status}: {text}")),
            Err(error) => {
                wrong.push(error.to_string());
                stream = None;
            }
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    wrong
}

/// The status and the body of the next answer.
fn answer(reader: &mut BufReader<TcpStream>) -> std::io::Result<(u16, String)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let (mut length, mut chunked) = (0, false);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let header = line.to_ascii_lowercase();
        if let Some(said) = header.strip_prefix("content-length:") {
            length = said.trim().parse().unwrap();
        }
        chunked |= header.starts_with("transfer-encoding: chunked");
        if header.trim().is_empty() {
            break;
        }
    }
    let mut body = Vec::new();
    loop {
        if chunked {
            line.clear();
            reader.read_line(&mut line)?;
            length = usize::from_str_radix(line.trim(), 16).map_err(std::io::Error::other)?;
        }
        let from = body.len();
        body.resize(from + length, 0);
        reader.read_exact(&mut body[from..])?;
        if chunked {
            reader.read_exact(&mut [0; 2])?;
        }
        if !chunked || length == 0 {
            return Ok((status, String::from_utf8_lossy(&body).into_owned()));
        }
    }
}

#[test]
fn no_request_is_lost_while_one_of_three_instances_is_killed_and_started_again() {
    let Some(program) = nginx() else { return };
    let (home, port) = (home(), free_port());
    let mut instances = NAMES.map(|name| Some(instance(&home, name, port)));
    let nginx = Nginx::start(&program, &home, port);
    let done = AtomicUsize::new(0);
    let wrong = thread::scope(|scope| {
        let asking: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| ask(nginx.port, EACH, &done))).collect();
        eventually("a quarter is answered", || (done.load(Ordering::Relaxed) > CONNECTIONS * EACH / 4).then_some(()));
        instances[1].take().unwrap().kill();
        eventually("half is answered", || (done.load(Ordering::Relaxed) > CONNECTIONS * EACH / 2).then_some(()));
        instances[1] = Some(instance(&home, NAMES[1], port));
        asking.into_iter().flat_map(|asking| asking.join().unwrap()).collect::<Vec<_>>()
    });
    say(&format!("behind nginx: {} requests, {} errors", done.load(Ordering::Relaxed), wrong.len()));
    assert!(wrong.is_empty(), "{} of {}: {:?}", wrong.len(), CONNECTIONS * EACH, wrong.first());
}

/// wire contract 9
#[test]
fn every_scenario_of_2026_07_28_passes_through_nginx() {
    let Some(program) = nginx() else { return };
    let (home, port) = (home(), free_port());
    let _instances = NAMES.map(|name| instance(&home, name, port));
    let _nginx = Nginx::start(&program, &home, port);
    let (mut runs, mut wrong) = (0, Vec::new());
    for (scenario, applicable) in applicable() {
        for revision in applicable.revisions.iter().filter(|revision| *revision == "2026-07-28") {
            let (_, failed) = judge(&scenario, revision, &applicable, conformance::run(&scenario, revision, port));
            runs += 1;
            wrong.extend(failed);
        }
    }
    say(&format!("conformance through nginx: {runs} runs"));
    assert!(runs > 10 && wrong.is_empty(), "{}", wrong.join("\n"));
}
