//! Recovers interrupted writes. Our files next to the target are removed; another program's save from that very moment
//! is put back, or, if that would cost a later save, stays where it is and is reported.

use std::{
    fs,
    path::{Path, PathBuf},
};

use machine::lock::Lockable;

use super::{
    ReplaceError,
    intent::{self, FOLDER, Intent},
    swap, temp_file, to_disk,
};
use crate::digest;

/// Checks every write that was begun but not ended, once, at the start of a writing engine. Returns a sentence for each
/// that the user should look at.
pub fn recover(data: &Path) -> Vec<String> {
    let writing = fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut said = Vec::new();
    for path in writing {
        let Ok(mut file) = Lockable::open(&path, false) else { continue };
        // Another process is writing. The short wait allows for a process that is being started, which inherits its
        // parent's locks.
        if intent::lock(&file, &path, 25).is_err() {
            continue;
        }
        let outcome = intent::read(&mut file).map_or(Outcome::Recovered, |intent| recovered(&intent));
        match outcome {
            Outcome::Recovered => drop(fs::remove_file(&path)),
            Outcome::Later => {}
            Outcome::Told(sentence) => {
                drop(fs::remove_file(&path));
                said.push(sentence);
            }
        }
    }
    said
}

/// The outcome of one interrupted write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was made or not made: the file and our records agree.
    Recovered,
    /// The file cannot be checked now.
    Later,
    /// The user should know.
    Told(String),
}

/// Cleans up after one interrupted write. Our records are corrected before the evidence against them is removed,
/// because this may be interrupted too.
pub(super) fn recovered(intent: &Intent) -> Outcome {
    let target = Path::new(&intent.target);
    if !target.parent().is_some_and(Path::is_dir) {
        return Outcome::Later;
    }
    let Ok(mut now) = digest_of(target) else { return Outcome::Later };
    let (mut ours, mut theirs) = (temp_file::parts(target), None);
    if now.is_none() && intent.before.is_some() && intent.after.is_some() && old_goes_back(target, intent) {
        now.clone_from(&intent.before);
    }
    let mut never = now == intent.before;
    for stray in intent.left() {
        let Ok(holds) = digest_of(&stray) else { return Outcome::Later };
        if holds == intent.after || holds == intent.before {
            // The new bytes are next to the file, so they were never moved in, or were moved out again.
            never |= holds == intent.after && now != intent.after;
            ours.push(stray);
        } else if now == intent.after && goes_back(&stray, target, intent) {
            (now, never) = (holds, true);
            ours.push(stray);
        } else {
            theirs = Some(stray);
        }
    }
    to_disk(target);
    let made = now == intent.after;
    if !made && never {
        intent.told.iter().for_each(|told| drop(fs::remove_file(told)));
    }
    ours.iter().for_each(|stray| temp_file::remove(stray));
    match theirs {
        Some(theirs) => Outcome::Told(format!(
            "{} was saved by another program while Skilltender was changing it. That version is in {}; nothing of it was removed.",
            target.display(),
            theirs.display()
        )),
        None if made || never => Outcome::Recovered,
        None => Outcome::Told(format!(
            "Skilltender ended while it was changing {}, and something else has changed that file since. It was left as it is.",
            target.display()
        )),
    }
}

/// Puts the old file back where the change was interrupted while there was none: Windows replaces a file in several steps.
/// Somebody may have removed the file meanwhile; they remove it again, but nobody could restore it.
fn old_goes_back(target: &Path, intent: &Intent) -> bool {
    let is_old = |stray: &PathBuf| digest_of(stray).is_ok_and(|holds| holds == intent.before);
    let old = intent.left().into_iter().find(is_old);
    old.is_some_and(|old| swap::rename_new(&old, target).is_ok())
}

/// Puts another program's save back in place of ours, which then is next to it. Returns whether that succeeded.
fn goes_back(stray: &Path, target: &Path, intent: &Intent) -> bool {
    if intent.after.is_none() {
        return swap::rename_new(stray, target).is_ok();
    }
    if !swap::exchange(stray, target).unwrap_or(false) {
        return false;
    }
    if digest_of(stray).is_ok_and(|ours| ours == intent.after) {
        return true;
    }
    // The file was saved again at this moment: the later save stays in it.
    drop(swap::exchange(stray, target));
    false
}

/// The SHA-256 of a file's bytes; `None` if it does not exist.
pub(super) fn digest_of(path: &Path) -> Result<Option<String>, ReplaceError> {
    /// A larger file is not one that we wrote, so the digest of its beginning suffices.
    const LARGEST: u64 = 64 << 20;
    Ok(super::read(path, LARGEST)?.as_deref().map(digest))
}
