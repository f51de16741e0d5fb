//! Work trees whose upstream is a repository on this computer, with real git: it is judged as the work tree is, however its
//! address is written.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod desks;

use std::{
    fs,
    path::{Path, PathBuf},
};

use desks::{Desks, commit, incoming, keep, kept, trap, write};
use fetch::{Cancel, FetchError, WorkTreeError};
use tests::git_in;

/// A work tree as somebody packed it, with repositories in its folder `r`.
struct Packed {
    desks: Desks,
    one: PathBuf,
    /// A program that leaves a mark where it is started.
    trap: String,
}

impl Packed {
    fn new() -> Self {
        let desks = Desks::new();
        let one = desks.one();
        let trap = trap(&one, "trap");
        write(&one, ".git/info/exclude", "/r/\n/trap\n/ran\n");
        Self { desks, one, trap }
    }

    /// Another repository of the same commits in `r`, which shares objects with one more.
    fn receiver(&self, name: &str) -> PathBuf {
        let at = self.one.join("r").join(name);
        let lender = self.one.join("r/lender.git");
        let served = git_in(&self.one, &["config", "remote.origin.url"]);
        for at in [&at, &lender] {
            if !at.exists() {
                git_in(&self.one, &["clone", "--quiet", "--bare", &served, &at.display().to_string()]);
            }
        }
        fs::write(at.join("objects/info/alternates"), format!("{}\n", lender.join("objects").display())).unwrap();
        at
    }

    /// The same; with this setting git starts the program where it takes what is pushed.
    fn trapped(&self, name: &str) -> PathBuf {
        let at = self.receiver(name);
        git_in(&at, &["config", "core.alternateRefsCommand", &self.trap]);
        at
    }

    fn ran(&self) -> bool {
        self.one.join("ran").exists()
    }

    /// What is said to a fetch, a look at a commit, and a push, when the upstream is at this address.
    fn told(&self, address: &str) -> [Option<WorkTreeError>; 3] {
        git_in(&self.one, &["remote", "set-url", "origin", address]);
        write(&self.one, "skills/tea/notes.md", &format!("After {}.\n", git_in(&self.one, &["rev-parse", "HEAD"])));
        let mine = commit(&self.one, "mine");
        let (tree, cancel) = (self.desks.tree(), Cancel::default());
        [tree.fetch(&cancel).err(), kept(&tree).err(), tree.push(&mine, &cancel).err()]
    }
}

/// The address in another spelling: its last letter as a sign of addresses.
fn signed(path: &Path) -> String {
    let path = path.display().to_string();
    let (rest, last) = path.split_at(path.len() - 1);
    format!("file://{rest}%{:02x}", last.as_bytes()[0])
}

#[test]
fn an_address_by_which_git_finds_another_repository_than_it_names_reaches_none() {
    type Prepare = fn(&Packed) -> String;
    let cases: [(&str, Prepare); 9] = [
        ("git adds an ending", |here| {
            here.trapped("evil.git");
            "./r/evil".to_owned()
        }),
        ("git adds two endings", |here| {
            fs::create_dir_all(here.one.join("r/evil")).unwrap();
            here.trapped("evil.git/.git");
            "./r/evil".to_owned()
        }),
        ("a file leads elsewhere", |here| {
            here.trapped("real.git");
            write(&here.one, "r/file/.git", "gitdir: ../real.git\n");
            "./r/file".to_owned()
        }),
        ("a file in a repository leads elsewhere", |here| {
            here.trapped("real.git");
            fs::write(here.receiver("outer.git").join(".git"), "gitdir: ../real.git\n").unwrap();
            "./r/outer.git".to_owned()
        }),
        ("its settings and objects are elsewhere", |here| {
            here.trapped("real.git");
            write(&here.one, "r/linked.git/HEAD", "ref: refs/heads/main\n");
            write(&here.one, "r/linked.git/commondir", "../real.git\n");
            "./r/linked.git".to_owned()
        }),
        ("a repository in a repository", |here| {
            here.receiver("outer.git");
            here.receiver("outer.git/.git");
            here.trapped("outer.git/.git/.git");
            "./r/outer.git".to_owned()
        }),
        ("git leaves out the host", |here| format!("file://localhost{}", here.trapped("evil.git").display())),
        ("git reads signs", |here| signed(&here.trapped("evil.git"))),
        ("it is nowhere", |_| "./r/none.git".to_owned()),
    ];
    for (name, prepare) in cases {
        let here = Packed::new();
        let address = prepare(&here);
        for told in here.told(&address) {
            let is_refused = match &told {
                Some(WorkTreeError::Unclear(told)) => *told == address,
                Some(WorkTreeError::Fetch(FetchError::NoRepository(_))) => name == "it is nowhere",
                _ => false,
            };
            assert!(is_refused, "{name}: {told:?}");
        }
        assert!(!here.ran(), "{name}");
    }
}

