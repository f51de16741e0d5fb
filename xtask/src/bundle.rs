//! `cargo xtask bundle`: builds the installable packages of this system, with both programs.
//!
//! Tauri's tool packs the app, and for a release also builds it. `skilltender` is added as an external program, which
//! only the overlay `bundle.conf.json` requests, so that a plain build does not need it. `share` writes the files beside
//! the programs. On Linux, Tauri makes the Debian package, `deb` finishes it, and `rpm` and `appimage` are made from its
//! files (`tree`); `lint` judges them.

mod appimage;
mod deb;
mod lint;
mod mac;
mod rpm;
mod share;
mod tree;
mod wrap;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;

use crate::{
    auditable, licences, mcpb,
    node::Node,
    packages, paths,
    programs::{self, Programs},
    release,
    step::{Done, Failed, output_of, run, small},
};

/// The files that a package for Linux must hold, by the end of the path.
const INSIDE: &[&str] = &[
    "usr/bin/skilltender",
    "usr/bin/skilltender-app",
    "/SKILL.md",
    "/third-party.txt",
    ".desktop",
    "man1/skilltender.1.gz",
    "man1/skilltender-app.1.gz",
    "man1/skilltender-check.1.gz",
    "man1/skilltender-servers-approve.1.gz",
    "metainfo/dev.skilltender.desktop.metainfo.xml",
    "completions/skilltender",
];

/// What a Debian package holds besides, and what an rpm does.
const OF_DEB: &[&str] = &["doc/skilltender/copyright", "doc/skilltender/changelog.gz"];
const OF_RPM: &[&str] = &["licenses/skilltender/LICENSE-MIT", "doc/skilltender/CHANGELOG.md"];

/// The variable with more of Tauri's configuration, such as the command that signs: the release workflow's.
const CONFIG: &str = "SKILLTENDER_BUNDLE_CONFIG";

/// How the names of packages end.
const PACKED: &[&str] = &[".deb", ".rpm", ".AppImage", ".exe", ".msi", ".dmg", ".app.tar.gz", ".mcpb"];

pub(crate) fn bundle(yes: bool, debug: bool) -> Done {
    packages::ensure(&[packages::WINDOW], yes)?;
    if cfg!(target_os = "linux") && output_of(Command::new("dpkg-shlibdeps").arg("--version")).is_none() {
        return Err(Failed("Packages for Linux are made with Debian's tools: install dpkg-dev.".to_owned()));
    }
    let node = Node::ensure()?;
    programs::build_window(&node)?;
    let kinds = kinds(env::consts::OS)?;
    let skilltender = if debug { programs::build()?.skilltender } else { programs::release_command_line()? };
    let folder = pack(&node, kinds, &skilltender, debug)?;
    if cfg!(target_os = "linux") {
        others(&folder, debug)?;
    }
    let packed = packed(env::consts::OS, &folder, &beside().join(named(&triple()?)), &skilltender);
    if !debug {
        auditable::check(&packed)?;
    }
    mcpb::pack(&node, &packed, &folder.join("mcpb"))?;
    println!("\nThe packages are in {}.", folder.display());
    Ok(())
}

/// The packages that Tauri makes on a system, in the words that its tool takes there: it refuses those of another. The app
/// is among a Mac's, because Tauri removes the one that it made only for the dmg.
///
/// # Errors
/// Nobody packs for this system.
fn kinds(system: &str) -> Done<&'static str> {
    match system {
        "linux" => Ok("deb"),
        "macos" => Ok("app,dmg"),
        "windows" => Ok("nsis,msi"),
        _ => Err(Failed(format!("Skilltender has no package for {system}."))),
    }
}

/// The command line as this system's packages hold it, which Tauri has signed where there is a key: inside of a Mac's app,
/// and on Windows in its place `beside` the app. On Linux nothing is signed in a program.
fn packed(system: &str, folder: &Path, beside: &Path, built: &Path) -> PathBuf {
    match system {
        "macos" => folder.join("macos/Skilltender.app/Contents/MacOS/skilltender"),
        "windows" => beside.to_path_buf(),
        _ => built.to_path_buf(),
    }
}

/// Copies the built packages of a release into one folder.
pub(crate) fn collect(into: &Path) -> Done {
    for kind in fs::read_dir(built(false)).map_err(Failed::because)?.filter_map(Result::ok) {
        let files = fs::read_dir(kind.path()).into_iter().flatten().flatten().map(|file| file.path());
        for file in files.filter(|path| path.is_file()) {
            let name = file.file_name().unwrap_or_default();
            if PACKED.iter().any(|end| name.to_string_lossy().ends_with(end)) {
                fs::copy(&file, into.join(name)).map_err(Failed::because)?;
            }
        }
    }
    Ok(())
}

