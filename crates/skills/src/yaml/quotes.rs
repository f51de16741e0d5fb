//! Quoted texts whose later lines are not indented. YAML demands indentation; libyaml, js-yaml and most readers built
//! on them accept the text.

/// The starts of the lines that YAML demands to be indented.
pub(crate) fn unindented(text: &str) -> Vec<usize> {
    let (mut open, mut at, mut lines) = (None, 0, Vec::new());
    for line in text.split_inclusive('\n') {
        if open.is_some() && !line.starts_with([' ', '\t']) {
            lines.push(at);
        }
        at += line.len();
        open = match open {
            Some(quote) => still_open(line, quote),
            None => opened(line),
        };
    }
    lines
}

/// The text with those lines indented.
pub(crate) fn indented(text: &str) -> String {
    let mut indented = String::with_capacity(text.len());
    let mut from = 0;
    for at in unindented(text) {
        indented.push_str(&text[from..at]);
        indented.push_str("  ");
        from = at;
    }
    indented + &text[from..]
}

/// The quote that a line `key: "...` leaves open.
fn opened(line: &str) -> Option<char> {
    let value = line.split_once(':')?.1.trim_start();
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    still_open(&value[1..], quote)
}

fn still_open(text: &str, quote: char) -> Option<char> {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' if quote == '"' => drop(rest.next()),
            c if c == quote => return None,
            _ => {}
        }
    }
    Some(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_between_quotes_are_indented() {
        assert_eq!(
            indented("a: \"b\nc \\\" d\ne\" # \"\nf: 'g\n  h\ni'\n"),
            "a: \"b\n  c \\\" d\n  e\" # \"\nf: 'g\n  h\n  i'\n"
        );
        assert_eq!(indented("a: b \"c\nd: it's\ne: f\n"), "a: b \"c\nd: it's\ne: f\n");
    }
}
