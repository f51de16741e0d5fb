//! The record that a supervisor keeps on the disk while it runs, so that the next start can end a server whose
//! supervisor was killed: `running/<id of the supervisor>.json` in our own folder. What else is there is not ours.
//!
//! A process id alone is reused. Together with the start time and the boot id it is unique.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use machine::Machine;
use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use super::stat;

/// The folder of the records, in our own folder.
pub(crate) const FOLDER: &str = "running";

/// How their names end.
const END: &str = "json";

/// One running server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The system boot that the process ids belong to.
    boot: String,
    /// The server's supervisor.
    supervisor: Named,
    /// The server; it leads a process group with the same id.
    server: Named,
    /// The session of both.
    session: i32,
    /// The server's program, for display.
    program: PathBuf,
}

/// A process, identified uniquely.
#[derive(Debug, Serialize, Deserialize)]
struct Named {
    id: i32,
    started: u64,
}

/// The path of a supervisor's record.
pub(crate) fn place(running: &Path, supervisor: u32) -> PathBuf {
    running.join(format!("{supervisor}.{END}"))
}

/// Ends the servers whose supervisors are gone, and removes the records of everything that is gone. A server whose
/// supervisor still lives is left to it: the supervisor ends with its own parent.
///
/// Blocks only while it reads a few small files.
pub fn sweep(machine: &Machine) {
    let files = fs::read_dir(machine.data.join(FOLDER)).into_iter().flatten().flatten().map(|entry| entry.path());
    let records = files.filter(|path| path.extension().is_some_and(|end| end == END));
    records.for_each(|path| end_orphan(&machine.processes, &path));
}

impl Record {
    /// Records this process as the supervisor of `server`.
    ///
    /// # Errors
    /// When the folder cannot be written, or the server has already ended and was reaped.
    pub(crate) fn write(running: &Path, server: i32, program: &Path) -> io::Result<()> {
        let processes = Path::new("/proc");
        let named = |id| stat::one(processes, id).ok_or(io::ErrorKind::NotFound);
        let id = std::process::id();
        let ours = named(id.cast_signed())?;
        let record = Self {
            boot: boot(processes).ok_or(io::ErrorKind::NotFound)?,
            supervisor: Named { id: ours.id, started: ours.started },
            server: Named { id: server, started: named(server)?.started },
            session: ours.session,
            program: program.to_path_buf(),
        };
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(place(running, id))?;
        file.write_all(&serde_json::to_vec(&record)?)
    }
}

/// Ends the server of this record if its supervisor is gone, and removes the record then.
pub(crate) fn end_orphan(processes: &Path, path: &Path) {
    let Some(boot) = boot(processes) else { return };
    let record = fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok());
    if let Some(record) = record.filter(|record| record.boot == boot) {
        let all = stat::all(processes);
        let supervisor = &record.supervisor;
        let lives = |process: &&stat::Stat| process.id == supervisor.id && process.started == supervisor.started;
        if all.iter().find(lives).is_some_and(|process| !process.ended) {
            return;
        }
        left_of(&record, &all).iter().for_each(|process| stat::send(processes, process, Signal::KILL));
    }
    // An unreadable record is of no use to a later start either.
    drop(fs::remove_file(path));
}

/// The server's group and its descendants. The group outlives its leader, and its id is not reused until it is empty.
fn left_of(record: &Record, all: &[stat::Stat]) -> Vec<stat::Stat> {
    let server = &record.server;
    let holder = all.iter().find(|process| process.id == server.id);
    if holder.is_some_and(|process| process.started != server.started) {
        return Vec::new();
    }
    let below = if holder.is_some() { stat::below(server.id, all) } else { Vec::new() };
    let in_group = all.iter().filter(|process| {
        process.group == server.id && process.session == record.session && process.started >= server.started
    });
    in_group.copied().chain(below).collect()
}

/// The id of this system boot.
fn boot(processes: &Path) -> Option<String> {
    Some(fs::read_to_string(processes.join("sys/kernel/random/boot_id")).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(id: i32, started: u64) -> stat::Stat {
        stat::Stat { id, ended: false, parent: 1, group: 70, session: 5, started }
    }

    #[test]
    fn only_what_came_from_the_recorded_server_is_ended() {
        let record = Record {
            boot: String::new(),
            supervisor: Named { id: 69, started: 100 },
            server: Named { id: 70, started: 100 },
            session: 5,
            program: PathBuf::new(),
        };
        let child = stat::Stat { parent: 70, group: 81, session: 81, ..process(81, 102) };
        let other = stat::Stat { session: 6, ..process(82, 103) };
        let (server, member) = (process(70, 100), process(80, 101));
        assert_eq!(left_of(&record, &[server, member, child, other]), [server, member, child]);
        assert_eq!(left_of(&record, &[member, child, other]), [member]);
        assert_eq!(left_of(&record, &[process(70, 900), process(80, 901)]), []);
    }
}
