//! The current digest and size of each file of a skill, as SEP-2640 lists them.
//!
//! Every request checks the files again, so that a list matches a later read no matter how late an event comes. A file
//! is hashed again only when its metadata differs: another size, another time of change, or another inode. Windows reports
//! neither of the last two, so there each file is hashed again.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, Metadata},
    hash::{BuildHasher as _, RandomState},
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use machine::{
    random,
    waiting::{Mutex, MutexGuard},
};
use sha2::{Digest as _, Sha256};
use skills::{Entry, File, SkillPath};

use crate::{FileDigest, Manifest, Part, confined};

/// The largest file that is hashed, in bytes: a skill with a larger one is not published (SEP-2640).
const LARGEST: u64 = 16 << 20;

/// A file written this shortly before it was hashed may have been written again in the same tick of the file system's
/// clock, so its digest is not cached.
const TICK: Duration = Duration::from_millis(50);

/// Whether metadata shows every change of a file. On Windows it has neither the time of the last change nor the file's
/// number, and a program can set back the time of the last write: there each file is read again.
const REPORTS_CHANGES: bool = cfg!(unix);

/// The cached digests, by the skill's folder.
#[derive(Debug, Default)]
pub struct Digests {
    kept: Mutex<HashMap<PathBuf, Arc<Kept>>>,
    /// Digests of single files that servers are started with, by path and with the file's stamp.
    single: Mutex<HashMap<PathBuf, (u64, String)>>,
    stamps: RandomState,
}

/// The maximum number of cached single files; beyond it, the cache is cleared and all are read again.
const SINGLE: usize = 20_000;

/// The digests of one skill's files, in the order of the catalog.
#[derive(Debug)]
struct Kept {
    files: Arc<[File]>,
    known: Box<[Option<Known>]>,
}

/// The digest of a file, and the file's stamp when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    stamp: u64,
    digest: FileDigest,
}

