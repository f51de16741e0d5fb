//! A git work tree of the person's own: its status, what its upstream would bring, and commits of single files.
//!
//! The repository is the person's, so it is changed only as they were shown: one fast-forward to one commit, one commit of
//! named files, one push of it. No hook runs, and nothing that the repository's own settings name: whoever made the folder
//! may have written them, and a status is asked without a thought. `settings` judges them. What the person's settings of
//! all repositories name applies as always: their sign-ins, their signatures. What is looked at is computed beside the
//! repository, in a folder of ours, so that looking leaves no trace there.

mod error;
mod keep;
mod plain;
mod settings;
mod status;
mod take;
mod upstream_here;

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use crate::{
    Cancel, FetchError, Git, Kind, TreeFile,
    bare::{contents, file},
    running::{Printed, Watch, run, try_run},
    tips::is_commit,
};

pub use error::WorkTreeError;
pub use keep::Kept;
pub use status::{Doing, Entry, How, Status};
pub use take::{Incoming, Move};

/// The most bytes that git prints of a work tree: lists, and the files of skills.
const MOST: usize = 256 << 20;
/// The most bytes of one file that is read.
const LARGEST: u64 = 16 << 20;
/// What applies here besides the settings of every git that is started.
const SETTINGS: &[&str] = &[
    "safe.bareRepository=explicit",
    // A repository whose objects this one shares has settings that nobody judged, so git asks it nothing.
    "core.alternateRefsCommand=exit 0 #",
    "fetch.negotiationAlgorithm=default",
    "fetch.unpackLimit=100",
    "push.followTags=false",
    // It would fetch from where it pushes to, by another way.
    "push.negotiate=false",
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
    "merge.autoStash=false",
    "user.useConfigOnly=true",
    "i18n.commitEncoding=UTF-8",
];

/// The result of work on a work tree.
pub(crate) type Done<T> = Result<T, WorkTreeError>;

/// Of the paths of all files: the folders whose files are all read where one of them changes.
pub type Wholes<'w> = &'w dyn Fn(&BTreeSet<&str>) -> BTreeSet<String>;

/// A work tree, and a folder in it.
#[derive(Debug, Clone)]
pub struct WorkTree {
    git: Git,
    /// The top of the work tree.
    top: PathBuf,
    /// Where this work tree's HEAD and index are, and where those of all work trees of its repository are.
    git_dir: PathBuf,
    common: PathBuf,
    /// Where its objects are.
    objects: PathBuf,
    /// The folder's path in the work tree, empty or with `/` at its end.
    inside: String,
}

/// What is computed beside the repository.
struct Beside {
    folder: TempDir,
    /// Whether new objects stay beside it too.
    leaves_no_trace: bool,
}

impl WorkTree {
    /// Opens the work tree with this top for a folder in it, and judges its settings. Nothing of it runs.
    ///
    /// # Errors
    /// When it is no work tree, belongs to somebody else, or its own settings name what may run a program or how the upstream
    /// is reached.
    pub fn open(git: &Git, top: &Path, folder: &Path, cancel: &Cancel) -> Done<Self> {
        let top = top.to_path_buf();
        let tree = Self {
            git: git.clone(),
            git_dir: top.clone(),
            common: top.clone(),
            objects: top.clone(),
            top,
            inside: String::new(),
        };
        tree.refuse_settings(cancel)?;
        let path = |word: &str| tree.text(&["rev-parse", "--path-format=absolute", word], cancel).map(PathBuf::from);
        let (git_dir, common, there) = (path("--git-dir")?, path("--git-common-dir")?, path("--show-toplevel")?);
        let objects = tree.text(&["rev-parse", "--path-format=absolute", "--git-path", "objects"], cancel)?.into();
        let mut prefix = tree.command(None);
        prefix.current_dir(folder).args(["rev-parse", "--show-prefix"]);
        let inside = String::from_utf8_lossy(&tree.run(prefix, Vec::new(), cancel)?).trim_end_matches('\n').to_owned();
        // A setting may lead git to another place.
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        if real(&there) != real(&tree.top) {
            return Err(WorkTreeError::NoWorkTree(tree.top.display().to_string()));
        }
        Ok(Self { git_dir, common, objects, inside, ..tree })
    }

