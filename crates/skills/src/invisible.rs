//! Characters that people do not see and models read (security.md, R11).
//!
//! Hidden text can be written in tag characters, in runs of zero-width characters or of variation
//! selectors, and the order in which people read can be turned around. The same characters have
//! honest uses: joined emoji, flags, Persian and Indic words, Arabic and Hebrew beside Latin text,
//! line breaks in Thai, forms of ideographs. This module tells the two apart by what stands
//! around them. It decodes nothing.

use std::ops::Range;

/// A stretch of a text that people do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invisible {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it is made of.
    pub kind: InvisibleKind,
}

/// What invisible text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InvisibleKind {
    /// U+E0000 to U+E007F: a second, invisible ASCII.
    Tags,
    /// An override of the reading direction, or an embedding or isolate that is never closed or
    /// turns around text that has no such direction.
    Direction,
    /// Zero-width characters inside a Latin word, or many in a row.
    ZeroWidth,
    /// A byte order mark anywhere but at the start.
    ByteOrderMark,
    /// Variation selectors in a row, or behind a letter that has no variants.
    VariationSelectors,
}

impl InvisibleKind {
    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tags => "tag characters, a second ASCII that nobody sees",
            Self::Direction => "marks that turn the reading direction around",
            Self::ZeroWidth => "characters without width",
            Self::ByteOrderMark => "a byte order mark inside of the text",
            Self::VariationSelectors => "variation selectors that select nothing",
        }
    }
}

/// Every stretch of invisible text, in order. A byte order mark at the very start is none.
pub fn invisible(text: &str) -> Vec<Invisible> {
    if text.is_ascii() || !text.chars().any(|c| kind(c).is_some() || is_direction(c)) {
        return Vec::new();
    }
    let characters: Vec<_> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let Some(kind) = kind(characters[at].1) else {
            at += 1;
            continue;
        };
        let end = at + characters[at..].iter().take_while(|&&(_, c)| self::kind(c) == Some(kind)).count();
        let run = Run { before: &characters[..at], run: &characters[at..end], after: &characters[end..] };
        if run.hides(kind) {
            let last = characters.get(end).map_or(text.len(), |&(offset, _)| offset);
            found.push(Invisible { range: characters[at].0..last, kind });
        }
        at = end;
    }
    found.extend(directions(text));
    found.sort_by_key(|invisible| invisible.range.start);
    found
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn kind(c: char) -> Option<InvisibleKind> {
    match c {
        ..'\u{34f}' => None,
        '\u{e0000}'..='\u{e007f}' => Some(InvisibleKind::Tags),
        '\u{feff}' => Some(InvisibleKind::ByteOrderMark),
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}' => {
            Some(InvisibleKind::VariationSelectors)
        }
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{ffa0}' => Some(InvisibleKind::ZeroWidth),
        _ => None,
    }
}

/// Characters of one kind in a row, and what stands around them.
struct Run<'c> {
    before: &'c [(usize, char)],
    run: &'c [(usize, char)],
    after: &'c [(usize, char)],
}

impl Run<'_> {
    fn hides(&self, kind: InvisibleKind) -> bool {
        match kind {
            InvisibleKind::Tags => !self.is_flag(),
            InvisibleKind::ByteOrderMark => !self.before.is_empty(),
            InvisibleKind::VariationSelectors => self.run.len() > 1 || !self.selects(),
            InvisibleKind::ZeroWidth => self.splits_a_word() || self.is_code(),
            InvisibleKind::Direction => false,
        }
    }

    /// The flags of England, Scotland and Wales are the only sequences of tags in general use.
    fn is_flag(&self) -> bool {
        let region: String = self.run.iter().filter_map(|&(_, tag)| char::from_u32(u32::from(tag) - 0xe0000)).collect();
        self.previous() == Some('\u{1f3f4}') && matches!(region.as_str(), "gbeng\u{7f}" | "gbsct\u{7f}" | "gbwls\u{7f}")
    }

    /// Whether the one selector has something before it that has variants.
    fn selects(&self) -> bool {
        let Some(base) = self.previous() else { return false };
        match self.run[0].1 {
            '\u{180b}'..='\u{180f}' => ('\u{1800}'..='\u{18af}').contains(&base),
            '\u{e0100}'..='\u{e01ef}' => ('\u{2e80}'..='\u{9fff}').contains(&base) || base >= '\u{f900}',
            _ => !is_latin(base) && !base.is_whitespace() || base.is_ascii_digit(),
        }
    }

    fn splits_a_word(&self) -> bool {
        let is_part = |c: Option<char>| c.is_some_and(|c| is_latin(c) || c.is_ascii_digit());
        is_part(self.previous()) && is_part(self.after.first().map(|&(_, c)| c))
    }

    /// Two kinds of characters in a row can spell anything; very many of one kind are no accident.
    fn is_code(&self) -> bool {
        let first = self.run[0].1;
        self.run.len() >= 8 || self.run.len() >= 3 && self.run.iter().any(|&(_, c)| c != first)
    }

    fn previous(&self) -> Option<char> {
        self.before.last().map(|&(_, c)| c)
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || c.is_alphabetic() && matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Marks that turn the reading direction around, paragraph by paragraph, as they end there.
fn directions(text: &str) -> Vec<Invisible> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2029}']) {
        found.extend(line_directions(line).into_iter().map(|(at, c)| {
            let from = start + at;
            Invisible { range: from..from + c.len_utf8(), kind: InvisibleKind::Direction }
        }));
        start += line.len();
    }
    found
}

fn line_directions(line: &str) -> Vec<(usize, char)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    // Remembered, because a line may close what it opened a hundred thousand times.
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
                    // What closes an override goes with it.
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

    fn kinds(text: &str) -> Vec<InvisibleKind> {
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
        ] {
            assert_eq!(kinds(text), [], "{text:?}");
        }
    }

    #[test]
    fn hidden_text_is_found_at_its_place() {
        use InvisibleKind::{ByteOrderMark, Direction, Tags, VariationSelectors, ZeroWidth};
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
            assert_eq!(invisible(text), [Invisible { range, kind }], "{text:?}");
        }
        assert_eq!(kinds("\u{202e}aet\u{202c}"), [Direction, Direction]);
        assert_eq!(kinds("if \u{2067}admin\u{2069} {"), [Direction, Direction]);
    }

    /// The ways in which hidden text is really written, over any bytes.
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
