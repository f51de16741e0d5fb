//! The record of client calls: `audit/calls.jsonl`, one line of JSON per call with the name of the skill or file, no
//! other argument and never contents (decision 57). At most five files of 10 MB each; the oldest is dropped. Calls
//! answered while no engine writes go to a small record of their own (`alone`).
//!
//! How much of what is used is counted beside it (`usage`), for longer than the record lasts.
//!
//! A separate thread writes, so that no answer to a client waits for the disk. A line that cannot be written is lost
//! and the loss is logged: serving continues.

mod alone;
mod latest;
pub(crate) mod usage;

use std::{
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

pub(crate) use alone::latest_alone;
pub(crate) use latest::latest;
use machine::{clock, make_private, private, waiting};
use mcp::{CallTrouble, ClientEvent, Surface};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// The maximum size of one file, in bytes.
const LARGEST: u64 = 10 << 20;

/// How many files are kept: `calls.jsonl`, `calls.1.jsonl` (older) ... `calls.4.jsonl`.
const FILES: usize = 5;

/// How long calls are collected before they are written: at a thousand calls a second the thread wakes a hundred times.
const GATHER: Duration = Duration::from_millis(10);

/// The maximum recorded length of a name or URI, in characters: a client's invented names must not displace the rest of
/// the record.
const LONGEST: usize = 1_000;

/// Accepts lines for the record. Cheap to clone; the thread ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Audit {
    lines: mpsc::Sender<Line>,
}

/// A message to the thread.
enum Line {
    Call(Call),
    /// Answered once everything before it is written.
    Mark(oneshot::Sender<()>),
}

/// One call, as a line records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The client's id.
    pub(crate) client: String,
    /// The part of the server.
    pub(crate) surface: Surface,
    /// `tools/call`, `resources/read` ...
    pub(crate) method: String,
    /// The tool, prompt or URI.
    pub(crate) target: String,
    /// The id of the skill that `get_skill` was called for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) skill: Option<String>,
    /// Whether the client got what it asked for.
    pub(crate) ok: bool,
    /// Why it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<CallTrouble>,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
    /// The size of the request's parameters, in bytes.
    #[serde(rename = "in")]
    pub(crate) bytes_in: u64,
    /// The size of the answer, in bytes.
    #[serde(rename = "out")]
    pub(crate) bytes_out: u64,
}

impl From<Call> for api::Call {
    fn from(call: Call) -> Self {
        let Call { at, client, method, target, skill, ok, why, ms, bytes_out, .. } = call;
        let target = skill.map_or_else(|| target.clone(), |skill| format!("{target} {skill}"));
        Self { at, client, method, target, ok, why, ms, size: bytes_out }
    }
}

impl Call {
    /// The call that a note describes, if it describes one.
    pub(crate) fn of(note: &ClientEvent) -> Option<Self> {
        let ClientEvent::Called { caller, surface, method, target, skill, ok, why, took, bytes_in, bytes_out } = note
        else {
            return None;
        };
        Some(Self {
            at: clock::now(),
            client: caller.client.clone(),
            surface: *surface,
            method: method.clone(),
            target: target.chars().take(LONGEST).collect(),
            skill: skill.clone(),
            ok: *ok,
            why: *why,
            ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            bytes_in: *bytes_in,
            bytes_out: *bytes_out,
        })
    }
}

impl Audit {
    /// Starts the record in `folder`.
    ///
    /// # Errors
    /// When the folder or its newest file cannot be created.
    pub(crate) fn start(folder: &Path) -> io::Result<Self> {
        make_private(folder)?;
        let mut record = Record::open(folder.to_path_buf(), LARGEST)?;
        let (lines, told) = mpsc::channel();
        thread::Builder::new().name("audit".to_owned()).spawn(move || {
            while let Ok(first) = told.recv() {
                thread::sleep(GATHER);
                let mut marks = Vec::new();
                for line in std::iter::once(first).chain(told.try_iter()) {
                    match line {
                        Line::Call(call) => record.say_if_lost(|record| record.add(&call)),
                        Line::Mark(mark) => marks.push(mark),
                    }
                }
                record.say_if_lost(Record::write);
                for mark in marks {
                    // The waiter may be gone.
                    mark.send(()).ok();
                }
            }
        })?;
        Ok(Self { lines })
    }

