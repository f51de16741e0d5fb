//! Links that open a client and offer to add our entry. A link ends up in histories and chats, so it contains no token.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{Client, Entry, Link, NAME, node::Node, plan::spelled};

/// The link that offers `entry` to the client; `None` if it accepts no link for this kind of entry.
pub fn link(client: &Client, entry: &Entry) -> Option<String> {
    let (_, node) = spelled(client, entry).ok()?;
    match (client.link?, entry) {
        (Link::Base64(start), Entry::Stdio { .. }) => {
            let config = STANDARD.encode(node.json().to_string());
            Some(format!("{start}?name={NAME}&config={}", encoded(&config)))
        }
        (Link::Whole(start), Entry::Stdio { .. }) => {
            let name = ("name".to_owned(), Node::Text(NAME.to_owned()));
            let whole = Node::Map([name].into_iter().chain(node.members().iter().cloned()).collect());
            Some(format!("{start}?{}", encoded(&whole.json().to_string())))
        }
        (Link::Goose, Entry::Http { url, .. }) => {
            let url = encoded(url);
            Some(format!("goose://extension?type=streamable_http&url={url}&id={NAME}&name={NAME}"))
        }
        _ => None,
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TABLE, client};

    fn program() -> Entry {
        Entry::Stdio { command: "/opt/Zoë's/skilltender".to_owned(), args: vec!["mcp".to_owned()] }
    }

    fn address() -> Entry {
        Entry::Http { url: "http://127.0.0.1:8363/mcp".to_owned(), token: "t0ken-of-ours".to_owned() }
    }

    fn decoded(text: &str) -> String {
        percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
    }

    #[test]
    fn cursor_is_offered_the_entry_in_base64() {
        let link = link(client("cursor").unwrap(), &program()).unwrap();
        let config =
            link.strip_prefix("cursor://anysphere.cursor-deeplink/mcp/install?name=skilltender&config=").unwrap();
        let config = String::from_utf8(STANDARD.decode(decoded(config)).unwrap()).unwrap();
        assert_eq!(config, r#"{"command":"/opt/Zoë's/skilltender","args":["mcp"]}"#);
    }

    #[test]
    fn vs_code_is_offered_the_entry_with_its_name() {
        let link = link(client("vscode").unwrap(), &program()).unwrap();
        assert_eq!(
            decoded(link.strip_prefix("vscode:mcp/install?").unwrap()),
            r#"{"name":"skilltender","type":"stdio","command":"/opt/Zoë's/skilltender","args":["mcp"]}"#
        );
    }

    #[test]
    fn goose_is_offered_the_address_alone() {
        let goose = client("goose").unwrap();
        assert_eq!(link(goose, &program()), None);
        assert_eq!(
            link(goose, &address()).unwrap(),
            "goose://extension?type=streamable_http&url=http%3A%2F%2F127%2E0%2E0%2E1%3A8363%2Fmcp&id=skilltender&name=skilltender"
        );
    }

    #[test]
    fn no_link_carries_the_token() {
        for client in TABLE {
            let link = link(client, &address()).unwrap_or_default();
            assert!(!decoded(&link).contains("t0ken"), "{}", client.id);
            assert!(!link.contains(&STANDARD.encode("t0ken")[..4]), "{}", client.id);
        }
    }
}
