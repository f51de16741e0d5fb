//! The files: `usage/2026-11.json` for each month, of two years at most, all of them together below five megabytes. Names
//! are written once for each month, and a count is a row of numbers. What is more than a month may hold is counted
//! together under an empty name, so sums stay right.
//!
//! Engines that answer one client each while none writes add to the same files, so a file is read, added to and replaced
//! under a lock. A file that a later program wrote stays as it is.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use files::store;
use machine::{lock::Lockable, make_private, waiting};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use state::usage::{Calls, Counts, Lists, Loads, Tally};

use super::day;

/// The maximum size of a file, in bytes: 25 of them are below five megabytes.
const SHARE: usize = 190 << 10;

/// How many files are kept: the months of two years, and the one that began.
const MONTHS: usize = 25;

/// One file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Month {
    /// The names that rows mean by their places here.
    skills: Vec<String>,
    clients: Vec<String>,
    servers: Vec<String>,
    /// By date.
    days: BTreeMap<String, Rows>,
    /// What a later program wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What was counted on one day.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Rows {
    /// Skill, client, calls, failures, tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skills: Vec<[u64; 5]>,
    /// Skill, times, tokens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lists: Vec<[u64; 3]>,
    /// Server, client, calls, failures, milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    servers: Vec<[u64; 5]>,
}

/// Takes what was counted, and adds it to the files.
///
/// # Errors
/// Why it is not saved, as a sentence; it waits in the tally again.
pub(crate) fn save(folder: &Path, tally: &Tally) -> Result<(), String> {
    let said = |error: io::Error| format!("{} cannot be written: {error}.", folder.display());
    waiting::for_disk(folder);
    let _lock = lock(folder).map_err(said)?;
    // Under the lock, so that nothing is added after it was wiped.
    let mut left = Counts::default();
    let mut failed = None;
    for (month, counts) in by_month(tally.take()) {
        if let Err(why) = add(folder, &month, &counts) {
            failed = Some(why);
            left.add(counts);
        }
    }
    if let Some(why) = failed {
        tally.give_back(left);
        return Err(why);
    }
    drop_oldest(folder);
    Ok(())
}

/// Everything that is counted of these days and later, saved or still waiting, and the first day of which anything is
/// saved.
pub(crate) fn read_with(folder: &Path, from: u32, tally: &Tally) -> (Counts, Option<u32>) {
    waiting::for_disk(folder);
    // A save in between would hide what it moves. Where there is no lock, nothing is moved.
    let _lock = folder.is_dir().then(|| lock(folder).ok());
    let (mut counts, first) = (read(folder, from), first(folder));
    counts.add(tally.peek());
    (counts, first)
}

/// Everything that the files hold of these days and later.
fn read(folder: &Path, from: u32) -> Counts {
    let (first, mut all) = (day::month(from), Counts::default());
    for path in files(folder) {
        if path.file_stem().is_some_and(|month| *month.to_string_lossy() >= *first) {
            all.add(store::peek::<Month>(&path).counts());
        }
    }
    all.skills.retain(|(day, ..), _| *day >= from);
    all.lists.retain(|(day, _), _| *day >= from);
    all.servers.retain(|(day, ..), _| *day >= from);
    all
}

/// The first day of which anything is counted.
fn first(folder: &Path) -> Option<u32> {
    let oldest = files(folder).into_iter().next()?;
    let month: Month = store::peek(&oldest);
    month.days.keys().filter_map(|date| day::of(date)).min()
}

/// Forgets everything, with what waits to be saved and what copies of our files hold. A file that a later program wrote goes too: a person wants it gone.
///
/// # Errors
/// When a file cannot be removed.
pub(crate) fn wipe(folder: &Path, tally: &Tally) -> io::Result<()> {
    if !folder.is_dir() {
        drop(tally.take());
        return Ok(());
    }
    let _lock = lock(folder)?;
    drop(tally.take());
    let copies = folder.parent().map(store::copies).unwrap_or_default();
    let copies = copies.into_iter().map(|copy| copy.join(super::FOLDER)).filter(|copy| copy.is_dir());
    for folder in copies.chain([folder.to_path_buf()]) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name != LOCK) {
                fs::remove_file(path)?;
            }
        }
    }
    Ok(())
}

const LOCK: &str = "lock";

/// Held while the files are changed.
fn lock(folder: &Path) -> io::Result<Lockable> {
    make_private(folder)?;
    let file = Lockable::open(&folder.join(LOCK), true)?;
    file.take()?;
    Ok(file)
}

fn add(folder: &Path, month: &str, counts: &Counts) -> Result<(), String> {
    let path = folder.join(format!("{month}.json"));
    if store::is_newer(&path) {
        return Err(format!("{} was written by a newer Skilltender.", path.display()));
    }
    let (before, unreadable) = store::load::<Month>(&path);
    if let Some(unreadable) = unreadable {
        tracing::warn!("{}", unreadable.message);
    }
    let mut all = before.counts();
    all.add(counts.clone());
    let bytes = fitting(all, before.rest).map_err(|error| error.to_string())?;
    store::write(&path, &bytes).map_err(|error| error.to_string())
}

/// The file of these counts, in which the least used share a row as far as it would be too large.
fn fitting(mut counts: Counts, rest: Map<String, Value>) -> serde_json::Result<Vec<u8>> {
    let mut month = Month::of(&counts, rest);
    let mut most = month.days.values().map(Rows::longest).max().unwrap_or_default();
    loop {
        let bytes = store::dense(&month)?;
        if bytes.len() <= SHARE || most <= 1 {
            return Ok(bytes);
        }
        most /= 2;
        fold(&mut counts, most);
        month = Month::of(&counts, std::mem::take(&mut month.rest));
    }
}

