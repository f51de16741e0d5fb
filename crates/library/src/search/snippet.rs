//! The words around a hit in a body, so that people see why a skill was found.

use std::ops::Range;

use api::Snippet;

use super::fold;

/// About how many characters are shown before the hit, and after it.
const AROUND: (usize, usize) = (30, 70);

/// The line of `body` with the first of these words, cut to its neighbourhood.
pub(super) fn around(body: &str, words: &[String]) -> Option<Snippet> {
    let mut first: Option<Range<usize>> = None;
    fold::each_word(body, |word, at| {
        if first.is_none() && words.iter().any(|typed| word.starts_with(typed.as_str())) {
            first = Some(at);
        }
    });
    let at = first?;
    let line = body[..at.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = body[at.end..].find(['\n', '\r']).map_or(body.len(), |end| at.end + end);
    let before = &body[line..at.start];
    let from = before.char_indices().rev().nth(AROUND.0).map_or(0, |(from, _)| word_after(before, from));
    let after = &body[at.end..end];
    let to = after.char_indices().nth(AROUND.1).map_or(after.len(), |(to, _)| word_before(after, to));
    let cut = |cut: bool| if cut { "…" } else { "" };
    Some(Snippet {
        before: format!("{}{}", cut(from > 0), before[from..].trim_start_matches(['#', '-', '*', '>', ' '])),
        found: body[at].to_owned(),
        after: format!("{}{}", after[..to].trim_end(), cut(to < after.len())),
    })
}

/// Where the first word after `from` starts; `from` itself when no blank follows.
fn word_after(text: &str, from: usize) -> usize {
    text[from..].find(' ').map_or(from, |blank| from + blank + 1)
}

/// Where the last word before `to` ends; `to` itself when there is no blank.
fn word_before(text: &str, to: usize) -> usize {
    text[..to].rfind(' ').unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(body: &str, word: &str) -> String {
        let Snippet { before, found, after } = around(body, &[word.to_owned()]).unwrap();
        format!("{before}[{found}]{after}")
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        assert_eq!(shown("# Tea\n\n- Boil the Water.\nDone.", "water"), "Boil the [Water].");
        assert_eq!(shown("Köche", "koch"), "[Köche]");
    }

    #[test]
    fn a_long_line_is_cut_between_words() {
        let line = format!("{}needle{}", "before ".repeat(20), " after".repeat(20));
        assert_eq!(
            shown(&line, "needle"),
            "…before before before before [needle] after after after after after after after after after after after…"
        );
    }

    #[test]
    fn a_line_without_blanks_is_cut_anywhere() {
        let line = "天".repeat(100) + "气" + &"地".repeat(100);
        assert_eq!(shown(&line, "气"), format!("…{}[气地]{}…", "天".repeat(31), "地".repeat(70)));
    }
}
