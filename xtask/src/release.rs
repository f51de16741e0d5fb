//! `cargo xtask release`: all of a release that one machine can make, and in plain words what is left.
//!
//! The hosted workflow builds each system's files and runs this once over all of them; `--dry-run` does the same here
//! with the files that this system builds, or with those of `--artifacts DIR`, and calls missing what is missing.
//! `files` knows the files, `latest` the app's updates, `stores` the package managers, `sbom` the lists of parts.

mod files;
mod latest;
mod sbom;
mod stores;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    auditable, bundle, changelog,
    node::Node,
    paths,
    product::Product,
    step::{Done, Failed, output_of},
};

/// Who owns the repository, where nobody says.
const NOBODYS: &str = "OWNER/skilltender";
/// The variable that says whose releases these are, as `owner/name`.
pub(crate) const REPOSITORY: &str = "GITHUB_REPOSITORY";
/// The variable with the updater's public key, in base64 as the updater has it.
pub(crate) const KEY: &str = "SKILLTENDER_UPDATER_KEY";

/// Makes the release's own files in the folder of its artifacts. What a release cannot do without is `needed`; `left`
/// is the rest that is not done, such as a signature for which there is no key.
///
/// # Errors
///
/// Versions that differ, an entry of `latest.json` that does not hold; without `dry`, also what is needed.
pub(crate) fn release(yes: bool, dry: bool, artifacts: Option<&Path>) -> Done {
    let product = Product::read()?;
    let (mut needed, mut left) = (versions(&product)?, Vec::new());
    let folder = match artifacts {
        Some(folder) => folder.to_path_buf(),
        None => build(yes)?,
    };
    let files = files::read(&folder)?;
    needed.extend(absent(&files));
    left.extend(unsigned(&files));

    let section = changelog::of(product.version, changelog::read()?)?;
    let day = section.day.clone().map_or_else(changelog::day_of_the_source, Ok)?;
    if section.day.is_none() {
        needed.push(format!(
            "CHANGELOG.md has no section \"{} - {day}\": what is unreleased stands in its place",
            product.version
        ));
    }
    let repository = repository().unwrap_or_else(|| {
        needed.push(format!("{REPOSITORY} is not set: {NOBODYS} stands in each address"));
        NOBODYS.to_owned()
    });
    let place = format!("https://github.com/{repository}/releases/download/v{}", product.version);

    let (latest, without) = latest::write(&files, product.version, &section.text, &day, &place)?;
    left.extend(
        without
            .iter()
            .map(|name| format!("{name} has no signature of the updater's key, so latest.json leaves it out")),
    );
    match updater_key() {
        Some(key) => latest::prove(&latest, &files, &place, &key)?,
        None => left.push(format!(
            "{KEY} is not set: no signature in latest.json is proven, and apps built here look for no new version"
        )),
    }
    for (name, text) in
        [("SHA256SUMS", files::sums(&files)), ("latest.json", latest), ("NOTES.md", section.text + "\n")]
    {
        fs::write(folder.join(name), text).map_err(Failed::because)?;
    }
    if artifacts.is_none()
        && let Some(hint) = auditable::missing()
    {
        left.push(format!("the programs built here do not say what they are made of: {hint}"));
    }
    let stores = stores::write(&product, &files, &place, &folder.join("packaging"))?;
    left.extend(stores.iter().map(|store| format!("{store}: its file is not here")));
    left.extend(sbom::write(&Node::ensure()?, &folder)?);

    report(&folder, &files, &needed, &left);
    if dry || needed.is_empty() { Ok(()) } else { Err(Failed("This is no release yet: see what it needs.".to_owned())) }
}

/// The updater's public key.
pub(crate) fn updater_key() -> Option<String> {
    told(KEY)
}

/// The repository whose releases these are, as `owner/name`; none where nobody says.
pub(crate) fn repository() -> Option<String> {
    told(REPOSITORY)
}

/// A variable that says something. The hosted workflow sets what it has not to nothing.
fn told(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}

