//! How git reaches an upstream, and what it may start there: where the upstream is a repository on this computer, git runs
//! in that repository as well, by its settings.
//!
//! git finds a repository by an address in many ways: it tries endings, follows `.git` files, leaves out a host, takes `%74`
//! for a letter. So git is asked which repository lies in the folder, its settings are judged as those of a work tree are, and
//! git is then told to serve exactly that one, whatever the address would lead to. An address that is not taken for one of
//! this computer reaches none on it.

use std::path::{Path, PathBuf};

use super::{Done, WorkTree, WorkTreeError, error::some_of, plain::is_plain};
use crate::{Cancel, FetchError};

/// What git may speak with an upstream that is not on this computer. The person chose its address themselves.
const ELSEWHERE: &str = "http:https:ssh";
/// What git gets that works in a repository on this computer for a fetch or a push: it starts nothing, asks nobody, changes no
/// file of a work tree. It is part of a command that a shell reads.
const SERVING: &str = "GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git -c core.hooksPath=/dev/null -c core.fsmonitor=false \
    -c 'core.alternateRefsCommand=exit 0 #' -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false \
    -c receive.denyCurrentBranch=refuse";

/// What is done with an upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Talk {
    Fetch,
    Push,
}

/// How git reaches an upstream.
#[derive(Debug)]
pub(super) struct Way {
    protocols: &'static str,
    /// The option that says what is started on this computer for the other side.
    serving: Option<String>,
}

/// Where an address leads.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Elsewhere,
    /// To this path on this computer.
    Here(PathBuf),
    /// To this computer, and only git knows where.
    Unclear,
}

impl Way {
    /// Lets this git, which fetches or pushes, reach the upstream; it comes before the names of remotes.
    pub(super) fn open(&self, command: &mut std::process::Command) {
        command.env("GIT_ALLOW_PROTOCOL", self.protocols).args(&self.serving);
    }
}

