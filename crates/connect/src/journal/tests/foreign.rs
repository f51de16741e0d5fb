//! Other programs that save the file during our write.

use std::{
    collections::BTreeSet,
    fs,
    io::{Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use files::replace_file::{ReplaceError, read, replace};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tests::able::has;

use super::{
    super::recover,
    each,
    write::{Call, KINDS, Kind, Stage, calls},
};

const THEIRS: &[u8] = b"{\n  \"theirs\": [1, 2, 3, 4]\n}\n";

/// How another program saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Opens the file, truncates it, writes.
    InPlace,
    /// Writes another file and renames it.
    Rename,
}

impl Style {
    fn save(self, path: &Path, bytes: &[u8]) {
        match self {
            Self::InPlace => fs::write(path, bytes).unwrap(),
            Self::Rename => {
                let other = tempfile::NamedTempFile::new_in(path.parent().unwrap().parent().unwrap()).unwrap();
                fs::write(other.path(), bytes).unwrap();
                other.persist(path).unwrap();
            }
        }
    }
}

#[test]
#[ignore = "takes a while: `cargo xtask test` runs it"]
fn what_another_program_saves_at_any_moment_is_never_lost() {
    if !has(&["strace", "setfacl", "setfattr"]) {
        return;
    }
    let styles = [Style::InPlace, Style::Rename];
    let mut cases = Vec::new();
    for kind in KINDS {
        for (index, call) in calls(kind).into_iter().enumerate() {
            // For a query, the moments before and after it are equivalent.
            let styles = if call.only_asks() { &styles[index % 2..][..1] } else { &styles[..] };
            cases.extend(styles.iter().map(|style| (kind, call.clone(), *style)));
        }
    }
    each(&cases, |(kind, call, style)| stopped(*kind, call, *style));
}

/// Stops a write at one call, lets another program save in the meantime, and then continues the write.
fn stopped(kind: Kind, call: &Call, style: Style) {
    let case = format!("{kind:?}, {style:?} at {}", call.line);
    let stage = Stage::new(kind);
    let inject = format!("inject={}:signal=STOP:when={}", call.name, call.ordinal);
    let options = ["-e", &format!("trace={}", call.name), "-e", &inject];
    let writing = stage.under_strace(&stage.trace(), options).spawn().unwrap();
    let pid = stopped_process(&stage);
    thread::scope(|scope| {
        let target = stage.target();
        let saving = scope.spawn(move || style.save(&target, THEIRS));
        // A save that waits for our lease continues when we do.
        for _ in 0..20 {
            if saving.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args(["-CONT", &pid]).status().unwrap().success());
    });
    let output = writing.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{case}: {output:?}");
    assert_eq!(stage.beside().len(), 0, "{case}: {said}");
    assert_eq!(stage.holds().as_deref(), Some(THEIRS), "{case}: {said}");
    assert_eq!(recover(&stage.data()), [""; 0], "{case}");
    assert_eq!(stage.record().is_some(), output.status.success(), "{case}: the journal tells the truth, {said}");
}

/// Waits until strace reports the write as stopped; returns the stopped process.
fn stopped_process(stage: &Stage) -> String {
    loop {
        let trace = fs::read_to_string(stage.trace()).unwrap_or_default();
        if let Some(line) = trace.lines().find(|line| line.contains("stopped by SIGSTOP")) {
            return line.split_whitespace().next().unwrap().to_owned();
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The number of other programs, and of our writers.
const EACH: usize = 8;
const SAVES: usize = 30;

/// Other programs and ours that save one file as fast as they can. Every version has unique bytes, and each writer
/// knows which version it replaces, so no loss can go unnoticed.
struct Race {
    path: PathBuf,
    /// Other programs take turns, or they would lose each other's saves.
    turn: Mutex<()>,
    /// Every version whose save was confirmed.
    saved: Mutex<BTreeSet<Vec<u8>>>,
    /// Every version that a save replaced.
    gone: Mutex<BTreeSet<Vec<u8>>>,
    /// The paths at which we reported a version.
    kept: Mutex<BTreeSet<PathBuf>>,
    at_work: AtomicUsize,
    /// How many of our saves were confirmed.
    ours: AtomicUsize,
}

impl Race {
    fn note(&self, saved: Vec<u8>, gone: Vec<u8>) {
        self.saved.lock().unwrap().insert(saved);
        self.gone.lock().unwrap().insert(gone);
    }

    /// Another program.
    fn they(&self, number: usize, style: Style) {
        for round in 0..SAVES {
            // They are many times faster than we are, so they wait for us now and then.
            while self.ours.load(Ordering::SeqCst) < round / 5 {
                thread::yield_now();
            }
            let _turn = self.turn.lock().unwrap();
            let bytes = format!("they {number} {round}\n").into_bytes();
            let gone = match style {
                Style::InPlace => overwrite(&self.path, &bytes),
                Style::Rename => {
                    let other = self.path.parent().unwrap().with_file_name(format!("they-{number}"));
                    fs::write(&other, &bytes).unwrap();
                    // Like a rename, but the replaced file can be read.
                    renameat_with(CWD, &other, CWD, &self.path, RenameFlags::EXCHANGE).unwrap();
                    fs::read(&other).unwrap()
                }
            };
            self.note(bytes, gone);
        }
        self.at_work.fetch_sub(1, Ordering::SeqCst);
    }

    /// Our program, until the others are done.
    fn we(&self, number: usize) {
        for round in 0.. {
            if self.at_work.load(Ordering::SeqCst) == 0 {
                return;
            }
            let before = read(&self.path, 1 << 20).unwrap().unwrap();
            let after = format!("we {number} {round}\n").into_bytes();
            match replace(&self.path, Some(&before), Some(&after)) {
                Ok(()) => {
                    self.note(after, before);
                    self.ours.fetch_add(1, Ordering::SeqCst);
                }
                Err(ReplaceError::Changed(_) | ReplaceError::InUse(_) | ReplaceError::Taken(_)) => {}
                Err(ReplaceError::Displaced { kept, .. }) => drop(self.kept.lock().unwrap().insert(kept)),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Writes to a file in place, and returns its previous contents.
fn overwrite(path: &Path, bytes: &[u8]) -> Vec<u8> {
    let mut file = fs::File::options().read(true).write(true).open(path).unwrap();
    let mut gone = Vec::new();
    file.read_to_end(&mut gone).unwrap();
    file.set_len(0).unwrap();
    file.rewind().unwrap();
    file.write_all(bytes).unwrap();
    gone
}

fn race(styles: &[Style]) {
    let folder = tempfile::tempdir().unwrap();
    let theirs = folder.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    let race = Race {
        path: theirs.join("file"),
        turn: Mutex::default(),
        saved: Mutex::default(),
        gone: Mutex::default(),
        kept: Mutex::default(),
        at_work: AtomicUsize::new(EACH),
        ours: AtomicUsize::default(),
    };
    fs::write(&race.path, "begin\n").unwrap();
    thread::scope(|scope| {
        let race = &race;
        for (number, style) in styles.iter().cycle().take(EACH).enumerate() {
            scope.spawn(move || race.they(number, *style));
            scope.spawn(move || race.we(number));
        }
    });
    let kept = race.kept.into_inner().unwrap();
    let beside = fs::read_dir(&theirs).unwrap().map(|entry| entry.unwrap().path()).filter(|path| *path != race.path);
    assert_eq!(beside.collect::<BTreeSet<_>>(), kept, "beside the file is what was told, and no more");

    let (saved, mut seen) = (race.saved.into_inner().unwrap(), race.gone.into_inner().unwrap());
    seen.insert(fs::read(&race.path).unwrap());
    seen.extend(kept.iter().map(|kept| fs::read(kept).unwrap()));
    let lost: Vec<_> = saved.difference(&seen).map(|bytes| String::from_utf8_lossy(bytes)).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
}

#[test]
fn eight_programs_that_rename_and_eight_of_ours_lose_nothing() {
    race(&[Style::Rename]);
}

#[test]
fn eight_programs_that_write_in_place_or_rename_and_eight_of_ours_lose_nothing() {
    race(&[Style::InPlace, Style::Rename]);
}
