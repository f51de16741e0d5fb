//! Rules about the files that a skill names as references.

use super::content::Content;
use crate::{File, problem::Fault};

const MOST_WORDS: usize = 10_000;

/// Words in a SKILL.md that tell the model to search a file.
const SEARCH_HINTS: &[&str] = &["grep", "`rg", "search", "look up"];

pub(super) fn missing(content: &mut Content<'_>) -> Vec<Fault> {
    let (Some(folder), Some(personal)) = (&content.folder, &content.skill.personal) else { return Vec::new() };
    let missing = personal.references.iter().filter(|(_, reference)| !folder.has(&reference.path));
    missing
        .map(|(id, reference)| {
            let message = format!(
                "The skill has no file `{}`, so `resource://skills/{}/references/{id}` cannot be read.",
                reference.path, personal.id
            );
            let field = format!("x-personal-mcp.references.{id}.path");
            Fault::new("reference-missing", reference.span.clone(), message).about(field)
        })
        .collect()
}

/// References too long to read whole, when SKILL.md does not say what to search them for.
pub(super) fn long(content: &mut Content<'_>) -> Vec<Fault> {
    let files = content.folder.as_ref().map(|folder| folder.files).unwrap_or_default();
    let references: Vec<_> = files.iter().filter(|file| is_reference(file)).collect();
    if references.is_empty() {
        return Vec::new();
    }
    let body = content.body().to_lowercase();
    if SEARCH_HINTS.iter().any(|hint| body.contains(hint)) {
        return Vec::new();
    }
    let place = content.first_line();
    let Some(folder) = &mut content.folder else { return Vec::new() };
    references
        .into_iter()
        .filter_map(|file| {
            let words = (folder.text_of)(&file.path)?.split_whitespace().count();
            let message = format!(
                "`{}` has {words} words. Say in SKILL.md what to search it for, so that a model does not read all of it.",
                file.path
            );
            (words > MOST_WORDS).then(|| Fault::new("reference-length", place.clone(), message))
        })
        .collect()
}

/// Whether it is a text below references/ that may be too long, by its size.
fn is_reference(file: &File) -> bool {
    file.path.as_str().starts_with("references/") && file.size > 2 * MOST_WORDS as u64
}
