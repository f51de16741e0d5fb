//! Rules about a skill's description.

use text::Splice;

use super::{Draft, keys::is_misspelt, markdown::first_prose, takes_lines};
use crate::{
    document::{Document, Fences},
    hidden_text::invisible,
    problem::Fault,
    repair::quoted,
    said::said,
};

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
    let fault = Fault::new("description-missing", span, message).about("description");
    vec![match first_line(draft, fences) {
        Some(fix) => fault.fixed_by("Use the first line of the text", vec![fix]),
        None => fault,
    }]
}

/// The first line of prose in the body, as a description.
pub(super) fn first_sentence(document: &Document<'_>) -> Option<String> {
    let body = String::from_utf8_lossy(&document.file()[document.body.clone()]);
    let line = first_prose(&body)?;
    let seen = |at: &usize| !invisible(&line).iter().any(|hidden| hidden.range.contains(at));
    let plain: String = line.char_indices().filter(|(at, c)| !c.is_control() && seen(at)).map(|(_, c)| c).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = shortened(&plain);
    let says = whole.chars().any(char::is_alphanumeric) && !whole.contains(char::REPLACEMENT_CHARACTER);
    (says && !holds_tag(&whole)).then_some(whole)
}

/// The text cut to the longest allowed description, at the end of a word.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) else { return text.to_owned() };
    let kept = &text[..end];
    kept.rsplit_once(' ').map_or(kept, |(words, _)| words).to_owned()
}

/// Makes a description of the line that most clients show in its place.
fn first_line(draft: &Draft<'_>, fences: &Fences) -> Option<Splice> {
    let text = quoted(&first_sentence(draft.document)?);
    match draft.frontmatter.entry("description") {
        None if takes_lines(draft) && !is_misspelt(draft, "description") => {
            let entry = format!("description: {text}{}", draft.document.line_end());
            Some(Splice::insert(fences.yaml.end, entry))
        }
        None => None,
        Some((key, value)) if value.is_null() && value.span.is_empty() => {
            let rest = &draft.document.file()[key.span.end..fences.yaml.end];
            let colon = rest.iter().position(|byte| *byte == b':')?;
            let after = rest[colon + 1..].split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
            let at = key.span.end + colon + 1;
            let after = after.trim_ascii();
            (after.is_empty() || after.starts_with(b"#")).then(|| Splice::insert(at, format!(" {text}")))
        }
        Some((_, value)) => Some(Splice::new(value.span.clone(), text)),
    }
}

pub(super) fn kind(draft: &Draft<'_>) -> Vec<Fault> {
    let value = draft.frontmatter.get("description").filter(|value| !value.is_null() && value.string().is_none());
    let Some(value) = value else { return Vec::new() };
    let message = "YAML does not read the description as text; several clients ignore the skill. Quote it.";
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
    let message = "The description contains something like an XML tag; Anthropic's upload refuses the skill, \
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
