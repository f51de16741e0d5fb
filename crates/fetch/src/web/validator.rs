//! What a host said by which it knows a file again: its validators, for the address that answered. They only ask whether
//! there is something else. What they vouch for is on the disk here, and its digest is computed each time.

use std::time::Duration;

use reqwest::{
    RequestBuilder, Url,
    header::{DATE, ETAG, HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED},
};

/// A longer one is not kept.
const LONGEST: usize = 1024;
/// A file that was changed less long before it came may have been changed again in the same second.
const SETTLED: Duration = Duration::from_secs(60);

/// The validators of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Validator {
    /// The address that they are of: that which answered, not that which sent on to it.
    at: String,
    /// Its `ETag`, or else its `Last-Modified`.
    said: Said,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    Tag(String),
    Modified(String),
}

impl Validator {
    /// What an answer from this address said, if it can be asked for again.
    pub(super) fn of(at: &Url, headers: &HeaderMap) -> Option<Self> {
        let text = |name: HeaderName| {
            let mut all = headers.get_all(name).iter();
            // Of two that differ, neither counts.
            let first = all.next().filter(|_| all.next().is_none())?;
            first
                .to_str()
                .ok()
                .map(str::trim)
                .filter(|text| !text.is_empty() && text.len() <= LONGEST)
                .map(str::to_owned)
        };
        let is_tag = |tag: &String| {
            let inner = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            inner.is_some_and(|inner| !inner.contains('"'))
        };
        let settled = |modified: &String| {
            let time = |text: &str| httpdate::parse_http_date(text).ok();
            let age = time(&text(DATE)?)?.duration_since(time(modified)?).ok()?;
            (age >= SETTLED).then_some(())
        };
        let said = match text(ETAG).filter(is_tag) {
            Some(tag) => Said::Tag(tag),
            None => Said::Modified(text(LAST_MODIFIED).filter(|modified| settled(modified).is_some())?),
        };
        let at = at.as_str();
        (at.len() <= 8 * LONGEST && !at.contains(char::is_control)).then(|| Self { at: at.to_owned(), said })
    }

    /// The request for this address, with what its host said. Another host is not told.
    pub(super) fn asked(&self, at: &Url, request: RequestBuilder) -> RequestBuilder {
        match &self.said {
            _ if self.at != at.as_str() => request,
            Said::Tag(tag) => request.header(IF_NONE_MATCH, tag),
            Said::Modified(modified) => request.header(IF_MODIFIED_SINCE, modified),
        }
    }

    /// How it is kept, with the digest of the file.
    pub(super) fn text(&self, sha256: &str) -> String {
        let (kind, said) = match &self.said {
            Said::Tag(tag) => ("tag", tag),
            Said::Modified(modified) => ("modified", modified),
        };
        format!("{sha256}\n{}\n{kind}\n{said}\n", self.at)
    }

    /// Reads what [`text`](Self::text) wrote: the digest, and the validators.
    pub(super) fn read(text: &str) -> Option<(String, Self)> {
        let mut lines = text.lines().map(str::to_owned);
        let (sha256, at, kind, said) = (lines.next()?, lines.next()?, lines.next()?, lines.next()?);
        let said = if kind == "tag" { Said::Tag(said) } else { Said::Modified(said) };
        Some((sha256, Self { at, said }))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn of(headers: &[(HeaderName, &[u8])]) -> Option<Said> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.clone(), HeaderValue::from_bytes(value).unwrap());
        }
        Validator::of(&Url::parse("https://example.org/a").unwrap(), &map).map(|validator| validator.said)
    }

    #[test]
    fn a_tag_counts_before_a_time_and_what_is_odd_does_not() {
        let at = |second: u8| format!("Thu, 01 Jan 2026 00:{second:02}:00 GMT").into_bytes();
        let (old, new) = (at(1), at(2));
        let time = || Some(Said::Modified(String::from_utf8(at(1)).unwrap()));
        let tag = |text: &str| Some(Said::Tag(text.to_owned()));
        assert_eq!(of(&[(ETAG, b"\"a\""), (LAST_MODIFIED, &old), (DATE, &new)]), tag("\"a\""));
        assert_eq!(of(&[(ETAG, b"W/\"a\"")]), tag("W/\"a\""));
        assert_eq!(of(&[(LAST_MODIFIED, &old), (DATE, &new)]), time());
        for odd in [&b"a"[..], b"\"a", b"\"a\" \"b\"", b"\"\xff\"", b"W/a", b"", b"*", &[b'"'; 2000]] {
            assert_eq!(of(&[(ETAG, odd)]), None, "{odd:?}");
            assert_eq!(of(&[(ETAG, odd), (LAST_MODIFIED, &old), (DATE, &new)]), time(), "{odd:?}");
        }
        assert_eq!(of(&[(ETAG, b"\"a\""), (ETAG, b"\"b\"")]), None);
        assert_eq!(of(&[(LAST_MODIFIED, &old)]), None, "nobody knows how old it is");
        assert_eq!(of(&[(LAST_MODIFIED, &old), (DATE, &old)]), None, "it may be changed again in this second");
        assert_eq!(of(&[(LAST_MODIFIED, &new), (DATE, &old)]), None, "it is of the future");
        assert_eq!(of(&[(LAST_MODIFIED, b"yesterday"), (DATE, &new)]), None);
    }

    #[test]
    fn what_is_kept_is_read_again() {
        for said in [Said::Tag("W/\"a\"".to_owned()), Said::Modified("Thu, 01 Jan 2026 00:00:00 GMT".to_owned())] {
            let validator = Validator { at: "https://example.org/a?b".to_owned(), said };
            assert_eq!(Validator::read(&validator.text("00")), Some(("00".to_owned(), validator)));
        }
        assert_eq!(Validator::read("00\n"), None);
    }
}
