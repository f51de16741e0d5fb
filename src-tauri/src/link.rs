//! The addresses that a page may open in the user's browser: `https`, and `http` to this computer. A skill's text is
//! untrusted, so schemes that could start another program (`file:`, `smb:`, `vscode:`, `javascript:`) are refused.
//! The browser gets the parsed address serialised again, never the text.

use url::{Host, Url};

/// The address for the browser, or `None` when it is refused.
pub(crate) fn allowed(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let loopback = match url.host()? {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    let named = url.username().is_empty() && url.password().is_none();
    let fits = named && (url.scheme() == "https" || url.scheme() == "http" && loopback);
    fits.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_and_http_to_this_computer_are_opened() {
        for text in ["https://example.org/a?b#c", "HTTPS://example.org", "http://127.0.0.1:8363/mcp", "http://[::1]/"] {
            assert!(allowed(text).is_some(), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "http://example.org/",
            "http://localhost.example.org/",
            "http://127.0.0.1.example.org/",
            "file:///etc/passwd",
            "smb://host/share",
            "javascript:alert(1)",
            "data:text/html,hi",
            "vscode://file/etc/passwd",
            "https://",
            "https://bank.example@evil.example/",
            "--help",
            "/usr/bin/true",
            "",
        ] {
            assert_eq!(allowed(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_opened_is_written_anew() {
        let opened = allowed(" https:\\\\example.org/a b\"c").map(String::from);
        assert_eq!(opened.as_deref(), Some("https://example.org/a%20b%22c"));
    }
}
