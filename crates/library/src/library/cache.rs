//! What was read, cached between two starts, so that the next one compares with the disk instead of reading all of it.
//!
//! The cache is never believed: a skill is taken from it only while the inode, the size and both times of its SKILL.md are
//! those that were read, one of which no program can set. What a client gets is read when it asks. A cache of another
//! program, or one with a single odd byte, is no cache.

use std::{borrow::Cow, path::PathBuf, sync::Arc, time::Duration};

use crc32fast::hash;
use files::folder::Stamp;
use serde::{Deserialize, Serialize};
use skills::{CachedSkill, Entry};

use super::{Known, Library, Root, path_below};
use crate::walk::{Branch, CachedFolder, CachedPlace, number, time};

/// What reads: the sources of this crate and of those that decide what is read, as one number.
const READER: &str = env!("SKILLTENDER_READER");

/// A file that was younger than this when it was read is read again: some file systems count times in steps of two
/// seconds.
const SETTLED: Duration = Duration::from_secs(3);

#[derive(Serialize, Deserialize)]
struct CachedRoot<'c> {
    #[serde(borrow)]
    id: Cow<'c, str>,
    #[serde(borrow)]
    path: Cow<'c, str>,
    made_later: bool,
    #[serde(borrow)]
    tree: CachedFolder<'c, Kept<'c>>,
}

/// A skill that was read.
#[derive(Serialize, Deserialize)]
struct Kept<'c> {
    /// When, in nanoseconds since 1970.
    read: u64,
    digest: [u8; 32],
    #[serde(borrow)]
    skill: CachedSkill<'c>,
}

impl Library {
    /// What is known, to be given to [`Library::begin_with`] at the next start; the same bytes for the same library. Empty
    /// where the system does not tell files apart well enough.
    pub fn cache(&self) -> Vec<u8> {
        if cfg!(not(unix)) {
            return Vec::new();
        }
        let mut roots: Vec<_> = self.trees.iter().collect();
        roots.sort_by(|(one, _), (other, _)| (&one.id, &one.path).cmp(&(&other.id, &other.path)));
        let cached = |(root, tree): (&'_ Root, &'_ Arc<Branch<Known>>)| -> Option<Vec<u8>> {
            let tree = tree.cached(None, &|known, stamp| known.kept(stamp))?;
            let (id, path) = (Cow::Borrowed(&*root.id), root.path.to_str()?.into());
            let root = CachedRoot { id, path, made_later: root.made_later, tree };
            // What cannot be written down is not cached.
            postcard::to_allocvec(&root).ok()
        };
        let roots: Vec<Vec<u8>> = roots.into_iter().filter_map(|(root, tree)| cached((root, tree))).collect();
        let written = postcard::to_allocvec(&roots).unwrap_or_default();
        let mut bytes = READER.as_bytes().to_vec();
        bytes.extend(hash(&written).to_le_bytes());
        bytes.extend(written);
        bytes
    }

    /// Begins with what an earlier start knew. Returns whether it was taken; what is odd about it in any way is not.
    pub fn begin_with(&mut self, cache: &[u8]) -> bool {
        let Some((sum, written)) = cache.strip_prefix(READER.as_bytes()).and_then(|rest| rest.split_at_checked(4))
        else {
            return false;
        };
        if cfg!(not(unix)) || sum != hash(written).to_le_bytes() || !self.trees.is_empty() {
            return false;
        }
        let Ok(roots) = postcard::from_bytes::<Vec<&[u8]>>(written) else { return false };
        let Ok(roots) = roots.into_iter().map(postcard::from_bytes::<CachedRoot<'_>>).collect::<Result<Vec<_>, _>>()
        else {
            return false;
        };
        for CachedRoot { id, path, made_later, tree } in roots {
            let root = Root { id: id.into_owned(), path: PathBuf::from(path.into_owned()), made_later };
            let tree = tree.branch(&mut root.path.clone(), None, &|kept, place| revived(&root, kept, place));
            self.trees.insert(root, tree);
        }
        self.other_folders = true;
        true
    }
}

impl Known {
    /// The cached form of a skill whose SKILL.md has this stamp; `None` for one that is to be read again.
    fn kept(&self, stamp: Stamp) -> Option<Kept<'_>> {
        let is_settled = self.stamp == Some(stamp) && stamp.latest() + SETTLED < self.read && self.unread.is_none();
        if !is_settled {
            return None;
        }
        let mut digest = [0; 32];
        for (byte, digits) in digest.iter_mut().zip(self.entry.digest.as_bytes().as_chunks::<2>().0) {
            *byte = u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Kept { read: number(self.read)?, digest, skill: CachedSkill::of(&self.entry.skill)? })
    }
}

fn revived(root: &Root, Kept { read, digest, skill }: Kept<'_>, place: CachedPlace<'_>) -> Option<Known> {
    let CachedPlace { location, stamp, files } = place;
    let id = location.file_name().unwrap_or(location.as_os_str()).to_string_lossy();
    let entry = Entry {
        skill: Arc::new(skill.skill(&id)?),
        folder: root.id.clone(),
        path: path_below(&root.path, location),
        location: location.to_path_buf(),
        digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        files: files.into(),
        enabled: true,
        shadowed_by: None,
    };
    Some(Known { stamp: Some(stamp), read: time(read), entry: Arc::new(entry), unread: None })
}
