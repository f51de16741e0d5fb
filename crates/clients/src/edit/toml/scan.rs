//! Finds the positions in a TOML file: its headers, its pairs, and the items in brackets.
//!
//! The events come from `toml_parser`. Their meaning together (a table opened twice, a number too large) is checked by
//! `toml`, which reads the whole file afterwards.

use std::{borrow::Cow, ops::Range};

use toml_parser::{
    ParseError, Source,
    parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document},
};

/// The maximum nesting of tables and arrays in any notation: `toml` recurses into them.
const MOST_DEPTH: usize = 64;
/// The maximum number of tokens (names, values, signs, blanks between them) that are read: each takes a hundred times
/// its bytes of memory.
const MOST_TOKENS: usize = 500_000;

/// A header and the pairs below it. The first block of a file has none.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) header: Option<Header>,
    pub(super) pairs: Vec<Pair>,
}

#[derive(Debug)]
pub(super) struct Header {
    /// From bracket to bracket.
    pub(super) range: Range<usize>,
    pub(super) path: Vec<String>,
    /// Whether it is in double brackets, that is, an element of an array.
    pub(super) element: bool,
}

/// A name and its value: a line of its own, or a member of an inline table.
#[derive(Debug)]
pub(super) struct Pair {
    /// The name with all its dots, as written.
    pub(super) name: Range<usize>,
    pub(super) path: Vec<String>,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) struct Value {
    pub(super) range: Range<usize>,
    pub(super) inside: Inside,
}

#[derive(Debug)]
pub(super) enum Inside {
    Scalar,
    Array(Vec<Value>),
    Table(Vec<Pair>),
}

/// Why reading a file stopped.
#[derive(Debug)]
pub(super) enum Fault {
    /// The text is not TOML from this byte on.
    Syntax { at: usize, reason: &'static str },
    /// The file holds more than [`MOST_TOKENS`].
    TooMuch,
}

impl Block {
    /// The names that lead to this block.
    pub(super) fn path(&self) -> &[String] {
        self.header.as_ref().map_or(&[], |header| &header.path)
    }

    /// From the first byte of its header to the last byte of its last value.
    pub(super) fn range(&self) -> Range<usize> {
        let header = self.header.as_ref().map(|header| header.range.clone());
        let first = header.clone().or_else(|| self.pairs.first().map(Pair::range)).unwrap_or_default();
        let last = self.pairs.last().map(Pair::range).or(header).unwrap_or_default();
        first.start..last.end
    }
}

impl Pair {
    /// From the first byte of its name to the last byte of its value.
    pub(super) fn range(&self) -> Range<usize> {
        self.name.start..self.value.range.end
    }
}

/// Finds all blocks in a text, which may begin with a byte order mark.
///
/// # Errors
/// At the first place that is not TOML, or if the text has too many tokens.
pub(super) fn scan(text: &str) -> Result<Vec<Block>, Fault> {
    let source = Source::new(text);
    let tokens: Vec<_> = source.lex().take(MOST_TOKENS + 1).collect();
    if tokens.len() > MOST_TOKENS {
        return Err(Fault::TooMuch);
    }
    let (mut events, mut error) = (Vec::<Event>::new(), None::<ParseError>);
    let mut known = ValidateWhitespace::new(&mut events, source);
    let mut shallow = RecursionGuard::new(&mut known, MOST_DEPTH as u32);
    parse_document(&tokens, &mut shallow, &mut error);
    if let Some(error) = error {
        return Err(syntax(&error));
    }
    events.retain(|event| !matches!(event.kind(), EventKind::Whitespace | EventKind::Comment | EventKind::Newline));
    let mut reader = Reader { source, events: events.into_iter().peekable(), end: text.len() };
    reader.blocks()
}

/// An error of either parser, as a position and a reason.
fn syntax(error: &ParseError) -> Fault {
    let at = error.unexpected().or(error.context()).map_or(0, |span| span.start());
    Fault::Syntax { at, reason: reason(error.description()) }
}

/// The reason in our own words: those of the parsers may quote the file.
pub(super) fn reason(description: &str) -> &'static str {
    let known = [
        ("duplicate key", "this name or table is there a second time"),
        ("cannot extend value", "a table in curly brackets is opened a second time"),
        ("invalid type: integer", "this number is too large"),
        ("invalid basic string", "a text in quotes does not end where it should, or holds what it may not"),
        ("invalid literal string", "a text in quotes does not end where it should, or holds what it may not"),
        ("invalid multi-line", "a text in quotes does not end where it should, or holds what it may not"),
        ("missing escaped value", "there is a backslash before a letter that needs none"),
        ("unexpected leading zero", "a number begins with a zero"),
        ("unexpected key or value", "a new line is missing here"),
        ("unquoted keys cannot be empty", "a name is missing here"),
        ("unclosed array", "a bracket that opens here is never closed"),
        ("unclosed inline table", "a bracket that opens here is never closed"),
        ("unclosed", "a bracket that opens a table is not closed on its line"),
        ("missing opening quote", "a quote is missing before this text"),
        ("missing comma", "a comma is missing here"),
        ("extra comma", "there is a comma with nothing before it"),
        ("missing assignment", "an equals sign is missing behind this name"),
        ("key with no value", "an equals sign and a value are missing behind this name"),
        ("missing value", "a value is missing here"),
        ("string values must be quoted", "a text must be in quotes"),
        ("invalid unquoted key", "a name with other characters than letters, digits, - and _ must be in quotes"),
        ("carriage return must be followed by newline", "there is a carriage return without a line feed"),
        ("invalid comment character", "there is a control character in a comment"),
        ("cannot recurse further", TOO_DEEP),
        ("recursion limit", TOO_DEEP),
    ];
    let found = known.iter().find(|(start, _)| description.starts_with(start));
    found.map_or("this is not TOML", |(_, reason)| reason)
}

