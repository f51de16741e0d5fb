//! Connections use all file descriptors: an unreadable skill is never called unknown, and everything recovers once
//! they close.

use std::{
    fs,
    io::{ErrorKind, Write as _},
    net::TcpStream,
    process::Command,
};

use serde_json::json;
use tests::{Home, Lines, Serving, eventually, skill};

#[test]
fn a_skill_that_cannot_be_opened_for_want_of_files_is_not_called_unknown() {
    let home = Home::new();
    let serving = Serving::start(&home);
    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--client", "codex"]));
    assert_eq!(client.skills(), ["coffee", "tea"]);

    // A few more than it uses now; its own limit on connections assumes far more.
    let open = fs::read_dir(format!("/proc/{}/fd", serving.id())).unwrap().count();
    limit(serving.id(), open + 12);
    let held: Vec<TcpStream> = (0..open + 40).filter_map(|_| half_a_request(serving.port())).collect();
    // It has been refused a file: a connection gave way long before its time was over.
    eventually("a connection gives way", || held.iter().any(gave_way).then_some(()));

    // Connections are closed in favour of reads.
    for round in 0..20 {
        let answer = make_tea(&home, &mut client, round);
        assert!(answer.contains("Makes tea") && !answer.contains("\"isError\":true"), "{answer}");
        assert_eq!(client.skills(), ["coffee", "tea"]);
    }
    // No file can be opened.
    limit(serving.id(), 3);
    let answers: Vec<_> = (20..30).map(|round| make_tea(&home, &mut client, round)).collect();
    for answer in &answers {
        assert!(!answer.contains("No skill has the id") && answer.contains("tea"), "{answer}");
        assert_eq!(client.skills(), ["coffee", "tea"], "the list is as it was");
    }
    let refused = answers.iter().filter(|answer| answer.contains("\"isError\":true") || answer.contains("\"error\""));
    assert!(refused.count() > 0, "nothing was short: {answers:?}");

    drop(held);
    limit(serving.id(), 8192);
    eventually("the skill can be read again", || {
        let id = client.ask("tools/call", &json!({"name": "get_skill", "arguments": {"id": "tea"}}));
        let answer = client.answer(id);
        (answer["result"]["isError"] != true && answer.get("result").is_some()).then_some(())
    });
    let id = client.ask("tools/call", &json!({"name": "get_skill", "arguments": {"id": "chai"}}));
    assert!(client.answer(id).to_string().contains("No skill has the id"), "what is unknown is called so");
    assert_eq!(serving.stop(), 0);
}

/// The answer to a client that asks for a skill which must be read again.
fn make_tea(home: &Home, client: &mut Lines, round: usize) -> String {
    home.write("skills/tea/SKILL.md", &skill("tea", &format!("Makes tea, {round}. Use when somebody is thirsty.")));
    let id = client.ask("tools/call", &json!({"name": "get_skill", "arguments": {"id": "tea"}}));
    client.answer(id).to_string()
}

/// Sets how many files a process may have open.
fn limit(process: u32, files: usize) {
    let mut limit = Command::new("prlimit");
    let limit = limit.args(["--pid", &process.to_string(), &format!("--nofile={files}:8192")]).status();
    assert!(limit.unwrap().success());
}

/// Whether the other side has closed a connection. It stays so, where the number of open files goes up and down.
fn gave_way(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    match stream.peek(&mut [0]) {
        Ok(bytes) => bytes == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

fn half_a_request(port: u16) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1").ok()?;
    Some(stream)
}
