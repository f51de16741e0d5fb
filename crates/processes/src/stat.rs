//! The process tree, as Linux reports it: `/proc/<number>/stat`.
//!
//! All processes are read instead of `task/*/children`: that file is reliable only while no process ends, and some
//! kernels lack it.

use std::{collections::BTreeSet, fs, path::Path};

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

/// One process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    /// Its process id.
    pub(crate) id: i32,
    /// Whether it has ended and waits to be reaped by its parent.
    pub(crate) ended: bool,
    /// Its parent's process id.
    pub(crate) parent: i32,
    /// Its process group.
    pub(crate) group: i32,
    /// Its session.
    pub(crate) session: i32,
    /// When it started, in ticks since boot. Together with the id, this identifies a process uniquely.
    pub(crate) started: u64,
}

/// Every process in the folder where Linux lists them.
pub(crate) fn all(processes: &Path) -> Vec<Stat> {
    let entries = fs::read_dir(processes).into_iter().flatten().flatten();
    entries.filter_map(|entry| one(processes, entry.file_name().to_str()?.parse().ok()?)).collect()
}

/// One process, if it exists.
pub(crate) fn one(processes: &Path, id: i32) -> Option<Stat> {
    parse(id, &fs::read_to_string(processes.join(id.to_string()).join("stat")).ok()?)
}

/// All descendants of a process.
pub(crate) fn below(root: i32, all: &[Stat]) -> Vec<Stat> {
    let mut found = BTreeSet::from([root]);
    loop {
        let before = found.len();
        found.extend(
            all.iter().filter(|process| found.contains(&process.parent)).map(|process| process.id).collect::<Vec<_>>(),
        );
        if found.len() == before {
            break;
        }
    }
    all.iter().filter(|process| process.id != root && found.contains(&process.id)).copied().collect()
}

/// Sends a signal to this process, and to no other process that reuses its id.
pub(crate) fn send(processes: &Path, to: &Stat, signal: Signal) {
    let Some(id) = Pid::from_raw(to.id).filter(|_| !to.ended) else { return };
    // An open handle always refers to the same process, so the start time is compared after opening it and before
    // signalling.
    let handle = pidfd_open(id, PidfdFlags::empty());
    if one(processes, to.id).is_none_or(|now| now.started != to.started) {
        return;
    }
    // The process may have ended in the meantime. Kernels before 5.3 have no process handles.
    let _ended = match handle {
        Ok(handle) => pidfd_send_signal(handle, signal),
        Err(_) => kill_process(id, signal),
    };
}

/// The process name is in parentheses and may contain any character.
fn parse(id: i32, stat: &str) -> Option<Stat> {
    let (_, rest) = stat.rsplit_once(')')?;
    let columns: Vec<_> = rest.split_ascii_whitespace().collect();
    let number = |at: usize| columns.get(at)?.parse().ok();
    Some(Stat {
        id,
        ended: matches!(columns.first(), Some(&("Z" | "X"))),
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        started: columns.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_hides_no_column() {
        let stat = "812 (a) b (c) S 1 2 3 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 2 3";
        let expected = Stat { id: 812, ended: false, parent: 1, group: 2, session: 3, started: 4711 };
        assert_eq!(parse(812, stat), Some(expected));
        assert!(parse(812, &stat.replace(" S ", " Z ")).unwrap().ended);
        assert_eq!(parse(812, "812 (a) S 1"), None);
    }

    #[test]
    fn whoever_comes_from_a_process_is_below_it_in_whatever_order_they_are_listed() {
        let process = |id, parent| Stat { id, ended: false, parent, group: id, session: 1, started: 0 };
        let all = [process(9, 8), process(8, 7), process(7, 1), process(6, 1)];
        assert_eq!(below(7, &all), [all[0], all[1]]);
        assert_eq!(below(6, &all), []);
    }
}
