//! Rules about the links in a body.

use text::Splice;

use super::content::{Content, Folder};
use crate::{SkillPath, address::decoded, problem::Fault};

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
    let broken = content.markdown.links.iter().filter_map(|link| match leads(&link.target) {
        Leads::Inside(path) if !folder.holds(&path) => Some((link, path)),
        _ => None,
    });
    broken
        .map(|(link, path)| {
            let message = format!("The link leads to `{path}`, which the skill does not have.");
            let fault = Fault::new("link-broken", link.span.clone(), message);
            match nearly(folder, &path).filter(|_| link.is_written_out) {
                Some(meant) => {
                    let fix = vec![Splice::new(link.span.clone(), with_path(&link.target, meant.as_str()))];
                    fault.fixed_by(format!("Link to {meant}"), fix)
                }
                None => fault,
            }
        })
        .collect()
}

pub(super) fn outside(content: &mut Content<'_>) -> Vec<Fault> {
    let outside = content.markdown.links.iter().filter(|link| leads(&link.target) == Leads::Outside);
    outside
        .map(|link| {
            let message = format!(
                "The link `{}` leads out of the skill's folder. Nobody who has only the skill can follow it.",
                link.target
            );
            Fault::new("link-outside", link.span.clone(), message)
        })
        .collect()
}

fn leads(target: &str) -> Leads {
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
    let mut segments = Vec::new();
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

/// The only file whose path differs in letter case or in the kind of slash.
fn nearly<'f>(folder: &'f Folder<'_>, path: &str) -> Option<&'f SkillPath> {
    let plain = |path: &str| path.replace('\\', "/").to_lowercase();
    let wanted = plain(path);
    let mut meant = folder.files.iter().filter(|file| plain(file.path.as_str()) == wanted);
    let first = meant.next()?;
    meant.next().is_none().then_some(&first.path)
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
            assert_eq!(leads(target), Leads::Inside(inside.to_owned()), "{target}");
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
            assert_eq!(leads(target), Leads::Elsewhere, "{target}");
        }
        for target in ["../other/SKILL.md", "/docs/a.md", "references/../../a.md"] {
            assert_eq!(leads(target), Leads::Outside, "{target}");
        }
    }
}
