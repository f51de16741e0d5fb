//! Every file of a skill's folder, for a copy of it, including those that are not listed because they are too
//! deep or too many. Leftovers of tools are excluded, as everywhere.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use skills::SkillPath;

use crate::ignored::{is_ignored, is_ignored_folder};

/// The most files that are copied with one skill: a folder with more is a home rather than a skill. Also the
/// most folders that are read: links from each to the next can make a few folders endless.
const MOST: usize = skills::MOST_COUNTED;
/// How many folders are searched for links in one check of a skill.
const MOST_SEARCHED: usize = 1_000;
/// The same limit for a repository, in which most files belong to no skill.
const MOST_OF_REPOSITORY: usize = 100_000;

/// The paths of all files in a folder, sorted, including links. Linked folders are read when they are in the
/// folder too.
///
/// # Errors
/// When a folder cannot be read, contains too much, or a name is not text.
pub fn files(folder: &Path) -> io::Result<Vec<SkillPath>> {
    let found = below(folder, MOST)?;
    let inside = |found: Found| match found {
        Found { text: true, path } => {
            SkillPath::new(&path).ok_or_else(|| io::Error::other(format!("{path} is no name on every system")))
        }
        Found { path, .. } => {
            Err(io::Error::other(format!("the name of {} is not UTF-8", folder.join(path).display())))
        }
    };
    found.into_iter().map(inside).collect()
}

/// The paths of the symbolic links in a skill's folder that lead out of it, to files or to folders, sorted. A
/// broken link counts by its target path. SKILL.md itself may be elsewhere in the library; folders that cannot
/// be read are left out.
pub fn links_out(folder: &Path) -> Vec<String> {
    let Ok(real) = folder.canonicalize() else { return Vec::new() };
    let (mut found, mut open, mut searched) = (Vec::new(), vec![(real.clone(), String::new())], 0);
    while let Some((at, below)) = open.pop().filter(|_| searched < MOST_SEARCHED) {
        searched += 1;
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
            let path = format!("{below}{}", name.to_string_lossy());
            if kind.is_dir() && !is_ignored_folder(&name) {
                open.push((entry.path(), format!("{path}/")));
            } else if kind.is_symlink() && !is_ignored_folder(&name) && !is_ignored(&name) && path != "SKILL.md" {
                let out = match entry.path().canonicalize() {
                    Ok(target) => !target.starts_with(&real),
                    Err(_) => fs::read_link(entry.path()).is_ok_and(|target| says_out(&below, &target)),
                };
                if out {
                    found.push(path);
                }
            }
        }
    }
    found.sort();
    found
}

/// Whether the target of a link in the folder `below` of a skill names a place outside of it.
fn says_out(below: &str, target: &Path) -> bool {
    let mut depth = below.matches('/').count();
    target.components().any(|component| match component {
        Component::ParentDir => {
            let out = depth == 0;
            depth = depth.saturating_sub(1);
            out
        }
        Component::Normal(_) => {
            depth += 1;
            false
        }
        Component::CurDir => false,
        Component::RootDir | Component::Prefix(_) => true,
    })
}

/// The same for a folder that contains skills and much else. The result includes names that no skill may
/// contain, with invalid text in them replaced.
///
/// # Errors
/// When a folder cannot be read, or contains too much.
pub fn repository(folder: &Path) -> io::Result<Vec<String>> {
    Ok(below(folder, MOST_OF_REPOSITORY)?.into_iter().map(|found| found.path).collect())
}

/// A file that was found.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    path: String,
    /// Whether its name is text.
    text: bool,
}

fn below(folder: &Path, most: usize) -> io::Result<Vec<Found>> {
    let real = folder.canonicalize()?;
    let mut look = Look { real: &real, found: Vec::new(), folders: 0, most };
    look.look_into(folder, "", &mut vec![real.clone()])?;
    look.found.sort();
    Ok(look.found)
}

struct Look<'a> {
    real: &'a Path,
    found: Vec<Found>,
    folders: usize,
    most: usize,
}

impl Look<'_> {
    /// `above` are the real paths of the folders on the way: a link back to one of them is a loop.
    fn look_into(&mut self, folder: &Path, below: &str, above: &mut Vec<PathBuf>) -> io::Result<()> {
        self.folders += 1;
        let most = self.most;
        if self.folders > most {
            return Err(io::Error::other(format!("it holds more than {most} folders")));
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let (at, kind) = (entry.path(), entry.file_type()?);
            let is_folder = kind.is_dir() || kind.is_symlink() && at.is_dir();
            if is_folder && is_ignored_folder(&name) || !is_folder && is_ignored(&name) {
                continue;
            }
            let text = name.to_str().is_some();
            let path = format!("{below}{}", name.to_string_lossy());
            if !is_folder {
                self.found.push(Found { path, text });
                if self.found.len() > most {
                    return Err(io::Error::other(format!("it holds more than {most} files")));
                }
                continue;
            }
            let real = at.canonicalize()?;
            if !real.starts_with(self.real) || above.contains(&real) {
                continue;
            }
            above.push(real);
            self.look_into(&at, &format!("{path}/"), above)?;
            above.pop();
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_that_lead_out_are_found_wherever_they_are() {
        let root = tempfile::tempdir().unwrap();
        let tea = root.path().join("tea");
        fs::create_dir_all(tea.join("a/b")).unwrap();
        fs::write(root.path().join("secret.md"), "x").unwrap();
        fs::write(tea.join("here.md"), "x").unwrap();
        for (target, link) in [
            ("../secret.md", "SKILL.md"),
            ("../secret.md", "file.md"),
            ("../../../secret.md", "a/b/file.md"),
            ("/etc", "folder"),
            ("../../here.md", "a/b/here.md"),
            ("..", "a/up"),
            ("gone.md", "a/gone.md"),
            ("../../gone.md", "a/gone-out.md"),
            ("/gone", "a/gone-whole.md"),
        ] {
            symlink(target, tea.join(link)).unwrap();
        }
        assert_eq!(links_out(&tea), ["a/b/file.md", "a/gone-out.md", "a/gone-whole.md", "file.md", "folder"]);
    }

    #[test]
    fn folders_that_link_to_each_other_end() {
        let skill = tempfile::tempdir().unwrap();
        for number in 0..30 {
            let folder = skill.path().join(format!("f{number}"));
            fs::create_dir(&folder).unwrap();
            for link in ["a", "b"] {
                symlink(format!("../f{}", number + 1), folder.join(link)).unwrap();
            }
        }
        fs::create_dir(skill.path().join("f30")).unwrap();
        assert!(files(skill.path()).unwrap_err().to_string().contains("folders"));
    }
}
