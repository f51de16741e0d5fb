//! The files by which package managers know a version: winget, Homebrew, and Arch Linux's user repository.
//!
//! Each is a template of `packaging`, filled with the product's words and the address and sum of its file. One whose
//! file this release has not is not written: a sum is never made up.

use std::{fs, path::Path};

use super::files::{self, File};
use crate::{
    product::Product,
    step::{Done, Failed},
};

/// A package manager's files.
struct Store {
    name: &'static str,
    /// The kind of file that it installs.
    kind: &'static str,
    templates: &'static [&'static str],
}

const STORES: &[Store] = &[
    Store {
        name: "winget",
        kind: "Windows installer",
        templates: &[
            "winget/Skilltender.Skilltender.yaml",
            "winget/Skilltender.Skilltender.installer.yaml",
            "winget/Skilltender.Skilltender.locale.en-US.yaml",
        ],
    },
    Store { name: "Homebrew", kind: "dmg", templates: &["homebrew/skilltender.rb"] },
    Store { name: "AUR", kind: "deb", templates: &["aur/PKGBUILD", "aur/.SRCINFO"] },
];

/// Writes the files into a folder; returns the stores whose file is missing.
pub(super) fn write(product: &Product, files: &[File], place: &str, into: &Path) -> Done<Vec<&'static str>> {
    let mut missing = Vec::new();
    for store in STORES {
        let Some(file) = files::find(files, store.kind) else {
            missing.push(store.name);
            continue;
        };
        let (url, upper) = (format!("{place}/{}", file.name), file.sha256.to_uppercase());
        let words = [("url", url.as_str()), ("sha256", &file.sha256), ("SHA256", &upper), ("place", place)];
        for template in store.templates {
            let path = into.join(template);
            let folder = path.parent().unwrap_or(into);
            fs::create_dir_all(folder).map_err(Failed::because)?;
            fs::write(&path, product.fill(template, &words)?).map_err(Failed::because)?;
        }
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::PathBuf, process::Command};

    use super::*;

    const PLACE: &str = "https://example.org/v1";

    /// Everything written for a release with one file of each kind.
    fn written(folder: &Path) -> BTreeMap<&'static str, (PathBuf, String)> {
        for name in ["a_amd64.deb", "a_x64-setup.exe", "a_universal.dmg"] {
            fs::write(folder.join(name), name).unwrap();
        }
        let files = files::read(folder).unwrap();
        assert!(write(&Product::read().unwrap(), &files, PLACE, folder).unwrap().is_empty());
        let templates = STORES.iter().flat_map(|store| store.templates);
        templates.map(|name| (*name, (folder.join(name), fs::read_to_string(folder.join(name)).unwrap()))).collect()
    }

    /// The value of a field at the beginning of a line, in YAML or a shell's assignment.
    fn field<'a>(text: &'a str, name: &str) -> &'a str {
        let value = |line: &'a str| line.trim_start_matches([' ', '-']).strip_prefix(name);
        text.lines().find_map(value).unwrap_or_else(|| panic!("no {name} in {text}")).trim()
    }

    /// Whether a program accepts a file. Only one that is not installed is passed over.
    fn accepted(program: &str, words: &[&str], file: &Path) -> bool {
        match Command::new(program).args(words).arg(file).output() {
            Ok(output) => output.status.success(),
            Err(why) => why.kind() == std::io::ErrorKind::NotFound,
        }
    }

    #[test]
    fn the_manifests_of_winget_have_the_fields_that_its_schema_demands() {
        let folder = tempfile::tempdir().unwrap();
        let all = written(folder.path());
        let of = |part: &str| &all[format!("winget/Skilltender.Skilltender{part}.yaml").as_str()].1;
        for (part, kind) in [("", "version"), (".installer", "installer"), (".locale.en-US", "defaultLocale")] {
            let text = of(part);
            assert_eq!(field(text, "PackageIdentifier:"), "Skilltender.Skilltender");
            assert_eq!(field(text, "PackageVersion:"), env!("CARGO_PKG_VERSION"));
            assert_eq!((field(text, "ManifestType:"), field(text, "ManifestVersion:")), (kind, "1.10.0"));
            assert!(
                text.starts_with(&format!(
                    "# yaml-language-server: $schema=https://aka.ms/winget-manifest.{kind}.1.10.0"
                ))
            );
        }
        let (installer, locale) = (of(".installer"), of(".locale.en-US"));
        assert_eq!(field(installer, "InstallerUrl:"), format!("{PLACE}/a_x64-setup.exe"));
        let sum = files::sum(&folder.path().join("a_x64-setup.exe")).unwrap();
        assert_eq!(field(installer, "InstallerSha256:"), sum.to_uppercase());
        assert_eq!((field(installer, "InstallerType:"), field(installer, "Scope:")), ("nullsoft", "user"));
        for name in ["PackageLocale:", "Publisher:", "PackageName:", "License:", "ShortDescription:"] {
            assert!(!field(locale, name).is_empty(), "{name}");
        }
    }

    #[test]
    fn the_cask_and_the_pkgbuild_name_the_file_and_its_sum_and_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let all = written(folder.path());
        let sum = |name: &str| files::sum(&folder.path().join(name)).unwrap();
        let (cask, text) = &all["homebrew/skilltender.rb"];
        assert_eq!(field(text, "sha256"), format!("\"{}\"", sum("a_universal.dmg")));
        assert_eq!(field(text, "url"), format!("\"{PLACE}/a_universal.dmg\""));
        assert!(accepted("ruby", &["-c"], cask));
        // The app updates itself, runs on in the tray, and may start at login.
        let plist = "\"~/Library/LaunchAgents/dev.skilltender.desktop.plist\",";
        for line in ["auto_updates true", "uninstall quit: \"dev.skilltender.desktop\"", plist] {
            assert!(text.lines().any(|found| found.trim() == line), "no {line} in {text}");
        }

        let (pkgbuild, text) = &all["aur/PKGBUILD"];
        assert!(text.contains(&sum("a_amd64.deb")) && text.contains(&format!("{PLACE}/a_amd64.deb")), "{text}");
        assert!(accepted("bash", &["-n"], pkgbuild));
        // The app's own command would be for Debian.
        assert!(text.contains("`yay -Syu`'") && text.contains("\"$pkgdir/usr/lib/Skilltender/updated-by\""), "{text}");
        let printed =
            Command::new("bash").args(["-c", ". \"$1\"; echo \"${depends[*]}\"", "bash"]).arg(pkgbuild).output();
        let depends = String::from_utf8(printed.unwrap().stdout).unwrap();
        let info = &all["aur/.SRCINFO"].1;
        let named: Vec<_> = info.lines().filter_map(|line| line.trim().strip_prefix("depends = ")).collect();
        assert_eq!(named, depends.split_whitespace().collect::<Vec<_>>(), "both files of the AUR name the same");
    }

    #[test]
    fn a_store_whose_file_is_not_there_gets_no_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let missing = write(&Product::read().unwrap(), &[], PLACE, folder.path()).unwrap();
        assert_eq!(missing, ["winget", "Homebrew", "AUR"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
