//! Removes the secrets given to a server from its output: it may repeat them in an error, in its log, or in text for a
//! model.
//!
//! A secret is found in its own form and in those that programs usually use: percent-encoded, escaped as in JSON, in
//! Base64 at any offset, and in hexadecimal digits. Other encodings are not found. Texts shorter than four bytes are
//! not hidden, because they are part of half of all words. In data, where a program may need every byte, only secrets
//! that cannot occur by chance are hidden: see [`is_distinct`].

mod json;
mod spelling;

use std::sync::Arc;

use base64::{
    Engine as _,
    prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use machine::waiting::Mutex;
use memchr::memmem;
use zeroize::Zeroizing;

use self::spelling::View;

/// Replaces a secret.
const HIDDEN: &str = "••••";
/// The minimum length: shorter secrets occur in half of all words.
const SHORTEST: usize = 4;
/// The maximum length of a byte in the known spellings: `\u0041`.
const WIDEST: usize = 6;

/// The secrets to hide in a server's output. Copies share them, their memory is wiped, and secrets may be added.
#[derive(Clone, Default)]
pub struct Redaction(Arc<Mutex<Arc<Vec<Needle>>>>);

/// One spelling of a secret, or of one line of it.
#[derive(Clone)]
struct Needle {
    bytes: Zeroizing<Vec<u8>>,
    /// Whether the characters before and after it reveal part of the secret: Base64 does not end on byte boundaries.
    before: bool,
    after: bool,
    /// Whether it is also hidden in data.
    distinct: bool,
}

/// The kind of text, which decides which secrets are hidden in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Text for people or models: every secret is hidden.
    Words,
    /// Data: a program may need every byte.
    Data,
}

impl Redaction {
    /// Hides these secrets. Each line of a multi-line secret is hidden, because a log has lines.
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        let redaction = Self::default();
        secrets.into_iter().for_each(|secret| redaction.hide(secret));
        redaction
    }

    /// Hides one more secret.
    pub fn hide(&self, secret: &str) {
        let lines = secret.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let needles = lines.filter(|line| line.len() >= SHORTEST).flat_map(needles);
        self.add(needles.collect());
    }

    /// Also hides the secrets of the other one.
    pub fn join(&self, other: &Self) {
        self.add(other.needles().to_vec());
    }

    /// How many bytes of a text may belong to a secret that begins before them.
    pub fn reach(&self) -> usize {
        self.needles().iter().map(|needle| needle.bytes.len() * WIDEST).max().unwrap_or(0)
    }

    /// A text for people, without the secrets.
    pub fn text(&self, text: &str) -> String {
        self.first(text.as_bytes(), text.len())
    }

    /// The first `end` bytes without the secrets; the text after them shows whether a secret begins there.
    pub fn first(&self, text: &[u8], end: usize) -> String {
        let end = end.min(text.len());
        match self.marks(text, Kind::Words) {
            Some(marks) => shown(text, &marks, end),
            None => String::from_utf8_lossy(&text[..end]).into_owned(),
        }
    }

    /// Marks the bytes that belong to a secret; `None` if the text contains none.
    fn marks(&self, text: &[u8], kind: Kind) -> Option<Vec<bool>> {
        let needles = self.needles();
        let mut marks = None;
        for view in View::all(text, true) {
            for needle in needles.iter().filter(|needle| needle.distinct || kind == Kind::Words) {
                let mut from = 0;
                while let Some(at) = memmem::find(&view.bytes()[from..], &needle.bytes).map(|at| from + at) {
                    let (start, end) = needle.reaches(view.bytes(), at);
                    marks.get_or_insert_with(|| vec![false; text.len()])[view.place(start)..view.place(end)].fill(true);
                    from = at + 1;
                }
            }
        }
        marks
    }

    /// Whether the text contains a secret.
    fn finds(&self, text: &[u8], kind: Kind) -> bool {
        let needles = self.needles();
        let needles = || needles.iter().filter(|needle| needle.distinct || kind == Kind::Words);
        needles().next().is_some()
            && View::all(text, false)
                .any(|view| needles().any(|needle| memmem::find(view.bytes(), &needle.bytes).is_some()))
    }

    fn add(&self, more: Vec<Needle>) {
        let mut needles = self.0.lock();
        let new = more.into_iter().filter(|one| !needles.iter().any(|other| other.bytes == one.bytes));
        *needles = Arc::new(needles.iter().cloned().chain(new.collect::<Vec<_>>()).collect());
    }

    fn needles(&self) -> Arc<Vec<Needle>> {
        Arc::clone(&self.0.lock())
    }
}

impl Needle {
    /// The range that is hidden for a match at `at`.
    fn reaches(&self, text: &[u8], at: usize) -> (usize, usize) {
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
        let end = at + self.bytes.len();
        let before = self.before && at.checked_sub(1).and_then(|at| text.get(at)).is_some_and(is_base64);
        let after = self.after && text.get(end).is_some_and(is_base64);
        (at - usize::from(before), end + usize::from(after))
    }
}

