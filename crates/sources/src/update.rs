//! An update of a skill's files: three sets of files become one, and what both sides changed differently waits for an
//! answer.
//!
//! Texts are merged as [`merge`](crate::merge) does; other files are taken as a whole. A file that one side removed and
//! the other changed is a conflict. Nothing is read or written here.

use std::collections::{BTreeMap, BTreeSet};

use crate::merge::{Merged, Side, Versions, lines, skill};

/// One file: its bytes, and whether it may be run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FileBytes {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it may be run.
    pub executable: bool,
}

/// The files of a skill by their paths.
pub type FileSet = BTreeMap<String, FileBytes>;

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It stays as the person has it: the update does not change it, or changes it in the same way.
    Kept,
    /// It becomes what the update has: only the update changed it. `None`: it goes.
    Taken(Option<FileBytes>),
    /// Both changed it, in different places.
    Merged(FileBytes),
    /// Both changed the same lines of a text.
    Lines {
        /// The parts, agreed and not.
        text: Merged,
        /// Whether it may be run.
        executable: bool,
    },
    /// Both changed it, and it cannot be taken apart. `None`: that side removed it.
    Whole {
        /// What the person has.
        mine: Option<FileBytes>,
        /// What the update brings.
        theirs: Option<FileBytes>,
    },
}

impl Change {
    /// How many answers it waits for.
    pub fn conflicts(&self) -> usize {
        match self {
            Self::Lines { text, .. } => text.conflicts(),
            Self::Whole { .. } => 1,
            _ => 0,
        }
    }
}

/// What becomes of each file that either side has or had: `base` is what both began with, `mine` what the person has,
/// `theirs` what the update brings.
pub fn merge(base: &FileSet, mine: &FileSet, theirs: &FileSet) -> BTreeMap<String, Change> {
    let paths: BTreeSet<_> = base.keys().chain(mine.keys()).chain(theirs.keys()).collect();
    paths.into_iter().map(|path| (path.clone(), one(path, base.get(path), mine.get(path), theirs.get(path)))).collect()
}

fn one(path: &str, base: Option<&FileBytes>, mine: Option<&FileBytes>, theirs: Option<&FileBytes>) -> Change {
    if mine == theirs || base == theirs {
        return Change::Kept;
    }
    if base == mine {
        return Change::Taken(theirs.cloned());
    }
    let whole = || Change::Whole { mine: mine.cloned(), theirs: theirs.cloned() };
    let (Some(mine_file), Some(theirs_file)) = (mine, theirs) else { return whole() };
    let nothing = FileBytes { executable: mine_file.executable, ..FileBytes::default() };
    let base = base.unwrap_or(&nothing);
    let executable =
        if base.executable == mine_file.executable { theirs_file.executable } else { mine_file.executable };
    let text = |file: &FileBytes| text(&file.bytes).map(str::to_owned);
    let (Some(base_text), Some(mine_text), Some(theirs_text)) = (text(base), text(mine_file), text(theirs_file)) else {
        // Only whether it may be run may differ on one side.
        return match () {
            () if mine_file.bytes == theirs_file.bytes || base.bytes == theirs_file.bytes => {
                Change::Merged(FileBytes { bytes: mine_file.bytes.clone(), executable })
            }
            () if base.bytes == mine_file.bytes => {
                Change::Merged(FileBytes { bytes: theirs_file.bytes.clone(), executable })
            }
            () => whole(),
        };
    };
    let versions = Versions { base: &base_text, mine: &mine_text, theirs: &theirs_text };
    let merged = if path == "SKILL.md" || path.ends_with("/SKILL.md") { skill(versions) } else { lines(versions) };
    match merged.text() {
        Some(text) => Change::Merged(FileBytes { bytes: text.as_bytes().to_vec(), executable }),
        None => Change::Lines { text: merged, executable },
    }
}

/// The files after the update, with an answer for each conflict, in order. Where one is missing, the person's side is
/// taken.
pub fn result(mine: &FileSet, changes: &BTreeMap<String, Change>, answers: &BTreeMap<String, Vec<Side>>) -> FileSet {
    let none = Vec::new();
    let mut files = FileSet::new();
    for (path, change) in changes {
        let sides = answers.get(path).unwrap_or(&none);
        let file = match change {
            Change::Kept => mine.get(path).cloned(),
            Change::Taken(file) => file.clone(),
            Change::Merged(file) => Some(file.clone()),
            Change::Lines { text, executable } => {
                Some(FileBytes { bytes: text.resolved(sides).into_bytes(), executable: *executable })
            }
            Change::Whole { mine, theirs } => match sides.first().unwrap_or(&Side::Mine) {
                Side::Mine => mine.clone(),
                Side::Theirs => theirs.clone(),
            },
        };
        if let Some(file) = file {
            files.insert(path.clone(), file);
        }
    }
    files
}

/// The text of a file, if it is one: UTF-8 without NUL.
pub fn text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}
