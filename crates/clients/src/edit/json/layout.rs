//! The layout of a JSON file, so that additions look as if its author had written them.

use serde_json::Value as Json;
use text::Splice;

use super::{
    between::{comma_behind, has_line_end, last_comment_end, line_comments_end},
    scan::{Member, Value},
};

/// The layout conventions of one object in one file.
struct Style<'a> {
    /// The line end.
    eol: &'a str,
    /// One step of indentation.
    step: &'a str,
    /// The text between a name and its value.
    colon: &'a str,
    /// The text between two values on one line.
    comma: &'a str,
    /// The text inside the brackets of an object on one line.
    pad: &'a str,
}

/// The insertion that adds the member `name` to `object`, which is part of the object `root`. A comment stays with the
/// value it follows.
pub(super) fn insertion(text: &str, root: &Value, object: &Value, name: &str, value: &Json) -> Splice {
    let style = Style::of(text, root, object);
    let member = |indent: Option<&str>| style.member(name, value, indent);
    if let [first, ..] = members(object)
        && let [.., last] = members(object)
    {
        return behind(text, object, first, last, &style, member);
    }
    let inside = object.range.start + 1..object.range.end - 1;
    let start = line_comments_end(text, inside.start);
    let blank = &text[start..inside.end];
    if on_one_line(text, root) {
        let blank = &blank[..blank.len() - blank.trim_start_matches([' ', '\t']).len()];
        let (before, after) = if start == inside.end { (style.pad, style.pad) } else { (blank, "") };
        return Splice::insert(start, format!("{before}{}{after}", member(None)));
    }
    let outer = indent_of_line(text, object.range.start);
    let inner = format!("{outer}{}", style.step);
    let mut insert = format!("{}{inner}{}", style.eol, member(Some(&inner)));
    if !has_line_end(blank) {
        // The blanks already there become the end of the closing bracket's indentation.
        insert.push_str(style.eol);
        insert.push_str(outer.strip_suffix(blank).unwrap_or_default());
    }
    Splice::insert(start, insert)
}

/// The insertion after the last member, or before the first if a comment follows the last: the comma would come after
/// that comment.
fn behind(
    text: &str,
    object: &Value,
    first: &Member,
    last: &Member,
    style: &Style<'_>,
    member: impl Fn(Option<&str>) -> String,
) -> Splice {
    let end = last.value.range.end;
    let eol = style.eol;
    match (indent_before(text, last.name.start), comma_behind(text, end)) {
        (Some(indent), Some(comma)) => {
            let at = line_comments_end(text, comma + 1);
            Splice::insert(at, format!("{eol}{indent}{},", member(Some(indent))))
        }
        (None, Some(comma)) => {
            let gap = style.comma.strip_prefix(',').unwrap_or_default();
            Splice::insert(comma + 1, format!("{gap}{},", member(None)))
        }
        (Some(indent), None) => {
            if line_comments_end(text, end) > end && indent_before(text, first.name.start).is_some() {
                let at = line_comments_end(text, object.range.start + 1);
                return Splice::insert(at, format!("{eol}{indent}{},", member(Some(indent))));
            }
            Splice::insert(end, format!(",{eol}{indent}{}", member(Some(indent))))
        }
        (None, None) => Splice::insert(end, format!("{}{}", style.comma, member(None))),
    }
}

/// The splice that changes the member `there` of `object` to `value`, in its present layout.
pub(super) fn replacement(text: &str, root: &Value, object: &Value, there: &Member, value: &Json) -> Splice {
    let style = Style::of(text, root, object);
    let present = &text[there.value.range.clone()];
    let indent = has_line_end(present).then(|| indent_of_line(text, there.name.start));
    Splice::new(there.value.range.clone(), style.render(value, indent))
}

