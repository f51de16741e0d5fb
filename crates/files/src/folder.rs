//! An open folder: its entries and their stamps. On Linux all queries go through the open folder, which costs
//! the system a third of a query by path; other systems query by path.

use std::{
    fs::Metadata,
    num::NonZero,
    path::Path,
    time::{Duration, SystemTime},
};

use crate::Name;

/// The state of a folder itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folder {
    pub device: u64,
    pub inode: u64,
    pub modified: Time,
    /// When the system last noted a change of it, which no program can set. Windows tells it only of an open folder.
    pub changed: Time,
}

/// An entry of a folder.
pub struct Found {
    pub name: Name,
    pub kind: Kind,
    /// Its inode; 0 where the system does not report it.
    pub inode: u64,
}

/// Tells two states of a file apart without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub inode: u64,
    pub size: u64,
    pub modified: Time,
    /// When the system last noted a change of it, which no program can set: a file whose time is put back is another
    /// one all the same. Windows tells it only of an open file; there it is the time of the modification.
    pub changed: Time,
}

impl Stamp {
    /// Its latest time: what was read this late may be older than what is there.
    pub fn latest(&self) -> SystemTime {
        self.modified.max(self.changed).into()
    }
}

impl Folder {
    /// Its latest time.
    pub fn latest(&self) -> SystemTime {
        self.modified.max(self.changed).into()
    }
}

/// A time to the nanosecond, half as large as the system's, because a library keeps two of each folder and file. A time before
/// the year 1678 or after 2261 counts as the nearest one within.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(NonZero<u64>);

impl Time {
    /// The year 1970, with room for as many earlier times as later ones, so that they compare in order.
    const EPOCH: u64 = 1 << 63;

    /// The nanoseconds since 1970.
    pub fn nanoseconds(self) -> i64 {
        (self.0.get() ^ Self::EPOCH).cast_signed()
    }

    pub fn from_nanoseconds(since_1970: i64) -> Self {
        // Only the very first one would be zero, and is as the one after it.
        Self(NonZero::new(since_1970.cast_unsigned() ^ Self::EPOCH).unwrap_or(NonZero::<u64>::MIN))
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        let whole = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        Self::from_nanoseconds(match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => whole(after),
            Err(before) => -whole(before.duration()),
        })
    }
}

impl From<Time> for SystemTime {
    fn from(time: Time) -> Self {
        let nanoseconds = time.nanoseconds();
        let whole = Duration::from_nanos(nanoseconds.unsigned_abs());
        if nanoseconds < 0 { Self::UNIX_EPOCH - whole } else { Self::UNIX_EPOCH + whole }
    }
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Folder,
    Link,
    /// A file, or anything else that is neither a folder nor a link.
    Other,
}

#[cfg(target_os = "linux")]
pub use self::linux::Open;
#[cfg(not(target_os = "linux"))]
pub use self::portable::Open;

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        ffi::OsStr,
        io,
        mem::MaybeUninit,
        os::{fd::OwnedFd, unix::ffi::OsStrExt as _},
        path::Path,
    };

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, Stat, fstat, openat, statat};

    use super::{Folder, Found, Kind, Name, Stamp, Time, time};

    /// An open folder.
    pub struct Open(OwnedFd);

    impl Open {
        /// Opens a folder.
        ///
        /// # Errors
        /// When it is no folder, or may not be read.
        pub fn at(path: &Path) -> io::Result<Self> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Self(openat(CWD, path, flags, Mode::empty())?))
        }

        pub fn itself(&self) -> Option<Folder> {
            let stat = fstat(&self.0).ok()?;
            Some(Folder { device: stat.st_dev, inode: stat.st_ino, modified: modified(&stat), changed: changed(&stat) })
        }

        /// What it contains.
        ///
        /// # Errors
        /// When the disk refuses.
        pub fn entries(&self) -> io::Result<Vec<Found>> {
            let mut buffer = [MaybeUninit::uninit(); 8 << 10];
            let mut listing = RawDir::new(&self.0, &mut buffer);
            let mut found = Vec::new();
            while let Some(entry) = listing.next() {
                let entry = entry?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                if name == "." || name == ".." {
                    continue;
                }
                let kind = match entry.file_type() {
                    // Some file systems do not report it.
                    FileType::Unknown => match self.stat(name) {
                        Some(stat) => FileType::from_raw_mode(stat.st_mode),
                        None => continue,
                    },
                    kind => kind,
                };
                let kind = match kind {
                    FileType::Directory => Kind::Folder,
                    FileType::Symlink => Kind::Link,
                    _ => Kind::Other,
                };
                found.push(Found { name: Name::from(name), kind, inode: entry.ino() });
            }
            Ok(found)
        }

        /// The stamp of the regular file of this name, and whether it has other hard links.
        pub fn stamp(&self, name: &OsStr) -> Option<(Stamp, bool)> {
            let stat = self.stat(name)?;
            let stamp = || Stamp {
                inode: stat.st_ino,
                size: u64::try_from(stat.st_size).unwrap_or(0),
                modified: modified(&stat),
                changed: changed(&stat),
            };
            let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
            is_file.then(|| (stamp(), stat.st_nlink > 1))
        }

        /// The descriptor for opening files in the folder.
        pub fn fd(&self) -> &OwnedFd {
            &self.0
        }

        fn stat(&self, name: &OsStr) -> Option<Stat> {
            statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok()
        }
    }

    fn modified(stat: &Stat) -> Time {
        time(stat.st_mtime, stat.st_mtime_nsec)
    }

    fn changed(stat: &Stat) -> Time {
        time(stat.st_ctime, stat.st_ctime_nsec)
    }
}

