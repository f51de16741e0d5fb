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
        forget_others(&name)?;
    }
    Ok(missing)
}

/// It writes a list beside the manifest of each crate of the workspace: only the programs' are wanted.
fn forget_others(name: &str) -> Done {
    let mut metadata = Command::new("git");
    metadata.args(["ls-files", "--others", "--", &format!("*{name}.json")]).current_dir(paths::root());
    for file in output_of(&mut metadata).unwrap_or_default().lines() {
        if !file.starts_with("target/") {
            fs::remove_file(paths::root().join(file)).map_err(Failed::because)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_installs_the_version_that_is_named_here() {
        let workflow = fs::read_to_string(paths::root().join(".github/workflows/release.yml")).unwrap();
        assert!(workflow.contains(&format!("cargo-cyclonedx --locked --version {CYCLONEDX}")));
    }
}
