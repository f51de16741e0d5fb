//! Opening *Insight* with a year of 1,000,000 calls (goal: under 1 s), and *Activity* with a record of calls that is as
//! long as it gets. `cargo xtask bench` prints it with the rest.

#![expect(clippy::print_stdout, reason = "it prints a table")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on says where")]

use std::{collections::BTreeMap, fs, io::Write as _, path::Path, time::Instant};

use api::FirstRun;
use engine::{Engine, Machine, Mode, actions};
use serde_json::{Value, json};

const DAYS: u32 = 365;
const CALLS: u64 = 1_000_000;
const SKILLS: usize = 200;
const CLIENTS: [&str; 8] =
    ["claude-code", "codex", "cursor", "gemini", "opencode", "zed", "windsurf", "claude-desktop"];
/// The pairs of a skill and a client that are counted on one day.
const ROWS: u64 = 60;
/// How often each is opened.
const ROUNDS: usize = 20;

#[tokio::main]
async fn main() {
    let home = tempfile::tempdir().unwrap();
    let machine = Machine::at(home.path()).unwrap();
    for number in 0..SKILLS {
        let folder = machine.home.join("skills").join(skill(number));
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: {0}\ndescription: Does {0}. Use it for {0}.\n---\nDo it.\n", skill(number));
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    let calls = year(&machine.data.join("usage"));
    let lines = record(&machine.data.join("audit"));
    let engine = Engine::start(machine.clone(), Mode::Writing).await.unwrap();
    let folders = vec![machine.home.join("skills").to_str().unwrap().to_owned()];
    actions::finish_first_run(&engine, FirstRun { folders, enable_ready: false, enable_new: Vec::new() })
        .await
        .unwrap();
    println!("\n### usage\n\n| opened | of | first, ms | p50, ms | worst, ms |\n| --- | ---: | ---: | ---: | ---: |");
    let mut insight = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let report = actions::usage(&engine, DAYS).await.unwrap();
        insight.push(start.elapsed().as_secs_f64() * 1e3);
        let all: u64 = report.skills.iter().map(|skill| skill.calls).sum();
        assert_eq!(all, calls);
    }
    row("a year in Insight", &format!("{calls} calls"), &insight);
    let mut activity = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let shown = actions::read_calls(&engine, 200).await.unwrap();
        activity.push(start.elapsed().as_secs_f64() * 1e3);
        assert_eq!(shown.len(), 200);
    }
    row("the latest 200 in Activity", &format!("{lines} calls"), &activity);
    engine.stop().await;
}

fn row(what: &str, of: &str, times: &[f64]) {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    println!("| {what} | {of} | {:.1} | {:.1} | {:.1} |", times[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
}

fn skill(number: usize) -> String {
    format!("skill-{number:03}")
}

/// Writes the counts of a year that ends today, as the program would, and returns how many calls they hold.
fn year(folder: &Path) -> u64 {
    let today = chrono::Utc::now().date_naive();
    let mut months: BTreeMap<String, serde_json::Map<String, Value>> = BTreeMap::new();
    let each = CALLS / u64::from(DAYS) / ROWS;
    let mut calls = 0;
    for ago in 0..u64::from(DAYS) {
        let date = (today - chrono::Days::new(ago)).to_string();
        let rows: Vec<[u64; 5]> = (0..ROWS)
            .map(|row| {
                let more = if ago == 0 && row == 0 { CALLS - each * ROWS * u64::from(DAYS) } else { 0 };
                calls += each + more;
                [(ago * 7 + row * 3) % SKILLS as u64, row % CLIENTS.len() as u64, each + more, 1, each * 900]
            })
            .collect();
        let lists: Vec<[u64; 3]> = (0..SKILLS as u64).map(|skill| [skill, 9, 450]).collect();
        months.entry(date[..7].to_owned()).or_default().insert(date, json!({"skills": rows, "lists": lists}));
    }
    fs::create_dir_all(folder).unwrap();
    let skills: Vec<_> = (0..SKILLS).map(skill).collect();
    for (month, days) in months {
        let file = json!({"version": 1, "skills": skills, "clients": CLIENTS, "servers": [], "days": days});
        fs::write(folder.join(format!("{month}.json")), file.to_string()).unwrap();
    }
    calls
}

/// Fills the record of calls: five files of 10 MB. Returns how many calls they hold.
fn record(folder: &Path) -> usize {
    fs::create_dir_all(folder).unwrap();
    let mut lines = 0;
    for file in ["calls.jsonl", "calls.1.jsonl", "calls.2.jsonl", "calls.3.jsonl", "calls.4.jsonl"] {
        let (mut file, mut size) = (fs::File::create(folder.join(file)).unwrap(), 0);
        while size < 10 << 20 {
            let call = json!({
                "at": 1_790_000_000_000_u64 + lines as u64, "client": CLIENTS[lines % CLIENTS.len()], "surface": "tools",
                "method": "tools/call", "target": "get_skill", "skill": skill(lines % SKILLS), "ok": true, "ms": 1,
                "in": 40, "out": 5_400
            });
            let line = format!("{call}\n");
            file.write_all(line.as_bytes()).unwrap();
            size += line.len();
            lines += 1;
        }
    }
    lines
}
