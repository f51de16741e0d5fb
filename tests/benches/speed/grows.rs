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
    let [_, few, more, most] = &costs;
    Figure::of("one skill read, of 50,000", most.one, "ms", Goal::Times(1.15)).beside("of 1,000", few.one).tell();
    // What grows with the number of skills costs as much for each of the last as for each of those before.
    let each = |what: &str, of: fn(&Cost) -> f64, unit: &'static str| {
        let slope = |from: &Cost, to: &Cost| (of(to) - of(from)) / (to.skills - from.skills) * 1_000.0;
        let figure = Figure::of(format!("{what}, each 1,000 up to 50,000"), slope(more, most), unit, Goal::Times(1.25));
        figure.beside("up to 10,000", slope(few, more)).tell();
    };
    each("library read", |cost| cost.read, "ms");
    each("first list", |cost| cost.first, "ms");
    each("a later list", |cost| cost.list, "ms");
    each("all watched", |cost| cost.watched, "ms");
    each("memory", |cost| cost.memory, "MB");
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
    let one = one_read(&mut client, count);
    let (read, cpu, first, memory) = (median(read), median(cpu), median(first), memory(client.id()));
    println!("| {count} | {read:.1} ({cpu:.1}) | {first:.1} | {list:.1} | {one:.3} | {watched:.0} | {memory:.1} |");
    Cost { skills: count as f64, read, first, list, one, memory, watched }
}

/// A read, p50. The processors on which the two programs happen to run decide between two values, one twice the other and both
/// without more skills in them; the lower of many rounds is what counts.
fn one_read(client: &mut Client, skills: usize) -> f64 {
    let round = |round: usize| {
        thread::sleep(Duration::from_millis(20));
        let numbers = (0..200).map(|number| (round * 200 + number) * 7 % skills);
        median(numbers.map(|number| timed(|| client.ask(&get(number)).len()).0).collect())
    };
    (0..20).map(round).fold(f64::INFINITY, f64::min)
}
