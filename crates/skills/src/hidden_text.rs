//! Characters that people do not see and models read (security rule 11).
//!
//! Hidden text can be written in tag characters, in rows of zero-width characters or of variation selectors, and the
//! order in which people read can be turned around. Unicode's tables (`classes`) say which characters are invisible,
//! so none is forgotten. Most have honest uses: joined emoji, flags, Persian and Indic words, Arabic and Hebrew next
//! to Latin text, line breaks in Thai, forms of ideographs, pictures in braille, icons. This module tells honest and
//! hidden uses apart by the surrounding characters. It decodes nothing.

use std::ops::Range;

use crate::classes::{is_direction, is_private, is_selector, is_unassigned, is_unseen};

/// A stretch of a text that people do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenText {
    /// The byte range in the text.
    pub range: Range<usize>,
    /// What it is made of.
    pub kind: HiddenKind,
}

/// What invisible text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HiddenKind {
    /// U+E0000 to U+E007F: a second, invisible ASCII.
    Tags,
    /// An override of the reading direction, or an embedding or isolate that is never closed or
    /// turns around text that has no such direction.
    Direction,
    /// Zero-width characters inside a Latin word, or many in a row.
    ZeroWidth,
    /// A byte order mark after the start.
    ByteOrderMark,
    /// Variation selectors in a row, or behind a letter that has no variants.
    VariationSelectors,
    /// Controls other than tabs, line ends and page breaks.
    Controls,
    /// U+2028 and U+2029: line ends that most programs do not show as such.
    LineEnds,
    /// Marks and signs that are drawn as nothing.
    Blanks,
    /// Many characters in a row whose meaning is a private agreement.
    Private,
}

impl HiddenKind {
    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tags => "tag characters, a second ASCII that nobody sees",
            Self::Direction => "marks that turn the reading direction around",
            Self::ZeroWidth => "characters without width",
            Self::ByteOrderMark => "a byte order mark inside of the text",
            Self::VariationSelectors => "variation selectors that select nothing",
            Self::Controls => "control characters",
            Self::LineEnds => "line ends that do not look like any",
            Self::Blanks => "signs that are drawn as nothing",
            Self::Private => "characters that mean whatever somebody agreed on",
        }
    }
}

/// Every stretch of invisible text, in order. A byte order mark at the very start does not count.
pub fn invisible(text: &str) -> Vec<HiddenText> {
    if !text.chars().any(|c| kind(c).is_some() || is_direction(c)) {
        return Vec::new();
    }
    let characters: Vec<_> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let unseen = characters[at..].iter().take_while(|&&(_, c)| kind(c).is_some()).count();
        if unseen == 0 {
            at += 1;
            continue;
        }
        found.extend(in_row(&characters, at..at + unseen, text));
        at += unseen;
    }
    found.extend(directions(text));
    found.sort_by_key(|invisible| invisible.range.start);
    found
}

/// The hidden text in a row of invisible characters: the whole row when it spells something, else a part for each
/// kind.
fn in_row(characters: &[(usize, char)], row: Range<usize>, text: &str) -> Vec<HiddenText> {
    let offset = |at: usize| characters.get(at).map_or(text.len(), |&(offset, _)| offset);
    let run = |at: Range<usize>| Run {
        before: &characters[..at.start],
        run: &characters[at.clone()],
        after: &characters[at.end..],
    };
    let (mut found, mut spells) = (Vec::new(), false);
    let mut at = row.start;
    while at < row.end {
        let Some(kind) = kind(characters[at].1) else { break };
        let end = at + characters[at..row.end].iter().take_while(|&&(_, c)| self::kind(c) == Some(kind)).count();
        let of_kind = run(at..end);
        let is_honest = kind == HiddenKind::Tags && of_kind.is_flag();
        spells |= !is_honest && run(row.clone()).is_code();
        if of_kind.hides(kind) {
            found.push(HiddenText { range: offset(at)..offset(end), kind });
        }
        at = end;
    }
    let kinds: Vec<_> = characters[row.clone()].iter().filter_map(|&(_, c)| kind(c)).collect();
    let is_mixed = kinds.iter().any(|kind| *kind != kinds[0]);
    if spells && is_mixed {
        return vec![HiddenText { range: offset(row.start)..offset(row.end), kind: kinds[0] }];
    }
    found
}

