//! Finds and ranks skills for what was typed.
//!
//! Each word must occur in a skill, whole or as the start of a word; in names also inside a word, and misspelt
//! where no name has it as typed. A skill's rank is the sum of the scores of its words: a hit in the name
//! scores more than one in the description, and so on.

use std::{cmp::Reverse, sync::Arc};

use api::FoundIn;
use skills::Entry;

use super::{
    fold,
    index::{Index, Standings, Words},
};

/// How many words of a query count; the rest are ignored.
const WORDS: usize = 8;

/// The scores of a hit: as a whole word, as the start of one.
const IN_NAME: (u32, u32) = (100, 80);
const INSIDE_NAME: u32 = 60;
const MISSPELT_NAME: u32 = 50;
const IN_DESCRIPTION: (u32, u32) = (40, 34);
const IN_TAG: (u32, u32) = (30, 26);
const IN_BODY: (u32, u32) = (12, 8);
/// The bonus when the whole query is the name, or its start.
const THE_NAME: (u32, u32) = (200, 50);

/// A skill contains the words: their score, and the lowest-ranked field among them.
#[derive(Debug, Clone, Copy)]
struct Find {
    worth: u32,
    field: FoundIn,
}

/// The skills that contain every word, the best first, each with the lowest-ranked field among its words.
/// `entries` are the skills behind the index's numbers.
pub(super) fn find<'e>(
    index: &Index,
    words: &[String],
    entries: &'e [Option<Arc<Entry>>],
    limit: usize,
) -> Vec<(&'e Entry, FoundIn)> {
    let mut each = words.iter().take(WORDS).map(|word| standing(index, word, entries.len()));
    let Some(mut finds) = each.next() else { return Vec::new() };
    for others in each {
        for (find, other) in finds.iter_mut().zip(others) {
            *find = find
                .zip(other)
                .map(|(find, other)| Find { worth: find.worth + other.worth, field: find.field.max(other.field) });
        }
    }
    let typed = words.join(" ");
    let mut found: Vec<_> = entries
        .iter()
        .zip(finds)
        .filter_map(|(entry, find)| {
            let (entry, find) = (entry.as_deref()?, find?);
            Some((find.worth + as_the_name(entry, &typed, find.field), entry, find.field))
        })
        .collect();
    let rank = |(worth, entry, _): &(u32, &'e Entry, FoundIn)| {
        let name = entry.skill.name.as_str();
        (Reverse(*worth), name.len(), name, entry.folder.as_str(), entry.path.as_str())
    };
    let by_rank = |one: &_, other: &_| rank(one).cmp(&rank(other));
    // Sorting all that one letter finds would take longer than finding it.
    if limit < found.len() {
        found.select_nth_unstable_by(limit, by_rank);
        found.truncate(limit);
    }
    found.sort_unstable_by(by_rank);
    found.into_iter().take(limit).map(|(_, entry, field)| (entry, field)).collect()
}

/// The best hit of a word in each skill.
fn standing(index: &Index, word: &str, skills: usize) -> Vec<Option<Find>> {
    let mut finds = vec![None; skills];
    in_names(&index.names, word, &mut finds);
    for (words, (whole, start), field) in [
        (&index.descriptions, IN_DESCRIPTION, FoundIn::Description),
        (&index.tags, IN_TAG, FoundIn::Tag),
        (&index.bodies, IN_BODY, FoundIn::Body),
    ] {
        for (known, standings) in words.starting_with(word) {
            note(&mut finds, standings, if known.len() == word.len() { whole } else { start }, field);
        }
    }
    finds
}

fn in_names(names: &Words, word: &str, finds: &mut [Option<Find>]) {
    let mut missing = true;
    for (known, standings) in names.all() {
        let worth = match known.find(word) {
            Some(0) if known.len() == word.len() => IN_NAME.0,
            Some(0) => IN_NAME.1,
            Some(_) => INSIDE_NAME,
            None => continue,
        };
        missing = false;
        note(finds, standings, worth, FoundIn::Name);
    }
    let slips = match word.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    if missing && slips > 0 {
        let typed: Vec<_> = word.chars().collect();
        for (_, standings) in names.all().filter(|(known, _)| slips_at_start(&typed, known, slips).is_some()) {
            note(finds, standings, MISSPELT_NAME, FoundIn::Name);
        }
    }
}

/// The best hit counts; how often a word occurs in a body adds a little.
fn note(finds: &mut [Option<Find>], standings: &Standings, worth: u32, field: FoundIn) {
    for standing in standings.each() {
        let worth = worth + if field == FoundIn::Body { standing.more() } else { 0 };
        if let Some(find) = finds.get_mut(standing.skill() as usize)
            && find.is_none_or(|find| find.worth < worth)
        {
            *find = Some(Find { worth, field });
        }
    }
}

/// The number of wrong, missing, extra or swapped (with the next) letters between what was typed and the most
/// similar start of a word; `None` when it is more than `most`.
fn slips_at_start(typed: &[char], word: &str, most: usize) -> Option<usize> {
    // Folded words are no longer; what is typed may be.
    const LONGEST: usize = fold::LONGEST + 2;
    let mut letters = ['\0'; LONGEST];
    let mut length = 0;
    for (place, letter) in letters.iter_mut().zip(word.chars().take(typed.len() + most)) {
        *place = letter;
        length += 1;
    }
    let letters = &letters[..length];
    // The rows of the usual edit distance table: two above, one above, and the current one.
    let (mut above, mut row, mut next) = ([0; LONGEST + 1], [0; LONGEST + 1], [0; LONGEST + 1]);
    for (slips, place) in row.iter_mut().enumerate().take(length + 1) {
        *place = slips;
    }
    for (i, &letter) in typed.iter().enumerate() {
        next[0] = i + 1;
        for (j, &other) in letters.iter().enumerate() {
            let mut slips = (row[j] + usize::from(letter != other)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && letter == letters[j - 1] && typed[i - 1] == other {
                slips = slips.min(above[j - 1] + 1);
            }
            next[j + 1] = slips;
        }
        (above, row, next) = (row, next, above);
        // No later row is below the lower of two.
        let least = |row: &[usize]| row[..=length].iter().min().copied();
        if least(&row) > Some(most) && least(&above) > Some(most) {
            return None;
        }
    }
    row[..=length].iter().min().copied().filter(|slips| *slips <= most)
}

fn as_the_name(entry: &Entry, typed: &str, field: FoundIn) -> u32 {
    if field != FoundIn::Name {
        return 0;
    }
    let name = fold::words(&entry.skill.name).join(" ");
    match name.strip_prefix(typed) {
        Some("") => THE_NAME.0,
        Some(_) => THE_NAME.1,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted_against_the_start_of_a_word() {
        let slips = |typed: &str, word| slips_at_start(&typed.chars().collect::<Vec<_>>(), word, 3).unwrap_or(99);
        assert_eq!(slips("rele", "release"), 0);
        assert_eq!(slips("relaese", "release"), 1, "swapped");
        assert_eq!(slips("relase", "release"), 1, "missing");
        assert_eq!(slips("rreleas", "release"), 1, "too many");
        assert_eq!(slips("rylease", "release"), 1, "wrong");
        assert_eq!(slips("tea", "coffee"), 3);
        assert_eq!(slips("", "tea"), 0);
        assert_eq!(slips("tea", ""), 3);
        assert_eq!(slips("relentless", "release"), 99, "more than were asked for");
        assert_eq!(slips(&"a".repeat(200), &"a".repeat(fold::LONGEST)), 99);
    }
}
