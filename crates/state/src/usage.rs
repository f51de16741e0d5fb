//! What clients' calls use of skills and servers, counted at the call: how often, with what outcome, and about how many
//! tokens of a model's window. A skill is counted by its id once the client's catalogue knows it, a server by its name;
//! nothing that a client wrote is kept.
//!
//! The counts wait here until they are taken. Saving them, and adding them up for a person, is left to the engine.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock},
    time::Duration,
};

use machine::{clock, waiting::Mutex};
use mcp::about_line_tokens;
use skills::{Catalog, Entry, SkillPath, Target, address};

/// Milliseconds of a day, which begins at midnight UTC.
const DAY: u64 = 86_400_000;

/// How many lists may wait as whole catalogues; further ones are counted skill by skill at once.
const MOST_LISTS: usize = 64;

/// The most skills of a list that arrives as one page; the pages of a longer one cannot be told apart.
const ONE_PAGE: usize = 200;

/// Counts by the day since 1970, the id of the skill or the name of the server, and the client's id. An empty name
/// counts what does not fit into the file one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls that asked for a skill.
    pub skills: BTreeMap<(u32, String, String), Loads>,
    /// What lists said of a skill, for all clients.
    pub lists: BTreeMap<(u32, String), Lists>,
    /// Calls that a server got.
    pub servers: BTreeMap<(u32, String, String), Calls>,
}

/// Calls for a skill.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loads {
    /// How many.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// About how many tokens the others put into a model's window.
    pub tokens: u64,
}

/// Lists that named a skill.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lists {
    /// How many.
    pub times: u64,
    /// About how many tokens its lines took.
    pub tokens: u64,
}

/// Calls of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Calls {
    /// How many.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How long they took together, in milliseconds.
    pub ms: u64,
}

impl Loads {
    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.failed = self.failed.saturating_add(other.failed);
        self.tokens = self.tokens.saturating_add(other.tokens);
    }
}

impl Lists {
    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.times = self.times.saturating_add(other.times);
        self.tokens = self.tokens.saturating_add(other.tokens);
    }
}

impl Calls {
    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.failed = self.failed.saturating_add(other.failed);
        self.ms = self.ms.saturating_add(other.ms);
    }
}

impl Counts {
    /// Whether nothing is counted.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty() && self.lists.is_empty() && self.servers.is_empty()
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: Self) {
        for (key, loads) in other.skills {
            self.skills.entry(key).or_default().add(loads);
        }
        for (key, lists) in other.lists {
            self.lists.entry(key).or_default().add(lists);
        }
        for (key, calls) in other.servers {
            self.servers.entry(key).or_default().add(calls);
        }
    }
}

/// Counts that nobody took yet. Nothing is counted before somebody wants them.
#[derive(Default)]
pub struct Tally {
    waiting: Mutex<Waiting>,
    wake: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

#[derive(Default)]
struct Waiting {
    counts: Counts,
    /// Lists that were read: the day, the catalogue, and how often. Their lines are weighed later, and not at the call.
    lists: Vec<(u32, Arc<Catalog>, u64)>,
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tally").finish_non_exhaustive()
    }
}

impl Tally {
    /// Begins to count. `wake` is called with the first count after each [`Tally::take`], and must not wait.
    pub fn start(&self, wake: impl Fn() + Send + Sync + 'static) {
        // A second one would have nothing to take.
        drop(self.wake.set(Box::new(wake)));
    }

    /// Counts one call of a client that sees this catalogue. `skill` is the one that `get_skill` was called for.
    pub(crate) fn called(&self, catalog: &Arc<Catalog>, client: &str, call: (&str, &str, Option<&str>), ok: bool) {
        if self.wake.get().is_none() {
            return;
        }
        match About::of(catalog, call) {
            Some(About::List) if ok => self.count(|waiting| waiting.list(today(), catalog)),
            Some(About::Skill(entry, bytes)) => {
                let tokens = if ok { bytes.div_ceil(4) } else { 0 };
                let loads = Loads { calls: 1, failed: (!ok).into(), tokens };
                let key = (today(), entry.skill.id.clone(), client.to_owned());
                self.count(|waiting| waiting.counts.skills.entry(key).or_default().add(loads));
            }
            Some(About::List) | None => {}
        }
    }

    /// Counts one call that went to a server.
    pub(crate) fn asked(&self, server: &str, client: &str, ok: bool, took: Duration) {
        if self.wake.get().is_none() {
            return;
        }
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let calls = Calls { calls: 1, failed: (!ok).into(), ms };
        let key = (today(), server.to_owned(), client.to_owned());
        self.count(|waiting| waiting.counts.servers.entry(key).or_default().add(calls));
    }