    /// Starts the record of an engine that answers one client while no engine writes. Creates nothing before the first
    /// call.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub(crate) fn start_alone(folder: PathBuf) -> io::Result<Self> {
        let (lines, told) = mpsc::channel();
        thread::Builder::new().name("audit".to_owned()).spawn(move || {
            let mut said = false;
            for line in told {
                match line {
                    Line::Call(call) => {
                        if let Err(error) = alone::add(&folder, &call)
                            && !std::mem::replace(&mut said, true)
                        {
                            tracing::warn!("Calls cannot be recorded in {}: {error}.", folder.display());
                        }
                    }
                    // The waiter may be gone.
                    Line::Mark(mark) => drop(mark.send(())),
                }
            }
        })?;
        Ok(Self { lines })
    }

    /// Records a call.
    pub(crate) fn write(&self, call: Call) {
        // Fails only when the thread has ended; the call is lost then.
        drop(self.lines.send(Line::Call(call)));
    }

    /// Waits until everything recorded so far is in the file.
    pub(crate) async fn flush(&self) {
        let (mark, reached) = oneshot::channel();
        drop(self.lines.send(Line::Mark(mark)));
        // An error means that the thread has ended, with nothing left to write.
        drop(reached.await);
    }
}

/// The files.
struct Record {
    folder: PathBuf,
    newest: File,
    /// Including the unwritten lines.
    size: u64,
    unwritten: Vec<u8>,
    largest: u64,
    /// Whether the loss of calls was logged, with none written since.
    said: bool,
}

impl Record {
    fn open(folder: PathBuf, largest: u64) -> io::Result<Self> {
        let mut newest = private().create(true).append(true).read(true).open(file(&folder, 0))?;
        let mut size = newest.metadata()?.len();
        if size > 0 && !ends_with_line(&mut newest)? {
            // A previous process was killed in the middle of a line, which ends here.
            newest.write_all(b"\n")?;
            size += 1;
        }
        Ok(Self { folder, newest, size, unwritten: Vec::new(), largest, said: false })
    }

    fn add(&mut self, call: &Call) -> io::Result<()> {
        let line = serde_json::to_vec(call)?;
        let length = line.len() as u64 + 1;
        if self.size > 0 && self.size + length > self.largest {
            self.write()?;
            self.turn_over()?;
        }
        self.unwritten.extend(line);
        self.unwritten.push(b'\n');
        self.size += length;
        Ok(())
    }

    /// Writes the unwritten lines. If they do not fit, the file is cut back, so that it holds only whole lines.
    fn write(&mut self) -> io::Result<()> {
        let unwritten = std::mem::take(&mut self.unwritten);
        if unwritten.is_empty() {
            return Ok(());
        }
        waiting::for_disk(&self.folder);
        let whole = self.newest.metadata()?.len();
        let written = self.newest.write_all(&unwritten);
        match &written {
            Ok(()) => self.said = false,
            Err(_) => self.cut_back(whole)?,
        }
        written
    }

    /// Cuts the newest file to this length, with a handle of its own: Windows lets no handle that only appends do this.
    fn cut_back(&mut self, length: u64) -> io::Result<()> {
        private().write(true).open(file(&self.folder, 0))?.set_len(length)?;
        self.size = length;
        Ok(())
    }

    /// Logs once that calls are lost, until one is recorded again.
    fn say_if_lost(&mut self, act: impl FnOnce(&mut Self) -> io::Result<()>) {
        if let Err(error) = act(self)
            && !std::mem::replace(&mut self.said, true)
        {
            tracing::warn!("Calls cannot be recorded in {}: {error}.", self.folder.display());
        }
    }

