//! The measurements: one function per goal, each printing one table.

use std::{
    fs, hint,
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use tests::goals::{Figure, Goal};

use crate::{
    client::Client,
    grows, library, limits,
    measure::{median, memory, milliseconds, percentile, processor_time, timed, watches},
    reading, warm,
};

pub(crate) const LIST: &str = r#""method":"tools/call","params":{"name":"list_skills","arguments":{}}"#;

/// Every part, by name.
pub(crate) const ALL: [(&str, fn()); 9] = [
    ("cold", cold),
    ("warm", warm::warm),
    ("read", reading::over_stdio),
    ("http", reading::over_http),
    ("list", list),
    ("fresh", fresh),
    ("memory", used_memory),
    ("idle", idle),
    ("grows", grows::grows),
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
        let first = median(first);
        println!(
            "| {count} | {limit:.1} ({limit_cpu:.1}) | {index:.1} ({index_cpu:.1}) | {:.2} ({:.2}) | {first:.1} |",
            index / limit,
            index_cpu / limit_cpu,
        );
        if count == 10_000 {
            let walked = "walked and hashed";
            Figure::of("library read", index, "ms", Goal::Times(1.5)).beside(walked, limit).tell();
            let cpu = Figure::of("library read, processor time", index_cpu, "ms", Goal::Times(2.5));
            cpu.beside(walked, limit_cpu).tell();
        }
        let goal = Goal::AtMost(match count {
            100 => 20.0,
            1_000 => 40.0,
            _ => 200.0,
        });
        Figure::of(format!("first list, {count} skills"), first, "ms", goal).tell();
    }
}

/// Goal 4: the whole list, one page, and the cost per skill.
fn list() {
    println!("| skills | `list_skills`, ms | first page of resources, ms | tokens for each skill |");
    println!("| ---: | ---: | ---: | ---: |");
    for count in [100, 1_000, 10_000] {
        let folder = library::make(count);
        let mut client = settled(folder.path());
        let whole = median((0..20).map(|_| timed(|| client.ask(LIST).len()).0).collect());
        let page = r#""method":"resources/list","params":{}"#;
        let page = median((0..20).map(|_| timed(|| client.ask(page).len()).0).collect());
        let answer: serde_json::Value = serde_json::from_str(client.ask(LIST)).unwrap();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        let tokens = text.len() as f64 / 4.0 / count as f64;
        println!("| {count} | {whole:.1} | {page:.2} | {tokens:.0} |");
        if count == 10_000 {
            Figure::of("list_skills", whole, "ms", Goal::AtMost(15.0)).tell();
            Figure::of("first page of resources", page, "ms", Goal::AtMost(1.0)).tell();
            Figure::of("list_skills, of each skill", tokens, "tokens", Goal::AtMost(60.0)).tell();
        }
    }
}

/// Goal 5: how soon a change is noticed and how often it is notified. It counts resource list changes, the only
/// notification for skills; prompts have their own notification.
fn fresh() {
    println!(
        "| skills | body, ms | told, p50 ms beyond the wait of 100 | told, worst | told how often | beside 8 busy threads: told, p50 | told, worst | 1,000 skills more: settled after, ms | told how often |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
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
        let told_after = |first: usize, patience| {
            let (mut delays, mut often) = (Vec::new(), 0);
            for number in first..first + 15 {
                let start = Instant::now();
                edit(number, &format!("described anew, as number {number}"));
                let heard = quiet(patience);
                often += heard.len();
                // An edit that is not told is the worst of all.
                let told = heard.first().map(|(moment, _)| milliseconds(*moment - start) - 100.0);
                delays.push(told.unwrap_or(f64::INFINITY));
            }
            (median(delays.clone()), percentile(&mut delays, 100), often as f64 / 15.0)
        };
        let (usual, worst, often) = told_after(500, Duration::from_millis(1_200));
        let (loaded, loaded_worst, loaded_often) = beside_busy_threads(8, || told_after(600, Duration::from_secs(4)));
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
            "| {count} | {body:.2} | {usual:.0} | {worst:.0} | {often:.2} | {loaded:.0} | {loaded_worst:.0} | {settled:.0} | {} |",
            heard.len()
        );
        if count == 10_000 {
            Figure::of("an edited body is read", body, "ms", Goal::AtMost(10.0)).tell();
            Figure::of("an edit is told beyond the wait, p50", usual, "ms", Goal::AtMost(50.0)).tell();
            Figure::of("an edit is told beyond the wait, worst", worst, "ms", Goal::AtMost(150.0)).tell();
            Figure::of("an edit is told beside 8 busy threads, worst", loaded_worst, "ms", Goal::AtMost(150.0)).tell();
            let often = often.max(loaded_often);
            Figure::of("an edit is told", often, "times", Goal::AtMost(1.0)).tell();
            Figure::of("1,000 more are settled", settled, "ms", Goal::AtMost(1_000.0)).tell();
            Figure::of("1,000 more are told", heard.len() as f64, "times", Goal::AtMost(5.0)).tell();
        }
    }
}

