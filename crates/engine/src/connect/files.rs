//! Which files a client reads on this machine, and the folders that they need.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clients::{Client, locate};

use crate::{Machine, guest::GuestError};

/// The paths of a client's files: those whose folder is there, or else the one that we would make.
pub(crate) fn files(machine: &Machine, client: &Client) -> Vec<PathBuf> {
    let located = locate(client, &machine.places);
    let there = located.iter().flat_map(|path| expand(path)).filter(|path| path.parent().is_some_and(Path::is_dir));
    let there: Vec<_> = there.collect();
    if there.is_empty() { located.into_iter().find(|path| !has_star(path)).into_iter().collect() } else { there }
}

/// The paths that a path with `*` in the names of its folders stands for.
fn expand(path: &Path) -> Vec<PathBuf> {
    let Some(starred) = path.ancestors().filter(|above| has_star(above)).last() else {
        return vec![path.to_path_buf()];
    };
    let (Some(folder), Some(pattern)) = (starred.parent(), starred.file_name()) else { return Vec::new() };
    let pattern = pattern.to_string_lossy();
    let (start, end) = pattern.split_once('*').unwrap_or((&pattern, ""));
    let rest = path.strip_prefix(starred).unwrap_or(Path::new(""));
    let mut names: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| {
        let name = name.to_string_lossy();
        // A name with a star in it would be a pattern again.
        !name.contains('*') && name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
    });
    names.sort();
    names.iter().flat_map(|name| expand(&folder.join(name).join(rest))).collect()
}

fn has_star(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().contains('*')
}

/// Makes the folders that a file needs, for the user alone, and says which.
pub(super) fn make_folders(file: &Path) -> Result<Vec<PathBuf>, GuestError> {
    let mut missing: Vec<_> =
        file.ancestors().skip(1).take_while(|above| !above.exists()).map(Path::to_path_buf).collect();
    missing.reverse();
    for folder in &missing {
        make_folder(folder).map_err(|source| GuestError::from_system(folder, source))?;
    }
    Ok(missing)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The inner ones first; one that holds something by now stays.
pub(super) fn remove_folders(folders: &[PathBuf]) {
    folders.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
}
