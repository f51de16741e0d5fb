//! A folder on this computer, read as the library reads one: links out of it lead nowhere.

use std::{io, path::Path};

use crate::{beneath, placing::is_executable, whole};

use super::{Incoming, MOST_BYTES, Member, Refused, named, sort};

pub(super) fn read(source: &Path) -> Result<Incoming, Refused> {
    let unreadable = |path: &Path, error: &io::Error| Refused(format!("{} cannot be read: {error}.", path.display()));
    let paths = whole::files(source).map_err(|error| unreadable(source, &error))?;
    let (mut members, mut links) = (Vec::new(), Vec::new());
    for (index, path) in paths.iter().enumerate() {
        let at = source.join(path.as_str());
        match beneath::open(source, Path::new(path.as_str())) {
            Ok(file) => {
                let size = file.metadata().map_err(|error| unreadable(&at, &error))?.len();
                members.push(Member {
                    path: path.as_str().to_owned(),
                    size,
                    executable: is_executable(&file),
                    link: false,
                    index,
                });
            }
            Err(_) if at.is_symlink() => links.push(path.as_str()),
            Err(error) => return Err(unreadable(&at, &error)),
        }
    }
    let mut incoming = sort(source, members, |member| {
        let path = &paths[member.index];
        beneath::read(source, path, MOST_BYTES).map_err(|error| unreadable(&source.join(path.as_str()), &error))
    })?;
    incoming.left_out.extend(named(
        &links,
        "is a link that leads out of the folder",
        "are links that lead out of the folder",
    ));
    Ok(incoming)
}
