//! Reading the record back: its newest lines, for the page that shows what clients do.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use super::{Call, FILES, file};

/// How much of a file's end is read, in bytes: some thousand lines.
const TAIL: u64 = 512 << 10;

/// The newest calls, the last one first, at most `most`. A line that cannot be read is left out.
pub(crate) fn latest(folder: &Path, most: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    for age in 0..FILES {
        let Ok(end) = tail(&file(folder, age)) else { break };
        calls.extend(end.lines().rev().filter_map(|line| serde_json::from_str(line).ok()));
        if calls.len() >= most || end.len() as u64 == TAIL {
            break;
        }
    }
    calls.truncate(most);
    calls
}

/// The end of a file, from the start of a line.
fn tail(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
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
    fn of_a_large_file_only_the_end_is_read_and_no_half_line() {
        let folder = tempfile::tempdir().unwrap();
        let many: String = (0..10_000).map(|number| line(&format!("n{number}"))).collect();
        fs::write(folder.path().join("calls.jsonl"), many).unwrap();
        let found = targets(folder.path(), 100_000);
        assert_eq!(found[0], "n9999");
        assert!(found.len() > 1_000 && found.len() < 10_000, "{}", found.len());
    }

    #[test]
    fn without_a_record_there_are_no_calls() {
        assert_eq!(targets(Path::new("/nowhere"), 10), [""; 0]);
    }
}
