//! Rules about the links in a body, and in the other Markdown files of the skill.

use text::{Lines, Splice};

use super::{
    content::{Content, Folder, Found},
    markdown::{Link, Markdown},
};
use crate::{File, SkillPath, address::decoded, problem::Fault};

/// The most links or files that one sentence names; the rest are counted.
const MOST_NAMED: usize = 10;
/// The most bytes of other files that are searched for links.
const MOST_BYTES: u64 = 4 << 20;

/// Where a link of a SKILL.md leads.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Leads {
    /// To the web, to a place in this file, or anywhere that cannot be checked.
    Elsewhere,
    /// Out of the skill's folder.
    Outside,
    /// To this path in the skill's folder; empty for the folder itself.
    Inside(String),
}

/// What the rules report about the links in the other Markdown files, as words that name each link.
#[derive(Debug, Clone, Default)]
pub(super) struct Beside {
    broken: Listed,
    outside: Listed,
    /// The first file that has a broken link.
    first: Option<String>,
    /// The first file that was not searched, because the skill holds too much text.
    unread: Option<String>,
}

/// The first few of many, and their number: there may be a hundred thousand.
#[derive(Debug, Clone, Default)]
pub(super) struct Listed {
    named: Vec<String>,
    count: usize,
}

impl Listed {
    fn add(&mut self, words: impl FnOnce() -> String) {
        self.count += 1;
        if self.named.len() < MOST_NAMED {
            self.named.push(words());
        }
    }

    /// Lists items of a text by name and line.
    pub(super) fn places<'t>(all: impl Iterator<Item = (&'t str, usize)>, text: &str) -> Self {
        let (lines, mut listed) = (Lines::new(text.as_bytes()), Self::default());
        all.for_each(|(what, at)| listed.add(|| format!("`{what}` (line {})", lines.place(at).line)));
        listed
    }

    fn and(mut self, other: &Self) -> Self {
        other.named.iter().for_each(|words| self.add(|| words.clone()));
        Self { count: self.count + other.count - other.named.len(), ..self }
    }

    /// The list as a part of a sentence.
    pub(super) fn words(&self) -> String {
        let named = self.named.join(", ");
        let more = self.count - self.named.len();
        if more > 0 { format!("{named} and {more} more") } else { named }
    }
}

/// One problem for the links that only the author can fix, and one for those that are nearly right.
pub(super) fn broken(content: &mut Content<'_>) -> Vec<Fault> {
    let Some(folder) = &content.folder else { return Vec::new() };
    let broken = content.markdown.links.iter().filter_map(|link| match leads(&link.target, "") {
        Leads::Inside(path) if folder.found(&path) == Found::Nothing => Some((link, path)),
        _ => None,
    });
    let broken: Vec<_> =
        broken.map(|(link, path)| (link, folder.nearly(&path).filter(|_| link.is_written_out), path)).collect();
    let (near, gone): (Vec<_>, Vec<_>) = broken.iter().partition(|(_, meant, _)| meant.is_some());
    [near, gone].iter().filter_map(|links| told_broken(content.text(), links)).collect()
}

/// One problem for these links, with a fix when the target of each is known.
fn told_broken(text: &str, links: &[&(&Link, Option<&SkillPath>, String)]) -> Option<Fault> {
    let (first, meant, path) = links.first()?;
    let message = match links {
        [_] => format!("The link leads to `{path}`, which the skill does not have."),
        _ => {
            let named = Listed::places(links.iter().map(|(link, _, path)| (path.as_str(), link.span.start)), text);
            format!("{} links lead to files that the skill does not have: {}.", links.len(), named.words())
        }
    };
    let fault = Fault::new("link-broken", first.span.clone(), message);
    let splices = links.iter().filter_map(|(link, meant, _)| {
        Some(Splice::new(link.span.clone(), with_path(&link.target, meant.as_ref()?.as_str())))
    });
    Some(match (meant, links) {
        (None, _) => fault,
        (Some(meant), [_]) => fault.fixed_by(format!("Link to {meant}"), splices.collect()),
        (Some(_), _) => fault.fixed_by("Link to the right files", splices.collect()),
    })
}

