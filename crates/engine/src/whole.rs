//! Every file of a skill's folder, for a copy of it: also those that are not listed because they
//! stand too deep or are too many. The leftovers of tools are left out, as everywhere.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use skills::SkillPath;

use crate::walk::{is_ignored, is_ignored_folder};

/// The most files that are copied with one skill. A folder with more is no skill but a home. As many
/// folders are looked into: links from each to the next can make endlessly many of a few.
const MOST: usize = 10_000;
/// The same of a repository, in which most files belong to no skill.
const MOST_OF_REPOSITORY: usize = 100_000;

/// The paths of all files in a folder, sorted, links among them. Folders behind links are looked
/// into when they lie in the folder too.
///
/// # Errors
/// When a folder cannot be read, holds too much, or a name is no text.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<SkillPath>> {
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

/// The same of a folder that holds skills and much else: names that no skill may hold are among them, and what is no text
/// in one is replaced.
///
/// # Errors
/// When a folder cannot be read, or holds too much.
pub(crate) fn repository(folder: &Path) -> io::Result<Vec<String>> {
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