    fn count(&self, add: impl FnOnce(&mut Waiting)) {
        let mut waiting = self.waiting.lock();
        let first = waiting.lists.is_empty() && waiting.counts.is_empty();
        add(&mut waiting);
        drop(waiting);
        if first && let Some(wake) = self.wake.get() {
            wake();
        }
    }

    /// Takes the counts out.
    pub fn take(&self) -> Counts {
        let Waiting { mut counts, lists } = std::mem::take(&mut *self.waiting.lock());
        for list in lists {
            weigh(&mut counts, list);
        }
        counts
    }

    /// Puts back what could not be saved.
    pub fn give_back(&self, counts: Counts) {
        self.waiting.lock().counts.add(counts);
    }

    /// The counts that nobody took yet.
    pub fn peek(&self) -> Counts {
        let waiting = self.waiting.lock();
        let (mut counts, lists) = (waiting.counts.clone(), waiting.lists.clone());
        drop(waiting);
        for list in lists {
            weigh(&mut counts, list);
        }
        counts
    }
}

impl Waiting {
    fn list(&mut self, day: u32, catalog: &Arc<Catalog>) {
        if let Some((.., times)) = self.lists.iter_mut().find(|(on, list, _)| *on == day && Arc::ptr_eq(list, catalog))
        {
            *times = times.saturating_add(1);
        } else if self.lists.len() < MOST_LISTS {
            self.lists.push((day, Arc::clone(catalog), 1));
        } else {
            weigh(&mut self.counts, (day, Arc::clone(catalog), 1));
        }
    }
}

/// What a call is about, as far as it is counted.
enum About<'c> {
    /// The list of skills.
    List,
    /// A skill, and how many bytes of it were asked for.
    Skill(&'c Entry, u64),
}

impl<'c> About<'c> {
    fn of(catalog: &'c Catalog, (method, target, skill): (&str, &str, Option<&str>)) -> Option<Self> {
        let text = |entry: &'c Entry| Self::Skill(entry, entry.skill.body.len() as u64);
        let file =
            |entry: &'c Entry, path: &SkillPath| Self::Skill(entry, entry.file(path).map_or(0, |file| file.size));
        match method {
            "tools/call" if target == "list_skills" => Some(Self::List),
            "tools/call" => skill.and_then(|id| catalog.get(id)).map(|entry| text(entry)),
            "prompts/get" => catalog.get(target).filter(|entry| entry.skill.for_people()).map(|entry| text(entry)),
            "skills/list" => (catalog.served().count() <= ONE_PAGE).then_some(Self::List),
            "resources/read" => match address::resolve(catalog, target)? {
                Target::SkillIndex | Target::Catalog => Some(Self::List),
                Target::File(entry, path) if path == SkillPath::skill_md() => Some(text(entry)),
                Target::File(entry, path) | Target::DocsFile(entry, path) => Some(file(entry, &path)),
                Target::Document(entry) => Some(text(entry)),
                Target::Reference(entry, _, reference) => Some(file(entry, &reference.path)),
                Target::Archive(entry) => Some(Self::Skill(entry, entry.files.iter().map(|file| file.size).sum())),
                Target::Folder(..) | Target::Record(_) | Target::DocsIndex | Target::DocsUsage => None,
            },
            _ => None,
        }
    }
}

/// Counts the line of each skill that models are told of.
fn weigh(counts: &mut Counts, (day, catalog, times): (u32, Arc<Catalog>, u64)) {
    for entry in catalog.served().filter(|entry| entry.skill.for_models()) {
        let tokens = times.saturating_mul(about_line_tokens(&entry.skill) as u64);
        counts.lists.entry((day, entry.skill.id.clone())).or_default().add(Lists { times, tokens });
    }
}

