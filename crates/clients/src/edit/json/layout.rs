//! How a file is laid out, so that what we add looks as if its author had written it.

use serde_json::Value as Json;
use text::Splice;

use super::scan::{Member, Value};

/// The habits of one object in one file.
struct Style<'a> {
    /// How a line ends.
    eol: &'a str,
    /// One step of indentation.
    step: &'a str,
    /// What stands between a name and its value.
    colon: &'a str,
    /// What stands between two values on one line.
    comma: &'a str,
    /// What stands inside the brackets of an object on one line.
    pad: &'a str,
}

/// The insertion that adds the member `name` to `object`, which lies in the object `root`.
pub(super) fn insertion(text: &str, root: &Value, object: &Value, name: &str, value: &Json) -> Splice {
    let style = Style::of(text, root, object);
    let member = |indent| style.member(name, value, indent);
    let inside = object.range.start + 1..object.range.end - 1;

    if let Some(last) = members(object).last() {
        let insert = match indent_before(text, last.name.start) {
            Some(indent) => format!(",{}{indent}{}", style.eol, member(Some(indent))),
            None => format!("{}{}", style.comma, member(None)),
        };
        return Splice::insert(last.value.range.end, insert);
    }
    let blank = &text[inside.clone()];
    if on_one_line(text, root) {
        let (before, after) = if blank.is_empty() { (style.pad, style.pad) } else { (blank, "") };
        return Splice::insert(inside.start, format!("{before}{}{after}", member(None)));
    }
    let outer = indent_of_line(text, object.range.start);
    let inner = format!("{outer}{}", style.step);
    let mut insert = format!("{}{inner}{}", style.eol, member(Some(&inner)));
    if !has_line_end(blank) {
        // The blanks that stand there already become the end of the closing bracket's indentation.
        insert.push_str(style.eol);
        insert.push_str(outer.strip_suffix(blank).unwrap_or_default());
    }
    Splice::insert(inside.start, insert)
}

/// The splice that makes the member `there` of `object` say `value`, in the layout that it has.
pub(super) fn replacement(text: &str, root: &Value, object: &Value, there: &Member, value: &Json) -> Splice {
    let style = Style::of(text, root, object);
    let present = &text[there.value.range.clone()];
    let indent = has_line_end(present).then(|| indent_of_line(text, there.name.start));
    Splice::new(there.value.range.clone(), style.render(value, indent))
}

/// A whole file that holds `value`, with the line ends of what stands around it.
pub(super) fn document(around: &str, value: &Json) -> String {
    let style = Style { eol: line_end(around), step: "  ", colon: ": ", comma: ", ", pad: "" };
    let last = if has_line_end(around) { "" } else { style.eol };
    format!("{}{last}", style.render(value, Some("")))
}

impl<'a> Style<'a> {
    fn of(text: &'a str, root: &Value, object: &Value) -> Self {
        let example = [object, root].into_iter().find(|example| !members(example).is_empty());
        let colon = example
            .and_then(|example| members(example).last())
            .map(|member| &text[member.name.end..member.value.range.start])
            .filter(|colon| !has_line_end(colon))
            .unwrap_or(": ");
        let comma = match example.map(members) {
            Some([.., one, two]) => Some(&text[one.value.range.end..two.name.start]),
            _ => None,
        };
        let comma = comma.filter(|comma| !has_line_end(comma)).unwrap_or(if colon == ":" { "," } else { ", " });
        let pad = example
            .and_then(|example| Some(&text[example.range.start + 1..members(example).first()?.name.start]))
            .filter(|pad| !has_line_end(pad))
            .unwrap_or_default();
        let step = [object, root].into_iter().find_map(|example| step_of(text, example)).unwrap_or("  ");
        Self { eol: line_end(text), step, colon, comma, pad }
    }

    fn member(&self, name: &str, value: &Json, indent: Option<&str>) -> String {
        format!("{}{}{}", Json::from(name), self.colon, self.render(value, indent))
    }

    /// A value whose line starts with `indent`; without one, everything on one line.
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

/// How much deeper the members of an object stand than the object, if they have lines of their own.
fn step_of<'a>(text: &'a str, object: &Value) -> Option<&'a str> {
    let inner = indent_before(text, members(object).last()?.name.start)?;
    inner.strip_prefix(indent_of_line(text, object.range.start))
}

/// What stands before `at` on its line, if that is nothing but indentation.
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

/// Whether the file says by its own example that everything stands on one line.
fn on_one_line(text: &str, root: &Value) -> bool {
    !members(root).is_empty() && !has_line_end(&text[root.range.clone()])
}

fn has_line_end(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

fn line_end(text: &str) -> &'static str {
    match text.find(['\n', '\r']).map(|at| &text[at..]) {
        Some(end) if end.starts_with("\r\n") => "\r\n",
        Some(end) if end.starts_with('\r') => "\r",
        _ => "\n",
    }
}
