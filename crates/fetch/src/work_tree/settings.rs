//! What a work tree's own settings and hooks would have git start.
//!
//! Its `.git/config` is written by whoever made the folder: the person with git, or an archive, a shared drive, a program
//! in a sandbox. git starts programs from dozens of settings, and from more with each version, so those are listed that
//! start none; with any other, nothing is done. Reading settings starts nothing.

use std::path::{Path, PathBuf};

use super::{Done, WorkTree, WorkTreeError, error::some_of};
use crate::Cancel;

/// The settings that start nothing, by section: those of the section itself. `*` is all of them.
const PLAIN: &[(&str, &[&str])] = &[
    ("advice", &["*"]),
    ("am", &["*"]),
    ("apply", &["*"]),
    ("author", &["*"]),
    ("blame", &["*"]),
    ("checkout", &["*"]),
    ("color", &["*"]),
    ("column", &["*"]),
    ("commit", &["*"]),
    ("committer", &["*"]),
    (
        "core",
        &[
            "abbrev",
            "attributesfile",
            "autocrlf",
            "bare",
            "bigfilethreshold",
            "checkroundtripencoding",
            "checkstat",
            "commentchar",
            "commentstring",
            "commitgraph",
            "compression",
            "createobject",
            "editor",
            "eol",
            "excludesfile",
            "filemode",
            // Both are set for every git that is started here.
            "fsmonitor",
            "hookspath",
            "fscache",
            "hidedotfiles",
            "ignorecase",
            "logallrefupdates",
            "longpaths",
            "loosecompression",
            "multipackindex",
            // Nothing is shown on a terminal, and nothing is edited.
            "pager",
            "precomposeunicode",
            "preloadindex",
            "protecthfs",
            "protectntfs",
            "quotepath",
            "repositoryformatversion",
            "safecrlf",
            "sharedrepository",
            "sparsecheckout",
            "sparsecheckoutcone",
            "splitindex",
            "symlinks",
            "trustctime",
            "untrackedcache",
            "warnambiguousrefs",
            "whitespace",
            // It is looked whether it leads elsewhere.
            "worktree",
        ],
    ),
    ("credential", &["username", "usehttppath"]),
    (
        "diff",
        &[
            "algorithm",
            "colormoved",
            "context",
            "guitool",
            "indentheuristic",
            "mnemonicprefix",
            "noprefix",
            "renamelimit",
            "renames",
            "submodule",
            "tool",
        ],
    ),
    (
        "extensions",
        &[
            "compatobjectformat",
            "noop",
            "objectformat",
            "partialclone",
            "preciousobjects",
            "refstorage",
            "relativeworktrees",
            "worktreeconfig",
        ],
    ),
    ("feature", &["*"]),
    ("fetch", &["all", "fsckobjects", "output", "parallel", "prune", "prunetags", "showforcedupdates"]),
    ("format", &["*"]),
    (
        "gc",
        &[
            "aggressivedepth",
            "aggressivewindow",
            "auto",
            "autodetach",
            "autopacklimit",
            "packrefs",
            "pruneexpire",
            "reflogexpire",
        ],
    ),
    ("gpg", &["format"]),
    ("gui", &["*"]),
    (
        "http",
        &[
            "extraheader",
            "lowspeedlimit",
            "lowspeedtime",
            "postbuffer",
            "proxy",
            "sslbackend",
            "sslcainfo",
            "sslverify",
            "version",
        ],
    ),
    ("i18n", &["*"]),
    ("include", &["path"]),
    ("index", &["*"]),
    ("init", &["defaultbranch"]),
    ("lfs", &["repositoryformatversion"]),
    ("log", &["abbrevcommit", "date", "decorate", "follow"]),
    ("maintenance", &["auto", "strategy"]),
    (
        "merge",
        &[
            "autostash",
            "branchdesc",
            "conflictstyle",
            "directoryrenames",
            "ff",
            "log",
            "renamelimit",
            "renames",
            "stat",
        ],
    ),
    ("pack", &["*"]),
    ("pull", &["*"]),
    ("push", &["*"]),
    ("rebase", &["*"]),
    ("receive", &["denycurrentbranch", "denydeletes", "denynonfastforwards"]),
    ("remote", &["pushdefault"]),
    ("rerere", &["*"]),
    ("status", &["*"]),
    ("submodule", &["active", "recurse"]),
    ("tag", &["*"]),
    ("transfer", &["fsckobjects", "hiderefs"]),
    ("user", &["*"]),
];

/// The same for what stands under a name: `branch.main.remote`.
const NAMED: &[(&str, &[&str])] = &[
    (
        "branch",
        &[
            "*remote",
            "merge",
            "rebase",
            "pushremote",
            "description",
            "vscode-merge-base",
            "github-pr-owner-number",
            "gh-merge-base",
        ],
    ),
    ("credential", &["username", "usehttppath", "provider"]),
    ("difftool", &["*"]),
    ("http", &["extraheader", "proxy", "sslcainfo", "sslverify"]),
    ("includeif", &["path"]),
    ("mergetool", &["*"]),
    (
        "remote",
        &[
            "fetch",
            "followremotehead",
            "gh-resolved",
            "partialclonefilter",
            "promisor",
            "prune",
            "prunetags",
            "push",
            "pushurl",
            "skipdefaultupdate",
            "tagopt",
            "url",
        ],
    ),
    ("submodule", &["active", "branch", "fetchrecursesubmodules", "ignore", "shallow", "url"]),
    ("url", &["insteadof", "pushinsteadof"]),
];

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
];

