//! The measurements: one function per goal, each printing one table.

use std::{
    fs,
    path::Path,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::{
    client::Client,
    library, limits,
    measure::{median, memory, milliseconds, percentile, processor_time, timed, watches},
    reading, warm,
};

const LIST: &str = r#""method":"tools/call","params":{"name":"list_skills","arguments":{}}"#;

/// Every part, by name.
pub(crate) const ALL: [(&str, fn()); 8] = [
    ("cold", cold),
    ("warm", warm::warm),
    ("read", reading::over_stdio),
    ("http", reading::over_http),
    ("list", list),
    ("fresh", fresh),
    ("memory", used_memory),
    ("idle", idle),
];

/// Goal 1: the time from the start of the program until the library is read, and until the first list.
fn cold() {
    println!(
        "| skills | read and hashed by two threads, ms (CPU) | library read, ms (CPU) | ratio (CPU) | first list, ms |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for count in [100, 1_000, 10_000] {
        let folder = library::make(count);
        let (mut limit, mut limit_cpu, mut index, mut index_cpu, mut first) = (vec![], vec![], vec![], vec![], vec![]);
        for _ in 0..7 {
            let before = processor_time(std::process::id());
            let (time, found) = timed(|| limits::read_and_hash(folder.path()));
            assert_eq!(found, count);
            limit.push(time);
            limit_cpu.push((processor_time(std::process::id()) - before).max(0.1));
            let start = Instant::now();
            let mut client = Client::start(folder.path());
            index.push(milliseconds(start.elapsed()));
            index_cpu.push(processor_time(client.id()));
            assert!(client.ask(LIST).contains(&library::id(count - 1)));
            first.push(milliseconds(start.elapsed()));
        }
        let (limit, limit_cpu, index, index_cpu) = (median(limit), median(limit_cpu), median(index), median(index_cpu));
        println!(
            "| {count} | {limit:.1} ({limit_cpu:.1}) | {index:.1} ({index_cpu:.1}) | {:.2} ({:.2}) | {:.1} |",
            index / limit,
            index_cpu / limit_cpu,
            median(first)
        );
    }
}

/// Goal 4: the whole list, one page, and the cost per skill.
fn list() {
    println!("| skills | list_skills, ms | skills/list, first page, ms | tokens for each skill |");
    println!("| ---: | ---: | ---: | ---: |");
    for count in [100, 1_000, 10_000] {
        let folder = library::make(count);
        let mut client = settled(folder.path());
        let whole = median((0..20).map(|_| timed(|| client.ask(LIST).len()).0).collect());
        let page = r#""method":"resources/list","params":{}"#;
        let page = median((0..20).map(|_| timed(|| client.ask(page).len()).0).collect());
        let answer: serde_json::Value = serde_json::from_str(client.ask(LIST)).unwrap();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        println!("| {count} | {whole:.1} | {page:.2} | {:.0} |", text.len() as f64 / 4.0 / count as f64);
    }
}

/// Goal 5: how soon a change is noticed and how often it is notified. It counts resource list changes, the only
/// notification for skills; prompts have their own notification.
fn fresh() {
    println!(
        "| skills | body, ms | told, p50 ms beyond the wait of 100 | told, worst | told how often | 1,000 skills more: settled after, ms | told how often |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for count in [1_000, 10_000] {
        let folder = library::make(count);
        let edit = |number: usize, text: &str| {
            let id = library::id(number);
            fs::write(folder.path().join(&id).join("SKILL.md"), library::skill_md(&id, text, text)).unwrap();
        };
        let mut client = settled(folder.path());
        let body = median(
            (0..20)
                .map(|round| {
                    let text = format!("body {round}");
                    edit(round, &text);
                    timed(|| assert!(client.ask(&get(round)).contains(&text))).0
                })
                .collect(),
        );
        let (tell, told) = mpsc::channel();
        thread::sleep(Duration::from_secs(2));
        client
            .hear(move |line| drop(line.contains("resources/list_changed").then(|| tell.send((Instant::now(), line)))));
        let quiet = |patience| {
            let mut heard = Vec::new();
            while let Ok((moment, line)) = told.recv_timeout(patience) {
                heard.push((moment, line));
            }
            heard
        };
        // Notifications of the edits above are still in the pipe.
        drop(quiet(Duration::from_millis(500)));
        let (mut delays, mut often) = (Vec::new(), 0);
        for round in 0..15 {
            let start = Instant::now();
            edit(500 + round, &format!("described anew {round}"));
            let heard = quiet(Duration::from_millis(1_200));
            often += heard.len();
            delays.extend(heard.first().map(|(moment, _)| milliseconds(*moment - start) - 100.0));
        }
        let start = Instant::now();
        for number in count..count + 1_000 {
            let id = library::id(number);
            fs::create_dir(folder.path().join(&id)).unwrap();
            edit(number, "new");
        }
        let made = start.elapsed();
        let heard = quiet(Duration::from_secs(3));
        let settled = heard.last().map_or(f64::NAN, |(moment, _)| milliseconds(*moment - start - made));
        println!(
            "| {count} | {body:.2} | {:.0} | {:.0} | {:.2} | {settled:.0} | {} |",
            median(delays.clone()),
            percentile(&mut delays, 100),
            often as f64 / 15.0,
            heard.len()
        );
    }
}

/// Goal 6: the memory of an engine without a window, before and after work.
fn used_memory() {
    println!("| skills | at rest, MB | after 2,000 reads and 5 lists, MB |");
    println!("| ---: | ---: | ---: |");
    for count in [1_000, 10_000] {
        let folder = library::make(count);
        let mut client = settled(folder.path());
        let rest = memory(client.id());
        for number in 0..2_000 {
            client.ask(&get(number % count));
        }
        for _ in 0..5 {
            client.ask(LIST);
        }
        thread::sleep(Duration::from_secs(1));
        println!("| {count} | {rest:.1} | {:.1} |", memory(client.id()));
    }
}

/// Goal 8: the cost of watching.
fn idle() {
    println!("| skills | watches for each | all set after, ms | processor time in 60 s of rest, % |");
    println!("| ---: | ---: | ---: | ---: |");
    let count = 10_000;
    let folder = library::make(count);
    let start = Instant::now();
    let client = Client::start(folder.path());
    while watches(client.id()) < 2 * count {
        thread::sleep(Duration::from_millis(2));
    }
    let set = milliseconds(start.elapsed());
    thread::sleep(Duration::from_secs(3));
    let before = processor_time(client.id());
    thread::sleep(Duration::from_secs(60));
    let used = (processor_time(client.id()) - before) / 60_000.0 * 100.0;
    println!("| {count} | {:.2} | {set:.0} | {used:.3} |", watches(client.id()) as f64 / count as f64);
}

/// A client of an idle server that watches its library.
pub(crate) fn settled(skills: &Path) -> Client {
    let mut client = Client::start(skills);
    client.ask(LIST);
    wait_until_watched(client.id());
    client
}

pub(crate) fn wait_until_watched(process: u32) {
    let mut known = 0;
    while known == 0 || watches(process) > known {
        known = watches(process);
        thread::sleep(Duration::from_secs(1));
    }
}

/// A request for a skill.
pub(crate) fn get(number: usize) -> String {
    let id = library::id(number);
    format!(r#""method":"tools/call","params":{{"name":"get_skill","arguments":{{"id":"{id}"}}}}"#)
}
