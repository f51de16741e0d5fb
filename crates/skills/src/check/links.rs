//! Rules about the links in a body, and in the Markdown files beside it.

use std::ops::Range;

use text::Splice;

use super::{
    content::{Content, Folder},
    markdown::Markdown,
};
use crate::{File, address::decoded, problem::Fault};

/// How many links of a SKILL.md one rule tells of; behind them it says that there are more.
const MOST: usize = 500;
/// How many files with broken links are told of, and how many links of each are named.
const MOST_FILES: usize = 50;
const MOST_NAMED: usize = 3;
/// How many bytes of the files beside SKILL.md are looked through for links.
const MOST_BYTES: u64 = 4 << 20;

/// Where a link of a SKILL.md leads.
#[derive(Debug, PartialEq, Eq)]
enum Leads {
    /// To the web, to a place in this file, or nowhere that could be looked at.
    Elsewhere,
    /// Out of the skill's folder.
    Outside,
    /// To this path in the skill's folder; empty for the folder itself.
    Inside(String),
}

pub(super) fn broken(content: &mut Content<'_>) -> Vec<Fault> {
    let Some(folder) = &content.folder else { return Vec::new() };
    let broken = content.markdown.links.iter().filter_map(|link| match leads(&link.target, "") {
        Leads::Inside(path) if !folder.holds(&path) => Some((link, path)),
        _ => None,
    });
    bounded("link-broken", "lead to files that the skill does not have", broken, |(link, path)| {
        let message = format!("The link leads to `{path}`, which the skill does not have.");
        let fault = Fault::new("link-broken", link.span.clone(), message);
        match folder.nearly(&path).filter(|_| link.is_written_out) {
            Some(meant) => {
                let fix = vec![Splice::new(link.span.clone(), with_path(&link.target, meant.as_str()))];
                fault.fixed_by(format!("Link to {meant}"), fix)
            }
            None => fault,
        }
    })
}

pub(super) fn outside(content: &mut Content<'_>) -> Vec<Fault> {
    let outside = content.markdown.links.iter().filter(|link| leads(&link.target, "") == Leads::Outside);
    bounded("link-outside", "lead out of the skill's folder", outside, |link| {
        let message = format!(
            "The link `{}` leads out of the skill's folder. Nobody who has only the skill can follow it.",
            link.target
        );
        Fault::new("link-outside", link.span.clone(), message)
    })
}

/// The faults of the first links, and one that says it when there are more: a body may hold a hundred thousand.
fn bounded<L>(
    rule: &'static str,
    what: &str,
    mut links: impl Iterator<Item = L>,
    fault: impl Fn(L) -> Fault,
) -> Vec<Fault> {
    let mut faults: Vec<_> = links.by_ref().take(MOST).map(&fault).collect();
    if let Some(next) = links.next() {
        let message = format!("More than {MOST} links {what}. This one and those behind it are not told one by one.");
        faults.push(Fault::new(rule, fault(next).span, message));
    }
    faults
}

/// Broken links in the Markdown files beside SKILL.md: one problem for each file, where SKILL.md links to it.
pub(super) fn broken_beside(content: &mut Content<'_>) -> Vec<Fault> {
    let place = content.first_line();
    let links = &content.markdown.links;
    let Some(folder) = &mut content.folder else { return Vec::new() };
    let (mut left, mut faults) = (MOST_BYTES, Vec::new());
    for file in folder.files.iter().filter(|file| is_markdown_beside(file)) {
        if file.size > left || faults.len() >= MOST_FILES {
            let message = format!(
                "Links in `{}` and the files behind it were not looked at: the skill holds too much text, or too many \
                 broken links.",
                file.path
            );
            faults.push(Fault::new("reference-link", place.clone(), message));
            break;
        }
        left -= file.size;
        let Some(text) = (folder.text_of)(&file.path) else { continue };
        if let Some(message) = broken_in(folder, file, &text) {
            let leads_here = |target: &str| leads(target, "") == Leads::Inside(file.path.as_str().to_owned());
            let span = links.iter().find(|link| leads_here(&link.target)).map(|link| link.span.clone());
            faults.push(Fault::new("reference-link", span.unwrap_or_else(|| place.clone()), message));
        }
    }
    faults
}

/// What is wrong with the links of one file. A link counts from the file's folder; authors often write it from the skill's,
/// or from one between.
fn broken_in(folder: &Folder<'_>, file: &File, text: &str) -> Option<String> {
    let path = file.path.as_str();
    let above: Vec<_> = path.rmatch_indices('/').map(|(at, _)| &path[..at]).chain([""]).collect();
    let holds = |leads: Leads| matches!(leads, Leads::Inside(path) if folder.holds(&path));
    let markdown = Markdown::new(text, 0..text.len());
    let mut broken = markdown.links.iter().filter(|link| {
        matches!(leads(&link.target, above[0]), Leads::Inside(_))
            && !above.iter().any(|above| holds(leads(&link.target, above)))
    });
    let named: Vec<_> = broken.by_ref().take(MOST_NAMED).map(|link| (line(text, &link.span), &link.target)).collect();
    let count = named.len() + broken.count();
    let [(line, target), ..] = named.as_slice() else { return None };
    if count == 1 {
        return Some(format!("`{path}` links to `{target}` in line {line}, which the skill does not have."));
    }
    let shown = named.iter().map(|(line, target)| format!("`{target}` (line {line})")).collect::<Vec<_>>().join(", ");
    let more = if count > named.len() { format!(" and {} more", count - named.len()) } else { String::new() };
    Some(format!("`{path}` links to files that the skill does not have: {shown}{more}."))
}

fn is_markdown_beside(file: &File) -> bool {
    let path = file.path.as_str();
    path.ends_with(".md") && path.rsplit('/').next() != Some("SKILL.md")
}

fn line(text: &str, span: &Range<usize>) -> usize {
    1 + text.as_bytes()[..span.start].iter().filter(|byte| **byte == b'\n').count()
}

/// Where a link leads that stands in a file of this folder of the skill.
fn leads(target: &str, folder: &str) -> Leads {
    let path = path(target);
    let has_scheme = path.split_once(':').is_some_and(|(scheme, _)| !scheme.contains('/'));
    // `[text](url)` shows how a link is written; `{file}` and `<file>` stand for some file.
    let is_example =
        path.contains(['{', '<', '$', '*', '…', '[']) || path.contains("...") || !path.contains(['.', '/']);
    if has_scheme || path.starts_with("//") || path.starts_with('~') || is_example {
        return Leads::Elsewhere;
    }
    let Some(path) = decoded(path) else { return Leads::Elsewhere };
    if path.starts_with('/') {
        return Leads::Outside;
    }
    let mut segments: Vec<_> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                if segments.pop().is_none() {
                    return Leads::Outside;
                }
            }
            segment => segments.push(segment),
        }
    }
    Leads::Inside(segments.join("/"))
}

/// The target without what follows the path.
fn path(target: &str) -> &str {
    target.split(['#', '?']).next().unwrap_or(target)
}

/// The target with another path, spelt so that it needs no angle brackets.
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
            "~/notes.md",
        ] {
            assert_eq!(leads(target, ""), Leads::Elsewhere, "{target}");
        }
        for target in ["../other/SKILL.md", "/docs/a.md", "references/../../a.md"] {
            assert_eq!(leads(target, ""), Leads::Outside, "{target}");
        }
    }
}
