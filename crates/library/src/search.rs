//! Finds skills by what a person types: names first, then descriptions, tags and bodies.
//!
//! The index is built at the first search, so an engine without searches has none. Afterwards it follows the
//! catalog: only changed skills are indexed again. For a single search ([`once`]) it keeps only the typed words
//! of the bodies: keeping all words takes seconds with ten thousand skills, checking them takes less than one.
//! It holds words, not texts; the lines around a hit (`snippet`) are read from the disk for the few skills
//! that are shown.

mod find;
mod fold;
mod index;
mod snippet;

use std::{
    collections::{HashMap, HashSet},
    num::NonZero,
    path::PathBuf,
    sync::Arc,
    thread,
};

use api::{FoundIn, Hit};
use files::confined;
use skills::{Catalog, Entry};

use self::index::Index;
use crate::library::{LARGEST, Root};

/// How many of the best hits get a snippet; each snippet costs one file read.
const SHOWN_CLOSELY: usize = 64;

/// With fewer new skills than this, a thread does not pay.
const WORTH_A_THREAD: usize = 64;

/// The index and the skills in it.
#[derive(Debug, Default)]
pub struct Search {
    index: Index,
    /// The entry for each skill number of the index; `None` for one that changed or went.
    entries: Vec<Option<Arc<Entry>>>,
    numbers: HashMap<String, u32>,
    /// The catalog that the index was built from.
    catalog: Option<Arc<Catalog>>,
    roots: Arc<Vec<Root>>,
    /// The only words that will be searched for.
    wanted: Option<Vec<String>>,
}

/// The best hits in this catalog for what was typed, from an index that is built for this search and dropped.
pub fn once(catalog: &Arc<Catalog>, roots: &Arc<Vec<Root>>, typed: &str, limit: usize) -> Vec<Hit> {
    let mut search = Search { wanted: Some(fold::words(typed)), ..Search::default() };
    search.follow(catalog, roots);
    search.find(typed, limit)
}

impl Search {
    /// Updates the index to this catalog.
    pub fn follow(&mut self, catalog: &Arc<Catalog>, roots: &Arc<Vec<Root>>) {
        if self.catalog.as_ref().is_some_and(|known| Arc::ptr_eq(known, catalog)) {
            return;
        }
        self.roots = Arc::clone(roots);
        if self.entries.len() > 2 * catalog.entries().len().max(WORTH_A_THREAD) {
            // More than half of the entries are stale.
            *self = Self { roots: Arc::clone(roots), ..Self::default() };
        }
        let mut unknown = Vec::new();
        let mut present = HashSet::new();
        for entry in catalog.entries() {
            let key = entry.key();
            match self.numbers.get(&key).map(|&number| &mut self.entries[number as usize]) {
                Some(Some(known)) if Arc::ptr_eq(&known.skill, &entry.skill) => *known = Arc::clone(entry),
                _ => unknown.push(Arc::clone(entry)),
            }
            present.insert(key);
        }
        let changed: HashSet<_> = unknown.iter().map(|entry| entry.key()).collect();
        for (_, gone) in self.numbers.extract_if(|key, _| !present.contains(key) || changed.contains(key)) {
            self.entries[gone as usize] = None;
        }
        self.take_in(unknown);
        self.catalog = Some(Arc::clone(catalog));
    }

    /// The best hits for what was typed; every word of it must be in the skill.
    pub fn find(&self, typed: &str, limit: usize) -> Vec<Hit> {
        let words = fold::words(typed);
        let finds = find::find(&self.index, &words, &self.entries, limit);
        let hit = |(at, (entry, found_in)): (usize, (&Entry, FoundIn))| {
            let closely = found_in == FoundIn::Body && at < SHOWN_CLOSELY;
            let snippet = closely.then(|| snippet::around(&self.body(entry), &words)).flatten();
            Hit { key: entry.key(), found_in, snippet }
        };
        finds.into_iter().enumerate().map(hit).collect()
    }

    fn take_in(&mut self, entries: Vec<Arc<Entry>>) {
        let first = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        for (number, entry) in (first..).zip(&entries) {
            self.numbers.insert(entry.key(), number);
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = if entries.len() < WORTH_A_THREAD { entries.len() } else { entries.len().div_ceil(threads) };
        let numbered: Vec<_> = (first..).zip(&entries).collect();
        let this = &*self;
        let parts: Vec<_> = thread::scope(|scope| {
            let read = |part: &[(u32, &Arc<Entry>)]| {
                let mut index = Index::of_words(this.wanted.as_deref());
                for (number, entry) in part {
                    index.add(*number, entry, &this.body(entry));
                }
                index
            };
            let workers: Vec<_> = numbered.chunks(share.max(1)).map(|part| scope.spawn(move || read(part))).collect();
            workers.into_iter().map(|worker| worker.join().expect("reading words does not panic")).collect()
        });
        for part in parts {
            self.index.append(part);
        }
        self.entries.extend(entries.into_iter().map(Some));
    }

    /// The body of a skill as it is on the disk now; empty when it cannot be read.
    fn body(&self, entry: &Entry) -> String {
        let root = self.roots.iter().find(|root| root.id == entry.folder).map(|root| root.path.clone());
        let root: PathBuf = root.unwrap_or_else(|| entry.location.clone());
        let mut bytes = confined::read_skill_md(&root, &entry.location, LARGEST).unwrap_or_default();
        bytes.drain(..entry.skill.body.start.min(bytes.len()));
        String::from_utf8(bytes).unwrap_or_else(|other| String::from_utf8_lossy(other.as_bytes()).into_owned())
    }
}
