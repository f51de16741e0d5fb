//! Packs a skill for use elsewhere.

use std::{
    io::{self, Cursor},
    path::{Path, PathBuf},
};

use ::skills::{Entry, PackFile, SkillPath};
use api::{ActionError, ErrorKind, PackOptions, Packed, failed};
use connect::file_failed;
use files::{all_files, confined, replace_file, staged_dir::is_executable};
use state::blocking;
use zip::ZipArchive;

use crate::{Engine, actions::root};

/// The largest file that is read; an upload accepts at most 30 MB in all.
const LARGEST: u64 = 32 << 20;

/// Packs a skill into a zip file for upload: at the path `to`, or, if that is a folder, in it under the skill's name.
///
/// # Errors
/// When there is no such skill, an upload would refuse it (every reason is given), the name is not that of a zip file,
/// an existing file may not be replaced or is not a packed skill, or it cannot be written.
pub async fn pack_skill(engine: &Engine, key: &str, to: &str, options: PackOptions) -> Result<Packed, ActionError> {
    let entry = engine.state().entry(key)?;
    let (root, machine, to) = (root(engine, &entry), engine.machine().clone(), PathBuf::from(to));
    if !to.is_absolute() {
        return Err(failed(ErrorKind::Input, format!("{} is not an absolute path.", to.display())));
    }
    blocking(move || {
        let files = files(&root, &entry)?;
        let how = ::skills::PackOptions { flat: options.flat, keep_claude_code: options.keep_claude_code };
        let packed = ::skills::pack(&entry.skill.id, &files, &all_files::links_out(&entry.location), how).map_err(
            |refused| {
                let message = format!("{} was not packed, because an upload would refuse it.", entry.skill.name);
                ActionError { kind: ErrorKind::Refused, message, hints: refused.0 }
            },
        )?;
        let path = if to.is_dir() { to.join(format!("{}.zip", packed.name)) } else { to };
        write(&path, &packed.bytes, options.replace)?;
        Ok(Packed {
            place: machine.place(&path),
            path: path.display().to_string(),
            files: u32::try_from(files.len()).unwrap_or(u32::MAX),
            size: packed.bytes.len() as u64,
            dropped: packed.dropped,
            moved: packed.moved,
            left_behind: packed.left_behind,
        })
    })
    .await
}

/// Every file of the skill, with links resolved; targets of links out of it are left out.
fn files(root: &Path, entry: &Entry) -> Result<Vec<PackFile>, ActionError> {
    let folder = &entry.location;
    let unreadable = |path: &Path, error: &io::Error| {
        failed(ErrorKind::System, format!("{} could not be read, so nothing was packed: {error}.", path.display()))
    };
    let mut files = Vec::new();
    for path in all_files::files(folder).map_err(|error| unreadable(folder, &error))? {
        let at = folder.join(path.as_str());
        if path == SkillPath::skill_md() {
            let bytes = confined::read_skill_md(root, folder, LARGEST).map_err(|error| unreadable(&at, &error))?;
            files.push(PackFile { path, bytes, executable: false });
            continue;
        }
        match confined::open(folder, Path::new(path.as_str())) {
            Ok(file) => {
                let bytes = confined::read(folder, &path, LARGEST).map_err(|error| unreadable(&at, &error))?;
                files.push(PackFile { path, bytes, executable: is_executable(&file) });
            }
            Err(_) if at.is_symlink() => {}
            Err(error) => return Err(unreadable(&at, &error)),
        }
    }
    Ok(files)
}

fn write(path: &Path, bytes: &[u8], replace: bool) -> Result<(), ActionError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if !["zip", "skill"].contains(&ending.as_str()) {
        let message = format!("{} is no name of a packed skill, so nothing was written.", path.display());
        let hints = vec!["Let it end in .zip or .skill.".to_owned()];
        return Err(ActionError { kind: ErrorKind::Input, message, hints });
    }
    let there = replace_file::read(path, LARGEST).map_err(file_failed)?;
    if there.as_ref().is_some_and(|there| !is_packed(there)) {
        let message = format!("{} is there already and is no packed skill, so nothing was written.", path.display());
        return Err(ActionError { kind: ErrorKind::Refused, message, hints: vec!["Choose another name.".to_owned()] });
    }
    if there.is_some() && !replace {
        let message = format!("{} is there already, so nothing was written.", path.display());
        return Err(ActionError {
            kind: ErrorKind::Refused,
            message,
            hints: vec!["Choose another name, or say that it may be replaced.".to_owned()],
        });
    }
    replace_file::replace(path, there.as_deref(), Some(bytes)).map_err(file_failed)
}

/// Whether a file is a packed skill: only these are replaced.
fn is_packed(bytes: &[u8]) -> bool {
    let is_skill_md = |name: &str| name == "SKILL.md" || name.split('/').count() == 2 && name.ends_with("/SKILL.md");
    let opened = bytes.starts_with(b"PK\x03\x04").then(|| ZipArchive::new(Cursor::new(bytes)).ok()).flatten();
    opened.is_some_and(|archive| archive.file_names().flatten().any(|name| is_skill_md(&name)))
}
