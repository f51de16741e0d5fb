//! Rules about the file as a whole: its encoding and its fences.

use text::Splice;

use super::{Draft, description::first_sentence};
use crate::{name::is_kebab_case, problem::Fault, repair::quoted};

pub(super) fn frontmatter(draft: &Draft<'_>) -> Vec<Fault> {
    let document = draft.document;
    if document.fences.is_some() || path_inside(document.file()).is_some() {
        return Vec::new();
    }
    let start = document.byte_order_mark().map_or(0, |mark| mark.end);
    let first = document.file()[start..].split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let opened = first.trim_ascii() == b"---";
    let what = if opened { "The frontmatter is never closed by a line `---`" } else { "There is no frontmatter" };
    let message = format!(
        "{what}, so no client knows the skill's name and description. \
         Claude Code would still offer it as /{}; the others ignore it.",
        draft.id
    );
    let fault = Fault::new("no-frontmatter", start..start + first.len(), message);
    // Text that looks like another program's frontmatter would end up below the new one, where no client reads it.
    let is_others = [&b"---"[..], b"+++"].iter().any(|fence| first.trim_ascii_start().starts_with(fence));
    let sentence = first_sentence(document).filter(|_| !opened && !is_others && is_kebab_case(draft.id));
    let Some(sentence) = sentence else { return vec![fault] };
    let description = quoted(&sentence);
    let lines = ["---", &format!("name: {}", draft.id), &format!("description: {description}"), "---", "", ""];
    let fences = lines.join(document.line_end());
    vec![fault.fixed_by("Add frontmatter", vec![Splice::insert(start, fences)])]
}

pub(super) fn path(draft: &Draft<'_>) -> Vec<Fault> {
    let Some(path) = path_inside(draft.document.file()) else { return Vec::new() };
    let message = format!(
        "SKILL.md contains only the path `{path}`: a link that Git wrote as a text file, because links are \
         switched off. Copy that file here."
    );
    vec![Fault::new("path-instead-of-text", 0..draft.document.file().len(), message)]
}

pub(super) fn fences(draft: &Draft<'_>) -> Vec<Fault> {
    let Some(fences) = &draft.document.fences else { return Vec::new() };
    [("opening", &fences.opening), ("closing", &fences.closing)]
        .into_iter()
        .filter(|(_, line)| &draft.document.file()[(*line).clone()] != b"---")
        .map(|(which, line)| {
            let message = format!(
                "The {which} fence is not exactly `---`. Some clients find no frontmatter then and ignore the skill."
            );
            let fix = vec![Splice::new(line.clone(), "---")];
            Fault::new("sloppy-fence", line.clone(), message).fixed_by("Write ---", fix)
        })
        .collect()
}

pub(super) fn byte_order_mark(draft: &Draft<'_>) -> Vec<Fault> {
    let fault = |mark: std::ops::Range<usize>| {
        let message = "The file starts with an invisible byte order mark. Codex and Gemini CLI then ignore the skill, \
                       and Claude Code does not see its description.";
        let fix = vec![Splice::new(mark.clone(), "")];
        Fault::new("byte-order-mark", mark, message).fixed_by("Remove the byte order mark", fix)
    };
    draft.document.byte_order_mark().map(fault).into_iter().collect()
}

pub(super) fn encoding(draft: &Draft<'_>) -> Vec<Fault> {
    let Err(error) = std::str::from_utf8(draft.document.file()) else { return Vec::new() };
    let start = error.valid_up_to();
    let end = error.error_len().map_or(draft.document.file().len(), |length| start + length);
    let message = "The bytes here are not UTF-8. Codex ignores the skill; others show replacement characters. \
                   Save the file as UTF-8.";
    vec![Fault::new("not-utf8", start..end, message)]
}

/// The path that is the whole content of a small file, as Git writes it in place of a symbolic link.
fn path_inside(file: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(file).ok()?.trim_end_matches(['\r', '\n']);
    let is_path = line.ends_with(".md") && line.contains('/') && !line.contains(char::is_whitespace);
    is_path.then_some(line)
}
