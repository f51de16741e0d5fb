//! The speed of the command line, from the start of the process: the wait of a person and of an MCP client.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use criterion::{Criterion, criterion_group, criterion_main};
use tests::goals::{Figure, Goal};

/// The program's size, and how soon it ends.
fn version(criterion: &mut Criterion) {
    let size = fs::metadata(program()).expect("the program is there").len();
    Figure::of("size of `skilltender`", size as f64 / 1e6, "MB", Goal::AtMost(15.0)).tell();
    let ask = || drop(Command::new(program()).arg("--version").output().expect("the program starts"));
    Figure::of("`skilltender --version`", median(101, ask), "ms", Goal::AtMost(3.0)).tell();
    criterion.bench_function("skilltender --version", |bencher| bencher.iter(ask));
}

/// A search in a library of 10,000 while no engine runs.
fn list_words(_: &mut Criterion) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let skills = home.path().join("skills");
    (1..=10_000).for_each(|number| write_skill(&skills, number));
    let folder = serde_json::json!({ "id": "f1", "path": skills, "enable_new": true, "enable_first": true });
    let choices = serde_json::json!({ "version": 1, "first_run": false, "last_folder": 1, "folders": [folder] });
    let data = home.path().join(".local/share/skilltender");
    fs::create_dir_all(&data).expect("the folder is made");
    fs::write(data.join("choices.json"), choices.to_string()).expect("the file is written");
    let list = || {
        let mut list = Command::new(program());
        list.args(["list", "thing", "4217"]).env("HOME", home.path()).env_remove("XDG_DATA_HOME");
        let said = list.output().expect("the program starts").stdout;
        assert!(String::from_utf8_lossy(&said).contains("skill-4217"), "it is found");
    };
    Figure::of("`list` with words, 10,000 skills, no engine", median(11, list), "ms", Goal::AtMost(600.0)).tell();
}

/// The middle one of so many times, in milliseconds.
fn median(times: usize, act: impl Fn()) -> f64 {
    let mut took: Vec<_> = (0..times)
        .map(|_| {
            let start = Instant::now();
            act();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    took.sort_by(f64::total_cmp);
    took[times / 2]
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

criterion_group!(benches, version, list_words, first_answer);
criterion_main!(benches);
