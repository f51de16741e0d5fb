//! What costs more with more skills, and how much: whether anything grows faster than they do.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tests::goals::{Figure, Goal};

use crate::{
    client::Client,
    library,
    measure::{median, memory, milliseconds, processor_time, timed},
    parts::{LIST, get, wait_until_watched},
};

const COUNTS: [usize; 4] = [100, 1_000, 10_000, 50_000];
/// More folders than this holds are not looked into, so a large library is in several.
const IN_A_FOLDER: usize = 12_500;

/// What was measured with one number of skills: milliseconds, MB.
struct Cost {
    skills: f64,
    read: f64,
    first: f64,
    list: f64,
    one: f64,
    memory: f64,
    watched: f64,
}

pub(crate) fn grows() {
    println!(
        "| skills | library read, ms (CPU) | first list, ms | list, ms | one skill read, p50, ms | all watched after, ms | memory, MB |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let costs = COUNTS.map(measure);
    let [_, few, _, many] = &costs;
    let times = many.skills / few.skills;
    let goal = |what: &str, of: fn(&Cost) -> f64, goal: f64| {
        let what = format!("{what}, {} skills beside {}", many.skills, few.skills);
        Figure::of(what, of(many), "ms", Goal::Times(goal)).beside(&format!("{} skills", few.skills), of(few)).tell();
    };
    goal("one skill read", |cost| cost.one, 1.15);
    // A start has a part that is the same for all, so what is linear grows less than the number.
    goal("library read", |cost| cost.read, times);
    goal("first list", |cost| cost.first, times);
    goal("a later list", |cost| cost.list, times);
    goal("all watched", |cost| cost.watched, times);
    let most = few.memory * times;
    Figure::of(format!("memory, {} skills", many.skills), many.memory, "MB", Goal::AtMost(most)).tell();
}

fn measure(count: usize) -> Cost {
    let folders: Vec<TempDir> = (0..count)
        .step_by(IN_A_FOLDER)
        .map(|first| library::make_from(first, IN_A_FOLDER.min(count - first)))
        .collect();
    let folders: Vec<&Path> = folders.iter().map(TempDir::path).collect();
    let (mut read, mut cpu, mut first) = (vec![], vec![], vec![]);
    for _ in 0..if count > 10_000 { 3 } else { 7 } {
        let start = Instant::now();
        let mut client = Client::start_with(&folders);
        read.push(milliseconds(start.elapsed()));
        cpu.push(processor_time(client.id()));
        assert!(client.ask(LIST).contains(&library::id(count - 1)));
        first.push(milliseconds(start.elapsed()));
    }
    let start = Instant::now();
    let mut client = Client::start_with(&folders);
    client.ask(LIST);
    let watched = wait_until_watched(client.id(), start);
    // What follows the watches is done once.
    thread::sleep(Duration::from_secs(3));
    let list = median((0..10).map(|_| timed(|| client.ask(LIST).len()).0).collect());
    let one = median((0..2_000).map(|number| timed(|| client.ask(&get(number * 7 % count)).len()).0).collect());
    let (read, cpu, first, memory) = (median(read), median(cpu), median(first), memory(client.id()));
    println!("| {count} | {read:.1} ({cpu:.1}) | {first:.1} | {list:.1} | {one:.3} | {watched:.0} | {memory:.1} |");
    Cost { skills: count as f64, read, first, list, one, memory, watched }
}