/// A time as Unix counts it.
#[cfg(unix)]
fn time(seconds: i64, nanoseconds: impl TryInto<i64>) -> Time {
    let nanoseconds = nanoseconds.try_into().unwrap_or_default();
    let whole = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    let nearest = if whole < 0 { i64::MIN } else { i64::MAX };
    Time::from_nanoseconds(i64::try_from(whole).unwrap_or(nearest))
}

/// When it was modified, and when the system last noted a change.
#[cfg(unix)]
fn times(metadata: &Metadata) -> Option<(Time, Time)> {
    use std::os::unix::fs::MetadataExt as _;

    let modified = time(metadata.mtime(), metadata.mtime_nsec());
    Some((modified, time(metadata.ctime(), metadata.ctime_nsec())))
}

#[cfg(not(unix))]
fn times(metadata: &Metadata) -> Option<(Time, Time)> {
    let modified = metadata.modified().ok()?.into();
    Some((modified, modified))
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use std::{
        ffi::OsStr,
        fs, io,
        path::{Path, PathBuf},
    };

    use super::{Folder, Found, Kind, Name, Stamp, is_shared, stamp};

    /// A folder, by its path.
    pub struct Open(PathBuf);

    #[cfg(unix)]
    fn inode(entry: &fs::DirEntry) -> u64 {
        std::os::unix::fs::DirEntryExt::ino(entry)
    }

    // Windows reports the inode only of an open file.
    #[cfg(not(unix))]
    fn inode(_: &fs::DirEntry) -> u64 {
        0
    }

    impl Open {
        /// Names a folder; it is opened with each question.
        ///
        /// # Errors
        /// Never, as on Linux it may.
        pub fn at(path: &Path) -> io::Result<Self> {
            Ok(Self(path.to_path_buf()))
        }

        pub fn itself(&self) -> Option<Folder> {
            Folder::at(&self.0)
        }

        /// What it contains.
        ///
        /// # Errors
        /// When the disk refuses.
        pub fn entries(&self) -> io::Result<Vec<Found>> {
            let found = |entry: fs::DirEntry| {
                let kind = entry.file_type().ok()?;
                let kind = match kind.is_symlink() {
                    true => Kind::Link,
                    false if kind.is_dir() => Kind::Folder,
                    false => Kind::Other,
                };
                Some(Found { name: Name::from(&*entry.file_name()), kind, inode: inode(&entry) })
            };
            Ok(fs::read_dir(&self.0)?.filter_map(Result::ok).filter_map(found).collect())
        }

        /// The stamp of the regular file of this name, and whether it has other hard links.
        pub fn stamp(&self, name: &OsStr) -> Option<(Stamp, bool)> {
            let metadata = fs::symlink_metadata(self.0.join(name)).ok()?;
            Some((stamp(&metadata)?, is_shared(&metadata)))
        }
    }
}

impl Folder {
    #[cfg(unix)]
    pub fn at(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;

        let metadata = std::fs::metadata(path).ok()?;
        let (modified, changed) = times(&metadata)?;
        Some(Self { device: metadata.dev(), inode: metadata.ino(), modified, changed })
    }

    // Windows reports a folder's inode only when it is open: there, every folder is read again.
    #[cfg(not(unix))]
    pub fn at(_: &Path) -> Option<Self> {
        None
    }
}

/// The stamp of a regular file.
pub fn stamp(metadata: &Metadata) -> Option<Stamp> {
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0; // Windows reports it only for an open file; size and time must suffice
    let (modified, changed) = times(metadata)?;
    metadata.is_file().then_some(Stamp { inode, size: metadata.len(), modified, changed })
}

/// Whether a file has other hard links.
#[cfg(unix)]
pub fn is_shared(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
pub fn is_shared(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_the_system_in_order_and_to_the_nanosecond() {
        // Windows counts so many nanoseconds at a time.
        let (epoch, step) = (SystemTime::UNIX_EPOCH, Duration::from_nanos(100));
        let year = Duration::from_hours(24 * 365);
        let times = [
            epoch - 290 * year,
            epoch - step,
            epoch,
            epoch + step,
            epoch + 56 * year,
            epoch + 56 * year + step,
            epoch + 290 * year,
        ];
        for time in times {
            assert_eq!(SystemTime::from(Time::from(time)), time);
        }
        assert!(times.map(Time::from).is_sorted_by(|one, other| one < other));
        let nanoseconds = [-1, 0, 1, 1_800_000_000_000_000_001];
        assert_eq!(nanoseconds.map(|of| Time::from_nanoseconds(of).nanoseconds()), nanoseconds);
    }

    #[test]
    fn a_time_beyond_is_the_nearest_one() {
        let (epoch, year) = (SystemTime::UNIX_EPOCH, Duration::from_hours(24 * 365));
        let (first, last) = (Time::from_nanoseconds(i64::MIN), Time::from_nanoseconds(i64::MAX));
        assert_eq!([epoch + 300 * year, epoch + 400 * year].map(Time::from), [last; 2]);
        assert_eq!([epoch - 300 * year, epoch - 369 * year].map(Time::from), [first; 2]);
        assert!(SystemTime::from(last) > epoch + 290 * year, "it is in the future, so what has it is read again");
        #[cfg(unix)]
        {
            assert_eq!([time(i64::MIN, 999_999_999), time(i64::MAX, 999_999_999)], [first, last]);
            let before = time(-9_223_372_036, 1);
            assert_eq!(before.nanoseconds(), -9_223_372_035_999_999_999);
        }
    }

    #[test]
    fn a_time_needs_no_room_of_its_own_for_none() {
        assert_eq!(size_of::<Option<Stamp>>(), 32);
        assert_eq!(size_of::<Option<Folder>>(), 32);
    }
}
