//! What in a skill's text looks as if it meant harm: advice for whoever is about to switch on a skill that somebody
//! else wrote.
//!
//! A skill is instructions that a model follows and scripts that it runs, so harm reads like a command: download this and
//! run it, send that file there, do not tell the user. [`SIGNS`] is one table of such signs (security.md, R10 and R11).
//! A text is looked at as a shell or a reader would see it: continued lines joined, quotes inside words taken out, letters
//! of other scripts read as their twins (`plain`); and what is hidden in it as base64, hexadecimal digits or invisible
//! characters is looked at too (`layers`). Text that talks *about* such things counts one degree less (`context`).
//!
//! This is advice and no judgement. Nothing found means that no known pattern was found, never that a skill is safe; so
//! no word of ours says that it is.

mod context;
mod layers;
mod parts;
mod plain;
mod signs;

use serde::Serialize;
use text::{Lines, Place};

use self::{context::Context, parts::Found, plain::Plain};
use crate::SkillPath;

pub use signs::{SIGNS, Sign};

/// How often one sign is reported in one file; more of the same tells a person nothing new.
const OFTEN: usize = 8;

/// Something in a skill that looks as if it meant harm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The sign that was found, by its id in the table of signs, such as `download-and-run`.
    pub rule: &'static str,
    /// How much harm it would do if it is meant.
    pub severity: Danger,
    /// A full sentence: what is there, and what it could do.
    pub message: String,
    /// The file it is in.
    pub path: SkillPath,
    /// Where in the file.
    pub place: Place,
}

/// How dangerous a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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

/// Looks at the files of one skill. Findings come in the order of the files, and in each in the order of its lines.
/// Files that are not text are passed over: [`carried`](crate::carried) names them.
pub fn scan<'f>(files: impl Iterator<Item = (&'f SkillPath, &'f [u8])>) -> Vec<Finding> {
    files.flat_map(|(path, bytes)| scan_file(path, bytes)).collect()
}

fn scan_file(path: &SkillPath, bytes: &[u8]) -> Vec<Finding> {
    let Some(source) = plain::text(bytes) else { return Vec::new() };
    let mut findings = Vec::new();
    let lines = Lines::new(source.as_bytes());
    for seen in look(path, &source) {
        findings.push(Finding {
            rule: seen.sign.id,
            severity: seen.danger,
            message: seen.sign.says.to_owned(),
            path: path.clone(),
            place: lines.place(seen.at),
        });
    }
    for layer in layers::of(&source) {
        for seen in look(path, &layer.text) {
            findings.push(Finding {
                rule: seen.sign.id,
                severity: seen.sign.danger,
                message: format!("{} It is hidden here as {}.", seen.sign.says, layer.how),
                path: path.clone(),
                place: lines.place(layer.at),
            });
        }
    }
    findings.sort_by_key(|finding| (finding.place, finding.rule, std::cmp::Reverse(finding.severity)));
    findings.dedup_by_key(|finding| (finding.place.line, finding.rule));
    let mut often = std::collections::HashMap::new();
    findings.retain(|finding| {
        let count = often.entry(finding.rule).or_insert(0_usize);
        *count += 1;
        *count <= OFTEN
    });
    findings
}

/// A sign at a byte of the text.
struct Seen {
    sign: &'static Sign,
    danger: Danger,
    at: usize,
}

fn look(path: &SkillPath, source: &str) -> Vec<Seen> {
    let plain = Plain::new(source);
    let found = Found::new(&plain.text);
    if found.is_empty() {
        return Vec::new();
    }
    let context = Context::new(path, &plain.text);
    SIGNS
        .iter()
        .flat_map(|sign| sign.seen(&found).into_iter().map(move |at| (sign, at)))
        .map(|(sign, at)| {
            let danger = if context.talks_about(at, sign.excused) { sign.danger.less() } else { sign.danger };
            Seen { sign, danger, at: plain.source(at) }
        })
        .collect()
}
