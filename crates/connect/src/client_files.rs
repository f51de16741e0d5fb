//! The files that a client reads on this machine, and the folders that they need.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clients::{Choice, Client, locate, locate_project, locate_sandboxed, signs};
use files::replace_file::ReplaceError;
use machine::Machine;

/// The paths of the user's own file of a client: those that are written, whether or not they exist.
pub(super) fn of_user(machine: &Machine, client: &Client) -> Vec<PathBuf> {
    if let Some(sandboxed) = in_sandbox(machine, client) {
        return vec![sandboxed];
    }
    let located = locate(client, &machine.places);
    let fallback = located.iter().find(|path| !has_star(path)).cloned();
    let expanded: Vec<_> = located.iter().flat_map(|path| expand(path)).collect();
    match client.files.choice {
        Choice::First => {
            let there = expanded.into_iter().find(|path| is_there(path));
            there.or(fallback).into_iter().collect()
        }
        Choice::Every => {
            let there: Vec<_> = expanded.into_iter().filter(|path| path.parent().is_some_and(Path::is_dir)).collect();
            if there.is_empty() { fallback.into_iter().collect() } else { there }
        }
    }
}

/// Every path that could become such a file, for watching.
pub(super) fn candidates(machine: &Machine, client: &Client) -> Vec<PathBuf> {
    let located = locate(client, &machine.places).into_iter().chain(locate_sandboxed(client, &machine.places));
    located.flat_map(|path| expand(&path)).collect()
}

/// The path of the file of a client in a project.
pub(super) fn of_project(client: &Client, project: &Path) -> Option<PathBuf> {
    let located = locate_project(client, project);
    located.iter().find(|path| is_there(path)).or(located.first()).cloned()
}

/// The file of the client's sandboxed copy, if that is the only copy installed.
pub(super) fn in_sandbox(machine: &Machine, client: &Client) -> Option<PathBuf> {
    let sandboxed = locate_sandboxed(client, &machine.places).into_iter().flat_map(|path| expand(&path));
    let mut sandboxed = sandboxed.filter(|path| path.parent().is_some_and(Path::is_dir));
    sandboxed.next().filter(|_| !is_installed(machine, client))
}

/// Whether a client seems to be on this machine.
pub(super) fn is_found(machine: &Machine, client: &Client) -> bool {
    is_installed(machine, client) || in_sandbox(machine, client).is_some()
}

fn is_installed(machine: &Machine, client: &Client) -> bool {
    let endings = if machine.places.platform == clients::Platform::Windows { servers::WINDOWS_ENDINGS } else { &[""] };
    let is_in =
        |folder: &PathBuf, program: &str| endings.iter().any(|end| folder.join(format!("{program}{end}")).is_file());
    let runs = |program: &&str| machine.search.iter().any(|folder| is_in(folder, program));
    let shows = |path: &Path| expand(path).iter().any(|path| path.exists());
    let own_folder =
        |path: &PathBuf| path.parent().is_some_and(|folder| folder.is_dir() && !is_common(machine, folder));
    let located = || locate(client, &machine.places).into_iter().flat_map(|path| expand(&path));
    signs(client, &machine.places).iter().any(|path| shows(path))
        || client.signs.programs.iter().any(runs)
        || located().any(|path| is_there(&path))
        || client.signs.paths.is_empty() && located().any(|path| own_folder(&path))
}

/// A folder that many programs share says nothing about any one of them.
fn is_common(machine: &Machine, folder: &Path) -> bool {
    let places = &machine.places;
    [&places.home, &places.config, &places.appdata, &places.localappdata].iter().any(|common| *common == folder)
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The existing paths that match a path with `*` in the names of its folders.
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
        // A name that contains a star would be expanded as a pattern again.
        !name.contains('*') && name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
    });
    names.sort();
    // Joining an empty path would add a separator at the end.
    let below = |found: PathBuf| if rest.as_os_str().is_empty() { vec![found] } else { expand(&found.join(rest)) };
    names.iter().flat_map(|name| below(folder.join(name))).collect()
}

fn has_star(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().contains('*')
}

/// Creates the missing folders of a file, accessible only to the user, and returns them.
pub(super) fn make_folders(file: &Path) -> Result<Vec<PathBuf>, ReplaceError> {
    let mut missing: Vec<_> =
        file.ancestors().skip(1).take_while(|above| !above.exists()).map(Path::to_path_buf).collect();
    missing.reverse();
    for (made, folder) in missing.iter().enumerate() {
        make_folder(folder).map_err(|source| {
            remove_folders(&missing[..made]);
            ReplaceError::from_system(folder, source)
        })?;
    }
    Ok(missing)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        fs::DirBuilder::new().mode(0o700).create(folder)
    }
    #[cfg(not(unix))]
    fs::create_dir(folder)
}

/// Removes inner folders first; a folder that is no longer empty stays.
pub(super) fn remove_folders(folders: &[PathBuf]) {
    folders.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
}
