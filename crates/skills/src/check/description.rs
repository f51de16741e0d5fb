//! Rules about a skill's description.

use text::Splice;

use super::Draft;
use crate::{problem::Fault, skill::said};

const MOST_CHARACTERS: usize = 1024;

pub(super) fn missing(draft: &Draft<'_>) -> Vec<Fault> {
    let Some(fences) = &draft.document.fences else { return Vec::new() };
    let value = draft.frontmatter.get("description");
    if said(draft.frontmatter, "description").is_some() || value.is_some_and(|value| value.text().is_none()) {
        return Vec::new();
    }
    let what = if value.is_some() { "is empty" } else { "is missing" };
    let message = format!(
        "The description {what}, so a model cannot know when to use the skill. Codex ignores the skill; \
         others show the first line of its text."
    );
    let span = draft.frontmatter.entry("description").map_or(&fences.opening, |(key, _)| &key.span).clone();
    vec![Fault::new("description-missing", span, message).about("description")]
}

pub(super) fn kind(draft: &Draft<'_>) -> Vec<Fault> {
    let value = draft.frontmatter.get("description").filter(|value| !value.is_null() && value.string().is_none());
    let Some(value) = value else { return Vec::new() };
    let message = "The description is not text for YAML; several clients ignore the skill. Quote it.";
    let fault = Fault::new("description-type", value.span.clone(), message).about("description");
    match value.text() {
        Some(text) => {
            let fix = vec![Splice::new(value.span.clone(), format!("\"{text}\""))];
            vec![fault.fixed_by("Quote the description", fix)]
        }
        None => vec![fault],
    }
}

pub(super) fn length(draft: &Draft<'_>) -> Vec<Fault> {
    let Some((value, text)) = draft.frontmatter.get("description").and_then(|value| Some((value, value.text()?)))
    else {
        return Vec::new();
    };
    let count = text.trim().chars().count();
    if count <= MOST_CHARACTERS {
        return Vec::new();
    }
    let message = format!(
        "The description has {count} characters; Copilot ignores skills with more than {MOST_CHARACTERS}, others cut it."
    );
    vec![Fault::new("description-length", value.span.clone(), message).about("description")]
}

pub(super) fn tag(draft: &Draft<'_>) -> Vec<Fault> {
    let Some((value, text)) = draft.frontmatter.get("description").and_then(|value| Some((value, value.text()?)))
    else {
        return Vec::new();
    };
    if !holds_tag(text) {
        return Vec::new();
    }
    let message = "The description holds something like an XML tag; Anthropic's upload refuses the skill, \
                   and clients that build XML around it may cut it.";
    vec![Fault::new("description-tag", value.span.clone(), message).about("description")]
}

/// `<b>`, `</b>`, `<a href=x>`: an angle bracket, a name, and a closing bracket.
fn holds_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text[at + 1..].strip_prefix('/').unwrap_or(&text[at + 1..]);
        rest.starts_with(|c: char| c.is_ascii_alphabetic())
            && rest.split(['<', '\n']).next().is_some_and(|tag| tag.contains('>'))
    })
}
