//! Reads a tar archive, packed with gzip or not, from its beginning to its end: it has no directory.

use std::{
    collections::{BTreeMap, HashSet},
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use files::tar_headers::{Headers, Names};
use flate2::bufread::MultiGzDecoder;
use tar::{Archive, Builder, Entry, EntryType, Header};

use super::{
    Member, Refused,
    contents::{LARGEST, MOST_FILES},
    judge::{MOST_BYTES, leads_out},
};

/// The most bytes of the paths of all files.
const LONGEST_LIST: usize = 64 << 20;

/// The entries, as they come.
pub(super) fn list(at: &Path, name: &str, packed: bool) -> Result<Vec<Member>, Refused> {
    let (mut members, mut paths, mut length) = (Vec::new(), HashSet::new(), 0);
    each(at, name, packed, &mut |index, path, entry| {
        let Some(member) = member(index, path, entry)? else { return Ok(()) };
        length += member.path.len();
        if length > LONGEST_LIST {
            return Err(broken(name, &io::Error::other("the names in it are longer than 64 MiB together")));
        }
        // Programs would disagree about which of the two it is.
        if !paths.insert(member.path.clone()) {
            return Err(Refused(format!("`{}` is in {name} twice, so nothing was read.", member.path.escape_debug())));
        }
        if members.len() == MOST_FILES {
            return Err(Refused(format!("{name} holds more than {MOST_FILES} files.")));
        }
        members.push(member);
        Ok(())
    })?;
    Ok(members)
}

/// The bytes of the entries at these indexes, by what these map them to.
pub(super) fn read(
    at: &Path,
    name: &str,
    packed: bool,
    wanted: &BTreeMap<usize, usize>,
) -> Result<BTreeMap<usize, Vec<u8>>, Refused> {
    let mut found = BTreeMap::new();
    each(at, name, packed, &mut |index, _, entry| {
        let Some(place) = wanted.get(&index) else { return Ok(()) };
        let mut bytes = Vec::new();
        entry.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| broken(name, &error))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Refused(format!("{name} holds a file of more than {} MiB.", MOST_BYTES >> 20)));
        }
        found.insert(*place, bytes);
        Ok(())
    })?;
    Ok(found)
}

type Stream<'s> = io::Take<Box<dyn Read + 's>>;
type Take<'t> = &'t mut dyn FnMut(usize, &[u8], &mut Entry<'_, Stream<'_>>) -> Result<(), Refused>;

fn each(at: &Path, name: &str, packed: bool, take: Take<'_>) -> Result<(), Refused> {
    let file = BufReader::new(File::open(at).map_err(|error| Refused(format!("{name} cannot be read: {error}.")))?);
    let stream: Box<dyn Read> = if packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut archive = Archive::new(stream.take((LARGEST << 20) + 1));
    let (mut headers, mut index) = (Headers::default(), 0);
    {
        let broken = |error: io::Error| broken(name, &error);
        for entry in archive.entries().map_err(broken)?.raw(true) {
            let mut entry = entry.map_err(broken)?;
            let end = entry.raw_file_position().saturating_add(entry.size());
            if end > LARGEST << 20 {
                return Err(Refused(format!("{name} becomes larger than {LARGEST} MiB, so it was not read.")));
            }
            if headers.take(&mut entry).map_err(broken)? {
                continue;
            }
            let Names { path, .. } = headers.names(&entry).map_err(broken)?;
            take(index, &path, &mut entry)?;
            index += 1;
        }
        headers.end().map_err(broken)?;
    }
    if index == 0 { Err(Refused(format!("{name} has no files."))) } else { Ok(()) }
}

/// One entry; `None` for a folder, and for what belongs to the archive itself.
fn member(index: usize, path: &[u8], entry: &Entry<'_, Stream<'_>>) -> Result<Option<Member>, Refused> {
    let path = String::from_utf8_lossy(path).into_owned();
    let path = path.strip_prefix("./").unwrap_or(&path);
    let refused = |why: &str| Err(Refused(format!("`{}` {why}, so nothing was read.", path.escape_debug())));
    let link = match entry.header().entry_type() {
        EntryType::XGlobalHeader | EntryType::XHeader => return Ok(None),
        EntryType::Directory if matches!(path, "" | ".") => return Ok(None),
        EntryType::Directory | EntryType::Regular | EntryType::Continuous => false,
        EntryType::Symlink | EntryType::Link => true,
        _ => return refused("is no ordinary file"),
    };
    if leads_out(path.strip_suffix('/').unwrap_or(path)) {
        return refused("leads out of where it is unpacked");
    }
    if entry.header().entry_type() == EntryType::Directory {
        return Ok(None);
    }
    let trouble = path.contains(char::REPLACEMENT_CHARACTER).then(|| format!("The name of `{path}` is not UTF-8."));
    let executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
    Ok(Some(Member { path: path.to_owned(), size: entry.size(), executable, link, index, trouble }))
}

fn broken(name: &str, error: &io::Error) -> Refused {
    Refused(format!("{name} is a broken archive: {error}."))
}

/// A file of an archive of our own.
#[derive(Debug, Clone, Default)]
pub struct Bundled {
    /// Its path, with `/`.
    pub path: String,
    pub bytes: Vec<u8>,
    pub executable: bool,
    /// Whether it was a link where it came from; it stays one that leads nowhere, and is refused as one.
    pub link: bool,
}

/// Files as a tar archive, which is the same for the same files.
///
/// # Errors
/// When a path is longer than such an archive takes.
pub fn bundle(files: &[Bundled]) -> io::Result<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    for Bundled { path, bytes, executable, link } in files {
        let mut header = Header::new_ustar();
        header.set_mode(if *executable { 0o755 } else { 0o644 });
        if *link {
            header.set_entry_type(EntryType::Symlink);
            header.set_size(0);
            archive.append_link(&mut header, path, ".")?;
        } else {
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, path, bytes.as_slice())?;
        }
    }
    archive.into_inner()
}

#[cfg(test)]
mod tests;