/// Checks that the tag, the commit and the source agree on the version.
fn versions(product: &Product) -> Done<Vec<String>> {
    let tag = format!("v{}", product.version);
    let told = env::var("GITHUB_REF_NAME").ok().filter(|_| env::var("GITHUB_REF_TYPE").is_ok_and(|kind| kind == "tag"));
    match told {
        Some(told) if told == tag => Ok(Vec::new()),
        Some(told) => Err(Failed(format!("The tag is {told}, and the version in Cargo.toml is {}.", product.version))),
        None => {
            let here = output_of(Command::new("git").args(["tag", "--points-at", "HEAD"]).current_dir(paths::root()));
            let is_tagged = here.unwrap_or_default().lines().any(|line| line == tag);
            Ok(if is_tagged { Vec::new() } else { vec![format!("this commit has no tag {tag}")] })
        }
    }
}

/// Builds what this system can, and collects it in one folder.
fn build(yes: bool) -> Done<PathBuf> {
    bundle::bundle(yes, false)?;
    let folder = paths::target().join("release/artifacts");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failed::because)?;
    }
    fs::create_dir_all(&folder).map_err(Failed::because)?;
    bundle::collect(&folder)?;
    Ok(folder)
}

/// The kinds of files that this folder has not.
fn absent(files: &[files::File]) -> Vec<String> {
    let absent = files::KINDS.iter().filter(|kind| files::find(files, kind.name).is_none());
    absent.map(|kind| format!("no {}: the hosted workflow builds it", kind.name)).collect()
}

/// The files that their system's key has not signed, as their names say.
fn unsigned(files: &[files::File]) -> Vec<String> {
    let unsigned = files.iter().filter(|file| file.name.contains("-unsigned"));
    unsigned.map(|file| format!("{} is not signed for its system", file.name)).collect()
}

fn report(folder: &Path, files: &[files::File], needed: &[String], left: &[String]) {
    println!("\nIn {}:", folder.display());
    for file in files {
        println!("  {}  {}", &file.sha256[..16], file.name);
    }
    for (title, lines) in [("A release needs", needed), ("Not done, and said so", left)] {
        println!("\n{title}:");
        for line in lines {
            println!("  - {line}");
        }
        if lines.is_empty() {
            println!("  nothing more");
        }
    }
    println!("\nThe hosted workflow signs, attests and drafts the release; a person publishes it.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_folder_has_not_is_said_and_so_is_a_file_that_is_not_signed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["Skilltender_1.0.0_amd64.deb", "Skilltender_1.0.0_x64-setup-unsigned.exe"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let files = files::read(folder.path()).unwrap();
        let absent = absent(&files);
        assert!(absent.contains(&"no dmg: the hosted workflow builds it".to_owned()), "{absent:?}");
        assert_eq!(absent.len(), files::KINDS.len() - 2, "{absent:?}");
        assert_eq!(unsigned(&files), ["Skilltender_1.0.0_x64-setup-unsigned.exe is not signed for its system"]);
    }
    #[test]
    fn the_workflow_names_every_file_of_windows_and_macos_that_is_not_signed() {
        let workflow = fs::read_to_string(paths::root().join(".github/workflows/release.yml")).unwrap();
        let job = |name: &str| {
            let rest = workflow.split_once(&format!("\n  {name}:\n")).unwrap().1;
            // The next job begins with a line that is indented as deep.
            let end = rest.match_indices("\n  ").find(|(at, _)| rest.as_bytes()[at + 3].is_ascii_lowercase());
            rest[..end.map_or(rest.len(), |(at, _)| at)].to_owned()
        };
        for (name, endings) in
            [("windows", &["-setup.exe", ".msi", ".mcpb"][..]), ("macos", &[".dmg", ".app.tar.gz", ".mcpb"])]
        {
            let job = job(name);
            let (built, renamed) = job.rsplit_once(" == ''\n        run:").expect("what is done without a key");
            for ending in endings {
                let last = ending.rsplit_once('.').unwrap().1;
                assert!(built.contains(ending), "{name} builds {ending}");
                let is_renamed =
                    renamed.contains(&format!("*.{last}")) || renamed.contains(&format!("-unsigned{ending}"));
                assert!(is_renamed, "{name} leaves {ending} as it is");
            }
        }
    }
}