    /// Renames every file to the next older name; the oldest is overwritten.
    fn turn_over(&mut self) -> io::Result<()> {
        for age in (0..FILES - 1).rev() {
            match fs::rename(file(&self.folder, age), file(&self.folder, age + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        *self = Self { said: self.said, ..Self::open(self.folder.clone(), self.largest)? };
        Ok(())
    }
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn file(folder: &Path, age: usize) -> PathBuf {
    folder.join(if age == 0 { "calls.jsonl".to_owned() } else { format!("calls.{age}.jsonl") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(target: &str) -> Call {
        Call {
            at: 1_795_228_800_000,
            client: "codex".to_owned(),
            surface: Surface::Tools,
            method: "tools/call".to_owned(),
            target: target.to_owned(),
            skill: (target == "get_skill").then(|| "tea".to_owned()),
            ok: true,
            why: None,
            ms: 3,
            bytes_in: 40,
            bytes_out: 812,
        }
    }

    #[test]
    fn a_call_is_one_line_with_the_name_of_its_skill_and_no_other_argument() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = Record::open(folder.path().to_path_buf(), LARGEST).unwrap();
        record.add(&call("get_skill")).and_then(|()| record.write()).unwrap();
        assert_eq!(
            fs::read_to_string(folder.path().join("calls.jsonl")).unwrap(),
            "{\"at\":1795228800000,\"client\":\"codex\",\"surface\":\"tools\",\"method\":\"tools/call\",\"target\":\"get_skill\",\"skill\":\"tea\",\"ok\":true,\"ms\":3,\"in\":40,\"out\":812}\n"
        );
    }

    #[test]
    fn an_endless_name_is_recorded_only_in_part() {
        let note = ClientEvent::Called {
            caller: mcp::Caller::of("codex"),
            surface: Surface::Resources,
            method: "resources/read".to_owned(),
            target: "ä".repeat(LONGEST + 1),
            skill: None,
            ok: false,
            why: Some(CallTrouble::NotThere),
            took: std::time::Duration::ZERO,
            bytes_in: 0,
            bytes_out: 0,
        };
        let call = Call::of(&note).unwrap();
        assert_eq!(call.target, "ä".repeat(LONGEST));
        assert!(serde_json::to_string(&call).unwrap().contains("\"why\":\"not-there\""), "why it failed is one word");
    }

    #[test]
    fn five_files_are_kept_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = Record::open(folder.path().to_path_buf(), 1).unwrap();
        for name in ["1", "2", "3", "4", "5", "6", "7"] {
            record.add(&call(name)).unwrap();
        }
        record.write().unwrap();
        let targets: Vec<_> = (0..FILES)
            .map(|age| {
                let text = fs::read_to_string(file(folder.path(), age)).unwrap();
                let line: serde_json::Value = serde_json::from_str(&text).unwrap();
                line["target"].as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(targets, ["7", "6", "5", "4", "3"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), FILES);
    }

    #[test]
    fn a_line_that_was_torn_takes_no_other_with_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("calls.jsonl"), "{\"at\":17").unwrap();
        let mut record = Record::open(folder.path().to_path_buf(), LARGEST).unwrap();
        record.add(&call("tea")).and_then(|()| record.write()).unwrap();
        let targets: Vec<_> = latest(folder.path(), 10).into_iter().map(|call| call.target).collect();
        assert_eq!(targets, ["tea"]);
    }

    #[test]
    fn lines_that_did_not_fit_are_cut_off_and_the_next_one_follows_the_last_whole_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut record = Record::open(folder.path().to_path_buf(), LARGEST).unwrap();
        record.add(&call("tea")).and_then(|()| record.write()).unwrap();
        let whole = record.size;
        record.newest.write_all(b"{\"at\":17").unwrap();
        record.cut_back(whole).unwrap();
        record.add(&call("milk")).and_then(|()| record.write()).unwrap();
        let text = fs::read_to_string(folder.path().join("calls.jsonl")).unwrap();
        assert_eq!((text.lines().count(), text.len() as u64), (2, record.size));
        let targets: Vec<_> = latest(folder.path(), 10).into_iter().map(|call| call.target).collect();
        assert_eq!(targets, ["milk", "tea"]);
    }

    #[test]
    fn an_old_record_goes_on_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["1", "2"] {
            let mut record = Record::open(folder.path().to_path_buf(), LARGEST).unwrap();
            record.add(&call(name)).and_then(|()| record.write()).unwrap();
        }
        assert_eq!(fs::read_to_string(folder.path().join("calls.jsonl")).unwrap().lines().count(), 2);
    }
}
