//! A JSON reader (RFC 8259) that records positions, strict except for what a client accepts beyond it.
//!
//! It checks the whole text and keeps the positions of the uppermost levels: the object that is the file, and the
//! objects in it. Its errors never quote the text.

use std::ops::Range;

/// The maximum nesting of brackets. `JSON.parse` accepts more; no settings file needs it.
const DEEPEST: usize = 120;

const TRAILING_COMMA: &str = "there is a comma with nothing after it";

/// What is accepted beyond strict JSON, and how many levels are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// Comments, to the end of a line or between `/*` and `*/`.
    pub(super) comments: bool,
    /// A comma after the last value in brackets.
    pub(super) trailing_commas: bool,
    /// The number of object levels that keep their members.
    pub(super) kept: usize,
}

/// The result of a scan.
#[derive(Debug)]
pub(super) struct Scanned {
    /// The one value; `None` if the text holds only blanks and comments.
    pub(super) root: Option<Value>,
    /// Every comment, in order.
    pub(super) comments: Vec<Range<usize>>,
    /// Every trailing comma, in order.
    pub(super) trailing_commas: Vec<usize>,
}

/// The position of a value.
#[derive(Debug)]
pub(super) struct Value {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// The members of an object, within the levels that are kept.
    pub(super) members: Option<Vec<Member>>,
}

/// One name and its value in an object.
#[derive(Debug)]
pub(super) struct Member {
    /// The name, with its escapes resolved.
    pub(super) key: String,
    /// The bytes of the name, quotes included.
    pub(super) name: Range<usize>,
    /// The value after the name.
    pub(super) value: Value,
}

/// An error and the byte it is at.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) reason: &'static str,
}

