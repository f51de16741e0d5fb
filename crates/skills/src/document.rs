//! The places of the frontmatter and the body in a SKILL.md.
//!
//! This module looks only at fences and bytes; `frontmatter` reads the content. It follows the rules that real
//! clients share: the opening fence is the first line, the closing one may be sloppy. A fence that names another
//! language (`---js`) is not accepted: some readers would run what follows.

use std::{borrow::Cow, ops::Range};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A SKILL.md, cut at its fences.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    file: &'a [u8],
    /// The fences and the text between them, when the file has frontmatter.
    pub(crate) fences: Option<Fences>,
    /// The body, without leading blank lines.
    pub(crate) body: Range<usize>,
}

/// The fence lines of a frontmatter, without their line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fences {
    pub(crate) opening: Range<usize>,
    /// The text between the fences, including the last line end.
    pub(crate) yaml: Range<usize>,
    pub(crate) closing: Range<usize>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(file: &'a [u8]) -> Self {
        let start = if file.starts_with(BOM) { BOM.len() } else { 0 };
        let fences = fences(file, start);
        let after = match &fences {
            Some(fences) => next_line(file, fences.closing.end),
            None => start,
        };
        let body = lines(file, after).find(|line| !is_blank(&file[line.clone()]));
        let body = body.map_or(file.len(), |line| line.start)..file.len();
        Self { file, fences, body }
    }

    /// The bytes of the whole file.
    pub(crate) fn file(&self) -> &'a [u8] {
        self.file
    }

    /// The byte order mark, when there is one.
    pub(crate) fn byte_order_mark(&self) -> Option<Range<usize>> {
        self.file.starts_with(BOM).then_some(0..BOM.len())
    }

    /// The text between the fences.
    pub(crate) fn yaml(&self) -> Option<Yaml<'a>> {
        let range = self.fences.as_ref()?.yaml.clone();
        Some(Yaml::new(range.start, &self.file[range]))
    }

    /// The line end of the file's first line; `\n` when it has only one line.
    pub(crate) fn line_end(&self) -> &'static str {
        line_end(self.file)
    }

    /// The first line of the body with text (a rule `---` has none), without heading marks.
    pub(crate) fn first_body_line(&self) -> String {
        let text = |line: Range<usize>| String::from_utf8_lossy(&self.file[line]).into_owned();
        lines(self.file, self.body.start)
            .map(|line| text(line).trim().trim_start_matches('#').trim().to_owned())
            .find(|line| !line.trim_matches('-').is_empty())
            .unwrap_or_default()
    }
}

/// The text of a frontmatter, and the places of its characters in the file.
#[derive(Debug)]
pub(crate) struct Yaml<'a> {
    /// The text; bytes that are not UTF-8 become U+FFFD.
    pub(crate) text: Cow<'a, str>,
    /// Starts of stretches, in the text and in the file. A new stretch starts at each place with invalid UTF-8,
    /// because U+FFFD has another length.
    stretches: Vec<(usize, usize)>,
}

impl<'a> Yaml<'a> {
    fn new(start: usize, bytes: &'a [u8]) -> Self {
        let mut stretches = vec![(0, start)];
        let (mut shown, mut real) = (0, start);
        for chunk in bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()) {
            shown += chunk.valid().len() + char::REPLACEMENT_CHARACTER.len_utf8();
            real += chunk.valid().len() + chunk.invalid().len();
            stretches.push((shown, real));
        }
        Self { text: String::from_utf8_lossy(bytes), stretches }
    }

    /// The file offset of the byte `offset` of the text.
    pub(crate) fn place(&self, offset: usize) -> usize {
        let after = self.stretches.partition_point(|&(shown, _)| shown <= offset);
        let (shown, real) = self.stretches[after - 1];
        let end = self.stretches.get(after).map_or(usize::MAX, |&(_, real)| real);
        (real + offset - shown).min(end)
    }
}

/// How a file's first line ends; `\n` when it has one line only.
pub(crate) fn line_end(file: &[u8]) -> &'static str {
    match file.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(at) if file[at..].starts_with(b"\r\n") => "\r\n",
        Some(at) if file[at] == b'\r' => "\r",
        _ => "\n",
    }
}

