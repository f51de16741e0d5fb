//! The files of a release: which there should be, what each is for, and their sums.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use crate::step::{Done, Failed};

/// A kind of file that people download.
pub(super) struct Kind {
    /// What a person calls it.
    pub(super) name: &'static str,
    /// How its name ends, but for the `-unsigned` of a file that its system's key has not signed.
    ending: &'static str,
    /// What the app's updater calls it; none for what is never updated by itself.
    pub(super) platforms: &'static [&'static str],
}

/// Every kind, by the system that builds it.
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "deb", ending: ".deb", platforms: &["linux-x86_64-deb"] },
    Kind { name: "rpm", ending: ".rpm", platforms: &["linux-x86_64-rpm"] },
    Kind { name: "AppImage", ending: ".AppImage", platforms: &["linux-x86_64-appimage"] },
    Kind { name: "Windows installer", ending: "-setup.exe", platforms: &["windows-x86_64-nsis"] },
    Kind { name: "msi", ending: ".msi", platforms: &["windows-x86_64-msi"] },
    Kind { name: "dmg", ending: ".dmg", platforms: &[] },
    Kind { name: "macOS update", ending: ".app.tar.gz", platforms: &["darwin-aarch64-app", "darwin-x86_64-app"] },
];

/// A file of a release.
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) name: String,
    /// Of the bytes, in small hexadecimal digits.
    pub(super) sha256: String,
    /// What it is, if it is one of [`KINDS`].
    pub(super) kind: Option<&'static Kind>,
}

/// The files of a folder that people download, by name. What this command itself writes there is not among them.
pub(super) fn read(folder: &Path) -> Done<Vec<File>> {
    let entries = fs::read_dir(folder).map_err(|why| Failed(format!("{}: {why}.", folder.display())))?;
    let mut files = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if is_downloaded(&name) {
            let sha256 = sum(&path)?;
            files.push(File { kind: kind(&name), path, name, sha256 });
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// The file of a kind, by the kind's name.
pub(super) fn find<'a>(files: &'a [File], kind: &str) -> Option<&'a File> {
    files.iter().find(|file| file.kind.is_some_and(|of| of.name == kind))
}

/// The lines of SHA256SUMS, which `sha256sum --check` reads.
pub(super) fn sums(files: &[File]) -> String {
    files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name)).collect()
}

pub(super) fn sum(path: &Path) -> Done<String> {
    let bytes = fs::read(path).map_err(|why| Failed(format!("{}: {why}.", path.display())))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

fn kind(name: &str) -> Option<&'static Kind> {
    let name = name.replace("-unsigned", "");
    KINDS.iter().find(|kind| name.ends_with(kind.ending))
}

fn is_downloaded(name: &str) -> bool {
    kind(name).is_some() || name.ends_with(".mcpb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_ending_signed_or_not() {
        let named = |name: &str| kind(name).map(|kind| kind.name);
        assert_eq!(named("Skilltender_0.1.0_amd64.deb"), Some("deb"));
        assert_eq!(named("Skilltender_0.1.0_x64-setup.exe"), Some("Windows installer"));
        assert_eq!(named("Skilltender_0.1.0_x64-setup-unsigned.exe"), Some("Windows installer"));
        assert_eq!(named("Skilltender_0.1.0_universal-unsigned.dmg"), Some("dmg"));
        assert_eq!(named("Skilltender_0.1.0_amd64.deb.sig"), None);
    }

    #[test]
    fn the_sums_are_those_that_sha256sum_reads() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b.deb"), "abc").unwrap();
        fs::write(folder.path().join("a.rpm"), "").unwrap();
        fs::write(folder.path().join("latest.json"), "{}").unwrap();
        let wanted = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.rpm\n\
                      ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.deb\n";
        assert_eq!(sums(&read(folder.path()).unwrap()), wanted);
    }
}
