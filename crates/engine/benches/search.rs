//! Searching 10,000 skills (goal: 30 ms a keystroke): what the first search costs, which makes the index,
//! and each letter of a word that is typed afterwards. `cargo xtask bench` prints it with the rest.

#![expect(clippy::print_stdout, reason = "it prints a table")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on says where")]

#[path = "../../../tests/benches/speed/library.rs"]
mod library;

use std::{fs, time::Instant};

use engine::{Engine, Machine, Mode, actions};
use tests::goals::{Figure, Goal};

/// As many hits as the window asks for.
const LIMIT: usize = 200;

#[tokio::main]
async fn main() {
    println!("\n### search\n");
    println!("| skills | first search, ms | a keystroke, p50, ms | p99, ms | worst, ms |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for count in [1_000, 10_000] {
        let (folder, home) = (library::make(count), tempfile::tempdir().unwrap());
        let mode = Mode::Plain { folders: vec![folder.path().to_path_buf()] };
        let engine = Engine::start(Machine::at(home.path()).unwrap(), mode).await.unwrap();
        let (first, _) = search(&engine, "").await;
        let mut keystrokes = Vec::new();
        for number in (0..count).step_by(count / 50) {
            let text = fs::read_to_string(folder.path().join(library::id(number)).join("SKILL.md")).unwrap();
            // One word of its body, and then a second one.
            let words = text.split_whitespace().rev().take(2).collect::<Vec<_>>().join(" ");
            for end in 1..=words.len() {
                let (time, found) = search(&engine, &words[..end]).await;
                assert!(found > 0, "{}", &words[..end]);
                keystrokes.push(time);
            }
        }
        keystrokes.sort_by(f64::total_cmp);
        let at = |percent: usize| keystrokes[(keystrokes.len() * percent / 100).min(keystrokes.len() - 1)];
        println!("| {count} | {first:.0} | {:.1} | {:.1} | {:.1} |", at(50), at(99), at(100));
        if count == 10_000 {
            Figure::of("first search", first, "ms", Goal::AtMost(300.0)).tell();
            Figure::of("slowest keystroke in search", at(100), "ms", Goal::AtMost(30.0)).tell();
        }
    }
}

/// How long a search took, in milliseconds, and how much it found.
async fn search(engine: &Engine, typed: &str) -> (f64, usize) {
    let start = Instant::now();
    let hits = actions::search_skills(engine, typed, LIMIT).await.unwrap();
    (start.elapsed().as_secs_f64() * 1e3, hits.len())
}
