//! The first start of an AppImage that took another one's place: until it was good, the old one is kept beside it.
//!
//! Before the new one is put in place, the old one gets a second name (`.Skilltender.AppImage.old`), and a file beside
//! them says which AppImage is on trial (`.Skilltender.AppImage.trial`). Each start of that one adds a line to the file,
//! before anything else can fail. When its engine and its window or tray are there, the file and the old one go. A start
//! that finds the line of an earlier one, whose program is gone, puts the old one back by one rename and starts it; that
//! one says so. Each step is one rename, one removal or one line, so after a kill between any two of them the next start
//! knows where it is. What is done to an AppImage is left to `app_image`.

use std::{
    env,
    ffi::OsString,
    fs::{self, File, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use engine::Lockable;
use serde::{Deserialize, Serialize};

/// What a start is, by what is beside its AppImage.
#[derive(Debug)]
pub(crate) enum Start {
    /// One of many.
    Usual,
    /// The first one of a new AppImage. Its line is in the file, which stays locked while it lives.
    First(Lockable),
    /// This program's AppImage did not come up, and the old one is in its place again.
    PutBack,
    /// The AppImage of this version did not come up, and this program is back in its place.
    Back(String),
}

/// The first line of the file: the new AppImage, as the file system knows it. A person may put another one in its place.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OnTrial {
    version: String,
    length: u64,
    changed: u64,
}

/// The line of a start, and that of putting the old one back.
const STARTED: &str = "started\n";
const BACK: &str = "back\n";

impl Start {
    /// Looks what is beside this AppImage, and puts the old one back if an earlier start of this one has died.
    pub(crate) fn of(image: &Path) -> Self {
        match look(image) {
            Ok(start) => start,
            Err(why) => {
                tracing::warn!("{} cannot be looked at: {why}", beside(image, "trial").display());
                Self::Usual
            }
        }
    }
}

/// The AppImage that this program was started from. Another program's AppImage may have started it.
pub(crate) fn image() -> Option<PathBuf> {
    let named = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let files = named("APPDIR")?;
    named("APPIMAGE").filter(|image| image.is_file() && env::current_exe().is_ok_and(|own| own.starts_with(files)))
}

/// A file beside the AppImage, on the same disk, because only there a rename is one step.
pub(crate) fn beside(image: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(image.file_name().unwrap_or_default());
    name.push(".");
    name.push(ending);
    image.with_file_name(name)
}

/// Keeps the old AppImage under a second name, and puts the new one, in `new`, on trial.
///
/// # Errors
/// When the disk refuses. Nothing has changed for the next start then.
#[cfg(feature = "updater")]
pub(super) fn keep(image: &Path, new: &Path, version: &str) -> io::Result<()> {
    forget(image)?;
    let old = beside(image, "old");
    // Some file systems have no second names.
    if fs::hard_link(image, &old).is_err() {
        fs::copy(image, &old)?;
        File::open(&old)?.sync_all()?;
    }
    let mut line = serde_json::to_string(&OnTrial::of(new, version)?)?;
    line.push('\n');
    let mut file = File::create_new(beside(image, "trial"))?;
    file.write_all(line.as_bytes())?;
    file.sync_all()?;
    sync_folder(image);
    Ok(())
}

/// The new one has come up, or was never put in place: the old one is not needed.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn forget(image: &Path) -> io::Result<()> {
    // An old one without the file is nothing but a leftover, so it is the file that goes first.
    for ending in ["trial", "old"] {
        match fs::remove_file(beside(image, ending)) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            _ => {}
        }
    }
    Ok(())
}

/// This start proved nothing, because a person or the system ended it: it does not count.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn take_back(file: &mut File) -> io::Result<()> {
    let text = text_of(file)?;
    file.set_len(text.find('\n').map_or(0, |end| end as u64 + 1))?;
    file.seek(SeekFrom::End(0)).map(drop)
}

/// Puts one AppImage in another one's place.
///
/// # Errors
/// When the disk refuses.
pub(super) fn put(from: &Path, image: &Path) -> io::Result<()> {
    fs::rename(from, image)?;
    sync_folder(image);
    Ok(())
}