/// The spellings of one line of a secret that are searched literally; [`View`] decodes the others.
fn needles(line: &str) -> Vec<Needle> {
    let distinct = is_distinct(line);
    let needle = |bytes: Vec<u8>| Needle { bytes: Zeroizing::new(bytes), before: false, after: false, distinct };
    let hex = |digits: &[u8; 16]| {
        let digit = |half: u8| digits[usize::from(half)];
        line.bytes().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect::<Vec<_>>()
    };
    let mut all = vec![needle(line.as_bytes().to_vec())];
    if line.contains(' ') {
        all.push(needle(line.replace(' ', "+").into_bytes()));
    }
    all.extend([hex(b"0123456789abcdef"), hex(b"0123456789ABCDEF")].map(needle));
    for shift in 0..3 {
        let shifted = Zeroizing::new([&[0; 3][..shift], line.as_bytes()].concat());
        // The characters whose bits are all the secret's.
        let (first, end) = ((8 * shift).div_ceil(6), 8 * shifted.len() / 6);
        for coded in [BASE64_STANDARD_NO_PAD.encode(&*shifted), BASE64_URL_SAFE_NO_PAD.encode(&*shifted)] {
            let coded = Zeroizing::new(coded);
            let core = needle(coded.as_bytes()[first..end].to_vec());
            all.push(Needle { before: shift > 0, after: 8 * shifted.len() % 6 != 0, ..core });
        }
    }
    all
}

/// Whether a text is unlikely to be in data by chance: sixteen bytes, or eight with more than one kind of character.
/// `postgres` is in every second answer of a database, even if it is someone's password.
fn is_distinct(secret: &str) -> bool {
    let kinds: [fn(char) -> bool; 3] =
        [|c| c.is_lowercase(), |c| c.is_uppercase(), |c| !c.is_lowercase() && !c.is_uppercase()];
    secret.len() >= 16 || secret.len() >= 8 && kinds.iter().filter(|kind| secret.contains(**kind)).count() > 1
}

/// The first `end` bytes without the marked ones.
fn shown(text: &[u8], marks: &[bool], end: usize) -> String {
    let (mut shown, mut at) = (String::new(), 0);
    while at < end {
        let run = marks[at..end].iter().take_while(|&&here| here == marks[at]).count();
        if marks[at] {
            shown.push_str(HIDDEN);
        } else {
            shown.push_str(&String::from_utf8_lossy(&text[at..at + run]));
        }
        at += run;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-4711/Tea+\"Pot\"é";

    fn text(secrets: &[&str], text: &str) -> String {
        Redaction::new(secrets.iter().copied()).text(text)
    }

    #[test]
    fn a_secret_is_hidden_wherever_it_stands() {
        assert_eq!(text(&["s3cret"], "key=s3cret, again s3crets3cret."), "key=••••, again ••••.");
        assert_eq!(text(&["abcd", "cdef"], "abcdef"), "••••");
        assert_eq!(text(&["aaaa"], "aaaaa"), "••••");
        assert_eq!(text(&["one\nline two\r\n"], "> line two <"), "> •••• <");
        assert_eq!(text(&["abc"], "abc"), "abc", "shorter values occur in half of all words");
    }

    #[test]
    fn a_secret_is_hidden_in_the_spellings_that_programs_use() {
        let percent = "sk%2D4711%2fTea%2B%22Pot%22%C3%a9";
        let json = serde_json::to_string(KEY).unwrap();
        let twice = serde_json::to_string(&json).unwrap();
        let escaped = r#"sk-4711\/Tea+\"Pot\"\u00e9"#;
        for spelled in [KEY, percent, "sk-4711/Tea%2B%22Pot%22é", json.trim_matches('"'), escaped, &twice] {
            let shown = text(&[KEY], &format!("<{spelled}>"));
            assert!(shown.contains(HIDDEN) && !shown.contains("Pot") && !shown.contains("4711"), "{spelled}: {shown}");
        }
        let hex = |digits: fn(u8) -> String| KEY.bytes().map(digits).collect::<String>();
        for spelled in [hex(|byte| format!("{byte:02x}")), hex(|byte| format!("{byte:02X}"))] {
            assert_eq!(text(&[KEY], &format!("<{spelled}>")), "<••••>");
        }
        assert_eq!(text(&["two words"], "?key=two+words&a=two%20words"), "?key=••••&a=••••");
    }

    #[test]
    fn a_secret_in_base64_is_hidden_wherever_it_begins_there() {
        for before in ["", "a", "ab", "abc", "user:"] {
            for after in ["", "z", "zz", ":x and more"] {
                let whole = format!("{before}{KEY}{after}");
                for coded in [BASE64_STANDARD_NO_PAD.encode(&whole), BASE64_URL_SAFE_NO_PAD.encode(&whole)] {
                    let shown = text(&[KEY], &format!("Basic {coded}="));
                    let left: usize = shown.split(HIDDEN).map(str::len).sum();
                    assert!(shown.contains(HIDDEN), "{whole}: {shown}");
                    // A character that also holds bits of the secret is hidden with it.
                    assert!(left <= "Basic =".len() + (before.len() + after.len()) * 4 / 3 + 1, "{whole}: {shown}");
                }
            }
        }
    }

    #[test]
    fn what_is_added_later_is_hidden_by_every_copy() {
        let one = Redaction::default();
        let other = one.clone();
        one.hide("token-4711");
        assert_eq!(other.text("Bearer token-4711"), "Bearer ••••");
    }

    #[test]
    fn in_data_only_what_does_not_stand_there_by_chance_is_a_secret() {
        for (secret, distinct) in [
            ("postgres", false),
            ("password", false),
            ("hunter2", false),
            ("12345678", false),
            ("hunter22", true),
            ("correct horse", true),
            ("aaaaaaaaaaaaaaaa", true),
        ] {
            assert_eq!(is_distinct(secret), distinct, "{secret}");
        }
    }
}
