//! A tree of folders in a form that can be cached between starts. What was cached is only where the next walk begins: each
//! folder and file is compared with the disk, as in every walk, and whatever differs is read.

use std::{
    borrow::Cow,
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::Arc,
};

use files::{
    Name,
    folder::{Folder, Stamp, Time},
};
use serde::{Deserialize, Serialize};
use skills::File;

use super::{
    Branch, Child, LeftOut,
    listing::{FileKind, Listing, Subfolder},
};

/// How many folders are in a piece.
const IN_A_PIECE: usize = 500;

/// A file's inode, size and times.
type Numbers = (u64, u64, u64, u64);
type CachedFile<'c> = (Cow<'c, str>, Option<Numbers>);

/// A folder that was read, with those below it. `K` is the form of a skill.
#[derive(Serialize, Deserialize)]
pub(crate) struct CachedFolder<'c, K> {
    /// Its real path, where it is not the parent's with its name.
    #[serde(borrow)]
    real: Option<Cow<'c, str>>,
    inode: u64,
    files_below: Option<u8>,
    /// Device, inode and times.
    settled: Option<(u64, u64, u64, u64)>,
    with_files: bool,
    skill_md: bool,
    #[serde(borrow)]
    nearly: Option<Cow<'c, str>>,
    #[serde(borrow)]
    folders: Vec<CachedSubfolder<'c, K>>,
    /// A link has no numbers.
    #[serde(borrow)]
    files: Vec<CachedFile<'c>>,
    skill: Option<K>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct CachedSubfolder<'c, K> {
    #[serde(borrow)]
    name: Cow<'c, str>,
    link: bool,
    inode: u64,
    #[serde(borrow)]
    below: Below<'c, K>,
}

#[derive(Serialize, Deserialize)]
enum Below<'c, K> {
    #[serde(borrow)]
    Entered(Box<CachedFolder<'c, K>>),
    Deep,
    Hidden,
    Quietly,
}

/// The folders in one folder, and what each was found to be.
pub(crate) struct Children<S> {
    names: Vec<Subfolder>,
    found: Vec<Child<S>>,
}

impl<S> Children<S> {
    pub(crate) fn new() -> Self {
        Self { names: Vec::new(), found: Vec::new() }
    }

    /// Adds those that come after these.
    pub(crate) fn extend(&mut self, others: Self) {
        self.names.extend(others.names);
        self.found.extend(others.found);
    }
}

/// The folders of a piece again; `path` and `real` are of the folder that they are in.
pub(crate) fn children<K, S>(
    piece: Vec<CachedSubfolder<'_, K>>,
    path: &mut PathBuf,
    real: &Path,
    revive: &dyn Fn(K, CachedPlace<'_>) -> Option<S>,
) -> Children<S> {
    let mut all = Children { names: Vec::with_capacity(piece.len()), found: Vec::with_capacity(piece.len()) };
    for CachedSubfolder { name, link, inode, below } in piece {
        path.push(&*name);
        all.names.push(Subfolder { name: Name::from(&*name), link, inode });
        all.found.push(match below {
            Below::Entered(mut folder) => {
                let real = folder.real_path(path, Some(real));
                let below = children(std::mem::take(&mut folder.folders), path, &real, revive);
                Child::Entered(folder.branch(path, real, below, revive))
            }
            Below::Deep => Child::LeftOut(LeftOut::Deep),
            Below::Hidden => Child::LeftOut(LeftOut::Hidden),
            Below::Quietly => Child::LeftOut(LeftOut::Quietly),
        });
        path.pop();
    }
    all
}

/// A skill's folder as it was cached.
pub(crate) struct CachedPlace<'p> {
    pub(crate) location: &'p Path,
    /// The stamp of its SKILL.md.
    pub(crate) stamp: Stamp,
    pub(crate) files: Vec<File>,
}

