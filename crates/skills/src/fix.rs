//! Putting right all that can be put right without asking.

use std::collections::BTreeMap;

use serde::Serialize;
use text::{Place, Splice};

use crate::{File, check, read};

/// Each round takes problems away for good, and a few are enough for any file. Should two fixes ever
/// disagree, this ends it.
const MOST_ROUNDS: usize = 32;

/// A SKILL.md after all fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// Its bytes; those before where nothing could be fixed.
    pub bytes: Vec<u8>,
    /// What was done, in order.
    pub applied: Vec<Applied>,
}

/// One fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The rule that was broken.
    pub rule: &'static str,
    /// What was done, as the words of a button.
    pub label: String,
    /// Where it was done, in the text at that moment.
    pub place: Place,
}

/// Applies the fixes of all problems of the SKILL.md in the folder `id`, and of those that come
/// to light thereby, until there are none. `files` are all files of the folder; where they are not
/// known, none, and links are left alone. Bytes that no fix is about stay as they are; doing it
/// twice does nothing more.
pub fn fix_all(id: &str, bytes: &[u8], files: &[File]) -> Fixed {
    let mut fixed = Fixed { bytes: bytes.to_vec(), applied: Vec::new() };
    // Each text that there was, and how many fixes had led to it.
    let mut texts: Vec<(Vec<u8>, usize)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if let Some(again) = texts.iter().position(|(text, _)| *text == fixed.bytes) {
            // Fixes that undo each other: of the texts between which they go round always the same one is taken.
            let (text, count) = texts[again..].iter().min().expect("one is there again").clone();
            fixed.applied.truncate(count);
            return Fixed { bytes: text, ..fixed };
        }
        texts.push((fixed.bytes.clone(), fixed.applied.len()));
        let Some((bytes, applied)) = round(id, &fixed.bytes, files) else { break };
        fixed.bytes = bytes;
        fixed.applied.extend(applied);
    }
    fixed
}

/// One reading, and all of its fixes that do not touch each other.
fn round(id: &str, bytes: &[u8], files: &[File]) -> Option<(Vec<u8>, Vec<Applied>)> {
    let skill = read(id, bytes);
    let content = match files {
        [] => check::examine_text(&skill, bytes),
        files => check::examine(&skill, bytes, files, &mut |_| None),
    };
    let (mut splices, mut applied) = (BTreeMap::new(), Vec::new());
    for problem in skill.problems.iter().chain(&content) {
        let Some(fix) = &problem.fix else { continue };
        if fix.splices.iter().all(|splice| is_free(&splices, splice)) {
            splices.extend(fix.splices.iter().map(|splice| ((splice.start, splice.end), splice.clone())));
            applied.push(Applied { rule: problem.rule, label: fix.label.clone(), place: problem.place });
        }
    }
    let after = text::apply(bytes, &splices.into_values().collect::<Vec<_>>()).ok()?;
    (!applied.is_empty()).then_some((after, applied))
}

/// Whether no other fix of this round has changed something there.
fn is_free(taken: &BTreeMap<(usize, usize), Splice>, splice: &Splice) -> bool {
    let before = taken.range(..(splice.start, 0)).next_back();
    let after = taken.range((splice.start, 0)..).next();
    before.is_none_or(|((_, end), _)| *end <= splice.start)
        && after.is_none_or(|((start, _), _)| *start > splice.start && *start >= splice.end)
}
