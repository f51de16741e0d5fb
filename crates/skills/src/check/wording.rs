//! Advice about what a description says, and how.
//!
//! A description is all that a model has when it decides whether to read a skill, and it competes with all other
//! descriptions. These rules look for signs only, in the languages that most skills are written in, and only give
//! advice.

use std::ops::Range;

use super::content::Content;
use crate::{about_tokens, problem::Fault};

const FEWEST_WORDS: usize = 4;
const MOST_TOKENS: usize = 150;

/// Signs that a text says when to use the skill: words of English, German, French, Spanish and Portuguese.
const WHEN: &[&str] = &[
    "when", "whenever", "if", "use", "uses", "used", "using", "before", "after", "during", "while", "trigger",
    "triggers", "invoke", "activate", "always", "asks", "ask", "mentions", "must", "should", "wenn", "sobald", "quand",
    "lorsque", "cuando", "quando", "usar",
];

/// The same in languages without spaces between words.
const WHEN_UNSPACED: &[&str] =
    &["当", "當", "时", "時", "用于", "用於", "使用", "适用", "適用", "とき", "場合", "때", "경우"];

/// First words of a sentence about its writer or to its reader.
const PERSONS: &[&str] = &["i", "i'm", "i'll", "i've", "i'd", "we", "we'll", "my", "our", "you", "you'll"];

pub(super) fn vague(content: &mut Content<'_>) -> Vec<Fault> {
    let Some((description, span)) = description(content) else { return Vec::new() };
    let words = || description.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let is_unspaced = description.chars().any(|c| matches!(c, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'));
    if words().count() < FEWEST_WORDS && !is_unspaced {
        let message = "The description says too little to tell when to use the skill. Say what it does, and when.";
        return vec![Fault::new("description-vague", span, message).about("description")];
    }
    let says_when = words().any(|word| WHEN.contains(&word.to_lowercase().as_str()))
        || WHEN_UNSPACED.iter().any(|sign| description.contains(sign))
        || content.skill.frontmatter().contains_key("when_to_use");
    if says_when {
        return Vec::new();
    }
    let message = "The description says what the skill does, but not when to use it. A sentence such as \
                   \u{201c}Use when the user asks for ...\u{201d} helps a model to choose it.";
    vec![Fault::new("description-vague", span, message).about("description")]
}

pub(super) fn person(content: &mut Content<'_>) -> Vec<Fault> {
    let Some((description, span)) = description(content) else { return Vec::new() };
    let sentences = description.split(['.', '!', '?', '\n']);
    let first = |sentence: &str| sentence.split_whitespace().next().map(|word| word.replace('\u{2019}', "'"));
    let Some(word) = sentences.filter_map(first).find(|word| PERSONS.contains(&word.to_lowercase().as_str())) else {
        return Vec::new();
    };
    let message = format!(
        "A sentence of the description starts with \u{201c}{word}\u{201d}. A model reads it among many others; \
         the third person (\u{201c}Makes tea. Use when ...\u{201d}) makes clear who is meant."
    );
    vec![Fault::new("description-person", span, message).about("description")]
}

pub(super) fn budget(content: &mut Content<'_>) -> Vec<Fault> {
    let Some((description, span)) = description(content) else { return Vec::new() };
    let tokens = about_tokens(description) + about_tokens(&content.skill.name);
    if tokens <= MOST_TOKENS {
        return Vec::new();
    }
    let message = format!(
        "Name and description take about {tokens} tokens of every conversation, whether the skill is used or not; \
         about 100 are usual. Details for use belong in the body."
    );
    vec![Fault::new("description-budget", span, message).about("description")]
}

/// The description in the frontmatter, and its bytes.
fn description<'c>(content: &'c Content<'_>) -> Option<(&'c str, Range<usize>)> {
    let node = content.frontmatter.get("description").filter(|node| !node.is_null())?;
    let text = node.text().map(str::trim).filter(|text| !text.is_empty())?;
    Some((text, node.span.clone()))
}
