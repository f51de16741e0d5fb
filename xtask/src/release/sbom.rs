//! What a release is made of, as CycloneDX lists: the crates by `cargo-cyclonedx`, the window's packages by npm.

use std::{fs, path::Path, process::Command};

use crate::{
    node::Node,
    paths,
    step::{Done, Failed, cargo, output_of, run},
};

/// The version that the workflow installs.
const CYCLONEDX: &str = "0.5.9";

/// Writes the lists that this machine can make; returns what is missing for the others.
pub(super) fn write(node: &Node, into: &Path) -> Done<Vec<String>> {
    let mut missing = Vec::new();
    let ui = paths::root().join("ui");
    let mut npm = node.npm(&ui)?;
    npm.args(["sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx"]);
    match output_of(&mut npm) {
        Some(list) => fs::write(into.join("skilltender-window.cdx.json"), list + "\n").map_err(Failed::because)?,
        None => missing.push("the list of the window's packages: this npm has no `npm sbom`".to_owned()),
    }
    if output_of(&mut cargo(&["cyclonedx", "--version"])).is_none() {
        missing.push(format!("the list of crates: cargo install cargo-cyclonedx --locked --version {CYCLONEDX}"));
        return Ok(missing);
    }
    for (package, manifest) in [("skilltender", "crates/cli/Cargo.toml"), ("skilltender-app", "src-tauri/Cargo.toml")] {
        let name = format!("{package}.cdx");
        let manifest = paths::root().join(manifest);
        let mut listing = cargo(&["cyclonedx", "--format=json", "--target=all", "--override-filename", &name]);
        run(listing.arg("--manifest-path").arg(&manifest))?;
        // It writes beside the manifest.
        let written = manifest.with_file_name(format!("{name}.json"));
        fs::copy(&written, into.join(format!("{name}.json"))).map_err(Failed::because)?;
        forget_others(paths::root(), &name, into)?;
    }
    Ok(missing)
}

/// It writes a list beside the manifest of each crate of the workspace: only the programs' are wanted, in `kept`.
fn forget_others(root: &Path, name: &str, kept: &Path) -> Done {
    let mut listing = Command::new("git");
    listing.args(["ls-files", "-z", "--others", "--", &format!("*{name}.json")]).current_dir(root);
    let kept = kept.canonicalize().map_err(Failed::because)?;
    for file in output_of(&mut listing).unwrap_or_default().split_terminator('\0') {
        let file = root.join(file);
        let folder = file.parent().unwrap_or(root).canonicalize().map_err(Failed::because)?;
        if folder != kept && folder.join("Cargo.toml").is_file() {
            fs::remove_file(&file).map_err(Failed::because)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_beside_a_manifest_goes_and_one_among_the_artifacts_stays() {
        let repository = tempfile::tempdir().unwrap();
        let root = repository.path();
        run(Command::new("git").args(["init", "--quiet"]).current_dir(root)).unwrap();
        let list = |folder: &str| root.join(folder).join("skilltender.cdx.json");
        for folder in ["crates/one", "crates/two", "files", "target/files"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(list(folder), "{}").unwrap();
        }
        fs::write(root.join("crates/one/Cargo.toml"), "").unwrap();
        fs::write(root.join("crates/two/Cargo.toml"), "").unwrap();
        let left = || ["crates/one", "crates/two", "files", "target/files"].map(|folder| list(folder).exists());

        forget_others(root, "skilltender.cdx", &root.join("crates/../files")).unwrap();
        assert_eq!(left(), [false, false, true, true]);

        // The artifacts may lie beside a manifest too.
        fs::write(list("crates/one"), "{}").unwrap();
        forget_others(root, "skilltender.cdx", &root.join("crates/one")).unwrap();
        assert_eq!(left(), [true, false, true, true]);
    }

    #[test]
    fn the_workflow_installs_the_version_that_is_named_here() {
        let workflow = fs::read_to_string(paths::root().join(".github/workflows/release.yml")).unwrap();
        assert!(workflow.contains(&format!("cargo-cyclonedx --locked --version {CYCLONEDX}")));
    }
}
