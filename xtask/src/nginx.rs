//! nginx, in front of which the tests put the program. Where it is not installed, its package is unpacked in the build
//! folder: installing it would start a server on this machine, at every boot.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    paths,
    step::{output_of, run},
};

/// The program; `None` where it can neither be found nor unpacked, and the tests then say so.
pub(crate) fn find() -> Option<PathBuf> {
    let folder = paths::cache().join("nginx");
    let unpacked = folder.join("usr/sbin/nginx");
    let works = |program: &PathBuf| output_of(Command::new(program).arg("-v")).is_some();
    let known = [PathBuf::from("nginx"), PathBuf::from("/usr/sbin/nginx"), unpacked.clone()];
    if let Some(known) = known.into_iter().find(works) {
        return Some(known);
    }
    fs::create_dir_all(&folder).ok()?;
    run(Command::new("apt-get").args(["download", "-qq", "nginx"]).current_dir(&folder)).ok()?;
    let packages = fs::read_dir(&folder).ok()?.flatten().map(|entry| entry.path());
    let package = packages.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "deb"))?;
    run(Command::new("dpkg-deb").arg("-x").arg(package).arg(&folder)).ok()?;
    Some(unpacked).filter(works)
}