fn fences(file: &[u8], start: usize) -> Option<Fences> {
    let opening = lines(file, start).next()?;
    let language = trimmed(&file[opening.clone()]).strip_prefix(b"---")?;
    if !matches!(&*trimmed(language).to_ascii_lowercase(), b"" | b"yaml" | b"yml") {
        return None;
    }
    let from = next_line(file, opening.end);
    let closing = |fits: fn(&[u8]) -> bool| lines(file, from).find(|line| fits(&file[line.clone()]));
    // An indented fence may be part of a block of text, so an exact one further down takes precedence.
    let closing = closing(|line| trimmed(line) == b"---" && line.starts_with(b"---"))
        .or_else(|| closing(|line| trimmed(line) == b"---"))
        .or_else(|| closing(|line| line.starts_with(b"---")))?;
    Some(Fences { opening, yaml: from..closing.start, closing })
}

/// The line without leading and trailing blanks, including those beyond ASCII.
fn trimmed(line: &[u8]) -> &[u8] {
    str::from_utf8(line).map_or_else(|_| line.trim_ascii(), |line| line.trim().as_bytes())
}

/// The lines from `start` on, without their line ends (LF, CRLF or a lone CR).
fn lines(file: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = Some(start);
    std::iter::from_fn(move || {
        let from = next?;
        let length = file[from..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end = length.map_or(file.len(), |length| from + length);
        next = length.map(|_| next_line(file, end));
        Some(from..end)
    })
}

/// The start of the line after the one that ends at `end`.
fn next_line(file: &[u8], end: usize) -> usize {
    match file[end..] {
        [b'\r', b'\n', ..] => end + 2,
        [_, ..] => end + 1,
        [] => end,
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(file: &str) -> Option<(&str, &str)> {
        let document = Document::new(file.as_bytes());
        let yaml = document.fences.as_ref()?.yaml.clone();
        Some((&file[yaml], &file[document.body.clone()]))
    }

    #[test]
    fn fences_may_be_as_sloppy_as_clients_allow() {
        for opening in ["---", " ---", "--- ", "---\u{a0}", "---yaml", "--- YAML", "---yml", "\u{feff}---", "---\r"] {
            for closing in ["---", "--- ", "---\u{a0}", "  ---", "----"] {
                let file = format!("{opening}\nname: x\n{closing}\n\n \nbody\n");
                assert_eq!(split(&file), Some(("name: x\n", "body\n")), "{opening:?} {closing:?}");
            }
        }
    }

    #[test]
    fn another_language_or_anything_before_the_fence_is_no_frontmatter() {
        for start in ["---js\n", "----\n", "\n---\n", "# Title\n---\n", "```\n---\n", "+++\n"] {
            assert_eq!(split(&format!("{start}name: x\n---\nbody")), None, "{start:?}");
        }
    }

    #[test]
    fn a_clean_closing_fence_goes_before_an_indented_one() {
        let file = "---\nname: |\n  a\n  ---\n  b\n---\nbody";
        assert_eq!(split(file), Some(("name: |\n  a\n  ---\n  b\n", "body")));
    }

    #[test]
    fn a_file_without_frontmatter_is_all_body() {
        assert_eq!(Document::new(b"\n\n# A\n").body, 2..6);
        assert_eq!(Document::new(b"---\nname: x\n").body, 0..12);
        assert_eq!(Document::new(b"").body, 0..0);
    }

    #[test]
    fn offsets_in_text_that_is_not_utf_8_lead_to_the_bytes() {
        let document = Document::new(b"---\na: \xff\xfe b\n---\n");
        let yaml = document.yaml().unwrap();
        let b = yaml.text.find('b').unwrap();
        assert_eq!(document.file()[yaml.place(b)], b'b');
    }

    #[test]
    fn the_first_line_of_the_body_loses_its_heading_marks() {
        assert_eq!(Document::new(b"---\na: b\n---\n\n## \n# Tea \n").first_body_line(), "Tea");
    }
}
