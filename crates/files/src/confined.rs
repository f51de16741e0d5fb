//! The only way in which a skill's files are read: beneath the skill's folder, regardless of links.
//!
//! On Linux the kernel resolves the path beneath an open folder (`openat2`); elsewhere, and on a kernel without that
//! call, the real path is resolved first and then walked without following links. Only regular files are read, up to a
//! limit that the caller sets (security rule 12). A file with another name outside the folder is refused as well
//! (`names`).

mod names;

use std::{
    fs::{File, Metadata},
    io::{self, Read as _},
    path::Path,
};

use machine::{open_files::is_shortage, waiting};
use skills::{Found, SkillPath};

use crate::folder::Open;

/// The bytes of `path` beneath `folder`. The folder itself may be a link.
///
/// # Errors
/// When the path leads out of the folder, is not a regular file, has more than `limit` bytes
/// ([`io::ErrorKind::FileTooLarge`]), or cannot be read.
pub fn read(folder: &Path, path: &SkillPath, limit: u64) -> io::Result<Vec<u8>> {
    waiting::for_disk(folder);
    let file = open_beneath(folder, Path::new(path.as_str()))?;
    names::all_beneath(&file, folder)?;
    read_file(&file, limit)
}

/// The bytes of the SKILL.md in `folder`. A link is accepted if its target is inside `root`, the library's folder
/// (decision 15).
///
/// # Errors
/// As [`read`]; a link that leads out of `root` is [`io::ErrorKind::PermissionDenied`].
pub fn read_skill_md(root: &Path, folder: &Path, limit: u64) -> io::Result<Vec<u8>> {
    waiting::for_disk(folder);
    read_skill_md_in(open_unless_link(&folder.join("SKILL.md"))?, root, folder, limit)
}

/// The same for a folder that may still be open from its listing.
///
/// # Errors
/// As [`read_skill_md`].
pub fn read_listed_skill_md(open: Option<&Open>, root: &Path, folder: &Path, limit: u64) -> io::Result<Vec<u8>> {
    match open {
        #[cfg(target_os = "linux")]
        Some(open) => read_skill_md_in(open_unless_link_at(open.fd(), Path::new("SKILL.md"))?, root, folder, limit),
        _ => read_skill_md(root, folder, limit),
    }
}

fn read_skill_md_in(file: Option<File>, root: &Path, folder: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if let Some(file) = file {
        return read_known(&file, &names::all_beneath(&file, folder)?, limit);
    }
    let (root, target) = (root.canonicalize()?, folder.join("SKILL.md").canonicalize()?);
    let inside = target.strip_prefix(&root).map_err(|_| leads_out())?;
    let file = open_beneath(&root, inside)?;
    read_known(&file, &names::all_beneath(&file, &root)?, limit)
}

/// Opens `path` beneath `folder`, if it is a regular file.
///
/// # Errors
/// When it leads out of `folder`, is not a regular file, or may not be read.
pub fn open(folder: &Path, path: &Path) -> io::Result<File> {
    waiting::for_disk(folder);
    let file = open_beneath(folder, path)?;
    if names::all_beneath(&file, folder)?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// What exists at `path` beneath `folder`. A file without read permission counts as present, and so does one that
/// cannot be checked because no more files can be opened.
pub fn find(folder: &Path, path: &SkillPath) -> Found {
    waiting::for_disk(folder);
    let path = Path::new(path.as_str());
    // Not every system can open a folder like a file.
    #[cfg(not(unix))]
    let found = folder.canonicalize().and_then(|folder| match folder.join(path).canonicalize()?.starts_with(&folder) {
        true => Ok(()),
        false => Err(leads_out()),
    });
    #[cfg(unix)]
    let found = open_beneath(folder, path).map(drop);
    match found {
        Ok(()) => Found::Here,
        Err(error) if is_shortage(&error) => Found::Here,
        // A refusal by the system has an error number; ours, that the path leads out, has none.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => match error.raw_os_error() {
            Some(_) => Found::Here,
            None => Found::Outside,
        },
        Err(_) => Found::Nothing,
    }
}