/// The day since 1970.
fn today() -> u32 {
    u32::try_from(clock::now() / DAY).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn entry(id: &str, more: &str) -> Entry {
        let text = format!("---\nname: {id}\ndescription: Makes {id}.\n{more}---\nBoil the {id}.\n");
        Entry {
            skill: Arc::new(skills::read(id, text.as_bytes())),
            folder: "f1".to_owned(),
            path: id.to_owned(),
            location: id.into(),
            files: Arc::from([skills::File { path: SkillPath::skill_md(), size: text.len() as u64, modified: 0 }]),
            digest: String::new(),
            enabled: true,
            shadowed_by: None,
        }
    }

    fn catalog() -> Arc<Catalog> {
        let entries = vec![entry("milk", "disable-model-invocation: true\n"), entry("tea", "")];
        Arc::new(Catalog::new(entries, &["f1".to_owned()]))
    }

    fn counting() -> Tally {
        let tally = Tally::default();
        tally.start(|| ());
        tally
    }

    /// The skills of these counts with their calls, failures and tokens.
    fn loads(counts: &Counts) -> Vec<(&str, &str, [u64; 3])> {
        counts
            .skills
            .iter()
            .map(|((_, skill, client), loads)| {
                (skill.as_str(), client.as_str(), [loads.calls, loads.failed, loads.tokens])
            })
            .collect()
    }

    #[test]
    fn each_way_to_read_a_skill_counts_for_it() {
        let (tally, catalog) = (counting(), catalog());
        let calls = [
            ("tools/call", "get_skill", Some("tea")),
            ("prompts/get", "tea", None),
            ("resources/read", "skill://tea/SKILL.md", None),
            ("resources/read", "resource://skills/tea/document", None),
        ];
        for call in calls {
            tally.called(&catalog, "codex", call, true);
        }
        tally.called(&catalog, "cursor", calls[0], false);
        let body = (catalog.get("tea").unwrap().skill.body.len() as u64).div_ceil(4);
        assert_eq!(
            loads(&tally.take()),
            [("tea", "codex", [4, 0, 4 * body]), ("tea", "cursor", [1, 1, 0])],
            "what failed loads nothing"
        );
        assert!(tally.take().is_empty(), "they are taken once");
    }

    #[test]
    fn a_list_counts_the_line_of_each_skill_that_models_are_told_of() {
        let (tally, catalog) = (counting(), catalog());
        for call in [("tools/call", "list_skills"), ("skills/list", ""), ("resources/read", "skill://index.json")] {
            tally.called(&catalog, "codex", (call.0, call.1, None), true);
        }
        tally.called(&catalog, "codex", ("tools/call", "list_skills", None), false);
        let line = about_line_tokens(&catalog.get("tea").unwrap().skill) as u64;
        let counts = tally.take();
        let lists: Vec<_> = counts.lists.iter().map(|((_, skill), lists)| (skill.as_str(), *lists)).collect();
        assert_eq!(lists, [("tea", Lists { times: 3, tokens: 3 * line })]);
        assert!(counts.skills.is_empty());
    }

    #[test]
    fn what_no_skill_answers_to_is_not_counted_whatever_it_says() {
        let (tally, catalog) = (counting(), catalog());
        for (method, target) in [
            ("tools/call", "stock__count"),
            ("prompts/get", "my private words"),
            ("resources/read", "skill://my/private/words"),
            ("resources/read", "file:///my/private/words"),
            ("completion/complete", "tea"),
        ] {
            tally.called(&catalog, "codex", (method, target, None), true);
        }
        assert!(tally.take().is_empty());
    }

    #[test]
    fn the_taker_is_woken_once_for_all_that_waits() {
        let woken = Arc::new(AtomicU32::new(0));
        let (tally, by) = (Tally::default(), Arc::clone(&woken));
        let ask = |tally: &Tally| tally.asked("stock", "codex", true, Duration::from_millis(5));
        ask(&tally);
        assert!(tally.peek().is_empty(), "nobody wants it yet");
        tally.start(move || {
            by.fetch_add(1, Ordering::Relaxed);
        });
        ask(&tally);
        ask(&tally);
        tally.called(&catalog(), "codex", ("tools/call", "list_skills", None), true);
        assert_eq!(woken.load(Ordering::Relaxed), 1);
        let counts = tally.take();
        assert_eq!(*counts.servers.values().next().unwrap(), Calls { calls: 2, failed: 0, ms: 10 });
        ask(&tally);
        assert_eq!(woken.load(Ordering::Relaxed), 2);
        tally.give_back(counts);
        assert_eq!(tally.peek().servers.values().map(|calls| calls.calls).sum::<u64>(), 3);
    }

    #[test]
    fn many_catalogues_in_a_row_are_counted_without_being_kept() {
        let tally = counting();
        for _ in 0..3 * MOST_LISTS {
            tally.called(&catalog(), "codex", ("tools/call", "list_skills", None), true);
        }
        assert!(tally.waiting.lock().lists.len() <= MOST_LISTS);
        assert_eq!(tally.take().lists.values().map(|lists| lists.times).sum::<u64>(), 3 * MOST_LISTS as u64);
    }
}
