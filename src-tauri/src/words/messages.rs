//! What the engine says, in another language: a message is known by its English form (decision 78). The window does the
//! same in `ui/src/messages/messages.ts`; `ui/tests/messages.json` holds both to what they make of the same texts.

use std::collections::{BTreeMap, HashMap};

use super::form::{Form, Part, Spelt, spellings};

/// No message of the engine is longer: what a server wrote may be.
const LONGEST: usize = 8_000;
const MOST_SENTENCES: usize = 24;
/// A message in a message in a message.
const DEEPEST: u8 = 5;
/// So many parts of one text are looked up.
const MOST_PARTS: usize = 1_000;
/// What stands between the items of a list.
const BETWEEN: [&str; 4] = [", then ", ", ", " and ", " or "];

/// The forms of one language.
pub(super) struct Messages {
    exact: HashMap<String, String>,
    /// Those with the most fixed text first.
    forms: Vec<Form>,
}

/// A part of a message: translated, or in English because no form is known.
struct Piece {
    text: String,
    english: bool,
}

/// The translation of one message, and whether a value of it spans sentences.
#[derive(Clone)]
struct Whole {
    text: String,
    spans: bool,
}

/// What became of the parts of one text.
type Known = HashMap<String, Option<Whole>>;

impl Messages {
    /// From English forms and their translations.
    pub(super) fn new(translations: &BTreeMap<String, String>) -> Self {
        let (mut exact, mut forms) = (HashMap::new(), Vec::new());
        for spelt in translations.iter().flat_map(|(form, translation)| spellings(form, translation)) {
            match spelt {
                Spelt::Exact(text, translation) => drop(exact.insert(text, translation)),
                Spelt::Form(form) => forms.push(form),
            }
        }
        forms.sort_by_key(|form| std::cmp::Reverse(form.weight));
        Self { exact, forms }
    }

    /// The text, with what is not known in English.
    pub(super) fn translated(&self, text: &str) -> String {
        if text.len() > LONGEST || !text.contains(char::is_alphabetic) {
            return text.to_owned();
        }
        self.sentences(text, 0, &mut Known::new()).into_iter().map(|piece| piece.text).collect()
    }

    /// As a whole if it is one message, else sentence by sentence.
    fn sentences(&self, text: &str, depth: u8, known: &mut Known) -> Vec<Piece> {
        let translated = |whole: Whole| vec![Piece { text: whole.text, english: false }];
        let english = || vec![Piece { text: text.to_owned(), english: true }];
        let whole = self.whole(text, depth, known);
        if let Some(whole) = whole.as_ref().filter(|whole| !whole.spans) {
            return translated(whole.clone());
        }
        let mut ends = sentence_ends(text);
        if ends.is_empty() || ends.len() > MOST_SENTENCES {
            return whole.map_or_else(english, translated);
        }
        ends.push(text.len());
        let apart = self.apart(text, &ends, depth, known);
        match whole {
            Some(whole) if apart.iter().any(|piece| piece.english) => translated(whole),
            _ => apart,
        }
    }

    /// The longest messages that its sentences make, from the first.
    fn apart(&self, text: &str, ends: &[usize], depth: u8, known: &mut Known) -> Vec<Piece> {
        let mut pieces = Vec::<Piece>::new();
        let mut from = 0;
        while let Some(first) = ends.iter().position(|end| *end > from) {
            let later = ends.get(first..).unwrap_or_default();
            let rest = text.get(from..).unwrap_or_default();
            let blank = rest.get(..rest.len() - rest.trim_start().len()).unwrap_or_default();
            let sentence = |to: usize| text.get(from + blank.len()..to).unwrap_or_default();
            let taken = later.iter().rev().find_map(|to| {
                let whole = self.whole(sentence(*to), depth, known)?;
                (!whole.spans || later.first() == Some(to)).then_some((whole.text, *to))
            });
            let is_english = taken.is_none();
            let to = taken.as_ref().map_or(later.first().copied(), |(_, to)| Some(*to)).unwrap_or(text.len());
            let said = taken.map_or_else(|| sentence(to).to_owned(), |(text, _)| text);
            match pieces.last_mut() {
                Some(last) if is_english && last.english => last.text += &(blank.to_owned() + &said),
                last => {
                    // Chinese sentences follow each other without a blank; English ones keep theirs.
                    let is_set_off =
                        last.is_some_and(|last| last.english || !last.text.ends_with(['。', '！', '？', '：']));
                    let text = if is_set_off { blank.to_owned() + &said } else { said };
                    pieces.push(Piece { text, english: is_english });
                }
            }
            from = to;
        }
        pieces
    }

    fn whole(&self, text: &str, depth: u8, known: &mut Known) -> Option<Whole> {
        if let Some(exact) = self.exact.get(text) {
            return Some(Whole { text: exact.clone(), spans: false });
        }
        if let Some(known) = known.get(text) {
            return known.clone();
        }
        if depth >= DEEPEST || known.len() >= MOST_PARTS {
            return None;
        }
        known.insert(text.to_owned(), None);
        let whole = self.made(text, depth, known);
        known.insert(text.to_owned(), whole.clone());
        whole
    }

