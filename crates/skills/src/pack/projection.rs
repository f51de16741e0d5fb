//! Turns the authored frontmatter into the packed one.
//!
//! Where possible this uses splices: whole entries are removed, two lines are added, and comments, quotes and order
//! of the rest stay. The result is read again and compared with what it must say. Where splices do not work (a
//! frontmatter in braces, a value that another one repeats), the frontmatter is rewritten.

use std::ops::Range;

use serde_json::{Map, Value};
use text::Splice;

use crate::{
    Skill,
    document::Document,
    frontmatter::Frontmatter,
    known_keys::KNOWN,
    yaml::{Content, Node},
};

/// The keys of the Agent Skills specification.
const STANDARD: &[&str] = &["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
/// Skilltender's blocks.
const OURS: &[&str] = &["x-personal-mcp", "requires-mcp-servers"];

/// A packed SKILL.md.
#[derive(Debug)]
pub(super) struct Projection {
    pub(super) bytes: Vec<u8>,
    pub(super) dropped: Vec<String>,
    pub(super) moved: Vec<String>,
}

/// Projects a SKILL.md; `None` when `metadata` cannot hold Skilltender's blocks.
pub(super) fn project(skill: &Skill, file: &[u8], keep_claude_code: bool) -> Option<Projection> {
    let frontmatter = skill.frontmatter();
    let keys = frontmatter.iter().filter(|(_, value)| !value.is_null()).map(|(key, _)| key.as_str());
    let stays = |key: &&str| {
        STANDARD.contains(key)
            || keep_claude_code && KNOWN.iter().any(|known| known.name == *key) && !OURS.contains(key)
    };
    let (_, goes): (Vec<_>, Vec<_>) = keys.partition(stays);
    let (moved, dropped): (Vec<_>, Vec<_>) = goes.into_iter().partition(|key| OURS.contains(key));
    let wanted = wanted(&frontmatter, &|key| stays(&key), &moved)?;
    let document = Document::new(file);
    let says = |bytes: &[u8]| Frontmatter::read(&Document::new(bytes)).root.object() == wanted;
    let spliced =
        splices(&document, &wanted, &|key| stays(&key), &moved).and_then(|splices| text::apply(file, &splices).ok());
    let bytes = spliced.filter(|bytes| says(bytes)).unwrap_or_else(|| anew(&document, &wanted));
    let names = |keys: Vec<&str>| keys.into_iter().map(str::to_owned).collect();
    Some(Projection { bytes, dropped: names(dropped), moved: names(moved) })
}

/// The content that the packed frontmatter must have.
fn wanted(authored: &Map<String, Value>, stays: &dyn Fn(&str) -> bool, moved: &[&str]) -> Option<Map<String, Value>> {
    let kept = authored.iter().filter(|(key, _)| stays(key));
    let mut wanted: Map<_, _> = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
    if moved.is_empty() {
        return Some(wanted);
    }
    let metadata = wanted.entry("metadata").or_insert(Value::Null);
    if metadata.is_null() {
        *metadata = Value::Object(Map::new());
    }
    let metadata = metadata.as_object_mut()?;
    for key in moved {
        metadata.insert((*key).to_owned(), Value::String(authored[*key].to_string()));
    }
    Some(wanted)
}

/// The splices that produce that content, for a frontmatter made of lines.
fn splices(
    document: &Document<'_>,
    wanted: &Map<String, Value>,
    stays: &dyn Fn(&str) -> bool,
    moved: &[&str],
) -> Option<Vec<Splice>> {
    let file = document.file();
    let fences = document.fences.as_ref()?;
    let root = Frontmatter::read(document).root;
    if file.get(root.span.start) == Some(&b'{') {
        return None;
    }
    let goes = |(key, _): &&(Node, Node)| !key.text().is_some_and(stays);
    let mut splices: Vec<_> =
        root.entries().iter().filter(goes).map(|entry| Splice::new(lines(file, entry), "")).collect();
    let texts: Vec<_> =
        moved.iter().map(|key| (*key, yaml_text(wanted["metadata"][*key].as_str().unwrap_or_default()))).collect();
    if !texts.is_empty() {
        let end = document.line_end();
        match root.entry("metadata").filter(|(_, metadata)| !metadata.is_null()) {
            Some((_, metadata)) => splices.extend(put_into(file, metadata, &texts, end)?),
            None => {
                let lines: String = texts.iter().map(|(key, text)| format!("  {key}: {text}{end}")).collect();
                // An empty `metadata:` is removed, and added again with its new content.
                let empty = root.entry("metadata").map(|entry| Splice::new(self::lines(file, entry), ""));
                splices.extend(empty);
                splices.push(Splice::insert(fences.yaml.end, format!("metadata:{end}{lines}")));
            }
        }
    }
    splices.sort_by_key(|splice| (splice.start, splice.end));
    Some(splices)
}

/// Puts values into a mapping, replacing those with the same keys.
fn put_into(file: &[u8], mapping: &Node, texts: &[(&str, String)], end: &str) -> Option<Vec<Splice>> {
    let mut splices = Vec::new();
    let mut new = Vec::new();
    for (key, text) in texts {
        match mapping.get(key) {
            Some(old) => splices.push(Splice::new(old.span.clone(), text.clone())),
            None => new.push(format!("{key}: {text}")),
        }
    }
    let Some((first, _)) = mapping.entries().first() else {
        // `{}`
        return matches!(mapping.content, Content::Map(_))
            .then(|| vec![Splice::new(mapping.span.clone(), format!("{{{}}}", new.join(", ")))]);
    };
    if new.is_empty() {
        return Some(splices);
    }
    if file[mapping.span.start] == b'{' {
        splices.push(Splice::insert(first.span.start, format!("{}, ", new.join(", "))));
    } else {
        let line =
            file[..first.span.start].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
        let indent = std::str::from_utf8(&file[line..first.span.start]).ok()?;
        splices.push(Splice::insert(first.span.start, format!("{}{end}{indent}", new.join(&format!("{end}{indent}")))));
    }
    Some(splices)
}

/// The lines of an entry, including the last line end.
fn lines(file: &[u8], (key, value): &(Node, Node)) -> Range<usize> {
    let held = file[value.span.clone()].trim_ascii_end().len();
    let end = if held == 0 { key.span.end } else { value.span.start + held };
    let rest = &file[end..];
    let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    let end = end + length;
    let line_end = if file[end..].starts_with(b"\r\n") { 2 } else { usize::from(end < file.len()) };
    key.span.start..end + line_end
}

/// The file with a rewritten frontmatter, line by line as JSON, which is also YAML.
fn anew(document: &Document<'_>, wanted: &Map<String, Value>) -> Vec<u8> {
    let file = document.file();
    let Some(fences) = &document.fences else { return file.to_vec() };
    let end = document.line_end();
    let lines: String =
        wanted.iter().map(|(key, value)| format!("{}: {value}{end}", Value::from(key.as_str()))).collect();
    [&file[..fences.yaml.start], lines.as_bytes(), &file[fences.yaml.end..]].concat()
}

/// One line of JSON as YAML text.
fn yaml_text(json: &str) -> String {
    format!("'{}'", json.replace('\'', "''"))
}
