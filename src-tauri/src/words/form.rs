//! The form of a message: `The file {path} has {count:#} lines.`, as `ui/src/messages/form.ts` reads it too.

use std::collections::HashMap;

/// The texts around a form's values, and what each value may be.
#[derive(Debug)]
pub(super) struct Form {
    /// One more than there are slots.
    texts: Vec<String>,
    pub(super) slots: Vec<Slot>,
    /// How much text is fixed: of two forms that fit, the one that says more is meant.
    pub(super) weight: usize,
    /// Whether it says nothing without its values.
    pub(super) bare: bool,
    pub(super) translation: Vec<Part>,
}

#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// Values of one name are equal.
    name: String,
    is_number: bool,
    /// Whether it stands between backticks.
    is_code: bool,
    /// Whether it is a number or, somewhere in the form, stands as code, in quotes or in a path: it is no message.
    pub(super) is_name: bool,
}

/// A part of a translation.
#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    /// The value of a slot; none that another holds too.
    Value(Option<usize>),
}

/// A form without words to choose from, and its translation.
#[derive(Debug)]
pub(super) enum Spelt {
    /// A text without values.
    Exact(String, String),
    Form(Form),
}

/// A form for each choice of words: `{were:was|were}` is one of them, and stands in the translation where that names it.
pub(super) fn spellings(form: &str, translation: &str) -> Vec<Spelt> {
    let bare = is_bare(form, translation);
    chosen(form, translation).into_iter().map(|(form, translation)| spelt(&form, &translation, bare)).collect()
}

fn chosen(form: &str, translation: &str) -> Vec<(String, String)> {
    let Some((whole, name, words)) = choice(form) else { return vec![(form.to_owned(), translation.to_owned())] };
    let with = |word: &str| {
        let named = format!("{{{name}}}");
        let translation = if name.is_empty() { translation.to_owned() } else { translation.replace(&named, word) };
        chosen(&form.replacen(whole, word, 1), &translation)
    };
    words.split('|').flat_map(with).collect()
}

/// The first words to choose from: as they are written, their name, and the words.
fn choice(form: &str) -> Option<(&str, &str, &str)> {
    tokens(form).find_map(|token| match token {
        Token::Slot(inside) => {
            let (name, words) = inside.split_once(':').filter(|(_, words)| !words.contains('#'))?;
            let start = inside.as_ptr() as usize - form.as_ptr() as usize - 1;
            Some((form.get(start..start + inside.len() + 2)?, name, words))
        }
        _ => None,
    })
}

/// Whether a form says nothing by itself: then one of its values must be a message.
fn is_bare(form: &str, translation: &str) -> bool {
    let mut own = form.to_owned();
    while let Some((whole, name, words)) = choice(&own) {
        let is_kept = !name.is_empty() && translation.contains(&format!("{{{name}}}"));
        own = own.replacen(whole, if is_kept { "" } else { words }, 1);
    }
    !parsed(&own).0.concat().contains(char::is_alphabetic)
}

fn spelt(form: &str, translation: &str, bare: bool) -> Spelt {
    let (mut texts, slots) = parsed(form);
    if slots.is_empty() {
        return Spelt::Exact(texts.concat(), parsed(translation).0.concat());
    }
    let weight = texts.iter().map(|text| text.chars().count()).sum();
    // Of two values with nothing between them, the first holds both.
    let apart: Vec<_> = texts.iter().enumerate().map(|(at, text)| at == 0 || !text.is_empty()).collect();
    let own: Vec<_> = slots.iter().zip(&apart).filter(|(_, apart)| **apart).map(|(slot, _)| slot.clone()).collect();
    let last = texts.len() - 1;
    let mut at = 0..;
    texts.retain(|_| at.next().is_none_or(|at| at == last || apart.get(at) == Some(&true)));
    let translation = filled_in(translation, &own);
    Spelt::Form(Form { texts, slots: own, weight, bare, translation })
}

fn filled_in(translation: &str, slots: &[Slot]) -> Vec<Part> {
    let (texts, filled) = parsed(translation);
    let mut names = filled.into_iter().map(|slot| slot.name);
    let mut parts = Vec::new();
    for text in texts {
        parts.push(Part::Text(text));
        parts.extend(names.next().map(|name| Part::Value(slots.iter().position(|slot| slot.name == name))));
    }
    parts
}