/// Opens a regular file at any path, without blocking: not a skill's file, but a program to run, or a file that such a
/// program reads.
///
/// # Errors
/// When there is no such file, it is not a regular one, or it may not be read.
pub fn open_regular(path: &Path) -> io::Result<File> {
    waiting::for_disk(path);
    #[cfg(unix)]
    let file: File = {
        use rustix::fs::{CWD, Mode, OFlags, openat};

        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        openat(CWD, path, flags, Mode::empty())?.into()
    };
    #[cfg(not(unix))]
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// The bytes of an open regular file of at most `limit` bytes.
///
/// # Errors
/// When the file is larger than `limit`, or the disk refuses.
pub fn read_file(file: &File, limit: u64) -> io::Result<Vec<u8>> {
    read_known(file, &file.metadata()?, limit)
}

fn read_known(file: &File, metadata: &Metadata, limit: u64) -> io::Result<Vec<u8>> {
    if !metadata.is_file() {
        return Err(not_regular());
    }
    // One byte more than expected, so that the end is detected without growing the buffer.
    let size = usize::try_from(metadata.len().min(limit)).unwrap_or_default();
    let mut bytes = vec![0; size + 1];
    let mut read = 0;
    // A short read that completes the expected size is at the end of the file.
    while read != size || read == 0 {
        match (&*file).read(&mut bytes[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(read);
    if read > size {
        // The file grew in the meantime.
        file.take((limit + 1).saturating_sub(read as u64)).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

fn leads_out() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the path leads out of its folder")
}

/// Opens a file; `None` when it is a link.
#[cfg(unix)]
fn open_unless_link(path: &Path) -> io::Result<Option<File>> {
    open_unless_link_at(rustix::fs::CWD, path)
}

#[cfg(unix)]
fn open_unless_link_at(folder: impl std::os::fd::AsFd, path: &Path) -> io::Result<Option<File>> {
    use rustix::{
        fs::{Mode, OFlags, openat},
        io::Errno,
    };

    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(folder, path, flags, Mode::empty()) {
        Ok(file) => Ok(Some(file.into())),
        // Systems use either code for a link; following it shows whether it is one.
        Err(Errno::LOOP | Errno::MLINK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn open_unless_link(path: &Path) -> io::Result<Option<File>> {
    if path.is_symlink() { Ok(None) } else { File::open(path).map(Some) }
}

#[cfg(target_os = "linux")]
fn open_beneath(folder: &Path, path: &Path) -> io::Result<File> {
    use rustix::{
        fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2},
        io::Errno,
    };

    const RETRIES: u32 = 8; // the kernel returns EAGAIN when something is renamed while it resolves
    let start = openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..RETRIES {
        match openat2(&start, path, flags, Mode::empty(), resolve) {
            Ok(file) => return Ok(file.into()),
            Err(Errno::AGAIN) => {}
            Err(Errno::XDEV) => return Err(leads_out()),
            Err(Errno::NOSYS | Errno::PERM) => return open_real(folder, path),
            Err(error) => return Err(error.into()),
        }
    }
    open_real(folder, path)
}

#[cfg(not(target_os = "linux"))]
fn open_beneath(folder: &Path, path: &Path) -> io::Result<File> {
    open_real(folder, path)
}

/// Resolves the real path, checks that it is beneath the real folder, and walks to it without following any link that
/// appeared since.
#[cfg(unix)]
fn open_real(folder: &Path, path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let folder = folder.canonicalize()?;
    let target = folder.join(path).canonicalize()?;
    let mut names = target.strip_prefix(&folder).map_err(|_| leads_out())?.components().peekable();
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let last = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(CWD, &folder, step, Mode::empty())?;
    while let Some(name) = names.next() {
        let flags = if names.peek().is_some() { step } else { last };
        at = openat(&at, name.as_os_str(), flags, Mode::empty())?;
    }
    Ok(at.into())
}

#[cfg(not(unix))]
fn open_real(folder: &Path, path: &Path) -> io::Result<File> {
    let folder = folder.canonicalize()?;
    let target = folder.join(path).canonicalize()?;
    if !target.starts_with(&folder) {
        return Err(leads_out());
    }
    File::open(target)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    fn path(path: &str) -> SkillPath {
        SkillPath::new(path).unwrap()
    }

    /// A library with one skill, a secret outside it, and every kind of link that leads to the secret.
    fn library() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let tea = root.path().join("tea");
        fs::create_dir_all(tea.join("references")).unwrap();
        fs::create_dir(root.path().join("tea-evil")).unwrap();
        fs::write(root.path().join("tea-evil/secret"), "secret").unwrap();
        fs::write(tea.join("SKILL.md"), "tea").unwrap();
        fs::write(tea.join("references/guide.md"), "guide").unwrap();
        symlink("references/guide.md", tea.join("inside.md")).unwrap();
        symlink("../tea-evil/secret", tea.join("file")).unwrap();
        symlink(root.path().join("tea-evil/secret"), tea.join("absolute")).unwrap();
        symlink("../tea-evil", tea.join("folder")).unwrap();
        symlink("/proc/self/environ", tea.join("environ")).unwrap();
        symlink("loop", tea.join("loop")).unwrap();
        root
    }

    #[test]
    fn reads_files_of_the_skill_and_links_that_stay_in_it() {
        let root = library();
        let tea = root.path().join("tea");
        assert_eq!(read(&tea, &path("references/guide.md"), 5).unwrap(), b"guide");
        assert_eq!(read(&tea, &path("inside.md"), 5).unwrap(), b"guide");
        assert_eq!(read_file(&open_real(&tea, Path::new("inside.md")).unwrap(), 5).unwrap(), b"guide");
    }

    #[test]
    fn refuses_every_way_out_of_the_folder() {
        let root = library();
        let tea = root.path().join("tea");
        for way in ["file", "absolute", "folder/secret", "environ", "loop", "references", "none"] {
            assert!(read(&tea, &path(way), 100).is_err(), "{way}");
        }
        for way in ["file", "absolute", "folder/secret", "environ", "loop", "../tea-evil/secret"] {
            assert!(open_real(&tea, Path::new(way)).is_err(), "{way}");
        }
    }

    #[test]
    fn refuses_a_file_that_has_another_name_outside_of_the_folder() {
        let root = library();
        let tea = root.path().join("tea");
        fs::hard_link(root.path().join("tea-evil/secret"), tea.join("hard")).unwrap();
        assert_eq!(read(&tea, &path("hard"), 100).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert!(open(&tea, Path::new("hard")).is_err());
        fs::hard_link(tea.join("references/guide.md"), tea.join("same.md")).unwrap();
        assert_eq!(read(&tea, &path("same.md"), 5).unwrap(), b"guide", "both names lie inside");
        fs::hard_link(tea.join("SKILL.md"), root.path().join("copy.md")).unwrap();
        assert!(read_skill_md(root.path(), &tea, 100).is_err());
        fs::remove_file(root.path().join("copy.md")).unwrap();
        assert_eq!(read_skill_md(root.path(), &tea, 100).unwrap(), b"tea");
    }

    #[test]
    fn what_stands_at_a_path_is_told_apart_from_what_a_link_leads_out_to() {
        let root = library();
        let found = |way| find(&root.path().join("tea"), &path(way));
        for (found_there, ways) in [
            (Found::Here, &["references/guide.md", "references", "inside.md"][..]),
            (Found::Outside, &["file", "absolute", "folder", "folder/secret"]),
            (Found::Nothing, &["loop", "none", "none/x"]),
        ] {
            assert!(ways.iter().all(|way| found(way) == found_there), "{ways:?} {found_there:?}");
        }
    }

    #[test]
    fn refuses_what_is_no_regular_file_without_waiting_for_it() {
        let root = library();
        let tea = root.path().join("tea");
        let fifo = tea.join("fifo");
        assert!(machine::background("mkfifo").arg(&fifo).status().unwrap().success());
        assert_eq!(read(&tea, &path("fifo"), 100).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn says_when_a_file_is_too_large() {
        let root = library();
        let error = read(&root.path().join("tea"), &path("SKILL.md"), 2).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_linked_skill_md_is_read_only_inside_the_library() {
        let root = library();
        let linked = root.path().join("linked");
        fs::create_dir(&linked).unwrap();
        symlink("../tea/SKILL.md", linked.join("SKILL.md")).unwrap();
        assert_eq!(read_skill_md(root.path(), &linked, 100).unwrap(), b"tea");

        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("SKILL.md"), "other").unwrap();
        fs::remove_file(linked.join("SKILL.md")).unwrap();
        symlink(elsewhere.path().join("SKILL.md"), linked.join("SKILL.md")).unwrap();
        let error = read_skill_md(root.path(), &linked, 100).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }
}
