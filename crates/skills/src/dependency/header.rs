//! Which headers a skill may send to a server, and what they may hold.
//!
//! A header name is a token (RFC 9110, 5.1). An author may not set the headers that the connection, MCP and the
//! protection against foreign pages use.

/// Headers set by the connection or by MCP.
const OURS: &[&str] = &[
    "host",
    "connection",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "keep-alive",
    "expect",
    "proxy-connection",
    "origin",
    "accept",
    "last-event-id",
];

/// Prefixes of reserved header names.
const OUR_STARTS: &[&str] = &["content-", "mcp-"];

/// What is wrong with a header's name, as the end of a sentence about it.
pub(super) fn wrong_name(name: &str) -> Option<&'static str> {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Some("is no name of a header");
    }
    let name = name.to_ascii_lowercase();
    let ours = OURS.contains(&name.as_str()) || OUR_STARTS.iter().any(|start| name.starts_with(start));
    ours.then_some("is set by the connection itself")
}

/// Whether the text is valid in a header: one line of printable ASCII.
pub(super) fn is_value(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_a_plain_name_that_the_connection_does_not_set() {
        for name in ["Authorization", "X-Api-Key", "Cookie", "CONTEXT7_API_KEY", "Accept-Language"] {
            assert_eq!(wrong_name(name), None, "{name}");
        }
        for name in ["", "A B", "A:", "Ä", "Host", "content-type", "Mcp-Session-Id", "ORIGIN", "Accept", "Connection"]
        {
            assert!(wrong_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_header_holds_one_line() {
        assert!(is_value("Bearer abc") && is_value(""));
        for text in ["a\r\nb: c", "a\n", "\0", "tée"] {
            assert!(!is_value(text), "{text:?}");
        }
    }
}
