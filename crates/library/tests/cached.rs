//! A library that begins with what an earlier start cached is the library that one without a cache reads, whatever happened
//! in between, also where every time was put back.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::{
    fs::{self, File, FileTimes},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use library::{Library, Reading, Root, walk::Scope};
use tempfile::TempDir;

/// Longer than a file is too young to be believed.
const SETTLED: Duration = Duration::from_millis(3_200);
const SKILLS: usize = 24;

struct Disk {
    folder: TempDir,
    seed: u64,
}

impl Disk {
    fn new(seed: u64) -> Self {
        let disk = Self { folder: tempfile::tempdir().unwrap(), seed };
        for skill in 0..SKILLS {
            let folder = disk.root().join(format!("skill-{skill}"));
            fs::create_dir_all(folder.join("references/deep")).unwrap();
            fs::write(folder.join("SKILL.md"), text(&format!("skill-{skill}"), skill)).unwrap();
            fs::write(folder.join("references/a.md"), "A.\n").unwrap();
            fs::write(folder.join("references/deep/b.md"), "B.\n").unwrap();
        }
        fs::create_dir_all(disk.root().join("skills/.curated/tea")).unwrap();
        fs::write(disk.root().join("skills/.curated/tea/SKILL.md"), text("tea", 1)).unwrap();
        disk
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("library")
    }

    fn roots(&self) -> Vec<Root> {
        vec![Root { id: "own".to_owned(), path: self.root(), made_later: false }]
    }

    fn any(&mut self, below: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        usize::try_from(self.seed % below as u64).unwrap()
    }

    /// A file or folder of the library that is there.
    fn pick(&mut self, wanted: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        let (mut all, mut open) = (Vec::new(), vec![self.root()]);
        while let Some(at) = open.pop() {
            let mut entries: Vec<_> = fs::read_dir(&at).into_iter().flatten().flatten().map(|one| one.path()).collect();
            entries.sort();
            open.extend(entries.iter().filter(|path| path.is_dir() && !path.is_symlink()).cloned());
            all.extend(entries.into_iter().filter(|path| wanted(path)));
        }
        (!all.is_empty()).then(|| all[self.any(all.len())].clone())
    }

    /// One thing that may happen between two starts, with each time put back that a program can put back.
    fn step(&mut self) -> &'static str {
        let root = self.root();
        let plain = |path: &Path| path.is_file() && !path.is_symlink();
        let is_folder = |path: &Path| path.is_dir() && !path.is_symlink();
        let number = self.any(1_000_000);
        let what = self.any(13);
        let (file, folder) = (self.pick(plain), self.pick(is_folder));
        let (other, elsewhere) = (self.pick(plain), self.pick(is_folder));
        let (Some(file), Some(folder), Some(other), Some(elsewhere)) = (file, folder, other, elsewhere) else {
            fs::create_dir_all(root.join(format!("new-{number}"))).unwrap();
            fs::write(root.join(format!("new-{number}/SKILL.md")), text("new", number)).unwrap();
            return "a skill where nothing was";
        };
        let back = [&file, &folder, &other, &elsewhere, &root].map(|path| times(path));
        let (fresh, aside) = (root.join(format!("new-{number}")), self.folder.path().join(format!("aside-{number}")));
        let done = match what {
            0 => {
                fs::write(&file, text("edited", number)).unwrap();
                "a file is edited"
            }
            1 => {
                // The same size and, a moment later, the same time.
                let mut bytes = fs::read(&file).unwrap();
                let at = self.any(bytes.len().max(1));
                bytes.get_mut(at).into_iter().for_each(|byte| *byte = b'a' + (*byte).wrapping_add(1) % 26);
                fs::write(&file, bytes).unwrap();
                "a byte of a file is another"
            }
            2 => {
                drop(fs::rename(&file, file.with_file_name(format!("moved-{number}.md"))));
                "a file has another name"
            }
            3 => {
                drop(fs::rename(&folder, folder.with_file_name(format!("moved-{number}"))));
                "a folder has another name"
            }
            4 => {
                // Two files trade places.
                fs::rename(&file, &aside)
                    .and_then(|()| fs::rename(&other, &file))
                    .and_then(|()| fs::rename(&aside, &other))
                    .ok();
                "two files trade places"
            }
            5 => {
                let _ = fs::rename(&folder, &aside).is_ok()
                    && (elsewhere.starts_with(&folder) || fs::rename(&elsewhere, &folder).is_ok());
                drop(fs::rename(&aside, if elsewhere.exists() { &folder } else { &elsewhere }));
                "two folders trade places"
            }
            6 => {
                // Another file of the same size takes its place.
                let bytes: Vec<u8> = fs::read(&file).unwrap().iter().map(|byte| byte ^ 1).collect();
                fs::write(&aside, bytes).unwrap();
                fs::rename(&aside, &file).unwrap();
                "another file takes a file's place"
            }
            7 => {
                fs::remove_file(&file).unwrap();
                "a file goes"
            }
            8 => {
                fs::create_dir_all(fresh.join("references")).unwrap();
                fs::write(fresh.join("SKILL.md"), text("new", number)).unwrap();
                fs::write(fresh.join("references/c.md"), "C.\n").unwrap();
                "a skill comes"
            }
            9 => {
                fs::remove_file(&file).unwrap();
                symlink(&other, &file).unwrap();
                "a file becomes a link"
            }
            10 => {
                drop(symlink(&folder, elsewhere.join(format!("link-{number}"))));
                "a link to a folder comes"
            }
            11 => {
                drop(fs::hard_link(&file, elsewhere.join(format!("twin-{number}.md"))));
                "a file gets a second name"
            }
            _ => {
                let mode = if number.is_multiple_of(2) { 0o755 } else { 0o644 };
                fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
                "a file's rights change"
            }
        };
        for (path, time) in [&file, &folder, &other, &elsewhere, &root].into_iter().zip(back) {
            if let (Ok(file), Some(time)) = (File::open(path), time) {
                drop(file.set_times(FileTimes::new().set_modified(time).set_accessed(time)));
            }
        }
        done
    }
}

