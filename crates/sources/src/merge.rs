//! Merging an update with what the person changed: three versions of a file become one, and what both changed
//! differently is kept twice for the person to choose.
//!
//! Text is merged by lines; the frontmatter of a SKILL.md by its keys ([`skill`]), because two changes of neighbouring
//! keys are no conflict. No line of either side is lost. Reading and writing files is left to others.

mod frontmatter;

use diffy::{ConflictStyle, IncompleteHunkStyle, MergeOptions};

/// Three versions of one text.
#[derive(Debug, Clone, Copy)]
pub struct Versions<'t> {
    /// What both sides began with.
    pub base: &'t str,
    /// What the person has.
    pub mine: &'t str,
    /// What the update brings.
    pub theirs: &'t str,
}

/// What became of three versions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// The text in order: agreed parts and conflicts.
    pub pieces: Vec<Piece>,
}

/// A part of a merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Whole lines that are as both sides want them.
    Agreed(String),
    /// Lines that both sides changed, each in its own way.
    Conflict {
        /// What stood there.
        base: String,
        /// What the person has.
        mine: String,
        /// What the update brings.
        theirs: String,
    },
}

/// The side of a conflict that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What the person has.
    Mine,
    /// What the update brings.
    Theirs,
}

impl Merged {
    fn agreed(text: &str) -> Self {
        let mut merged = Self::default();
        merged.push(text);
        merged
    }

    /// The merged text, if there is no conflict.
    pub fn text(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Agreed(text)] => Some(text),
            _ => None,
        }
    }

    /// How many conflicts there are.
    pub fn conflicts(&self) -> usize {
        self.pieces.iter().filter(|piece| matches!(piece, Piece::Conflict { .. })).count()
    }

    /// The text with one side taken for each conflict, in order. For a conflict without an answer, mine is taken.
    pub fn resolved(&self, sides: &[Side]) -> String {
        let mut sides = sides.iter();
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Agreed(text) => text.as_str(),
                Piece::Conflict { mine, theirs, .. } => match sides.next().unwrap_or(&Side::Mine) {
                    Side::Mine => mine,
                    Side::Theirs => theirs,
                },
            })
            .collect()
    }

    /// Adds agreed text; neighbouring ones become one piece.
    fn push(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Agreed(before)) => before.push_str(text),
            _ => self.pieces.push(Piece::Agreed(text.to_owned())),
        }
    }

    fn append(&mut self, other: Self) {
        for piece in other.pieces {
            match piece {
                Piece::Agreed(text) => self.push(&text),
                conflict => self.pieces.push(conflict),
            }
        }
    }
}

/// Merges a SKILL.md: its frontmatter by keys, its body by lines.
pub fn skill(versions: Versions<'_>) -> Merged {
    if let Some(merged) = plain(versions) {
        return merged;
    }
    frontmatter::merged(versions).unwrap_or_else(|| lines(versions))
}

/// Merges a text by lines.
pub fn lines(versions: Versions<'_>) -> Merged {
    if let Some(merged) = plain(versions) {
        return merged;
    }
    let Versions { base, mine, theirs } = versions;
    // Longer than anything in the texts, so that each mark in the answer is the merger's own.
    let length = [base, mine, theirs].into_iter().map(longest_mark).max().unwrap_or_default().max(6) + 1;
    let mut options = MergeOptions::new();
    options.set_conflict_marker_length(length).set_conflict_style(ConflictStyle::Diff3);
    options.set_incomplete_hunk_style(IncompleteHunkStyle::Git);
    match options.merge(base, mine, theirs) {
        Ok(text) => Merged::agreed(&text),
        Err(marked) => unmarked(&marked, length, versions),
    }
}

/// The answer where at most one side changed anything.
fn plain(Versions { base, mine, theirs }: Versions<'_>) -> Option<Merged> {
    if mine == theirs || base == theirs {
        Some(Merged::agreed(mine))
    } else if base == mine {
        Some(Merged::agreed(theirs))
    } else {
        None
    }
}

/// The longest run of one character of a mark at the start of a line.
fn longest_mark(text: &str) -> usize {
    let run = |line: &str| {
        let first = line.chars().next().filter(|c| "<|=>".contains(*c));
        first.map_or(0, |first| line.chars().take_while(|c| *c == first).count())
    };
    text.lines().map(run).max().unwrap_or_default()
}

/// The pieces of a text with marks of this length.
fn unmarked(marked: &str, length: usize, versions: Versions<'_>) -> Merged {
    let mut merged = Merged::default();
    let (mut parts, mut part) = ([const { String::new() }; 3], None);
    for line in marked.split_inclusive('\n') {
        let mark = line.chars().next().filter(|c| line.chars().take_while(|next| next == c).count() == length);
        match (mark, part) {
            (Some('<'), None) => part = Some(0),
            (Some('|'), Some(0)) => part = Some(1),
            (Some('='), Some(1)) => part = Some(2),
            (Some('>'), Some(2)) => {
                part = None;
                let [mine, base, theirs] = std::mem::take(&mut parts);
                merged.pieces.push(Piece::Conflict { base, mine, theirs });
            }
            (_, Some(at)) => parts[at].push_str(line),
            (_, None) => merged.push(line),
        }
    }
    end_as_they_did(&mut merged, versions);
    merged
}

/// Takes the line end away that the merger gave to a last line without one.
fn end_as_they_did(merged: &mut Merged, versions: Versions<'_>) {
    let Some(Piece::Conflict { base, mine, theirs }) = merged.pieces.last_mut() else { return };
    for (part, whole) in [(base, versions.base), (mine, versions.mine), (theirs, versions.theirs)] {
        if !whole.ends_with('\n') && part.strip_suffix('\n').is_some_and(|part| whole.ends_with(part)) {
            part.pop();
        }
    }
}
