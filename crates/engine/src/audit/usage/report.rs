//! What was used, added up for a person, and what follows from it. Pure: reading the counts, and finding out what clients
//! load by themselves, is left to the action.

use std::collections::{BTreeMap, BTreeSet};

use api::{ServerUsage, SkillUsage, UsageReport, UsageVerdict, Used};
use mcp::about_line_tokens;
use skills::{Catalog, Entry, SkillPath};
use state::usage::{Counts, Lists};

use super::day;

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// Fewer failures say nothing, and so does a smaller share of the calls: one in so many.
const FAILURES: u64 = 3;
const ONE_IN: u64 = 4;

/// Lines that cost fewer tokens are not worth a word, nor those that cost less than so many times what was loaded.
const COSTLY: u64 = 2_000;
const TIMES: u64 = 10;

/// What is known besides the counts.
pub(crate) struct Seen<'s> {
    /// The library.
    pub(crate) catalog: &'s Catalog,
    /// The skills that clients get twice, by id.
    pub(crate) twice: Vec<(String, UsageVerdict)>,
    /// The first day of which anything is counted.
    pub(crate) since: Option<u32>,
    /// Today.
    pub(crate) today: u32,
}

/// What was used in the last `days` days; `counts` hold no others.
pub(crate) fn report(counts: &Counts, days: u32, seen: &Seen<'_>) -> UsageReport {
    let from = first_of(seen.today, days);
    let mut ids: BTreeSet<&str> = seen.catalog.served().map(|entry| entry.skill.id.as_str()).collect();
    ids.extend(counts.skills.keys().map(|(_, id, _)| id.as_str()));
    ids.extend(counts.lists.keys().map(|(_, id)| id.as_str()));
    let mut used: BTreeMap<&str, Vec<Used>> = BTreeMap::new();
    let (mut last, mut date) = (None, String::new());
    for ((on, id, client), loads) in &counts.skills {
        // They are sorted by day, and a year has many rows.
        if last.replace(*on) != Some(*on) {
            date = day::date(*on);
        }
        let (day, client) = (date.clone(), client.clone());
        let row = Used { day, client, calls: loads.calls, failed: loads.failed, cost: loads.tokens };
        used.entry(id).or_default().push(row);
    }
    let mut lists: BTreeMap<&str, Lists> = BTreeMap::new();
    for ((_, id), more) in &counts.lists {
        lists.entry(id).or_default().add(*more);
    }
    let mut skills: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let (used, lists) = (used.remove(id).unwrap_or_default(), lists.get(id).copied().unwrap_or_default());
            let mut skill = skill(id, find(seen.catalog, id), used, lists);
            skill.verdicts = verdicts(&skill, from, seen);
            skill
        })
        .collect();
    skills.sort_by(|a, b| (b.calls, b.listed, &a.id).cmp(&(a.calls, a.listed, &b.id)));
    UsageReport {
        days,
        from: day::date(from),
        to: day::date(seen.today),
        since: seen.since.map(day::date),
        skills,
        servers: servers(counts),
    }
}

/// The first of the last `days` days.
pub(crate) fn first_of(today: u32, days: u32) -> u32 {
    today.saturating_sub(days.saturating_sub(1))
}

/// The counts as lines with commas.
pub(crate) fn csv(counts: &Counts) -> String {
    let mut lines = BTreeMap::new();
    for ((on, id, client), loads) in &counts.skills {
        let numbers = [loads.calls, loads.failed, loads.tokens, 0, 0];
        lines.insert((*on, "skill", id.as_str(), client.as_str()), numbers);
    }
    for ((on, id), lists) in &counts.lists {
        lines.insert((*on, "list", id.as_str(), ""), [lists.times, 0, 0, lists.tokens, 0]);
    }
    for ((on, server, client), calls) in &counts.servers {
        let numbers = [calls.calls, calls.failed, 0, 0, calls.ms];
        lines.insert((*on, "server", server.as_str(), client.as_str()), numbers);
    }
    let mut text = format!("{CSV}\n");
    for ((on, kind, name, client), numbers) in lines {
        let numbers = numbers.map(|number| number.to_string()).join(",");
        text += &format!("{},{kind},{},{},{numbers}\n", day::date(on), cell(name), cell(client));
    }
    text
}

/// The first line of the table.
pub(crate) const CSV: &str = "day,kind,name,client,calls,failed,tokens_loaded,tokens_listed,milliseconds";

/// A text as one cell, which no table program takes for a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// The skill of this id that counts are shown for: the served one, or else the first.
fn find<'c>(catalog: &'c Catalog, id: &str) -> Option<&'c Entry> {
    let served = catalog.get(id).map(|entry| &**entry);
    served.or_else(|| catalog.entries().iter().find(|entry| entry.skill.id == id).map(|entry| &**entry))
}