const TOO_DEEP: &str = "tables and arrays are nested too deeply";

struct Reader<'t> {
    source: Source<'t>,
    events: std::iter::Peekable<std::vec::IntoIter<Event>>,
    end: usize,
}

impl Reader<'_> {
    fn blocks(&mut self) -> Result<Vec<Block>, Fault> {
        let mut blocks = vec![Block::default()];
        while let Some(event) = self.events.peek().copied() {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    self.events.next();
                    let (_, path) = self.path(0)?;
                    let end = self.events.next().map_or(self.end, |close| close.span().end());
                    let element = event.kind() == EventKind::ArrayTableOpen;
                    let header = Header { range: event.span().start()..end, path, element };
                    blocks.push(Block { header: Some(header), pairs: Vec::new() });
                }
                _ => {
                    let depth = blocks.last().map_or(0, |block| block.path().len());
                    let pair = self.pair(depth)?;
                    blocks.last_mut().expect("the block without a header was there from the start").pairs.push(pair);
                }
            }
        }
        Ok(blocks)
    }

    fn pair(&mut self, depth: usize) -> Result<Pair, Fault> {
        let (name, path) = self.path(depth)?;
        self.expect(EventKind::KeyValSep)?;
        let value = self.value(depth + path.len())?;
        Ok(Pair { name, path, value })
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        let Some(event) = self.events.next() else { return Err(self.odd(self.end)) };
        let start = event.span().start();
        if depth > MOST_DEPTH {
            return Err(Fault::Syntax { at: start, reason: TOO_DEEP });
        }
        let (inside, end) = match event.kind() {
            EventKind::Scalar => (Inside::Scalar, event.span().end()),
            EventKind::ArrayOpen => {
                let (items, end) = self.until(EventKind::ArrayClose, |this| this.value(depth + 1))?;
                (Inside::Array(items), end)
            }
            EventKind::InlineTableOpen => {
                let (pairs, end) = self.until(EventKind::InlineTableClose, |this| this.pair(depth + 1))?;
                (Inside::Table(pairs), end)
            }
            _ => return Err(self.odd(start)),
        };
        Ok(Value { range: start..end, inside })
    }

    /// Reads comma-separated items until a bracket closes them, and returns its end too.
    fn until<T>(
        &mut self,
        close: EventKind,
        item: impl Fn(&mut Self) -> Result<T, Fault>,
    ) -> Result<(Vec<T>, usize), Fault> {
        let mut items = Vec::new();
        loop {
            match self.events.peek().copied() {
                None => return Err(self.odd(self.end)),
                Some(event) if event.kind() == close => {
                    self.events.next();
                    return Ok((items, event.span().end()));
                }
                Some(event) if event.kind() == EventKind::ValueSep => drop(self.events.next()),
                Some(_) => items.push(item(self)?),
            }
        }
    }

    fn path(&mut self, depth: usize) -> Result<(Range<usize>, Vec<String>), Fault> {
        let (mut path, mut range) = (Vec::new(), None::<Range<usize>>);
        loop {
            let event = self.expect(EventKind::SimpleKey)?;
            let (mut name, mut error) = (Cow::Borrowed(""), None::<ParseError>);
            let raw = self.source.get(event).ok_or_else(|| self.odd(event.span().start()))?;
            raw.decode_key(&mut name, &mut error);
            if let Some(error) = error {
                return Err(syntax(&error));
            }
            path.push(name.into_owned());
            let start = range.map_or(event.span().start(), |range| range.start);
            range = Some(start..event.span().end());
            if depth + path.len() > MOST_DEPTH {
                return Err(Fault::Syntax { at: start, reason: TOO_DEEP });
            }
            if self.events.next_if(|next| next.kind() == EventKind::KeySep).is_none() {
                return Ok((range.unwrap_or_default(), path));
            }
        }
    }

    fn expect(&mut self, kind: EventKind) -> Result<Event, Fault> {
        match self.events.next() {
            Some(event) if event.kind() == kind => Ok(event),
            event => Err(self.odd(event.map_or(self.end, |event| event.span().start()))),
        }
    }

    /// The error for events in an order that a valid file does not have.
    fn odd(&self, at: usize) -> Fault {
        Fault::Syntax { at, reason: "this is not TOML" }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keeps_where_headers_pairs_and_members_stand() {
        let text = "\u{feff}a = 1\r\n[ \"b\" . 'c d' ] # x\r\n  e.f = { g = [1, 2], }\n[[h]]";
        let blocks = scan(text).unwrap();
        let ranges: Vec<_> = blocks.iter().map(|block| &text[block.range()]).collect();
        assert_eq!(ranges, ["a = 1", "[ \"b\" . 'c d' ] # x\r\n  e.f = { g = [1, 2], }", "[[h]]"]);
        assert_eq!(blocks[1].path(), ["b", "c d"]);
        let pair = &blocks[1].pairs[0];
        assert_eq!((&text[pair.name.clone()], &pair.path[..]), ("e.f", &["e".to_owned(), "f".to_owned()][..]));
        let Inside::Table(members) = &pair.value.inside else { panic!() };
        assert_eq!(&text[members[0].range()], "g = [1, 2]");
        assert!(blocks[2].header.as_ref().unwrap().element);
    }

    #[test]
    fn depth_is_counted_however_it_is_written() {
        let deep = |text: &str| matches!(scan(text), Err(Fault::Syntax { reason: TOO_DEEP, .. }));
        let names = ["a"; 30].join(".");
        assert!(scan(&format!("[{names}]\n{names} = 1")).is_ok());
        assert!(deep(&format!("[{names}]\n{names} = {{ {names} = 1 }}")));
        assert!(deep(&format!("a = {}{}", "[".repeat(100), "]".repeat(100))));
    }

    proptest! {
        /// Texts that are nearly TOML: everything another parser accepts is found here too.
        #[test]
        fn takes_what_another_parser_takes(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "b.c", "'d'", "\"e\"", " = ", "=", "1", "[", "]", "[[", "]]", "{", "}", ",", "\n", "\r\n",
                    "# x", "\"\"\"", "'''", " ", ".", "true", "[a]\n", "x = ", "1979-05-27",
                ]),
                0..12,
            ),
        ) {
            let text = parts.concat();
            if toml::from_str::<toml::Table>(&text).is_ok() {
                prop_assert!(scan(&text).is_ok(), "{}", text);
            }
        }
    }
}
