//! The status of a work tree: its branch, its upstream, what changed in the folder, and what is half done.

use std::fmt;

use super::{Done, WorkTree};
use crate::Cancel;

/// The status of a work tree, and of a folder in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// The commit that is checked out; nothing before the first one.
    pub head: Option<String>,
    /// The branch; nothing where a commit is checked out by itself.
    pub branch: Option<String>,
    /// The branch that it follows, for people: `origin/main`.
    pub upstream: Option<String>,
    /// How many commits are here and not there, and there and not here, as of the last fetch. Nothing where the upstream
    /// is gone.
    pub apart: Option<(u32, u32)>,
    /// What changed in the folder, by path.
    pub entries: Vec<Entry>,
    /// What is half done.
    pub doing: Option<Doing>,
}

/// Something that changed since the commit that is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path in the work tree; with `/` at its end it is a repository of its own.
    pub path: String,
    /// How it changed.
    pub how: How,
    /// Whether what is staged is neither the commit's version nor the file's.
    pub is_staged_apart: bool,
    /// Whether it is another repository at a commit.
    pub is_submodule: bool,
}

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It is other than in the commit.
    Changed,
    /// It is gone.
    Removed,
    /// git tracks it from the next commit on, or does not track it yet.
    New,
    /// Both sides of a merge changed it.
    Conflict,
}

/// What is half done in a work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// A merge.
    Merge,
    /// A rebase, or patches that are applied.
    Rebase,
    /// A cherry-pick.
    CherryPick,
    /// A revert.
    Revert,
    /// A search for the commit that broke something.
    Bisect,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Merge => "A merge",
            Self::Rebase => "A rebase",
            Self::CherryPick => "A cherry-pick",
            Self::Revert => "A revert",
            Self::Bisect => "A bisect",
        })
    }
}

/// The files in a git folder that show it.
const MARKS: &[(&str, Doing)] = &[
    ("rebase-merge", Doing::Rebase),
    ("rebase-apply", Doing::Rebase),
    ("MERGE_HEAD", Doing::Merge),
    ("CHERRY_PICK_HEAD", Doing::CherryPick),
    ("REVERT_HEAD", Doing::Revert),
    ("BISECT_LOG", Doing::Bisect),
];

impl WorkTree {
    /// The status, with what changed in the folder. Nothing is written, and nobody is asked.
    ///
    /// # Errors
    /// When git fails.
    pub fn status(&self, cancel: &Cancel) -> Done<Status> {
        self.status_of(&self.inside, cancel)
    }

    /// The same, with what changed below a path of the work tree; the empty path is all of it.
    pub(super) fn status_of(&self, inside: &str, cancel: &Cancel) -> Done<Status> {
        let mut command = self.command(None);
        // The repositories inside have settings of their own, which git would follow.
        command.args(["status", "--porcelain=v2", "-z", "--branch", "--no-renames", "--ignore-submodules=dirty"]);
        command.args(["--untracked-files=all", "--no-show-stash", "--ahead-behind"]);
        if !inside.is_empty() {
            command.arg("--").arg(inside.trim_end_matches('/'));
        }
        let mut status = read(&self.run(command, Vec::new(), cancel)?);
        status.doing = MARKS.iter().find(|(mark, _)| self.git_dir.join(mark).exists()).map(|(_, doing)| *doing);
        Ok(status)
    }
}

/// Reads `git status --porcelain=v2 -z --branch --no-renames`.
fn read(printed: &[u8]) -> Status {
    let mut status = Status::default();
    for line in printed.split(|byte| *byte == 0) {
        let line = String::from_utf8_lossy(line);
        if let Some(header) = line.strip_prefix("# branch.") {
            head(&mut status, header);
        } else if let Some(entry) = entry(&line) {
            status.entries.push(entry);
        }
    }
    // A file that is staged as removed and lies there untracked has two lines.
    status.entries.sort_by(|one, other| (&one.path, one.how).cmp(&(&other.path, other.how)));
    status.entries.dedup_by(|later, first| {
        let is_same = later.path == first.path;
        first.is_staged_apart |= is_same;
        is_same
    });
    status
}