fn look(image: &Path) -> io::Result<Start> {
    let path = beside(image, "trial");
    let mut file = match Lockable::open(&path, false) {
        Ok(file) => file,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Start::Usual),
        Err(why) => return Err(why),
    };
    // The system gives up the lock of a program that died. Where files cannot be locked, nobody holds one.
    if matches!(file.try_take(), Err(TryLockError::WouldBlock)) || !path.exists() {
        return Ok(Start::Usual);
    }
    let text = text_of(&mut file)?;
    let (first, after) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(on_trial) = serde_json::from_str::<OnTrial>(first) else {
        // It was being written, so nothing was put in place yet.
        return forget(image).map(|()| Start::Usual);
    };
    let is_new = OnTrial::of(image, &on_trial.version).is_ok_and(|now| now == on_trial);
    match (is_new, after) {
        (true, "") => {
            file.write_all(STARTED.as_bytes())?;
            file.sync_data()?;
            Ok(Start::First(file))
        }
        (true, _) => {
            if !after.ends_with(BACK) {
                // A line that was cut off ends here.
                file.write_all(format!("\n{BACK}").as_bytes())?;
                file.sync_data()?;
            }
            match put(&beside(image, "old"), image) {
                Ok(()) => Ok(Start::PutBack),
                Err(why) => {
                    tracing::error!("{} cannot be put back: {why}", image.display());
                    forget(image).map(|()| Start::Usual)
                }
            }
        }
        (false, after) if after.ends_with(BACK) => Ok(Start::Back(on_trial.version)),
        // The update was cut off before it put the new one in place, or a person has put another one there.
        (false, _) => forget(image).map(|()| Start::Usual),
    }
}

/// What the file says. What is written next comes after it.
fn text_of(file: &mut File) -> io::Result<String> {
    let mut text = String::new();
    file.rewind()?;
    file.take(1 << 16).read_to_string(&mut text)?;
    file.seek(SeekFrom::End(0))?;
    Ok(text)
}

impl OnTrial {
    fn of(image: &Path, version: &str) -> io::Result<Self> {
        let found = fs::metadata(image)?;
        let changed = found.modified()?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        Ok(Self { version: version.to_owned(), length: found.len(), changed: changed.as_nanos() as u64 })
    }
}

/// A rename is valid even where its way to the disk cannot be asked for.
fn sync_folder(image: &Path) {
    if let Some(Ok(folder)) = image.parent().map(File::open) {
        drop(folder.sync_all());
    }
}

#[cfg(all(unix, feature = "updater"))]
#[cfg(test)]
mod tests {
    use super::*;

