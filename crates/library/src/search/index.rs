//! Which words occur in which skills: one vocabulary for each field.

use foldhash::fast::RandomState;
use indexmap::{IndexMap, map};
use skills::Entry;
use smol_str::SmolStr;

use super::fold;

/// The words of every skill. Skills have numbers, assigned in ascending order.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The name, and the id where it differs.
    pub(super) names: Words,
    pub(super) descriptions: Words,
    pub(super) tags: Words,
    pub(super) bodies: Words,
    /// Only words of bodies that begin with one of these are indexed; `None` indexes all.
    wanted: Option<Vec<String>>,
}

/// A vocabulary, and for each word the skills that contain it.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Millions of words are looked up in it, of files that are read one after the other.
    words: IndexMap<SmolStr, Standings, RandomState>,
    /// The numbers of the words, in alphabetical order.
    sorted: Vec<u32>,
}

/// The skills that contain a word, in ascending order. The last one stands beside the word: while a text is read, nothing
/// else is looked at, and each other place in memory takes as long as the rest of a lookup.
#[derive(Debug)]
pub(super) struct Standings {
    earlier: Vec<Standing>,
    last: Standing,
}

/// One occurrence of a word: the skill, and about how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing(u32);

impl Standing {
    const OFTEN: u32 = 3;

    fn once(skill: u32) -> Self {
        Self(skill << 2)
    }

    /// The number of the skill.
    pub(super) fn skill(self) -> u32 {
        self.0 >> 2
    }

    /// How often the word occurs there, less one: up to three.
    pub(super) fn more(self) -> u32 {
        self.0 & Self::OFTEN
    }
}

impl Standings {
    fn once(skill: u32) -> Self {
        Self { earlier: Vec::new(), last: Standing::once(skill) }
    }

    /// Once more in this skill, which is the last one or a later one.
    fn add(&mut self, skill: u32) {
        if self.last.skill() != skill {
            self.earlier.push(self.last);
            self.last = Standing::once(skill);
        } else if self.last.more() < Standing::OFTEN {
            self.last.0 += 1;
        }
    }

    /// Those of later skills.
    fn append(&mut self, mut later: Self) {
        self.earlier.reserve(1 + later.earlier.len());
        self.earlier.push(self.last);
        self.earlier.append(&mut later.earlier);
        self.last = later.last;
    }

    /// All of them, in order.
    pub(super) fn each(&self) -> impl Iterator<Item = Standing> {
        self.earlier.iter().copied().chain([self.last])
    }
}

impl Index {
    /// An index that will be searched for these words only. Keeping the words of bodies is the slow part.
    pub(super) fn of_words(wanted: Option<&[String]>) -> Self {
        Self { wanted: wanted.map(<[_]>::to_vec), ..Self::default() }
    }

    /// Adds a skill. Its number must be larger than every other.
    pub(super) fn add(&mut self, number: u32, entry: &Entry, body: &str) {
        let skill = &entry.skill;
        self.names.add(number, &skill.name, None);
        if skill.id != skill.name {
            self.names.add(number, &skill.id, None);
        }
        self.descriptions.add(number, &skill.description, None);
        skill.tags().into_iter().for_each(|tag| self.tags.add(number, tag, None));
        self.bodies.add(number, body, self.wanted.as_deref());
    }

    /// Adds an index whose skills all have larger numbers.
    pub(super) fn append(&mut self, other: Self) {
        self.names.append(other.names);
        self.descriptions.append(other.descriptions);
        self.tags.append(other.tags);
        self.bodies.append(other.bodies);
    }
}

impl Words {
    fn add(&mut self, number: u32, text: &str, wanted: Option<&[String]>) {
        if wanted.is_some_and(|wanted| !fold::may_hold(text, wanted)) {
            return;
        }
        fold::each_word(text, |word, _| {
            if wanted.is_some_and(|wanted| !wanted.iter().any(|wanted| word.starts_with(wanted.as_str()))) {
                return;
            }
            match self.words.get_mut(word) {
                Some(standings) => standings.add(number),
                None => drop(self.words.insert(word.into(), Standings::once(number))),
            }
        });
    }

    fn append(&mut self, other: Self) {
        let known = self.words.len();
        if known == 0 {
            self.words = other.words;
        } else {
            for (word, standings) in other.words {
                match self.words.entry(word) {
                    map::Entry::Occupied(known) => known.into_mut().append(standings),
                    map::Entry::Vacant(new) => drop(new.insert(standings)),
                }
            }
        }
        let new = known..self.words.len();
        // A few new words are inserted in order; for many, sorting is cheaper.
        if new.len() < 64 {
            for number in new {
                let word = &self.words.get_index(number).expect("it was just counted").0[..];
                let at = self.sorted.partition_point(|&other| self.word(other) < word);
                self.sorted.insert(at, index(number));
            }
        } else {
            self.sorted.extend(new.map(index));
            let words = &self.words;
            self.sorted.sort_unstable_by_key(|&number| words.get_index(number as usize).map(|(word, _)| word));
        }
    }

    /// The words with this start.
    pub(super) fn starting_with(&self, start: &str) -> impl Iterator<Item = (&str, &Standings)> {
        let from = self.sorted.partition_point(|&number| self.word(number) < start);
        let words = self.sorted[from..].iter().filter_map(|&number| self.words.get_index(number as usize));
        let words = words.map(|(word, standings)| (word.as_str(), standings));
        words.take_while(move |(word, _)| word.starts_with(start))
    }

    /// Every word.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Standings)> {
        self.words.iter().map(|(word, standings)| (word.as_str(), standings))
    }

    fn word(&self, number: u32) -> &str {
        self.words.get_index(number as usize).map_or("", |(word, _)| word)
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_were_read_in_parts_are_those_that_were_read_at_once() {
        let texts: Vec<_> =
            (0..200).map(|skill| format!("tea tea {} {} {skill}", skill % 7, "milk ".repeat(skill % 6))).collect();
        let of = |skills: std::ops::Range<u32>| {
            let mut words = Words::default();
            skills.for_each(|skill| words.add(skill, &texts[skill as usize], None));
            words
        };
        let told = |words: &Words| -> Vec<_> {
            words
                .starting_with("")
                .map(|(word, in_these)| (word.to_owned(), in_these.each().collect::<Vec<_>>()))
                .collect()
        };
        let (mut once, mut parts) = (Words::default(), Words::default());
        once.append(of(0..200));
        // Nothing, many new words, few, and none that is known.
        for part in [0..0, 0..90, 90..95, 95..195, 195..200] {
            parts.append(of(part));
        }
        assert_eq!(told(&parts), told(&once));
        let tea = told(&once).into_iter().find(|(word, _)| word == "tea").unwrap();
        assert!(tea.1.iter().map(|standing| (standing.skill(), standing.more())).eq((0..200).map(|skill| (skill, 1))));
    }
}
