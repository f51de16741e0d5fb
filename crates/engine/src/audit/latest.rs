//! Reads the newest lines of the record, for the page that shows client activity.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use super::{Call, FILES, file};

/// How much of a file's end is read at first, in bytes: some thousand lines. If that yields too few, the length is
/// doubled until it suffices.
const TAIL: u64 = 512 << 10;

/// The latest calls, newest first, at most `most`. Unreadable lines are skipped.
pub(crate) fn latest(folder: &Path, most: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    for age in 0..FILES {
        let Ok(file) = File::open(file(folder, age)) else { break };
        let Ok(found) = newest(file, most - calls.len()) else { break };
        calls.extend(found);
        if calls.len() >= most {
            break;
        }
    }
    calls
}

/// The latest calls of one file: at most `most`.
fn newest(mut file: File, most: usize) -> io::Result<Vec<Call>> {
    let size = file.metadata()?.len();
    let mut length = TAIL;
    loop {
        let start = size.saturating_sub(length);
        let end = tail(&mut file, start, size)?;
        let calls = end.lines().rev().filter_map(|line| serde_json::from_str(line).ok()).take(most).collect::<Vec<_>>();
        if calls.len() == most || start == 0 {
            return Ok(calls);
        }
        length *= 2;
    }
}

/// The end of a file, from the start of a line.
fn tail(file: &mut File, start: u64, size: u64) -> io::Result<String> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(size - start).read_to_end(&mut bytes)?;
    let whole =
        if start == 0 { 0 } else { bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1) };
    Ok(String::from_utf8_lossy(&bytes[whole..]).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use mcp::Surface;

    use super::*;

    fn line(target: &str) -> String {
        format!(
            "{{\"at\":1,\"client\":\"codex\",\"surface\":\"tools\",\"method\":\"tools/call\",\"target\":\"{target}\",\"ok\":true,\"ms\":3,\"in\":40,\"out\":812}}\n"
        )
    }

    fn targets(folder: &Path, most: usize) -> Vec<String> {
        latest(folder, most).into_iter().map(|call| call.target).collect()
    }

    #[test]
    fn the_newest_come_first_and_older_files_follow() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("calls.1.jsonl"), line("a") + &line("b")).unwrap();
        fs::write(folder.path().join("calls.jsonl"), line("c") + "not a line\n" + &line("d")).unwrap();
        assert_eq!(targets(folder.path(), 10), ["d", "c", "b", "a"]);
        assert_eq!(targets(folder.path(), 3), ["d", "c", "b"]);
        assert_eq!(latest(folder.path(), 1)[0].surface, Surface::Tools);
    }

    #[test]
    fn nothing_is_left_out_between_the_newest_and_the_oldest() {
        let folder = tempfile::tempdir().unwrap();
        let many = |from: usize| (from..from + 10_000).map(|number| line(&format!("n{number}"))).collect::<String>();
        fs::write(folder.path().join("calls.1.jsonl"), many(0)).unwrap();
        fs::write(folder.path().join("calls.jsonl"), many(10_000)).unwrap();
        for most in [1, 9_999, 12_000, 20_000, 30_000] {
            let expected: Vec<_> = (0..20_000).rev().take(most).map(|number| format!("n{number}")).collect();
            assert_eq!(targets(folder.path(), most), expected);
        }
    }

    #[test]
    fn a_line_without_end_hides_none_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let long = "x".repeat(usize::try_from(TAIL).unwrap() * 3);
        fs::write(folder.path().join("calls.1.jsonl"), line("old")).unwrap();
        fs::write(folder.path().join("calls.jsonl"), line("a") + &long + "\n" + &line("b")).unwrap();
        assert_eq!(targets(folder.path(), 10), ["b", "a", "old"]);
        fs::write(folder.path().join("calls.jsonl"), line("a") + &line(&long)).unwrap();
        assert_eq!(targets(folder.path(), 10), [long.as_str(), "a", "old"]);
    }

    #[test]
    fn without_a_record_there_are_no_calls() {
        assert_eq!(targets(Path::new("/nowhere"), 10), [""; 0]);
    }
}
