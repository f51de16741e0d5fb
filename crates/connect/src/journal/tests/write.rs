//! One write of a client's file in a process of its own, which strace can kill, stop, and give errors at any system
//! call: the journal record, the file, and everything else.

use std::{
    collections::HashMap,
    env,
    ffi::OsStr,
    fs::{self, File},
    io::{Read as _, Seek as _, Write as _},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio, exit},
    thread,
};

use files::{
    digest,
    replace_file::{Attributes, ReplaceError, replace},
};
use tests::able::run;

use crate::journal::{self, Record};

pub(super) const OLD: &[u8] = b"{\n  \"theirs\": [1, 2, 3]\n}\n";
pub(super) const NEW: &[u8] = b"{\n  \"theirs\": [1, 2, 3],\n  \"skilltender\": {}\n}\n";

/// The calls that concern files. Memory is private to the process.
const CALLS: &str = "%file,%desc";
const STAGE: &str = "SKILLTENDER_TEST_STAGE";
const KIND: &str = "SKILLTENDER_TEST_KIND";

/// The operation on the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Create,
    Change,
    /// A change through a symbolic link in another folder.
    Link,
    Delete,
    /// A change of a file with another mode, an access list and an extended attribute.
    Carried,
}

pub(super) const KINDS: [Kind; 5] = [Kind::Create, Kind::Change, Kind::Link, Kind::Delete, Kind::Carried];

impl Kind {
    pub(super) fn before(self) -> Option<&'static [u8]> {
        (self != Self::Create).then_some(OLD)
    }

    pub(super) fn after(self) -> Option<&'static [u8]> {
        (self != Self::Delete).then_some(NEW)
    }
}

/// A home with one client's file, and our own folder.
pub(super) struct Stage {
    folder: tempfile::TempDir,
    kind: Kind,
    /// The file's metadata.
    carried: Option<Attributes>,
}

