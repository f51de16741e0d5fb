//! The links and the pieces of text in a body, as a Markdown parser sees them.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

/// A body, taken apart. All offsets count from the start of the file.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    pub(crate) links: Vec<Link>,
    /// Everything that is read as text, outside of links.
    pub(crate) pieces: Vec<Piece>,
}

/// A link or a picture.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where it leads, without escapes.
    pub(crate) target: String,
    /// Where it stands: the target where it is written out, else all of it.
    pub(crate) span: Range<usize>,
    /// Whether `span` is the target alone, so that another can be put in its place.
    pub(crate) is_written_out: bool,
}

/// A stretch of text of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Prose,
    /// Between backticks.
    Code,
    /// In a block of code.
    Block,
}

impl Markdown {
    /// Takes `text[body]` apart.
    pub(crate) fn new(text: &str, body: Range<usize>) -> Self {
        let Some(source) = text.get(body.clone()) else { return Self::default() };
        let at = |range: Range<usize>| range.start + body.start..range.end + body.start;
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let events = TextMergeWithOffset::new(Parser::new_ext(source, options).into_offset_iter());
        let (mut markdown, mut inside_link, mut inside_block) = (Self::default(), 0_usize, false);
        for (event, range) in events {
            match event {
                Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                    inside_link += 1;
                    if !matches!(link_type, LinkType::Autolink | LinkType::Email) {
                        markdown.links.push(Link::new(text, at(range), &dest_url));
                    }
                }
                Event::End(TagEnd::Link | TagEnd::Image) => inside_link -= 1,
                Event::Start(Tag::CodeBlock(_)) => inside_block = true,
                Event::End(TagEnd::CodeBlock) => inside_block = false,
                Event::Text(_) if inside_block => markdown.pieces.push(Piece { kind: Kind::Block, span: at(range) }),
                Event::Text(_) if inside_link == 0 => {
                    markdown.pieces.push(Piece { kind: Kind::Prose, span: at(range) });
                }
                Event::Code(_) if inside_link == 0 => {
                    markdown.pieces.push(Piece { kind: Kind::Code, span: at(range) });
                }
                _ => {}
            }
        }
        markdown
    }
}

impl Link {
    fn new(text: &str, whole: Range<usize>, target: &str) -> Self {
        let source = &text[whole.clone()];
        // The target of `[text](target)` is the last thing that looks like it.
        let written = source.rfind(target).filter(|at| source[..*at].ends_with(['(', '<']));
        match written.filter(|_| !target.is_empty()) {
            Some(at) => {
                let start = whole.start + at;
                Self { target: target.to_owned(), span: start..start + target.len(), is_written_out: true }
            }
            None => Self { target: target.to_owned(), span: whole, is_written_out: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<(String, String)> {
        let links = Markdown::new(text, 0..text.len()).links;
        links.into_iter().map(|link| (link.target, text[link.span].to_owned())).collect()
    }

    fn link(target: &str, marked: &str) -> (String, String) {
        (target.to_owned(), marked.to_owned())
    }

    #[test]
    fn links_are_found_as_clients_show_them() {
        assert_eq!(
            links("See [a](a.md#top \"A\") and ![b](<b c.png>)."),
            [link("a.md#top", "a.md#top"), link("b c.png", "b c.png")]
        );
        assert_eq!(links("[a][1]\n\n[1]: a.md"), [link("a.md", "[a][1]")]);
        assert_eq!(links("`[a](a.md)` and <https://example.org>\n\n    [b](b.md)\n"), []);
    }

    #[test]
    fn text_and_code_are_told_apart_at_their_places() {
        let text = "---\nname: x\n---\nRun `scripts/a_b.py` in\n\n```sh\nls\n```\n[no](x.md)";
        let pieces = Markdown::new(text, 16..text.len()).pieces;
        let pieces: Vec<_> = pieces.iter().map(|piece| (piece.kind, &text[piece.span.clone()])).collect();
        assert_eq!(
            pieces,
            [(Kind::Prose, "Run "), (Kind::Code, "`scripts/a_b.py`"), (Kind::Prose, " in"), (Kind::Block, "ls\n")]
        );
    }
}
