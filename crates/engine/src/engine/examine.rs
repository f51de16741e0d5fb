//! Checks the content of every skill in the background, in an engine that keeps the choices: the body, links and files
//! take too long for the first list. Results are kept until the skill or one of its files changes.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use api::ProblemCounts;
use files::confined;
use library::LARGEST;
use skills::{Entry, Severity};
use state::{Content, Examined};
use tokio::sync::watch;

use crate::{engine::Engine, pages};

/// The delay after a change, to wait for further changes; interactive work goes first.
const PAUSE: Duration = Duration::from_millis(500);
/// The length of a work period, and of the rest after it.
const STINT: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(60);
/// How often intermediate results are shown.
const SHOWN: Duration = Duration::from_secs(1);

impl Engine {
    /// Starts the background checks, which run as long as the engine exists.
    pub(super) fn examine(&self) {
        let (weak, mut news) = (Arc::downgrade(&self.inner), self.state().news());
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

    /// Checks the skills without results, until none is left or something changes.
    async fn examine_all(self, mut examined: Examined, news: &watch::Receiver<u64>) -> Examined {
        let catalog = self.state().catalog();
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
                self.state().change_soon(move |state| state.examined = now);
            }
            tokio::time::sleep(REST).await;
        }
        examined
    }

    fn content_problems(&self, entry: &Entry) -> ProblemCounts {
        let roots = self.state().roots();
        let root = roots.iter().find(|root| root.id == entry.folder).map_or(&entry.location, |root| &root.path);
        let bytes = confined::read_skill_md(root, &entry.location, LARGEST).unwrap_or_default();
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