/// macOS has no such names.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_in_other_letters_is_not_taken_for_the_one_that_is_shown_for_it() {
    use std::os::unix::ffi::OsStrExt as _;

    let here = Packed::new();
    let folder = here.one.join("r").join(std::ffi::OsStr::from_bytes(b"e\xff.git"));
    fs::rename(here.receiver("usual.git"), &folder).unwrap();
    let shown = here.trapped("e\u{fffd}.git");
    std::os::unix::fs::symlink(&folder, here.one.join("r/link")).unwrap();
    for told in here.told("./r/link") {
        assert!(matches!(told, Some(WorkTreeError::Unclear(_))), "{told:?}");
    }
    // Nor is one that ends with half a line end.
    let ended = here.receiver("e\u{fffd}.git\r");
    std::os::unix::fs::symlink(&ended, here.one.join("r/other")).unwrap();
    let told = here.told("./r/other");
    assert!(told.iter().all(Option::is_none), "{told:?}");
    assert_eq!(git_in(&ended, &["rev-parse", "main"]), git_in(&here.one, &["rev-parse", "HEAD"]));
    assert_ne!(git_in(&shown, &["rev-parse", "main"]), git_in(&here.one, &["rev-parse", "HEAD"]));
    assert!(!here.ran());
}

#[test]
fn the_settings_of_an_upstream_on_this_computer_are_judged_wherever_they_are_written() {
    type Prepare = fn(&Packed, &Path);
    let cases: [(&str, Prepare); 6] = [
        ("in its settings", |here, at| drop(git_in(at, &["config", "core.alternateRefsCommand", &here.trap]))),
        ("with a path from its own folder", |here, at| {
            git_in(at, &["config", "core.alternateRefsCommand", &here.trap]);
            fs::write(at.join("objects/info/alternates"), "../../lender.git/objects\n").unwrap();
        }),
        ("in those of its work tree", |here, at| {
            git_in(at, &["config", "extensions.worktreeConfig", "true"]);
            let text = format!("[core]\n\talternateRefsCommand = {}\n", here.trap);
            fs::write(at.join("config.worktree"), text).unwrap();
        }),
        ("in a file that is included", |here, at| {
            fs::write(at.join("more"), format!("[core]\n\talternateRefsCommand = {}\n", here.trap)).unwrap();
            git_in(at, &["config", "include.path", "more"]);
        }),
        ("in a file that is included only there", |here, at| {
            fs::write(at.join("more"), format!("[core]\n\talternateRefsCommand = {}\n", here.trap)).unwrap();
            git_in(at, &["config", "includeIf.gitdir:**/..path", "more"]);
        }),
        ("spelled otherwise", |here, at| {
            let text = format!("[CORE] aLTERNATErEFScOMMAND = \\\n {}\n", here.trap);
            let config = at.join("config");
            fs::write(&config, fs::read_to_string(&config).unwrap() + &text).unwrap();
        }),
    ];
    for (name, prepare) in cases {
        let here = Packed::new();
        let at = here.receiver("evil.git");
        prepare(&here, &at);
        for address in ["./r/evil.git".to_owned(), at.display().to_string(), format!("file://{}", at.display())] {
            for told in here.told(&address) {
                assert!(matches!(told, Some(WorkTreeError::SettingsThere { .. })), "{name}: {told:?}");
            }
        }
        assert!(!here.ran(), "{name}");
    }
}

#[test]
fn whatever_setting_may_start_something_in_an_upstream_on_this_computer_is_refused_by_its_name() {
    let here = Packed::new();
    let at = here.receiver("evil.git");
    for name in [
        "core.alternateRefsCommand",
        "core.sshCommand",
        "core.gitProxy",
        "credential.helper",
        "diff.external",
        "filter.x.process",
        "gc.recentObjectsHook",
        "gpg.program",
        "hook.x.command",
        "receive.procReceiveRefs",
        "receive.certNonceSeed",
        "remote.origin.uploadpack",
        "remote.origin.vcs",
        "uploadpack.packObjectsHook",
        "unheard.of",
    ] {
        git_in(&at, &["config", name, &here.trap]);
        for told in here.told("./r/evil.git") {
            let is_named = match &told {
                Some(WorkTreeError::SettingsThere { names, .. }) => names.eq_ignore_ascii_case(name),
                _ => false,
            };
            assert!(is_named, "{name}: {told:?}");
        }
        assert!(!here.ran(), "{name}");
        git_in(&at, &["config", "--unset", name]);
    }
}