/// Does something while so many threads take all the time that they get.
fn beside_busy_threads<T>(threads: usize, does: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        // They end when this does, even if a measurement fails.
        let _end = End(&done);
        does()
    })
}

struct End<'d>(&'d AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Goal 6: the memory of an engine without a window, before and after work.
fn used_memory() {
    println!("| skills | at rest, MB | right after 2,000 reads and 5 lists, MB | at rest again, MB |");
    println!("| ---: | ---: | ---: | ---: |");
    for count in [1_000, 10_000] {
        let folder = library::make(count);
        let mut client = settled(folder.path());
        // By then it has given back what its start alone needed.
        let rests = Duration::from_secs(7);
        thread::sleep(rests);
        let rest = memory(client.id());
        for number in 0..2_000 {
            client.ask(&get(number % count));
        }
        for _ in 0..5 {
            client.ask(LIST);
        }
        let loaded = memory(client.id());
        thread::sleep(rests);
        let after = memory(client.id());
        println!("| {count} | {rest:.1} | {loaded:.1} | {after:.1} |");
        let (most, most_after) = if count == 1_000 { (20.0, 25.0) } else { (40.0, 45.0) };
        Figure::of(format!("memory at rest, {count} skills"), rest, "MB", Goal::AtMost(most)).tell();
        Figure::of(format!("memory after load, {count} skills"), after, "MB", Goal::AtMost(most_after)).tell();
    }
}

/// Goal 8: the cost of watching.
fn idle() {
    println!(
        "| skills | second list, before all is watched, ms | watches for each | all set after, ms | processor time in 60 s of rest, % |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: |");
    let count = 10_000;
    let folder = library::make(count);
    let second = || {
        let mut client = Client::start(folder.path());
        client.ask(LIST);
        let start = Instant::now();
        client.ask(LIST);
        milliseconds(start.elapsed())
    };
    let early = median((0..11).map(|_| second()).collect());
    let start = Instant::now();
    let client = Client::start(folder.path());
    let set = wait_until_watched(client.id(), start);
    thread::sleep(Duration::from_secs(3));
    let before = processor_time(client.id());
    thread::sleep(Duration::from_secs(60));
    let used = (processor_time(client.id()) - before) / 60_000.0 * 100.0;
    let each = watches(client.id()) as f64 / count as f64;
    println!("| {count} | {early:.1} | {each:.2} | {set:.0} | {used:.3} |");
    Figure::of("watches for each skill", each, "", Goal::AtMost(2.1)).tell();
    // The watches themselves take longer; what matters is that nobody waits for them.
    Figure::of("a list before everything is watched", early, "ms", Goal::AtMost(25.0)).tell();
    Figure::of("processor time at rest", used, "%", Goal::AtMost(0.05)).tell();
}

/// A client of an idle server that watches its library.
pub(crate) fn settled(skills: &Path) -> Client {
    let mut client = Client::start(skills);
    client.ask(LIST);
    wait_until_watched(client.id(), Instant::now());
    client
}

/// Waits until no more watches come. Returns when the last one came, in milliseconds since `start`.
pub(crate) fn wait_until_watched(process: u32, start: Instant) -> f64 {
    const QUIET: f64 = 1_500.0;
    let (mut known, mut last) = (0, f64::INFINITY);
    loop {
        let (now, found) = (milliseconds(start.elapsed()), watches(process));
        if found > known {
            (known, last) = (found, now);
        } else if now > last + QUIET {
            return last;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// A request for a skill.
pub(crate) fn get(number: usize) -> String {
    let id = library::id(number);
    format!(r#""method":"tools/call","params":{{"name":"get_skill","arguments":{{"id":"{id}"}}}}"#)
}
