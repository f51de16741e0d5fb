//! The git of this computer: found, started so that nothing of a repository runs, and asked for tips and commits.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use machine::{Machine, background};
use sha2::{Digest as _, Sha256};

use crate::{
    Cancel, FetchError, Tip, Tips,
    bare::Bare,
    kept,
    running::{SILENCE, Watch, run, try_run},
    tips::is_commit,
};

/// The most bytes of a list of branches and tags.
pub(crate) const MOST_TIPS: usize = 16 << 20;
/// The most bytes of a list of commits.
const LONGEST_HISTORY: usize = 256 << 20;

/// What git gets beside its usual configuration, which a person's own cannot undo: nothing of a repository runs, and
/// nobody is asked.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.interactive=false",
    "init.templateDir=",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "fetch.writeCommitGraph=false",
    "fetch.prune=false",
    // What is here says nothing about what is wanted.
    "fetch.negotiationAlgorithm=noop",
    // What is fetched is a pack, however little it is: one file instead of thousands.
    "fetch.unpackLimit=1",
    "transfer.bundleURI=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.lowSpeedLimit=100",
    "advice.detachedHead=false",
];

/// Variables that would lead git elsewhere, make it run something, or add to what it says.
const UNSET: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DEFAULT_HASH",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_PROTOCOL_FROM_USER",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE_CURL",
    "GIT_TRACE_PACKET",
    "GIT_CURL_VERBOSE",
    "GIT_WORK_TREE",
    "SSH_ASKPASS",
];

/// The git of this computer, and the folder for what it fetches.
#[derive(Debug, Clone)]
pub struct Git {
    program: PathBuf,
    /// Below our data folder.
    pub(crate) folder: PathBuf,
    /// Whether the person's own settings say how ssh is started.
    has_ssh: bool,
}

