//! Recovering from interrupted writes at the next start.

use std::{fs, path::PathBuf};

use super::super::{begin, recover, replace};
use crate::digest;

/// A file, an interrupted write of it, and the file next to it.
struct Interrupted {
    home: tempfile::TempDir,
    record: PathBuf,
}

impl Interrupted {
    /// `None` means no file.
    fn new(holds: Option<&str>, beside: Option<&str>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let record = home.path().join("record");
        fs::write(&record, "").unwrap();
        let this = Self { home, record: record.clone() };
        let digests = ["old", "new"].map(|text| digest(text.as_bytes()));
        let begun = begin(&this.data(), &this.file(), Some(&digests[0]), Some(&digests[1]), vec![record]).unwrap();
        // A write that ends with a file next to the target counts as interrupted.
        fs::write(this.beside(), beside.unwrap_or_default()).unwrap();
        drop(begun);
        if beside.is_none() {
            fs::remove_file(this.beside()).unwrap();
        }
        if let Some(holds) = holds {
            fs::write(this.file(), holds).unwrap();
        }
        this
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn file(&self) -> PathBuf {
        self.home.path().join("a")
    }

    fn beside(&self) -> PathBuf {
        self.home.path().join(".skilltender-a.1")
    }

    /// The sentences; then the contents of the file and of the one next to it, and whether the record exists.
    fn recovered(&self) -> (Vec<String>, Option<String>, Option<String>, bool) {
        let said = recover(&self.data());
        assert_eq!(recover(&self.data()), [""; 0], "once is enough");
        let text = |path: PathBuf| fs::read_to_string(path).ok();
        (said, text(self.file()), text(self.beside()), self.record.exists())
    }
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_write_that_was_made_keeps_its_record_and_one_that_was_not_loses_it() {
    for beside in [None, Some("old")] {
        assert_eq!(Interrupted::new(Some("new"), beside).recovered(), (vec![], text("new"), None, true));
    }
    for beside in [None, Some("new")] {
        assert_eq!(Interrupted::new(Some("old"), beside).recovered(), (vec![], text("old"), None, false));
    }
}

#[test]
fn new_bytes_that_were_never_put_in_go_whatever_the_file_holds_by_now() {
    assert_eq!(Interrupted::new(Some("later"), Some("new")).recovered(), (vec![], text("later"), None, false));
}

/// A file with a name of ours that was there before the write: from an earlier one, or planted.
#[test]
fn a_file_that_was_beside_it_before_the_write_stays_where_it_is() {
    let home = tempfile::tempdir().unwrap();
    let [data, file, earlier, record] = ["data", "a", ".skilltender-a.1", "record"].map(|name| home.path().join(name));
    for beside in ["planted", "old", "new"] {
        for interrupted in [false, true] {
            fs::write(&file, "old").unwrap();
            fs::write(&earlier, beside).unwrap();
            fs::write(&record, "").unwrap();
            let digests = ["old", "new"].map(|text| digest(text.as_bytes()));
            let begun = begin(&data, &file, Some(&digests[0]), Some(&digests[1]), vec![record.clone()]).unwrap();
            let own = home.path().join(".skilltender-a.2");
            if interrupted {
                // As a write leaves them whose program was killed after the exchange.
                fs::write(&own, "old").unwrap();
                fs::write(&file, "new").unwrap();
            } else {
                replace(&file, Some(b"old"), Some(b"new")).unwrap();
            }
            drop(begun);
            assert_eq!(recover(&data), [""; 0]);
            let text = |path| fs::read_to_string(path).ok();
            assert_eq!((text(&file), text(&earlier)), (Some("new".into()), Some(beside.into())));
            assert!(!own.exists() && record.exists(), "{beside} {interrupted}");
        }
    }
}

#[test]
fn what_another_program_saved_just_then_goes_back_into_the_file() {
    assert_eq!(Interrupted::new(Some("new"), Some("theirs")).recovered(), (vec![], text("theirs"), None, false));
}

#[test]
fn an_old_version_beside_a_file_that_is_gone_goes_back() {
    // Windows replaces a file in several steps, and between two of them the file is missing.
    assert_eq!(Interrupted::new(None, Some("old")).recovered(), (vec![], text("old"), None, false));
    let interrupted = Interrupted::new(None, Some("new"));
    let old = interrupted.home.path().join(".skilltender-a.2");
    fs::write(&old, "old").unwrap();
    assert_eq!(interrupted.recovered(), (vec![], text("old"), None, false));
    assert!(!old.exists());
}

#[test]
fn two_saves_of_other_programs_both_stay_and_are_told() {
    let interrupted = Interrupted::new(Some("later"), Some("theirs"));
    let (said, holds, beside, _) = interrupted.recovered();
    let expected = format!(
        "{} was saved by another program while Skilltender was changing it. That version is in {}; nothing of it was removed.",
        interrupted.file().display(),
        interrupted.beside().display()
    );
    assert_eq!((said, holds, beside), (vec![expected], text("later"), text("theirs")));
}

#[test]
fn a_file_that_changed_since_is_left_and_told() {
    let interrupted = Interrupted::new(Some("later"), None);
    let (said, holds, _, record) = interrupted.recovered();
    let expected = format!(
        "Skilltender ended while it was changing {}, and something else has changed that file since. It was left as it is.",
        interrupted.file().display()
    );
    assert_eq!((said, holds, record), (vec![expected], text("later"), true));
}

#[test]
fn a_write_that_goes_on_is_not_recovered() {
    let home = tempfile::tempdir().unwrap();
    let (data, path) = (home.path().join("data"), home.path().join("a"));
    fs::write(&path, "old").unwrap();
    let begun = begin(&data, &path, Some(&digest(b"old")), Some(&digest(b"new")), Vec::new()).unwrap();
    let part = home.path().join(".skilltender-a.1.part");
    fs::write(&part, "ne").unwrap();
    assert_eq!(recover(&data), [""; 0]);
    assert!(part.exists());
    drop(begun);
    assert_eq!(recover(&data), [""; 0]);
    assert!(!part.exists());
}
