//! Asking sources whether they have other versions: one request for each repository, and what moved is fetched to see
//! whether a skill is another one there.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    thread,
    time::Duration,
};

use api::{ActionError, ErrorKind, Wrote, failed};
use fetch::{Cancel, FetchError, Repositories, Tips};
use machine::{Machine, clock};
use origins::{Newest, Record, digest, locked};
use state::{Asked, blocking};

use super::{
    held::Held,
    opened::{Opened, open, refuse, repositories},
    records::keep_origins,
    way::notes,
};
use crate::{
    Engine,
    actions::{writing, wrote::wrote},
};

/// How many repositories are asked at the same time.
const AT_ONCE: usize = 4;

/// Asks the sources of these skills, or of all skills, whether they have other versions. The snapshot has the answers.
///
/// # Errors
/// When no skill has a source, or it cannot be recorded. What a source does not answer is in the snapshot.
pub async fn ask_sources(engine: &Engine, keys: Option<&[String]>) -> Result<(), ActionError> {
    writing(engine)?;
    let (state, catalog) = (engine.state().now(), engine.state().catalog());
    let wanted =
        |record: &&Record| catalog.by_key(&record.key).is_some() && keys.is_none_or(|keys| keys.contains(&record.key));
    let records: Vec<_> = state.origins.values().filter(wanted).cloned().collect();
    if records.is_empty() {
        return Err(failed(ErrorKind::NotFound, "No skill has a source that can be asked."));
    }
    let (machine, cancel) = (engine.machine().clone(), engine.cancel());
    let cancelled = cancel.clone();
    let (records, asked) = blocking(move || {
        // Without a repository there is nothing to look for.
        let from = records.iter().any(Record::is_of_git).then(|| repositories(&machine)).transpose()?;
        Ok(ask(&machine, from.as_ref(), &records, &cancel))
    })
    .await?;
    keep_origins(engine, records).await?;
    let of: BTreeSet<_> = state
        .origins
        .values()
        .filter(|record| asked.contains_key(&record.followed()) && !record.is_of_here())
        .map(Record::source)
        .collect();
    let silent = u32::try_from(asked.values().filter(|asked| asked.trouble.is_some()).count()).unwrap_or(u32::MAX);
    engine.state().change(move |state| state.asked.extend(asked)).await?;
    if !of.is_empty() {
        wrote(engine, Wrote::Asked { sources: of.into_iter().collect(), silent }, None).await;
    }
    if cancelled.is() { Err(refuse(&FetchError::Cancelled)) } else { Ok(()) }
}

/// A day, in milliseconds.
const DAY: u64 = 24 * 3600 * 1000;
/// How often it is looked whether a day has passed: a computer may sleep.
const LOOK: Duration = Duration::from_secs(15 * 60);

