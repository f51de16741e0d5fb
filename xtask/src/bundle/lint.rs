//! Packages for Linux as the tools of distributions judge them: each tool that is installed, no error allowed.

use std::{path::Path, process::Command};

use crate::{
    paths,
    product::Product,
    step::{Done, Failed, is_installed, not_tested, run},
};

/// Judges the desktop file and the software centre's description in an unpacked package.
pub(super) fn tree(tree: &Path) -> Done {
    let product = Product::read()?;
    let share = tree.join("usr/share");
    let desktop = share.join(format!("applications/{}.desktop", product.name));
    let metainfo = share.join(format!("metainfo/{}.metainfo.xml", product.identifier));
    judged("desktop-file-validate", &["--no-hints"], &desktop)?;
    judged("appstreamcli", &["validate", "--no-net", "--explain"], &metainfo)
}

/// Judges a Debian package.
pub(super) fn deb(package: &Path) -> Done {
    judged("lintian", &["--allow-root", "--fail-on=error", "--tag-display-limit=0"], package)
}

/// Judges a package for Fedora and its like.
pub(super) fn rpm(package: &Path) -> Done {
    let config = paths::root().join("packaging/linux/rpmlint.conf");
    judged("rpmlint", &["--file", &config.to_string_lossy()], package)
}

/// Runs a tool on a file, or says that the tool is missing.
fn judged(tool: &str, words: &[&str], file: &Path) -> Done {
    if !is_installed(tool) {
        let name = file.file_name().map(Path::new).unwrap_or(file);
        return not_tested(&format!("whether {} has errors", name.display()), tool, "it is not installed");
    }
    run(Command::new(tool).args(words).arg(file))
        .map_err(|_| Failed(format!("{tool} finds errors in {}.", file.display())))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{env, fs};

    use super::*;
    use crate::step::NOT_TESTED;

    #[test]
    fn the_menu_of_the_desktop_says_what_it_is_in_each_language_of_the_window() {
        let (root, folder) = (paths::root(), tempfile::tempdir().unwrap());
        let mut entry = fs::read_to_string(root.join("packaging/linux/skilltender.desktop")).unwrap();
        let texts = fs::read_dir(root.join("ui/text")).unwrap().map(|file| file.unwrap().file_name());
        let texts = texts.filter_map(|name| name.to_str()?.strip_suffix(".json").map(str::to_owned));
        for tag in texts.filter(|tag| tag != "en" && !tag.contains('.')).map(|tag| tag.replace('-', "_")) {
            for key in ["GenericName", "Comment", "Keywords"] {
                assert!(entry.contains(&format!("\n{key}[{tag}]=")), "{key} in {tag}");
            }
        }
        for word in ["name", "comment", "exec", "icon"] {
            entry = entry.replace(&format!("{{{{{word}}}}}"), "skilltender");
        }
        let filled = folder.path().join("skilltender.desktop");
        fs::write(&filled, entry).unwrap();
        assert!(judged("desktop-file-validate", &["--no-hints"], &filled).is_ok());
    }

    #[test]
    #[ignore = "the other test runs it as a process of its own"]
    fn a_judge_that_nobody_has() {
        assert!(judged("no-such-judge", &[], Path::new("a.deb")).is_ok());
    }

    #[test]
    fn a_judge_that_is_not_installed_is_missed_in_ci_unless_the_machine_is_named_as_unable() {
        let folder = tempfile::tempdir().unwrap();
        let collected = folder.path().join("not-tested");
        let runs = |ci: &str, unable: &str| {
            let mut again = Command::new(env::current_exe().unwrap());
            again.args(["--exact", "bundle::lint::tests::a_judge_that_nobody_has", "--include-ignored"]);
            again.env("CI", ci).env("SKILLTENDER_UNABLE", unable).env(NOT_TESTED, &collected);
            let output = again.output().unwrap();
            assert!(String::from_utf8(output.stdout).unwrap().contains("running 1 test"));
            output.status.success()
        };
        assert_eq!([runs("", ""), runs("true", "corpus"), runs("true", "no-such-judge")], [true, false, true]);
        let line = "not tested here: whether a.deb has errors (no-such-judge: it is not installed)\n";
        assert_eq!(fs::read_to_string(collected).unwrap(), line.repeat(2));
    }

    #[test]
    fn a_judge_that_finds_an_error_fails() {
        assert!(judged("false", &[], Path::new("a.deb")).is_err());
        assert!(judged("true", &[], Path::new("a.deb")).is_ok());
    }
}