/// Finishes the Debian package and makes the others from its files; each is judged.
fn others(folder: &Path, debug: bool) -> Done {
    let app = paths::target().join(if debug { "debug" } else { "release" }).join("skilltender-app");
    let tree = finished(folder, debug)?;
    the_rpm(&tree, &app, folder, debug)?;
    if let Some(package) = appimage::pack(&tree, &app, &folder.join("appimage"), debug)? {
        appimage::check(&package)?;
    }
    Ok(())
}

/// Finishes the Debian package, checks what it holds, and lets the tools of distributions judge it; returns its files.
fn finished(folder: &Path, debug: bool) -> Done<PathBuf> {
    let package = newest(&folder.join("deb"), "deb")?;
    let tree = deb::finish(&package, debug)?;
    let content = output_of(Command::new("dpkg-deb").arg("--contents").arg(&package));
    holds(&package, &content.unwrap_or_default(), &[INSIDE, OF_DEB].concat())?;
    lint::tree(&tree).and_then(|()| lint::deb(&package))?;
    Ok(tree)
}

/// Makes the rpm of these files, where rpmbuild is; its content is checked, its program started, and it is judged.
fn the_rpm(tree: &Path, app: &Path, folder: &Path, debug: bool) -> Done {
    let Some(package) = rpm::pack(tree, app, &folder.join("rpm"), debug)? else { return Ok(()) };
    let content = output_of(Command::new("rpm").args(["--query", "--list", "--package"]).arg(&package));
    holds(&package, &content.unwrap_or_default(), &[INSIDE, OF_RPM].concat())?;
    rpm::check(&package).and_then(|()| lint::rpm(&package))
}

/// Makes a Debian package and an rpm of the tested programs, checks their content, and lets the tools of distributions
/// judge them.
pub(crate) fn debug_packages(node: &Node, built: &Programs) -> Done {
    let folder = pack(node, "deb", &built.skilltender, true)?;
    the_rpm(&finished(&folder, true)?, &built.app, &folder, true)
}

/// Makes an AppImage of the tested programs, from the files of their Debian package.
pub(crate) fn debug_appimage(node: &Node, built: &Programs) -> Done<PathBuf> {
    let tree = beside_the_deb();
    let made = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    if made(&tree.join("usr/bin/skilltender-app")) < made(&built.app) {
        finished(&pack(node, "deb", &built.skilltender, true)?, true)?;
    }
    let package = appimage::pack(&tree, &built.app, &self::built(true).join("appimage"), true)?;
    package.ok_or_else(|| Failed("An AppImage is made with mksquashfs: install squashfs-tools.".to_owned()))
}

/// The files of the finished Debian package of the tested programs.
fn beside_the_deb() -> PathBuf {
    built(true).join("deb/finished/tree")
}

/// Checks the list of a package's files.
fn holds(package: &Path, content: &str, wanted: &[&str]) -> Done {
    match missing(content, wanted) {
        Some(missing) => Err(Failed(format!("{} holds no {missing}.", package.display()))),
        None => {
            println!("{} holds both programs and the starter skills.", package.display());
            Ok(())
        }
    }
}

/// The first file that is on no line of the list.
fn missing<'w>(content: &str, wanted: &[&'w str]) -> Option<&'w str> {
    wanted.iter().find(|wanted| !content.lines().any(|line| line.ends_with(*wanted))).copied()
}

/// The name by which Tauri looks for the command line of a kind of system.
fn named(triple: &str) -> String {
    paths::program(&format!("skilltender-{triple}"))
}

/// Where Tauri looks for the command line, which it packs beside the app.
fn beside() -> PathBuf {
    paths::root().join("src-tauri/binaries")
}

/// Whether one package is for both kinds of Mac, as a release's is.
fn universal(debug: bool) -> bool {
    cfg!(target_os = "macos") && !debug
}

/// The folder of the packages.
fn built(debug: bool) -> PathBuf {
    let target = paths::target();
    let target = if universal(debug) { target.join(mac::UNIVERSAL) } else { target };
    target.join(if debug { "debug" } else { "release" }).join("bundle")
}

/// The newest package of a folder, by the ending of its name.
fn newest(folder: &Path, ending: &str) -> Done<PathBuf> {
    let files = fs::read_dir(folder).map_err(Failed::because)?.filter_map(Result::ok).map(|entry| entry.path());
    let packages = files.filter(|path| path.extension().is_some_and(|end| end == ending));
    let newest = packages.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
    newest.ok_or_else(|| Failed(format!("{} holds no package.", folder.display())))
}

