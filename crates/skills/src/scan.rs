//! Looks for signs of harm in a skill's text: advice for a person who is about to switch on a skill from another
//! author.
//!
//! A skill is instructions that a model follows and scripts that it runs, so harm reads like a command: download this
//! and run it, send that file there, do not tell the user. [`SIGNS`] is one table of such signs (security rules 10
//! and 11). The scanner reads a text as a shell or a reader would: continued lines joined, quotes inside words
//! removed, letters of other scripts read as their look-alikes (`plain`). It also reads what is hidden as base64,
//! hexadecimal digits or invisible characters (`layers`). Text that talks *about* such things counts one degree less
//! (`context`).
//!
//! This is advice, not a verdict. No finding means that no known pattern was found, never that a skill is safe, so no
//! message says that it is.

mod context;
mod decode;
mod layers;
mod ordinary;
mod parts;
mod signs;

use std::{cmp::Reverse, collections::HashMap};

use serde::{Deserialize, Serialize};
use text::{Lines, Place};

use self::{context::Context, decode::Plain, parts::Found};
use crate::{SkillPath, document::Document, frontmatter::Frontmatter};

pub use signs::{SIGNS, Sign};

/// The most reports of one sign in one file; more add nothing for a person.
const OFTEN: usize = 8;

/// A sign of harm in a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The sign that was found, by its id in the table of signs, such as `download-and-run`.
    pub rule: &'static str,
    /// How much harm it would do if it is malicious.
    pub severity: Danger,
    /// A full sentence: what was found, and what it could do.
    pub message: String,
    /// The file it is in.
    pub path: SkillPath,
    /// Where in the file.
    pub place: Place,
}

/// How dangerous a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Danger {
    /// Often harmless; worth a look.
    Low,
    /// Sometimes harmless; look before you switch the skill on.
    Medium,
    /// The shape of an attack.
    High,
}

impl Danger {
    /// One degree less.
    fn less(self) -> Self {
        match self {
            Self::High => Self::Medium,
            Self::Medium | Self::Low => Self::Low,
        }
    }
}

/// Scans the files of one skill. Findings are in the order of the files, then of the lines. Files that are not text
/// are skipped: [`carried`](crate::carried()) lists them.
pub fn scan<'f>(files: impl Iterator<Item = (&'f SkillPath, &'f [u8])>) -> Vec<Finding> {
    files.flat_map(|(path, bytes)| scan_file(path, bytes)).collect()
}

fn scan_file(path: &SkillPath, bytes: &[u8]) -> Vec<Finding> {
    let Some(source) = decode::text(bytes) else { return Vec::new() };
    let mut seen = look(&source);
    seen.extend(unseen(&source));
    seen.extend(hidden(&source));
    if *path == SkillPath::skill_md() {
        for (at, value) in decoded(&source) {
            let all = look(&value).into_iter().chain(unseen(&value)).chain(hidden(&value));
            seen.extend(all.map(|seen| Seen {
                at,
                more: format!("{} It is written with escapes here.", seen.more),
                ..seen
            }));
        }
    }
    if seen.is_empty() {
        return Vec::new();
    }
    let lower = source.to_ascii_lowercase();
    let context = Context::new(path, &lower);
    let told = told(seen, &context);
    let lines = Lines::new(source.as_bytes());
    told.into_iter()
        .map(|(danger, seen)| Finding {
            rule: seen.sign.id,
            severity: danger,
            message: format!("{}{}", seen.sign.says, seen.more),
            path: path.clone(),
            place: lines.place(seen.at),
        })
        .collect()
}

/// Findings of invisible text.
fn unseen(source: &str) -> Vec<Seen> {
    let sign = || SIGNS.iter().find(|sign| sign.id == signs::INVISIBLE).expect("the table has it");
    let seen = |hidden: crate::HiddenText| Seen {
        sign: sign(),
        at: hidden.range.start,
        more: format!(" It is made of {}.", hidden.kind.name()),
    };
    crate::invisible(source).into_iter().map(seen).collect()
}

/// Findings in encoded text, such as base64.
fn hidden(source: &str) -> Vec<Seen> {
    let mut found = Vec::new();
    for layer in layers::of(source) {
        let more = format!(" It is hidden here as {}.", layer.how);
        found.extend(look(&layer.text).into_iter().map(|seen| Seen { at: layer.at, more: more.clone(), ..seen }));
    }
    found
}

/// The frontmatter values that clients receive in another form than written: escapes decoded, lines joined.
fn decoded(source: &str) -> Vec<(usize, String)> {
    let root = Frontmatter::read(&Document::new(source.as_bytes())).root;
    let differs = |(span, text): &(&std::ops::Range<usize>, &str)| {
        source.get((*span).clone()).is_none_or(|written| !written.contains(text))
    };
    root.scalars().into_iter().filter(differs).map(|(span, text)| (span.start, text.to_owned())).collect()
}

/// The findings to report, in the order of the text: each sign once per line, and of many the most dangerous.
fn told(mut seen: Vec<Seen>, context: &Context<'_>) -> Vec<(Danger, Seen)> {
    seen.sort_by_key(|seen| (seen.sign.id, seen.at));
    seen.dedup_by_key(|seen| (seen.sign.id, context.line(seen.at)));
    let judged = seen.into_iter().map(|seen| {
        let danger = seen.sign.danger;
        (if context.talks_about(seen.at, seen.sign.excused) { danger.less() } else { danger }, seen)
    });
    let mut told: Vec<_> = judged.collect();
    told.sort_by_key(|(danger, seen)| (seen.sign.id, Reverse(*danger)));
    let mut counts = HashMap::new();
    told.retain(|(_, seen)| {
        let count = counts.entry(seen.sign.id).or_insert(0);
        *count += 1;
        *count <= OFTEN
    });
    told.sort_by_key(|(_, seen)| (seen.at, seen.sign.id));
    told
}

/// A sign at a byte of the text.
struct Seen {
    sign: &'static Sign,
    at: usize,
    /// Text to add to the sign's own sentence.
    more: String,
}

fn look(source: &str) -> Vec<Seen> {
    let plain = Plain::new(source);
    let found = Found::new(&plain.text);
    let seen = |sign: &'static Sign| {
        let places = sign.seen(&found).into_iter();
        places.map(|at| Seen { sign, at: plain.source(at), more: String::new() }).collect::<Vec<_>>()
    };
    SIGNS.iter().flat_map(seen).collect()
}