impl Digests {
    /// The current files of one skill of the library's folder `root`.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn manifest(&self, root: Option<&Path>, entry: &Entry, part: Part) -> io::Result<Manifest> {
        let kept = self.kept().get(&entry.location).cloned();
        let mut manifest = Manifest::with_capacity(entry.files.len());
        let mut now = Vec::with_capacity(entry.files.len());
        let mut changed = kept.as_ref().is_none_or(|kept| kept.files != entry.files);
        for (at, file) in entry.files.iter().enumerate() {
            if part == Part::SkillMd && file.path != SkillPath::skill_md() {
                continue;
            }
            let before = kept.as_ref().and_then(|kept| kept.of(at, &file.path));
            let known = match self.look(root, &entry.location, &file.path, before) {
                Ok((digest, known)) => {
                    manifest.push((file.path.clone(), digest));
                    known
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            changed |= known != before;
            now.push(known);
        }
        if changed && part == Part::Everything {
            let kept = Kept { files: Arc::clone(&entry.files), known: now.into() };
            self.kept().insert(entry.location.clone(), Arc::new(kept));
        }
        Ok(manifest)
    }

    /// The SHA-256 of one file at any path, in hexadecimal; links are followed. Where the system reports every change
    /// (not Windows), a file is read again only when its metadata differs.
    ///
    /// # Errors
    /// When it cannot be read, is not a regular file, or is larger than `largest` bytes.
    pub fn of_file(&self, path: &Path, largest: u64) -> io::Result<String> {
        let single = || self.single.lock();
        let known = single().get(path).cloned();
        if let Some((stamp, digest)) = known
            && fs::metadata(path).is_ok_and(|metadata| metadata.len() <= largest && self.stamp(&metadata) == stamp)
        {
            return Ok(digest);
        }
        let mut file = confined::open_regular(path)?;
        let (metadata, now) = (file.metadata()?, SystemTime::now());
        if metadata.len() > largest {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let (mut sha, mut size, mut bytes) = (Sha256::new(), 0, vec![0; 64 << 10]);
        loop {
            match file.read(&mut bytes)? {
                0 => break,
                read => {
                    sha.update(&bytes[..read]);
                    size += read as u64;
                }
            }
        }
        let digest = random::hex(&sha.finalize());
        if REPORTS_CHANGES && size == metadata.len() && last_change(&metadata)? + TICK < now {
            let mut single = single();
            if single.len() >= SINGLE {
                single.clear();
            }
            single.insert(path.to_path_buf(), (self.stamp(&metadata), digest.clone()));
        }
        Ok(digest)
    }

    /// Drops cached skills that are not among these, once there are many of them.
    pub fn forget_all_but(&self, entries: &[Arc<Entry>]) {
        let mut kept = self.kept();
        if kept.len() > 2 * entries.len() + 100 {
            let present: HashSet<&Path> = entries.iter().map(|entry| entry.location.as_path()).collect();
            kept.retain(|location, _| present.contains(location.as_path()));
        }
    }

    /// The digest of one file, and what may be cached of it.
    fn look(
        &self,
        root: Option<&Path>,
        location: &Path,
        path: &SkillPath,
        before: Option<Known>,
    ) -> io::Result<(FileDigest, Option<Known>)> {
        // The cached digest was read beneath the skill's folder. If the same file is still there and unchanged, one
        // system call is enough.
        if let Some(before) = before
            && fs::metadata(location.join(path.as_str())).is_ok_and(|metadata| self.stamp(&metadata) == before.stamp)
        {
            return Ok((before.digest, Some(before)));
        }
        let file = match (confined::open(location, Path::new(path.as_str())), root) {
            // A linked SKILL.md may be elsewhere in the library's folder (decision 15).
            (Err(error), Some(root))
                if error.kind() == io::ErrorKind::PermissionDenied && *path == SkillPath::skill_md() =>
            {
                let bytes = confined::read_skill_md(root, location, LARGEST)?;
                return Ok((FileDigest::of(&bytes, false), None));
            }
            (file, _) => file?,
        };
        let (metadata, now) = (file.metadata()?, SystemTime::now());
        let digest = FileDigest::of(&confined::read_file(&file, LARGEST)?, is_executable(&metadata));
        let unchanging = REPORTS_CHANGES && metadata.len() == digest.size && last_change(&metadata)? + TICK < now;
        Ok((digest, unchanging.then(|| Known { stamp: self.stamp(&metadata), digest })))
    }

    /// A number that changes with the file: its size, time, mode or inode.
    fn stamp(&self, metadata: &Metadata) -> u64 {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt as _;
            (metadata.dev(), metadata.ino(), metadata.mode(), metadata.ctime(), metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let inode = metadata.is_file();
        self.stamps.hash_one((metadata.len(), metadata.modified().ok(), inode))
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Kept>>> {
        self.kept.lock()
    }
}

impl Kept {
    /// The cached digest of the file at `path`, which most likely still has this index.
    fn of(&self, at: usize, path: &SkillPath) -> Option<Known> {
        let here = self.files.get(at).filter(|file| file.path == *path).map(|_| at);
        let at = here.or_else(|| self.files.binary_search_by(|file| file.path.cmp(path)).ok())?;
        self.known[at]
    }
}

/// When the file was last written or, if the system reports it, changed in any way: a write that restores the old time
/// is detected by this.
fn last_change(metadata: &Metadata) -> io::Result<SystemTime> {
    let modified = metadata.modified()?;
    #[cfg(unix)]
    let modified = {
        use std::os::unix::fs::MetadataExt as _;
        let seconds = Duration::from_secs(u64::try_from(metadata.ctime()).unwrap_or(0));
        let rest = Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).unwrap_or(0));
        modified.max(SystemTime::UNIX_EPOCH + seconds + rest)
    };
    Ok(modified)
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tea(location: &Path) -> Entry {
        let file = |path| File { path: SkillPath::new(path).unwrap(), size: 0, modified: 0 };
        Entry {
            skill: Arc::new(skills::read("tea", b"")),
            folder: String::new(),
            path: "tea".to_owned(),
            location: location.to_owned(),
            digest: String::new(),
            files: Arc::new([file("SKILL.md"), file("notes.md")]),
            enabled: true,
            shadowed_by: None,
        }
    }

    /// Creates a skill whose files were last written a second ago.
    fn aged(folder: &Path) {
        for (path, text) in [("SKILL.md", "tea"), ("notes.md", "old")] {
            let file = fs::File::create(folder.join(path)).unwrap();
            io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(1)).unwrap();
        }
    }

    #[test]
    fn a_digest_is_that_of_the_bytes_at_this_moment() {
        let folder = tempfile::tempdir().unwrap();
        aged(folder.path());
        let (digests, entry) = (Digests::default(), tea(folder.path()));
        let notes = || digests.manifest(None, &entry, Part::Everything).unwrap().last().cloned().unwrap().1;
        assert_eq!(notes(), FileDigest::of(b"old", false));
        let modified = fs::metadata(folder.path().join("notes.md")).unwrap().modified().unwrap();
        // The same size and time, as left by a copy that preserves times.
        let file = fs::File::create(folder.path().join("notes.md")).unwrap();
        io::Write::write_all(&mut &file, b"new").unwrap();
        file.set_modified(modified).unwrap();
        assert_eq!(notes(), FileDigest::of(b"new", false));
    }

    #[cfg(unix)]
    #[test]
    fn only_what_looks_different_is_hashed_again() {
        // Files that were there before this test was built: nobody can set the time of a change.
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let file = |path| File { path: SkillPath::new(path).unwrap(), size: 0, modified: 0 };
        let files = Arc::new([file("digests.rs"), file("lib.rs")]);
        let (digests, entry) = (Digests::default(), Entry { files, ..tea(&folder) });
        digests.manifest(None, &entry, Part::Everything).unwrap();
        let known = digests.kept()[&folder].clone();
        assert!(known.known.iter().all(Option::is_some));
        digests.manifest(None, &entry, Part::Everything).unwrap();
        assert!(Arc::ptr_eq(&known, &digests.kept()[&folder]));
    }

    #[test]
    fn a_file_that_is_gone_is_left_out_and_one_that_is_too_large_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        aged(folder.path());
        let (digests, entry) = (Digests::default(), tea(folder.path()));
        fs::remove_file(folder.path().join("notes.md")).unwrap();
        assert_eq!(digests.manifest(None, &entry, Part::Everything).unwrap().len(), 1);
        fs::File::create(folder.path().join("notes.md")).unwrap().set_len(LARGEST + 1).unwrap();
        let error = digests.manifest(None, &entry, Part::Everything).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(digests.manifest(None, &entry, Part::SkillMd).unwrap().len(), 1);
    }
}