    /// From the form that fits best, and what its values say.
    fn made(&self, text: &str, depth: u8, known: &mut Known) -> Option<Whole> {
        self.forms.iter().find_map(|form| {
            let values = form.fitted(text)?;
            let slots = || form.slots.iter().zip(&values);
            let said: Vec<_> = slots()
                .map(|(slot, value)| if slot.is_name { None } else { self.value(value, depth + 1, known) })
                .collect();
            let spans = slots().any(|(slot, value)| !slot.is_name && !sentence_ends(value).is_empty());
            if form.bare && (spans || said.iter().all(Option::is_none)) {
                return None;
            }
            Some(Whole { text: filled(&form.translation, &values, &said), spans })
        })
    }

    /// What a value says, if it is a message or a list of quoted names.
    fn value(&self, value: &str, depth: u8, known: &mut Known) -> Option<String> {
        let bare = value.trim();
        if !bare.contains(char::is_whitespace) {
            return None;
        }
        if let Some(listed) = self.listed(bare, depth, known) {
            return Some(listed);
        }
        let pieces = self.sentences(bare, depth, known);
        let is_said = pieces.iter().any(|piece| !piece.english);
        is_said.then(|| pieces.into_iter().map(|piece| piece.text).collect())
    }

    /// A list of quoted names or of messages, as Rust joins them: `a`, `b` and `c`.
    fn listed(&self, list: &str, depth: u8, known: &mut Known) -> Option<String> {
        let parts = items(list);
        if parts.len() < 3 {
            return None;
        }
        parts.into_iter().try_fold(String::new(), |all, part| {
            let is_name = |inside: &str| !inside.contains('`');
            let name = part.strip_prefix('`').and_then(|part| part.strip_suffix('`')).filter(|inside| is_name(inside));
            let said = match name {
                Some(_) => part.to_owned(),
                None => match self.exact.get(part) {
                    Some(exact) => exact.clone(),
                    None if part.contains('`') => self.whole(part, depth, known)?.text,
                    None => return None,
                },
            };
            Some(joined(&all, &said))
        })
    }
}

/// The items of a list, and what stands between them, outside of backticks.
fn items(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(rest) = list.get(at..).filter(|rest| !rest.is_empty()) {
        let is_outside = |after: &str| after.starts_with('`') || after.matches('`').count().is_multiple_of(2);
        let between = BETWEEN.iter().find(|between| rest.strip_prefix(**between).is_some_and(is_outside));
        if let Some(between) = between {
            let end = at + between.len();
            parts.extend(list.get(from..at).into_iter().chain(list.get(at..end)));
            (from, at) = (end, end);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    parts.extend(list.get(from..));
    parts
}

/// The translation with its values: as they are, or in words.
fn filled(translation: &[Part], values: &[&str], said: &[Option<String>]) -> String {
    let mut whole = String::new();
    let mut is_after_words = false;
    for part in translation {
        let (words, next) = match part {
            Part::Text(text) => (false, text.as_str()),
            Part::Value(slot) => {
                let words = slot.and_then(|slot| said.get(slot)?.as_deref());
                let value = slot.and_then(|slot| values.get(slot).copied()).unwrap_or_default();
                if words.unwrap_or(value).is_empty() && whole.ends_with(' ') {
                    whole.pop();
                }
                (words.is_some(), words.unwrap_or(value))
            }
        };
        // A name is set off by blanks where the translation says so; a message is joined as its first and last letters ask.
        whole = if words || is_after_words { joined(&whole, next) } else { whole + next };
        if !next.is_empty() {
            is_after_words = words;
        }
    }
    whole
}

/// A blank stands between Chinese and other words or numbers, and none beside a Chinese mark.
fn joined(before: &str, after: &str) -> String {
    let (left, right) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
    let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else {
        return format!("{before}{after}");
    };
    if is_mark(last) || is_mark(first) || (is_han(last) && is_han(first)) {
        return format!("{left}{right}");
    }
    if is_han(last) || is_han(first) { format!("{left} {right}") } else { format!("{before}{after}") }
}

fn is_mark(sign: char) -> bool {
    "，。：；、？！（）“”".contains(sign)
}

fn is_han(sign: char) -> bool {
    matches!(sign, '々' | '〇' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Where sentences end inside of a text, outside of backticks.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut is_code = false;
    let mut before = None;
    for (at, sign) in text.char_indices() {
        let after = text.get(at + sign.len_utf8()..).unwrap_or_default();
        if sign == '`' {
            is_code = !is_code && after.contains('`');
        } else if !is_code && matches!(sign, '.' | '!' | '?') {
            let closed = after.strip_prefix(['”', '"', ')']).unwrap_or(after);
            let follows = closed.starts_with(char::is_whitespace) && !closed.trim_start().is_empty();
            if follows && before != Some('.') {
                ends.push(text.len() - closed.len());
            }
        }
        before = Some(sign);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> BTreeMap<String, String> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_shell_translates_as_the_window_does() {
        let messages = Messages::new(&of(include_str!("../../../ui/text/zh-CN.engine.json")));
        let said: Vec<(String, String)> =
            serde_json::from_str(include_str!("../../../ui/tests/messages.json")).unwrap();
        assert!(said.len() > 20);
        for (english, chinese) in said {
            assert_eq!(messages.translated(&english), chinese, "{english}");
        }
    }

    #[test]
    fn a_text_that_fits_a_form_in_two_ways_is_left_in_english() {
        let messages = Messages::new(&of(r#"{ "{a} and {b}.": "{b}和{a}。" }"#));
        assert_eq!(messages.translated("salt and pepper and milk."), "salt and pepper and milk.");
        assert_eq!(messages.translated("Nothing of ours. At all."), "Nothing of ours. At all.");
    }
}
