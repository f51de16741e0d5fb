//! Names and values as TOML 1.0 writes them, on one line each.

use crate::node::Node;

/// The text between a name and its value if the file gives no example.
pub(super) const EQUALS: &str = " = ";

/// A value on one line.
pub(super) fn value(node: &Node) -> String {
    match node {
        Node::Text(value) => text(value),
        Node::Bool(value) => value.to_string(),
        Node::Number(value) => value.to_string(),
        Node::List(items) => {
            let items: Vec<_> = items.iter().map(value).collect();
            format!("[{}]", items.join(", "))
        }
        Node::Map(members) if members.is_empty() => "{}".to_owned(),
        Node::Map(members) => {
            let members: Vec<_> = members.iter().map(|(name, value)| pair(&key([name]), value, EQUALS)).collect();
            format!("{{ {} }}", members.join(", "))
        }
        // Never asked for; any text would be read back as a different value.
        Node::Other => text(""),
    }
}

/// A written name and its value, with `equals` between them.
pub(super) fn pair(name: &str, node: &Node, equals: &str) -> String {
    format!("{name}{equals}{}", value(node))
}

/// Names joined by dots.
pub(super) fn key(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let bare = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let quoted = |name: &str| if bare(name) { name.to_owned() } else { text(name) };
    names.into_iter().map(|name| quoted(name.as_ref())).collect::<Vec<_>>().join(".")
}

/// A text in the quotes that need the fewest escapes, so that a Windows path stays readable.
fn text(text: &str) -> String {
    if text.contains(['\\', '"']) && !text.contains('\'') && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_of_windows_stay_readable() {
        assert_eq!(text(r"C:\Users\Zoë\skilltender.exe"), r"'C:\Users\Zoë\skilltender.exe'");
        assert_eq!(text(r"C:\Users\O'Neil\x.exe"), r#""C:\\Users\\O'Neil\\x.exe""#);
        assert_eq!(text("/usr/bin/skilltender"), r#""/usr/bin/skilltender""#);
    }

    #[test]
    fn names_that_are_no_bare_keys_are_quoted() {
        assert_eq!(key(["mcp_servers", "a.b", "", "c-1"]), r#"mcp_servers."a.b"."".c-1"#);
    }

    proptest! {
        #[test]
        fn every_text_is_read_back(name in any::<String>(), value in any::<String>()) {
            let line = pair(&key([&name]), &Node::Text(value.clone()), " = ");
            let table = ::toml::from_str::<::toml::Table>(&line).unwrap();
            prop_assert_eq!(table[&name].as_str(), Some(value.as_str()));
        }
    }
}
