//! Remarks on what a walk left out: one sentence for each kind of place, however many places.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use text::{counted, some_of};

use super::{Branch, Child, DEPTH, FOLDERS, LeftOut};

/// What was left out below a folder.
#[derive(Default)]
struct Remarks {
    /// Files whose name is almost SKILL.md, and folders that cannot be read.
    single: Vec<String>,
    deep: Vec<String>,
    hidden: Vec<String>,
}

/// What was left out below `root`, as sentences.
pub(super) fn of<S>(root: &Path, tree: &Branch<S>) -> Vec<String> {
    let mut found = Remarks::default();
    found.add(&Way::From(root), tree);
    let Remarks { single: mut remarks, deep, hidden } = found;
    let was = |paths: &[String], one, many| if paths.len() == 1 { one } else { many };
    if !deep.is_empty() {
        remarks.push(format!(
            "{} {} more than {} below {} and {} not looked into.",
            some_of(&deep),
            was(&deep, "is", "are"),
            counted(DEPTH, "folder"),
            root.display(),
            was(&deep, "was", "were"),
        ));
    }
    if !hidden.is_empty() {
        remarks.push(format!(
            "{} {} hidden and {} not looked into.",
            some_of(&hidden),
            was(&hidden, "is", "are"),
            was(&hidden, "was", "were"),
        ));
    }
    if tree.count >= FOLDERS {
        remarks.push(format!("{} holds more than {FOLDERS} folders; the rest was left out.", root.display()));
    }
    remarks
}

/// The way to a folder. Most are left without a remark, so that nobody asks for their path.
enum Way<'w> {
    From(&'w Path),
    To(&'w Way<'w>, &'w OsStr),
}

impl Way<'_> {
    fn path(&self) -> PathBuf {
        match self {
            Self::From(root) => root.to_path_buf(),
            Self::To(above, name) => above.path().join(name),
        }
    }
}

impl Remarks {
    fn add<S>(&mut self, way: &Way<'_>, branch: &Branch<S>) {
        if let Some(nearly) = &branch.listing.nearly {
            self.single.push(format!(
                "{} was left out: clients read only files that are called SKILL.md, in capitals.",
                way.path().join(&**nearly).display()
            ));
        }
        for (folder, below) in branch.listing.folders.iter().zip(&branch.folders) {
            let way = Way::To(way, &folder.name);
            match below {
                Child::Entered(branch) => self.add(&way, branch),
                Child::Failed(why) => self.single.push(format!("{} could not be read: {why}.", way.path().display())),
                Child::LeftOut(LeftOut::Deep) => self.deep.push(way.path().display().to_string()),
                Child::LeftOut(LeftOut::Hidden) => self.hidden.push(way.path().display().to_string()),
                Child::LeftOut(LeftOut::Quietly) => {}
            }
        }
    }
}
