//! Writes names and values as YAML. A text is written without quotes only if no reader of any YAML version could take
//! it for another value.

use crate::node::Node;

/// A value on one line, in brackets if it has parts.
pub(super) fn value(node: &Node) -> String {
    match node {
        Node::Text(value) => text(value),
        Node::Bool(value) => value.to_string(),
        Node::Number(value) => value.to_string(),
        Node::List(items) => format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", ")),
        Node::Map(members) => {
            let members: Vec<_> = members.iter().map(|(name, value)| pair(name, value)).collect();
            format!("{{{}}}", members.join(", "))
        }
        // Never asked for; any text would be read back as a different value.
        Node::Other => text(""),
    }
}

/// A name and its value on one line.
pub(super) fn pair(name: &str, node: &Node) -> String {
    format!("{}: {}", text(name), value(node))
}

/// A text, quoted if necessary.
pub(super) fn text(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    if !text.contains(|c: char| c.is_control() || !is_printable(c)) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() || !is_printable(c) => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Words that some readers take for null or a boolean.
const WORDS: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

fn is_plain(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'/')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.' | b'+'))
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Whether every reader accepts this character unescaped, anywhere in a line.
fn is_printable(c: char) -> bool {
    !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::judge, *};

    #[test]
    fn what_could_be_taken_for_something_else_is_quoted() {
        for (value, written) in [
            ("mcp", "mcp"),
            ("/usr/bin/skilltender", "/usr/bin/skilltender"),
            ("--client", "'--client'"),
            ("No", "'No'"),
            ("1.10", "'1.10'"),
            ("1e3", "'1e3'"),
            ("~/x", "'~/x'"),
            ("a: b", "'a: b'"),
            ("a #b", "'a #b'"),
            (r"C:\Program Files\O'Neil\x.exe", r"'C:\Program Files\O''Neil\x.exe'"),
            ("a\nb", r#""a\nb""#),
            ("", "''"),
        ] {
            assert_eq!(text(value), written);
        }
    }

    proptest! {
        #[test]
        fn every_text_is_read_back(name in any::<String>(), value in any::<String>()) {
            let node = Node::Map(vec![(name.clone(), Node::List(vec![Node::Text(value.clone())]))]);
            let member = (judge::Value::Text(name), judge::Value::List(vec![judge::Value::Text(value)]));
            prop_assert_eq!(judge::read(&super::value(&node)).unwrap(), judge::Value::Map(vec![member]));
        }
    }
}
