//! Reads a frontmatter that is not valid YAML as a whole, the way real clients do.
//!
//! Every top-level entry is read separately, so that one bad line does not affect the others. A one-line value that
//! is not valid YAML is read as the text that its author meant, with a fix that quotes it. The rest is lost, except a
//! `name:` and a `description:`, which are read from their lines. The blocks that start programs or publish addresses
//! are never repaired.

use std::ops::Range;

use serde_json::Value;
use text::Splice;

use crate::{
    document::Yaml,
    frontmatter::Frontmatter,
    problem::Fault,
    yaml::{self, Content, Node, quotes},
};

const NEVER_REPAIRED: &[&str] = &["x-personal-mcp", "requires-mcp-servers"];

pub(crate) fn read(yaml: &Yaml<'_>, refused: Fault) -> Frontmatter {
    let mut repair = Repair { yaml, entries: Vec::new(), faults: Vec::new() };
    if refused.rule != "yaml-limit" {
        for range in top_level_entries(&yaml.text) {
            repair.entry(range);
        }
    }
    for key in ["name", "description"] {
        repair.by_line(key);
    }
    if repair.faults.is_empty() {
        repair.faults.push(refused);
    }
    Frontmatter::repaired(repair.entries, yaml.place(0), repair.faults)
}

struct Repair<'y, 'a> {
    yaml: &'y Yaml<'a>,
    entries: Vec<(Node, Node)>,
    faults: Vec<Fault>,
}

impl Repair<'_, '_> {
    fn entry(&mut self, range: Range<usize>) {
        let text = &self.yaml.text[range.clone()];
        let refused = match yaml::read(text, &|offset| self.yaml.place(range.start + offset)) {
            Ok(tree) => {
                self.faults.extend(tree.faults);
                for (key, value) in tree.root.iter().flat_map(Node::entries) {
                    self.keep(key.clone(), value.clone());
                }
                return;
            }
            Err(refused) => refused,
        };
        if let Some((key, value)) = self.in_loose_quotes(range.clone(), &refused) {
            return self.keep(key, value);
        }
        match line(text) {
            Some(line) if !NEVER_REPAIRED.contains(&line.key) && line.is_mended_by_quotes(text) => {
                let value = line.value.start + range.start..line.value.end + range.start;
                self.faults.push(self.quote(line.key, value.clone(), &refused));
                self.keep(self.scalar(range.start..range.start + line.key.len(), line.key), self.text(value));
            }
            Some(line) => self.faults.push(refused.about(line.key)),
            None => self.faults.push(refused),
        }
    }

    /// Reads a quoted text whose later lines are not indented, and reports it.
    fn in_loose_quotes(&mut self, range: Range<usize>, refused: &Fault) -> Option<(Node, Node)> {
        let text = &self.yaml.text[range.clone()];
        let line = line(text).filter(|line| !NEVER_REPAIRED.contains(&line.key))?;
        let loose = quotes::unindented(text);
        let tree = yaml::read(&quotes::indented(text), &|offset| offset).ok().filter(|_| !loose.is_empty())?;
        let meant = tree.root?.get(line.key)?.text()?.to_owned();
        let value = range.start + line.value.start..range.start + text.trim_end().len();
        let indent = |at: &usize| Splice::insert(self.yaml.place(range.start + at), "  ");
        let fix = loose.iter().map(indent).collect();
        self.faults.push(refused.clone().about(line.key).fixed_by("Indent the text", fix));
        Some((self.scalar(range.start..range.start + line.key.len(), line.key), self.scalar(value, &meant)))
    }

    /// Keeps an entry, and reports a duplicate key.
    fn keep(&mut self, key: Node, value: Node) {
        if let Some(name) = key.text().filter(|&name| self.has(name)) {
            self.faults.push(yaml::duplicate(name, key.span.clone()));
        }
        self.entries.push((key, value));
    }

    fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name.text() == Some(key))
    }

    /// The last resort: the first line that starts with `key:`, however indented, and the indented
    /// lines below a description.
    fn by_line(&mut self, key: &str) {
        if self.has(key) {
            return;
        }
        let mut start = 0;
        for whole in self.yaml.text.split_inclusive(['\n', '\r']) {
            let from = start + whole.len() - whole.trim_start().len();
            start += whole.len();
            let Some(line) = line(whole.trim_start()).filter(|line| line.key == key) else { continue };
            let value = line.value.start + from..line.value.end + from;
            // A carriage return and a line feed are one line end.
            start += usize::from(whole.ends_with('\r') && self.yaml.text[start..].starts_with('\n'));
            let more = if key == "description" { indented_lines(&self.yaml.text[start..]) } else { Vec::new() };
            let value = match more.last() {
                None => self.text(value),
                Some(last) => {
                    let parts = [&self.yaml.text[value.clone()]].into_iter();
                    let parts = parts.chain(more.iter().map(|line| self.yaml.text[start..][line.clone()].trim()));
                    let text: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
                    self.scalar(value.start..start + last.end, &text.join(" "))
                }
            };
            self.entries.push((self.scalar(from..from + key.len(), key), value));
            return;
        }
    }

    /// The one-line value at `range` as the text that its author meant.
    fn text(&self, range: Range<usize>) -> Node {
        let text = meant(&self.yaml.text[range.clone()]);
        self.scalar(range, text)
    }

    fn scalar(&self, range: Range<usize>, text: &str) -> Node {
        let content = Content::Scalar(text.to_owned(), Value::String(text.to_owned()));
        Node { span: self.yaml.place(range.start)..self.yaml.place(range.end), content }
    }

    fn quote(&self, key: &str, range: Range<usize>, refused: &Fault) -> Fault {
        let value = &self.yaml.text[range.clone()];
        let span = self.yaml.place(range.start)..self.yaml.place(range.end);
        let fix = vec![Splice::new(span.clone(), quoted(meant(value)))];
        let fault = match colon(value) {
            Some(at) => {
                let at = range.start + at;
                let message = format!(
                    "The value of `{key}` contains a colon followed by a blank, which YAML reads as another key. \
                     Copilot and other strict readers drop the skill. Quote the value."
                );
                Fault::new("unquoted-colon", self.yaml.place(at)..self.yaml.place(at + 1), message)
            }
            None => {
                let message = format!("{} Strict readers drop the skill.", refused.message);
                Fault::new("unquoted-value", span, message)
            }
        };
        fault.about(key).fixed_by("Quote the value", fix)
    }
}

/// A line `key: value`; ranges count from its start.
struct Line<'t> {
    key: &'t str,
    value: Range<usize>,
}

impl Line<'_> {
    /// Whether `text`, which starts with this line, is valid YAML once the value is quoted.
    fn is_mended_by_quotes(&self, text: &str) -> bool {
        let value = &text[self.value.clone()];
        let mended = [&text[..self.value.start], &quoted(meant(value)), &text[self.value.end..]].concat();
        !value.is_empty() && yaml::read(&mended, &|offset| offset).is_ok()
    }
}

fn line(text: &str) -> Option<Line<'_>> {
    let text = text.split(['\n', '\r']).next()?;
    let (key, rest) = text.split_once(':')?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if !is_key || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let value = rest.trim_start_matches([' ', '\t']);
    let start = text.len() - value.len();
    Some(Line { key, value: start..start + value.trim_end_matches([' ', '\t']).len() })
}

/// The indented, non-blank lines at the start of a text, without their line ends.
fn indented_lines(text: &str) -> Vec<Range<usize>> {
    let (mut at, mut lines) = (0, Vec::new());
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        if !whole.starts_with([' ', '\t']) || line.is_empty() {
            break;
        }
        lines.push(at..at + line.len());
        at += whole.len();
    }
    lines
}

/// The ranges of the top-level entries; text before the first one is in none.
pub(crate) fn top_level_entries(text: &str) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for whole in text.split_inclusive(['\n', '\r']) {
        if line(whole).is_some() || whole.starts_with(['"', '\'']) && whole.contains(':') {
            starts.push(at);
        }
        at += whole.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// The colon that splits a plain value in two.
fn colon(value: &str) -> Option<usize> {
    if value.starts_with(['\'', '"', '@', '`', '|', '>', '{', '[', '*', '&', '!', '%', '-', '?', '#']) {
        return None;
    }
    let ends_key = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    value.match_indices(':').map(|(at, _)| at).find(|&at| ends_key(&value[at + 1..]))
}

/// The text inside quotes that were not escaped: `'It's here'`.
fn meant(value: &str) -> &str {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .filter(|inner| !inner.is_empty())
        .unwrap_or(value)
}

/// The text in the kind of quotes that needs the fewest escapes.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains(char::is_control) {
        let escape = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
            c => c.to_string(),
        };
        return format!("\"{}\"", text.chars().map(escape).collect::<String>());
    }
    if text.contains(['"', '\\']) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    format!("\"{text}\"")
}
