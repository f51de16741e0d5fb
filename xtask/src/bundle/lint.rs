//! Packages for Linux as the tools of distributions judge them: each tool that is installed, no error allowed.

use std::{path::Path, process::Command};

use crate::{
    paths,
    product::Product,
    step::{Done, Failed, not_tested, output_of, run},
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
    let name = file.file_name().map(Path::new).unwrap_or(file);
    if output_of(Command::new("sh").args(["-c", "command -v \"$1\"", "sh", tool])).is_none() {
        return not_tested(&format!("not tested here: {tool} is not installed, which judges {}", name.display()));
    }
    run(Command::new(tool).args(words).arg(file))
        .map_err(|_| Failed(format!("{tool} finds errors in {}.", file.display())))
}
