//! Looking at the content of every skill in the background, in an engine that keeps the choices: its
//! body, its links and its files take longer than the first list may wait. What was found out is
//! remembered until the skill or one of its files is another.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use skills::{Entry, Severity};
use tokio::sync::watch;

use crate::{beneath, engine::Engine, library::LARGEST, pages, view::ProblemCounts};

/// After a change we wait for more of them; what a person waits for goes first.
const PAUSE: Duration = Duration::from_millis(500);
/// So long we look at a time, and so long we rest afterwards.
const STINT: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(60);
/// How often what was found out so far is shown.
const SHOWN: Duration = Duration::from_secs(1);

/// How many problems of each severity stand in the content of each skill, by its key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Examined(HashMap<String, Content>);

/// The content of a skill that was looked at.
#[derive(Debug, Clone)]
struct Content {
    entry: Arc<Entry>,
    problems: ProblemCounts,
}

impl Examined {
    /// The problems in the content of a skill, if it is as it was when it was looked at.
    pub(crate) fn problems(&self, entry: &Entry) -> Option<ProblemCounts> {
        let content = self.0.get(&entry.key())?;
        let same = content.entry.digest == entry.digest && content.entry.files == entry.files;
        same.then_some(content.problems)
    }
}

impl Engine {
    /// Begins to look, and goes on as long as the engine is there.
    pub(super) fn examine(&self) {
        let (weak, mut news) = (Arc::downgrade(&self.inner), self.news());
        tokio::spawn(async move {
            let mut examined = Examined::default();
            loop {
                tokio::time::sleep(PAUSE).await;
                news.mark_unchanged();
                let Some(inner) = weak.upgrade() else { return };
                examined = Self { inner }.examine_all(examined, &news).await;
                if news.changed().await.is_err() {
                    return;
                }
            }
        });
    }

    /// Looks at what is not known yet, until all is or something changed again.
    async fn examine_all(self, mut examined: Examined, news: &watch::Receiver<u64>) -> Examined {
        let catalog = self.catalog();
        examined.0.retain(|key, _| catalog.by_key(key).is_some());
        let mut unknown =
            catalog.entries().iter().filter(|entry| examined.problems(entry).is_none()).cloned().collect::<Vec<_>>();
        let mut shown = Instant::now();
        while !unknown.is_empty() && !news.has_changed().unwrap_or(true) {
            let engine = self.clone();
            let look = move || {
                let start = Instant::now();
                let mut found = Vec::new();
                while let Some(entry) = unknown.pop_if(|_| start.elapsed() < STINT) {
                    let problems = engine.content_problems(&entry);
                    found.push((entry.key(), Content { entry, problems }));
                }
                (unknown, found)
            };
            let Ok((left, found)) = tokio::task::spawn_blocking(look).await else { return examined };
            unknown = left;
            examined.0.extend(found);
            if unknown.is_empty() || shown.elapsed() > SHOWN {
                shown = Instant::now();
                let now = Arc::new(examined.clone());
                self.tell(move |state| state.examined = now);
            }
            tokio::time::sleep(REST).await;
        }
        examined
    }

    fn content_problems(&self, entry: &Entry) -> ProblemCounts {
        let roots = self.roots();
        let root = roots.iter().find(|root| root.id == entry.folder).map_or(&entry.location, |root| &root.path);
        let bytes = beneath::read_skill_md(root, &entry.location, LARGEST).unwrap_or_default();
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