    /// An AppImage with a new one beside it.
    fn both() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (image, new) = (folder.path().join("Skilltender.AppImage"), folder.path().join(".new"));
        fs::write(&image, "old").unwrap();
        fs::write(&new, "the new one").unwrap();
        (folder, image, new)
    }

    fn names(folder: &tempfile::TempDir) -> Vec<String> {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    fn holds(image: &Path) -> String {
        fs::read_to_string(image).unwrap()
    }

    #[test]
    fn the_old_one_is_kept_until_the_new_one_has_come_up() {
        let (folder, image, new) = both();
        assert!(matches!(Start::of(&image), Start::Usual));
        keep(&image, &new, "2.0.0").unwrap();
        put(&new, &image).unwrap();
        let first = Start::of(&image);
        assert!(matches!(first, Start::First(_)), "{first:?}");
        assert_eq!(fs::read_to_string(beside(&image, "old")).unwrap(), "old");
        // A second start while the first one lives is none of its own.
        assert!(matches!(Start::of(&image), Start::Usual));
        assert_eq!(holds(&image), "the new one");
        forget(&image).unwrap();
        drop(first);
        assert!(matches!(Start::of(&image), Start::Usual));
        assert_eq!(
            (holds(&image), names(&folder)),
            ("the new one".to_owned(), vec!["Skilltender.AppImage".to_owned()])
        );
    }

    #[test]
    fn a_new_one_that_died_at_its_start_gives_way_to_the_old_one_which_says_so_until_it_is_heard() {
        let (folder, image, new) = both();
        keep(&image, &new, "2.0.0").unwrap();
        put(&new, &image).unwrap();
        drop(Start::of(&image));
        assert!(matches!(Start::of(&image), Start::PutBack));
        assert_eq!(holds(&image), "old");
        for _ in 0..2 {
            let back = Start::of(&image);
            assert!(matches!(&back, Start::Back(version) if version == "2.0.0"), "{back:?}");
        }
        forget(&image).unwrap();
        assert!(matches!(Start::of(&image), Start::Usual));
        assert_eq!(names(&folder), ["Skilltender.AppImage"]);
    }

    #[test]
    fn a_start_that_a_person_ended_is_not_counted() {
        let (_folder, image, new) = both();
        keep(&image, &new, "2.0.0").unwrap();
        put(&new, &image).unwrap();
        for _ in 0..3 {
            let Start::First(mut file) = Start::of(&image) else { panic!("it is the first one again") };
            take_back(&mut file).unwrap();
        }
        let Start::First(file) = Start::of(&image) else { panic!("it is the first one again") };
        // What a fork leaves in a child until it runs its program: it holds nothing that this start has let go.
        let _of_a_child = file.try_clone().unwrap();
        drop(file);
        assert!(matches!(Start::of(&image), Start::PutBack));
    }

    /// What is there after each step, as a kill leaves it.
    #[test]
    fn a_kill_between_any_two_steps_leaves_one_that_the_next_start_knows() {
        // Before the file: a second name, or half a copy.
        let (folder, image, new) = both();
        fs::write(beside(&image, "old"), "ol").unwrap();
        assert!(matches!(Start::of(&image), Start::Usual));
        // The next update begins anew.
        keep(&image, &new, "2.0.0").unwrap();
        // With the file, before the rename; and with half of the file.
        let whole = fs::read_to_string(beside(&image, "trial")).unwrap();
        for part in [0, 1, whole.len() / 2, whole.len() - 2, whole.len()] {
            fs::write(beside(&image, "trial"), &whole[..part]).unwrap();
            fs::write(beside(&image, "old"), "old").unwrap();
            assert!(matches!(Start::of(&image), Start::Usual), "{part}");
            assert_eq!((holds(&image), names(&folder).len()), ("old".to_owned(), 2), "{part}");
        }
        // In the middle of the line of a start, and of that of putting back.
        for after in ["s", "started", "started\n", "started\n\nba", "started\n\nback\n"] {
            let (_folder, image, new) = both();
            keep(&image, &new, "2.0.0").unwrap();
            put(&new, &image).unwrap();
            let mut file = fs::OpenOptions::new().append(true).open(beside(&image, "trial")).unwrap();
            file.write_all(after.as_bytes()).unwrap();
            drop(file);
            assert!(matches!(Start::of(&image), Start::PutBack), "{after}");
            assert_eq!(holds(&image), "old");
            assert!(matches!(Start::of(&image), Start::Back(_)), "{after}");
        }
    }

    #[test]
    fn without_the_old_one_the_new_one_is_tried_again_and_no_start_is_a_loop() {
        let (folder, image, new) = both();
        keep(&image, &new, "2.0.0").unwrap();
        put(&new, &image).unwrap();
        drop(Start::of(&image));
        fs::remove_file(beside(&image, "old")).unwrap();
        assert!(matches!(Start::of(&image), Start::Usual));
        assert_eq!((holds(&image), names(&folder).len()), ("the new one".to_owned(), 1));
    }

    #[test]
    fn another_one_that_a_person_put_there_is_not_replaced() {
        let (folder, image, new) = both();
        keep(&image, &new, "2.0.0").unwrap();
        put(&new, &image).unwrap();
        drop(Start::of(&image));
        fs::write(&new, "one of their own").unwrap();
        put(&new, &image).unwrap();
        assert!(matches!(Start::of(&image), Start::Usual));
        assert_eq!((holds(&image), names(&folder).len()), ("one of their own".to_owned(), 1));
    }
}
