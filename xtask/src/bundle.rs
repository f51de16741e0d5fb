//! `cargo xtask bundle`: builds the installable packages of this system, with both programs.
//!
//! Tauri's tool packs the app, and for a release also builds it. `skilltender` is added as an external program, which
//! only the overlay `bundle.conf.json` requests, so that a plain build does not need it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    mcpb,
    node::Node,
    packages, paths,
    programs::{self, Programs},
    step::{Done, Failed, output_of, run},
};

/// The files that a package must hold, by the end of the path.
const INSIDE: &[&str] = &[
    "usr/bin/skilltender",
    "usr/bin/skilltender-app",
    "/SKILL.md",
    ".desktop",
    "man1/skilltender.1",
    "man1/skilltender-check.1",
    "man1/skilltender-servers-approve.1",
    "completions/skilltender",
];

/// The shells with completions in a package, and each one's file name.
const COMPLETIONS: &[(&str, &str)] =
    &[("bash", "skilltender.bash"), ("zsh", "_skilltender"), ("fish", "skilltender.fish")];

pub(crate) fn bundle(yes: bool, debug: bool) -> Done {
    packages::ensure(&[packages::WINDOW], yes)?;
    let node = Node::ensure()?;
    programs::build_window(&node)?;
    let kinds = if cfg!(target_os = "linux") { "deb,rpm" } else { "all" };
    let skilltender = if debug { programs::build()?.skilltender } else { programs::release_command_line()? };
    let folder = pack(&node, kinds, &skilltender, debug)?;
    mcpb::pack(&node, &skilltender, &folder.join("mcpb"))?;
    println!("\nThe packages are in {}.", folder.display());
    Ok(())
}

/// Makes a Debian package of the tested programs and checks its content.
pub(crate) fn debug_deb(node: &Node, built: &Programs) -> Done {
    let folder = pack(node, "deb", &built.skilltender, true)?.join("deb");
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

/// Packs both programs and returns the folder of the packages. Tauri's tool builds the app for a release; the one of
/// the development profile already exists.
fn pack(node: &Node, kinds: &str, skilltender: &Path, debug: bool) -> Done<PathBuf> {
    let beside = paths::root().join("src-tauri/binaries");
    fs::create_dir_all(&beside).map_err(Failed::because)?;
    fs::copy(skilltender, beside.join(paths::program(&format!("skilltender-{}", triple()?))))
        .map_err(Failed::because)?;
    write_manual(skilltender, &beside.join("share"))?;

    let (what, profile) = if debug { ("bundle", "debug") } else { ("build", "release") };
    let mut tauri = node.npm(&paths::root().join("src-tauri"))?;
    tauri.args(["exec", "--prefix", "../ui", "--", "tauri", what]);
    tauri.args(["--ci", "--config", "bundle.conf.json", "--bundles", kinds]);
    if debug {
        tauri.arg("--debug");
    }
    run(&mut tauri)?;
    Ok(paths::target().join(profile).join("bundle"))
}

/// Runs the program to write its manual pages and completions.
fn write_manual(program: &Path, share: &Path) -> Done {
    let said = |words: &[&str]| {
        let said = output_of(Command::new(program).args(words));
        said.ok_or_else(|| Failed(format!("{} does not say its {}.", program.display(), words.join(" "))))
    };
    let man = share.join("man");
    if man.exists() {
        fs::remove_dir_all(&man).map_err(Failed::because)?;
    }
    run(Command::new(program).args(["man", "--into"]).arg(&man))?;
    for (shell, file) in COMPLETIONS {
        fs::write(share.join(file), said(&["completions", shell])?).map_err(Failed::because)?;
    }
    Ok(())
}

/// Rust's target triple of this system, which Tauri demands at the end of an external program's name.
fn triple() -> Done<String> {
    let about = output_of(Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned));
    host.ok_or_else(|| Failed("rustc does not say for which system it builds.".to_owned()))
}
