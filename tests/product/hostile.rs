//! A hostile library, served by the program: sound skills are served, no address leads out of it, and memory stays
//! low.

use std::{fs, io, os::unix::fs::symlink, thread};

use serde_json::json;
use tests::{Home, Lines, PATIENCE, Serving, open, skill};

/// The most memory that the program may use.
const MOST_MEGABYTES: u64 = 110;

/// wire contract 38
#[test]
fn a_hostile_library_serves_its_sound_skills_within_its_memory() {
    let home = Home::new();
    let library = home.path("hostile");
    home.write("hostile/cake/SKILL.md", &skill("cake", "Bakes cake. Use when somebody is hungry."));
    home.write("secret.md", "secret");
    home.write("hostile/bomb/SKILL.md", &bomb());
    home.write(
        "hostile/deep/SKILL.md",
        &format!("---\nname: deep\ndescription: Nests.\nlist: {}\n---\n", "[".repeat(200_000)),
    );
    fs::create_dir_all(library.join("huge")).unwrap();
    fs::File::create(library.join("huge/SKILL.md")).unwrap().set_len(200 << 20).unwrap();
    fs::File::create(library.join("cake/huge.bin")).unwrap().set_len(200 << 20).unwrap();
    for number in 0..10_000 {
        home.write(&format!("hostile/cake/assets/{number}.txt"), "");
    }
    symlink(home.path("secret.md"), library.join("cake/leak.md")).unwrap();
    symlink(&library, library.join("again")).unwrap();
    symlink("/dev/zero", library.join("cake/zero")).unwrap();

    let mut client = Lines::initialized(home.skilltender().args(["mcp", "--skills-dir"]).arg(&library));
    // Two of them load as in other clients, without their faulty parts.
    assert_eq!(client.skills(), ["bomb", "cake", "deep"]);
    for uri in [
        "skill://cake/../../secret.md",
        "skill://cake/%2e%2e/%2e%2e/secret.md",
        "skill://cake/..%2f..%2fsecret.md",
        "skill://cake/%252e%252e/secret.md",
        "skill://cake/..\\..\\secret.md",
        "skill://cake/leak.md",
        "resource://docs/skills/cake/leak.md",
        "resource://docs/skills/cake/%2e%2e/%2e%2e/secret.md",
        "skill://cake/zero",
        "skill://cake/huge.bin",
        "skill://huge/SKILL.md",
        "skill://cake/SKILL.md%00.md",
        "resource://skills/../secret.md",
        "resource://skills/cake/references/%2e%2e%2f%2e%2e%2fsecret",
        "file:///etc/passwd",
        "skill:///etc/passwd",
    ] {
        let asked = client.ask("resources/read", &json!({"uri": uri}));
        let answer = client.answer(asked);
        assert!(answer.get("error").is_some(), "{uri}: {answer}");
    }
    for id in ["../secret", "cake/../../secret", "", "\0", "huge"] {
        let answer = client.call("tools/call", &json!({"name": "get_skill", "arguments": {"id": id}}));
        assert_eq!(answer["isError"], true, "{id:?}: {answer}");
    }
    assert_eq!(client.skills(), ["bomb", "cake", "deep"], "and it goes on");

    held_little(client.id());
}

/// Asserts that the peak memory of a process is below the limit, without the pages of its program: those of a development
/// build are many, and the system takes them back.
#[expect(clippy::print_stdout, reason = "the figure is for people who read the test run")]
fn held_little(process: u32) {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let megabytes = |field: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    };
    let most = megabytes("VmHWM:") - megabytes("RssFile:");
    println!("at most {most} MB were held");
    assert!(most < MOST_MEGABYTES, "{most} MB");
}

#[test]
fn many_large_files_at_once_stay_within_the_memory_also_where_clients_stop_reading() {
    const LARGE: usize = 15 << 20;
    let home = Home::new();
    home.write("skills/cake/SKILL.md", &skill("cake", "Bakes cake. Use when somebody is hungry."));
    fs::write(home.path("skills/cake/large.bin"), vec![0xff; LARGE]).unwrap();
    let serving = Serving::start(&home);
    let uri = "skill://cake/large.bin";
    let meta = "io.modelcontextprotocol/";
    let meta = json!({format!("{meta}protocolVersion"): "2026-07-28", format!("{meta}clientCapabilities"): {}});
    let read = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri, "_meta": meta}});
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "resources/read"), ("Mcp-Name", uri)];
    let ask = || open(&serving, &headers, &read.to_string());

    let stopped: Vec<_> = (0..2).map(|_| ask()).collect();
    let reading: Vec<_> = (0..8).map(|_| ask()).collect();
    thread::scope(|scope| {
        for mut stream in reading {
            scope.spawn(move || {
                stream.set_read_timeout(Some(5 * PATIENCE)).unwrap();
                let read = io::copy(&mut stream, &mut io::sink()).unwrap();
                assert!(read > (LARGE / 3 * 4) as u64, "{read} bytes");
            });
        }
    });
    held_little(serving.id());
    drop(stopped);
}

/// Ten values of ten values of ten ...
fn bomb() -> String {
    let level =
        |number: usize| format!("a{number}: &a{number} [{}]\n", vec![format!("*a{}", number - 1); 10].join(", "));
    format!("---\nname: bomb\ndescription: Grows.\na0: &a0 lol\n{}---\n", (1..12).map(level).collect::<String>())
}
