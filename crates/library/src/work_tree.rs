//! Whether a folder lies in a git work tree: a look for `.git` in it and above. git is not asked, so nothing is started.

use std::path::{Path, PathBuf};

use machine::waiting;

/// How far up is looked.
const HIGHEST: usize = 64;

/// The top of the git work tree that a folder lies in. As for git, another file system is not one with it.
pub fn work_tree(folder: &Path) -> Option<PathBuf> {
    waiting::for_disk(folder);
    let real = dunce::canonicalize(folder).ok()?;
    let device = device(&real)?;
    let above = real.ancestors().take(HIGHEST).take_while(|folder| self::device(folder) == Some(device));
    // A repository without a work tree has no `.git`; git itself looks whether this one is any.
    above.into_iter().find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_path_buf)
}

#[cfg(unix)]
fn device(folder: &Path) -> Option<u64> {
    std::fs::metadata(folder).ok().map(|kind| std::os::unix::fs::MetadataExt::dev(&kind))
}

/// Elsewhere a path has its drive at its beginning.
#[cfg(not(unix))]
fn device(folder: &Path) -> Option<u64> {
    folder.is_dir().then_some(0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::work_tree;

    #[test]
    fn a_work_tree_is_found_from_its_top_from_below_and_through_a_link() {
        let home = tempfile::tempdir().unwrap();
        let top = dunce::canonicalize(home.path()).unwrap().join("top");
        let below = top.join("a/b/skills");
        fs::create_dir_all(&below).unwrap();
        assert_ne!(work_tree(&below), Some(top.clone()));
        fs::create_dir(top.join(".git")).unwrap();
        assert_eq!(work_tree(&top), Some(top.clone()));
        assert_eq!(work_tree(&below), Some(top.clone()));
        // Another work tree of a repository has a file there.
        fs::write(top.join("a/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(work_tree(&below), Some(top.join("a")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&below, home.path().join("link")).unwrap();
            assert_eq!(work_tree(&home.path().join("link")), Some(top.join("a")));
        }
        assert_eq!(work_tree(&top.join("ghost")), None);
    }
}