/// Packs both programs and returns the folder of the packages. Tauri's tool builds the app for a release; the one of
/// the development profile already exists.
fn pack(node: &Node, kinds: &str, skilltender: &Path, debug: bool) -> Done<PathBuf> {
    let beside = beside();
    fs::create_dir_all(beside.join("share")).map_err(Failed::because)?;
    fs::copy(skilltender, beside.join(named(&triple()?))).map_err(Failed::because)?;
    share::write(skilltender, &beside.join("share"))?;
    licences::write_texts(node, &beside.join("third-party.txt"))?;

    let what = if debug { "bundle" } else { "build" };
    let mut tauri = node.npm(&paths::root().join("src-tauri"))?;
    tauri.args(["exec", "--prefix", "../ui", "--", "tauri", what]);
    tauri.args(["--ci", "--config", "bundle.conf.json", "--bundles", kinds]);
    if debug {
        tauri.arg("--debug");
    }
    if let Some(updates) = updates(release::updater_key(), release::repository())? {
        tauri.args(["--config", &updates]);
        if !debug {
            tauri.args(["--features", "updater"]);
        }
    }
    if let Some(more) = env::var_os(CONFIG) {
        tauri.arg("--config").arg(more);
    }
    if !debug {
        auditable::by_tauri(&mut tauri)?;
        small(&mut tauri);
    }
    if universal(debug) {
        mac::command_line(&beside)?;
        tauri.args(["--target", mac::UNIVERSAL]);
    }
    run(&mut tauri)?;
    Ok(built(debug))
}

/// Tauri's configuration of an app that looks for new versions: on the repository's page of releases, signed with the
/// updater's key, each for its own version. Without a key the app does not look.
///
/// # Errors
/// There is a key and no repository: the app would ask a stranger.
fn updates(key: Option<String>, repository: Option<String>) -> Done<Option<String>> {
    let Some(key) = key else { return Ok(None) };
    let repository = repository.ok_or_else(|| {
        Failed(format!("{} is set and {} is not: apps would not know whom to ask.", release::KEY, release::REPOSITORY))
    })?;
    let latest = format!("https://github.com/{repository}/releases/latest/download/latest.json");
    let updater = json!({ "endpoints": [latest], "pubkey": key, "requireSignedVersion": true });
    Ok(Some(json!({ "plugins": { "updater": updater } }).to_string()))
}

/// Rust's target triple of this system, which Tauri demands at the end of an external program's name.
fn triple() -> Done<String> {
    let about = output_of(Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned));
    host.ok_or_else(|| Failed("rustc does not say for which system it builds.".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_a_package_lacks_is_named() {
        let whole = [INSIDE, OF_RPM].concat();
        let list: String = whole.iter().map(|file| format!("/usr/share/a{file}\n")).collect();
        assert_eq!(missing(&list, &whole), None);
        assert_eq!(missing(&list.replace(".desktop\n", "\n"), &whole), Some(".desktop"));
        assert_eq!(missing(&list, OF_DEB), Some("doc/skilltender/copyright"));
    }

    /// The words are those of `tauri build --help` on each system, which knows no word for all of them.
    #[test]
    fn each_system_makes_the_packages_that_a_release_has_in_words_that_tauri_takes_there() {
        for (system, words, taken) in [
            ("linux", "deb", &["deb", "rpm", "appimage"][..]),
            ("macos", "app,dmg", &["app", "dmg", "ios"]),
            ("windows", "nsis,msi", &["msi", "nsis"]),
        ] {
            assert_eq!(kinds(system).unwrap(), words);
            assert!(words.split(',').all(|word| taken.contains(&word)), "{system}: {words}");
        }
        assert!(kinds("freebsd").is_err());
        assert!(kinds(env::consts::OS).is_ok());
    }

    #[test]
    fn a_bundle_for_claude_desktop_holds_the_program_that_tauri_signed() {
        let [folder, beside, built] = ["bundle", "binaries/skilltender-x.exe", "release/skilltender"].map(Path::new);
        let packed = |system: &str| packed(system, folder, beside, built);
        assert_eq!(packed("windows"), beside);
        assert_eq!(packed("macos"), folder.join("macos/Skilltender.app/Contents/MacOS/skilltender"));
        assert_eq!(packed("linux"), built);
    }

    #[test]
    fn an_app_with_a_key_asks_the_repository_that_is_named_and_is_not_built_without_one() {
        let key = || Some("key".to_owned());
        let asks = updates(key(), Some("ada/skilltender".to_owned())).unwrap().unwrap();
        let asks: serde_json::Value = serde_json::from_str(&asks).unwrap();
        let updater = &asks["plugins"]["updater"];
        assert_eq!(
            updater["endpoints"],
            json!(["https://github.com/ada/skilltender/releases/latest/download/latest.json"])
        );
        assert_eq!((&updater["pubkey"], &updater["requireSignedVersion"]), (&json!("key"), &json!(true)));
        let Failed(why) = updates(key(), None).unwrap_err();
        assert_eq!(
            why,
            "SKILLTENDER_UPDATER_KEY is set and GITHUB_REPOSITORY is not: apps would not know whom to ask."
        );
        assert_eq!(updates(None, None).unwrap(), None);
    }
}
