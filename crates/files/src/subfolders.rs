//! The folders in a skill's folder, including empty ones, which the walk does not remember. A link to a folder
//! does not count: its content is not part of the skill.

use std::{fs, io, path::Path};

use skills::SkillPath;

use crate::ignored;

/// The names of the folders directly in `location`, or in the folder `within` it, in no order.
///
/// # Errors
/// When the folder does not exist, a link leads to it, or it cannot be read.
pub fn subfolders(location: &Path, within: Option<&SkillPath>) -> io::Result<Vec<String>> {
    let mut folder = location.to_path_buf();
    for name in within.iter().flat_map(|within| within.as_str().split('/')) {
        folder.push(name);
        if ignored::is_ignored_folder(name.as_ref()) || !fs::symlink_metadata(&folder)?.is_dir() {
            return Err(io::ErrorKind::NotFound.into());
        }
    }
    let entries = fs::read_dir(folder)?.filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let named = folders.filter_map(|entry| entry.file_name().into_string().ok());
    Ok(named.filter(|name| !ignored::is_ignored_folder(name.as_ref())).collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn empty_folders_are_found_and_links_and_what_is_ignored_are_not() {
        let tea = tempfile::tempdir().unwrap();
        for folder in ["empty", "references/deep", "node_modules/x", ".git"] {
            fs::create_dir_all(tea.path().join(folder)).unwrap();
        }
        fs::write(tea.path().join("SKILL.md"), "tea").unwrap();
        std::os::unix::fs::symlink("references", tea.path().join("link")).unwrap();
        let found = |within| {
            let mut names = subfolders(tea.path(), SkillPath::new(within).as_ref()).ok()?;
            names.sort();
            Some(names)
        };
        assert_eq!(found(""), Some(vec!["empty".to_owned(), "references".to_owned()]));
        assert_eq!(found("references"), Some(vec!["deep".to_owned()]));
        assert_eq!(found("empty"), Some(vec![]));
        for nothing in ["SKILL.md", "link", "link/deep", "node_modules", "node_modules/x", "none"] {
            assert_eq!(found(nothing), None, "{nothing}");
        }
    }
}
