//! The Debian package as a distribution wants it: Tauri's own, with what Tauri's options do not reach.
//!
//! Tauri names the libraries it knows of, without versions and without the C library. `dpkg-shlibdeps` reads from the
//! programs which libraries and which versions they need; what Tauri names besides is loaded at run time (the tray),
//! and stays. Programs of the development profile lose their symbols, as a release has none.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::step::{Done, Failed, output_of, run};

const PROGRAMS: &[&str] = &["usr/bin/skilltender", "usr/bin/skilltender-app"];

/// Packs the package anew in its place, and returns the folder with its unpacked files.
pub(super) fn finish(package: &Path, debug: bool) -> Done<PathBuf> {
    let folder = package.with_file_name("finished");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failed::because)?;
    }
    let tree = folder.join("tree");
    fs::create_dir_all(&folder).map_err(Failed::because)?;
    run(Command::new("dpkg-deb").arg("--raw-extract").arg(package).arg(&tree))?;
    run(Command::new("strip").arg("--strip-unneeded").args(PROGRAMS.iter().map(|program| tree.join(program))))?;

    let control = tree.join("DEBIAN/control");
    let text = fs::read_to_string(&control).map_err(Failed::because)?;
    let size = output_of(Command::new("du").args(["--summarize", "--apparent-size", "-k"]).arg(tree.join("usr")));
    let size = size.as_deref().and_then(|said| said.split_whitespace().next()).unwrap_or_default().to_owned();
    let control_text = rewritten(&text, &libraries(&folder, &tree)?, &size)?;
    fs::write(&control, control_text).map_err(Failed::because)?;
    let sums = "cd \"$1\" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums";
    run(Command::new("sh").args(["-c", sums, "sh"]).arg(&tree))?;

    // Both programs hold the engine: only what looks back far enough finds the second one in the first, and the package is
    // less than three quarters of what it is otherwise.
    let packing: &[&str] = if debug { &["-Zgzip", "-z1"] } else { &["-Zxz", "-z9", "-Sextreme"] };
    run(Command::new("dpkg-deb").arg("--root-owner-group").args(packing).arg("--build").arg(&tree).arg(package))?;
    Ok(tree)
}

/// The libraries that the programs are linked with, as `Depends` names them.
fn libraries(folder: &Path, tree: &Path) -> Done<String> {
    // `dpkg-shlibdeps` works in the sources of a package.
    fs::create_dir_all(folder.join("debian")).map_err(Failed::because)?;
    fs::write(folder.join("debian/control"), "Source: skilltender\n\nPackage: skilltender\nArchitecture: any\n")
        .map_err(Failed::because)?;
    let said = output_of(
        Command::new("dpkg-shlibdeps")
            .current_dir(folder)
            .arg("-O")
            .args(PROGRAMS.iter().map(|program| tree.join(program))),
    );
    let named = said.as_deref().and_then(|said| said.lines().find_map(|line| line.strip_prefix("shlibs:Depends=")));
    named.map(str::to_owned).ok_or_else(|| Failed("dpkg-shlibdeps does not say what the programs need.".to_owned()))
}

/// The control file with these libraries before what it names besides, and its size.
fn rewritten(control: &str, libraries: &str, size: &str) -> Done<String> {
    let name = |one: &str| one.split_whitespace().next().unwrap_or_default().to_owned();
    let linked: Vec<_> = libraries.split(',').map(name).collect();
    let named = control.lines().find_map(|line| line.strip_prefix("Depends: "));
    let named = named.ok_or_else(|| Failed("Tauri's package depends on nothing.".to_owned()))?;
    let besides: Vec<_> = named.split(',').map(str::trim).filter(|one| !linked.contains(&name(one))).collect();
    let depends = std::iter::once(libraries).chain(besides).collect::<Vec<_>>().join(", ");
    let line = |line: &str| match line.split_once(' ') {
        Some(("Depends:", _)) => format!("Depends: {depends}\n"),
        Some(("Installed-Size:", _)) if !size.is_empty() => format!("Installed-Size: {size}\n"),
        _ => format!("{line}\n"),
    };
    Ok(control.lines().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_libraries_come_with_their_versions_and_those_of_run_time_stay() {
        let control =
            "Package: skilltender\nInstalled-Size: 1\nDepends: libtray, libgtk\nDescription: Tends\n One two.\n";
        let written = rewritten(control, "libc6 (>= 2.36), libgtk (>= 3.24)", "7").unwrap();
        let wanted = "Package: skilltender\nInstalled-Size: 7\nDepends: libc6 (>= 2.36), libgtk (>= 3.24), libtray\nDescription: Tends\n One two.\n";
        assert_eq!(written, wanted);
    }
}