/// One problem for all links that leave the folder, in any Markdown file, and for the symbolic links in the folder.
pub(super) fn outside(content: &mut Content<'_>) -> Vec<Fault> {
    let beside = beside(content).outside.clone();
    let place = content.first_line();
    let leaves = |link: &&Link| match (leads(&link.target, ""), &content.folder) {
        (Leads::Outside, _) => true,
        (Leads::Inside(path), Some(folder)) => folder.found(&path) == Found::Outside,
        _ => false,
    };
    let links: Vec<_> = content.markdown.links.iter().filter(leaves).collect();
    let links_out = content.folder.as_ref().map(|folder| folder.links_out).unwrap_or_default();
    let place = links.first().map_or(place, |link| link.span.clone());
    let own = links.iter().map(|link| (link.target.as_str(), link.span.start));
    let message = match (&links[..], beside.count) {
        ([], 0) => None,
        ([link], 0) => Some(format!(
            "The link `{}` leads out of the skill's folder. Without the folders around the skill, nobody can follow it.",
            link.target
        )),
        ([], 1) => Some(format!(
            "The link {} leads out of the skill's folder. Without the folders around the skill, nobody can follow it.",
            beside.words()
        )),
        _ => {
            let all = Listed::places(own, content.text()).and(&beside);
            Some(format!(
                "{} links lead out of the skill's folder: {}. Without the folders around the skill, nobody can follow them.",
                all.count,
                all.words()
            ))
        }
    };
    let written = message.map(|message| Fault::new("link-outside", place, message));
    let mut symbolic = Listed::default();
    links_out.iter().for_each(|path| symbolic.add(|| format!("`{path}`")));
    let message = match symbolic.count {
        0 => None,
        1 => Some(format!(
            "{} is a symbolic link that leads out of the skill's folder. Its target is not part of the skill: copy it here.",
            symbolic.words()
        )),
        count => Some(format!(
            "{count} symbolic links lead out of the skill's folder: {}. Their targets are not part of the skill: copy them here.",
            symbolic.words()
        )),
    };
    let symbolic = message.map(|message| Fault::new("link-outside", content.first_line(), message));
    written.into_iter().chain(symbolic).collect()
}

/// One problem for the broken links in the other Markdown files, placed where SKILL.md links to the first of them.
pub(super) fn broken_beside(content: &mut Content<'_>) -> Vec<Fault> {
    let Beside { broken, first, unread, .. } = beside(content).clone();
    let place = content.first_line();
    let leads_here = |target: &str| match (leads(target, ""), &first) {
        (Leads::Inside(path), Some(first)) => path == *first,
        _ => false,
    };
    let span = content.markdown.links.iter().find(|link| leads_here(&link.target)).map(|link| link.span.clone());
    let span = span.unwrap_or_else(|| place.clone());
    let mut faults = Vec::new();
    let message = match broken.count {
        0 => None,
        1 => Some(format!("The link {} leads to a file that the skill does not have.", broken.words())),
        count => Some(format!("{count} links lead to files that the skill does not have: {}.", broken.words())),
    };
    faults.extend(message.map(|message| Fault::new("reference-link", span, message)));
    if let Some(path) = unread {
        let message =
            format!("Links in `{path}` and the files behind it were not checked, because the skill has too much text.");
        faults.push(Fault::new("reference-link", place, message));
    }
    faults
}

/// Searches the other files for links, once.
fn beside<'c>(content: &'c mut Content<'_>) -> &'c Beside {
    if content.beside.is_none() {
        content.beside = Some(content.folder.as_mut().map(look_beside).unwrap_or_default());
    }
    content.beside.get_or_insert_default()
}

fn look_beside(folder: &mut Folder<'_>) -> Beside {
    let (mut left, mut beside) = (MOST_BYTES, Beside::default());
    for file in folder.files.iter().filter(|file| is_markdown_beside(file)) {
        if file.size > left {
            beside.unread = Some(file.path.as_str().to_owned());
            break;
        }
        left -= file.size;
        if let Some(text) = (folder.text_of)(&file.path) {
            look_through(folder, file, &text, &mut beside);
        }
    }
    beside
}

