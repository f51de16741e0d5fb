//! Applies all fixes that need no decision.

use std::collections::BTreeMap;

use serde::Serialize;
use text::{Place, Splice};

use crate::{File, Problem, check, read, read::read_untried};

/// Each round removes problems for good, and a few are enough for any file. This limit ends a disagreement of two
/// fixes.
const MOST_ROUNDS: usize = 32;

/// A SKILL.md after all fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// Its bytes; unchanged when nothing could be fixed.
    pub bytes: Vec<u8>,
    /// What was done, in order.
    pub applied: Vec<Applied>,
}

/// One fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The rule that was broken.
    pub rule: &'static str,
    /// What was done, as the label of a button.
    pub label: String,
    /// The place of the change, in the text at that moment.
    pub place: Place,
}

/// Rules whose fixes only change the notation, so that they cannot cause a problem. They are by far the most
/// frequent, and trying each at every start would be noticeable.
const WRITE_THE_SAME: &[&str] = &[
    "byte-order-mark",
    "sloppy-fence",
    "unquoted-colon",
    "unquoted-value",
    "yaml-syntax",
    "duplicate-key",
    "name-type",
    "description-type",
    "metadata-value",
];

/// The problems among `offered` whose fix would cause another problem; each is tried separately.
pub(crate) fn harmful(id: &str, bytes: &[u8], before: &[Problem], offered: &[Problem]) -> Vec<usize> {
    let harms = |problem: &Problem| {
        let fix = problem.fix.as_ref().filter(|_| !WRITE_THE_SAME.contains(&problem.rule))?;
        let after = text::apply(bytes, &fix.splices).ok()?;
        Some(brings(before, &read_untried(id, &after).problems))
    };
    let all = offered.iter().enumerate().filter(|(_, problem)| harms(problem).unwrap_or_default());
    all.map(|(index, _)| index).collect()
}

/// Whether a change breaks a rule that was not broken before. A milder problem of the same field does not count: a
/// description that is too long is better than none.
fn brings(before: &[Problem], after: &[Problem]) -> bool {
    let stays = |rule: &str| after.iter().any(|problem| problem.rule == rule);
    after.iter().any(|problem| {
        let known = before.iter().any(|other| other.rule == problem.rule);
        let milder = before.iter().any(|other| {
            // Without frontmatter, every field is missing.
            let is_about = other.field == problem.field || other.rule == "no-frontmatter";
            is_about && other.severity > problem.severity && !stays(other.rule)
        });
        !known && !milder
    })
}

/// Removes the fixes that would give the skill in the folder `id` a taken name.
pub fn keep_names_apart(id: &str, bytes: &[u8], problems: &mut [Problem], is_taken: &dyn Fn(&str) -> bool) {
    let mut name = None;
    for problem in problems {
        let Some(fix) = &problem.fix else { continue };
        let name = name.get_or_insert_with(|| read_untried(id, bytes).name);
        let after = text::apply(bytes, &fix.splices).map(|after| read_untried(id, &after).name);
        if after.is_ok_and(|after| takes(name, &after, is_taken)) {
            problem.fix = None;
        }
    }
}

fn takes(before: &str, after: &str, is_taken: &dyn Fn(&str) -> bool) -> bool {
    before != after && is_taken(after)
}

/// As [`fix_all_among`], for a single skill.
pub fn fix_all(id: &str, bytes: &[u8], files: &[File]) -> Fixed {
    fix_all_among(id, bytes, files, &|_| false)
}

/// Applies all fixes to the SKILL.md in the folder `id`, including those of problems that appear on the way. `files`
/// are all files of the folder, or empty when they are unknown; links are then left alone. No fix gives the skill a
/// taken name. Other bytes stay unchanged, and a second run changes nothing.
pub fn fix_all_among(id: &str, bytes: &[u8], files: &[File], is_taken: &dyn Fn(&str) -> bool) -> Fixed {
    let mut fixed = Fixed { bytes: bytes.to_vec(), applied: Vec::new() };
    // Each text so far, and the number of fixes that led to it.
    let mut texts: Vec<(Vec<u8>, usize)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if let Some(again) = texts.iter().position(|(text, _)| *text == fixed.bytes) {
            // Fixes undo each other: of the texts in the cycle, the smallest is taken, so the result is always the
            // same.
            let (text, count) = texts[again..].iter().min().expect("one is there again").clone();
            fixed.applied.truncate(count);
            return Fixed { bytes: text, ..fixed };
        }
        texts.push((fixed.bytes.clone(), fixed.applied.len()));
        let Some((bytes, applied)) = round(id, &fixed.bytes, files, is_taken) else { break };
        fixed.bytes = bytes;
        fixed.applied.extend(applied);
    }
    fixed
}

/// One round: reads the file and applies all fixes that do not overlap. When they cause a problem only together, it
/// applies just the first.
fn round(id: &str, bytes: &[u8], files: &[File], is_taken: &dyn Fn(&str) -> bool) -> Option<(Vec<u8>, Vec<Applied>)> {
    let mut skill = read(id, bytes);
    let mut content = match files {
        [] => check::examine_text(&skill, bytes),
        files => check::examine(&skill, bytes, files, &mut |_| None),
    };
    keep_names_apart(id, bytes, &mut skill.problems, is_taken);
    keep_names_apart(id, bytes, &mut content, is_taken);
    let fixable = || skill.problems.iter().chain(&content).filter(|problem| problem.fix.is_some());
    let (after, applied) = apply(bytes, fixable())?;
    let read = read_untried(id, &after);
    if applied.len() > 1 && (takes(&skill.name, &read.name, is_taken) || brings(&skill.problems, &read.problems)) {
        return apply(bytes, fixable().take(1));
    }
    Some((after, applied))
}

/// The bytes after the fixes that do not overlap.
fn apply<'p>(bytes: &[u8], fixable: impl Iterator<Item = &'p Problem>) -> Option<(Vec<u8>, Vec<Applied>)> {
    let (mut splices, mut applied) = (BTreeMap::new(), Vec::new());
    for problem in fixable {
        let Some(fix) = &problem.fix else { continue };
        if fix.splices.iter().all(|splice| is_free(&splices, splice)) {
            splices.extend(fix.splices.iter().map(|splice| ((splice.start, splice.end), splice.clone())));
            applied.push(Applied { rule: problem.rule, label: fix.label.clone(), place: problem.place });
        }
    }
    let after = text::apply(bytes, &splices.into_values().collect::<Vec<_>>()).ok()?;
    (!applied.is_empty()).then_some((after, applied))
}

/// Whether no other fix of this round touches these bytes.
fn is_free(taken: &BTreeMap<(usize, usize), Splice>, splice: &Splice) -> bool {
    let before = taken.range(..(splice.start, 0)).next_back();
    let after = taken.range((splice.start, 0)..).next();
    before.is_none_or(|((_, end), _)| *end <= splice.start)
        && after.is_none_or(|((start, _), _)| *start > splice.start && *start >= splice.end)
}