impl WorkTree {
    /// How git reaches the upstream at this address, if nothing there would start a program.
    pub(super) fn way(&self, address: &str, talk: Talk, cancel: &Cancel) -> Done<Way> {
        let unclear = || WorkTreeError::Unclear(address.to_owned());
        let path = match place(&self.top, address) {
            Place::Elsewhere => return Ok(Way { protocols: ELSEWHERE, serving: None }),
            Place::Unclear => return Err(unclear()),
            Place::Here(path) => path,
        };
        let none = || {
            // git would try this name next.
            let other = format!("{}.git", path.display());
            if Path::new(&other).exists() { unclear() } else { FetchError::NoRepository(address.to_owned()).into() }
        };
        if !path.is_dir() {
            return Err(none());
        }
        let inner = path.join(".git");
        let at = match inner.symlink_metadata() {
            Ok(_) if inner.is_dir() => inner,
            // It names another folder.
            Ok(_) => return Err(unclear()),
            Err(_) => path.clone(),
        };
        let git = || {
            let mut command = self.command(None);
            // As git is there when it serves it, so that the same settings apply.
            command.current_dir(&at).env("GIT_DIR", ".");
            command
        };
        let mut asking = git();
        asking.args(["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]);
        let printed = self.try_run(asking, Vec::new(), cancel)?;
        if !printed.status.success() {
            let is_none = printed.stderr.contains("not a git repository");
            return Err(if is_none { none() } else { WorkTreeError::told(self, &printed.stderr) });
        }
        // Of a path in other letters, what is shown is another path.
        let printed = String::from_utf8(printed.stdout).map_err(|_| unclear())?;
        let git_dir = match printed.split('\n').collect::<Vec<_>>()[..] {
            [git_dir, common, ""] if git_dir == common && !Path::new(git_dir).join(".git").exists() => git_dir,
            _ => return Err(unclear()),
        };
        // What is included may depend on who asks.
        let is_odd = |name: &String| !is_plain(name) || name.starts_with("include");
        let odd: Vec<_> = self.own_settings(git(), cancel)?.into_iter().filter(is_odd).collect();
        if !odd.is_empty() {
            let names = some_of(odd.iter().map(String::as_str));
            return Err(WorkTreeError::SettingsThere { place: git_dir.to_owned(), names });
        }
        if talk == Talk::Push && !self.hooks_of_receiver(git(), Path::new(git_dir), cancel)?.is_empty() {
            return Err(WorkTreeError::HooksThere(git_dir.to_owned()));
        }
        Ok(Way { protocols: "file", serving: Some(serving(git_dir, talk)) })
    }
}

/// The option with which git starts this repository's git for the other side. git puts the path of the address behind it,
/// which is not looked at.
fn serving(git_dir: &str, talk: Talk) -> String {
    let (option, program) = match talk {
        Talk::Fetch => ("--upload-pack", "upload-pack --strict"),
        Talk::Push => ("--receive-pack", "receive-pack"),
    };
    let git_dir = git_dir.replace('\'', r"'\''");
    format!("{option}=serve() {{ {SERVING} {program} '{git_dir}'; }}; serve")
}

/// Where an address leads from a work tree, as git reads addresses: one of another computer has a scheme, or a colon before its
/// first slash.
fn place(top: &Path, address: &str) -> Place {
    if let Some(path) = address.strip_prefix("file://") {
        // A host would be left out, and signs are spelled with `%`.
        let is_clear = path.starts_with('/') && !path.contains('%');
        // `/C:/a` is `C:/a`.
        let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
        let path = if is_drive { &path[1..] } else { path };
        return if is_clear { Place::Here(PathBuf::from(path)) } else { Place::Unclear };
    }
    let is_drive = cfg!(windows) && address.as_bytes().get(1) == Some(&b':');
    let host = address.split('/').next().unwrap_or_default();
    match () {
        () if host.contains(':') && !is_drive => Place::Elsewhere,
        // Whose home it is, git finds out.
        () if address.starts_with('~') || address.is_empty() => Place::Unclear,
        () => Place::Here(top.join(address)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_on_this_computer_are_told_from_those_elsewhere() {
        let of = |address| place(Path::new("/top"), address);
        for address in
            ["https://host.example/a.git", "ssh://host/a", "git@host.example:a.git", "host:a/b", "ext::sh -c x"]
        {
            assert_eq!(of(address), Place::Elsewhere, "{address}");
        }
        for (address, path) in [
            ("/mnt/a.git", "/mnt/a.git"),
            ("../a.git", "/top/../a.git"),
            ("./a:b.git", "/top/./a:b.git"),
            ("a~", "/top/a~"),
        ] {
            assert_eq!(of(address), Place::Here(PathBuf::from(path)));
        }
        for address in ["file://localhost/a.git", "file:///%61.git", "file://a.git", "~/a.git", "~ada/a.git", ""] {
            assert_eq!(of(address), Place::Unclear, "{address}");
        }
        if cfg!(windows) {
            assert_eq!(of("file:///C:/a.git"), Place::Here(PathBuf::from("C:/a.git")));
            assert_eq!(of("C:/a.git"), Place::Here(PathBuf::from("C:/a.git")));
        } else {
            assert_eq!(of("file:///mnt/a.git"), Place::Here(PathBuf::from("/mnt/a.git")));
        }
    }

    /// Runs `git push` or `git fetch` in a clone of a repository that nobody judged.
    #[cfg(unix)]
    fn talk_with(at: &Path, program: Talk, clone: &Path, words: &[&str]) -> String {
        let option = serving(&at.display().to_string(), program);
        let mut command = std::process::Command::new("git");
        command.current_dir(clone).args([words[0], &option]).args(&words[1..]);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C");
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }

    #[cfg(unix)]
    #[test]
    fn git_that_serves_a_repository_starts_nothing_of_it_even_if_nobody_judged_it() {
        use std::{fs, os::unix::fs::PermissionsExt as _};

        use ::tests::git_in;

        let folder = tempfile::tempdir().unwrap();
        let (at, lender, clone) =
            (folder.path().join("it's #.git"), folder.path().join("lender.git"), folder.path().join("clone"));
        let path = |path: &Path| path.display().to_string();
        for bare in [&at, &lender] {
            git_in(folder.path(), &["init", "--quiet", "--bare", "--initial-branch=main", &path(bare)]);
        }
        git_in(folder.path(), &["clone", "--quiet", &path(&at), &path(&clone)]);
        let commit = |message: &str| git_in(&clone, &["commit", "--quiet", "--allow-empty", "--message", message]);
        commit("one");
        git_in(&clone, &["push", "--quiet", &path(&at), "HEAD:refs/heads/main"]);
        git_in(&clone, &["push", "--quiet", &path(&lender), "HEAD:refs/heads/main"]);
        fs::write(at.join("objects/info/alternates"), format!("{}\n", lender.join("objects").display())).unwrap();
        let (trap, mark) = (folder.path().join("trap"), folder.path().join("ran"));
        fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", mark.display())).unwrap();
        fs::set_permissions(&trap, fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir_all(at.join("elsewhere")).unwrap();
        for hook in [
            "pre-receive",
            "update",
            "proc-receive",
            "post-receive",
            "post-update",
            "reference-transaction",
            "push-to-checkout",
            "pre-auto-gc",
            "post-index-change",
            "fsmonitor-watchman",
        ] {
            for folder in ["hooks", "elsewhere"] {
                fs::copy(&trap, at.join(folder).join(hook)).unwrap();
            }
        }
        for (name, value) in [
            ("core.alternateRefsCommand", &*path(&trap)),
            ("core.fsmonitor", &path(&trap)),
            ("core.hooksPath", "elsewhere"),
            ("core.sshCommand", &path(&trap)),
            ("extensions.partialClone", "origin"),
            ("gc.auto", "1"),
            ("gc.recentObjectsHook", &path(&trap)),
            ("receive.autogc", "true"),
            ("receive.denyCurrentBranch", "updateInstead"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", "ssh://host.example/a.git"),
            ("remote.origin.uploadpack", &path(&trap)),
            ("uploadpack.allowAnySHA1InWant", "true"),
            ("uploadpack.packObjectsHook", &path(&trap)),
        ] {
            git_in(&at, &["config", name, value]);
        }
        let head = commit("two");
        // The address leads elsewhere, and what is served is what was judged.
        let printed =
            talk_with(&at, Talk::Push, &clone, &["push", "--porcelain", "./nowhere'", "HEAD:refs/heads/main"]);
        assert!(printed.contains("Done"), "{printed}{head}");
        let printed = talk_with(&at, Talk::Fetch, &clone, &["fetch", "./nowhere'", "main"]);
        assert!(printed.contains("FETCH_HEAD"), "{printed}");
        // What it lacks it asks nobody for.
        let printed = talk_with(&at, Talk::Fetch, &clone, &["fetch", "./nowhere'", &"a".repeat(40)]);
        assert!(!printed.contains("FETCH_HEAD"), "{printed}");
        git_in(&at, &["config", "receive.procReceiveRefs", "refs/heads"]);
        commit("three");
        let printed =
            talk_with(&at, Talk::Push, &clone, &["push", "--porcelain", "./nowhere'", "HEAD:refs/heads/main"]);
        assert!(printed.contains("fail to run proc-receive hook"), "{printed}");
        assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap_or_default());
    }
}
