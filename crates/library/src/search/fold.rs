//! Words in the form in which they are compared: without case, without diacritics, in one Unicode form.
//!
//! Scripts without blanks between words (Chinese, Japanese, Thai ...) are cut into pairs of characters, so that
//! any stretch of two or more is found. The last character of a stretch is a word of its own, so that it is
//! found alone too.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

/// In bytes, folded. A longer word is code or data that people do not search for.
pub(super) const LONGEST: usize = 48;

/// The words of a text, folded, each once, in the order of the text.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::<String>::new();
    each_word(text, |word, _| {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    });
    words
}

/// Calls `tell` with each word of a text, folded, and its byte range in the text.
pub(super) fn each_word(text: &str, mut tell: impl FnMut(&str, Range<usize>)) {
    // Nearly all texts are nearly all ASCII, whose words need nothing but this. All bytes stay where they are.
    let lower = lowercase(text);
    let mut folded = String::new();
    let bytes = lower.as_bytes();
    let up_to = |class, from: usize| from + bytes[from..].iter().take_while(|byte| class_of(**byte) == class).count();
    let mut at = 0;
    while at < bytes.len() {
        let start = up_to(Class::Between, at);
        at = up_to(Class::Plain, start);
        match bytes.get(at) {
            None | Some(..0x80) if start == at => {}
            None | Some(..0x80) => {
                if at - start <= LONGEST {
                    tell(&lower[start..at], start..at);
                }
            }
            Some(_) => {
                at = stretch(text, start, &mut |at| {
                    fold(&text[at.clone()], &mut folded);
                    if folded.len() <= LONGEST {
                        tell(&folded, at);
                    }
                });
            }
        }
    }
}

/// A text with its ASCII letters in lower case, eight bytes at a time. The standard library's own takes a byte at a time
/// in a program that is optimized for size.
fn lowercase(text: &str) -> String {
    const EACH: u64 = u64::MAX / 0xff;
    let mut bytes = text.as_bytes().to_vec();
    let (eights, rest) = bytes.as_chunks_mut::<8>();
    for eight in eights {
        let word = u64::from_le_bytes(*eight);
        // The highest bit of each byte says whether its lower seven are `A` or more, and whether they are more than `Z`.
        let lower_bits = word & (EACH * 0x7f);
        let (from_a, beyond_z) = (lower_bits + EACH * (0x80 - 0x41), lower_bits + EACH * (0x7f - 0x5a));
        let capital = from_a & !beyond_z & !word & (EACH * 0x80);
        *eight = (word | (capital >> 2)).to_le_bytes();
    }
    rest.make_ascii_lowercase();
    // Only letters of ASCII were changed, each to another.
    String::from_utf8(bytes).unwrap_or_default()
}

/// What a byte of a text in lower case is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// In no word.
    Between,
    /// A letter or a digit.
    Plain,
    /// A part of a character beyond ASCII.
    Other,
}

/// Looked up for each byte of a library: a table takes half the time of comparing.
fn class_of(byte: u8) -> Class {
    const CLASSES: [Class; 256] = {
        let mut classes = [Class::Between; 256];
        let mut byte = 0;
        while byte < 256 {
            if byte >= 0x80 {
                classes[byte] = Class::Other;
            } else if (byte as u8).is_ascii_alphanumeric() {
                classes[byte] = Class::Plain;
            }
            byte += 1;
        }
        classes
    };
    CLASSES[usize::from(byte)]
}

/// Tells the words of the stretch of one script that begins here, and returns where it ends.
fn stretch(text: &str, start: usize, tell: &mut impl FnMut(Range<usize>)) -> usize {
    let mut rest = text[start..].chars();
    let Some(first) = rest.next() else { return text.len() };
    let (mut before, mut end) = (start, start + first.len_utf8());
    let Some(script) = script(first) else { return end };
    for next in rest.take_while(|&next| self::script(next) == Some(script)) {
        let at = end;
        end += next.len_utf8();
        if script == Script::Dense {
            tell(before..end);
            before = at;
        }
    }
    tell(before..end);
    end
}

