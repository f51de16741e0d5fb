//! `cargo xtask bundle`: the installable packages of this system, both programs inside.
//!
//! The app is built and packed by Tauri's own tool; `skilltender` goes beside it as an external
//! program, which only the overlay `bundle.conf.json` asks for, so that a plain build never wants it.

use std::{fs, path::PathBuf, process::Command};

use crate::{
    node::Node,
    packages, paths, programs,
    step::{Done, Failed, cargo, output_of, run},
};

/// What a package must hold, by the end of its path.
const INSIDE: &[&str] = &["usr/bin/skilltender", "usr/bin/skilltender-app", "/SKILL.md", ".desktop"];

pub(crate) fn bundle(yes: bool, debug: bool) -> Done {
    packages::ensure(&[packages::WINDOW], yes)?;
    let node = Node::ensure()?;
    programs::build_window(&node)?;
    let kinds = if cfg!(target_os = "linux") { "deb,rpm" } else { "all" };
    let folder = pack(&node, kinds, debug)?;
    println!("\nThe packages are in {}.", folder.display());
    Ok(())
}

/// A Debian package from the development build, whose content is looked at.
pub(crate) fn debug_deb(node: &Node) -> Done {
    let folder = pack(node, "deb", true)?.join("deb");
    let packages = fs::read_dir(&folder).map_err(Failed::because)?.filter_map(Result::ok).map(|entry| entry.path());
    let package = packages
        .filter(|path| path.extension().is_some_and(|end| end == "deb"))
        .max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok())
        .ok_or_else(|| Failed(format!("{} holds no package.", folder.display())))?;
    let content = output_of(Command::new("dpkg-deb").arg("--contents").arg(&package))
        .ok_or_else(|| Failed(format!("{} cannot be listed.", package.display())))?;
    match INSIDE.iter().find(|wanted| !content.lines().any(|line| line.ends_with(*wanted))) {
        Some(missing) => Err(Failed(format!("{} holds no {missing}.", package.display()))),
        None => {
            println!("{} holds both programs and the starter skills.", package.display());
            Ok(())
        }
    }
}

/// Builds both programs and packs them; gives the folder of the packages.
fn pack(node: &Node, kinds: &str, debug: bool) -> Done<PathBuf> {
    let profile = if debug { "debug" } else { "release" };
    let mut build = cargo(&["build", "--package=cli"]);
    if !debug {
        build.arg("--release");
    }
    run(&mut build)?;
    let beside = paths::root().join("src-tauri/binaries");
    fs::create_dir_all(&beside).map_err(Failed::because)?;
    let built = paths::target().join(profile).join(paths::program("skilltender"));
    fs::copy(built, beside.join(paths::program(&format!("skilltender-{}", triple()?)))).map_err(Failed::because)?;

    let mut tauri = node.npm(&paths::root().join("src-tauri"))?;
    tauri.args([
        "exec",
        "--prefix",
        "../ui",
        "--",
        "tauri",
        "build",
        "--ci",
        "--config",
        "bundle.conf.json",
        "--bundles",
        kinds,
    ]);
    if debug {
        tauri.arg("--debug");
    }
    run(&mut tauri)?;
    Ok(paths::target().join(profile).join("bundle"))
}

/// The name of this system in Rust's words, which Tauri wants at the end of an external program's name.
fn triple() -> Done<String> {
    let about = output_of(Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned));
    host.ok_or_else(|| Failed("rustc does not say for which system it builds.".to_owned()))
}
