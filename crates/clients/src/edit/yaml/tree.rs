//! A YAML file as values with their positions, from the events of `granit-parser`.
//!
//! Nothing is evaluated: tags are kept as written, and aliases (`*name`) point to their targets. The size of the file
//! with its aliases expanded is counted, so that a small file cannot become a large one.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    rc::Rc,
};

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput, StructureStyle, Tag};

use super::syntax;
use crate::edit::lines;

/// The maximum nesting of lists and maps.
const MOST_DEPTH: usize = 60;
/// The maximum number of values; aliased values count each time.
pub(super) const MOST_NODES: usize = 100_000;

/// One document; empty if the file holds only comments.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) root: Option<Node>,
    /// The position of the `...` that ends the document, if any.
    pub(super) end: Option<usize>,
    /// The contents with an anchor (`&name`), by its id.
    pub(super) anchors: HashMap<usize, Rc<Content>>,
    /// The ids of the anchors that an alias refers to.
    pub(super) repeated: HashSet<usize>,
}

/// A value.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The start of the value, including its anchor and its tag.
    pub(super) start: usize,
    /// The bytes of the value itself: a block of items from the first one to the last one.
    pub(super) range: Range<usize>,
    pub(super) anchor: usize,
    pub(super) tag: Option<String>,
    pub(super) content: Rc<Content>,
}

#[derive(Debug)]
pub(super) enum Content {
    /// The text without its quotes.
    Scalar {
        text: String,
        style: ScalarStyle,
    },
    List {
        items: Vec<Item>,
        flow: bool,
    },
    Map {
        items: Vec<Item>,
        flow: bool,
    },
    /// `*name`: the id of its anchor.
    Alias(usize),
}

/// An item of a list or a map.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The start of the item: its dash, its question mark, or its name.
    pub(super) start: usize,
    /// The position after its last byte.
    pub(super) end: usize,
    /// `None` in a list.
    pub(super) key: Option<Node>,
    pub(super) value: Node,
}

/// Why reading a file stopped.
#[derive(Debug)]
pub(super) enum Fault {
    Syntax { at: usize, reason: &'static str },
    TooMuch,
}

impl Node {
    /// Whether the value is absent, as after a name without one.
    pub(super) fn is_absent(&self) -> bool {
        self.start == self.range.end
    }

    /// The items of a list or map; empty for other values.
    pub(super) fn items(&self) -> &[Item] {
        match &*self.content {
            Content::List { items, .. } | Content::Map { items, .. } => items,
            Content::Scalar { .. } | Content::Alias(_) => &[],
        }
    }

    /// Whether it is a list or map in brackets.
    pub(super) fn is_flow(&self) -> bool {
        matches!(&*self.content, Content::List { flow: true, .. } | Content::Map { flow: true, .. })
    }

    pub(super) fn is_map(&self) -> bool {
        matches!(&*self.content, Content::Map { .. })
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(&*self.content, Content::List { .. })
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        if let Content::Scalar { text, .. } = &*self.content { Some(text) } else { None }
    }

    /// The item of a map with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Item> {
        self.items().iter().find(|item| item.name() == Some(name))
    }
}

impl Item {
    /// The text of its name.
    pub(super) fn name(&self) -> Option<&str> {
        self.key.as_ref().and_then(Node::text)
    }
}

/// Reads one document.
///
/// # Errors
/// At the first place that is not YAML, at a second document, or if the file is too large.
pub(super) fn read(text: &str) -> Result<Tree, Fault> {
    if let Some((at, _)) = text.char_indices().find(|&(_, c)| syntax::is_control(c)) {
        return Err(Fault::Syntax { at, reason: syntax::CONTROL });
    }
    let options = granit_parser::options! {
        emit_comments: false,
        emit_anchor_events: true,
        flow_nesting_limit: MOST_DEPTH,
        block_nesting_limit: MOST_DEPTH,
    };
    let events = Parser::new_from_str_with_options(text, options);
    let mut reader = Reader { text, events, nodes: 0, sizes: HashMap::new(), tree: Tree::default() };
    reader.document()?;
    Ok(reader.tree)
}

struct Reader<'t> {
    text: &'t str,
    events: Parser<'t, StrInput<'t>>,
    nodes: usize,
    /// The number of values below each anchor.
    sizes: HashMap<usize, usize>,
    tree: Tree,
}

/// An event with its span and its bytes.
type Told<'t> = (Event<'t>, Span, Range<usize>);