/// The kind of an invisible character; `None` for line ends and for direction marks, which `directions` judges.
fn kind(c: char) -> Option<HiddenKind> {
    match c {
        '\t' | '\n' | '\r' | '\u{c}' | ' '..='~' => None,
        _ if !is_unseen(c) => None,
        _ if c.is_control() => Some(HiddenKind::Controls),
        '\u{e0000}'..='\u{e007f}' => Some(HiddenKind::Tags),
        '\u{feff}' => Some(HiddenKind::ByteOrderMark),
        '\u{2028}' | '\u{2029}' => Some(HiddenKind::LineEnds),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        '\u{2800}' | '\u{fff9}'..='\u{fffc}' => Some(HiddenKind::Blanks),
        _ if is_private(c) => Some(HiddenKind::Private),
        _ if is_selector(c) => Some(HiddenKind::VariationSelectors),
        _ => Some(HiddenKind::ZeroWidth),
    }
}

const SOFT_HYPHEN: char = '\u{ad}';

/// How much of a line of a picture is examined, in characters.
const LINE: usize = 512;

/// A row of characters, and their neighbours.
struct Run<'c> {
    before: &'c [(usize, char)],
    run: &'c [(usize, char)],
    after: &'c [(usize, char)],
}

impl Run<'_> {
    fn hides(&self, kind: HiddenKind) -> bool {
        match kind {
            HiddenKind::Tags => !self.is_flag(),
            HiddenKind::ByteOrderMark => !self.before.is_empty(),
            HiddenKind::VariationSelectors => self.run.len() > 1 || !self.selects(),
            HiddenKind::ZeroWidth => self.splits_a_word() || self.is_code() || self.means_nothing(),
            HiddenKind::Controls | HiddenKind::LineEnds => true,
            HiddenKind::Blanks => !self.is_braille(),
            HiddenKind::Private => self.is_code(),
            HiddenKind::Direction => false,
        }
    }

    /// The flags of England, Scotland and Wales are the only sequences of tags in general use.
    fn is_flag(&self) -> bool {
        let region: String = self.run.iter().filter_map(|&(_, tag)| char::from_u32(u32::from(tag) - 0xe0000)).collect();
        self.previous() == Some('\u{1f3f4}') && matches!(region.as_str(), "gbeng\u{7f}" | "gbsct\u{7f}" | "gbwls\u{7f}")
    }

    /// Whether the row is one selector after a character that has variants.
    fn selects(&self) -> bool {
        let Some(base) = self.previous() else { return false };
        match self.run[0].1 {
            '\u{180b}'..='\u{180f}' => ('\u{1800}'..='\u{18af}').contains(&base),
            '\u{e0100}'..='\u{e01ef}' => ('\u{2e80}'..='\u{9fff}').contains(&base) || base >= '\u{f900}',
            _ => !is_latin(base) && !base.is_whitespace() || base.is_ascii_digit(),
        }
    }

    /// Whether the row splits a word. One soft hyphen is allowed.
    fn splits_a_word(&self) -> bool {
        let is_part = |c: Option<char>| c.is_some_and(|c| is_latin(c) || c.is_ascii_digit());
        let is_hyphen = self.run.len() == 1 && self.run[0].1 == SOFT_HYPHEN;
        !is_hyphen && is_part(self.previous()) && is_part(self.after.first().map(|&(_, c)| c))
    }

    /// Whether the row can be a code: two kinds of characters can spell anything, and many of one kind are no
    /// accident.
    fn is_code(&self) -> bool {
        let first = self.run[0].1;
        let most = if first == SOFT_HYPHEN { 1 } else { 3 };
        self.run.len() > most || self.run.len() >= 3 && self.run.iter().any(|&(_, c)| c != first)
    }

    /// Whether one of the characters is unassigned in Unicode.
    fn means_nothing(&self) -> bool {
        self.run.iter().any(|&(_, c)| is_unassigned(c))
    }

    /// Whether the row is part of a braille picture, which is full of patterns without dots.
    fn is_braille(&self) -> bool {
        let is_pattern = |&&(_, c): &&(usize, char)| ('\u{2801}'..='\u{28ff}').contains(&c);
        let in_line = |&&(_, c): &&(usize, char)| c != '\n';
        let all = self.run.iter().all(|&(_, c)| c == '\u{2800}');
        let before = || self.before.iter().rev().take_while(in_line).take(LINE).any(|c| is_pattern(&c));
        let after = || self.after.iter().take_while(in_line).take(LINE).any(|c| is_pattern(&c));
        all && (before() || after())
    }

    fn previous(&self) -> Option<char> {
        self.before.last().map(|&(_, c)| c)
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || c.is_alphabetic() && matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Marks that reverse the reading direction, by paragraph, because they end there.
fn directions(text: &str) -> Vec<HiddenText> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2029}']) {
        found.extend(line_directions(line).into_iter().map(|(at, c)| {
            let from = start + at;
            HiddenText { range: from..from + c.len_utf8(), kind: HiddenKind::Direction }
        }));
        start += line.len();
    }
    found
}

