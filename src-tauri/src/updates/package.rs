//! Packages that the system installs: fetched for the person, beside their other downloads.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use engine::Machine;
use tauri::{
    AppHandle, Manager as _, async_runtime,
    utils::{config::BundleType, platform::bundle_type},
};

/// The kind of package that this app was installed from, if the system replaces it rather than the app itself.
pub(super) fn kind() -> Option<Kind> {
    match bundle_type()? {
        BundleType::Deb => Some(Kind::Deb),
        BundleType::Rpm => Some(Kind::Rpm),
        BundleType::Msi => Some(Kind::Msi),
        _ => None,
    }
}

/// A package of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Deb,
    Rpm,
    Msi,
}

/// Saves a proven package, and returns the command that installs it.
///
/// # Errors
/// When it cannot be written: why, as a sentence.
pub(super) async fn save(app: &AppHandle, kind: Kind, version: &str, bytes: Vec<u8>) -> Result<String, String> {
    let folder = app.path().download_dir().ok().filter(|folder| folder.is_dir());
    let folder = folder.unwrap_or_else(|| app.state::<Machine>().home.clone());
    // The name is ours: the server's is not signed.
    let name = format!("Skilltender_{version}.{}", kind.ending());
    let saved = async_runtime::spawn_blocking(move || place(&folder, &name, &bytes)).await;
    let path = saved.map_err(|why| why.to_string())?.map_err(|why| format!("{why}."))?;
    Ok(kind.command(&path))
}

/// Writes a file under a name that is free, or leaves the same one as it is.
fn place(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|there| there == bytes) {
        return Ok(path);
    }
    let mut file = tempfile::Builder::new().prefix(".skilltender-").tempfile_in(folder)?;
    io::Write::write_all(&mut file, bytes)?;
    file.as_file().sync_all()?;
    for at in 0..100 {
        let path = if at == 0 { path.clone() } else { folder.join(format!("{at}-{name}")) };
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(why) if why.error.kind() == io::ErrorKind::AlreadyExists => file = why.file,
            Err(why) => return Err(why.error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} holds too many files of this name", folder.display())))
}

impl Kind {
    fn ending(self) -> &'static str {
        match self {
            Self::Deb => "deb",
            Self::Rpm => "rpm",
            Self::Msi => "msi",
        }
    }

    /// What a person types to install the package at `path`.
    fn command(self, path: &Path) -> String {
        let path = path.display().to_string();
        let word = if path.chars().all(|c| c.is_alphanumeric() || "/\\:._-+~".contains(c)) {
            path
        } else if cfg!(windows) {
            format!("\"{path}\"")
        } else {
            format!("'{}'", path.replace('\'', r"'\''"))
        };
        match self {
            Self::Deb => format!("sudo apt install {word}"),
            Self::Rpm => format!("sudo dnf install {word}"),
            Self::Msi => format!("msiexec /i {word}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_never_written_over_another_file_and_the_same_one_is_not_written_twice() {
        let folder = tempfile::tempdir().unwrap();
        let place = |bytes: &[u8]| place(folder.path(), "Skilltender_1.0.0.deb", bytes).unwrap();
        let first = place(b"one");
        assert_eq!((fs::read(&first).unwrap().as_slice(), place(b"one")), (&b"one"[..], first.clone()));
        let second = place(b"two");
        assert_eq!(second, folder.path().join("1-Skilltender_1.0.0.deb"));
        assert_eq!(
            (fs::read(first).unwrap().as_slice(), fs::read(second).unwrap().as_slice()),
            (&b"one"[..], &b"two"[..])
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn the_command_can_be_pasted_into_a_shell() {
        let command = |kind: Kind, path: &str| kind.command(Path::new(path));
        assert_eq!(command(Kind::Deb, "/home/ada/Downloads/a_1.deb"), "sudo apt install /home/ada/Downloads/a_1.deb");
        assert_eq!(command(Kind::Rpm, "/home/ada's/a b.rpm"), r"sudo dnf install '/home/ada'\''s/a b.rpm'");
    }
}
