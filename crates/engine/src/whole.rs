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

/// The paths of all files in a folder, sorted, links among them. Folders behind links are looked
/// into when they lie in the folder too.
///
/// # Errors
/// When a folder cannot be read, holds too much, or a name is no text.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<SkillPath>> {
    let real = folder.canonicalize()?;
    let mut found = Vec::new();
    let mut look = Look { real: &real, found: &mut found, folders: 0 };
    look.look_into(folder, "", &mut vec![real.clone()])?;
    found.sort();
    Ok(found)
}

struct Look<'a> {
    real: &'a Path,
    found: &'a mut Vec<SkillPath>,
    folders: usize,
}

impl Look<'_> {
    /// `above` are the real paths of the folders on the way: a link back to one of them is a loop.
    fn look_into(&mut self, folder: &Path, below: &str, above: &mut Vec<PathBuf>) -> io::Result<()> {
        self.folders += 1;
        if self.folders > MOST {
            return Err(io::Error::other(format!("it holds more than {MOST} folders")));
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let (at, kind) = (entry.path(), entry.file_type()?);
            let is_folder = kind.is_dir() || kind.is_symlink() && at.is_dir();
            if is_folder && is_ignored_folder(&name) || !is_folder && is_ignored(&name) {
                continue;
            }
            let Some(path) = name.to_str().map(|name| format!("{below}{name}")) else {
                return Err(io::Error::other(format!("the name of {} is not UTF-8", at.display())));
            };
            if !is_folder {
                let inside = SkillPath::new(&path);
                self.found.push(inside.ok_or_else(|| io::Error::other(format!("{path} is no name on every system")))?);
                if self.found.len() > MOST {
                    return Err(io::Error::other(format!("it holds more than {MOST} files")));
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