impl<'t> Reader<'t> {
    fn document(&mut self) -> Result<(), Fault> {
        let mut begun = false;
        loop {
            let told = self.next()?;
            let at = told.2.start;
            match told.0 {
                Event::StreamStart => {}
                Event::StreamEnd => return Ok(()),
                Event::DocumentStart(..) if begun => {
                    return Err(Fault::Syntax { at, reason: syntax::SECOND_DOCUMENT });
                }
                Event::DocumentStart(..) => begun = true,
                Event::DocumentEnd => self.tree.end = self.text[told.2].starts_with("...").then_some(at),
                _ => self.tree.root = Some(self.node(told, None, 0)?),
            }
        }
    }

    fn next(&mut self) -> Result<Told<'t>, Fault> {
        match self.events.next() {
            Some(Ok((event, span))) => {
                let range = span.byte_range().unwrap_or(self.text.len()..self.text.len());
                Ok((event, span, range))
            }
            Some(Err(error)) => {
                let at = error.marker().byte_offset().unwrap_or(self.text.len());
                Err(Fault::Syntax { at, reason: syntax::reason(error.kind()) })
            }
            None => Ok((Event::StreamEnd, Span::default(), self.text.len()..self.text.len())),
        }
    }

    /// Reads a value. `name` is the end of the name that the value belongs to.
    fn node(&mut self, (event, span, mut range): Told<'t>, name: Option<usize>, depth: usize) -> Result<Node, Fault> {
        self.spend(1)?;
        if depth > MOST_DEPTH {
            return Err(Fault::Syntax { at: range.start, reason: syntax::TOO_DEEP });
        }
        let before = self.nodes;
        let anchor = event.anchor_id().unwrap_or(0);
        let tag = event.tag().map(Tag::to_string);
        let tagged = span.tag_span().and_then(|tag| tag.byte_range()).unwrap_or(range.start..range.start);
        let named = if anchor == 0 { range.start..range.start } else { self.next()?.2 };
        let (content, end) = match event {
            Event::Scalar(text, style, ..) => {
                range = self.written(&text, style, range);
                let end = range.end;
                (Content::Scalar { text: text.into_owned(), style }, end)
            }
            Event::SequenceStart(style, ..) => {
                let flow = style == StructureStyle::Flow;
                // Dashes may be indented like the name of their list: the parser then reports a start after the first
                // dash.
                let before = [&tagged, &named].into_iter().map(|range| range.end).filter(|end| *end < range.start);
                let begin = name.map(|name| self.behind_colon(name)).into_iter().chain(before).max();
                let opened = if flow { range.end } else { begin.map_or(range.start, |begin| self.first_sign(begin)) };
                let (items, end) = self.items(opened, flow, false, depth)?;
                (Content::List { items, flow }, end)
            }
            Event::MappingStart(style, ..) => {
                let flow = style == StructureStyle::Flow;
                let (items, end) = self.items(range.end, flow, true, depth)?;
                (Content::Map { items, flow }, end)
            }
            Event::Alias(target) => {
                let size = self.sizes.get(&target).copied();
                self.spend(size.ok_or(Fault::Syntax { at: range.start, reason: syntax::ITSELF })?)?;
                self.tree.repeated.insert(target);
                (Content::Alias(target), range.end)
            }
            _ => return Err(Fault::Syntax { at: range.start, reason: syntax::OTHER }),
        };
        let content = Rc::new(content);
        if anchor != 0 {
            self.sizes.insert(anchor, self.nodes - before + 1);
            self.tree.anchors.insert(anchor, Rc::clone(&content));
        }
        Ok(Node {
            start: range.start.min(tagged.start).min(named.start),
            range: range.start..end,
            anchor,
            tag,
            content,
        })
    }

    /// Reads items, the first of which begins at or after `last`.
    fn items(&mut self, mut last: usize, flow: bool, map: bool, depth: usize) -> Result<(Vec<Item>, usize), Fault> {
        let mut items = Vec::new();
        loop {
            let told = self.next()?;
            if matches!(told.0, Event::SequenceEnd | Event::MappingEnd) {
                return Ok((items, if flow { told.2.end } else { last }));
            }
            // A list as a name (`?`) may be indented like its sign, as below a name.
            let sign = self.first_sign(last);
            let asked = (map && !flow && self.text.as_bytes().get(sign) == Some(&b'?')).then_some(sign + 1);
            let first = self.node(told, asked, depth + 1)?;
            let (key, value) = if map {
                let (told, name) = (self.next()?, first.range.end);
                (Some(first), self.node(told, Some(name), depth + 1)?)
            } else {
                (None, first)
            };
            let start = self.first_sign(last).min(key.as_ref().map_or(value.start, |key| key.start));
            let end = match &key {
                _ if !value.is_absent() => value.range.end,
                Some(key) => self.behind_colon(key.range.end),
                None => start + 1,
            };
            last = end;
            items.push(Item { start, end, key, value });
        }
    }

    /// The first character at or after `at` that is neither blank nor comment nor comma: the dash or question mark of
    /// an item, or the item itself.
    fn first_sign(&self, at: usize) -> usize {
        self.first_but(b" \t\n\r,", at)
    }

    /// The position after the colon that follows a name without a value, if any.
    fn behind_colon(&self, at: usize) -> usize {
        let sign = self.first_but(b" \t\n\r", at);
        if self.text.as_bytes().get(sign) == Some(&b':') { sign + 1 } else { at }
    }

    /// The first character at or after `at` that is outside comments and not one of `blanks`.
    fn first_but(&self, blanks: &[u8], mut at: usize) -> usize {
        while let Some(sign) = self.text.as_bytes().get(at) {
            match sign {
                b'#' => at = lines::end(self.text, at),
                blank if blanks.contains(blank) => at += 1,
                _ => break,
            }
        }
        at
    }

    /// The position of a scalar. The blank lines below a block scalar belong to it only if it is marked so (`|+`); its
    /// last line end never does. A block scalar without lines is only its sign.
    fn written(&self, text: &str, style: ScalarStyle, range: Range<usize>) -> Range<usize> {
        if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return range;
        }
        let blanks = [' ', '\t', '\n', '\r'];
        let lines = self.text[range.clone()].trim_end_matches(blanks);
        if text.ends_with("\n\n") {
            return range.start..range.end - lines::line_end_before(self.text, range.end).len();
        }
        if lines.is_empty() {
            let before = self.text[..range.start].trim_end_matches(blanks);
            return before.len() - before.chars().next_back().map_or(0, char::len_utf8)..before.len();
        }
        range.start..range.start + lines.len()
    }

    fn spend(&mut self, nodes: usize) -> Result<(), Fault> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MOST_NODES { Err(Fault::TooMuch) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item below a value, as written.
    fn items<'t>(text: &'t str, node: &Node) -> Vec<&'t str> {
        let inner = |item: &Item| [&text[item.start..item.end]].into_iter().chain(items(text, &item.value));
        node.items().iter().flat_map(|item| inner(item).collect::<Vec<_>>()).collect()
    }

    fn found(text: &str) -> Vec<&str> {
        items(text, &read(text).unwrap().root.unwrap())
    }

    #[test]
    fn an_item_is_all_that_was_written_of_it() {
        assert_eq!(found("a: 1 # one\n'b': &x !t\n"), ["a: 1", "'b': &x !t"]);
        assert_eq!(found("a:\n- b\n-\n- # c\n  d\n"), ["a:\n- b\n-\n- # c\n  d", "- b", "-", "- # c\n  d"]);
        assert_eq!(found("a: &x\n- - b\n"), ["a: &x\n- - b", "- - b", "- b"]);
        assert_eq!(found("? a\n: b\n? c\n"), ["? a\n: b", "? c"]);
        assert_eq!(found("{a: 1 , &x b, c: }"), ["a: 1", "&x b", "c:"]);
        assert_eq!(found("{exten , :b: 2}"), ["exten", ":b: 2"]);
    }

    #[test]
    fn blank_lines_behind_a_text_belong_to_it_only_where_it_keeps_them() {
        assert_eq!(found("a: |\n  x\n\n\nb: 1\n"), ["a: |\n  x", "b: 1"]);
        assert_eq!(found("a: |+\n  x\n\n\nb: 1\n"), ["a: |+\n  x\n\n", "b: 1"]);
        assert_eq!(found("a: >-\n  x\n\nb: 1\n"), ["a: >-\n  x", "b: 1"]);
    }

    #[test]
    fn a_list_as_a_name_ends_where_it_was_written() {
        assert_eq!(found("a:\n?\n-"), ["a:", "?\n-"]);
        assert_eq!(found("? &x\n- b\n- c # d\n: e\n"), ["? &x\n- b\n- c # d\n: e"]);
        assert_eq!(found("? # c\n- b # d\n"), ["? # c\n- b"]);
        assert_eq!(found("- ?\n  -"), ["- ?\n  -", "?\n  -"]);
        assert_eq!(found("?x: 1\n"), ["?x: 1"]);
    }

    #[test]
    fn an_empty_text_ends_with_its_line() {
        assert_eq!(found("a:\n  b: |\nnew: 1\n  x\n"), ["a:\n  b: |", "b: |", "new: 1\n  x"]);
        assert_eq!(found("a:\n  b: | # ü\n\n\nnew: 1\n"), ["a:\n  b: | # ü", "b: | # ü", "new: 1"]);
        assert_eq!(found("a:\n  b: |\n"), ["a:\n  b: |", "b: |"]);
        assert_eq!(found("a:\n  b: |"), ["a:\n  b: |", "b: |"]);
    }
}