fn line_directions(line: &str) -> Vec<(usize, char)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    // Cached, because a line may open and close a direction a hundred thousand times.
    let mut last_right_to_left = None;
    for (at, c) in line.char_indices() {
        match c {
            '\u{202d}' | '\u{202e}' => {
                found.push((at, c));
                open.push((at, c));
            }
            '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}' => open.push((at, c)),
            '\u{202c}' | '\u{2069}' => {
                let closes = |&(_, opened): &(usize, char)| (opened >= '\u{2066}') == (c == '\u{2069}');
                match open.pop_if(|opened| closes(opened)) {
                    None => found.push((at, c)),
                    // They enclose nothing, so they encode something else.
                    Some((from, opened))
                        if from + opened.len_utf8() == at && !matches!(opened, '\u{202d}' | '\u{202e}') =>
                    {
                        found.extend([(from, opened), (at, c)]);
                    }
                    // The mark that closes an override belongs to it.
                    Some((_, '\u{202d}' | '\u{202e}')) => found.push((at, c)),
                    Some((from, opened @ ('\u{202b}' | '\u{2067}'))) if last_right_to_left < Some(from) => {
                        found.extend([(from, opened), (at, c)]);
                    }
                    Some(_) => {}
                }
            }
            _ if is_right_to_left(c) => last_right_to_left = Some(at),
            _ => {}
        }
    }
    found.extend(open.into_iter().filter(|(_, c)| !matches!(c, '\u{202d}' | '\u{202e}')));
    found
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
        && c != '\u{61c}'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kinds(text: &str) -> Vec<HiddenKind> {
        invisible(text).into_iter().map(|invisible| invisible.kind).collect()
    }

    #[test]
    fn honest_text_of_every_script_is_left_alone() {
        for text in [
            "\u{feff}# Tea",
            "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3} 🏳\u{fe0f}\u{200d}🌈",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "ภาษา\u{200b}ไทย",
            "茶\u{e0100}と葛\u{fe00}",
            "שלום \u{200f}(tea)\u{200e}",
            "Name: \u{2068}שלום\u{2069}, \u{2067}مرحبا\u{2069}, \u{202b}שלום\u{202c}",
            "https://\u{200b}example.org",
            "soft\u{ad}hyphen, café, naïve",
            "ᠠ\u{180b}",
            "⣿⠀⠀⠀⠀⠀⠀⡇\n⠋⠙⠹",
            " \u{f09b} GitHub \u{e0b0} \u{f8ff}",
            "a\u{c}b\tc\r\n",
            "مرحبا\u{61c}؟ (abc)\u{200f}",
            "한국\u{3164}어",
            "👨\u{1f3fd}\u{200d}🦰 🏴\u{200d}☠\u{fe0f} ⚠\u{fe0f}",
        ] {
            assert_eq!(kinds(text), [], "{text:?}");
        }
    }

    #[test]
    fn hidden_text_is_found_at_its_place() {
        use HiddenKind::{ByteOrderMark, Direction, Tags, VariationSelectors, ZeroWidth};
        for (text, kind, range) in [
            ("tea\u{e0068}\u{e0069}!", Tags, 3..11),
            ("🏴\u{e0068}\u{e007f}", Tags, 4..12),
            ("te\u{200b}a", ZeroWidth, 2..5),
            ("pass\u{2060}word", ZeroWidth, 4..7),
            ("a \u{200b}\u{200c}\u{200b} b", ZeroWidth, 2..11),
            ("a\u{feff}b", ByteOrderMark, 1..4),
            ("😀\u{fe01}\u{fe02}", VariationSelectors, 4..10),
            ("t\u{fe0f}ea", VariationSelectors, 1..4),
            ("a\u{e0101}", VariationSelectors, 1..5),
            ("\u{2067}tea", Direction, 0..3),
            ("tea\u{202c}", Direction, 3..6),
        ] {
            assert_eq!(invisible(text), [HiddenText { range, kind }], "{text:?}");
        }
        for row in [
            "\u{ad}\u{ad}",
            "\u{61c}\u{61c}\u{61c}\u{61c}",
            "\u{200e}\u{200f}\u{200e}",
            "\u{200b}\u{200b}\u{200b}\u{200b}",
            "\u{17b4}\u{17b5}\u{17b4}",
        ] {
            assert_eq!(kinds(&format!("tea {row} pot")), [ZeroWidth], "{row:?}");
        }
        for (text, kind) in [
            ("tea \u{2065}", ZeroWidth),
            ("tea \u{e0fff}", ZeroWidth),
            ("tea\u{2028}pot", HiddenKind::LineEnds),
            ("tea\u{2029}pot", HiddenKind::LineEnds),
            ("a \u{2800} b", HiddenKind::Blanks),
            ("a\u{fff9}b", HiddenKind::Blanks),
            ("a\u{fffc}", HiddenKind::Blanks),
            ("\u{1b}[2J", HiddenKind::Controls),
            ("\0", HiddenKind::Controls),
            ("\u{7f}", HiddenKind::Controls),
            ("\u{9b}31m", HiddenKind::Controls),
            ("\u{e001}\u{e002}\u{e003}", HiddenKind::Private),
            ("tea\u{200f}pot", ZeroWidth),
            ("\u{200b}\u{fe01}\u{e0041}", ZeroWidth),
        ] {
            assert_eq!(kinds(text), [kind], "{text:?}");
        }
        assert_eq!(kinds("\u{202a}\u{202c}"), [Direction, Direction]);
        assert_eq!(kinds("\u{202e}aet\u{202c}"), [Direction, Direction]);
        assert_eq!(kinds("if \u{2067}admin\u{2069} {"), [Direction, Direction]);
    }

    /// Encodes bytes in the ways in which hidden text is really written.
    fn hidden(bytes: &[u8], how: usize) -> String {
        let selector = |byte: u8| match byte {
            0..16 => char::from_u32(0xfe00 + u32::from(byte)),
            _ => char::from_u32(0xe0100 + u32::from(byte) - 16),
        };
        let bits = |zero: char, one: char| -> String {
            bytes
                .iter()
                .flat_map(|&byte| (0..8).map(move |bit| if byte >> bit & 1 == 1 { one } else { zero }))
                .collect()
        };
        match how {
            0 => bytes.iter().filter_map(|&byte| char::from_u32(0xe0000 + u32::from(byte & 0x7f))).collect(),
            1 => bytes.iter().filter_map(|&byte| selector(byte)).collect(),
            2 => bits('\u{200b}', '\u{200c}'),
            3 => bits('\u{2062}', '\u{2064}'),
            4 => format!("\u{202e}{}\u{202c}", "x".repeat(bytes.len())),
            _ => "in\u{200b}struc\u{200d}tion".to_owned(),
        }
    }

    /// A row of any two characters that Unicode calls invisible is found.
    #[test]
    fn no_unseen_character_is_forgotten() {
        let rows =
            ('\u{80}'..=char::MAX).filter(|&c| crate::classes::is_ignorable(c) || is_direction(c) || c.is_control());
        let mut count = 0;
        for c in rows {
            let row = format!("tea {c}\u{200b}{c}{c}\u{200b}{c} pot");
            assert!(!invisible(&row).is_empty(), "U+{:04X}", u32::from(c));
            count += 1;
        }
        assert!(count > 4_000, "{count}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn every_hidden_payload_is_found(bytes in prop::collection::vec(any::<u8>(), 2..20), how in 0usize..6, before in "[a-z ]{0,9}|☕|茶", after in "[a-z ]{0,9}|☕|茶") {
            let text = format!("{before}{}{after}", hidden(&bytes, how));
            let found = invisible(&text);
            prop_assert!(!found.is_empty(), "{:?}", text);
            prop_assert!(found.iter().all(|invisible| text.get(invisible.range.clone()).is_some()));
        }
    }
}
