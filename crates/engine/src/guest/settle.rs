//! What became of writes that were interrupted. Our files beside the target go; what another program
//! saved at that very moment goes back in its place, or, where that would cost a later save, stays
//! where it is and is told.

use std::{fs, path::Path};

use super::{
    GuestError,
    begun::{self, FOLDER, Intent},
    stray, swap, to_disk,
};
use crate::library::digest;

/// Looks at every write that was begun and not ended, once, when the engine that may write starts.
/// Gives a sentence for each that a person should look at.
pub(crate) fn settle(data: &Path) -> Vec<String> {
    let writing = fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut said = Vec::new();
    for path in writing {
        let Ok(mut file) = begun::open(&path, false) else { continue };
        // Somebody writes just now. A moment, because a process that is being started holds what its
        // parent holds.
        if begun::lock(&file, &path, 25).is_err() {
            continue;
        }
        let outcome = begun::read(&mut file).map_or(Outcome::Settled, |intent| settled(&intent));
        match outcome {
            Outcome::Settled => drop(fs::remove_file(&path)),
            Outcome::Later => {}
            Outcome::Told(sentence) => {
                drop(fs::remove_file(&path));
                said.push(sentence);
            }
        }
    }
    said
}

/// What there is to say about one interrupted write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was made, or it was not: the file and our records agree.
    Settled,
    /// The file cannot be looked at now.
    Later,
    /// A person should know.
    Told(String),
}

/// Tidies up after one interrupted write. Our records are put right before what shows that they are
/// wrong goes: this may be interrupted too.
pub(super) fn settled(intent: &Intent) -> Outcome {
    let target = Path::new(&intent.target);
    if !target.parent().is_some_and(Path::is_dir) {
        return Outcome::Later;
    }
    let Ok(mut now) = digest_of(target) else { return Outcome::Later };
    let (mut ours, mut theirs) = (stray::parts(target), None);
    let mut never = now == intent.before;
    for stray in stray::whole(target) {
        let Ok(holds) = digest_of(&stray) else { return Outcome::Later };
        if holds == intent.after || holds == intent.before {
            // The new bytes beside the file never came in, or went out again.
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
    ours.iter().for_each(|stray| stray::remove(stray));
    match theirs {
        Some(theirs) => Outcome::Told(format!(
            "{} was saved by another program while Skilltender was changing it. That version is in {}; nothing of it was removed.",
            target.display(),
            theirs.display()
        )),
        None if made || never => Outcome::Settled,
        None => Outcome::Told(format!(
            "Skilltender ended while it was changing {}, and something else has changed that file since. It was left as it is.",
            target.display()
        )),
    }
}

/// Puts another program's save back over what we had put there, which then stands beside it. Whether
/// that could be done.
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
    // It was saved again at this moment: the later save stays in the file.
    drop(swap::exchange(stray, target));
    false
}

/// The SHA-256 of a file's bytes; nothing where there is no file.
pub(super) fn digest_of(path: &Path) -> Result<Option<String>, GuestError> {
    /// A larger file is none that we wrote: the digest of its beginning is as good as another.
    const LARGEST: u64 = 64 << 20;
    Ok(super::read(path, LARGEST)?.as_deref().map(digest))
}
