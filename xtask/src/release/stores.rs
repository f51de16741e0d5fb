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
    use std::{collections::BTreeMap, path::PathBuf};

    use serde_json::{Value, json};

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

    /// What a program says of a file that it reads without an error; nothing where it is not installed, which CI refuses.
    #[cfg(unix)]
    fn said(program: &str, words: &[&str], file: &Path) -> Option<String> {
        let output = match std::process::Command::new(program).args(words).arg(file).output() {
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                crate::step::not_tested(&format!("whether {name} can be read"), program, "it is not installed")
                    .unwrap();
                return None;
            }
            output => output.unwrap(),
        };
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8(output.stdout).unwrap())
    }

    /// The fields that winget's schema 1.10.0 demands, and its longest texts. The schema itself is in no registry.
    #[test]
    fn the_manifests_of_winget_have_the_fields_that_its_schema_demands() {
        let folder = tempfile::tempdir().unwrap();
        let all = written(folder.path());
        let of = |part: &str| &all[format!("winget/Skilltender.Skilltender{part}.yaml").as_str()].1;
        let read = |part: &str| -> Value { serde_yaml::from_str(of(part)).unwrap() };
        for (part, kind, demanded) in [
            ("", "version", &["DefaultLocale"][..]),
            (".installer", "installer", &["Installers"]),
            (
                ".locale.en-US",
                "defaultLocale",
                &["PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"],
            ),
        ] {
            let manifest = read(part);
            assert_eq!(manifest["PackageIdentifier"], "Skilltender.Skilltender");
            assert_eq!(manifest["PackageVersion"], env!("CARGO_PKG_VERSION"));
            assert_eq!((&manifest["ManifestType"], &manifest["ManifestVersion"]), (&json!(kind), &json!("1.10.0")));
            let schema = format!("# yaml-language-server: $schema=https://aka.ms/winget-manifest.{kind}.1.10.0");
            assert!(of(part).starts_with(&schema));
            for field in demanded {
                assert!(!manifest[field].is_null(), "{part}: {field}");
            }
        }
        let installer = read(".installer");
        let [one] = installer["Installers"].as_array().unwrap().as_slice() else { panic!("{installer}") };
        let sum = files::sum(&folder.path().join("a_x64-setup.exe")).unwrap();
        assert_eq!(one["InstallerSha256"], json!(sum.to_uppercase()));
        assert_eq!(one["InstallerUrl"], json!(format!("{PLACE}/a_x64-setup.exe")));
        assert_eq!(one["Architecture"], "x64");
        assert_eq!((&installer["InstallerType"], &installer["Scope"]), (&json!("nullsoft"), &json!("user")));
        let locale = read(".locale.en-US");
        for (field, longest) in [("ShortDescription", 256), ("License", 512), ("PackageName", 256), ("Moniker", 40)] {
            let length = locale[field].as_str().unwrap().chars().count();
            assert!((2..=longest).contains(&length), "{field} has {length}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn the_cask_says_to_ruby_the_version_the_file_and_its_sum() {
        /// Reads a cask as Homebrew does: each word of it is a call.
        const READS: &str = r##"
            def cask(name, &body)
              said = BasicObject.new
              def said.method_missing(word, *values)
                ::Kernel.puts "#{word} #{values.map(&:inspect).join(' ')}" unless values.empty?
                "<#{word}>"
              end
              puts "cask #{name}"
              said.instance_eval(&body)
            end
            load ARGV[0]"##;
        let folder = tempfile::tempdir().unwrap();
        let (cask, text) = &written(folder.path())["homebrew/skilltender.rb"];
        let sum = files::sum(&folder.path().join("a_universal.dmg")).unwrap();
        // What a machine without Ruby can say.
        assert!(text.contains(&format!("  sha256 \"{sum}\"\n")), "{text}");
        // The app updates itself, runs on in the tray, and may start at login.
        let plist = "\"~/Library/LaunchAgents/dev.skilltender.desktop.plist\",";
        for line in ["auto_updates true", "uninstall quit: \"dev.skilltender.desktop\"", plist] {
            assert!(text.lines().any(|found| found.trim() == line), "no {line} in {text}");
        }
        let Some(said) = said("ruby", &["-e", READS], cask) else { return };
        for line in [
            "cask skilltender",
            &format!("version \"{}\"", env!("CARGO_PKG_VERSION")),
            &format!("sha256 \"{sum}\""),
            &format!("url \"{PLACE}/a_universal.dmg\""),
            "app \"Skilltender.app\"",
            "binary \"<appdir>/Skilltender.app/Contents/MacOS/skilltender\"",
        ] {
            assert!(said.lines().any(|said| said == line), "{line} is not in {said}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn the_srcinfo_is_what_makepkg_prints_of_the_pkgbuild() {
        /// Prints what `makepkg --printsrcinfo` does, of the fields that ours has and in its order.
        const PRINTS: &str = r#"
            . "$1" || exit
            echo "pkgbase = $pkgname"
            for field in pkgdesc pkgver pkgrel url arch license depends optdepends provides conflicts source sha256sums; do
                eval "printf '\t$field = %s\n' \"\${$field[@]}\""
            done
            printf '\npkgname = %s\n' "$pkgname""#;
        let folder = tempfile::tempdir().unwrap();
        let all = written(folder.path());
        let (pkgbuild, text) = &all["aur/PKGBUILD"];
        let sum = files::sum(&folder.path().join("a_amd64.deb")).unwrap();
        assert!(text.contains(&sum) && text.contains(&format!("{PLACE}/a_amd64.deb")), "{text}");
        // The app's own command would be for Debian.
        assert!(text.contains("`yay -Syu`'") && text.contains("\"$pkgdir/usr/lib/Skilltender/updated-by\""), "{text}");
        let said = said("bash", &["-c", PRINTS, "bash"], pkgbuild).expect("bash is everywhere");
        assert_eq!(all["aur/.SRCINFO"].1, said);
        // A field that is in the one and not among those that are printed would be missed.
        let fields = text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name);
        let printed = |name: &str| PRINTS.split([' ', ';']).any(|word| word == name);
        for field in fields.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())) {
            assert!(field == "pkgname" || printed(field), "{field}");
        }
    }

    #[test]
    fn a_store_whose_file_is_not_there_gets_no_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let missing = write(&Product::read().unwrap(), &[], PLACE, folder.path()).unwrap();
        assert_eq!(missing, ["winget", "Homebrew", "AUR"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
