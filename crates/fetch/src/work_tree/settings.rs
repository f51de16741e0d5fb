//! What a repository's own settings and hooks would have git do: a work tree's, and those of an upstream on this computer.
//!
//! Its `.git/config` is written by whoever made the folder: the person with git, or an archive, a shared drive, a program
//! in a sandbox. git starts programs from dozens of settings, and from more with each version, so those are listed that
//! start none (`plain`); with any other, nothing is done. How git reaches an upstream is the person's alone too: a proxy of the
//! folder's would see their sign-in. Reading settings starts nothing.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    Done, WorkTree, WorkTreeError,
    error::some_of,
    plain::{is_of_connection, is_plain},
};
use crate::Cancel;

/// The hooks that take part in a commit or a push.
const OF_COMMITS: &[&str] =
    &["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "reference-transaction"];
/// Those that git runs after a pull.
const OF_PULLS: &[&str] = &["post-merge"];
/// Those of a repository that is pushed to.
const OF_RECEIVERS: &[&str] = &[
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
];

impl WorkTree {
    /// Refuses a work tree whose own settings may start something, or have a say in how its upstream is reached.
    pub(super) fn refuse_settings(&self, cancel: &Cancel) -> Done<()> {
        let own = self.own_settings(self.command(None), cancel)?;
        let (connection, odd): (Vec<_>, Vec<_>) =
            own.into_iter().filter(|name| !is_plain(name)).partition(|name| is_of_connection(name));
        let place = || self.top.display().to_string();
        let some = |names: &[String]| some_of(names.iter().map(String::as_str));
        match (odd.is_empty(), connection.is_empty()) {
            (false, _) => Err(WorkTreeError::Settings { place: place(), names: some(&odd) }),
            (true, false) => Err(WorkTreeError::Connection { place: place(), names: some(&connection) }),
            (true, true) => Ok(()),
        }
    }

    /// The names of the settings that the repository of this command has itself, in whichever of its files.
    pub(super) fn own_settings(&self, mut command: Command, cancel: &Cancel) -> Done<Vec<String>> {
        command.args(["config", "--list", "-z", "--show-scope"]);
        Ok(own(&self.run(command, Vec::new(), cancel)?))
    }

    /// Refuses a commit or a push where hooks would take part.
    pub(super) fn refuse_hooks(&self, cancel: &Cancel) -> Done<()> {
        let hooks = self.hooks(OF_COMMITS, cancel)?;
        if hooks.is_empty() { Ok(()) } else { Err(WorkTreeError::Hooks(hooks.join(", "))) }
    }

    /// The hooks that git in a terminal would run after a pull. They do not run here.
    ///
    /// # Errors
    /// When git fails.
    pub fn hooks_after_pull(&self, cancel: &Cancel) -> Done<Vec<&'static str>> {
        self.hooks(OF_PULLS, cancel)
    }

    fn hooks(&self, names: &[&'static str], cancel: &Cancel) -> Done<Vec<&'static str>> {
        self.hooks_of(self.command(None), (&self.common, &self.top), names, cancel)
    }

    /// Those of the hooks of a push that another repository has. The command is git in this repository.
    pub(super) fn hooks_of_receiver(
        &self,
        command: Command,
        git_dir: &Path,
        cancel: &Cancel,
    ) -> Done<Vec<&'static str>> {
        self.hooks_of(command, (git_dir, git_dir), OF_RECEIVERS, cancel)
    }

    /// Those of these hooks that git would run. `start` is the folder that it would start them in.
    fn hooks_of(
        &self,
        mut command: Command,
        (git_dir, start): (&Path, &Path),
        names: &[&'static str],
        cancel: &Cancel,
    ) -> Done<Vec<&'static str>> {
        command.args(["config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath"]);
        let printed = self.try_run(command, Vec::new(), cancel)?.stdout;
        let fields: Vec<_> = printed.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        // The last one that is not ours.
        let set = fields.chunks_exact(2).rfind(|pair| pair[0] != "command").map(|pair| PathBuf::from(&*pair[1]));
        let folder = set.map_or_else(|| git_dir.join("hooks"), |set| start.join(set));
        Ok(there(&folder, names))
    }
}

/// Those of these hooks that git would run from a folder.
fn there(folder: &Path, names: &[&'static str]) -> Vec<&'static str> {
    let runs = |name: &&&str| {
        let Ok(kind) = std::fs::metadata(folder.join(name)) else { return false };
        #[cfg(unix)]
        let may_run = std::os::unix::fs::PermissionsExt::mode(&kind.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let may_run = true;
        kind.is_file() && may_run
    };
    names.iter().filter(runs).copied().collect()
}

/// The names of the settings of the repository itself, in what `git config --list -z --show-scope` prints: for each a
/// scope, NUL, the name, and, after a line end, the value, NUL.
fn own(printed: &[u8]) -> Vec<String> {
    let fields: Vec<_> = printed.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
    let own = fields.chunks_exact(2).filter(|pair| !["system", "global", "command"].contains(&&*pair[0]));
    own.map(|pair| pair[1].split('\n').next().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_the_person_are_theirs() {
        let printed = b"system\0filter.lfs.clean\ngit-lfs clean\0global\0credential.helper\nstore\0global\0http.proxy\nhttp://127.0.0.1:8080\0local\0core.bare\nfalse\0worktree\0x.y\nz\nlocal\0local\0flag\0command\0core.fsmonitor\nfalse\0";
        assert_eq!(own(printed), ["core.bare", "x.y", "flag"]);
    }
}