fn text(name: &str, number: usize) -> String {
    // Some have problems, some a fix, and some what is not cached.
    let more = match number % 5 {
        0 => "description: Use when: tea is wanted\n".to_owned(),
        1 => "description: Makes tea. Use when tea is wanted.\ntags: [hot]\nversion: 1\n".to_owned(),
        2 => format!(
            "description: Makes tea.\nx-personal-mcp:\n  id: {name}\n  version: 1.0.{number}\n  capabilities: [resource://skills/{name}/document]\n"
        ),
        3 => "description: d\nodd: [1, 2]\n".to_owned(),
        _ => "description: Reads [more](references/gone.md).\n".to_owned(),
    };
    format!("---\nname: {name}\n{more}---\n# {number}\n\nBoil water.\n")
}

fn times(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// Everything that a reading says.
fn said(reading: Option<Arc<Reading>>) -> String {
    let reading = reading.expect("the first sweep reads");
    let folder = reading.folder("own").unwrap();
    format!("{:#?}", (&folder.skills, &folder.trouble, &folder.remarks))
}

fn cold(disk: &Disk) -> String {
    said(Library::default().sweep(&disk.roots(), &Scope::All))
}

fn cached(disk: &Disk) -> Vec<u8> {
    let mut library = Library::default();
    library.sweep(&disk.roots(), &Scope::All);
    library.cache()
}

/// A start with this cache, and how many skills it took from it.
fn warm(disk: &Disk, cache: &[u8]) -> String {
    let mut library = Library::default();
    library.begin_with(cache);
    said(library.sweep(&disk.roots(), &Scope::All))
}

#[test]
fn a_start_with_a_cache_reads_what_a_start_without_one_reads_whatever_happened() {
    let steps = if std::env::var("SKILLTENDER_LONG").is_ok_and(|long| long == "1") { 5_000 } else { 200 };
    let mut disk = Disk::new(0x9e37_79b9_7f4a_7c15);
    thread::sleep(SETTLED);
    let mut cache = cached(&disk);
    assert!(Library::default().begin_with(&cache));
    for step in 0..steps {
        if step % 100 == 99 {
            // What came meanwhile is old enough to be cached, too.
            thread::sleep(SETTLED);
            cache = cached(&disk);
        }
        let done = disk.step();
        let (warm, cold) = (warm(&disk, &cache), cold(&disk));
        assert!(warm == cold, "step {step}, {done}:\n{}", difference(&warm, &cold));
    }
}

fn difference(one: &str, other: &str) -> String {
    let lines = one.lines().zip(other.lines()).filter(|(one, other)| one != other);
    lines.take(10).map(|(one, other)| format!("- {one}\n+ {other}\n")).collect()
}

#[test]
fn what_is_unchanged_comes_from_the_cache_and_nothing_else_does() {
    let disk = Disk::new(1);
    thread::sleep(SETTLED);
    let cache = cached(&disk);
    let read = Arc::new(AtomicU32::new(0));
    let mut library = Library::counting(Arc::clone(&read));
    assert!(library.begin_with(&cache));
    let reading = library.sweep(&disk.roots(), &Scope::All);
    assert_eq!(reading.unwrap().folder("own").unwrap().skills.len(), SKILLS + 1);
    assert_eq!(read.load(Ordering::Relaxed), u32::try_from(SKILLS + 1).unwrap());
    // A second sweep finds nothing new, as after a start without a cache.
    assert!(library.sweep(&disk.roots(), &Scope::All).is_none());
    assert!(library.watched(false).is_some(), "what is to be watched is known");
    // What it knows is what it began with: a third start begins where the second did.
    assert!(library.cache() == cache);
}

#[test]
fn a_cache_with_one_odd_byte_is_none() {
    let mut disk = Disk::new(2);
    thread::sleep(SETTLED);
    let (cache, expected) = (cached(&disk), cold(&disk));
    for _ in 0..200 {
        let (mut odd, at, bit) = (cache.clone(), disk.any(cache.len()), disk.any(8));
        odd[at] ^= 1 << bit;
        let mut library = Library::default();
        assert!(!library.begin_with(&odd), "byte {at}, bit {bit}");
        assert!(said(library.sweep(&disk.roots(), &Scope::All)) == expected);
    }
    for length in (0..cache.len()).step_by(cache.len() / 200 + 1) {
        assert!(!Library::default().begin_with(&cache[..length]), "{length} bytes");
    }
    let longer = [&cache[..], b"x"].concat();
    assert!(!Library::default().begin_with(&longer));
    let mut library = Library::default();
    library.sweep(&disk.roots(), &Scope::All);
    assert!(!library.begin_with(&cache), "it knows better");
}

#[test]
fn a_cache_of_another_folder_says_nothing_of_this_one() {
    let (one, other) = (Disk::new(3), Disk::new(4));
    fs::remove_dir_all(other.root().join("skill-3")).unwrap();
    thread::sleep(SETTLED);
    let cache = cached(&one);
    assert!(warm(&other, &cache) == cold(&other));
    // The same folder, moved to where the other was.
    fs::rename(one.root(), one.folder.path().join("moved")).unwrap();
    fs::rename(other.root(), one.root()).unwrap();
    assert!(warm(&one, &cache) == cold(&one));
}
