//! `cargo xtask packages --debian SUITE`: the packages on a clean Debian, whose tree `debootstrap` makes once.
//!
//! `packaging/linux/trial.sh` does each step inside the tree: the packages are installed with the network, and run
//! without one but for 127.0.0.1. It needs root, and is no part of the tests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    paths,
    step::{Done, Failed, Steps, output_of, run},
};

const MIRROR: &str = "http://deb.debian.org/debian";

/// Installs, starts and removes the newest built packages on a clean Debian.
///
/// # Errors
///
/// No root, no `debootstrap`, no package, or a step that is not as it should be.
pub(crate) fn try_on(suite: &str) -> Done {
    if output_of(Command::new("id").arg("-u")).as_deref() != Some("0") {
        return Err(Failed("A tree of another Debian is made and entered by root alone.".to_owned()));
    }
    let folder = paths::cache().join("debian");
    let (clean, tree) = (folder.join(suite), folder.join(format!("{suite}-trial")));
    fs::create_dir_all(&folder).map_err(Failed::because)?;
    let mut steps = Steps::begin();
    if !clean.join("home/ada").is_dir() {
        steps.step("a clean tree", || make(suite, &clean))?;
    }
    steps.step("a copy of the tree", || copy(&clean, &tree))?;
    let done = ["install", "run", "remove"].iter().try_for_each(|word| {
        steps.step(word, || enter(&tree, word, if *word == "run" { Net::Own } else { Net::Ours }))
    });
    steps.print_times();
    done?;
    println!("\nThe packages hold on Debian {suite}.");
    fs::remove_dir_all(&tree).map_err(Failed::because)
}

/// Which network a step has.
#[derive(Clone, Copy)]
enum Net {
    Ours,
    /// 127.0.0.1 alone, and no port of which another program holds.
    Own,
}

fn make(suite: &str, clean: &Path) -> Done {
    if clean.exists() {
        fs::remove_dir_all(clean).map_err(Failed::because)?;
    }
    run(Command::new("debootstrap").args(["--variant=minbase", suite]).arg(clean).arg(MIRROR))?;
    fs::create_dir_all(clean.join("trial")).map_err(Failed::because)?;
    fs::copy(script(), clean.join("trial/trial.sh")).map_err(Failed::because)?;
    enter(clean, "tools", Net::Ours)
}

/// Copies the clean tree, and puts the newest packages into the copy.
fn copy(clean: &Path, tree: &Path) -> Done {
    if tree.exists() {
        fs::remove_dir_all(tree).map_err(Failed::because)?;
    }
    run(Command::new("cp").args(["--archive", "--reflink=auto"]).arg(clean).arg(tree))?;
    let trial = tree.join("trial");
    fs::copy(script(), trial.join("trial.sh")).map_err(Failed::because)?;
    let package = newest("deb", "deb").ok_or_else(|| Failed("No deb is built: cargo xtask bundle".to_owned()))?;
    println!("The package is {}.", package.display());
    fs::copy(package, trial.join("skilltender.deb")).map_err(Failed::because)?;
    match newest("appimage", "AppImage") {
        Some(package) => fs::copy(package, trial.join("skilltender.AppImage")).map(|_| ()).map_err(Failed::because),
        None => {
            println!("No AppImage is built, so none is tried.");
            Ok(())
        }
    }
}

fn script() -> PathBuf {
    paths::root().join("packaging/linux/trial.sh")
}

/// The newest package of a kind, of a release or of the development profile.
fn newest(kind: &str, ending: &str) -> Option<PathBuf> {
    let folders = ["release", "debug"].map(|profile| paths::target().join(profile).join("bundle").join(kind));
    let files =
        folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten().map(|file| file.path());
    let packages = files.filter(|path| path.extension().is_some_and(|end| end == ending));
    packages.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok())
}

/// Runs a step of the script inside the tree, with mounts and processes of its own, which end with it.
fn enter(tree: &Path, word: &str, net: Net) -> Done {
    let inside = "mount --rbind /dev \"$1/dev\" && mount -t proc proc \"$1/proc\" && mount -t tmpfs tmpfs \"$1/tmp\" -o mode=1777 \
        && mount -t tmpfs tmpfs \"$1/run\" && { [ \"$3\" = ours ] || ip link set lo up; } \
        && { cp /etc/resolv.conf \"$1/etc/resolv.conf\" || true; } \
        && exec chroot \"$1\" /bin/bash /trial/trial.sh \"$2\"";
    let mut entering = Command::new("unshare");
    entering.args(["--mount", "--pid", "--fork", "--kill-child", "--propagation=slave"]);
    let which = match net {
        Net::Ours => "ours",
        Net::Own => {
            entering.arg("--net");
            "own"
        }
    };
    run(entering.args(["--", "sh", "-c", inside, "sh"]).arg(tree).args([word, which]))
}
