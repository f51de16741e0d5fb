//! From a row and the machine's folders to the paths of a client's file.

use std::path::PathBuf;

use crate::Client;

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
}

/// The candidate paths of a client's file, in the order of its row. A `*` stays in the path: the
/// caller knows the disk and replaces it by the folders that are there.
pub fn locate(client: &Client, places: &Places) -> Vec<PathBuf> {
    let patterns = match places.platform {
        Platform::MacOs => client.macos,
        Platform::Windows => client.windows,
        Platform::Linux => client.linux,
    };
    let folder = |name: &str| match name {
        "{home}" => Some(&places.home),
        "{config}" => Some(&places.config),
        "{appdata}" => Some(&places.appdata),
        "{localappdata}" => Some(&places.localappdata),
        _ => None,
    };
    patterns
        .iter()
        .map(|pattern| {
            pattern.split('/').map(|part| folder(part).map_or_else(|| PathBuf::from(part), PathBuf::clone)).collect()
        })
        .collect()
}
