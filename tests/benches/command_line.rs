//! The speed of the command line, from the start of the process: the wait of a person and of an MCP client.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use criterion::{Criterion, criterion_group, criterion_main};

fn version(criterion: &mut Criterion) {
    criterion.bench_function("skilltender --version", |bencher| {
        bencher.iter(|| Command::new(program()).arg("--version").output().expect("the program starts"));
    });
}

/// From the start of `skilltender mcp --skills-dir` to the answer of `list_skills`, and to the end.
fn first_answer(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("mcp --skills-dir, to the first list");
    group.sample_size(20);
    for count in [300, 1_000, 10_000] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for number in 1..=count {
            write_skill(folder.path(), number);
        }
        let last = format!("skill-{count}");
        group.bench_function(format!("{count} skills"), |bencher| {
            bencher.iter(|| assert!(list_skills(folder.path()).contains(&last), "the list is whole"));
        });
    }
}

fn list_skills(skills: &Path) -> String {
    let mut child = Command::new(program())
        .args(["mcp", "--skills-dir"])
        .arg(skills)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(REQUESTS.as_bytes()).expect("the program reads");
    let answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let answer = answers.lines().map_while(Result::ok).find(|line| line.contains("\"id\":2")).unwrap_or_default();
    drop(input);
    child.wait().expect("the program ends");
    answer
}

const REQUESTS: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_skills","arguments":{}}}"#,
    "\n",
);

fn write_skill(root: &Path, number: u32) {
    let folder = root.join(format!("skill-{number}"));
    fs::create_dir_all(&folder).expect("the folder is made");
    let body = "Do one thing, then the next, and say what was done.\n".repeat(90);
    let text = format!(
        "---\nname: skill-{number}\ndescription: Does thing {number}. Use when thing {number} is to be done.\n---\n\n# Thing {number}\n\n{body}"
    );
    fs::write(folder.join("SKILL.md"), text).expect("the file is written");
}

fn program() -> String {
    env::var("SKILLTENDER_PROGRAM").expect("SKILLTENDER_PROGRAM names the program; `cargo xtask bench` sets it")
}

criterion_group!(benches, version, first_answer);
criterion_main!(benches);
