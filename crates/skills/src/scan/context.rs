//! Tells whether a text does something or talks about it: skills for reviewers and testers are full of attacks that
//! no reader is asked to carry out.
//!
//! An attacker can imitate this, so it lowers a finding by one degree and never removes it.

use std::{cell::OnceCell, sync::LazyLock};

use regex::Regex;

use crate::SkillPath;

/// What lowers the danger of a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excuse {
    /// The text talks about it, or advises against it.
    No,
    /// The text talks about it. Advice against something is a part of the sign itself.
    Talk,
    /// As `Talk`, or it describes what an option of a command does.
    TalkOrOption,
}

/// How many lines above a block of code its introduction may be.
const LEAD: usize = 3;

static TALK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\battack|attacker|malicious|exploit|vulnerab|\bunsafe\b|insecure|\bdangerous\b|\bdetect|suspicious|red flag|anti-?pattern|phishing|prompt injection|\binjection|\bthreat|pentest|poison|❌|🚫|⚠|\bbad\b|wrong|evil\.com|\bflag(?:s|ged)?\b|critical",
    )
    .expect("the pattern is fixed")
});

static ADVICE_AGAINST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bnever\b|\bdo not\b|\bdon'?t\b|\bavoid\b|must not|should not|refuse|forbidden|not allowed|instead of|rather than|prevent")
        .expect("the pattern is fixed")
});

/// A pattern that searches for a command, which is not a command.
static IS_PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\.\*|\\s[*+]|\(\?:|\[\^|\\b\(|^(?:[$`\-*] ?)*(?:grep|rg) -").expect("the pattern is fixed")
});

/// A line of a list or a table that describes an option of a command.
static IS_OPTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[|*+\-\s]{0,6}`?-{1,2}[a-z][\w-]*").expect("the pattern is fixed"));

/// The lines of a text, and which of them talk about harm.
pub(super) struct Context<'t> {
    lines: Vec<Line<'t>>,
}

struct Line<'t> {
    start: usize,
    text: &'t str,
    /// Whether the headings above the line say that this part is about harm.
    headed: bool,
    /// Whether the line talks about harm, advises against something, or searches for a pattern; computed on first
    /// use.
    says: OnceCell<[bool; 3]>,
}

impl<'t> Context<'t> {
    /// `text` is in lower case.
    pub(super) fn new(path: &SkillPath, text: &'t str) -> Self {
        let markdown = path.as_str().to_ascii_lowercase().ends_with(".md");
        let mut headings: Vec<(usize, bool)> = Vec::new();
        let mut fenced = false;
        let mut start = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let here = start;
            start += line.len();
            let trimmed = line.trim();
            fenced ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
            let level = trimmed.len() - trimmed.trim_start_matches('#').len();
            if markdown && !fenced && (1..=6).contains(&level) {
                headings.retain(|(above, _)| *above < level);
                headings.push((level, TALK.is_match(trimmed)));
            }
            let headed = headings.iter().any(|(_, talks)| *talks);
            Line { start: here, text: trimmed, headed, says: OnceCell::new() }
        });
        Self { lines: lines.collect() }
    }

    /// The number of the line that holds a byte.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset).max(1) - 1
    }

    pub(super) fn talks_about(&self, offset: usize, excuse: Excuse) -> bool {
        let at = self.line(offset);
        let Some(line) = self.lines.get(at) else { return false };
        let speaks = |line: &Line<'_>| {
            let [talks, advises, _] = line.says();
            talks || excuse == Excuse::No && advises
        };
        let [_, _, is_pattern] = line.says();
        let mut lead = self.lines[..=at].iter().rev().filter(|line| !line.text.is_empty()).take(LEAD);
        let is_option = excuse == Excuse::TalkOrOption && IS_OPTION.is_match(line.text);
        line.headed || is_pattern || is_option || lead.any(speaks)
    }
}

impl Line<'_> {
    fn says(&self) -> [bool; 3] {
        *self.says.get_or_init(|| [&TALK, &ADVICE_AGAINST, &IS_PATTERN].map(|pattern| pattern.is_match(self.text)))
    }
}
