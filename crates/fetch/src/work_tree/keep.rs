//! A commit of single files of a work tree, and its push to the upstream.
//!
//! The commit's tree is computed from the files beside the person's index, shown, and committed as it was shown. Of the
//! index only the entries of these files change, and they change first: an end in the midst leaves files that are staged.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Beside, Done, Entry, Status, Wholes, WorkTree, WorkTreeError,
    take::{Upstream, raw, without_password},
    upstream_here::{Talk, Way},
};
use crate::{Cancel, FetchError, TreeFile};

/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 64 << 10;
/// A commit that could be made, and what a push would bring along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The commit that is checked out.
    pub head: String,
    /// The branch.
    pub branch: String,
    /// The upstream for people: `origin/main`, and its address.
    pub upstream: String,
    /// Where a push goes.
    pub address: String,
    /// The tree of the commit; that of `head` where no file changed.
    pub tree: String,
    /// The paths of the files that it changes.
    pub paths: Vec<String>,
    /// The files in the folder before and after.
    pub before: Vec<TreeFile>,
    /// The same after.
    pub after: Vec<TreeFile>,
    /// The bytes of the files that change, and of those that are read with them, by their ids; those of more than 16 MiB are
    /// missing.
    pub bytes: BTreeMap<String, Vec<u8>>,
    /// The first lines of the commits that the upstream does not have yet, the newest first.
    pub ahead: Vec<String>,
    /// How many commits the upstream had at the last fetch that are not here.
    pub behind: u32,
}

impl WorkTree {
    /// What a commit of those changed files would hold that `choose` takes. Nothing is written.
    ///
    /// # Errors
    /// When something is half done, there is no upstream, hooks would take part, or one of the files has a staged version
    /// of its own.
    pub fn kept(&self, choose: &dyn Fn(&Entry) -> bool, wholes: Wholes<'_>, cancel: &Cancel) -> Done<Kept> {
        let beside = self.beside(true)?;
        self.staged(&beside, choose, wholes, cancel)
    }

    fn staged(
        &self,
        beside: &Beside,
        choose: &dyn Fn(&Entry) -> bool,
        wholes: Wholes<'_>,
        cancel: &Cancel,
    ) -> Done<Kept> {
        let status = self.settled(cancel)?;
        self.refuse_hooks(cancel)?;
        let upstream = self.upstream(&status, cancel)?;
        let (address, _) = self.push_address(&upstream, cancel)?;
        let head = status.head.clone().unwrap_or_default();
        let paths = chosen(&status, choose)?;
        let tree = self.tree_of(beside, &head, &paths, cancel)?;
        let (before, after) = (self.listed(None, &head, cancel)?, self.listed(Some(beside), &tree, cancel)?);
        let changed = paths.iter().map(String::as_str).collect();
        let bytes = self.bytes_near(beside, (&before, &after), &changed, wholes, cancel)?;
        let range = format!("{}..{head}", upstream.known);
        let ahead = self.text(&["log", "--no-show-signature", "--format=%s", "-z", &range, "--"], cancel)?;
        let ahead = ahead.split('\0').filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let behind = status.apart.map_or(0, |(_, behind)| behind);
        let (branch, upstream, address) = (upstream.branch.clone(), upstream.to_string(), without_password(&address));
        Ok(Kept { head, branch, upstream, address, tree, paths, before, after, bytes, ahead, behind })
    }