#[test]
fn every_hook_of_an_upstream_on_this_computer_stops_a_push_and_not_a_fetch() {
    let here = Packed::new();
    let at = here.receiver("evil.git");
    for (name, folder) in [
        ("pre-receive", "hooks"),
        ("update", "hooks"),
        ("proc-receive", "hooks"),
        ("post-receive", "hooks"),
        ("post-update", "hooks"),
        ("reference-transaction", "hooks"),
        ("push-to-checkout", "hooks"),
        ("pre-auto-gc", "hooks"),
        ("update", "elsewhere"),
    ] {
        if folder != "hooks" {
            git_in(&at, &["config", "core.hooksPath", folder]);
        }
        let hook = trap(&at, &format!("{folder}/{name}"));
        let [fetched, kept, pushed] = here.told("./r/evil.git");
        assert!(fetched.is_none(), "{name}: {fetched:?}");
        for told in [kept, pushed] {
            assert!(matches!(told, Some(WorkTreeError::HooksThere(_))), "{name}: {told:?}");
        }
        assert!(!at.join("ran").exists(), "{name}");
        fs::remove_file(hook).unwrap();
    }
}

#[test]
fn a_usual_repository_on_this_computer_is_fetched_from_and_pushed_to_by_every_clear_address() {
    let here = Packed::new();
    for name in ["usual.git", "it's; a $(touch never) \"test\" #.git"] {
        let at = here.receiver(name);
        let whole = at.display().to_string();
        for address in [whole.clone(), format!("{whole}/"), format!("./r/{name}"), format!("file://{whole}")] {
            let told = here.told(&address);
            assert!(told.iter().all(Option::is_none), "{address}: {told:?}");
            assert_eq!(git_in(&at, &["rev-parse", "main"]), git_in(&here.one, &["rev-parse", "HEAD"]), "{address}");
        }
    }
    // What git prints of it cannot be told apart.
    let at = here.receiver("two\n'; touch never; '.git");
    let told = here.told(&at.display().to_string());
    assert!(told.iter().all(Option::is_some), "{told:?}");
    for at in [here.one.clone(), here.one.join("r/usual.git"), at] {
        assert!(!at.join("never").exists());
    }
}

#[test]
fn another_clone_on_this_computer_is_an_upstream_whose_checked_out_branch_stays() {
    let desks = Desks::new();
    let (one, two) = (desks.one(), desks.two());
    git_in(&one, &["remote", "set-url", "origin", "../two"]);
    write(&two, "skills/tea/SKILL.md", "Black.\n");
    let theirs = commit(&two, "two");
    let tree = desks.tree();
    let shown = incoming(&tree).unwrap().unwrap();
    assert_eq!(tree.take(&shown, &Cancel::default()).unwrap(), theirs);
    write(&one, "skills/tea/notes.md", "Mine.\n");
    let mine = keep(&tree, &kept(&tree).unwrap(), "mine").unwrap();
    git_in(&two, &["config", "receive.denyCurrentBranch", "updateInstead"]);
    let error = tree.push(&mine, &Cancel::default()).unwrap_err();
    assert!(matches!(&error, WorkTreeError::Rejected { why, .. } if why.contains("checked out")), "{error}");
    git_in(&two, &["switch", "--quiet", "--create", "other"]);
    tree.push(&mine, &Cancel::default()).unwrap();
    assert_eq!(git_in(&two, &["rev-parse", "main"]), mine);
}

#[test]
fn a_repository_whose_objects_are_shared_is_asked_nothing() {
    let here = Packed::new();
    let lender = here.receiver("lender.git");
    git_in(&lender, &["config", "core.sshCommand", &here.trap]);
    git_in(&lender, &["config", "core.alternateRefsCommand", &here.trap]);
    git_in(&lender, &["config", "core.fsmonitor", &here.trap]);
    let alternates = here.one.join(".git/objects/info/alternates");
    fs::write(alternates, format!("{}\n", lender.join("objects").display())).unwrap();
    here.receiver("usual.git");
    let told = here.told("./r/usual.git");
    assert!(told.iter().all(Option::is_none), "{told:?}");
    assert!(!here.ran());
}