    /// The top of the work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The folder's path in the work tree, empty or with `/` at its end.
    pub fn inside(&self) -> &str {
        &self.inside
    }

    /// The files of a commit or tree in the folder, by their paths in the work tree.
    ///
    /// # Errors
    /// When git fails.
    pub fn files(&self, of: &str, cancel: &Cancel) -> Done<Vec<TreeFile>> {
        self.listed(None, of, cancel)
    }

    /// The bytes of these files of commits by their ids; those of more than `largest` bytes, and those that are not in the
    /// repository, are left out.
    ///
    /// # Errors
    /// When git fails.
    pub fn read(&self, files: &[&TreeFile], largest: u64, cancel: &Cancel) -> Done<BTreeMap<String, Vec<u8>>> {
        self.bytes(None, &files.iter().map(|file| file.id.as_str()).collect(), largest, cancel)
    }

    fn listed(&self, beside: Option<&Beside>, of: &str, cancel: &Cancel) -> Done<Vec<TreeFile>> {
        let mut command = self.command(beside);
        command.args(["ls-tree", "-r", "-z", "--full-tree", of]);
        if !self.inside.is_empty() {
            command.arg("--").arg(&self.inside);
        }
        let printed = self.run(command, Vec::new(), cancel)?;
        Ok(printed.split(|byte| *byte == 0).filter_map(file).collect())
    }

