//! A text without disguises: quotes, escapes, look-alike letters and line ends inside its words are undone.
//!
//! The rules of several shells and languages are mixed on purpose, because a skill mixes them too. Undoing too much
//! costs little: only the patterns read the result. It is one pass with limited growth by variables, so the work is
//! linear in the length of the text.

use std::{borrow::Cow, collections::HashMap};

/// How much a text may grow when its variables are filled in, in bytes.
const GROWTH: usize = 64 << 10;
/// The longest value of a variable that is filled in.
const LONGEST_VALUE: usize = 200;

/// The text of a file: UTF-8 (invalid bytes become U+FFFD) or UTF-16 with a byte order mark; `None` for other bytes.
pub(super) fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        Some(Cow::Owned(String::from_utf16_lossy(&units)))
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ if bytes.iter().take(8 << 10).any(|&byte| byte == 0) => None,
        _ => Some(String::from_utf8_lossy(bytes)),
    }
}

/// A text in lower case, with its disguises undone.
#[derive(Debug, Default)]
pub(super) struct Plain {
    pub(super) text: String,
    /// Starts of stretches, in this text and in the source.
    stretches: Vec<(usize, usize)>,
}

impl Plain {
    pub(super) fn new(source: &str) -> Self {
        let variables = variables(source);
        let mut plain = Self { text: String::with_capacity(source.len()), stretches: vec![(0, 0)] };
        let mut growth = GROWTH;
        let mut row = Row::default();
        let mut at = 0;
        while at < source.len() {
            let rest = &source[at..];
            let kept = rest.bytes().position(may_bend).unwrap_or(rest.len());
            plain.text.push_str(&rest[..kept]);
            at += kept;
            let in_row = row.goes_on(&plain.text);
            let rest = &source[at..];
            let Some(first) = rest.chars().next() else { break };
            match undone(rest, first, &plain.text, in_row, &variables) {
                Some((meant, length)) => {
                    let more = meant.len().saturating_sub(length);
                    let meant = if more > growth { Cow::Borrowed("") } else { meant };
                    growth -= more.min(growth);
                    plain.stretches.push((plain.text.len(), at));
                    plain.text.push_str(&meant);
                    at += length;
                    plain.stretches.push((plain.text.len(), at));
                }
                None => {
                    plain.text.push(first);
                    at += first.len_utf8();
                }
            }
        }
        plain.text.make_ascii_lowercase();
        plain
    }

    /// The source offset of the byte `offset` of the text.
    pub(super) fn source(&self, offset: usize) -> usize {
        let after = self.stretches.partition_point(|&(here, _)| here <= offset);
        let (here, there) = self.stretches[after.max(1) - 1];
        let end = self.stretches.get(after).map_or(usize::MAX, |&(_, there)| there);
        (there + offset - here).min(end)
    }
}

fn may_bend(byte: u8) -> bool {
    matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'^' | b'$' | b'%' | b'&' | b'*' | b'|' | 0x80..)
}

/// The meaning of the start of `rest` and its length in the source; `None` when it means itself.
fn undone<'s>(
    rest: &'s str,
    first: char,
    before: &str,
    in_row: bool,
    variables: &HashMap<&str, Cow<'s, str>>,
) -> Option<(Cow<'s, str>, usize)> {
    let bytes = rest.as_bytes();
    let after_word = before.bytes().last().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let in_word = after_word && bytes.get(1).is_some_and(u8::is_ascii_alphanumeric);
    let nothing = |length| Some((Cow::Borrowed(""), length));
    match first {
        '\\' | '`' | '^' if line_end(&rest[1..]) > 0 && (first != '`' || before.ends_with(' ')) => {
            let length = 1 + line_end(&rest[1..]);
            let blank = rest[length..].len() - rest[length..].trim_start_matches([' ', '\t']).len();
            Some((Cow::Borrowed(" "), length + blank))
        }
        '\\' => escaped(rest, after_word),
        '\'' | '"' if after_word && bytes.get(1) == Some(&bytes[0]) && word_follows(&rest[2..]) => nothing(2),
        '\'' | '"' if joined(rest) > 0 => nothing(joined(rest)),
        '\'' | '"' | '`' | '^' if in_word => nothing(1),
        '$' if bytes.get(1) == Some(&b'$') => nothing(1),
        '$' => filled(rest, variables),
        '%' => hexadecimal(&rest[1..], 2).filter(char::is_ascii_alphanumeric).map(|c| (c.to_string().into(), 3)),
        '&' => reference(rest),
        '*' if rest.starts_with("**") => nothing(2),
        '|' if line_end(&rest[1..]) > 0 && !in_row => Some((Cow::Borrowed("| "), 1 + line_end(&rest[1..]))),
        _ if first.is_ascii() => None,
        _ => folded(first),
    }
}

fn word_follows(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_alphanumeric())
}

fn line_end(rest: &str) -> usize {
    if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) }
}

/// Whether the last line of a growing text starts with a bar: a row of a Markdown table ends with one too. Every byte
/// is read once, for lines of any length.
#[derive(Default)]
struct Row {
    seen: usize,
    /// The first byte of the line that is neither blank nor a quotation mark `>`.
    first: Option<u8>,
}

