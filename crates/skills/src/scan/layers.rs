//! Text inside a text: the content of base64, hexadecimal digits, lists of character codes and tag characters.
//!
//! Only readable decoded text is a layer; images and digests are not. Layers are searched for more layers, to a depth
//! of two; each is shorter than its source.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use base64::{
    Engine as _,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

/// Shorter runs are too short for an instruction.
const SHORTEST: usize = 20;
const DEPTH: usize = 2;

/// A text that was hidden in another.
#[derive(Debug)]
pub(super) struct Layer {
    /// Its start, as a byte offset in the outermost text.
    pub(super) at: usize,
    pub(super) text: String,
    /// How it was hidden.
    pub(super) how: &'static str,
}

/// Every layer of a text, and the layers of those.
pub(super) fn of(source: &str) -> Vec<Layer> {
    let mut layers = first(source);
    let mut from = 0;
    for _ in 1..DEPTH {
        let inner: Vec<_> = layers[from..]
            .iter()
            .flat_map(|outer| first(&outer.text).into_iter().map(|layer| Layer { at: outer.at, ..layer }))
            .collect();
        from = layers.len();
        layers.extend(inner);
    }
    layers
}

fn first(source: &str) -> Vec<Layer> {
    let mut layers = Vec::new();
    let is_base64 = |byte: u8| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'/' | b'-' | b'_');
    for (at, run) in runs(source, is_base64) {
        let hex = run.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| from_hex(run)).flatten();
        let layer = match hex.and_then(readable) {
            Some(text) => Some((text, "hexadecimal digits")),
            None => from_base64(run).and_then(readable).map(|text| (text, "base64")),
        };
        layers.extend(layer.map(|(text, how)| Layer { at, text, how }));
    }
    let is_list = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ');
    for (at, run) in runs(source, is_list).filter(|(_, run)| run.contains(',')) {
        let codes = run.split(',').map(|code| code.trim().parse::<u8>().ok());
        let text = codes.collect::<Option<Vec<_>>>().and_then(readable);
        layers.extend(text.map(|text| Layer { at, text, how: "a list of character codes" }));
    }
    let tags: Vec<_> = source.char_indices().filter(|(_, c)| ('\u{e0020}'..='\u{e007e}').contains(c)).collect();
    if let Some(&(at, _)) = tags.first() {
        let text = tags.iter().filter_map(|(_, c)| char::from_u32(*c as u32 - 0xe0000)).collect();
        layers.push(Layer { at, text, how: "invisible characters" });
    }
    layers.extend(turned(source));
    layers
}

/// Runs of bytes of one kind that are long enough for an instruction. It tests the end of a possible run first, so
/// most bytes are never read.
fn runs(source: &str, belongs: impl Fn(u8) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let bytes = source.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match bytes.get(start..start + SHORTEST)?.iter().rposition(|&byte| !belongs(byte)) {
                Some(other) => at += other + 1,
                None => {
                    let more = bytes[start + SHORTEST..].iter().take_while(|&&byte| belongs(byte)).count();
                    at += SHORTEST + more;
                    return Some((start, &source[start..at]));
                }
            }
        }
    })
}

fn from_base64(run: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let alphabet = if run.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    // A run with one character over was cut, or is not base64; the part before it may be.
    let whole = run.len() - usize::from(run.len() % 4 == 1);
    GeneralPurpose::new(alphabet, config).decode(&run[..whole]).ok()
}

fn from_hex(run: &str) -> Option<Vec<u8>> {
    let digits = run.as_bytes().chunks_exact(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// The bytes as text, when it is readable: UTF-8 or UTF-16 with mostly visible characters.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let is_wide = bytes.len() > 8 && bytes.iter().skip(1).step_by(2).all(|&byte| byte == 0);
    let bytes = if is_wide { bytes.into_iter().step_by(2).collect() } else { bytes };
    let text = String::from_utf8(bytes).ok()?;
    let fine = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    (text.len() >= SHORTEST / 2 && text.chars().all(fine)).then_some(text)
}

/// Words of commands that reverse text, and of those that shift its letters.
const ROUND: [&str; 5] = ["| rev", "rev <<<", "[::-1]", ".reverse()", "strrev("];
const MOVED: [&str; 5] = ["n-za-m", "N-ZA-M", "rot13", "ROT13", "rot_13"];

static TURNERS: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new([ROUND, MOVED].concat()).expect("ten words are few"));

/// Lines that a command in the text transforms: reversed, or with ROT13.
fn turned(source: &str) -> Vec<Layer> {
    let (mut round, mut moved) = (false, false);
    for word in TURNERS.find_iter(source) {
        *if word.pattern().as_usize() < ROUND.len() { &mut round } else { &mut moved } = true;
    }
    let round_text = || source.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect::<String>();
    let moved_text = |text: &str| text.chars().map(moved_letter).collect::<String>();
    let (text, how) = match (round, moved) {
        (false, false) => return Vec::new(),
        (true, false) => (round_text(), "text turned round"),
        (false, true) => (moved_text(source), "letters moved by thirteen"),
        (true, true) => (moved_text(&round_text()), "letters moved by thirteen and turned round"),
    };
    vec![Layer { at: 0, text, how }]
}

fn moved_letter(c: char) -> char {
    let base = match c {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return c,
    };
    char::from((c as u8 - base + 13) % 26 + base)
}
