//! What was read, cached between two starts, so that the next one compares with the disk instead of reading all of it.
//!
//! The cache is never believed: a skill is taken from it only while the inode, the size and both times of its SKILL.md are
//! those that were read, one of which no program can set. What a client gets is read when it asks. A cache of another
//! program, or one with a single odd byte, is no cache.

use std::{borrow::Cow, num::NonZero, path::PathBuf, sync::Arc, thread, time::Duration};

use crc32fast::hash;
use files::{digits, folder::Stamp};
use serde::{Deserialize, Serialize};
use skills::{CachedSkill, Entry};

use super::{Known, Library, Root, path_below};
use crate::walk::{Branch, CachedFolder, CachedPlace, CachedSubfolder, Children, children, number, time};

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
    /// Without the folders below it.
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
        // The folders below it are in pieces, which several threads read.
        let cached = |(root, tree): (&'_ Root, &'_ Arc<Branch<Known>>)| -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
            let mut tree = tree.cached(None, &|known, stamp| known.kept(stamp))?;
            let pieces = tree.take_pieces();
            let (id, path) = (Cow::Borrowed(&*root.id), root.path.to_str()?.into());
            let root = CachedRoot { id, path, made_later: root.made_later, tree };
            // What cannot be written down is not cached.
            let pieces = pieces.iter().map(|piece| postcard::to_allocvec(piece).ok()).collect::<Option<_>>()?;
            Some((postcard::to_allocvec(&root).ok()?, pieces))
        };
        let roots: Vec<_> = roots.into_iter().filter_map(cached).collect();
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
        let Ok(roots) = postcard::from_bytes::<Vec<(&[u8], Vec<&[u8]>)>>(written) else { return false };
        let tree =
            |(root, pieces): (&[u8], Vec<&[u8]>)| postcard::from_bytes::<CachedRoot<'_>>(root).ok()?.tree(&pieces);
        let trees: Option<Vec<_>> = roots.into_iter().map(tree).collect();
        let Some(trees) = trees else { return false };
        self.trees.extend(trees);
        self.other_folders = true;
        true
    }
}

impl CachedRoot<'_> {
    /// The tree again; `None` where a piece is not what was written.
    fn tree(self, pieces: &[&[u8]]) -> Option<(Root, Arc<Branch<Known>>)> {
        let Self { id, path, made_later, tree } = self;
        let root = Root { id: id.into_owned(), path: PathBuf::from(path.into_owned()), made_later };
        let real = tree.real_path(&root.path, None);
        let revive = |kept: Kept<'_>, place: CachedPlace<'_>| revived(&root, kept, place);
        let read = |piece: &&[u8]| -> Option<Children<Known>> {
            let piece = postcard::from_bytes::<Vec<CachedSubfolder<'_, Kept<'_>>>>(piece).ok()?;
            Some(children(piece, &mut root.path.clone(), &real, &revive))
        };
        let read_some = |some: &[&[u8]]| some.iter().map(read).collect::<Option<Vec<_>>>();
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let parts = thread::scope(|scope| {
            let each = pieces.len().div_ceil(threads).max(1);
            let mut parts = pieces.chunks(each);
            let own = parts.next().unwrap_or_default();
            let others: Vec<_> = parts.map(|some| scope.spawn(move || read_some(some))).collect();
            let mut read = read_some(own)?;
            for other in others {
                read.extend(other.join().ok()??);
            }
            Some(read)
        })?;
        let mut below = Children::new();
        parts.into_iter().for_each(|part| below.extend(part));
        let tree = tree.branch(&root.path, real, below, &revive);
        Some((root, tree))
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
        Some(Kept { read: number(self.read.into())?, digest, skill: CachedSkill::of(&self.entry.skill)? })
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
        digest: digits(digest),
        files: files.into(),
        enabled: true,
        shadowed_by: None,
    };
    Some(Known { stamp: Some(stamp), read: time(read).into(), entry: Arc::new(entry), unread: None })
}
