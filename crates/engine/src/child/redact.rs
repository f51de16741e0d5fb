//! One line of a server's standard error, as people may see it: without its secrets, and without what a
//! terminal would obey.
//!
//! A secret is found as it was given. A server that encodes its secrets before it prints them is beyond us.

use zeroize::Zeroizing;

/// What stands in place of a secret.
const HIDDEN: &str = "••••";

/// What is shorter would be found in half of all words.
const SHORTEST: usize = 4;

/// The most bytes of a line that are kept.
pub(crate) const LINE: usize = 4 << 10;

/// What must not be seen. It is wiped when it is dropped.
pub(crate) struct Redaction {
    patterns: Vec<Zeroizing<Vec<u8>>>,
    longest: usize,
}

impl Redaction {
    /// Hides these. Of a secret of several lines each line is hidden, because a log has lines.
    pub(crate) fn new<'a>(secrets: impl Iterator<Item = &'a str>) -> Self {
        let lines = secrets.flat_map(|secret| secret.split('\n')).map(|line| line.strip_suffix('\r').unwrap_or(line));
        let patterns: Vec<_> =
            lines.filter(|line| line.len() >= SHORTEST).map(|line| Zeroizing::new(line.as_bytes().to_vec())).collect();
        let longest = patterns.iter().map(|pattern| pattern.len()).max().unwrap_or(0);
        Self { patterns, longest }
    }

    /// How many bytes of a line must be known, so that it is seen to be cut, and a secret that begins there
    /// is seen whole.
    pub(crate) const fn reach(&self) -> usize {
        LINE + 1 + self.longest
    }

    /// The first [`LINE`] bytes of a line for people.
    pub(crate) fn show(&self, line: &[u8]) -> String {
        let shown = plain(&self.hide(line, LINE));
        // What terminals do not show may have stood in the middle of a secret.
        let mut shown = self.hide(shown.as_bytes(), usize::MAX);
        if line.len() > LINE {
            shown.push_str(" …");
        }
        shown
    }

    /// Replaces every byte that belongs to a secret, of those before `end`.
    fn hide(&self, line: &[u8], end: usize) -> String {
        let end = end.min(line.len());
        let mut hidden = vec![false; line.len()];
        for pattern in &self.patterns {
            for (at, _) in line.windows(pattern.len()).enumerate().filter(|(_, found)| *found == pattern.as_slice()) {
                hidden[at..at + pattern.len()].fill(true);
            }
        }
        let mut shown = String::new();
        let mut at = 0;
        while at < end {
            let run = hidden[at..end].iter().take_while(|&&here| here == hidden[at]).count();
            if hidden[at] {
                shown.push_str(HIDDEN);
            } else {
                shown.push_str(&String::from_utf8_lossy(&line[at..at + run]));
            }
            at += run;
        }
        shown
    }
}

/// Colours and the like are left out; any other control character is shown by its code.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\x1b' if rest.next_if_eq(&'[').is_some() => {
                while rest.next_if(|next| matches!(next, ' '..='?')).is_some() {}
                rest.next_if(|next| matches!(next, '@'..='~'));
            }
            '\t' => shown.push('\t'),
            next if next.is_control() => shown.extend(next.escape_unicode()),
            next => shown.push(next),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(secrets: &[&str], line: &[u8]) -> String {
        Redaction::new(secrets.iter().copied()).show(line)
    }

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        assert_eq!(show(&["s3cret"], b"key=s3cret, again s3crets3cret."), "key=••••, again ••••.");
        assert_eq!(show(&["abcd", "cdef"], b"abcdef"), "••••");
        assert_eq!(show(&["one\nline two\r\n"], b"> line two <"), "> •••• <");
        assert_eq!(show(&["s3cret"], b"s3\x1b[1mcret"), "••••");
        assert_eq!(show(&["m3cret"], b"\x1b[m3cret"), "••••");
        assert_eq!(show(&["abc"], b"abc"), "abc");
    }

    #[test]
    fn a_secret_where_the_line_is_cut_is_hidden_whole() {
        let line = [vec![b'.'; LINE - 2], b"s3cret and more".to_vec()].concat();
        let shown = show(&["s3cret"], &line);
        assert!(shown.ends_with(".•••• …") && !shown.contains("s3"), "{shown}");
    }

    #[test]
    fn what_a_terminal_would_obey_is_left_out_or_shown() {
        assert_eq!(show(&[], b"\x1b[31mred\x1b[0m\tbell\x07 \xff"), "red\tbell\\u{7} \u{fffd}");
        assert_eq!(show(&[], "\u{1b}]0;title\u{7}".as_bytes()), "\\u{1b}]0;title\\u{7}");
    }
}