impl Stage {
    pub(super) fn new(kind: Kind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["theirs", "home", "data"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mut stage = Self { folder, kind, carried: None };
        if let Some(bytes) = kind.before() {
            fs::write(stage.target(), bytes).unwrap();
        }
        if kind == Kind::Link {
            symlink("../theirs/mcp.json", stage.path()).unwrap();
        }
        if kind == Kind::Carried {
            for (tool, words) in
                [("setfacl", ["-m", "u:12345:r,g:23456:rw"]), ("setfattr", ["--name=user.note", "--value=theirs"])]
            {
                run(Command::new(tool).args(words).arg(stage.target()));
            }
        }
        stage.carried = stage.carries();
        stage
    }

    /// The file's path as the client names it.
    pub(super) fn path(&self) -> PathBuf {
        path(self.folder.path(), self.kind)
    }

    /// The path of the file itself.
    pub(super) fn target(&self) -> PathBuf {
        self.folder.path().join("theirs/mcp.json")
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The current contents of the file.
    pub(super) fn holds(&self) -> Option<Vec<u8>> {
        fs::read(self.target()).ok()
    }

    /// The other files next to it.
    pub(super) fn beside(&self) -> Vec<PathBuf> {
        let there = fs::read_dir(self.folder.path().join("theirs")).unwrap().map(|entry| entry.unwrap().path());
        there.filter(|path| *path != self.target()).collect()
    }

    /// Whether the metadata is unchanged.
    pub(super) fn is_carried(&self) -> bool {
        self.carried.is_none() || self.carried == self.carries()
    }

    fn carries(&self) -> Option<Attributes> {
        let file = File::open(self.target()).ok()?;
        Some(Attributes::of(&file, &file.metadata().unwrap()).unwrap())
    }

    /// The journal's record of a change of this file.
    pub(super) fn record(&self) -> Option<Record> {
        journal::last(&self.data(), "client", &self.path())
    }

    /// Asserts that after the next start the journal is correct and nothing of ours is left over.
    pub(super) fn recovers(&self, case: &str) {
        assert!(self.beside().len() <= 1, "{case}: {:?}", self.beside());
        assert_eq!(journal::recover(&self.data()), [""; 0], "{case}");
        assert_eq!(self.beside(), [""; 0].map(PathBuf::from), "{case}: after the next start");
        let made = self.holds().as_deref() == self.kind.after();
        assert_eq!(self.record().is_some(), made, "{case}: the journal tells the truth");
        let inside = |name: &str| fs::read_dir(self.data().join(name)).into_iter().flatten().map(Result::unwrap);
        assert_eq!(inside("writing").count(), 0, "{case}: nothing is left to recover");
        let kept: Vec<_> = inside("journal/client").map(|entry| entry.file_name()).collect();
        let before = usize::from(made && self.kind.before().is_some());
        assert_eq!(kept.len(), usize::from(made) + before, "{case}: in the journal are {kept:?}");
    }

    /// The write in its own process, under strace with these options; strace writes to `trace`.
    pub(super) fn under_strace<S: AsRef<OsStr>>(&self, trace: &Path, options: impl IntoIterator<Item = S>) -> Command {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o"]).arg(trace).args(options).arg("--").arg(env::current_exe().unwrap());
        strace.args(["--exact", "journal::tests::write::the_inner_half", "--include-ignored", "--nocapture"]);
        // Every library would be looked for in the folders that cargo sets.
        strace.env_remove("LD_LIBRARY_PATH").env(STAGE, self.folder.path()).env(KIND, format!("{:?}", self.kind));
        strace.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        strace
    }

    pub(super) fn trace(&self) -> PathBuf {
        self.folder.path().join("trace")
    }
}

fn path(folder: &Path, kind: Kind) -> PathBuf {
    folder.join(if kind == Kind::Link { "home/mcp.json" } else { "theirs/mcp.json" })
}

/// One system call of a write: its name, and its ordinal among those of that name.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) ordinal: usize,
    /// As printed by strace.
    pub(super) line: String,
}

impl Call {
    /// Whether it changes nothing.
    pub(super) fn only_asks(&self) -> bool {
        let asks = ["statx", "newfstatat", "fcntl", "lseek", "read", "readlink", "getdents64"];
        asks.contains(&&*self.name) && !self.line.contains("LEASE")
    }
}

/// The system calls of one write, in order.
pub(super) fn calls(kind: Kind) -> Vec<Call> {
    let stage = Stage::new(kind);
    let filter = format!("trace={CALLS},sched_yield");
    run(&mut stage.under_strace(&stage.trace(), ["-e", &filter]));
    let trace = fs::read_to_string(stage.trace()).unwrap();
    let lines = trace.lines().filter_map(|line| line.split_once(char::is_whitespace));
    let lines: Vec<_> = lines.map(|(thread, call)| (thread, call.trim())).collect();
    let ours = lines.iter().find(|(_, call)| call.starts_with("sched_yield")).unwrap().0;
    let mut counts: HashMap<(bool, &str), usize> = HashMap::new();
    let (mut calls, mut within) = (Vec::new(), 0);
    for (thread, line) in lines {
        let Some((name, _)) = line.split_once('(') else { continue };
        within += usize::from(name == "sched_yield");
        let count = counts.entry((thread == ours, name)).or_default();
        *count += 1;
        if within == 1 && thread == ours && !["sched_yield", "mmap"].contains(&name) {
            calls.push(Call { name: name.to_owned(), ordinal: *count, line: line.to_owned() });
        }
    }
    // strace counts the calls of each thread separately, and the main thread's must not be affected.
    for call in &calls {
        let of_others = counts.get(&(false, &call.name)).copied().unwrap_or_default();
        assert!(call.ordinal > of_others, "{} is not told from another thread's", call.line);
    }
    assert!(calls.len() > 20, "{calls:?}");
    calls
}

/// The outcome of a write, and its output.
#[derive(Debug)]
pub(super) struct Answer {
    /// `None` when it was killed.
    pub(super) code: Option<i32>,
    pub(super) said: String,
}

/// Runs a write with one injection into one of its calls, such as `signal=KILL`.
pub(super) fn write_with(stage: &Stage, call: &Call, injected: &str) -> Answer {
    let inject = format!("inject={}:{injected}:when={}", call.name, call.ordinal);
    let trace = format!("trace={}", call.name);
    let output = stage.under_strace(&stage.trace(), ["-e", &trace, "-e", &inject]).output().unwrap();
    Answer { code: output.status.code(), said: String::from_utf8_lossy(&output.stderr).trim().to_owned() }
}

#[test]
#[ignore = "the inner half of other tests"]
fn the_inner_half() {
    let (Some(folder), Ok(kind)) = (env::var_os(STAGE), env::var(KIND)) else { return };
    let kind = *KINDS.iter().find(|known| format!("{known:?}") == kind).unwrap();
    let folder = PathBuf::from(folder);
    count_up();
    thread::yield_now();
    let written = write(&folder, kind);
    thread::yield_now();
    if let Err(error) = written {
        eprintln_and_exit(&error.to_string());
    }
    exit(0);
}

#[expect(clippy::print_stderr, reason = "the outer half reads it")]
fn eprintln_and_exit(sentence: &str) -> ! {
    eprintln!("{sentence}");
    exit(1);
}

/// Makes more calls of each kind than the main thread does.
fn count_up() {
    for _ in 0..64 {
        let mut null = File::options().read(true).write(true).open("/dev/null").unwrap();
        null.metadata().unwrap();
        null.write_all(b"x").unwrap();
        assert_eq!(null.read(&mut [0]).unwrap(), 0);
    }
    for _ in 0..16 {
        assert!(fs::read_link("/dev/null").is_err());
        drop(fs::read_dir("/").unwrap());
        let mut null = File::open("/dev/null").unwrap();
        null.rewind().unwrap();
        let _ = rustix::fs::ioctl_getflags(&null);
        let _ = rustix::io::fcntl_getfd(&null);
    }
}

/// Writes in the same way as `connect`.
fn write(folder: &Path, kind: Kind) -> Result<(), ReplaceError> {
    let (path, before, after) = (path(folder, kind), kind.before(), kind.after());
    let record = Record {
        path: path.clone(),
        time: 1_000,
        before: before.map(digest),
        after: after.map(digest),
        added: None,
        change: String::new(),
        project: None,
        switched: Vec::new(),
        ..Record::default()
    };
    journal::keep(&folder.join("data"), "client", record, before)
        .and_then(|kept| replace(&path, before, after).inspect_err(|_| kept.withdraw()))
}
