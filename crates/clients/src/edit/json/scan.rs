//! A strict reader of JSON (RFC 8259) that says where things stand.
//!
//! It judges the whole text, and keeps the positions of the first two levels: the object that is
//! the file, and the objects in it. Nothing of the text is quoted in what it complains about.

use std::ops::Range;

/// How many brackets may stand around a value. `JSON.parse` takes more; no settings file needs it.
const DEEPEST: usize = 120;
/// How many levels of objects keep their members.
const KEPT: usize = 2;

/// Where a value stands.
#[derive(Debug)]
pub(super) struct Value {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// What it holds when it is an object of the first two levels.
    pub(super) members: Option<Vec<Member>>,
}

/// One name and its value in an object.
#[derive(Debug)]
pub(super) struct Member {
    /// The name, with its escapes resolved.
    pub(super) key: String,
    /// The bytes of the name, quotes included.
    pub(super) name: Range<usize>,
    /// What it names.
    pub(super) value: Value,
}

/// What is wrong, at which byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) reason: &'static str,
}

/// Reads the one value that `text` holds from `start` on.
pub(super) fn scan(text: &str, start: usize) -> Result<Value, Fault> {
    let mut scanner = Scanner { text, at: start, depth: 0 };
    scanner.skip_blank()?;
    let value = scanner.value()?;
    scanner.skip_blank()?;
    match scanner.peek() {
        None => Ok(value),
        Some(_) => Err(scanner.fault("there is more text after the end of the value")),
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Scanner<'_> {
    fn value(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        let members = match self.peek() {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array().map(|()| None)?,
            Some(b'"') => self.string().map(|_| None)?,
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| None)?,
            _ => self.word().map(|()| None)?,
        };
        Ok(Value { range: start..self.at, members })
    }

    fn object(&mut self) -> Result<Option<Vec<Member>>, Fault> {
        let mut members = Vec::new();
        self.bracket(b'}', |scanner| {
            if scanner.peek() != Some(b'"') {
                return Err(scanner.fault("a name in double quotes is expected here"));
            }
            let name = scanner.string()?;
            scanner.skip_blank()?;
            if !scanner.eat(b':') {
                return Err(scanner.fault("a colon is expected here, after the name"));
            }
            scanner.skip_blank()?;
            let value = scanner.value()?;
            if scanner.depth <= KEPT {
                members.push(Member { key: unquoted(&scanner.text[name.clone()]), name, value });
            }
            Ok(())
        })?;
        Ok((self.depth < KEPT).then_some(members))
    }

    fn array(&mut self) -> Result<(), Fault> {
        self.bracket(b']', |scanner| scanner.value().map(drop))
    }

    /// Everything from an opening bracket to its `closing` one, with commas between the items.
    fn bracket(&mut self, closing: u8, mut item: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        let opening = Fault { at: self.at, reason: "the bracket that opens here is never closed" };
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault("brackets are nested too deeply"));
        }
        self.skip_blank()?;
        let mut comma = None;
        while !self.eat(closing) {
            match (self.peek(), comma) {
                (None, _) => return Err(opening),
                (Some(b'}' | b']'), Some(at)) => {
                    return Err(Fault { at, reason: "there is a comma with nothing after it" });
                }
                _ => item(self)?,
            }
            self.skip_blank()?;
            comma = self.eat(b',').then_some(self.at - 1);
            self.skip_blank()?;
            if comma.is_none() && self.peek().is_some_and(|next| next != closing) {
                return Err(self.fault("a comma or a closing bracket is expected here"));
            }
        }
        if let Some(at) = comma {
            return Err(Fault { at, reason: "there is a comma with nothing after it" });
        }
        self.depth -= 1;
        Ok(())
    }

    fn string(&mut self) -> Result<Range<usize>, Fault> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(Fault { at: start, reason: "the quote that opens here is never closed" }),
                Some(b'"') => break self.at += 1,
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) => return Err(self.fault("there is a line end or control character inside quotes")),
                Some(_) => self.at += 1,
            }
        }
        Ok(start..self.at)
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let length = match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => 6,
            _ => return Err(self.fault("there is an escape that JSON does not know")),
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        let fault = self.fault("there is a number that is not written as JSON wants it");
        self.eat(b'-');
        let zero = self.peek() == Some(b'0');
        let whole = self.digits();
        let mut good = whole == 1 || whole > 1 && !zero;
        if self.eat(b'.') {
            good &= self.digits() > 0;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            good &= self.digits() > 0;
        }
        let ended = !self.peek().is_some_and(|next| next.is_ascii_alphanumeric() || b"._+-".contains(&next));
        if good && ended { Ok(()) } else { Err(fault) }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn word(&mut self) -> Result<(), Fault> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        match &rest[..length] {
            "true" | "false" | "null" => self.at += length,
            _ if rest.is_empty() => return Err(self.fault("the file ends where a value is expected")),
            _ if rest.starts_with('\'') => {
                return Err(self.fault("there are single quotes where JSON wants double quotes"));
            }
            _ => return Err(self.fault("a value is expected here")),
        }
        Ok(())
    }

    /// Skips the four characters that JSON calls blank. A comment is none of them.
    fn skip_blank(&mut self) -> Result<(), Fault> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        let rest = &self.text[self.at..];
        if rest.starts_with("//") || rest.starts_with("/*") {
            return Err(self.fault("there is a comment, and strict JSON has none"));
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn fault(&self, reason: &'static str) -> Fault {
        Fault { at: self.at, reason }
    }
}