fn head(status: &mut Status, header: &str) {
    let Some((name, value)) = header.split_once(' ') else { return };
    match name {
        "oid" if value != "(initial)" => status.head = Some(value.to_owned()),
        "head" if value != "(detached)" => status.branch = Some(value.to_owned()),
        "upstream" => status.upstream = Some(value.to_owned()),
        "ab" => {
            let mut counts = value.split(' ').map(|count| count.trim_start_matches(['+', '-']).parse().ok());
            status.apart = counts.next().flatten().zip(counts.next().flatten());
        }
        _ => {}
    }
}

fn entry(line: &str) -> Option<Entry> {
    let (kind, rest) = line.split_once(' ')?;
    if kind == "?" {
        return Some(Entry { path: rest.to_owned(), how: How::New, is_staged_apart: false, is_submodule: false });
    }
    // `1 XY sub mH mI mW hH hI path` and `u XY sub m1 m2 m3 mW h1 h2 h3 path`.
    let fields = match kind {
        "1" => 8,
        "u" => 10,
        _ => return None,
    };
    let words: Vec<_> = rest.splitn(fields, ' ').collect();
    let (states, submodule, path) = (words.first()?, words.get(1)?, words.get(fields - 1)?);
    let mut states = states.chars();
    let (staged, there) = (states.next()?, states.next()?);
    let how = match (kind, staged, there) {
        ("u", ..) => How::Conflict,
        (_, _, 'D') | (_, 'D', '.') => How::Removed,
        (_, 'A', _) | (_, _, 'A') => How::New,
        _ => How::Changed,
    };
    Some(Entry {
        path: (*path).to_owned(),
        how,
        is_staged_apart: staged != '.' && there != '.',
        is_submodule: submodule.starts_with('S'),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_with_names_that_look_like_other_fields() {
        let id = "a".repeat(40);
        let lines = [
            format!("# branch.oid {id}"),
            "# branch.head main".to_owned(),
            "# branch.upstream origin/main".to_owned(),
            "# branch.ab +2 -1".to_owned(),
            format!("1 .M N... 100644 100644 100644 {id} {id} tea/a b.md"),
            format!("1 MM N... 100644 100644 100644 {id} {id} tea/both.md"),
            format!("1 .D N... 100644 100644 000000 {id} {id} tea/gone.md"),
            format!("1 A. N... 000000 100644 100644 {id} {id} tea/new\nline.md"),
            format!("1 .M SC.. 160000 160000 160000 {id} {id} sub"),
            format!("1 D. N... 100644 000000 000000 {id} {id} tea/kept.md"),
            format!("u UU N... 100644 100644 100644 100644 {id} {id} {id} tea/SKILL.md"),
            "? tea/kept.md".to_owned(),
            "? # branch.head other".to_owned(),
            "! ignored".to_owned(),
        ];
        let status = read(lines.join("\0").as_bytes());
        assert_eq!((status.branch.as_deref(), status.upstream.as_deref()), (Some("main"), Some("origin/main")));
        assert_eq!((status.head, status.apart), (Some(id), Some((2, 1))));
        let entries: Vec<_> =
            status.entries.iter().map(|one| (one.path.as_str(), one.how, one.is_staged_apart)).collect();
        assert_eq!(
            entries,
            [
                ("# branch.head other", How::New, false),
                ("sub", How::Changed, false),
                ("tea/SKILL.md", How::Conflict, true),
                ("tea/a b.md", How::Changed, false),
                ("tea/both.md", How::Changed, true),
                ("tea/gone.md", How::Removed, false),
                ("tea/kept.md", How::Removed, true),
                ("tea/new\nline.md", How::New, false),
            ]
        );
        assert!(status.entries[1].is_submodule);
    }

    #[test]
    fn a_work_tree_without_commit_branch_or_upstream_says_so() {
        let fresh = read(b"# branch.oid (initial)\0# branch.head main\0");
        assert_eq!((fresh.head, fresh.branch.as_deref(), fresh.upstream), (None, Some("main"), None));
        let lone = read(b"# branch.oid abc\0# branch.head (detached)\0");
        assert_eq!((lone.branch, lone.apart), (None, None));
        let gone = read(b"# branch.oid abc\0# branch.head main\0# branch.upstream origin/main\0");
        assert_eq!((gone.upstream.as_deref(), gone.apart), (Some("origin/main"), None));
    }
}