fn skill(id: &str, entry: Option<&Entry>, used: Vec<Used>, lists: Lists) -> SkillUsage {
    let sum = |of: fn(&Used) -> u64| used.iter().map(of).sum();
    let line = entry.filter(|entry| entry.skill.for_models()).map_or(0, |entry| about_line_tokens(&entry.skill));
    SkillUsage {
        id: id.to_owned(),
        key: entry.map(Entry::key),
        name: entry.map_or(id, |entry| &entry.skill.name).to_owned(),
        enabled: entry.is_some_and(Entry::served),
        calls: sum(|used| used.calls),
        failed: sum(|used| used.failed),
        loaded: sum(|used| used.cost),
        lists: lists.times,
        listed: lists.tokens,
        line: u32::try_from(line).unwrap_or(u32::MAX),
        last: used.last().map(|used| used.day.clone()),
        verdicts: Vec::new(),
        used,
    }
}

fn verdicts(skill: &SkillUsage, from: u32, seen: &Seen<'_>) -> Vec<UsageVerdict> {
    let twice = seen.twice.iter().filter(|(id, _)| *id == skill.id).map(|(_, verdict)| verdict.clone());
    let mut verdicts: Vec<_> = twice.collect();
    if skill.failed >= FAILURES && skill.failed.saturating_mul(ONE_IN) >= skill.calls && !skill.id.is_empty() {
        verdicts.push(UsageVerdict::OftenFails);
    }
    if !skill.enabled {
        return verdicts;
    }
    if skill.calls == 0 {
        let changed = find(seen.catalog, &skill.id).and_then(|entry| entry.file(&SkillPath::skill_md()));
        let is_older = changed.is_some_and(|file| file.modified < u64::from(from) * DAY);
        if is_older && seen.since.is_some_and(|since| since <= from) {
            verdicts.push(UsageVerdict::NeverUsed);
        }
    } else if skill.listed >= COSTLY && skill.listed > skill.loaded.saturating_mul(TIMES) {
        verdicts.push(UsageVerdict::CostsMore);
    }
    verdicts
}