/// A name without its quotes. Half a surrogate pair has no character: such a name stays as written.
fn unquoted(name: &str) -> String {
    serde_json::from_str(name).unwrap_or_else(|_| name.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fault(text: &str) -> (usize, &'static str) {
        let Fault { at, reason } = scan(text, 0).unwrap_err();
        (at, reason)
    }

    #[test]
    fn keeps_where_the_members_of_two_levels_stand() {
        let text = r#"{"a": {"\u0062": [1, {"x": 1}]}, "c" : {"d": {"e": 1}}}"#;
        let root = scan(text, 0).unwrap();
        let members = root.members.unwrap();
        let a = members[0].value.members.as_ref().unwrap();
        assert_eq!(a[0].key, "b");
        assert_eq!(&text[a[0].name.clone()], r#""\u0062""#);
        assert_eq!(&text[a[0].value.range.clone()], r#"[1, {"x": 1}]"#);
        let d = &members[1].value.members.as_ref().unwrap()[0];
        assert!(d.value.members.is_none());
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, at, reason) in [
            ("", 0, "the file ends where a value is expected"),
            ("{", 0, "the bracket that opens here is never closed"),
            ("[1, [2]", 0, "the bracket that opens here is never closed"),
            (r#"{"a": 1,}"#, 7, "there is a comma with nothing after it"),
            ("[1 , \n]", 3, "there is a comma with nothing after it"),
            ("[1,", 0, "the bracket that opens here is never closed"),
            ("[,1]", 1, "a value is expected here"),
            ("[1]]", 3, "there is more text after the end of the value"),
            ("[1}", 2, "a comma or a closing bracket is expected here"),
            (r#"{"a" 1}"#, 5, "a colon is expected here, after the name"),
            (r#"{"a": 1 "b": 2}"#, 8, "a comma or a closing bracket is expected here"),
            ("{a: 1}", 1, "a name in double quotes is expected here"),
            ("['a']", 1, "there are single quotes where JSON wants double quotes"),
            ("[1, // x\n2]", 4, "there is a comment, and strict JSON has none"),
            ("/* x */ {}", 0, "there is a comment, and strict JSON has none"),
            (r#"["a]"#, 1, "the quote that opens here is never closed"),
            ("[\"a\nb\"]", 3, "there is a line end or control character inside quotes"),
            (r#"["\x"]"#, 2, "there is an escape that JSON does not know"),
            (r#"["\u12"]"#, 2, "there is an escape that JSON does not know"),
            ("[NaN]", 1, "a value is expected here"),
            ("[01]", 1, "there is a number that is not written as JSON wants it"),
            ("[1.]", 1, "there is a number that is not written as JSON wants it"),
            ("[- 1]", 1, "there is a number that is not written as JSON wants it"),
            ("[1\u{a0}]", 2, "a comma or a closing bracket is expected here"),
        ] {
            assert_eq!(fault(text), (at, reason), "{text}");
        }
        assert_eq!(fault(&"[".repeat(500)).1, "brackets are nested too deeply");
    }

    proptest! {
        /// Texts that are nearly JSON: a second strict parser must agree on each.
        #[test]
        fn agrees_with_another_strict_parser(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\n\"", "\"\\ud800\"", "\"\\q\"", "\"", "1", "-0", "01",
                    "1e5", "2.", "-", "true", "nul", " ", "\n", "//", "\u{feff}", "\t", "é",
                ]),
                0..9,
            ),
        ) {
            let text = parts.concat();
            let other = serde_json::from_str::<serde::de::IgnoredAny>(&text);
            prop_assert_eq!(scan(&text, 0).is_ok(), other.is_ok(), "{}", text);
        }
    }
}
