//! Reads a folder on this computer as the library does: links out of it are not followed.

use std::{io, path::Path};

use files::{all_files, confined, staged_dir::is_executable};

use super::{Incoming, Member, Refused, RefusedSkill, judge::MOST_BYTES, named, sort};

pub(super) fn read(source: &Path, only: Option<&[String]>) -> Result<Incoming, Refused> {
    let unreadable = |path: &Path, error: &io::Error| format!("{} cannot be read: {error}.", path.display());
    let paths = all_files::repository(source).map_err(|error| Refused(unreadable(source, &error)))?;
    let (mut members, mut links) = (Vec::new(), Vec::new());
    for (index, path) in paths.iter().enumerate() {
        let at = source.join(path);
        let opened = confined::open(source, Path::new(path)).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (size, executable, trouble) = match opened {
            Ok((size, file)) => (size, is_executable(&file), None),
            Err(_) if at.is_symlink() => {
                links.push(path.as_str());
                continue;
            }
            Err(_) if path.contains(char::REPLACEMENT_CHARACTER) => {
                (0, false, Some(format!("The name of `{path}` is not UTF-8.")))
            }
            Err(error) => (0, false, Some(unreadable(&at, &error))),
        };
        members.push(Member { path: path.clone(), size, executable, link: false, index, trouble });
    }
    let mut incoming = sort(source, &members, only, &mut |member| {
        let path = &paths[member.index];
        let read = confined::open(source, Path::new(path)).and_then(|file| confined::read_file(&file, MOST_BYTES));
        read.map_err(|error| Refused(unreadable(&source.join(path), &error)))
    })?;
    if only.is_none() {
        let (skills, files): (Vec<_>, Vec<_>) = links.iter().partition(|path| folder_of_skill(path).is_some());
        let refused = skills.into_iter().filter_map(|path| folder_of_skill(path)).map(|folder| RefusedSkill {
            path: folder.to_owned(),
            why: "Its SKILL.md is a link that leads out of the folder.".to_owned(),
        });
        incoming.refused.extend(refused);
        let (one, many) = ("is a link that leads out of the folder", "are links that lead out of the folder");
        incoming.left_out.extend(named(&files, one, many));
    }
    Ok(incoming)
}

/// The folder of the skill whose SKILL.md this is.
fn folder_of_skill(path: &str) -> Option<&str> {
    let folder = path.strip_suffix("SKILL.md")?;
    if folder.is_empty() { Some("") } else { folder.strip_suffix('/') }
}
