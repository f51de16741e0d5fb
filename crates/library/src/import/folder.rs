//! Reads a folder on this computer as the library does: links out of it are not followed.

use std::{io, path::Path};

use files::{all_files, confined, staged_dir::is_executable};

use super::{Incoming, Member, Refused, RefusedSkill, judge::MOST_BYTES, named, sort};

/// The files of a folder. A link that leads out of it is listed as one.
pub(super) fn list(source: &Path) -> Result<Vec<Member>, Refused> {
    let paths = all_files::repository(source).map_err(|error| Refused(unreadable(source, &error)))?;
    let member = |(index, path): (usize, String)| {
        let at = source.join(&path);
        let opened = confined::open(source, Path::new(&path)).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (size, executable, link, trouble) = match opened {
            Ok((size, file)) => (size, is_executable(&file), false, None),
            Err(_) if at.is_symlink() => (0, false, true, None),
            Err(_) if path.contains(char::REPLACEMENT_CHARACTER) => {
                (0, false, false, Some(format!("The name of `{path}` is not UTF-8.")))
            }
            Err(error) => (0, false, false, Some(unreadable(&at, &error))),
        };
        Member { path, size, executable, link, index, trouble }
    };
    Ok(paths.into_iter().enumerate().map(member).collect())
}

pub(super) fn read(source: &Path, only: Option<&[String]>) -> Result<Incoming, Refused> {
    let (links, members): (Vec<_>, Vec<_>) = list(source)?.into_iter().partition(|member| member.link);
    let links: Vec<_> = links.iter().map(|member| member.path.as_str()).collect();
    let mut incoming = sort(source, &members, only, &mut |member| {
        let read = confined::open(source, Path::new(&member.path));
        let read = read.and_then(|file| confined::read_file(&file, MOST_BYTES));
        read.map_err(|error| Refused(unreadable(&source.join(&member.path), &error)))
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

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be read: {error}.", path.display())
}