/// Reads the one value in `text` from `start` on.
pub(super) fn scan(text: &str, start: usize, dialect: Dialect) -> Result<Scanned, Fault> {
    let mut scanner = Scanner { text, at: start, depth: 0, dialect, comments: Vec::new(), trailing_commas: Vec::new() };
    scanner.skip_blank()?;
    let root = if scanner.peek().is_some() { Some(scanner.value()?) } else { None };
    scanner.skip_blank()?;
    match scanner.peek() {
        None => Ok(Scanned { root, comments: scanner.comments, trailing_commas: scanner.trailing_commas }),
        Some(_) => Err(scanner.fault("there is more text after the end of the value")),
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    dialect: Dialect,
    comments: Vec<Range<usize>>,
    trailing_commas: Vec<usize>,
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
            if scanner.depth <= scanner.dialect.kept {
                members.push(Member { key: unquoted(&scanner.text[name.clone()]), name, value });
            }
            Ok(())
        })?;
        Ok((self.depth < self.dialect.kept).then_some(members))
    }

    fn array(&mut self) -> Result<(), Fault> {
        self.bracket(b']', |scanner| scanner.value().map(drop))
    }

    /// Reads from an opening bracket to its `closing` one, with commas between the items.
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
                (Some(b'}' | b']'), Some(at)) => return Err(Fault { at, reason: TRAILING_COMMA }),
                _ => item(self)?,
            }
            self.skip_blank()?;
            comma = self.eat(b',').then_some(self.at - 1);
            self.skip_blank()?;
            if comma.is_none() && self.peek().is_some_and(|next| next != closing) {
                return Err(self.fault("a comma or a closing bracket is expected here"));
            }
        }
        match comma {
            Some(at) if self.dialect.trailing_commas => self.trailing_commas.push(at),
            Some(at) => return Err(Fault { at, reason: TRAILING_COMMA }),
            None => {}
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

    /// Skips JSON's four blank characters, and comments where the dialect has them.
    fn skip_blank(&mut self) -> Result<(), Fault> {
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            let rest = &self.text[self.at..];
            if !rest.starts_with("//") && !rest.starts_with("/*") {
                return Ok(());
            }
            if !self.dialect.comments {
                return Err(self.fault("there is a comment, and strict JSON has none"));
            }
            let length = match rest.strip_prefix("/*").map(|inside| inside.find("*/")) {
                Some(Some(end)) => end + 4,
                Some(None) => return Err(self.fault("the comment that opens here is never closed")),
                None => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            };
            self.comments.push(self.at..self.at + length);
            self.at += length;
        }
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

/// A name without its quotes. Half a surrogate pair is no character: a name with one stays as written.
fn unquoted(name: &str) -> String {
    serde_json::from_str(name).unwrap_or_else(|_| name.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STRICT: Dialect = Dialect { comments: false, trailing_commas: false, kept: 2 };
    const COMMENTS: Dialect = Dialect { comments: true, ..STRICT };
    const BOTH: Dialect = Dialect { trailing_commas: true, ..COMMENTS };

    fn fault_in(text: &str, dialect: Dialect) -> (usize, &'static str) {
        let Fault { at, reason } = scan(text, 0, dialect).unwrap_err();
        (at, reason)
    }

    fn fault(text: &str) -> (usize, &'static str) {
        fault_in(text, STRICT)
    }

    #[test]
    fn keeps_where_the_members_of_two_levels_stand() {
        let text = r#"{"a": {"\u0062": [1, {"x": 1}]}, "c" : {"d": {"e": 1}}}"#;
        let members = scan(text, 0, STRICT).unwrap().root.unwrap().members.unwrap();
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
            (r#"{"a":"#, 5, "the file ends where a value is expected"),
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

    #[test]
    fn takes_comments_and_trailing_commas_where_a_client_does() {
        let text = "// a\n{\"a\" /*b*/: [1, 2, ], // c\r\n\"x\": \"// no\",} /* d */";
        let read = scan(text, 0, BOTH).unwrap();
        let comments: Vec<_> = read.comments.iter().map(|comment| &text[comment.clone()]).collect();
        assert_eq!(comments, ["// a", "/*b*/", "// c", "/* d */"]);
        assert_eq!(read.trailing_commas.len(), 2);
        assert_eq!(fault_in(text, COMMENTS).1, "there is a comma with nothing after it");
        assert_eq!(fault_in("[1] /* x", BOTH), (4, "the comment that opens here is never closed"));
        assert_eq!(fault_in("[,]", BOTH), (1, "a value is expected here"));
        assert_eq!(fault_in("[1,,]", BOTH), (3, "a value is expected here"));
        assert!(scan("// nothing\n", 0, BOTH).unwrap().root.is_none());
    }

    /// Texts that are nearly JSON.
    fn nearly() -> impl Strategy<Value = String> {
        let parts = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"\\n\"",
            "\"\\ud800\"",
            "\"\\q\"",
            "\"",
            "1",
            "-0",
            "01",
            "1e5",
            "2.",
            "-",
            "true",
            "nul",
            " ",
            "\n",
            "//",
            "/*",
            "*/",
            "\u{feff}",
            "\t",
            "é",
            "\r",
        ]);
        prop::collection::vec(parts, 0..9).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn agrees_with_another_strict_parser(text in nearly()) {
            let other = serde_json::from_str::<serde::de::IgnoredAny>(&text);
            let ours = scan(&text, 0, STRICT).is_ok_and(|read| read.root.is_some());
            prop_assert_eq!(ours, other.is_ok(), "{}", text);
        }

        #[test]
        fn agrees_with_another_parser_of_comments(text in nearly(), trailing_commas in any::<bool>()) {
            // Half a surrogate pair is valid JSON, but not text for the other parser.
            let text = text.replace("\\ud800", "");
            let dialect = Dialect { trailing_commas, ..COMMENTS };
            let ours = scan(&text, 0, dialect).is_ok_and(|read| read.root.is_some());
            let other = super::super::is_read_by_another(&text, dialect);
            // The other parser accepts line ends inside quotes too.
            prop_assert!(ours == other || !ours && text.contains('"'), "{}", text);
        }
    }
}
