//! The AppImage: the Debian package's files as a squashfs behind a small program that mounts and starts them.
//!
//! GTK and WebKitGTK are the system's: `AppRun` names what is missing. The small program is the AppImage project's
//! static runtime, named by SKILLTENDER_APPIMAGE_RUNTIME, as a release does; for trials it is one from a crate, which
//! mounts only where libfuse2 is, and else runs with APPIMAGE_EXTRACT_AND_RUN=1.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::tree::{self, Kind};
use crate::{
    paths,
    product::Product,
    step::{Done, Failed, cargo, not_tested, output_of, run},
};

const RUNTIME: &str = "SKILLTENDER_APPIMAGE_RUNTIME";

/// Makes the AppImage in `folder`; none where `mksquashfs` is not installed.
pub(super) fn pack(deb: &Path, app: &Path, folder: &Path, debug: bool) -> Done<Option<PathBuf>> {
    if output_of(Command::new("mksquashfs").arg("-version")).is_none() {
        not_tested("the AppImage", "mksquashfs", "it is not installed: apt-get install squashfs-tools")?;
        return Ok(None);
    }
    let product = Product::read()?;
    let tree = tree::copy(deb, app, Kind::AppImage, &folder.join("tree"))?;
    let start = tree.join("AppRun");
    let commands = commands(&tree.join("usr/bin/skilltender"))?;
    fs::write(&start, product.fill("linux/AppRun", &[("commands", &commands)])?).map_err(Failed::because)?;
    run(Command::new("chmod").arg("755").arg(&start))?;
    // The names that desktops look for: the desktop file and the icon at the top.
    let desktop = format!("{}.desktop", product.name);
    fs::copy(tree.join("usr/share/applications").join(&desktop), tree.join(&desktop)).map_err(Failed::because)?;
    for name in ["skilltender-app.png", ".DirIcon"] {
        fs::copy(paths::root().join("icons/icon.png"), tree.join(name)).map_err(Failed::because)?;
    }

    let files = folder.join("files.squashfs");
    let mut squashing = Command::new("mksquashfs");
    squashing.arg(&tree).arg(&files).args(["-root-owned", "-noappend", "-no-progress", "-quiet", "-comp", "gzip"]);
    if debug {
        squashing.args(["-Xcompression-level", "1"]);
    }
    run(&mut squashing)?;

    let package = folder.join(format!("{}_{}_x86_64.AppImage", product.name, product.version));
    let mut bytes = fs::read(runtime()?).map_err(Failed::because)?;
    bytes.extend(fs::read(&files).map_err(Failed::because)?);
    fs::write(&package, bytes).and_then(|()| fs::remove_file(&files)).map_err(Failed::because)?;
    run(Command::new("chmod").arg("755").arg(&package))?;
    Ok(Some(package))
}

/// Starts the AppImage without mounting it: the command line must answer to its version and to one of its commands.
pub(super) fn check(package: &Path) -> Done {
    let home = tempfile::tempdir().map_err(Failed::because)?;
    let said = |words: &[&str]| {
        let mut started = Command::new(package);
        started.args(words).env("APPIMAGE_EXTRACT_AND_RUN", "1").env("TMPDIR", home.path()).env("HOME", home.path());
        let said = output_of(&mut started);
        said.ok_or_else(|| Failed(format!("{} {} fails.", package.display(), words.join(" "))))
    };
    let version = said(&["--version"])?;
    let skills = said(&["--home", &home.path().join("data").to_string_lossy(), "list"])?;
    println!("{} says it is {version}, and lists {} lines.", package.display(), skills.lines().count());
    Ok(())
}

/// The commands as a shell's pattern. The program itself says them, as it does to a shell that completes one.
fn commands(skilltender: &Path) -> Done<String> {
    let said = output_of(Command::new(skilltender).args(["complete", "--", ""])).unwrap_or_default();
    let names: Vec<_> =
        said.lines().filter_map(|line| line.split('\t').next()).filter(|name| !name.is_empty()).collect();
    if names.contains(&"mcp") {
        // Shells ask for completions by a command of its own, which is not listed.
        return Ok([&names[..], &["complete"]].concat().join(" | "));
    }
    Err(Failed(format!("{} does not say its commands.", skilltender.display())))
}

/// The program before the files.
fn runtime() -> Done<PathBuf> {
    if let Some(named) = env::var_os(RUNTIME) {
        return Ok(PathBuf::from(named));
    }
    let manifest = paths::root().join("xtask/appimage/Cargo.toml");
    let mut metadata = cargo(&["metadata", "--locked", "--format-version=1", "--manifest-path"]);
    let said = output_of(metadata.arg(&manifest)).unwrap_or_default();
    let metadata: serde_json::Value = serde_json::from_str(&said).map_err(Failed::because)?;
    let crates = metadata["packages"].as_array().into_iter().flatten();
    let manifest = crates.filter(|one| one["name"] == "appimage").find_map(|one| one["manifest_path"].as_str());
    let runtime = manifest.map(|manifest| Path::new(manifest).with_file_name("assets").join("runtime-x86_64"));
    runtime.ok_or_else(|| Failed(format!("The crate with the runtime is not there; {RUNTIME} may name another.")))
}
