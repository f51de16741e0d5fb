//! HTTP at a socket instead of a port, for a proxy, and the addresses that are refused.

use std::{
    fs,
    io::{Read as _, Write as _},
    os::unix::{fs::PermissionsExt as _, net::UnixStream},
    path::Path,
    process::Output,
};

use tests::{Home, Lines, PATIENCE, Serving};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_skills","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"proxy","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const BEGIN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"inside","version":"1"}}}"#;

/// The status and the whole answer at this socket.
fn ask(socket: &Path, token: &str) -> (u16, String) {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: skills.example\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: list_skills\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{LIST}",
        LIST.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    (text.split(' ').nth(1).unwrap().parse().unwrap(), text)
}

fn at(socket: &Path) -> String {
    format!("unix:{}", socket.display())
}

fn refused(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = home.skilltender().arg("serve").args(words).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn the_library_is_served_at_a_socket_and_bridges_are_served_beside_it() {
    let home = Home::new();
    let socket = home.path("x.sock");
    let serving = Serving::start_with(&home, |command| command.args(["--listen", &at(&socket)]));
    assert_eq!(serving.url, "", "no port is open");
    let mode = fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(ask(&socket, TOKEN).0, 401);
    let (status, text) = ask(&socket, &serving.token);
    assert!(status == 200 && text.contains("Makes tea"), "{text}");
    let mut client = Lines::initialized(home.skilltender().arg("mcp"));
    assert_eq!(client.skills(), ["coffee", "tea"]);

    let other = Home::new();
    let (code, said) = refused(&other, &["--listen", &at(&socket)]);
    assert!(code == Some(3) && said.contains("is running"), "{said}");
    assert_eq!(serving.stop(), 0);
    assert!(!socket.exists());
}

#[test]
fn instances_of_plain_folders_share_a_token_and_write_nothing() {
    let home = Home::new();
    home.write("token", &format!("{TOKEN}\n"));
    fs::remove_dir_all(home.data()).unwrap();
    let sockets = ["a", "b", "c"].map(|name| home.path(&format!("{name}.sock")));
    let start = |socket: &Path| {
        Serving::start_with(&home, |command| {
            let command = command.arg("--skills-dir").arg(home.path("skills")).args(["--listen", &at(socket)]);
            command.args(["--listen-mode", "660"]).arg("--token-file").arg(home.path("token"))
        })
    };
    let all = sockets.each_ref().map(|socket| start(socket));
    for (socket, serving) in sockets.iter().zip(&all) {
        assert_eq!(serving.token, TOKEN);
        assert_eq!(fs::metadata(socket).unwrap().permissions().mode() & 0o777, 0o660);
        let (status, text) = ask(socket, TOKEN);
        assert!(status == 200 && text.contains("Makes tea"), "{text}");
    }
    let [killed, others @ ..] = all;
    killed.kill();
    assert!(sockets[0].exists(), "nobody could remove it");
    let again = start(&sockets[0]);
    assert_eq!(ask(&sockets[0], TOKEN).0, 200);
    others.into_iter().chain([again]).for_each(|one| assert_eq!(one.stop(), 0));
    assert!(!home.data().exists(), "they keep nothing");
}

#[test]
fn what_other_computers_would_reach_is_refused_but_in_a_container_that_says_so() {
    let home = Home::new();
    let skills = home.path("skills");
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let everywhere = format!("0.0.0.0:{port}");
    let words = ["--skills-dir", skills.to_str().unwrap(), "--listen", &everywhere];
    let (code, said) = refused(&home, &words);
    assert!(code == Some(2) && said.contains("SKILLTENDER_CONTAINER=1"), "{said}");
    let inside = Serving::start_with(&home, |command| command.args(words).env("SKILLTENDER_CONTAINER", "1"));
    assert_eq!(inside.port(), port);
    assert_eq!(tests::post(&inside, &[("Host", "skilltender")], BEGIN).status, 200);
    assert_eq!(tests::post(&inside, &[("Authorization", "Bearer wrong")], BEGIN).status, 401);
}

#[test]
fn a_wrong_place_or_token_is_answered_with_what_to_write() {
    let home = Home::new();
    home.write("short", "secret\n");
    home.write("two", &format!("{TOKEN}\n{TOKEN}\n"));
    let (short, two, none) = (home.path("short"), home.path("two"), home.path("none"));
    let rows: [(&[&str], &str); 8] = [
        (&["--listen", "/run/x.sock"], "unix:/run/x.sock"),
        (&["--listen", "8400"], "127.0.0.1:8400"),
        (&["--listen", "127.0.0.1:8400"], "settings port"),
        (&["--listen", "0.0.0.0:8400", "--listen-mode", "660"], "SKILLTENDER_CONTAINER"),
        (&["--listen-mode", "666", "--listen", "unix:/run/x.sock"], "possible values: 600, 660"),
        (&["--token-file", short.to_str().unwrap()], "too short"),
        (&["--token-file", two.to_str().unwrap()], "holds no token"),
        (&["--token-file", none.to_str().unwrap()], "cannot be read"),
    ];
    for (words, part) in rows {
        let (code, said) = refused(&home, words);
        assert!(code == Some(2) && said.contains(part), "{words:?}: {said}");
    }
    let file = home.path("skills/tea/SKILL.md");
    let (code, said) = refused(&home, &["--listen", &at(&file)]);
    assert!(code == Some(3) && said.contains("is no socket"), "{said}");
    assert!(fs::read_to_string(file).unwrap().contains("Makes tea"));
}