impl Row {
    fn goes_on(&mut self, text: &str) -> bool {
        for byte in &text.as_bytes()[self.seen..] {
            match byte {
                b'\n' => self.first = None,
                b' ' | b'>' => {}
                other => self.first = self.first.or(Some(*other)),
            }
        }
        self.seen = text.len();
        self.first == Some(b'|')
    }
}

/// `"one" + "two"` or `"one" "two"`: the length of the text between `one` and `two`.
fn joined(rest: &str) -> usize {
    let quote = &rest[..1];
    if rest[1..].strip_prefix(' ').is_some_and(|second| second.starts_with(quote)) {
        return 3;
    }
    let plus = rest[1..].trim_start();
    let Some(second) = plus.strip_prefix('+').or_else(|| plus.strip_prefix('.')) else { return 0 };
    let second = second.trim_start();
    if second.starts_with(quote) { rest.len() - second.len() + 1 } else { 0 }
}

/// Decodes escapes: `\x63`, `\u0063`, `\143`, `\c\u\r\l` and a `\n` inside quotes.
fn escaped<'s>(rest: &'s str, after_word: bool) -> Option<(Cow<'s, str>, usize)> {
    let visible = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let letter = |digits: &str, radix, length| {
        let code = u32::from_str_radix(digits, radix).ok()?;
        char::from_u32(code).filter(visible).map(|c| (Cow::Owned(c.to_string()), length))
    };
    let coded = match rest.as_bytes().get(1)? {
        b'x' => rest.get(2..4).and_then(|digits| letter(digits, 16, 4)),
        b'u' => rest.get(2..6).and_then(|digits| letter(digits, 16, 6)),
        b'0'..=b'3' => rest.get(1..4).and_then(|digits| letter(digits, 8, 4)),
        b'n' | b'r' | b't' if !after_word => Some((Cow::Borrowed(" "), 2)),
        _ => None,
    };
    coded.or_else(|| {
        let pairs =
            rest.as_bytes().chunks_exact(2).take_while(|pair| pair[0] == b'\\' && pair[1].is_ascii_alphabetic());
        let length = pairs.take(64).count() * 2;
        (length >= 6).then(|| (rest[..length].replace('\\', "").into(), length))
    })
}

/// Fills in `$IFS`, `$'` and variables that the text itself sets.
fn filled<'s>(rest: &'s str, variables: &HashMap<&str, Cow<'s, str>>) -> Option<(Cow<'s, str>, usize)> {
    if let Some(quoted) = rest.strip_prefix("$'") {
        // In YAML a quote inside quotes is doubled.
        let quote = if quoted.starts_with('\'') { "''" } else { "'" };
        let inside = &quoted[quote.len() - 1..];
        let end = inside.char_indices().take(LONGEST_VALUE).find(|&(at, _)| inside[at..].starts_with(quote))?.0;
        return Some((letters(&inside[..end]).into(), 1 + 2 * quote.len() + end));
    }
    let (name, length) = match rest[1..].strip_prefix('{') {
        Some(inside) => {
            let end = inside.bytes().take(LONGEST_VALUE).position(|byte| byte == b'}')?;
            (&inside[..end], end + 3)
        }
        None => {
            let end = name_end(&rest[1..]);
            (&rest[1..=end], end + 1)
        }
    };
    if name == "IFS" {
        return Some((Cow::Borrowed(" "), length));
    }
    variables.get(name).map(|value| (value.clone(), length))
}

/// A text with its escaped letters decoded.
fn letters(text: &str) -> String {
    let mut meant = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let read = if first == '\\' { escaped(rest, false) } else { None };
        let (letter, length) = read.unwrap_or((Cow::Owned(first.to_string()), first.len_utf8()));
        meant.push_str(&letter);
        rest = &rest[length..];
    }
    meant
}

fn name_end(text: &str) -> usize {
    text.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_')).unwrap_or(text.len())
}

/// Variables of a shell that are set to plain text.
fn variables(source: &str) -> HashMap<&str, Cow<'_, str>> {
    if !source.contains('$') {
        return HashMap::new();
    }
    let mut variables: HashMap<&str, Cow<'_, str>> = HashMap::new();
    for line in source.split(['\n', ';', '`']) {
        let words = || line.split_ascii_whitespace();
        let several = words().nth(1).is_some() && words().all(|word| assignment(word).is_some());
        let parts: Vec<_> = if several { words().collect() } else { vec![line] };
        for (name, value) in parts.into_iter().filter_map(assignment) {
            let value =
                if value.contains('$') { expanded(value, &variables).map(Cow::Owned) } else { Some(value.into()) };
            variables.extend(value.map(|value| (name, value)));
        }
    }
    variables
}

