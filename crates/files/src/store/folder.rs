//! The version of our whole folder, and which files of it have one. What becomes of a folder of another version is left to
//! `forward` and `back`.
//!
//! `format.json` holds the version, and whether the folder is on its way to another one: it is written before the first
//! file changes, and again after the last one did. So whoever finds a way that was begun can end it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use machine::{make_private, waiting};
use serde::{Deserialize, Serialize};

use super::{LARGEST, save_as, steps, version};
use crate::replace_file::{self, ReplaceError, sync_folder};

/// The file with the version of the whole folder.
pub(super) const FORMAT: &str = "format.json";

/// Folders whose files are brought forward with those beside `format.json`. Not `writing` and `running`, which tell the
/// next start what an interrupted one was doing: their form only ever grows.
const FOLDERS: &[&str] = &["audit", "journal", "sessions", "trash", "usage"];

/// How the names of copies of our files begin, and the one that is being made.
const BEFORE: &str = "before-";
const HALF: &str = ".half";

/// How the names of folders begin that keep what was there before the copy was taken back.
const NEWER: &str = "newer-";

/// On its way to another version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Way {
    /// To this version, from the copy.
    Forward,
    /// From this version to that of the copy.
    Back,
}

/// What [`FORMAT`] holds beside the version.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Format {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    way: Option<Way>,
}

/// The folder holds files of a version that this program does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{folder} was written by a newer Skilltender ({file} is of version {version}, and this one, {ours}, knows version {known}). Nothing in it was changed. Update this Skilltender, {back}or name another folder with --home.",
    folder = folder.display(),
    ours = env!("CARGO_PKG_VERSION"),
    back = if *can_go_back { "take back what was there before with `skilltender go-back`, " } else { "" }
)]
pub struct Newer {
    folder: PathBuf,
    file: String,
    version: u32,
    known: u32,
    can_go_back: bool,
}

/// Refuses a data folder of a later version: its files would be misread, and then overwritten.
///
/// # Errors
/// When a file says that it is of a later version.
pub fn refuse_newer(data: &Path) -> Result<(), Newer> {
    waiting::for_disk(data);
    let known = steps::ours();
    let newer = top(data).into_iter().find_map(|path| {
        let version = version(&path).filter(|version| *version > known)?;
        let (folder, file) = (data.to_path_buf(), path.file_name()?.to_string_lossy().into_owned());
        Some(Newer { folder, file, version, known, can_go_back: kept(data).is_some() })
    });
    newer.map_or(Ok(()), Err)
}

/// The copy of our files that was made before they were brought forward, if this program knows its version.
pub fn kept(data: &Path) -> Option<PathBuf> {
    let copy = copy(data)?;
    version(&copy.join(FORMAT)).is_some_and(|version| version <= steps::ours()).then_some(copy)
}

/// The folders that hold files of other versions: a copy, and what was set aside when it was taken back.
pub fn copies(data: &Path) -> Vec<PathBuf> {
    named(data, |name| is_number_after(name.strip_suffix(HALF).unwrap_or(name), &[BEFORE, NEWER]))
}

/// Whether it is what was set aside, and not a copy.
pub(super) fn is_set_aside(copy: &Path) -> bool {
    copy.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NEWER))
}

/// The complete copy, whatever its version.
pub(super) fn copy(data: &Path) -> Option<PathBuf> {
    named(data, |name| is_number_after(name, &[BEFORE])).into_iter().next()
}

/// Where the copy is made that will be kept before this version.
pub(super) fn half(data: &Path, version: u32) -> PathBuf {
    data.join(format!("{BEFORE}{version}{HALF}"))
}

/// Where the finished copy is.
pub(super) fn before(data: &Path, version: u32) -> PathBuf {
    data.join(format!("{BEFORE}{version}"))
}

/// Where files of this version are set aside.
pub(super) fn newer(data: &Path, version: u32) -> PathBuf {
    data.join(format!("{NEWER}{version}"))
}

