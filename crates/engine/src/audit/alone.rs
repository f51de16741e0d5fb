//! The record of engines that answer one client each while no engine writes: `audit/alone.jsonl`, and one older file,
//! of 1 MB each. Several engines may write at once, so each line is appended in a single write.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use machine::{make_private, private};

use super::Call;

/// The maximum size of one file, in bytes.
const LARGEST: u64 = 1 << 20;

/// Adds one call.
pub(super) fn add(folder: &Path, call: &Call) -> io::Result<()> {
    let line = [serde_json::to_vec(call)?, b"\n".to_vec()].concat();
    make_private(folder)?;
    let [newest, older] = files(folder);
    if fs::metadata(&newest).is_ok_and(|now| now.len() + line.len() as u64 > LARGEST) {
        fs::rename(&newest, older)?;
    }
    private().create(true).append(true).open(newest)?.write_all(&line)
}

/// The latest calls, newest first, at most `most`. Unreadable lines are skipped.
pub(crate) fn latest_alone(folder: &Path, most: usize) -> Vec<Call> {
    let texts = files(folder).map(|file| fs::read(file).unwrap_or_default());
    let lines = texts.iter().flat_map(|text| text.rsplit(|byte| *byte == b'\n'));
    lines.filter_map(|line| serde_json::from_slice(line).ok()).take(most).collect()
}

/// The files, newest first.
fn files(folder: &Path) -> [PathBuf; 2] {
    ["alone.jsonl", "alone.1.jsonl"].map(|name| folder.join(name))
}

#[cfg(test)]
mod tests {
    use mcp::Surface;

    use super::*;

    fn call(at: u64) -> Call {
        Call {
            at,
            client: "codex".to_owned(),
            surface: Surface::Tools,
            method: "tools/call".to_owned(),
            target: "x".repeat(400),
            skill: Some("tea".to_owned()),
            ok: true,
            why: None,
            ms: 3,
            bytes_in: 40,
            bytes_out: 812,
        }
    }

    #[test]
    fn two_small_files_are_kept_and_read_back_with_the_newest_first() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("audit");
        assert!(latest_alone(&folder, 10).is_empty());
        for at in 0..6_000 {
            add(&folder, &call(at)).unwrap();
        }
        assert_eq!(latest_alone(&folder, 3).iter().map(|call| call.at).collect::<Vec<_>>(), [5_999, 5_998, 5_997]);
        let sizes = files(&folder).map(|file| fs::metadata(file).unwrap().len());
        assert!(sizes.iter().all(|size| (1..=LARGEST).contains(size)), "{sizes:?}");
        let all = latest_alone(&folder, usize::MAX);
        assert!(all.len() > 2_000 && all.is_sorted_by(|newer, older| newer.at == older.at + 1));
    }
}