/// Whether a word of this text may begin with one of these folded starts. Ten times as fast as checking each
/// word, and `false` for most texts without them.
pub(super) fn may_hold(text: &str, starts: &[String]) -> bool {
    if !text.is_ascii() {
        return true;
    }
    let text = lowercase(text);
    starts.iter().any(|start| text.contains(start.as_str()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// With blanks between words.
    Spaced,
    /// Without them.
    Dense,
}

/// The script of a character that belongs to a word.
fn script(character: char) -> Option<Script> {
    match character {
        '0'..='9' | 'a'..='z' | 'A'..='Z' => Some(Script::Spaced),
        '\0'..='\x7f' => None,
        '\u{300}'..='\u{36f}' => Some(Script::Spaced), // an accent, which follows its letter
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3041}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' // Japanese
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' // Chinese
            => Some(Script::Dense),
        other => other.is_alphanumeric().then_some(Script::Spaced),
    }
}

fn fold(word: &str, folded: &mut String) {
    folded.clear();
    if word.is_ascii() {
        folded.push_str(word);
        folded.make_ascii_lowercase();
        return;
    }
    let is_accent = |character: &char| matches!(character, '\u{300}'..='\u{36f}');
    for character in word.nfkd().filter(|character| !is_accent(character)).flat_map(char::to_lowercase) {
        match character {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'đ' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            other if is_accent(&other) => {} // lowercasing a dotted capital I leaves its dot behind
            other => folded.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_diacritics_do_not_count() {
        assert_eq!(words("Résumé-Writer, E\u{301}tude"), ["resume", "writer", "etude"]);
        assert_eq!(words("STRASSE Straße İstanbul Łódź"), ["strasse", "istanbul", "lodz"]);
        assert_eq!(words("ＰＤＦ ﬁle"), ["pdf", "file"]);
    }

    #[test]
    fn scripts_without_blanks_are_cut_into_pairs() {
        assert_eq!(words("PDF转换。"), ["pdf", "转换", "换"]);
        assert_eq!(words("ｶﾒﾗ"), ["カメ", "メラ", "ラ"]);
    }

    #[test]
    fn a_text_in_lower_case_is_that_of_the_standard_library() {
        let every: String = (0..0x250_u32).filter_map(char::from_u32).collect();
        for start in every.char_indices().map(|(at, _)| at) {
            assert_eq!(lowercase(&every[start..]), every[start..].to_ascii_lowercase());
        }
    }

    #[test]
    fn each_word_tells_where_it_stands() {
        let mut told = Vec::new();
        each_word("Ein Tée, 天气预", |word, at| told.push((word.to_owned(), at)));
        let at: Vec<_> = told.iter().map(|(word, at)| (word.as_str(), at.start, at.end)).collect();
        assert_eq!(at, [("ein", 0, 3), ("tee", 4, 8), ("天气", 10, 16), ("气预", 13, 19), ("预", 16, 19)]);
    }

    #[test]
    fn a_text_that_is_passed_over_holds_no_word_that_begins_so() {
        let texts = ["Black TEA.", "teapot", "steam", "coffee", "Tée", "ＴＥＡ", "转换", "Te\u{301}a", "", "-- te a"];
        for start in ["te", "tea", "转", "a", "conv", "s"] {
            for text in texts {
                let holds = words(text).iter().any(|word| word.starts_with(start));
                assert!(may_hold(text, &[start.to_owned()]) || !holds, "{start} in {text}");
            }
        }
        assert!(!may_hold("coffee", &["tea".to_owned(), "pot".to_owned()]));
        assert!(may_hold("A Teapot", &["milk".to_owned(), "tea".to_owned()]));
    }

    #[test]
    fn what_nobody_types_is_no_word() {
        assert_eq!(words(&"x".repeat(LONGEST + 1)), [""; 0]);
        assert_eq!(words("--- !? \u{0}"), [""; 0]);
    }
}
