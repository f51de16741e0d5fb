//! Reads a zip file: checks its directory against its actual contents before trusting it.

use std::{
    fs::File,
    io::{BufReader, Cursor, Read, Seek},
    path::Path,
};

use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{
    Incoming, Member, Refused,
    judge::{MOST_BYTES, leads_out},
    sort,
};

/// The largest zip file that is read, in bytes.
const LARGEST: u64 = 64 << 20;
/// The maximum number of entries: a repository of skills has a few thousand.
const MOST_ENTRIES: usize = 20_000;
/// The maximum ratio of an entry's size to its compressed size. Text reaches about 20.
const TIGHTEST: u64 = 200;
/// Entries up to this size, in bytes, may have any ratio.
const SMALL: u64 = 1 << 20;

/// The file types in the high bits of a Unix mode.
const KIND: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

pub(super) fn read(source: &Path, only: Option<&[String]>) -> Result<Incoming, Refused> {
    let mut archive = open(source)?;
    let members = list(&mut archive)?;
    let mut unpack = |member: &Member| unpack(&mut archive, member);
    Ok(Incoming { archive: true, ..sort(source, &members, only, &mut unpack)? })
}

/// The entries, as the directory describes them.
pub(super) fn list<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<Vec<Member>, Refused> {
    let mut members = Vec::new();
    for index in 0..archive.len() {
        members.extend(member(archive, index)?);
    }
    Ok(members)
}

fn open(source: &Path) -> Result<ZipArchive<Cursor<Vec<u8>>>, Refused> {
    let unreadable = |error| Refused(format!("{} cannot be read: {error}.", source.display()));
    if !source.metadata().map_err(unreadable)?.is_file() {
        return Err(Refused(format!("{} is neither a folder nor a file.", source.display())));
    }
    let mut bytes = Vec::new();
    File::open(source).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Refused(format!("{} is larger than {} MiB.", source.display(), LARGEST >> 20)));
    }
    trusted(Cursor::new(bytes), &source.display().to_string(), MOST_ENTRIES)
}

/// Opens a zip file without reading all of it. `name` is what people call it.
pub(super) fn open_file(at: &Path, name: &str, most: usize) -> Result<ZipArchive<BufReader<File>>, Refused> {
    let file = File::open(at).map_err(|error| Refused(format!("{name} cannot be read: {error}.")))?;
    trusted(BufReader::new(file), name, most)
}

fn trusted<R: Read + Seek>(bytes: R, name: &str, most: usize) -> Result<ZipArchive<R>, Refused> {
    let broken = |error: ZipError| Refused(format!("{name} is no zip file that can be trusted: {error}."));
    let mut archive = ZipArchive::new(bytes).map_err(broken)?;
    if archive.len() > most {
        return Err(Refused(format!("{name} holds more than {most} files.")));
    }
    // Duplicate names, overlapping entries, and headers that contradict the directory: programs would disagree about
    // the contents.
    archive.validate_header_consistency().map_err(broken)?;
    Ok(archive)
}

/// One entry, as the directory describes it; `None` for a folder.
fn member<R: Read + Seek>(archive: &mut ZipArchive<R>, index: usize) -> Result<Option<Member>, Refused> {
    let entry = archive.by_index_raw(index).map_err(|error| Refused(format!("An entry is broken: {error}.")))?;
    // Many programs write UTF-8 without the flag for it.
    let path = match std::str::from_utf8(entry.name_raw()) {
        Ok(name) => name.to_owned(),
        Err(_) => entry.name().map_err(|error| Refused(format!("A name is broken: {error}.")))?.into_owned(),
    };
    let refused = |why: &str| Err(Refused(format!("`{}` {why}, so nothing was read.", path.escape_debug())));
    if leads_out(path.strip_suffix('/').unwrap_or(&path)) {
        return refused("leads out of where it is unpacked");
    }
    if entry.encrypted() {
        return refused("is encrypted");
    }
    let kind = entry.unix_mode().unwrap_or_default() & KIND;
    let is_folder = entry.is_dir() || kind == FOLDER;
    if !is_folder && !matches!(kind, 0 | REGULAR | LINK) {
        return refused("is no ordinary file");
    }
    let (size, packed) = (entry.size(), entry.compressed_size());
    if is_folder {
        return if size > 0 { refused("is a folder that holds bytes") } else { Ok(None) };
    }
    if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        return refused("is packed in a way that few programs know (neither stored nor deflated)");
    }
    if size > SMALL && size / TIGHTEST > packed {
        return refused("would become more than 200 times as large");
    }
    let executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
    Ok(Some(Member { path, size, executable, link: kind == LINK, index, trouble: None }))
}

/// The bytes of one entry, checked against the size and checksum in the directory.
pub(super) fn unpack<R: Read + Seek>(archive: &mut ZipArchive<R>, member: &Member) -> Result<Vec<u8>, Refused> {
    let broken = |why: &dyn std::fmt::Display| Refused(format!("`{}` is broken: {why}.", member.path));
    let entry = archive.by_index(member.index).map_err(|error| broken(&error))?;
    let mut bytes = Vec::new();
    let limit = member.size.min(MOST_BYTES);
    entry.take(limit + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
    if bytes.len() as u64 != member.size {
        return Err(broken(&"it holds more or less than the directory says"));
    }
    Ok(bytes)
}