    /// Commits what [`kept`](Self::kept) showed, with this message. Returns the commit; that which is checked out where no
    /// file changed.
    ///
    /// # Errors
    /// When anything differs from what was shown, or git does not know who commits: then nothing changes.
    pub fn keep(&self, shown: &Kept, choose: &dyn Fn(&Entry) -> bool, message: &str, cancel: &Cancel) -> Done<String> {
        let beside = self.beside(false)?;
        let now = self.staged(&beside, choose, &|_| BTreeSet::new(), cancel)?;
        if (&now.head, &now.tree, &now.branch) != (&shown.head, &shown.tree, &shown.branch) {
            return Err(WorkTreeError::Changed);
        }
        if now.paths.is_empty() {
            return Ok(now.head);
        }
        let message = message.replace('\0', " ");
        let message: String = message.trim().chars().take(LONGEST_MESSAGE).collect();
        let commit = self.commit_of(&now.tree, &[&now.head], &message, cancel)?;
        let had = self.index_of(&now.paths, cancel)?;
        let mut command = self.command(None);
        command.args([
            "diff-tree",
            "-r",
            "-z",
            "--no-renames",
            "--ignore-submodules=none",
            "--raw",
            &now.head,
            &commit,
        ]);
        let changed = self.run(command, Vec::new(), cancel)?;
        self.change_index(raw(&changed).filter_map(|(head, path)| {
            let mut words = head.split(' ').skip(1);
            let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
            Some((mode.to_owned(), id.to_owned(), path))
        }))?;
        let subject = message.lines().next().unwrap_or_default();
        let mut command = self.command(None);
        command.args(["update-ref", "-m", &format!("commit: {subject}"), "HEAD", &commit, &now.head]);
        if let Err(error) = self.write(command, Vec::new()) {
            // Somebody else committed meanwhile. The index becomes what it was.
            let gone = now.paths.iter().filter(|path| !had.iter().any(|(.., there)| there == *path));
            let gone = gone.map(|path| ("0".to_owned(), "0".repeat(commit.len()), path.clone()));
            self.change_index(gone.chain(had.iter().cloned()))?;
            tracing::debug!(%error, "HEAD moved while it was committed");
            return Err(WorkTreeError::Changed);
        }
        Ok(commit)
    }