/// Keeps the `most` largest rows of each kind and day, and counts the others together.
fn fold(counts: &mut Counts, most: usize) {
    counts.skills = folded(
        &counts.skills,
        most,
        |(day, ..)| *day,
        |loads| loads.calls,
        |(day, _, client), loads, all| {
            all.entry((*day, String::new(), client.clone())).or_default().add(*loads);
        },
    );
    counts.lists = folded(
        &counts.lists,
        most,
        |(day, _)| *day,
        |lists| lists.tokens,
        |(day, _), lists, all| {
            all.entry((*day, String::new())).or_default().add(*lists);
        },
    );
    counts.servers = folded(
        &counts.servers,
        most,
        |(day, ..)| *day,
        |calls| calls.calls,
        |(day, _, client), calls, all| {
            all.entry((*day, String::new(), client.clone())).or_default().add(*calls);
        },
    );
}

fn folded<K: Ord + Clone, V: Copy>(
    rows: &BTreeMap<K, V>,
    most: usize,
    day: impl Fn(&K) -> u32,
    size: impl Fn(&V) -> u64,
    together: impl Fn(&K, &V, &mut BTreeMap<K, V>),
) -> BTreeMap<K, V> {
    let mut days: BTreeMap<u32, Vec<(&K, &V)>> = BTreeMap::new();
    for (key, value) in rows {
        days.entry(day(key)).or_default().push((key, value));
    }
    let mut kept = BTreeMap::new();
    for mut rows in days.into_values() {
        rows.sort_by_key(|(_, value)| std::cmp::Reverse(size(value)));
        let others = rows.split_off(most.min(rows.len()));
        kept.extend(rows.into_iter().map(|(key, value)| (key.clone(), *value)));
        others.into_iter().for_each(|(key, value)| together(key, value, &mut kept));
    }
    kept
}

fn by_month(counts: Counts) -> BTreeMap<String, Counts> {
    let mut months: BTreeMap<String, Counts> = BTreeMap::new();
    for (key, loads) in counts.skills {
        months.entry(day::month(key.0)).or_default().skills.insert(key, loads);
    }
    for (key, lists) in counts.lists {
        months.entry(day::month(key.0)).or_default().lists.insert(key, lists);
    }
    for (key, calls) in counts.servers {
        months.entry(day::month(key.0)).or_default().servers.insert(key, calls);
    }
    months
}

/// The files, oldest first.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort();
    files
}

/// By their number and not by their age: a clock that was wrong once must cost nothing.
fn drop_oldest(folder: &Path) {
    let files = files(folder);
    for path in files.iter().take(files.len().saturating_sub(MONTHS)) {
        if let Err(error) = fs::remove_file(path) {
            tracing::warn!("{} is older than is kept, and cannot be removed: {error}.", path.display());
        }
    }
}

impl Month {
    fn of(counts: &Counts, rest: Map<String, Value>) -> Self {
        let (mut skills, mut clients, mut servers) = (Names::default(), Names::default(), Names::default());
        let mut days: BTreeMap<u32, Rows> = BTreeMap::new();
        for ((day, skill, client), Loads { calls, failed, tokens }) in &counts.skills {
            let row = [skills.place(skill), clients.place(client), *calls, *failed, *tokens];
            days.entry(*day).or_default().skills.push(row);
        }
        for ((day, skill), Lists { times, tokens }) in &counts.lists {
            days.entry(*day).or_default().lists.push([skills.place(skill), *times, *tokens]);
        }
        for ((day, server, client), Calls { calls, failed, ms }) in &counts.servers {
            let row = [servers.place(server), clients.place(client), *calls, *failed, *ms];
            days.entry(*day).or_default().servers.push(row);
        }
        let days = days.into_iter().map(|(day, rows)| (day::date(day), rows)).collect();
        Self { skills: skills.names, clients: clients.names, servers: servers.names, days, rest }
    }

    /// What it says, as far as its rows name something.
    fn counts(&self) -> Counts {
        fn named(names: &[String], at: u64) -> Option<String> {
            names.get(usize::try_from(at).ok()?).cloned()
        }
        let mut counts = Counts::default();
        for (date, rows) in &self.days {
            let Some(day) = day::of(date) else { continue };
            for &[skill, client, calls, failed, tokens] in &rows.skills {
                if let (Some(skill), Some(client)) = (named(&self.skills, skill), named(&self.clients, client)) {
                    counts.skills.entry((day, skill, client)).or_default().add(Loads { calls, failed, tokens });
                }
            }
            for &[skill, times, tokens] in &rows.lists {
                if let Some(skill) = named(&self.skills, skill) {
                    counts.lists.entry((day, skill)).or_default().add(Lists { times, tokens });
                }
            }
            for &[server, client, calls, failed, ms] in &rows.servers {
                if let (Some(server), Some(client)) = (named(&self.servers, server), named(&self.clients, client)) {
                    counts.servers.entry((day, server, client)).or_default().add(Calls { calls, failed, ms });
                }
            }
        }
        counts
    }
}

impl Rows {
    fn longest(&self) -> usize {
        self.skills.len().max(self.lists.len()).max(self.servers.len())
    }
}

/// Names, and the place of each.
#[derive(Default)]
struct Names<'n> {
    names: Vec<String>,
    places: BTreeMap<&'n str, u64>,
}

impl<'n> Names<'n> {
    fn place(&mut self, name: &'n str) -> u64 {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name.to_owned());
            self.names.len() as u64 - 1
        })
    }
}

#[cfg(test)]
mod tests;
