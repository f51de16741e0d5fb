//! Removes a member from an object: with its comma, without the comments of its neighbours.

use std::ops::Range;

use text::Splice;

use super::{
    between::{blanks_end, comma_behind, last_comment_end, line_comments_end, line_end_behind},
    scan::{Member, Value},
};

/// The splice that removes the member at `index` from `object`. It keeps the comments around the member: the one comma
/// that is removed may come before one of them.
pub(super) fn removal(text: &str, object: &Value, index: usize) -> Option<Splice> {
    let members = object.members.as_deref()?;
    let ours = members.get(index)?;
    let comma = comma_behind(text, ours.value.range.end);
    let splice = match (index.checked_sub(1), comma) {
        (_, Some(comma)) if members.len() > index + 1 => in_our_place(text, ours, Some(comma)),
        (Some(before), comma) => last(text, &members[before], ours, comma),
        (None, comma) => only(text, object, ours, comma),
    };
    Some(splice)
}

/// Removes the last of several. A comma after it becomes that of the member before.
fn last(text: &str, before: &Member, ours: &Member, comma: Option<usize>) -> Splice {
    let start = before.value.range.end;
    let end = ours.value.range.end;
    let first = comma_behind(text, start).unwrap_or(start);
    let gap = last_comment_end(text, start..ours.name.start);
    match comma {
        Some(comma) if has_comment_on_line(text, comma + 1) => in_our_place(text, ours, Some(comma)),
        Some(comma) if let Some(gap) = gap => {
            let kept = kept_to(text, gap, comma + 1).max(first + 1);
            Splice::new(kept..comma + 1, comments(text, end..comma))
        }
        None if has_comment_on_line(text, end) => {
            Splice::new(first..blanks_end(text, end), &text[first + 1..ours.name.start])
        }
        None if let Some(gap) = gap => {
            let kept = kept_to(text, gap, end);
            let splice = Splice::new(first..end, text.get(first + 1..kept).unwrap_or_default());
            // The comma may follow the comment.
            if first < gap { splice } else { Splice::new(kept..end, "") }
        }
        _ => Splice::new(start..end, ""),
    }
}

/// Removes the only member. The object keeps nothing but its comments.
fn only(text: &str, object: &Value, ours: &Member, comma: Option<usize>) -> Splice {
    let inside = object.range.start + 1..object.range.end - 1;
    let behind = comma.map_or(ours.value.range.end, |comma| comma + 1);
    if has_comment_on_line(text, behind) {
        return in_our_place(text, ours, comma);
    }
    let between = || comma.map_or_else(String::new, |comma| comments(text, ours.value.range.end..comma));
    let comments_behind = last_comment_end(text, ours.value.range.end..inside.end).is_some();
    match last_comment_end(text, inside.start..ours.name.start) {
        Some(kept) => Splice::new(kept_to(text, kept, behind)..behind, between()),
        None if comments_behind => Splice::new(inside.start..behind, between()),
        None => Splice::new(inside, ""),
    }
}

/// Moves the text that follows our member and its comma on the line to the member's place.
fn in_our_place(text: &str, ours: &Member, comma: Option<usize>) -> Splice {
    let end = ours.value.range.end;
    let kept = comma.map_or_else(String::new, |comma| comments(text, end..comma));
    Splice::new(ours.name.start..blanks_end(text, comma.map_or(end, |comma| comma + 1)), kept)
}

fn has_comment_on_line(text: &str, at: usize) -> bool {
    line_comments_end(text, at) > at
}

/// The end of the text kept before our member: a `//` comment needs its line end, unless the text after the member
/// starts with one.
fn kept_to(text: &str, comment: usize, behind: usize) -> usize {
    if line_end_behind(text, behind).is_some() { comment } else { line_end_behind(text, comment).unwrap_or(comment) }
}

/// The comments in a range between a value and its comma, with the text before each.
fn comments(text: &str, range: Range<usize>) -> String {
    last_comment_end(text, range.clone()).map_or_else(String::new, |end| {
        let end = if text[range.start..end].contains("//") { line_end_behind(text, end).unwrap_or(end) } else { end };
        text[range.start..end].to_owned()
    })
}