impl Git {
    /// Finds git. `folder` is where fetched commits are kept.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(machine: &Machine, folder: &Path) -> Result<Self, FetchError> {
        let name = if cfg!(windows) { "git.exe" } else { "git" };
        let is_git = |program: &PathBuf| program.is_file() && !is_placeholder(program, Path::new("/"));
        let found = machine.search.iter().map(|folder| folder.join(name)).find(is_git);
        let git = Self { program: found.ok_or(FetchError::NoGit)?, folder: folder.to_path_buf(), has_ssh: true };
        let mut asking = git.command("");
        asking.args(["config", "--get", "core.sshCommand"]);
        let cancel = Cancel::default();
        let watch = Watch { address: "git", cancel: &cancel, fills: None, is_silent: false };
        // It ends with 1 where there is none.
        let printed = try_run(asking, Vec::new(), MOST_TIPS, &watch)?;
        Ok(Self { has_ssh: printed.is_some_and(|printed| !printed.stdout.trim_ascii().is_empty()), ..git })
    }

    /// Asks a repository for its branches and tags.
    ///
    /// # Errors
    /// When it cannot be reached or read.
    pub fn tips(&self, address: &str, cancel: &Cancel) -> Result<Tips, FetchError> {
        let mut command = self.command(address);
        command.args(["ls-remote", "--quiet", "--", address, "HEAD", "refs/heads/*", "refs/tags/*"]);
        let watch = Watch { address, cancel, fills: None, is_silent: false };
        Ok(Tips::read(&String::from_utf8_lossy(&run(command, Vec::new(), MOST_TIPS, &watch)?)))
    }

    /// A commit that was fetched before.
    pub fn kept(&self, address: &str, commit: &str) -> Option<Bare> {
        let folder = self.place(address, commit);
        folder.join("HEAD").is_file().then(|| Bare::new(self.clone(), address, commit, folder))
    }

    /// Fetches one commit without its history, unless it is here already. If the branch moved since it was asked for,
    /// its present commit comes.
    ///
    /// # Errors
    /// When it cannot be fetched; then nothing is left.
    pub fn fetch(&self, address: &str, tip: &Tip, cancel: &Cancel) -> Result<Bare, FetchError> {
        if let Some(commit) = self.kept(address, &tip.commit) {
            return Ok(commit);
        }
        let disk = |error| FetchError::Disk(self.folder.clone(), error);
        machine::make_private(&self.folder).map_err(disk)?;
        kept::sweep(&self.folder);
        let fresh = tempfile::Builder::new().prefix("coming-").tempdir_in(&self.folder).map_err(disk)?;
        let at = fresh.path().join("repository");
        self.bring(address, &at, &tip.reference, cancel)?;
        let printed = self.ours(address, &at, &["rev-parse", "--verify", "refs/fetched^{commit}"], cancel)?;
        let commit = String::from_utf8_lossy(&printed).trim().to_owned();
        if !is_commit(&commit) {
            return Err(FetchError::Other(address.to_owned(), "it named no commit".to_owned()));
        }
        let place = self.place(address, &commit);
        match fs::rename(&at, &place) {
            // Another fetch was faster.
            Err(_) if place.join("HEAD").is_file() => {}
            done => done.map_err(|error| FetchError::Disk(place.clone(), error))?,
        }
        Ok(Bare::new(self.clone(), address, &commit, place))
    }

    /// Fetches a commit with its list of files and without their bytes; with all where the server can do no less.
    fn bring(&self, address: &str, at: &Path, reference: &str, cancel: &Cancel) -> Result<(), FetchError> {
        let refspec = format!("+{reference}:refs/fetched");
        let fetch = |how: &[&str]| {
            let mut command = self.fetching(address, at);
            command.args(how).args(["origin", &refspec]);
            run(command, Vec::new(), MOST_TIPS, &Watch { address, cancel, fills: Some(at), is_silent: false })
        };
        self.begin(address, at, cancel)?;
        match fetch(&["--depth=1", "--filter=blob:none"]) {
            // A server of plain files knows neither, and git would ask it for what it was to leave out.
            Err(FetchError::Other(_, why)) if why.contains("dumb http") => {
                fs::remove_dir_all(at).map_err(|error| FetchError::Disk(at.to_path_buf(), error))?;
                self.begin(address, at, cancel)?;
                fetch(&[]).map(drop)
            }
            done => done.map(drop),
        }
    }

    /// An empty repository of ours that knows where its commits come from.
    fn begin(&self, address: &str, at: &Path, cancel: &Cancel) -> Result<(), FetchError> {
        self.ours(address, at, &["init", "--quiet", "--bare", "--", &at.display().to_string()], cancel)?;
        self.ours(address, at, &["config", "remote.origin.url", address], cancel).map(drop)
    }

    /// Whether `new` was made after the commit `old`, which is of the time `made`: a rewritten history has lost it. Only
    /// the commits between are fetched, and none of their files.
    ///
    /// # Errors
    /// When the repository cannot be asked.
    pub fn follows(&self, new: &Bare, old: &str, made: u64, cancel: &Cancel) -> Result<bool, FetchError> {
        let address = new.address();
        let since = format!("--shallow-since=@{made}");
        let fresh = tempfile::Builder::new().prefix("coming-").tempdir_in(&self.folder);
        let fresh = fresh.map_err(|error| FetchError::Disk(self.folder.clone(), error))?;
        let history = fresh.path().join("repository");
        self.begin(address, &history, cancel)?;
        let mut command = self.fetching(address, &history);
        command.args(["--filter=tree:0", &since, "origin", &format!("+{}:refs/fetched", new.id())]);
        match run(command, Vec::new(), MOST_TIPS, &Watch { address, cancel, fills: Some(&history), is_silent: false }) {
            Ok(_) => {}
            // No commit is so young: the old one is no ancestor.
            Err(FetchError::Other(_, why)) if why.contains("shallow") => return Ok(false),
            Err(error) => return Err(error),
        }
        let mut command = self.at(address, &history);
        command.env("GIT_NO_LAZY_FETCH", "1");
        command.args(["rev-list", "refs/fetched"]);
        let watch = Watch { address, cancel, fills: None, is_silent: false };
        let printed = run(command, Vec::new(), LONGEST_HISTORY, &watch)?;
        Ok(String::from_utf8_lossy(&printed).lines().any(|line| line == old))
    }

    /// git that fetches into a repository of ours.
    pub(crate) fn fetching(&self, address: &str, at: &Path) -> Command {
        let mut command = self.at(address, at);
        command.args(["fetch", "--quiet", "--progress", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"]);
        command
    }

    /// Runs git in a repository of ours, without the network.
    pub(crate) fn ours(
        &self,
        address: &str,
        at: &Path,
        words: &[&str],
        cancel: &Cancel,
    ) -> Result<Vec<u8>, FetchError> {
        let mut command = self.at(address, at);
        command.env("GIT_NO_LAZY_FETCH", "1").args(words);
        run(command, Vec::new(), MOST_TIPS, &Watch { address, cancel, fills: None, is_silent: false })
    }

    /// git in a repository of ours.
    pub(crate) fn at(&self, address: &str, at: &Path) -> Command {
        let mut command = self.command(address);
        command.env("GIT_DIR", at);
        command
    }

    /// git, with nothing that a repository or a variable could add.
    pub(crate) fn command(&self, address: &str) -> Command {
        let mut command = background(&self.program);
        for name in UNSET {
            command.env_remove(name);
        }
        // What it may speak, and what it may be sent on to.
        let protocols = if address.starts_with("http://") { "http:https:ssh" } else { "https:ssh" };
        command.env("GIT_ALLOW_PROTOCOL", protocols);
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ASKPASS", "").env("GCM_INTERACTIVE", "never");
        command.env("SSH_ASKPASS_REQUIRE", "never").env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_OPTIONAL_LOCKS", "0");
        // Messages are read by this program.
        command.env("LC_ALL", "C").env("LANGUAGE", "C");
        // Somewhere that is there, and that is no work tree of the person's.
        command.current_dir(self.program.parent().unwrap_or(Path::new("/")));
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.arg("-c").arg(format!("http.lowSpeedTime={}", SILENCE.as_secs()));
        if !self.has_ssh {
            // ssh asks nobody either. A variable of the person's goes before this.
            command.args(["-c", "core.sshCommand=ssh -oBatchMode=yes"]);
        }
        command
    }

    fn place(&self, address: &str, commit: &str) -> PathBuf {
        let name = format!("{:x}", Sha256::digest(address));
        self.folder.join(format!("{}-{commit}.git", &name[..16]))
    }
}

/// Whether it is the program that macOS has in git's place until its developer tools are there: it opens a dialog that
/// offers them. Below `root` is the system.
fn is_placeholder(program: &Path, root: &Path) -> bool {
    let tools = ["var/db/xcode_select_link", "Library/Developer/CommandLineTools", "Applications/Xcode.app"];
    let is_of_macos = root.join("System/Library/CoreServices/SystemVersion.plist").is_file();
    is_of_macos && program == root.join("usr/bin/git") && !tools.iter().any(|place| root.join(place).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_placeholder_of_macos_is_not_git_until_the_developer_tools_are_there() {
        let root = tempfile::tempdir().unwrap();
        let (git, other) = (root.path().join("usr/bin/git"), root.path().join("opt/homebrew/bin/git"));
        assert!(!is_placeholder(&git, root.path()), "another system");
        let system = root.path().join("System/Library/CoreServices");
        fs::create_dir_all(&system).unwrap();
        fs::write(system.join("SystemVersion.plist"), "").unwrap();
        assert!(is_placeholder(&git, root.path()) && !is_placeholder(&other, root.path()));
        fs::create_dir_all(root.path().join("Library/Developer/CommandLineTools")).unwrap();
        assert!(!is_placeholder(&git, root.path()));
    }
}