enum Token<'a> {
    Text(&'a str),
    Slot(&'a str),
}

/// The texts and values of a form. A brace that is only a brace is `{{`.
fn tokens(form: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = form;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (token, left) = match rest.split_at_checked(1) {
            Some((brace @ ("{" | "}"), left)) if left.starts_with(brace) => (Token::Text(brace), left.get(1..)?),
            Some(("{", inside)) => match inside.split_once('}') {
                Some((inside, left)) => (Token::Slot(inside), left),
                None => (Token::Text(rest), ""),
            },
            _ => {
                let next = rest.char_indices().skip(1).find(|(_, sign)| matches!(sign, '{' | '}'));
                let (text, left) = rest.split_at(next.map_or(rest.len(), |(at, _)| at));
                (Token::Text(text), left)
            }
        };
        rest = left;
        Some(token)
    })
}

/// The fixed texts of a form, and the values between them. A value without a name is named by its place.
fn parsed(form: &str) -> (Vec<String>, Vec<Slot>) {
    let (mut texts, mut slots) = (vec![String::new()], Vec::<Slot>::new());
    let mut unnamed = 0;
    for token in tokens(form) {
        match token {
            Token::Text(text) => texts.iter_mut().next_back().into_iter().for_each(|last| last.push_str(text)),
            Token::Slot(inside) => {
                let (name, kind) = inside.split_once(':').unwrap_or((inside, ""));
                let before = texts.concat();
                let is_code = before.matches('`').count() % 2 == 1;
                let is_number = kind == "#";
                let is_name = is_number || is_code || before.ends_with(['"', '“', '/']);
                let name = if name.is_empty() { unnamed.to_string() } else { name.to_owned() };
                unnamed += u32::from(inside.is_empty() || inside.starts_with(':'));
                slots.push(Slot { name, is_number, is_code, is_name });
                texts.push(String::new());
            }
        }
    }
    let names: Vec<_> = slots.iter().filter(|slot| slot.is_name).map(|slot| slot.name.clone()).collect();
    slots.iter_mut().for_each(|slot| slot.is_name |= names.contains(&slot.name));
    (texts, slots)
}

impl Form {
    /// The values of a text that fits the form in one way.
    pub(super) fn fitted<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, between) = self.texts.split_first()?;
        let (last, between) = between.split_last()?;
        let inside = text.strip_prefix(first.as_str())?.strip_suffix(last.as_str())?;
        // A label such as `Write {meant}` fits half of English: its value is one word.
        if last.is_empty() && self.slots.len() == 1 && is_label(first) && inside.contains(char::is_whitespace) {
            return None;
        }
        let ways: Vec<_> = [earliest(between, inside), latest(between, inside)].into_iter().flatten().collect();
        let ways: Vec<_> = ways.into_iter().filter(|values| self.is_meant(values)).collect();
        // Code ends at its backtick, unless no way is so.
        let is_clean = |values: &&Vec<&str>| {
            self.slots.iter().zip(*values).all(|(slot, value)| !slot.is_code || !value.contains('`'))
        };
        let clean: Vec<_> = ways.iter().filter(is_clean).collect();
        let one = if clean.is_empty() { ways.iter().collect() } else { clean };
        let (one, rest) = one.split_first()?;
        rest.iter().all(|other| other == one).then(|| (*one).clone())
    }

    /// Whether these can be the values: a number is one, and values of one name are equal.
    fn is_meant(&self, values: &[&str]) -> bool {
        let mut known = HashMap::new();
        self.slots.iter().zip(values).all(|(slot, value)| {
            let is_digit = |sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '.');
            let fits = !slot.is_number || (!value.is_empty() && value.chars().all(is_digit));
            fits && known.insert(&slot.name, value).is_none_or(|before| before == value)
        })
    }
}

/// One word with a capital, or that and a second one, and a blank.
fn is_label(first: &str) -> bool {
    let Some(words) = first.strip_suffix(' ') else { return false };
    let is_small = |word: &str| !word.is_empty() && word.chars().all(char::is_lowercase);
    let mut words = words.split(' ');
    let head = words.next().and_then(|word| word.strip_prefix(char::is_uppercase)).is_some_and(is_small);
    head && words.next().is_none_or(is_small) && words.next().is_none()
}

/// The values when each fixed text is taken at its first place.
fn earliest<'a>(between: &[String], mut rest: &'a str) -> Option<Vec<&'a str>> {
    let mut values = Vec::new();
    for fixed in between {
        let (value, left) = rest.split_once(fixed.as_str())?;
        values.push(value);
        rest = left;
    }
    values.push(rest);
    Some(values)
}

/// The values when each fixed text is taken at its last place.
fn latest<'a>(between: &[String], mut rest: &'a str) -> Option<Vec<&'a str>> {
    let mut values = Vec::new();
    for fixed in between.iter().rev() {
        let (left, value) = rest.rsplit_once(fixed.as_str())?;
        values.push(value);
        rest = left;
    }
    values.push(rest);
    values.reverse();
    Some(values)
}
