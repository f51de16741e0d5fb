//! Lines of a readable length, as the texts of packages have them.

/// The text in lines of at most `width` characters, broken between words.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let taken = word.chars().count();
        if length > 0 && length + 1 + taken > width {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines += word;
        length += taken;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_a_word_is_never_broken() {
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(wrapped("  one\n two  ", 20), "one two");
        assert_eq!(wrapped("incomprehensible", 3), "incomprehensible");
    }
}