/// A whole file that holds `value`, with the line ends of the text around it.
///
/// `around` is made of blanks and comments; the document comes after the comments.
pub(super) fn document(around: &str, value: &Json) -> (usize, String) {
    let style = Style { eol: line_end(around), step: "  ", colon: ": ", comma: ", ", pad: "" };
    let document = style.render(value, Some(""));
    let start = last_comment_end(around, 0..around.len()).unwrap_or(0);
    let first = if start > 0 { style.eol } else { "" };
    let last = if has_line_end(&around[start..]) { "" } else { style.eol };
    (start, format!("{first}{document}{last}"))
}

impl<'a> Style<'a> {
    fn of(text: &'a str, root: &Value, object: &Value) -> Self {
        let example = [object, root].into_iter().find(|example| !members(example).is_empty());
        let colon = example
            .and_then(|example| members(example).last())
            .map(|member| &text[member.name.end..member.value.range.start])
            .filter(|colon| is_blank_but(colon, ':'))
            .unwrap_or(": ");
        let comma = match example.map(members) {
            Some([.., one, two]) => Some(&text[one.value.range.end..two.name.start]),
            _ => None,
        };
        let comma = comma.filter(|comma| is_blank_but(comma, ',')).unwrap_or(if colon == ":" { "," } else { ", " });
        let pad = example
            .and_then(|example| Some(&text[example.range.start + 1..members(example).first()?.name.start]))
            .filter(|pad| pad.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
            .unwrap_or_default();
        let step = [object, root].into_iter().find_map(|example| step_of(text, example)).unwrap_or("  ");
        Self { eol: line_end(text), step, colon, comma, pad }
    }

    fn member(&self, name: &str, value: &Json, indent: Option<&str>) -> String {
        format!("{}{}{}", Json::from(name), self.colon, self.render(value, indent))
    }

    /// A value whose line starts with `indent`, or a value on one line if `indent` is `None`.
    fn render(&self, value: &Json, indent: Option<&str>) -> String {
        match (value, indent) {
            (Json::Object(object), Some(indent)) => {
                let inner = format!("{indent}{}", self.step);
                let members: Vec<_> = object
                    .iter()
                    .map(|(name, value)| format!("{}{inner}{}", self.eol, self.member(name, value, Some(&inner))))
                    .collect();
                format!("{{{}{}{indent}}}", members.join(","), self.eol)
            }
            (Json::Object(object), None) => {
                let members: Vec<_> = object.iter().map(|(name, value)| self.member(name, value, None)).collect();
                format!("{{{pad}{}{pad}}}", members.join(self.comma), pad = self.pad)
            }
            (Json::Array(items), _) => {
                let items: Vec<_> = items.iter().map(|item| self.render(item, None)).collect();
                format!("[{}]", items.join(self.comma))
            }
            _ => value.to_string(),
        }
    }
}

fn members(value: &Value) -> &[Member] {
    value.members.as_deref().unwrap_or_default()
}

/// How much deeper than the object its members are indented, if they have lines of their own.
fn step_of<'a>(text: &'a str, object: &Value) -> Option<&'a str> {
    let inner = indent_before(text, members(object).last()?.name.start)?;
    inner.strip_prefix(indent_of_line(text, object.range.start))
}

/// The text before `at` on its line, if it is only indentation.
fn indent_before(text: &str, at: usize) -> Option<&str> {
    let line = line_start(text, at);
    let before = &text[line..at];
    (line > 0 && before.bytes().all(|byte| matches!(byte, b' ' | b'\t'))).then_some(before)
}

fn indent_of_line(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Whether the file itself is written on one line.
fn on_one_line(text: &str, root: &Value) -> bool {
    !members(root).is_empty() && !has_line_end(&text[root.range.clone()])
}

/// Whether the text is `sign` with only blanks of one line around it.
fn is_blank_but(text: &str, sign: char) -> bool {
    text.chars().all(|c| c == sign || c == ' ' || c == '\t')
}

fn line_end(text: &str) -> &'static str {
    match text.find(['\n', '\r']).map(|at| &text[at..]) {
        Some(end) if end.starts_with("\r\n") => "\r\n",
        Some(end) if end.starts_with('\r') => "\r",
        _ => "\n",
    }
}