    /// The bytes of these files by their ids; those of more than `largest` bytes, and those that are not here, are left out.
    fn bytes(
        &self,
        beside: Option<&Beside>,
        ids: &BTreeSet<&str>,
        largest: u64,
        cancel: &Cancel,
    ) -> Done<BTreeMap<String, Vec<u8>>> {
        let lines =
            |ids: &mut dyn Iterator<Item = &str>| ids.flat_map(|id| id.bytes().chain([b'\n'])).collect::<Vec<_>>();
        let mut command = self.command(beside);
        command.args(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"]);
        let printed = self.run(command, lines(&mut ids.iter().copied()), cancel)?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let small = printed.lines().filter_map(|line| {
            let mut words = line.split(' ');
            let (id, kind, size) = (words.next()?, words.next()?, words.next()?.parse::<u64>().ok()?);
            (kind == "blob" && size <= largest).then_some(id)
        });
        let mut command = self.command(beside);
        command.args(["cat-file", "--batch"]);
        let printed = self.run(command, lines(&mut { small }), cancel)?;
        contents(&printed).ok_or_else(|| WorkTreeError::Git("the files of a commit are broken".to_owned()))
    }

    /// The bytes of the files in the folder that changed, and of all in a folder of `wholes` with one of them.
    fn bytes_near(
        &self,
        beside: &Beside,
        (before, after): (&[TreeFile], &[TreeFile]),
        changed: &BTreeSet<&str>,
        wholes: Wholes<'_>,
        cancel: &Cancel,
    ) -> Done<BTreeMap<String, Vec<u8>>> {
        let files = || before.iter().chain(after);
        let wholes = wholes(&files().map(|file| file.path.as_str()).collect());
        let ends = |path: &str| path.match_indices('/').map(|(at, _)| at).collect::<Vec<_>>();
        let inner = |path: &str| {
            ends(path)
                .into_iter()
                .rev()
                .map(|at| &path[..at])
                .find(|folder| wholes.contains(*folder))
                .map(str::to_owned)
        };
        let touched: BTreeSet<_> = changed.iter().filter_map(|path| inner(path)).collect();
        let is_near =
            |path: &str| changed.contains(path) || inner(path).is_some_and(|folder| touched.contains(&folder));
        let near = files().filter(|file| file.kind != Kind::Submodule && is_near(&file.path));
        self.bytes(Some(beside), &near.map(|file| file.id.as_str()).collect(), LARGEST, cancel)
    }

    /// A commit by a name of it.
    fn commit(&self, name: &str, cancel: &Cancel) -> Done<String> {
        let commit = self.text(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")], cancel)?;
        if is_commit(&commit) { Ok(commit) } else { Err(WorkTreeError::Git(format!("{name} is no commit"))) }
    }

    /// What git prints, without its line end.
    fn text(&self, words: &[&str], cancel: &Cancel) -> Done<String> {
        let mut command = self.command(None);
        command.args(words);
        let printed = self.run(command, Vec::new(), cancel)?;
        Ok(String::from_utf8_lossy(&printed).trim_end_matches('\n').to_owned())
    }

    /// Runs git to its good end. It reads files of this computer, which may lie on a drive that does not answer.
    fn run(&self, command: Command, input: Vec<u8>, cancel: &Cancel) -> Done<Vec<u8>> {
        self.good(self.try_run(command, input, cancel)?)
    }

    /// Runs git that writes into the work tree: what it began it brings to its end.
    fn write(&self, command: Command, input: Vec<u8>) -> Done<Vec<u8>> {
        self.good(self.watched(command, input, &Cancel::default(), true)?)
    }

    fn good(&self, printed: Printed) -> Done<Vec<u8>> {
        if printed.status.success() { Ok(printed.stdout) } else { Err(WorkTreeError::told(self, &printed.stderr)) }
    }

    /// As [`run`](Self::run), however it ends.
    fn try_run(&self, command: Command, input: Vec<u8>, cancel: &Cancel) -> Done<Printed> {
        self.watched(command, input, cancel, false)
    }

    /// `waits`: whether git may be silent for long, because it writes or asks a person.
    fn watched(&self, command: Command, input: Vec<u8>, cancel: &Cancel, waits: bool) -> Done<Printed> {
        let top = self.top.display().to_string();
        let watch = Watch { address: &top, cancel, fills: None, is_silent: waits };
        let printed = try_run(command, input, MOST, &watch)?;
        printed.ok_or_else(|| FetchError::TooLarge(top.clone(), (MOST >> 20) as u64).into())
    }

    /// Runs git that talks with the upstream at this address.
    fn talk(&self, command: Command, address: &str, cancel: &Cancel) -> Result<Vec<u8>, FetchError> {
        run(command, Vec::new(), MOST, &Watch { address, cancel, fills: None, is_silent: false })
    }

    /// A folder of ours for what is computed beside the repository.
    fn beside(&self, leaves_no_trace: bool) -> Done<Beside> {
        let disk = |error| FetchError::Disk(self.git.folder.clone(), error);
        machine::make_private(&self.git.folder).map_err(disk)?;
        let folder = tempfile::Builder::new().prefix("coming-").tempdir_in(&self.git.folder).map_err(disk)?;
        std::fs::create_dir(folder.path().join("objects")).map_err(disk)?;
        Ok(Beside { folder, leaves_no_trace })
    }

    /// git in the work tree.
    fn command(&self, beside: Option<&Beside>) -> Command {
        let mut command = self.git.command("");
        command.current_dir(&self.top);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        // It talks with nobody, unless a way is opened.
        command.env("GIT_ALLOW_PROTOCOL", "none").env("GIT_NO_LAZY_FETCH", "1").env("GIT_LITERAL_PATHSPECS", "1");
        command.env("GIT_EDITOR", ":").env("GIT_SEQUENCE_EDITOR", ":").env("GIT_PAGER", "cat");
        // git goes no further up than we looked.
        command.env("GIT_CEILING_DIRECTORIES", self.top.parent().unwrap_or(&self.top));
        if let Some(Beside { folder, leaves_no_trace }) = beside {
            // A split index has its other half in the repository.
            command.args(["-c", "core.splitIndex=false"]);
            command.env("GIT_INDEX_FILE", folder.path().join("index"));
            if *leaves_no_trace {
                command.env("GIT_OBJECT_DIRECTORY", folder.path().join("objects"));
                command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", listed_path(&self.objects));
            }
        }
        command
    }
}

/// A path in git's list of paths, which are separated as in PATH.
fn listed_path(path: &Path) -> OsString {
    let shown = path.to_string_lossy();
    let separator = if cfg!(windows) { ';' } else { ':' };
    if shown.contains(separator) || shown.starts_with('"') {
        return format!("\"{}\"", shown.replace('\\', "\\\\").replace('"', "\\\"")).into();
    }
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_the_separator_in_it_stays_one_path() {
        assert_eq!(listed_path(Path::new("/a b/objects")), "/a b/objects");
        if !cfg!(windows) {
            assert_eq!(listed_path(Path::new("/a:b\"c/objects")), "\"/a:b\\\"c/objects\"");
        }
    }
}
