//! The package for Fedora, openSUSE and their like, made by `rpmbuild` from the Debian package's files.
//!
//! Tauri's own rpm names no version of a library and not the C library, and marks no documentation; `rpmbuild` does.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::tree::{self, Kind};
use crate::{
    changelog, paths,
    product::Product,
    step::{Done, Failed, not_tested, output_of, run},
};

/// Makes the package in `folder`; none where `rpmbuild` is not installed.
pub(super) fn pack(deb: &Path, app: &Path, folder: &Path, debug: bool) -> Done<Option<PathBuf>> {
    if output_of(Command::new("rpmbuild").arg("--version")).is_none() {
        not_tested("the rpm", "rpmbuild", "it is not installed: apt-get install rpm")?;
        return Ok(None);
    }
    let product = Product::read()?;
    let tree = tree::copy(deb, app, Kind::Rpm, &folder.join("tree"))?;
    let day = changelog::day_of_the_source()?;
    let day = output_of(Command::new("date").env("LC_ALL", "C").args(["--utc", "+%a %b %d %Y", "--date", &day]));
    let day = day.ok_or_else(|| Failed("`date` does not read the day of this source.".to_owned()))?;
    let (root, files) = (paths::root().display().to_string(), tree.display().to_string());
    let words = [("root", root.as_str()), ("tree", &files), ("day", &day), ("lines", &product.lines)];
    let spec = folder.join("skilltender.spec");
    fs::write(&spec, product.fill("linux/skilltender.spec", &words)?).map_err(Failed::because)?;

    // What looks back far enough finds the engine of one program in the other (`deb`).
    let payload = if debug { "w1.gzdio" } else { "w9.xzdio" };
    let made = folder.join("made");
    let mut rpmbuild = Command::new("rpmbuild");
    rpmbuild.args(["-bb", "--quiet", "--define", &format!("_binary_payload {payload}")]);
    for (word, place) in [("_topdir", folder.join("work")), ("_rpmdir", made.clone())] {
        rpmbuild.args(["--define", &format!("{word} {}", place.display())]);
    }
    run(rpmbuild.env("SOURCE_DATE_EPOCH", epoch()).arg(&spec))?;
    let name = format!("skilltender-{}-1.x86_64.rpm", product.version);
    let package = folder.join(&name);
    fs::rename(made.join("x86_64").join(&name), &package).map_err(Failed::because)?;
    Ok(Some(package))
}

/// Unpacks the package, whose program must start from there.
pub(super) fn check(package: &Path) -> Done {
    let folder = tempfile::tempdir().map_err(Failed::because)?;
    let unpack = "rpm2cpio \"$1\" | cpio --extract --make-directories --quiet";
    run(Command::new("sh").args(["-c", unpack, "sh"]).arg(package).current_dir(folder.path()))?;
    let version = output_of(Command::new(folder.path().join("usr/bin/skilltender")).arg("--version"));
    let version = version.ok_or_else(|| Failed(format!("The program in {} does not start.", package.display())))?;
    println!("{} holds {version}.", package.display());
    Ok(())
}

/// The time of this source, so that the same source gives the same package.
fn epoch() -> String {
    let commit = || output_of(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(paths::root()));
    env::var("SOURCE_DATE_EPOCH").ok().or_else(commit).unwrap_or_default()
}