fn servers(counts: &Counts) -> Vec<ServerUsage> {
    let mut servers: BTreeMap<&str, ServerUsage> = BTreeMap::new();
    for ((on, name, client), calls) in &counts.servers {
        let server = servers.entry(name).or_insert_with(|| ServerUsage {
            name: name.clone(),
            calls: 0,
            failed: 0,
            ms: 0,
            used: Vec::new(),
        });
        server.calls += calls.calls;
        server.failed += calls.failed;
        server.ms += calls.ms;
        let (day, client) = (day::date(*on), client.clone());
        server.used.push(Used { day, client, calls: calls.calls, failed: calls.failed, cost: calls.ms });
    }
    let mut servers: Vec<_> = servers.into_values().collect();
    servers.sort_by(|a, b| (b.calls, &a.name).cmp(&(a.calls, &b.name)));
    servers
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use state::usage::{Calls, Loads};

    use super::*;

    const TODAY: u32 = 20_781; // 2026-11-24

    fn entry(id: &str, enabled: bool) -> Entry {
        let text = format!("---\nname: {id}\ndescription: Makes {id}.\n---\nBoil.\n");
        Entry {
            skill: Arc::new(skills::read(id, text.as_bytes())),
            folder: "f1".to_owned(),
            path: id.to_owned(),
            location: id.into(),
            files: Arc::from([skills::File { path: SkillPath::skill_md(), size: 60, modified: 0 }]),
            digest: String::new(),
            enabled,
            shadowed_by: None,
        }
    }

    fn loads(counts: &mut Counts, id: &str, (day, client): (u32, &str), (calls, failed, tokens): (u64, u64, u64)) {
        counts.skills.insert((day, id.to_owned(), client.to_owned()), Loads { calls, failed, tokens });
    }

    fn reported(counts: &Counts, since: u32, twice: Vec<(String, UsageVerdict)>) -> UsageReport {
        let entries = vec![entry("cake", true), entry("milk", true), entry("old", false), entry("tea", true)];
        let catalog = Catalog::new(entries, &["f1".to_owned()]);
        report(counts, 30, &Seen { catalog: &catalog, twice, since: Some(since), today: TODAY })
    }

    fn kinds(report: &UsageReport) -> Vec<(&str, &[UsageVerdict])> {
        report.skills.iter().map(|skill| (skill.id.as_str(), &*skill.verdicts)).collect()
    }

    #[test]
    fn skills_are_added_up_over_days_and_clients_the_most_used_first() {
        let mut counts = Counts::default();
        loads(&mut counts, "milk", (TODAY - 3, "codex"), (2, 1, 10));
        loads(&mut counts, "milk", (TODAY, "cursor"), (1, 0, 5));
        loads(&mut counts, "old", (TODAY - 9, "codex"), (5, 0, 50));
        loads(&mut counts, "gone", (TODAY - 9, "codex"), (1, 0, 7));
        counts.lists.insert((TODAY, "tea".to_owned()), Lists { times: 4, tokens: 80 });
        let report = reported(&counts, TODAY - 10, Vec::new());
        let rows: Vec<_> = report.skills.iter().map(|skill| (skill.id.as_str(), skill.calls, skill.enabled)).collect();
        let expected = [("old", 5, false), ("milk", 3, true), ("gone", 1, false), ("tea", 0, true), ("cake", 0, true)];
        assert_eq!(rows, expected);
        let milk = &report.skills[1];
        assert_eq!((milk.failed, milk.loaded, milk.last.as_deref()), (1, 15, Some("2026-11-24")));
        assert_eq!((milk.key.as_deref(), milk.used.len(), milk.line > 0), (Some("f1/milk"), 2, true));
        assert_eq!((report.skills[3].lists, report.skills[3].listed), (4, 80));
        assert_eq!(
            (&*report.from, &*report.to, report.since.as_deref()),
            ("2026-10-26", "2026-11-24", Some("2026-11-14"))
        );
        assert_eq!(report.skills[2].key, None);
    }

    #[test]
    fn only_a_skill_that_was_on_and_counted_all_the_time_was_never_used() {
        let mut counts = Counts::default();
        loads(&mut counts, "milk", (TODAY, "codex"), (1, 0, 5));
        let never = vec![UsageVerdict::NeverUsed];
        let report = reported(&counts, TODAY - 29, Vec::new());
        assert_eq!(kinds(&report), [("milk", &[][..]), ("cake", &*never), ("tea", &*never)]);
        let early = reported(&counts, TODAY - 28, Vec::new());
        assert!(kinds(&early).iter().all(|(_, verdicts)| verdicts.is_empty()), "a day is missing");
    }

    #[test]
    fn what_fails_often_costs_more_than_it_gives_or_is_there_twice_is_said() {
        let mut counts = Counts::default();
        loads(&mut counts, "cake", (TODAY, "codex"), (12, 3, 900));
        loads(&mut counts, "milk", (TODAY, "codex"), (13, 3, 100));
        loads(&mut counts, "tea", (TODAY, "codex"), (1, 0, 200));
        counts.lists.insert((TODAY, "milk".to_owned()), Lists { times: 9, tokens: 1_999 });
        counts.lists.insert((TODAY, "tea".to_owned()), Lists { times: 90, tokens: 2_001 });
        let twice = UsageVerdict::LoadedTwice {
            client: "codex".to_owned(),
            name: "Codex".to_owned(),
            path: "/home/mei/.codex/skills".to_owned(),
            place: "~/.codex/skills".to_owned(),
            ours: true,
        };
        let report = reported(&counts, TODAY, vec![("tea".to_owned(), twice.clone())]);
        let expected: [(&str, &[UsageVerdict]); 3] =
            [("milk", &[]), ("cake", &[UsageVerdict::OftenFails]), ("tea", &[twice, UsageVerdict::CostsMore])];
        assert_eq!(kinds(&report), expected);
    }

    #[test]
    fn servers_are_added_up_too() {
        let mut counts = Counts::default();
        for (name, client, calls) in [("stock", "codex", 2), ("stock", "cursor", 3), ("mail", "codex", 9)] {
            counts.servers.insert((TODAY, name.to_owned(), client.to_owned()), Calls { calls, failed: 1, ms: 100 });
        }
        let report = reported(&counts, TODAY, Vec::new());
        let rows: Vec<_> = report.servers.iter().map(|one| (&*one.name, one.calls, one.failed, one.ms)).collect();
        assert_eq!(rows, [("mail", 9, 1, 100), ("stock", 5, 2, 200)]);
    }

    #[test]
    fn the_table_has_a_line_for_each_count_and_no_formula() {
        let mut counts = Counts::default();
        loads(&mut counts, "=1+1, \"x\"", (TODAY, "codex"), (2, 1, 10));
        counts.lists.insert((TODAY, "tea".to_owned()), Lists { times: 4, tokens: 80 });
        counts.servers.insert((TODAY, "stock".to_owned(), "codex".to_owned()), Calls { calls: 1, failed: 0, ms: 9 });
        assert_eq!(
            csv(&counts),
            format!(
                "{CSV}\n2026-11-24,list,tea,,4,0,0,80,0\n2026-11-24,server,stock,codex,1,0,0,0,9\n2026-11-24,skill,\"'=1+1, \"\"x\"\"\",codex,2,1,10,0,0\n"
            )
        );
    }
}
