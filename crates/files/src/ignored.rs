//! The files and folders of tools, which are not a part of any skill.

use std::ffi::OsStr;

/// Folders that are never read.
const IGNORED_FOLDERS: &[&str] = &[".git", ".hg", ".svn", "__pycache__", "node_modules"];
/// Files that are never a part of a skill (docs/wire-contract.md, "Files of a skill").
const IGNORED_FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];
/// What tools make again, or what nobody misses.
const MADE_AGAIN: &[&str] = &["__pycache__", "node_modules", ".DS_Store", "Thumbs.db", "desktop.ini"];
/// Prefix of temporary files and folders that Skilltender is about to move into place.
const UNFINISHED: &[u8] = b".skilltender-";

/// Whether this is a folder of tools, or a skill that Skilltender is about to move into place.
pub fn is_ignored_folder(name: &OsStr) -> bool {
    IGNORED_FOLDERS.iter().any(|ignored| name == *ignored) || name.as_encoded_bytes().starts_with(UNFINISHED)
}

/// Whether this is a file of tools, or a temporary file of Skilltender's.
pub fn is_ignored(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.ends_with(b"~")
        || name.ends_with(b".swp")
        || name.starts_with(UNFINISHED)
        || IGNORED_FILES.iter().any(|ignored| name == ignored.as_bytes())
}
/// Whether this is no part of a skill and yet somebody's: the history of a repository, the backup or the unsaved text of
/// an editor, another program's save that a change has displaced.
pub fn is_somebodys(name: &OsStr) -> bool {
    (is_ignored(name) || is_ignored_folder(name)) && !MADE_AGAIN.iter().any(|made| name == *made)
}