    /// Pushes a commit to the upstream, never by force. What is there already is no error.
    ///
    /// # Errors
    /// When the upstream has commits that are not here, refuses, or cannot be reached. The commit stays here.
    pub fn push(&self, commit: &str, cancel: &Cancel) -> Done<()> {
        let status = self.settled(cancel)?;
        self.refuse_hooks(cancel)?;
        let upstream = self.upstream(&status, cancel)?;
        let (address, way) = self.push_address(&upstream, cancel)?;
        let mut command = self.command(None);
        command.args(["push", "--porcelain", "--progress", "--no-verify", "--no-recurse-submodules"]);
        way.open(&mut command);
        command.args(["--", &upstream.remote, &format!("{commit}:{}", upstream.there)]);
        let top = without_password(&address);
        let watch = crate::running::Watch { address: &top, cancel, fills: None, is_silent: false };
        let printed = crate::running::try_run(command, Vec::new(), super::MOST, &watch)?;
        let printed = printed.ok_or(FetchError::Cancelled)?;
        if printed.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&printed.stdout).into_owned();
        // `!<tab>from:to<tab>[rejected] (fetch first)`
        let why = said.lines().filter(|line| line.starts_with('!')).find_map(|line| line.rsplit('\t').next());
        match why {
            Some(why) if why.contains("(fetch first)") || why.contains("(non-fast-forward)") => {
                Err(WorkTreeError::Behind(upstream.to_string()))
            }
            Some(why) => {
                let why = why.trim_start_matches("[remote rejected] ").trim_matches(['(', ')']);
                let why = why.chars().take(300).flat_map(char::escape_debug).collect();
                Err(WorkTreeError::Rejected { upstream: upstream.to_string(), why })
            }
            None => Err(FetchError::told(&top, &printed.stderr).into()),
        }
    }

    /// Where a push goes and how, if that is where the upstream is, and nothing there would run.
    fn push_address(&self, upstream: &Upstream, cancel: &Cancel) -> Done<(String, Way)> {
        let format = "--format=%(push:remotename)";
        let remote = self.text(&["for-each-ref", format, "--", &format!("refs/heads/{}", upstream.branch)], cancel)?;
        if !remote.is_empty() && remote != upstream.remote {
            return Err(WorkTreeError::PushedElsewhere(remote));
        }
        let all = self.text(&["remote", "get-url", "--push", "--all", &upstream.remote], cancel)?;
        let address = all.lines().next().unwrap_or_default().to_owned();
        if all.lines().count() > 1 {
            return Err(WorkTreeError::PushedElsewhere(
                all.lines().map(without_password).collect::<Vec<_>>().join(", "),
            ));
        }
        let way = self.way(&address, Talk::Push, cancel)?;
        Ok((address, way))
    }

    /// The tree of a commit with these files as they are now.
    fn tree_of(&self, beside: &Beside, head: &str, paths: &[String], cancel: &Cancel) -> Done<String> {
        let start = |words: &[&str]| {
            let mut command = self.command(Some(beside));
            command.args(words);
            command
        };
        self.run(start(&["read-tree", head]), Vec::new(), cancel)?;
        if !paths.is_empty() {
            let words = ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"];
            self.run(start(&words), paths.join("\0").into_bytes(), cancel)?;
        }
        let printed = self.run(start(&["write-tree"]), Vec::new(), cancel)?;
        Ok(String::from_utf8_lossy(&printed).trim().to_owned())
    }

    /// A commit of a tree, signed if the person's commits are.
    pub(super) fn commit_of(&self, tree: &str, parents: &[&str], message: &str, cancel: &Cancel) -> Done<String> {
        let author = self.text(&["var", "GIT_AUTHOR_IDENT"], cancel)?;
        if author.starts_with('<') || author.contains("<>") {
            return Err(WorkTreeError::NoAuthor);
        }
        let mut signs = self.command(None);
        signs.args(["config", "--type=bool", "--get", "commit.gpgSign"]);
        let signs = self.try_run(signs, Vec::new(), cancel)?.stdout.trim_ascii() == b"true";
        let mut command = self.command(None);
        command.args(["commit-tree", "-F", "-"]);
        for parent in parents {
            command.args(["-p", parent]);
        }
        if signs {
            command.arg("-S");
        }
        command.arg(tree);
        // A person may be asked for the key's passphrase.
        let printed = self.good(self.watched(command, format!("{message}\n").into_bytes(), cancel, true)?)?;
        Ok(String::from_utf8_lossy(&printed).trim().to_owned())
    }

    /// The index's entries of these files: mode, id and path.
    fn index_of(&self, paths: &[String], cancel: &Cancel) -> Done<Vec<(String, String, String)>> {
        let mut command = self.command(None);
        command.args(["ls-files", "--stage", "-z"]);
        let printed = self.run(command, Vec::new(), cancel)?;
        let ours: BTreeSet<_> = paths.iter().map(String::as_str).collect();
        // `<mode> <id> <stage><tab><path>`, which is nearly what a tree is listed as.
        let entry = |line: &[u8]| {
            let line = String::from_utf8_lossy(line).into_owned();
            let (head, path) = line.split_once('\t')?;
            let mut words = head.split(' ');
            let (mode, id) = (words.next()?.to_owned(), words.next()?.to_owned());
            ours.contains(path).then(|| (mode, id, path.to_owned()))
        };
        Ok(printed.split(|byte| *byte == 0).filter_map(entry).collect())
    }

    /// Changes these entries of the index, and no others. It is not interrupted.
    fn change_index(&self, entries: impl Iterator<Item = (String, String, String)>) -> Done<()> {
        let lines = entries.flat_map(|(mode, id, path)| {
            let mode = if mode == "000000" { "0" } else { &mode };
            format!("{mode} {id}\t{path}\0").into_bytes()
        });
        let mut command = self.command(None);
        command.args(["update-index", "-z", "--index-info"]);
        self.write(command, lines.collect())?;
        let mut command = self.command(None);
        command.args(["update-index", "-q", "--refresh"]);
        // It ends with 1 where other files changed, which is no error.
        self.watched(command, Vec::new(), &Cancel::default(), true).map(drop)
    }
}

/// The changed files that are to be committed.
fn chosen(status: &Status, choose: &dyn Fn(&Entry) -> bool) -> Done<Vec<String>> {
    let ours = status.entries.iter().filter(|one| !one.is_submodule && !one.path.ends_with('/') && choose(one));
    let ours: Vec<_> = ours.filter(|one| !one.path.contains(char::REPLACEMENT_CHARACTER)).collect();
    if let Some(apart) = ours.iter().find(|one| one.is_staged_apart) {
        return Err(WorkTreeError::Staged(apart.path.clone()));
    }
    Ok(ours.into_iter().map(|one| one.path.clone()).collect())
}
