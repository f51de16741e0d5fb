//! A folder of an earlier version is brought forward: once, as a whole, by the engine that holds the lock, before it reads
//! anything.
//!
//! Our files are copied first, and each is written anew from its copy, so a way that was interrupted is begun again at its
//! start and no step is taken twice. The copy stays for [`take_back`](super::take_back), until the next version.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
};

use machine::waiting;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{LARGEST, Versioned, back, folder, folder::Way, steps, version, write};
use crate::replace_file::{self, ReplaceError, sync_folder};

/// Brings our files to the version of this program, and marks the folder with it. The caller holds the lock, and has
/// refused a later version.
///
/// # Errors
/// When the disk refuses. The next call goes on where this one ended.
pub fn bring_forward(data: &Path) -> Result<(), ReplaceError> {
    waiting::for_disk(data);
    let ours = steps::ours();
    if folder::way(data) == Some(Way::Back) {
        back::finish(data)?;
    }
    let copy = match (folder::way(data), folder::copy(data), folder::version_of(data)) {
        (Some(Way::Forward), Some(copy), _) => copy,
        (_, _, Some(now)) if now < ours => keep(data, now)?,
        (None, _, Some(_)) if version(&data.join(folder::FORMAT)) == Some(ours) => return Ok(()),
        _ => {
            // Nothing depends on it before there is a later version.
            if let Err(error) = folder::mark(data, ours, None) {
                tracing::warn!("Older programs are not told the version of our files: {error}");
            }
            return Ok(());
        }
    };
    folder::mark(data, ours, Some(Way::Forward))?;
    let from = version(&copy.join(folder::FORMAT)).unwrap_or(1);
    for file in folder::files(&copy) {
        let bytes = replace_file::read(&copy.join(&file), LARGEST)?;
        if let Some(new) = bytes.and_then(|bytes| brought(&file, &bytes, from)) {
            match write(&data.join(&file), &new) {
                // Windows replaces no file that is open, and whoever serves one client alone may have the log open.
                Err(error) if is_lines(&file) => tracing::warn!("{} stays as it is: {error}", file.display()),
                written => written?,
            }
        }
    }
    folder::mark(data, ours, None)
}

/// Copies our files. A copy from before is of no use any more, whether it was finished or not.
fn keep(data: &Path, now: u32) -> Result<PathBuf, ReplaceError> {
    for old in folder::copies(data).into_iter().filter(|old| !folder::is_set_aside(old)) {
        folder::remove(&old)?;
    }
    let half = folder::half(data, steps::ours());
    let mut folders = BTreeSet::from([half.clone()]);
    folder::make(&half)?;
    for file in folder::files(data) {
        let (from, to) = (data.join(&file), half.join(&file));
        if let Some(parent) = to.parent() {
            folder::make(parent)?;
            folders.insert(parent.to_path_buf());
        }
        let copied = fs::copy(&from, &to).and_then(|_| File::options().write(true).open(&to)?.sync_all());
        copied.map_err(|source| ReplaceError::from_system(&to, source))?;
    }
    folder::mark(&half, now, None)?;
    folders.iter().try_for_each(|folder| sync_folder(folder))?;
    let copy = folder::before(data, steps::ours());
    fs::rename(&half, &copy).map_err(|source| ReplaceError::from_system(&copy, source))?;
    sync_folder(data)?;
    Ok(copy)
}

/// The content of a file of ours, in a folder of version `from`; `None` when nothing is to be written: it is of this
/// version already, or damaged, and then whoever reads it says so.
fn brought(file: &Path, bytes: &[u8], from: u32) -> Option<Vec<u8>> {
    let taken = |version, content: &mut Map<String, Value>| {
        let steps = steps::from(steps::known(), version).filter(|steps| !steps.is_empty())?;
        steps.iter().for_each(|step| step(file, content));
        Some(())
    };
    if is_lines(file) {
        let line = |line: &[u8]| {
            let mut content = serde_json::from_slice(line).ok()?;
            taken(from, &mut content)?;
            serde_json::to_vec(&content).ok()
        };
        let lines: Vec<_> =
            bytes.split(|byte| *byte == b'\n').map(|text| line(text).unwrap_or(text.to_vec())).collect();
        return Some(lines.join(&b'\n'));
    }
    let is_dense = !bytes.trim_ascii_end().contains(&b'\n');
    if let Ok(mut file) = serde_json::from_slice::<Versioned<Map<String, Value>>>(bytes) {
        taken(file.version, &mut file.value)?;
        return rendered(&Versioned { version: steps::ours(), value: file.value }, is_dense);
    }
    let mut content = serde_json::from_slice(bytes).ok()?;
    taken(from, &mut content)?;
    rendered(&content, is_dense)
}

/// Whether it is a log, of which whoever reads it leaves out what it does not know.
fn is_lines(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "jsonl")
}

fn rendered(content: &impl Serialize, is_dense: bool) -> Option<Vec<u8>> {
    let rendered = if is_dense { serde_json::to_vec(content) } else { serde_json::to_vec_pretty(content) };
    let mut bytes = rendered.ok()?;
    bytes.push(b'\n');
    Some(bytes)
}
