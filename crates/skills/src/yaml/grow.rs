//! Adds to and removes from a mapping or a list as its author wrote it, without touching the rest.

use std::ops::Range;

use text::Splice;

use super::Node;
use crate::document::line_end;

/// Puts `key: value` before the first entry of a mapping; `None` when the mapping is empty.
pub(crate) fn entry(file: &[u8], map: &Node, key: &str, value: &str) -> Option<Splice> {
    before(file, map, &map.entries().first()?.0, key, value)
}

/// Puts `key: value` before the entry of a mapping that has the key `next`.
pub(crate) fn before(file: &[u8], map: &Node, next: &Node, key: &str, value: &str) -> Option<Splice> {
    let at = next.span.start;
    let rest = match file.get(map.span.start)? {
        b'{' => ", ".to_owned(),
        _ => line_end(file).to_owned() + &" ".repeat(at - line_start(file, at)),
    };
    Some(Splice::insert(at, format!("{key}: {value}{rest}")))
}

/// Puts `value` before the first item of a list.
pub(crate) fn item(file: &[u8], list: &Node, value: &str) -> Option<Splice> {
    let first = list.items().first().map(|item| item.span.start);
    if file.get(list.span.start)? == &b'[' {
        let rest = if first.is_some() { ", " } else { "" };
        return Some(Splice::insert(list.span.start + 1, format!("{value}{rest}")));
    }
    let line = line_start(file, first?);
    let dash = std::str::from_utf8(&file[line..first?]).ok().filter(|dash| dash.trim() == "-")?;
    Some(Splice::insert(line, format!("{dash}{value}{}", line_end(file))))
}

/// Puts `value` behind the last item of a list.
pub(crate) fn last_item(file: &[u8], list: &Node, value: &str) -> Option<Splice> {
    let Some(last) = list.items().last() else { return item(file, list, value) };
    if file.get(list.span.start)? == &b'[' {
        return Some(Splice::insert(last.span.end, format!(", {value}")));
    }
    let line = line_start(file, last.span.start);
    let dash = std::str::from_utf8(&file[line..last.span.start]).ok().filter(|dash| dash.trim() == "-")?;
    // Behind what else is in that line; a line follows it, if only the closing fence.
    let end = last.span.end + file[last.span.end..].iter().position(|byte| *byte == b'\n')? + 1;
    Some(Splice::insert(end, format!("{dash}{value}{}", line_end(file))))
}

/// Removes a whole entry or item: its own lines, or the bytes up to the next one. `list` is its mapping or list.
/// `None` when other content could be removed too.
pub(crate) fn without(file: &[u8], list: &Node, part: Range<usize>) -> Option<Splice> {
    // The first entry of a mapping from repaired lines may start with a bracket that closes nothing.
    let within = list.span.start < part.start && part.end <= list.span.end;
    if within && matches!(file.get(list.span.start)?, b'[' | b'{') {
        return Some(Splice::new(in_flow(file, list, part), ""));
    }
    let start = line_start(file, part.start);
    let alone = file[start..part.start].iter().all(|byte| matches!(byte, b' ' | b'-'));
    // A block of text ends after its last line.
    let end = part.start + file[part.clone()].trim_ascii_end().len();
    let rest = file[end..].split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
    let clean = rest.trim_ascii_start().first().is_none_or(|byte| *byte == b'#');
    let line = end + rest.len();
    let next = line + if file[line..].starts_with(b"\r\n") { 2 } else { usize::from(line < file.len()) };
    (alone && clean).then(|| Splice::new(start..next, ""))
}

/// A part of `[a, b]` with the comma to remove along with it.
fn in_flow(file: &[u8], list: &Node, part: Range<usize>) -> Range<usize> {
    let (before, after) = (&file[list.span.start + 1..part.start], &file[part.end..list.span.end]);
    let next = after.len() - after.trim_ascii_start().len();
    if after.get(next) == Some(&b',') {
        let blanks = after[next + 1..].iter().take_while(|byte| **byte == b' ').count();
        return part.start..part.end + next + 1 + blanks;
    }
    let kept = before.trim_ascii_end();
    match kept.strip_suffix(b",") {
        Some(kept) => list.span.start + 1 + kept.len()..part.end,
        None => part,
    }
}

fn line_start(file: &[u8], at: usize) -> usize {
    file[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(yaml: &str, grow: impl Fn(&Node) -> Option<Splice>) -> String {
        let tree = crate::yaml::read(yaml, &|offset| offset).unwrap();
        let splice = grow(tree.root.unwrap().get("a").unwrap()).unwrap();
        let after = String::from_utf8(text::apply(yaml.as_bytes(), &[splice]).unwrap()).unwrap();
        assert_eq!(crate::yaml::read(&after, &|offset| offset).unwrap().faults.len(), 0, "{after}");
        after
    }

    #[test]
    fn an_entry_is_added_as_its_neighbours_are_written() {
        let add = |yaml: &str| grown(yaml, |map| entry(yaml.as_bytes(), map, "k", "v"));
        assert_eq!(add("a:\n  b: 1 # one\n"), "a:\n  k: v\n  b: 1 # one\n");
        assert_eq!(add("a:\r\n    b: 1\r\n"), "a:\r\n    k: v\r\n    b: 1\r\n");
        assert_eq!(add("a: {b: 1}"), "a: {k: v, b: 1}");
    }

    #[test]
    fn what_is_taken_away_takes_nothing_along() {
        let take = |yaml: &str, index: usize| {
            grown(yaml, |list| {
                let part = match list.items().get(index) {
                    Some(item) => item.span.clone(),
                    None => list.entries()[index].0.span.start..list.entries()[index].1.span.end,
                };
                without(yaml.as_bytes(), list, part)
            })
        };
        assert_eq!(take("a:\n  - b\n  - c # old\n  - d\n", 1), "a:\n  - b\n  - d\n");
        assert_eq!(take("a: [b, c, d]", 1), "a: [b, d]");
        assert_eq!(take("a: [b, c ]", 1), "a: [b ]");
        assert_eq!(take("a: [b]", 0), "a: []");
        assert_eq!(take("a:\n  b: |\n    x\n\n  c: 1\n", 0), "a:\n\n  c: 1\n");
        assert_eq!(take("a: {b: 1 , c: 2}", 0), "a: {c: 2}");
    }

    #[test]
    fn an_item_is_added_as_its_neighbours_are_written() {
        let add = |yaml: &str| grown(yaml, |list| item(yaml.as_bytes(), list, "v"));
        assert_eq!(add("a:\n- b\n"), "a:\n- v\n- b\n");
        assert_eq!(add("a:\n  -   b\n"), "a:\n  -   v\n  -   b\n");
        assert_eq!(add("a: [b]"), "a: [v, b]");
        assert_eq!(add("a: []"), "a: [v]");
        let add = |yaml: &str| grown(yaml, |list| last_item(yaml.as_bytes(), list, "v"));
        assert_eq!(add("a:\n- b # one\n"), "a:\n- b # one\n- v\n");
        assert_eq!(add("a: [b]  # one"), "a: [b, v]  # one");
    }
}
