//! What the files of skills are at this moment: digest and size of each, as SEP-2640 lists them.
//!
//! Every question looks at the files anew, so that what is listed is what a read then gives, however
//! late an event comes. A file is hashed again only when it looks different: another size, another
//! time of change, or another file in its place.

use std::{
    collections::{HashMap, HashSet},
    fs::Metadata,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use mcp::{FileDigest, Manifest, Part};
use skills::{Entry, SkillPath};

use crate::beneath;

/// The largest file that is hashed: a skill that holds a larger one is not published (SEP-2640).
const LARGEST: u64 = 16 << 20;

/// A file that was written so shortly before it was hashed can have been written once more in the
/// same tick of the file system's clock; its digest is not kept.
const TICK: Duration = Duration::from_millis(50);

/// The digests that are known, by the skill's folder.
#[derive(Debug, Default)]
pub(crate) struct Digests(Mutex<HashMap<PathBuf, Arc<Known>>>);

/// Those of one skill, sorted by path.
type Known = Vec<(SkillPath, Stamp, FileDigest)>;

/// What tells two states of a file apart without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: SystemTime,
    /// Device and inode, and when the inode last changed; nothing where the system does not tell.
    identity: [i64; 4],
}

impl Digests {
    /// The present files of one skill of the library's folder `root`.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub(crate) fn manifest(&self, root: Option<&Path>, entry: &Entry, part: Part) -> io::Result<Manifest> {
        let known = self.kept().get(&entry.location).cloned().unwrap_or_default();
        let wanted = entry.files.iter().filter(|file| part == Part::Everything || file.path == SkillPath::skill_md());
        let mut now = Vec::with_capacity(entry.files.len());
        let mut manifest = Manifest::with_capacity(entry.files.len());
        for path in wanted.map(|file| &file.path) {
            match look(root, &entry.location, path, &known) {
                Ok((stamp, digest)) => {
                    manifest.push((path.clone(), digest));
                    now.extend(stamp.map(|stamp| (path.clone(), stamp, digest)));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        if part == Part::Everything && *known != now {
            self.kept().insert(entry.location.clone(), Arc::new(now));
        }
        Ok(manifest)
    }

    /// Forgets the skills that are not among these any more, once there are many of them.
    pub(crate) fn forget_all_but(&self, entries: &[Arc<Entry>]) {
        let mut kept = self.kept();
        if kept.len() > 2 * entries.len() + 100 {
            let present: HashSet<&Path> = entries.iter().map(|entry| entry.location.as_path()).collect();
            kept.retain(|location, _| present.contains(location.as_path()));
        }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Known>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The digest of one file, and the stamp by which it may be kept.
fn look(
    root: Option<&Path>,
    location: &Path,
    path: &SkillPath,
    known: &Known,
) -> io::Result<(Option<Stamp>, FileDigest)> {
    let file = match (beneath::open(location, Path::new(path.as_str())), root) {
        // A linked SKILL.md may stand elsewhere in the library's folder (decision 15).
        (Err(error), Some(root))
            if error.kind() == io::ErrorKind::PermissionDenied && *path == SkillPath::skill_md() =>
        {
            let bytes = beneath::read_skill_md(root, location, LARGEST)?;
            return Ok((None, FileDigest::of(&bytes, false)));
        }
        (file, _) => file?,
    };
    let metadata = file.metadata()?;
    let stamp = Stamp::of(&metadata)?;
    if let Ok(at) = known.binary_search_by(|(other, ..)| other.cmp(path))
        && known[at].1 == stamp
    {
        return Ok((Some(stamp), known[at].2));
    }
    let now = SystemTime::now();
    let digest = FileDigest::of(&beneath::read_file(&file, LARGEST)?, is_executable(&metadata));
    let settled = stamp.size == digest.size && stamp.modified + TICK < now && stamp.changed() + TICK < now;
    Ok((settled.then_some(stamp), digest))
}

impl Stamp {
    fn of(metadata: &Metadata) -> io::Result<Self> {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            [metadata.dev().cast_signed(), metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let identity = [0; 4];
        Ok(Self { size: metadata.len(), modified: metadata.modified()?, identity })
    }

    /// When the inode last changed: a write that sets the old time again shows there.
    fn changed(&self) -> SystemTime {
        let [.., seconds, nanoseconds] = self.identity;
        SystemTime::UNIX_EPOCH
            + Duration::new(u64::try_from(seconds).unwrap_or(0), u32::try_from(nanoseconds).unwrap_or(0))
    }
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
    use std::fs::{self, File};

    use super::*;

    fn tea(location: &Path) -> Entry {
        let file = |path| skills::File { path: SkillPath::new(path).unwrap(), size: 0, modified: 0 };
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

    /// A skill whose files were last written a second ago.
    fn settled(folder: &Path) {
        for (path, text) in [("SKILL.md", "tea"), ("notes.md", "old")] {
            let file = File::create(folder.join(path)).unwrap();
            io::Write::write_all(&mut &file, text.as_bytes()).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(1)).unwrap();
        }
    }

    #[test]
    fn a_digest_is_that_of_the_bytes_at_this_moment() {
        let folder = tempfile::tempdir().unwrap();
        settled(folder.path());
        let (digests, entry) = (Digests::default(), tea(folder.path()));
        let notes = || digests.manifest(None, &entry, Part::Everything).unwrap().last().cloned().unwrap().1;
        assert_eq!(notes(), FileDigest::of(b"old", false));
        let modified = fs::metadata(folder.path().join("notes.md")).unwrap().modified().unwrap();
        // The same size and the same time, as a copy that keeps times leaves them.
        let file = File::create(folder.path().join("notes.md")).unwrap();
        io::Write::write_all(&mut &file, b"new").unwrap();
        file.set_modified(modified).unwrap();
        assert_eq!(notes(), FileDigest::of(b"new", false));
    }

    #[test]
    fn only_what_looks_different_is_hashed_again() {
        let folder = tempfile::tempdir().unwrap();
        settled(folder.path());
        let (digests, entry) = (Digests::default(), tea(folder.path()));
        std::thread::sleep(2 * TICK);
        digests.manifest(None, &entry, Part::Everything).unwrap();
        let known = digests.kept()[folder.path()].clone();
        assert_eq!(known.len(), 2);
        digests.manifest(None, &entry, Part::Everything).unwrap();
        assert!(Arc::ptr_eq(&known, &digests.kept()[folder.path()]));
    }

    #[test]
    fn a_file_that_is_gone_is_left_out_and_one_that_is_too_large_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        settled(folder.path());
        let (digests, entry) = (Digests::default(), tea(folder.path()));
        fs::remove_file(folder.path().join("notes.md")).unwrap();
        assert_eq!(digests.manifest(None, &entry, Part::Everything).unwrap().len(), 1);
        File::create(folder.path().join("notes.md")).unwrap().set_len(LARGEST + 1).unwrap();
        let error = digests.manifest(None, &entry, Part::Everything).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(digests.manifest(None, &entry, Part::SkillMd).unwrap().len(), 1);
    }
}