/// Asks all sources once a day, as long as a person wants that and the engine runs.
pub(crate) fn keep_asking(engine: &Engine) {
    let there = engine.downgrade();
    tokio::spawn(async move {
        loop {
            {
                let Some(engine) = there() else { return };
                let state = engine.state().now();
                let catalog = engine.state().catalog();
                // One in the trash is not asked about.
                let there = state.origins.values().filter(|record| catalog.by_key(&record.key).is_some());
                if state.choices.ask_sources && is_due(there, &state.asked, clock::now()) {
                    // What a source does not answer is in the snapshot.
                    if let Err(error) = ask_sources(&engine, None).await {
                        tracing::debug!(%error, "sources were not asked");
                    }
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    });
}

/// Whether a source was not asked for a day.
fn is_due<'r>(records: impl Iterator<Item = &'r Record>, asked: &BTreeMap<String, Asked>, now: u64) -> bool {
    let last = |record: &Record| {
        let in_this_run = asked.get(&record.followed()).map_or(0, |asked| asked.at);
        record.newest.as_ref().map_or(0, |newest| newest.at).max(in_this_run)
    };
    records.map(last).any(|last| now.saturating_sub(last) >= DAY)
}

/// Ends what is being fetched.
pub fn cancel_fetching(engine: &Engine) {
    engine.cancel_now();
}

type Answers = (Vec<Record>, BTreeMap<String, Asked>);

fn ask(machine: &Machine, from: Option<&Repositories>, records: &[Record], cancel: &Cancel) -> Answers {
    let addresses: Vec<_> =
        records.iter().map(|record| record.address.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let share = addresses.len().div_ceil(AT_ONCE).max(1);
    let answers = thread::scope(|threads| {
        let asking: Vec<_> = addresses
            .chunks(share)
            .map(|some| {
                let one = move |address: &&str| match from {
                    Some(from) if is_of_git(records, address) => one(from, address, records, cancel),
                    _ => other(machine, address, records, cancel),
                };
                threads.spawn(move || some.iter().map(one).collect::<Vec<_>>())
            })
            .collect();
        asking.into_iter().flat_map(|some| some.join().unwrap_or_default()).collect::<Vec<_>>()
    });
    let mut all = Answers::default();
    for (records, asked) in answers {
        all.0.extend(records);
        all.1.extend(asked);
    }
    all
}

fn is_of_git(records: &[Record], address: &str) -> bool {
    records.iter().any(|record| record.address == address && record.is_of_git())
}

/// Looks at one place that is no repository, for all skills from it.
fn other(machine: &Machine, address: &str, records: &[Record], cancel: &Cancel) -> Answers {
    let ours: Vec<_> = records.iter().filter(|record| record.address == address).collect();
    let only: Vec<_> = ours.iter().map(|record| record.inside.clone()).collect();
    let opened = open(machine, address, None, Some(&only), cancel).map(|mut opened| {
        opened.read_ahead(ours.iter().copied(), cancel);
        opened
    });
    let newest = |record: &Record| {
        let opened = opened.as_ref().map_err(|error| error.message.clone())?;
        let files = opened.inside(&record.inside).one_skill(cancel).map_err(|error| error.message)?;
        let digest = digest(&locked(&files));
        Ok(Newest { at: clock::now(), digest, ..Newest::default() })
    };
    gathered(&ours, newest, cancel)
}

/// Asks one repository for all skills from it.
fn one(from: &Repositories, address: &str, records: &[Record], cancel: &Cancel) -> Answers {
    let tips = from.tips(address, cancel);
    let ours: Vec<_> = records.iter().filter(|record| record.address == address).collect();
    let mut seen = Seen::default();
    let newest = |record: &Record| {
        let tips = tips.as_ref().map_err(ToString::to_string)?;
        newest_of(from, (record, &ours), tips, &mut seen, cancel)
    };
    gathered(&ours, newest, cancel)
}

/// The answers about these skills of one source.
fn gathered(
    records: &[&Record],
    mut newest_of: impl FnMut(&Record) -> Result<Newest, String>,
    cancel: &Cancel,
) -> Answers {
    let mut answers = Answers::default();
    for record in records.iter().copied() {
        let newest = newest_of(record);
        if cancel.is() && newest.is_err() {
            // It says nothing about the source.
            return answers;
        }
        let trouble = newest.as_ref().err().cloned();
        let before = answers.1.insert(record.followed(), Asked { at: clock::now(), trouble: trouble.clone() });
        if let (Some(Asked { trouble: Some(before), .. }), None) = (before, trouble) {
            // Of several skills, one had trouble.
            answers.1.insert(record.followed(), Asked { at: clock::now(), trouble: Some(before) });
        }
        if let Ok(newest) = newest {
            answers.0.push(Record { newest: Some(newest), ..record.clone() });
        }
    }
    answers
}

/// What was found out about a repository: skills that came together are asked about together.
#[derive(Default)]
struct Seen {
    /// By their commits.
    opened: BTreeMap<String, Opened>,
    /// What is odd about the way from one commit to another.
    ways: BTreeMap<(String, String), Vec<String>>,
}

fn newest_of(
    from: &Repositories,
    (record, all): (&Record, &[&Record]),
    tips: &Tips,
    seen: &mut Seen,
    cancel: &Cancel,
) -> Result<Newest, String> {
    let told = |error: FetchError| error.to_string();
    let tip = from.tip_of(&record.address, tips, record.follows.as_deref()).map_err(told)?;
    let at = clock::now();
    // What a commit holds does not change, and after going back it is news again.
    if let Some(known) = record.newest.as_ref().filter(|known| known.commit == tip.commit) {
        return Ok(Newest { at, ..known.clone() });
    }
    if tip.commit == record.now.commit {
        return Ok(Newest { at, commit: tip.commit, digest: digest(&record.now.came), notes: Vec::new() });
    }
    let opened = match seen.opened.entry(tip.commit.clone()) {
        Entry::Occupied(opened) => opened.into_mut(),
        Entry::Vacant(place) => {
            let mut opened = Opened::at(from, record, &tip, cancel).map_err(|error| error.message)?;
            opened.read_ahead(all.iter().copied(), cancel);
            place.insert(opened)
        }
    };
    let files = opened.inside(&record.inside).one_skill(cancel).map_err(|error| error.message)?;
    let Held::Commit(new) = &opened.held else { return Err(format!("{} is no repository.", record.address)) };
    let commit = new.id().to_owned();
    let came = locked(&files);
    let way = (record.now.commit.clone(), commit.clone());
    let notes = match seen.ways.get(&way) {
        _ if came == record.now.came => Vec::new(),
        Some(notes) => notes.clone(),
        None => {
            let found = notes(from, record, &tip, new, cancel);
            seen.ways.entry(way).or_insert(found).clone()
        }
    };
    Ok(Newest { at, commit, digest: digest(&came), notes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_due_a_day_after_it_was_asked_whether_it_answered_or_not() {
        let record = |at| Record { newest: Some(Newest { at, ..Newest::default() }), ..Record::default() };
        let none = BTreeMap::new();
        assert!(!is_due([].iter(), &none, 10 * DAY));
        assert!(is_due([Record::default()].iter(), &none, 10 * DAY), "never asked");
        assert!(is_due([record(9 * DAY)].iter(), &none, 10 * DAY));
        assert!(!is_due([record(9 * DAY + 1)].iter(), &none, 10 * DAY));
        let silent = BTreeMap::from([(
            record(0).followed(),
            Asked { at: 9 * DAY + 1, trouble: Some("It is away.".to_owned()) },
        )]);
        assert!(!is_due([record(0)].iter(), &silent, 10 * DAY));
    }
}
