//! Circles of skills that depend on themselves through others.
//!
//! The skills of a library and their `depends_on` are a graph; two skills are in one circle when
//! each leads to the other (a strongly connected component, found by Tarjan's algorithm without
//! recursion). Most libraries have none.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Catalog, Entry};

/// The largest circle in which a way is looked for.
const MOST_FOLLOWED: usize = 64;

/// Which skills are in the same circle.
#[derive(Debug, Clone, Default)]
pub(super) struct Circles {
    by_id: HashMap<String, Circle>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Circle {
    /// The number of the circle, the same for all its skills.
    number: usize,
    size: usize,
}

/// How a skill depends on itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way<'c> {
    /// It names itself.
    Itself,
    /// Through these skills, by the shortest way.
    Through(Vec<&'c str>),
    /// In a circle of this many skills, too long to print.
    Long(usize),
}

impl Circles {
    pub(super) fn of(catalog: &Catalog) -> Self {
        let mut search = Search::new(catalog);
        for start in 0..search.leads_to.len() {
            search.from(start);
        }
        Self { by_id: search.by_id }
    }

    /// How `entry` depends on itself through `id`, one of its dependencies.
    pub(super) fn way_back<'c>(&self, catalog: &'c Catalog, entry: &Entry, id: &'c str) -> Option<Way<'c>> {
        let home = entry.skill.id.as_str();
        if id == home {
            return Some(Way::Itself);
        }
        let circle = self.by_id.get(home)?;
        let inside = |id: &str| self.by_id.get(id) == Some(circle);
        if !inside(id) {
            return None;
        }
        if circle.size > MOST_FOLLOWED {
            return Some(Way::Long(circle.size));
        }
        let mut came_from = HashMap::from([(id, None)]);
        let mut open = VecDeque::from([id]);
        while let Some(at) = open.pop_front() {
            for next in catalog.get(at)?.depends_on() {
                if next == home {
                    let mut way: Vec<_> = std::iter::successors(Some(at), |at| came_from[at]).collect();
                    way.reverse();
                    return Some(Way::Through(way));
                }
                if inside(next) && !came_from.contains_key(next.as_str()) {
                    came_from.insert(next, Some(at));
                    open.push_back(next);
                }
            }
        }
        None
    }
}

struct Search<'c> {
    ids: Vec<&'c str>,
    /// The dependencies of each skill, by number.
    leads_to: Vec<Vec<usize>>,
    /// The order in which each skill was first seen.
    seen: Vec<Option<usize>>,
    /// The earliest skill still open that each one leads back to.
    low: Vec<usize>,
    open: Vec<usize>,
    is_open: HashSet<usize>,
    clock: usize,
    by_id: HashMap<String, Circle>,
}

impl<'c> Search<'c> {
    fn new(catalog: &'c Catalog) -> Self {
        let ids: Vec<&str> = catalog
            .served()
            .filter(|entry| !entry.depends_on().is_empty())
            .map(|entry| entry.skill.id.as_str())
            .collect();
        let number = |id: &String| ids.binary_search(&id.as_str()).ok();
        let leads_to = |id: &&str| {
            let needed = catalog.get(id).map(|entry| entry.depends_on()).unwrap_or_default();
            needed.iter().filter_map(number).collect::<Vec<_>>()
        };
        let leads_to: Vec<_> = ids.iter().map(leads_to).collect();
        let (seen, low) = (vec![None; ids.len()], vec![0; ids.len()]);
        Self { ids, leads_to, seen, low, open: Vec::new(), is_open: HashSet::new(), clock: 0, by_id: HashMap::new() }
    }

    fn from(&mut self, start: usize) {
        if self.seen[start].is_some() {
            return;
        }
        self.enter(start);
        // The search stack: a skill, and how many of its dependencies were visited.
        let mut way = vec![(start, 0)];
        while let Some((at, looked)) = way.pop() {
            if let Some(&next) = self.leads_to[at].get(looked) {
                way.push((at, looked + 1));
                match self.seen[next] {
                    None => {
                        self.enter(next);
                        way.push((next, 0));
                    }
                    Some(when) if self.is_open.contains(&next) => self.low[at] = self.low[at].min(when),
                    Some(_) => {}
                }
                continue;
            }
            if let Some(&(before, _)) = way.last() {
                self.low[before] = self.low[before].min(self.low[at]);
            }
            if self.seen[at] == Some(self.low[at]) {
                self.close(at);
            }
        }
    }

    fn enter(&mut self, at: usize) {
        self.seen[at] = Some(self.clock);
        self.low[at] = self.clock;
        self.clock += 1;
        self.open.push(at);
        self.is_open.insert(at);
    }

    /// Makes a circle of everything opened since `at`, which leads back to it.
    fn close(&mut self, at: usize) {
        let from = self.open.iter().rposition(|&open| open == at).unwrap_or_default();
        let circle = self.open.split_off(from);
        let size = circle.len();
        for member in circle {
            self.is_open.remove(&member);
            if size > 1 {
                self.by_id.insert(self.ids[member].to_owned(), Circle { number: at, size });
            }
        }
    }
}