/// Searches one file. A link is relative to the file's folder; authors often write it relative to the skill's, or to
/// one between.
fn look_through(folder: &Folder<'_>, file: &File, text: &str, beside: &mut Beside) {
    let path = file.path.as_str();
    let above: Vec<_> = path.rmatch_indices('/').map(|(at, _)| &path[..at]).chain([""]).collect();
    let markdown = Markdown::new(text, 0..text.len());
    let lines = Lines::new(text.as_bytes());
    for link in &markdown.links {
        let found = || {
            above.iter().filter_map(|above| match leads(&link.target, above) {
                Leads::Inside(path) => Some(folder.found(&path)),
                _ => None,
            })
        };
        let words = || format!("`{}` in `{path}` (line {})", link.target, lines.place(link.span.start).line);
        match leads(&link.target, above[0]) {
            Leads::Elsewhere => {}
            Leads::Outside => beside.outside.add(words),
            Leads::Inside(_) if found().any(|found| found == Found::Here) => {}
            Leads::Inside(_) if found().any(|found| found == Found::Outside) => beside.outside.add(words),
            Leads::Inside(_) => {
                beside.broken.add(words);
                beside.first.get_or_insert_with(|| path.to_owned());
            }
        }
    }
}

fn is_markdown_beside(file: &File) -> bool {
    let path = file.path.as_str();
    path.ends_with(".md") && path.rsplit('/').next() != Some("SKILL.md")
}

/// Where a link in a file of this folder leads.
fn leads(target: &str, folder: &str) -> Leads {
    let path = path(target);
    // `[text](url)` shows how a link is written; `{file}` and `<file>` are placeholders.
    let is_example = path.contains(['{', '<', '$', '*', '…', '[']) || path.contains("...");
    let decoded = decoded(path);
    let path = decoded.as_deref().unwrap_or(path);
    if is_example || path.starts_with("//") || !path.contains(['.', '/', '\\', ':']) {
        return Leads::Elsewhere;
    }
    match path.split_once(':') {
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("file") => return Leads::Outside,
        // `C:` is a Windows drive, not a scheme.
        Some((scheme, _)) if scheme.len() == 1 => return Leads::Outside,
        Some((scheme, _)) if !scheme.contains(['/', '\\']) => return Leads::Elsewhere,
        _ => {}
    }
    if path.starts_with(['/', '\\']) || path.starts_with("~/") || path == "~" {
        return Leads::Outside;
    }
    // Only Windows reads a backslash as a slash; a path that leaves by either reading counts.
    let leaves = |separators: &[char]| {
        let mut segments: Vec<_> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
        for segment in path.split(separators) {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop()?;
                }
                segment => segments.push(segment),
            }
        }
        Some(segments.join("/"))
    };
    match (leaves(&['/']), leaves(&['/', '\\'])) {
        (Some(path), Some(_)) => Leads::Inside(path),
        _ => Leads::Outside,
    }
}

/// The path of the target, without query or fragment.
fn path(target: &str) -> &str {
    target.split(['#', '?']).next().unwrap_or(target)
}

/// The target with another path, encoded so that it needs no angle brackets.
fn with_path(target: &str, meant: &str) -> String {
    meant.replace(' ', "%20") + &target[path(target).len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_inside_of_the_skill_are_looked_for() {
        for (target, inside) in [
            ("guide.md", "guide.md"),
            ("./references/a%20b.md#top", "references/a b.md"),
            ("references/../guide.md?plain=1", "guide.md"),
            ("references/", "references"),
            ("./", ""),
        ] {
            assert_eq!(leads(target, ""), Leads::Inside(inside.to_owned()), "{target}");
        }
        for target in [
            "https://example.org/a.md",
            "mailto:zoe@example.org",
            "//example.org/a",
            "#top",
            "",
            "url",
            "path/to/{file}.md",
            "docs/*.md",
            "a/.../b.md",
            "vscode://file/a.md",
        ] {
            assert_eq!(leads(target, ""), Leads::Elsewhere, "{target}");
        }
        for target in [
            "../other/SKILL.md",
            "..",
            "/docs/a.md",
            "references/../../a.md",
            "~/notes.md",
            "file:///etc/passwd",
            "FILE:a.md",
            "%2e%2e/a.md",
            "%2E%2E%2Fa.md",
            "%2fetc/passwd",
            "file%3A///etc/passwd",
            "..\\a.md",
            "references\\..\\..\\a.md",
            "C:\\a.md",
            "c:/a.md",
            "\\\\server\\share\\a.md",
        ] {
            assert_eq!(leads(target, ""), Leads::Outside, "{target}");
        }
    }
}