/// The version of the folder: what [`FORMAT`] says, or the highest of its files; `None` where there are none.
pub(super) fn version_of(data: &Path) -> Option<u32> {
    version(&data.join(FORMAT)).or_else(|| top(data).iter().filter_map(|path| version(path)).max())
}

/// Where the folder is going, if it is; also one of a later version.
pub(super) fn way(data: &Path) -> Option<Way> {
    let bytes = replace_file::read(&data.join(FORMAT), LARGEST).ok()??;
    serde_json::from_slice::<Format>(&bytes).ok()?.way
}

/// Writes the version of the folder and where it is going.
///
/// # Errors
/// When the disk refuses.
pub(super) fn mark(data: &Path, version: u32, way: Option<Way>) -> Result<(), ReplaceError> {
    save_as(&data.join(FORMAT), version, &Format { way })
}

/// Our files that have a version, and those that [`FORMAT`] speaks for, as paths below `data`.
pub(super) fn files(data: &Path) -> Vec<PathBuf> {
    let mut all = top(data);
    all.retain(|path| path.file_name().is_some_and(|name| name != FORMAT));
    for folder in FOLDERS {
        for path in entries(&data.join(folder)) {
            // A client's records, or what lies beside a skill in the trash.
            all.extend(entries(&path).into_iter().filter(|path| is_ours(path)));
            all.extend(Some(path).filter(|path| is_ours(path)));
        }
    }
    all.into_iter().filter_map(|path| path.strip_prefix(data).map(Path::to_path_buf).ok()).collect()
}

/// Whether nobody misses the file where it is unknown: a record of one change or of one thing in the trash.
pub(super) fn is_record(file: &Path) -> bool {
    ["journal", "trash"].iter().any(|folder| file.starts_with(folder))
}

/// Makes a folder for the user alone, and those above it.
pub(super) fn make(folder: &Path) -> Result<(), ReplaceError> {
    make_private(folder).map_err(|source| ReplaceError::from_system(folder, source))
}

/// Removes a folder, where it is.
pub(super) fn remove(folder: &Path) -> Result<(), ReplaceError> {
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(ReplaceError::from_system(folder, source)),
        _ => folder.parent().map_or(Ok(()), sync_folder),
    }
}

fn top(data: &Path) -> Vec<PathBuf> {
    let mut files = entries(data);
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json") && path.is_file());
    files.sort();
    files
}

fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json" || ending == "jsonl") && path.is_file()
}

fn named(data: &Path, is_it: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = entries(data);
    found.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(&is_it) && path.is_dir());
    found
}

fn is_number_after(name: &str, starts: &[&str]) -> bool {
    let number = starts.iter().find_map(|start| name.strip_prefix(start));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_any_file_of_a_later_version_is_refused_by_name_and_stays_as_it_is() {
        for file in ["format.json", "approvals.json"] {
            let data = tempfile::tempdir().unwrap();
            let data = data.path();
            mark(data, 1, None).unwrap();
            assert_eq!(refuse_newer(data), Ok(()));
            fs::write(data.join(file), r#"{"later": {"version": 1}, "version": 2}"#).unwrap();
            let said = refuse_newer(data).unwrap_err().to_string();
            assert!(
                said.contains(&format!("{file} is of version 2")) && said.contains("Nothing in it was changed"),
                "{said}"
            );
            assert!(!said.contains("go-back"), "there is no copy: {said}");
            let copy = before(data, 2);
            make(&copy).unwrap();
            mark(&copy, 1, None).unwrap();
            assert!(refuse_newer(data).unwrap_err().to_string().contains("`skilltender go-back`"));
            mark(&copy, 2, None).unwrap();
            assert_eq!(kept(data), None, "this program does not know the copy's version either");
        }
    }

    #[test]
    fn a_broken_file_and_a_folder_that_is_not_there_are_not_of_a_later_version() {
        let data = tempfile::tempdir().unwrap();
        fs::write(data.path().join("choices.json"), "{").unwrap();
        fs::write(data.path().join("window.json"), r#"{"width": 800}"#).unwrap();
        assert_eq!(refuse_newer(data.path()), Ok(()));
        assert_eq!(refuse_newer(&data.path().join("none")), Ok(()));
    }
}
