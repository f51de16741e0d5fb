//! Builds the tree from parser events, within a budget.

use std::{collections::HashMap, ops::Range};

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput, StructureStyle, Tag};

use super::{Content, Node, Tree, core_schema, duplicate, syntax};
use crate::problem::Fault;

// Real frontmatter is far below all of these (security rule 23).
const MOST_NODES: usize = 5_000;
const MOST_ALIASES: usize = 16;
const MOST_DEPTH: usize = 16;

/// Prefix of the keys by which serde_json passes numbers and raw JSON internally. A program with those features
/// misreads a value with one of these keys, or drops the whole message.
const PRIVATE: &str = "$serde_json::private::";

pub(super) fn document(text: &str, place: &dyn Fn(usize) -> usize) -> Result<Tree, Fault> {
    let options = granit_parser::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MOST_DEPTH,
        block_nesting_limit: MOST_DEPTH,
    };
    let events = Parser::new_from_str_with_options(text, options);
    let builder =
        Builder { text, place, events, anchors: HashMap::new(), aliases: 0, nodes: 0, tags: false, faults: Vec::new() };
    builder.document()
}

struct Builder<'t, 'p> {
    text: &'t str,
    place: &'p dyn Fn(usize) -> usize,
    events: Parser<'t, StrInput<'t>>,
    anchors: HashMap<usize, Node>,
    aliases: usize,
    nodes: usize,
    tags: bool,
    faults: Vec<Fault>,
}

