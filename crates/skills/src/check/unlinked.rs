//! The rule about files that no text leads to.

use super::content::{Content, Folder};
use crate::{File, SkillPath, problem::Fault};

/// Folders whose files may be found by their place alone.
const FOLDERS: &[&str] = &["scripts/", "references/", "assets/", "agents/", "evals/", "tests/"];

/// Files for people and for tools, which a model has no business with.
const FOR_PEOPLE: &[&str] = &["license", "licence", "notice", "readme", "changelog", "contributing", "package", "."];

const MOST_NAMED: usize = 3;
/// A folder of more files is too large anyway (SEP-2640).
const MOST_FILES: usize = 512;

pub(super) fn unlinked(content: &mut Content<'_>) -> Vec<Fault> {
    let (body, place) = (content.body().to_owned(), content.first_line());
    let Some(folder) = content.folder.as_mut().filter(|folder| folder.files.len() <= MOST_FILES) else {
        return Vec::new();
    };
    let candidates = folder.files.iter().map(|file| &file.path).filter(|path| wants_a_link(path));
    let mut left: Vec<&SkillPath> = candidates.filter(|path| !names(&body, path)).collect();
    for file in texts(folder) {
        if left.is_empty() {
            break;
        }
        if let Some(text) = (folder.text_of)(&file.path) {
            left.retain(|path| *path == &file.path || !names(&text, path));
        }
    }
    if left.is_empty() {
        return Vec::new();
    }
    let shown = left.iter().take(MOST_NAMED).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    let message = match left.len() {
        1 => format!("No text of the skill names {shown}, so no model will read it. Link to it, or take it out."),
        count if count <= MOST_NAMED => {
            format!("No text of the skill names {shown}, so no model will read them. Link to them, or take them out.")
        }
        count => format!(
            "No text of the skill names {shown} and {} more, so no model will read them. Link to them, or take them out.",
            count - MOST_NAMED
        ),
    };
    vec![Fault::new("file-unlinked", place, message)]
}

/// The texts beside SKILL.md.
fn texts<'f>(folder: &Folder<'f>) -> impl Iterator<Item = &'f File> + use<'f> {
    let is_text = |file: &&File| file.path.as_str().ends_with(".md") && file.path.as_str() != "SKILL.md";
    folder.files.iter().filter(is_text)
}

fn wants_a_link(path: &SkillPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    path.as_str() != "SKILL.md"
        && !FOLDERS.iter().any(|folder| path.as_str().starts_with(folder))
        && !FOR_PEOPLE.iter().any(|start| name.starts_with(start))
        && !path.as_str().contains("/.")
}

/// Whether a text names the file, or one of the folders that it stands in.
fn names(text: &str, path: &SkillPath) -> bool {
    let folders = path.as_str().match_indices('/').map(|(at, _)| &path.as_str()[..=at]);
    text.contains(path.file_name()) || folders.into_iter().any(|folder| text.contains(folder))
}
