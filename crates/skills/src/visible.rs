//! Makes text fully visible: terminal controls and invisible characters become their code, `<U+202E>`. Words of other
//! scripts, emoji and ideographs keep the marks that belong to them.

use crate::classes::{JOINER, NON_JOINER, is_picture, is_selector, is_unseen};

/// A text of several lines. Line ends stay.
pub fn visible(text: &str) -> String {
    spelled(text, '\n')
}

/// The text as a single line. Tabs stay.
pub fn visible_line(text: &str) -> String {
    spelled(text, '\t')
}

/// Equivalent JSON that is safe to show: characters that the other functions replace by a code become JSON escapes.
pub fn visible_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        // Characters below U+0020 remain only between values: JSON strings cannot contain them.
        if c > ' ' && is_unseen(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

fn spelled(text: &str, stays: char) -> String {
    let mut shown = String::with_capacity(text.len());
    // The character that a mark may belong to. It may have one selector and then one joiner: rows of them can spell
    // anything.
    let (mut base, mut is_selected) = (None, false);
    for c in text.chars() {
        if c == stays || !is_unseen(c) {
            (base, is_selected) = (Some(c), false);
            shown.push(c);
        } else if is_selector(c) && !is_selected && base.is_some_and(takes_selectors) {
            is_selected = true;
            shown.push(c);
        } else if matches!(c, JOINER | NON_JOINER) && base.is_some_and(is_joined) {
            base = None;
            shown.push(c);
        } else {
            base = None;
            shown.push_str(&format!("<U+{:04X}>", u32::from(c)));
        }
    }
    shown
}

/// Whether a character has variants: pictographs, letters and signs beyond Latin text, and the characters of keycap
/// emoji.
fn takes_selectors(c: char) -> bool {
    is_joined(c) || c.is_ascii_digit() || matches!(c, '#' | '*')
}

fn is_joined(c: char) -> bool {
    is_picture(c) || c > '\u{2ff}' && !c.is_whitespace() && !('\u{2000}'..='\u{206f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_and_what_nobody_sees_stands_as_its_code() {
        for (text, shown) in [
            ("a\u{1b}[2Jb\u{7f}\u{9b}", "a<U+001B>[2Jb<U+007F><U+009B>"),
            ("\u{202e}x\u{2066}y\u{200f}z\u{61c}", "<U+202E>x<U+2066>y<U+200F>z<U+061C>"),
            ("to\u{200b}ken \u{e0041}\u{ad}\u{2028}\u{2800}", "to<U+200B>ken <U+E0041><U+00AD><U+2028><U+2800>"),
            ("a\u{200d}b", "a<U+200D>b"),
            ("😀\u{fe0f}\u{fe0e}\u{200d}\u{200d}", "😀\u{fe0f}<U+FE0E><U+200D><U+200D>"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(visible("a\tb\nc"), "a<U+0009>b\nc");
        assert_eq!(visible_line("a\tb\nc\r"), "a\tb<U+000A>c<U+000D>");
    }

    #[test]
    fn words_of_every_script_and_emoji_are_shown_as_they_are() {
        for text in [
            "👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} ⚠\u{fe0f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "茶\u{e0100}と葛\u{fe00}",
            "שלום مرحبا café",
        ] {
            assert_eq!(visible_line(text), text);
        }
    }

    #[test]
    fn json_says_the_same() {
        let json = "{\n  \"a\": \"\u{9b}31m \u{202e} \u{e0041} \u{7f} é\"\n}";
        let shown = visible_json(json);
        assert_eq!(shown, "{\n  \"a\": \"\\u009b31m \\u202e \\udb40\\udc41 \\u007f é\"\n}");
        let read = |text| serde_json::from_str::<serde_json::Value>(text).ok();
        assert_eq!(read(json), read(&shown));
    }
}
