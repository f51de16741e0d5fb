//! From a row and the machine's folders to the paths of a client's file.
//!
//! Everything here is a function of its arguments, so that the paths of every platform are known on each. A `*`
//! stays in a path: the caller knows the disk and replaces it by the folders that are there.

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

/// The folders of one user's machine that clients' files are named by.
#[derive(Debug, Clone)]
pub struct Places {
    /// Which system's paths apply.
    pub platform: Platform,
    /// The home folder.
    pub home: PathBuf,
    /// `~/.config`, or what XDG_CONFIG_HOME says.
    pub config: PathBuf,
    /// `%APPDATA%`.
    pub appdata: PathBuf,
    /// `%LOCALAPPDATA%`.
    pub localappdata: PathBuf,
    /// Those of [`variables`] that are set, with what they say.
    pub variables: BTreeMap<&'static str, PathBuf>,
}

/// The variables of the environment that move a client's file.
pub fn variables() -> BTreeSet<&'static str> {
    TABLE.iter().filter_map(|client| client.files.variable).map(|(name, _)| name).collect()
}

/// The candidate paths of a client's file, in the order of its row. Which of them count is said by
/// [`Files::choice`](crate::Files::choice).
pub fn locate(client: &Client, places: &Places) -> Vec<PathBuf> {
    let files = &client.files;
    if let Some((name, rest)) = files.variable
        && let Some(folder) = places.variables.get(name)
    {
        return vec![if rest.is_empty() { folder.clone() } else { folder.join(rest) }];
    }
    let patterns = match places.platform {
        Platform::MacOs => files.macos,
        Platform::Windows => files.windows,
        Platform::Linux => files.linux,
    };
    patterns.iter().filter_map(|pattern| places.path(pattern)).collect()
}

/// The same for copies of the client in a sandbox (Flatpak, Snap), which cannot run our program.
pub fn locate_sandboxed(client: &Client, places: &Places) -> Vec<PathBuf> {
    let patterns = if places.platform == Platform::Linux { client.files.sandboxed } else { &[] };
    patterns.iter().filter_map(|pattern| places.path(pattern)).collect()
}

/// The candidate paths of a client's file in a project.
pub fn locate_project(client: &Client, project: &Path) -> Vec<PathBuf> {
    client.project.iter().map(|path| below(project, path)).collect()
}

/// The files and folders that show that the client is on this machine.
pub fn signs(client: &Client, places: &Places) -> Vec<PathBuf> {
    client.signs.paths.iter().filter_map(|pattern| places.path(pattern)).collect()
}

/// Where the client looks for skills by itself: the user's folders, then those of a project.
pub fn skill_folders(client: &Client, places: &Places, project: Option<&Path>) -> Vec<PathBuf> {
    let user = client.skills.user.iter().filter_map(|pattern| places.path(pattern));
    let project = project.into_iter().flat_map(|project| client.skills.project.iter().map(|path| below(project, path)));
    user.chain(project).collect()
}

impl Places {
    /// The path that a pattern of the table stands for; nothing where it is another platform's.
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

/// Part by part, so that each platform separates them in its own way.
fn below(folder: &Path, path: &str) -> PathBuf {
    path.split('/').fold(folder.to_path_buf(), |folder, part| folder.join(part))
}