/// A value with earlier variables filled in.
fn expanded<'s>(value: &'s str, variables: &HashMap<&str, Cow<'s, str>>) -> Option<String> {
    let (mut meant, mut rest) = (String::new(), value);
    while let Some(at) = rest.find('$') {
        let (filled, length) = filled(&rest[at..], variables)?;
        meant = meant + &rest[..at] + &filled;
        rest = &rest[at + length..];
    }
    meant += rest;
    (meant.len() <= LONGEST_VALUE).then_some(meant)
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(['!', '`']);
    let line = ["export ", "local ", "set ", "$"].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end();
    let value = value.trim().trim_matches(['"', '\'']);
    let fits = !name.is_empty() && name_end(name) == name.len() && (1..=LONGEST_VALUE).contains(&value.len());
    (fits && !value.contains(['`', '(', '='])).then_some((name, value))
}

/// Decodes `&#99;` and `&#x63;`.
fn reference(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let code = rest.strip_prefix("&#")?;
    let end = code.bytes().take(9).position(|byte| byte == b';')?;
    let code = match code[..end].strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => code[..end].parse(),
    };
    Some((char::from_u32(code.ok()?)?.to_string().into(), end + 3))
}

fn hexadecimal(rest: &str, digits: usize) -> Option<char> {
    u32::from_str_radix(rest.get(..digits)?, 16).ok().and_then(char::from_u32)
}

/// A letter as its Latin look-alike; empty for an invisible character.
fn folded(c: char) -> Option<(Cow<'static, str>, usize)> {
    let meant = match c {
        '\u{ff01}'..='\u{ff5e}' => return char::from_u32(c as u32 - 0xfee0).map(|c| (c.to_string().into(), 3)),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => "",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e01ef}' => "",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => " ",
        '\u{2018}' | '\u{2019}' => "'",
        '\u{201c}' | '\u{201d}' => "\"",
        // Only Greek, Cyrillic and phonetic letters have look-alikes.
        _ if !matches!(c, '\u{370}'..='\u{52f}' | '\u{1d00}'..='\u{1d7f}') => return None,
        _ => TWINS.iter().find(|(twins, _)| twins.contains(c)).map(|(_, letter)| *letter)?,
    };
    Some((Cow::Borrowed(meant), c.len_utf8()))
}

/// Letters of other scripts that look like a Latin one.
const TWINS: &[(&str, &str)] = &[
    ("аΑαᴀ", "a"),
    ("ВΒв", "b"),
    ("сСϲ", "c"),
    ("еЕΕ", "e"),
    ("һНΗ", "h"),
    ("іІΙι", "i"),
    ("јЈ", "j"),
    ("кКΚκ", "k"),
    ("ӏ", "l"),
    ("мМΜ", "m"),
    ("пΝ", "n"),
    ("оОΟο", "o"),
    ("рРΡρ", "p"),
    ("ѕЅ", "s"),
    ("тТΤτ", "t"),
    ("υ", "u"),
    ("ѵν", "v"),
    ("хХΧχ", "x"),
    ("уУΥ", "y"),
    ("ΖЗ", "z"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguised_words_are_read_as_they_are_meant() {
        for (source, meant) in [
            ("c''url", "curl"),
            ("CU\\\n  RL", "cu rl"),
            ("$'\\x63url' -s", "curl -s"),
            ("\\c\\u\\r\\l", "curl"),
            ("&#99;&#x75;rl", "curl"),
            ("a=cu\n${a}rl", "a=cu\ncurl"),
            ("curl${IFS}x", "curl x"),
            ("a=cu b=rl; $a$b", "a=cu b=rl; curl"),
            ("x=cu\ny=${x}rl\n$y", "x=cu\ny=curl\ncurl"),
            ("\"cu\" + \"rl\"", "\"curl\""),
            ("ｃｕrl с\u{200b}url", "curl curl"),
            ("I`nvoke c^url", "invoke curl"),
            ("curl x |\nsh", "curl x | sh"),
        ] {
            assert_eq!(Plain::new(source).text, meant, "{source:?}");
        }
    }

    #[test]
    fn ordinary_text_keeps_its_words_and_lines() {
        for text in ["| a | b |\n| c | d |\n", "c:\\users\\public", "x = \"\"", "```\ncode\n```\n", "50% & more"] {
            assert_eq!(Plain::new(text).text, text);
        }
    }

    #[test]
    fn a_pipe_at_the_end_of_every_line_takes_no_longer_than_other_text() {
        let source = "a|\n".repeat(2 << 20);
        // Quadratic work would take an hour; the test passes by finishing.
        assert_eq!(Plain::new(&source).text.len(), source.len());
    }

    #[test]
    fn rows_of_a_table_stay_lines() {
        for text in ["> | a |\n> | b |\n", "x\n | a |\n", "a|b\n|c|\n"] {
            assert_eq!(Plain::new(text).text, text);
        }
        assert_eq!(Plain::new("a|\nb|\n>|\nc").text, "a| b| >| c");
    }

    #[test]
    fn a_byte_leads_back_to_where_it_came_from() {
        let source = "ab c''url &#99;d";
        let plain = Plain::new(source);
        let back = |word: &str| plain.source(plain.text.find(word).unwrap());
        assert_eq!((back("ab"), back("url"), back("d")), (0, 6, source.len() - 1));
    }
}
