//! Checks the content of every skill in the background, in an engine that keeps the choices: the body, links and files
//! take too long for the first list. Results are kept until the skill or one of its files changes. Of a skill that a
//! folder switches on by itself, only signs of harm cannot wait ([`Engine::scan_new`]).

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use api::ProblemCounts;
use files::confined;
use library::LARGEST;
use skills::{Entry, Severity};
use state::{Content, Examined, Scan, State};
use tokio::sync::watch;

use crate::{
    engine::Engine,
    pages::{self, look::harm},
};

/// The delay after a change, to wait for further changes; interactive work goes first.
const PAUSE: Duration = Duration::from_millis(500);
/// The length of a work period, and of the rest after it.
const STINT: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(60);
/// How often intermediate results are shown.
const SHOWN: Duration = Duration::from_secs(1);

/// What is known already.
#[derive(Default)]
struct Known {
    examined: Examined,
    /// The skills that were scanned for signs of harm, as they were then, by their keys.
    scanned: HashMap<String, Arc<Entry>>,
}

impl Known {
    fn wants_scan(&self, state: &State, entry: &Entry) -> bool {
        let same = |known: &Arc<Entry>| known.digest == entry.digest && known.files == entry.files;
        is_offered(state, entry) && !self.scanned.get(&entry.key()).is_some_and(same)
    }
}

/// Whether signs of harm in a skill are told in the list: it is on, or off only because of them.
fn is_offered(state: &State, entry: &Entry) -> bool {
    let holds = || state.choices.folders.iter().any(|one| one.id == entry.folder && one.held.contains(&entry.path));
    entry.enabled || holds()
}

impl Engine {
    /// Starts the background checks, which run as long as the engine exists.
    pub(super) fn examine(&self) {
        let (weak, mut news) = (Arc::downgrade(&self.inner), self.state().news());
        tokio::spawn(async move {
            let mut known = Known::default();
            loop {
                tokio::time::sleep(PAUSE).await;
                news.mark_unchanged();
                let Some(inner) = weak.upgrade() else { return };
                known = Self { inner }.examine_all(known, &news).await;
                if news.changed().await.is_err() {
                    return;
                }
            }
        });
    }

    /// Checks the skills without results, until none is left or something changes.
    async fn examine_all(self, mut known: Known, news: &watch::Receiver<u64>) -> Known {
        let (catalog, state) = (self.state().catalog(), self.state().now());
        known.examined.0.retain(|key, _| catalog.by_key(key).is_some());
        known.scanned.retain(|key, _| catalog.by_key(key).is_some());
        let is_unknown =
            |entry: &&Arc<Entry>| known.examined.problems(entry).is_none() || known.wants_scan(&state, entry);
        let mut unknown = catalog.entries().iter().filter(is_unknown).cloned().collect::<Vec<_>>();
        // A start examines all of them.
        let _first = (known.examined.0.is_empty() && !unknown.is_empty()).then(|| self.works());
        let mut scans = Vec::new();
        let mut shown = Instant::now();
        while !unknown.is_empty() && !news.has_changed().unwrap_or(true) {
            let (engine, state) = (self.clone(), Arc::clone(&state));
            let look = move || {
                let start = Instant::now();
                let mut found = Vec::new();
                while let Some(entry) = unknown.pop_if(|_| start.elapsed() < STINT) {
                    let problems = engine.content_problems(&entry);
                    let scan = is_offered(&state, &entry).then(|| harm(&engine.root_of(&entry), &entry));
                    let scan = scan.map(|harm| Scan { entry: Arc::clone(&entry), harm });
                    found.push((Content { entry, problems }, scan));
                }
                (unknown, found)
            };
            let Ok((left, found)) = tokio::task::spawn_blocking(look).await else { return known };
            unknown = left;
            for (content, scan) in found {
                known.scanned.extend(scan.iter().map(|scan| (scan.entry.key(), Arc::clone(&scan.entry))));
                known.examined.0.insert(content.entry.key(), content);
                scans.extend(scan);
            }
            if unknown.is_empty() || shown.elapsed() > SHOWN {
                shown = Instant::now();
                let (now, scans) = (Arc::new(known.examined.clone()), std::mem::take(&mut scans));
                self.state().change_soon(move |state| {
                    state.examined = now;
                    state.judge(scans);
                });
            }
            tokio::time::sleep(REST).await;
        }
        if !scans.is_empty() {
            // They hold, also when something else changed meanwhile.
            self.state().change_soon(move |state| state.judge(scans));
        }
        known
    }

    /// The library's folder that a skill is in.
    fn root_of(&self, entry: &Entry) -> PathBuf {
        let roots = self.state().roots();
        let root = roots.iter().find(|root| root.id == entry.folder);
        root.map_or_else(|| entry.location.clone(), |root| root.path.clone())
    }

    fn content_problems(&self, entry: &Entry) -> ProblemCounts {
        let bytes = confined::read_skill_md(&self.root_of(entry), &entry.location, LARGEST).unwrap_or_default();
        let problems = pages::content(&entry.skill, &bytes, entry);
        let of = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
        let count = |severity| u32::try_from(of(severity)).unwrap_or(u32::MAX);
        ProblemCounts {
            error: count(Severity::Error),
            warning: count(Severity::Warning),
            advice: count(Severity::Advice),
        }
    }
}