impl<S> Branch<S> {
    /// The cached form. `None` where a name is not UTF-8: that folder is read again. `keep` makes the form of a skill,
    /// whose SKILL.md has this stamp; it is not asked for skills with links, which are followed at each reading.
    pub(crate) fn cached<'c, K>(
        &'c self,
        parent: Option<(&Path, &OsStr)>,
        keep: &dyn Fn(&'c S, Stamp) -> Option<K>,
    ) -> Option<CachedFolder<'c, K>> {
        let is_in_its_place = parent.is_some_and(|(above, name)| *self.real == *above.join(name));
        let listing = &*self.listing;
        let below = |child: &'c Child<S>, name: &OsStr| match child {
            Child::Entered(branch) => match branch.cached(Some((&self.real, name)), keep) {
                Some(folder) => Below::Entered(Box::new(folder)),
                None => Below::Quietly,
            },
            Child::LeftOut(LeftOut::Deep) => Below::Deep,
            Child::LeftOut(LeftOut::Hidden) => Below::Hidden,
            // Whatever it was, the next walk looks.
            Child::LeftOut(LeftOut::Quietly) | Child::Failed(_) => Below::Quietly,
        };
        let subfolder = |(folder, child): (&'c Subfolder, &'c Child<S>)| {
            let Subfolder { name, link, inode } = folder;
            Some(CachedSubfolder { name: text(name)?, link: *link, inode: *inode, below: below(child, name) })
        };
        let file = |(name, kind): &'c (Name, FileKind)| {
            let stamp = match kind {
                FileKind::Plain(stamp) => Some(numbers(stamp)?),
                FileKind::Link => None,
            };
            Some((text(name)?, stamp))
        };
        let skill = self.skill.as_ref().filter(|_| !self.holds_links());
        let stamp = || match listing.files.first()? {
            (name, FileKind::Plain(stamp)) if *name == "SKILL.md" => Some(*stamp),
            _ => None,
        };
        Some(CachedFolder {
            real: if is_in_its_place { None } else { Some(text(self.real.as_os_str())?) },
            inode: self.inode,
            files_below: self.files_below,
            settled: listing.settled().and_then(|folder| {
                Some((folder.device, folder.inode, number(folder.modified)?, number(folder.changed)?))
            }),
            with_files: listing.with_files,
            skill_md: listing.skill_md,
            nearly: listing.nearly.as_deref().map(Cow::Borrowed),
            folders: listing.folders.iter().zip(&self.folders).map(subfolder).collect::<Option<_>>()?,
            files: listing.files.iter().map(file).collect::<Option<_>>()?,
            skill: skill.and_then(|skill| keep(skill, stamp()?)),
        })
    }

    fn holds_links(&self) -> bool {
        self.listing.has_links() || self.entered().any(|(_, branch)| branch.holds_links())
    }
}

impl<'c, K> CachedFolder<'c, K> {
    /// Takes what is below it out in pieces, which can be written and read apart.
    pub(crate) fn take_pieces(&mut self) -> Vec<Vec<CachedSubfolder<'c, K>>> {
        let mut pieces = Vec::new();
        while self.folders.len() > IN_A_PIECE {
            let rest = self.folders.split_off(IN_A_PIECE);
            pieces.push(std::mem::replace(&mut self.folders, rest));
        }
        pieces.push(std::mem::take(&mut self.folders));
        pieces
    }

    /// The real path of the folder at `path`. `parent` is that of the folder that it is in.
    pub(crate) fn real_path(&self, path: &Path, parent: Option<&Path>) -> Arc<Path> {
        match (&self.real, parent, path.file_name()) {
            (None, Some(parent), Some(name)) => parent.join(name).into(),
            (real, ..) => Path::new(real.as_deref().unwrap_or_default()).into(),
        }
    }

    /// The folder at `path` again, with what is below it. `revive` makes a skill of its form.
    pub(crate) fn branch<S>(
        self,
        path: &Path,
        real: Arc<Path>,
        Children { names: subfolders, found: folders }: Children<S>,
        revive: &dyn Fn(K, CachedPlace<'_>) -> Option<S>,
    ) -> Arc<Branch<S>> {
        let file = |(name, stamp): CachedFile<'_>| {
            let kind = stamp.map_or(FileKind::Link, |stamp| FileKind::Plain(stamp_of(stamp)));
            (Name::from(&*name), kind)
        };
        let settled = self.settled.map(|(device, inode, modified, changed)| Folder {
            device,
            inode,
            modified: time(modified),
            changed: time(changed),
        });
        let listing = Listing::cached(
            settled,
            (self.with_files, self.skill_md, self.nearly.map(|name| name.into())),
            subfolders.into(),
            self.files.into_iter().map(file).collect(),
        );
        let count = 1 + folders.iter().map(Child::count).sum::<usize>();
        let mut branch = Branch {
            real,
            inode: self.inode,
            files_below: self.files_below,
            listing: listing.into(),
            folders: folders.into(),
            skill: None,
            count,
        };
        if let Some(kept) = self.skill
            && let Some((_, FileKind::Plain(stamp))) = branch.listing.files.first()
        {
            let place = CachedPlace { location: path, stamp: *stamp, files: branch.files_of_skill(path) };
            branch.skill = revive(kept, place).map(Box::new);
        }
        Arc::new(branch)
    }
}

fn text(name: &OsStr) -> Option<Cow<'_, str>> {
    name.to_str().map(Cow::Borrowed)
}

fn numbers(stamp: &Stamp) -> Option<Numbers> {
    Some((stamp.inode, stamp.size, number(stamp.modified)?, number(stamp.changed)?))
}

fn stamp_of((inode, size, modified, changed): Numbers) -> Stamp {
    Stamp { inode, size, modified: time(modified), changed: time(changed) }
}

/// Nanoseconds since 1970. `None`: earlier.
pub(crate) fn number(time: Time) -> Option<u64> {
    u64::try_from(time.nanoseconds()).ok()
}

pub(crate) fn time(number: u64) -> Time {
    Time::from_nanoseconds(i64::try_from(number).unwrap_or(i64::MAX))
}
