//! The links and pieces of text in a body, from a Markdown parser.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

/// A parsed body. All offsets count from the start of the file.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    pub(crate) links: Vec<Link>,
    /// All text outside links.
    pub(crate) pieces: Vec<Piece>,
}

/// A link or an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The target, unescaped.
    pub(crate) target: String,
    /// The bytes of the target when it is written out, else of the whole link.
    pub(crate) span: Range<usize>,
    /// Whether `span` is the target alone, so that it can be replaced.
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
    /// Parses `text[body]`.
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
                    let is_address = matches!(link_type, LinkType::Autolink | LinkType::Email);
                    if !is_address || dest_url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:")) {
                        markdown.links.push(Link::new(text, at(range), &dest_url));
                    }
                }
                Event::Html(_) | Event::InlineHtml(_) => markdown.links.extend(in_tags(text, at(range))),
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

/// The first line of prose: not an HTML comment or tag, a code block, an image, a badge or a table.
pub(super) fn first_prose(body: &str) -> Option<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let (mut line, mut aside) = (String::new(), 0_usize);
    for event in Parser::new_ext(body, options) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Image { .. } | Tag::Table(_)) => aside += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Image | TagEnd::Table) => aside -= 1,
            Event::Text(text) | Event::Code(text) if aside == 0 => line.push_str(&text),
            Event::SoftBreak | Event::HardBreak if aside > 0 => {}
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::BlockQuote(_)) => {
                if is_prose(&line) {
                    return Some(line);
                }
                line.clear();
            }
            _ => {}
        }
    }
    None
}

/// Whether a line is text for readers, not markup for a program such as `[!NOTE]` or `{% raw %}`.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    line.chars().any(char::is_alphanumeric) && !["[!", "[[", "{%", "{{"].iter().any(|mark| line.starts_with(mark))
}

/// The links and images in HTML tags: `<a href="a.md">`, `<img src='a.png'>`.
fn in_tags(text: &str, html: Range<usize>) -> Vec<Link> {
    let source = text.get(html.clone()).unwrap_or_default();
    if source.starts_with("<!--") {
        return Vec::new();
    }
    let starts = ["href=", "src="].into_iter().flat_map(|name| {
        let is_name = |at: &usize| source[..*at].ends_with(|c: char| c.is_ascii_whitespace());
        source.match_indices(name).map(|(at, _)| at).filter(is_name).map(move |at| at + name.len())
    });
    let mut links: Vec<_> = starts
        .filter_map(|at| {
            let quote = source[at..].chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (target, _) = source[at + 1..].split_once(quote)?;
            let start = html.start + at + 1;
            (!target.is_empty()).then(|| Link {
                target: target.to_owned(),
                span: start..start + target.len(),
                is_written_out: true,
            })
        })
        .collect();
    links.sort_by_key(|link| link.span.start);
    links
}

impl Link {
    fn new(text: &str, whole: Range<usize>, target: &str) -> Self {
        let source = &text[whole.clone()];
        // The target of `[text](target)` is its last occurrence in the source.
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
        assert_eq!(links("<file:///a.md>"), [link("file:///a.md", "file:///a.md")]);
        assert_eq!(
            links(
                "<p><img alt=\"x\" src='a b.png'></p>\n\nSee <a href=\"../a.md\">a</a>.\n\n<!-- <a href=\"b.md\"> -->"
            ),
            [link("a b.png", "a b.png"), link("../a.md", "../a.md")]
        );
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