/// Whether a setting by its full name, `section.name` or `section.of.name`, starts nothing.
fn is_plain(name: &str) -> bool {
    let Some((section, rest)) = name.split_once('.') else { return false };
    let (table, key) = match rest.rsplit_once('.') {
        Some((_, key)) => (NAMED, key),
        None => (PLAIN, rest),
    };
    let (section, key) = (section.to_ascii_lowercase(), key.to_ascii_lowercase());
    // git's own commands are no aliases.
    if section == "alias" {
        return true;
    }
    let known = table.iter().find(|(known, _)| *known == section).map_or(&[][..], |(_, keys)| keys);
    known.iter().any(|known| *known == "*" || known.trim_start_matches('*') == key)
}

impl WorkTree {
    /// Refuses a work tree whose own settings may start something.
    pub(super) fn refuse_programs(&self, cancel: &Cancel) -> Done<()> {
        let mut command = self.command(None);
        command.args(["config", "--list", "-z", "--show-scope"]);
        let printed = self.run(command, Vec::new(), cancel)?;
        let odd = own_settings(&printed).into_iter().filter(|name| !is_plain(name)).collect::<Vec<_>>();
        if odd.is_empty() {
            return Ok(());
        }
        let place = self.top.display().to_string();
        Err(WorkTreeError::Settings { place, names: some_of(odd.iter().map(String::as_str)) })
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
        let mut command = self.command(None);
        command.args(["config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath"]);
        let printed = self.try_run(command, Vec::new(), cancel)?.stdout;
        let fields: Vec<_> = printed.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        // The last one that is not ours.
        let set = fields.chunks_exact(2).rfind(|pair| pair[0] != "command").map(|pair| PathBuf::from(&*pair[1]));
        let folder = set.map_or_else(|| self.common.join("hooks"), |set| self.top.join(set));
        Ok(there(&folder, names))
    }
}

/// Refuses a repository on this computer whose hooks a push would run.
pub(super) fn refuse_hooks_of(path: &Path) -> Done<()> {
    let inner = path.join(".git");
    let git_dir = if inner.is_dir() { inner } else { path.to_path_buf() };
    let config = std::fs::read_to_string(git_dir.join("config")).unwrap_or_default().to_ascii_lowercase();
    let starts = ["hookspath", "alternaterefscommand", "procreceiverefs", "[include"];
    if starts.iter().any(|name| config.contains(name)) || !there(&git_dir.join("hooks"), OF_RECEIVERS).is_empty() {
        return Err(WorkTreeError::HooksThere(path.display().to_string()));
    }
    Ok(())
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
fn own_settings(printed: &[u8]) -> Vec<String> {
    let fields: Vec<_> = printed.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
    let own = fields.chunks_exact(2).filter(|pair| !["system", "global", "command"].contains(&&*pair[0]));
    own.map(|pair| pair[1].split('\n').next().unwrap_or_default().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_writes_itself_is_plain_and_what_starts_programs_is_not() {
        for plain in [
            "core.repositoryformatversion",
            "core.FileMode",
            "remote.origin.url",
            "remote.a.b.fetch",
            "branch.main.remote",
            "branch.feature.x.merge",
            "user.email",
            "pull.rebase",
            "url.https://host.example/.insteadof",
            "submodule.sub.url",
            "core.hookspath",
            "lfs.repositoryformatversion",
        ] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in [
            "filter.lfs.clean",
            "filter.x.process",
            "core.sshCommand",
            "core.gitProxy",
            "core.alternateRefsCommand",
            "core.askPass",
            "credential.helper",
            "credential.https://host.example.helper",
            "diff.external",
            "diff.x.textconv",
            "merge.x.driver",
            "gpg.program",
            "gpg.ssh.defaultKeyCommand",
            "remote.origin.uploadpack",
            "remote.origin.receivepack",
            "remote.origin.vcs",
            "remote.origin.mirror",
            "branch.main.mergeOptions",
            "submodule.sub.update",
            "http.cookieFile",
            "hook.x.command",
            "trailer.x.cmd",
            "protocol.ext.allow",
            "unheard.of",
            "nothing",
        ] {
            assert!(!is_plain(odd), "{odd}");
        }
    }

    #[test]
    fn the_settings_of_the_person_are_theirs() {
        let printed = b"system\0filter.lfs.clean\ngit-lfs clean\0global\0credential.helper\nstore\0local\0core.bare\nfalse\0worktree\0x.y\nz\nlocal\0local\0flag\0command\0core.fsmonitor\nfalse\0";
        assert_eq!(own_settings(printed), ["core.bare", "x.y", "flag"]);
    }
}