impl<'t> Builder<'t, '_> {
    fn document(mut self) -> Result<Tree, Fault> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => {
                    return Ok(Tree { root, faults: self.faults, anchors: !self.anchors.is_empty(), tags: self.tags });
                }
                Event::StreamStart | Event::DocumentEnd => {}
                Event::DocumentStart(..) if root.is_none() => {}
                Event::DocumentStart(..) => {
                    let message = "A second YAML document starts here; a frontmatter has only one.";
                    return Err(Fault::new("yaml-syntax", self.bytes(&span), message));
                }
                event => root = Some(self.node(event, &span, 0)?),
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), Fault> {
        match self.events.next() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => {
                let at = error.marker().byte_offset().unwrap_or(self.text.len());
                let end = at + self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
                Err(syntax::fault(error.kind(), (self.place)(at)..(self.place)(end)))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn node(&mut self, event: Event<'t>, span: &Span, depth: usize) -> Result<Node, Fault> {
        let bytes = self.bytes(span);
        self.spend(1, depth, &bytes)?;
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.know_tag(tag.as_deref(), span, core_schema::SCALARS);
                let value = core_schema::resolve(&text, style == ScalarStyle::Plain, tag.as_deref());
                (anchor, Node { span: bytes, content: Content::Scalar(text.into_owned(), value) })
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.know_tag(tag.as_deref(), span, &["seq"]);
                (anchor, self.list(style, bytes, depth)?)
            }
            Event::MappingStart(style, anchor, tag) => {
                self.know_tag(tag.as_deref(), span, &["map"]);
                (anchor, self.map(style, bytes, depth)?)
            }
            Event::Alias(target) => return self.alias(target, bytes, depth),
            // The parser is set to pass unknown aliases on; no other event can be a node.
            _ => return Err(Fault::new("yaml-syntax", bytes, syntax::UNKNOWN_ALIAS)),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, style: StructureStyle, start: Range<usize>, depth: usize) -> Result<Node, Fault> {
        let (mut items, mut end) = (Vec::new(), start.end);
        loop {
            match self.next()? {
                (Event::SequenceEnd, last) => {
                    let end = if style == StructureStyle::Flow { self.bytes(&last).end } else { end };
                    return Ok(Node { span: start.start..end, content: Content::List(items) });
                }
                (event, span) => {
                    items.push(self.node(event, &span, depth + 1)?);
                    end = items.last().map_or(end, |item| item.span.end.max(end));
                }
            }
        }
    }

    fn map(&mut self, style: StructureStyle, start: Range<usize>, depth: usize) -> Result<Node, Fault> {
        let (mut entries, mut end) = (Vec::<(Node, Node)>::new(), start.end);
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                let end = if style == StructureStyle::Flow { self.bytes(&span).end } else { end };
                return Ok(Node { span: start.start..end, content: Content::Map(entries) });
            }
            let behind_key = span.byte_range().map_or(self.text.len(), |range| range.end);
            let key = self.node(event, &span, depth + 1)?;
            let (event, span) = self.next()?;
            let value = self.node(event, &span, depth + 1)?;
            let Some(name) = key.text() else {
                return Err(Fault::new("yaml-syntax", key.span, "A key must be a word, not a list or a mapping."));
            };
            if name.starts_with(PRIVATE) {
                let message = format!("A key cannot begin with `{PRIVATE}`: to many programs it means something else.");
                return Err(Fault::new("yaml-syntax", key.span, message));
            }
            if entries.iter().any(|(other, _)| other.text() == Some(name)) {
                self.faults.push(duplicate(name, key.span.clone()));
            }
            end = end.max(key.span.end).max(value.span.end);
            if value.span.is_empty() {
                // `key:` without a value: the colon belongs to the mapping, or it would not be a mapping.
                let colon = self.text.get(behind_key..).and_then(|rest| rest.find(':'));
                end = end.max(colon.map_or(end, |colon| (self.place)(behind_key + colon + 1)));
            }
            entries.push((key, value));
        }
    }

    fn alias(&mut self, target: usize, bytes: Range<usize>, depth: usize) -> Result<Node, Fault> {
        self.aliases += 1;
        if self.aliases > MOST_ALIASES {
            let message = format!("A frontmatter may repeat values by `*name` at most {MOST_ALIASES} times.");
            return Err(Fault::new("yaml-limit", bytes, message));
        }
        let Some(node) = self.anchors.get(&target).cloned() else {
            return Err(Fault::new("yaml-limit", bytes, "This value would contain itself."));
        };
        // Counted as deep as its copy here: aliases of aliases would nest without limit.
        let Size { nodes, height } = Size::of(&node);
        self.spend(nodes, depth + height, &bytes)?;
        Ok(Node { span: bytes, content: node.content })
    }

    fn spend(&mut self, nodes: usize, depth: usize, bytes: &Range<usize>) -> Result<(), Fault> {
        self.nodes += nodes;
        if self.nodes > MOST_NODES {
            let message = format!("The frontmatter contains more than {MOST_NODES} values.");
            return Err(Fault::new("yaml-limit", bytes.clone(), message));
        }
        if depth > MOST_DEPTH {
            return Err(Fault::new("yaml-limit", bytes.clone(), syntax::TOO_DEEP));
        }
        Ok(())
    }

    fn know_tag(&mut self, tag: Option<&Tag>, span: &Span, known: &[&str]) {
        let fits =
            |tag: &Tag| tag.core_suffix().is_some_and(|suffix| known.contains(&suffix)) || tag.to_string() == "!";
        self.tags |= tag.is_some();
        if tag.is_none_or(fits) {
            return;
        }
        let at = span.tag_span().map_or_else(|| self.bytes(span), |tag| self.bytes(&tag));
        let message = "This tag (`!...`) means nothing here and is ignored; strict readers refuse the skill. \
                       Quote the value if it is text.";
        self.faults.push(Fault::new("yaml-tag", at, message));
    }

    fn bytes(&self, span: &Span) -> Range<usize> {
        let range = span.byte_range().unwrap_or(self.text.len()..self.text.len());
        (self.place)(range.start)..(self.place)(range.end)
    }
}

/// How large a value is.
struct Size {
    nodes: usize,
    /// The number of levels below it.
    height: usize,
}

impl Size {
    fn of(node: &Node) -> Self {
        let below: &mut dyn Iterator<Item = &Node> = match &node.content {
            Content::Scalar(..) => &mut std::iter::empty(),
            Content::List(items) => &mut items.iter(),
            Content::Map(entries) => &mut entries.iter().flat_map(|(key, value)| [key, value]),
        };
        below.map(Self::of).fold(Self { nodes: 1, height: 0 }, |all, one| Self {
            nodes: all.nodes + one.nodes,
            height: all.height.max(one.height + 1),
        })
    }
}
