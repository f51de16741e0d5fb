//! The frontmatter of a SKILL.md, merged by its keys.
//!
//! Only the lines are looked at, and no byte of a key that nobody changed is touched. A frontmatter in which a line at
//! the margin is neither a key nor a comment, or a key stands twice, is left to the merge by lines.

use super::{Merged, Piece, Versions, lines};

/// A key of the frontmatter with all its lines, and with the comments and blank lines before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key<'t> {
    name: &'t str,
    text: &'t str,
}

/// A SKILL.md in its parts.
#[derive(Debug)]
struct Parts<'t> {
    /// The first line, `---`.
    opening: &'t str,
    keys: Vec<Key<'t>>,
    /// The line that ends the frontmatter, and all after it; with comments that stand before it.
    rest: &'t str,
}

/// Merges by keys; `None` if one of the versions has no such frontmatter.
pub(super) fn merged(versions: Versions<'_>) -> Option<Merged> {
    let [base, mine, theirs] = [Parts::of(versions.base)?, Parts::of(versions.mine)?, Parts::of(versions.theirs)?];
    let text = |parts: &Parts<'_>, name: &str| {
        parts.keys.iter().find(|key| key.name == name).map_or(String::new(), |key| key.text.to_owned())
    };
    let mut merged = lines(Versions { base: base.opening, mine: mine.opening, theirs: theirs.opening });
    for name in order(&mine.keys, &theirs.keys) {
        let [base, mine, theirs] = [&base, &mine, &theirs].map(|parts| text(parts, name));
        merged.append(value(&base, &mine, &theirs));
    }
    merged.append(lines(Versions { base: base.rest, mine: mine.rest, theirs: theirs.rest }));
    Some(merged)
}

/// One key of three versions; empty where it is missing. A value is one thing: two changes of it are a conflict, also
/// where they touch different lines of it.
fn value(base: &str, mine: &str, theirs: &str) -> Merged {
    let mut merged = Merged::default();
    if mine == theirs || base == theirs {
        merged.push(mine);
    } else if base == mine {
        merged.push(theirs);
    } else {
        let [base, mine, theirs] = [base, mine, theirs].map(str::to_owned);
        merged.pieces.push(Piece::Conflict { base, mine, theirs });
    }
    merged
}

/// The names of all keys, in the update's order; a key that only the person has follows the one that it follows there.
fn order<'t>(mine: &[Key<'t>], theirs: &[Key<'t>]) -> Vec<&'t str> {
    let mut names: Vec<_> = theirs.iter().map(|key| key.name).collect();
    let mut at = 0;
    for key in mine {
        match names.iter().position(|name| *name == key.name) {
            Some(there) => at = there + 1,
            None => {
                names.insert(at, key.name);
                at += 1;
            }
        }
    }
    names
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let mut offset = 0;
        let mut lines = text.split_inclusive('\n').map(|line| {
            offset += line.len();
            (offset - line.len(), line)
        });
        let (_, opening) = lines.next().filter(|(_, line)| is_fence(line.trim_start_matches('\u{feff}')))?;
        // Where the key began whose lines are being read, and where the comments before the next one began.
        let (mut keys, mut open, mut before) = (Vec::<Key<'t>>::new(), None::<(&str, usize)>, opening.len());
        for (start, line) in lines {
            let end = is_fence(line);
            let name = key(line);
            let margin = line.trim_end().is_empty() || line.starts_with('#');
            let inside = line.starts_with([' ', '\t']) || (open.is_some() && is_item(line));
            if end || name.is_some() {
                if let Some((name, from)) = open.take() {
                    if keys.iter().any(|key| key.name == name) {
                        return None;
                    }
                    keys.push(Key { name, text: &text[from..before] });
                }
                if end {
                    return Some(Self { opening, keys, rest: &text[before..] });
                }
                open = name.map(|name| (name, before));
                before = start + line.len();
            } else if inside && open.is_some() {
                before = start + line.len();
            } else if !margin {
                return None;
            }
        }
        None
    }
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// An item of a list may begin at the margin, below its key.
fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.trim_end() == "-"
}

/// The key with which a line begins at the margin. Not of a flow mapping or a quoted name: these are left to lines.
fn key(line: &str) -> Option<&str> {
    let (name, after) = line.split_once(':')?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    (plain && !name.starts_with('-') && (after.is_empty() || after.starts_with([' ', '\t', '\r', '\n'])))
        .then_some(name)
}
