//! Rules about a skill's name.

use text::Splice;

use super::{Draft, keys::is_misspelt, takes_lines};
use crate::{
    name::{MOST_CHARACTERS, is_kebab_case, kebab_case},
    problem::Fault,
    rename::whole_value,
    yaml::Node,
};

pub(super) fn missing(draft: &Draft<'_>) -> Vec<Fault> {
    let Some(fences) = &draft.document.fences else { return Vec::new() };
    if authored(draft).is_some() {
        return Vec::new();
    }
    let message =
        format!("The skill has no name. Gemini CLI ignores it; others use its folder's name, `{}`.", draft.id);
    match draft.frontmatter.entry("name") {
        Some((key, _)) => vec![Fault::new("name-missing", key.span.clone(), message).about("name")],
        None => {
            let fault = Fault::new("name-missing", fences.opening.clone(), message).about("name");
            if !is_kebab_case(draft.id) || !takes_lines(draft) || is_misspelt(draft, "name") {
                return vec![fault];
            }
            let line = Splice::insert(fences.yaml.start, format!("name: {}{}", draft.id, draft.document.line_end()));
            vec![fault.fixed_by("Add the name", vec![line])]
        }
    }
}

pub(super) fn kind(draft: &Draft<'_>) -> Vec<Fault> {
    let Some(name) = draft.frontmatter.get("name").filter(|name| !name.is_null() && name.string().is_none()) else {
        return Vec::new();
    };
    let message = "YAML does not read the name as text. Copilot and others ignore the skill; quote the name.";
    let fault = Fault::new("name-type", name.span.clone(), message).about("name");
    match name.text() {
        Some(text) => {
            vec![fault.fixed_by("Quote the name", vec![Splice::new(name.span.clone(), format!("\"{text}\""))])]
        }
        None => vec![fault],
    }
}

pub(super) fn length(draft: &Draft<'_>) -> Vec<Fault> {
    let too_long = |(name, text): (&Node, &str)| {
        let count = text.trim().chars().count();
        let message = format!(
            "The name has {count} characters; Codex and Copilot ignore skills with more than {MOST_CHARACTERS}."
        );
        (count > MOST_CHARACTERS).then(|| Fault::new("name-length", name.span.clone(), message).about("name"))
    };
    authored(draft).and_then(too_long).into_iter().collect()
}

pub(super) fn format(draft: &Draft<'_>) -> Vec<Fault> {
    let Some((name, text)) = authored(draft) else { return Vec::new() };
    let only_long = text.trim().chars().count() > MOST_CHARACTERS
        && text.trim().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if is_kebab_case(text.trim()) || only_long {
        return Vec::new();
    }
    let message = "The name should consist of a-z, 0-9 and single hyphens between them. \
                   Clients that follow the specification refuse other names.";
    let fault = Fault::new("name-format", name.span.clone(), message).about("name");
    match kebab_case(text) {
        Some(kebab) => {
            let fix = renamed(draft, &kebab);
            vec![fault.fixed_by(format!("Rename to {kebab}"), fix)]
        }
        None => vec![fault],
    }
}

pub(super) fn folder(draft: &Draft<'_>) -> Vec<Fault> {
    let Some((name, text)) = authored(draft).filter(|(_, text)| text.trim() != draft.id) else { return Vec::new() };
    let message = format!(
        "The name is `{}`, the folder is `{}`. Claude Code uses the folder, others the name; make them equal.",
        text.trim(),
        draft.id
    );
    let fault = Fault::new("name-folder", name.span.clone(), message).about("name");
    if !is_kebab_case(draft.id) {
        return vec![fault];
    }
    vec![fault.fixed_by("Use the folder's name", renamed(draft, draft.id))]
}

/// Control characters written as escapes; literal ones are not valid YAML.
pub(super) fn controls(draft: &Draft<'_>) -> Vec<Fault> {
    let fields: [(&str, &[char]); 2] = [("name", &[]), ("description", &['\t', '\n', '\r'])];
    let mut faults = Vec::new();
    for (field, fine) in fields {
        let Some(value) = draft.frontmatter.get(field) else { continue };
        let Some(control) =
            value.text().and_then(|text| text.trim().chars().find(|c| c.is_control() && !fine.contains(c)))
        else {
            continue;
        };
        let message = format!(
            "The {field} contains the control character U+{:04X}, which controls terminals or means nothing. Remove it.",
            u32::from(control)
        );
        faults.push(Fault::new("control-character", value.span.clone(), message).about(field));
    }
    faults
}

pub(super) fn reserved(draft: &Draft<'_>) -> Vec<Fault> {
    let reserved = |(name, text): (&Node, &str)| {
        let text = text.to_ascii_lowercase();
        let word = ["anthropic", "claude"].into_iter().find(|word| text.contains(word))?;
        let message = format!("The name contains the reserved word `{word}`; Anthropic's upload refuses the skill.");
        Some(Fault::new("name-reserved", name.span.clone(), message).about("name"))
    };
    authored(draft).and_then(reserved).into_iter().collect()
}

fn renamed(draft: &Draft<'_>, name: &str) -> Vec<Splice> {
    let written = draft.frontmatter.entry("name");
    written.map(|written| whole_value(draft.document.file(), written, name)).into_iter().collect()
}

fn authored<'a>(draft: &Draft<'a>) -> Option<(&'a Node, &'a str)> {
    Some((draft.frontmatter.get("name")?, crate::said::said(draft.frontmatter, "name")?))
}
