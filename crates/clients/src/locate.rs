//! Computes the paths of a client's file from its row and the machine's folders.
//!
//! All functions are pure, so that the paths of every platform can be computed on each. A `*` stays in a path: the
//! caller reads the disk and replaces it by the existing folders.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use crate::{Client, TABLE};

/// The systems whose paths differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// Linux and the other Unixes.
    Linux,
}

/// The folders of a user's machine in which clients keep their files.
#[derive(Debug, Clone)]
pub struct Places {
    /// Which system's paths apply.
    pub platform: Platform,
    /// The home folder.
    pub home: PathBuf,
    /// `~/.config`, or the value of XDG_CONFIG_HOME.
    pub config: PathBuf,
    /// `%APPDATA%`.
    pub appdata: PathBuf,
    /// `%LOCALAPPDATA%`.
    pub localappdata: PathBuf,
    /// Those of [`variables`] that are set, with their values.
    pub variables: BTreeMap<&'static str, PathBuf>,
}

/// The environment variables that move a client's file.
pub fn variables() -> BTreeSet<&'static str> {
    TABLE.iter().filter_map(|client| client.files.variable).map(|variable| variable.name).collect()
}

/// The folders of clients that environment variables name; these may be anywhere.
pub fn moved_folders(places: &Places) -> Vec<PathBuf> {
    let variables = TABLE.iter().filter_map(|client| client.files.variable);
    let folders = variables.filter(|variable| !variable.instead_of.is_empty());
    folders.filter_map(|variable| places.variables.get(variable.name).cloned()).collect()
}

/// The candidate paths of a client's file, in the order of its row. [`Files::choice`](crate::Files::choice) determines
/// which of them are written.
pub fn locate(client: &Client, places: &Places) -> Vec<PathBuf> {
    let files = &client.files;
    if let Some(variable) = files.variable
        && let Some(named) = places.variables.get(variable.name)
    {
        return vec![if variable.file.is_empty() { named.clone() } else { below(named, variable.file) }];
    }
    let patterns = match places.platform {
        Platform::MacOs => files.macos,
        Platform::Windows => files.windows,
        Platform::Linux => files.linux,
    };
    patterns.iter().filter_map(|pattern| places.path(pattern)).collect()
}

/// The candidate paths for sandboxed copies of the client (Flatpak, Snap), which cannot run our program.
pub fn locate_sandboxed(client: &Client, places: &Places) -> Vec<PathBuf> {
    let patterns = if places.platform == Platform::Linux { client.files.sandboxed } else { &[] };
    patterns.iter().filter_map(|pattern| places.path(pattern)).collect()
}

/// The candidate paths of a client's file in a project.
pub fn locate_project(client: &Client, project: &Path) -> Vec<PathBuf> {
    client.project.iter().map(|path| below(project, path)).collect()
}

/// The files and folders that show that the client is installed on this machine.
pub fn signs(client: &Client, places: &Places) -> Vec<PathBuf> {
    client.signs.paths.iter().filter_map(|pattern| places.path(pattern)).collect()
}

/// The folders in which the client discovers skills by itself: the user's, then those of a project. A variable that
/// moves a folder of the client also moves the skills in it.
pub fn client_folders(client: &Client, places: &Places, project: Option<&Path>) -> Vec<PathBuf> {
    let variable = client.files.variable.filter(|variable| !variable.instead_of.is_empty());
    let moved = variable.and_then(|variable| Some((variable.instead_of, places.variables.get(variable.name)?)));
    let of_user = |pattern: &&str| match moved {
        Some((folder, named)) if pattern.starts_with(&format!("{folder}/")) => {
            Some(below(named, &pattern[folder.len() + 1..]))
        }
        _ => places.path(pattern),
    };
    let user = client.skills.user.iter().filter_map(of_user);
    let project = project.into_iter().flat_map(|project| client.skills.project.iter().map(|path| below(project, path)));
    user.chain(project).collect()
}

impl Places {
    /// The path of a pattern of the table; `None` if it belongs to another platform.
    fn path(&self, pattern: &str) -> Option<PathBuf> {
        let (first, rest) = pattern.split_once('/').unwrap_or((pattern, ""));
        let windows = self.platform == Platform::Windows;
        let folder = match first {
            "{home}" => &self.home,
            "{config}" => &self.config,
            "{appdata}" if windows => &self.appdata,
            "{localappdata}" if windows => &self.localappdata,
            "" if self.platform == Platform::MacOs => Path::new("/"),
            _ => return None,
        };
        Some(below(folder, rest))
    }
}

/// Appends part by part, so that each platform uses its own separator.
fn below(folder: &Path, path: &str) -> PathBuf {
    path.split('/').fold(folder.to_path_buf(), |folder, part| folder.join(part))
}
