//! One line of a server's standard error for display: without its secrets ([`secrets::Redaction`]) and without terminal
//! control sequences.

use secrets::Redaction;

/// The maximum number of bytes kept per line.
pub(crate) const LINE: usize = 4 << 10;

/// How many bytes of a line must be read to detect that it is cut, and to see a secret that begins there in full.
pub(crate) fn reach(secrets: &Redaction) -> usize {
    LINE + 1 + secrets.reach()
}

/// The first [`LINE`] bytes of a line, for display.
pub(crate) fn show(secrets: &Redaction, line: &[u8]) -> String {
    let shown = plain(&secrets.first(line, LINE));
    // Characters that terminals do not show may have split a secret.
    let mut shown = secrets.text(&shown);
    if line.len() > LINE {
        shown.push_str(" …");
    }
    shown
}

/// Removes colours and similar sequences; shows any other control character by its code.
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
        super::show(&Redaction::new(secrets.iter().copied()), line)
    }

    #[test]
    fn a_secret_is_hidden_whatever_colours_it() {
        assert_eq!(show(&["s3cret"], b"key=s3cret, again s3crets3cret."), "key=••••, again ••••.");
        assert_eq!(show(&["s3cret"], b"s3\x1b[1mcret"), "••••");
        assert_eq!(show(&["m3cret"], b"\x1b[m3cret"), "••••");
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
