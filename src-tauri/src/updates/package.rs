//! Packages that the system installs: fetched for the person, beside their other downloads, with the command of this
//! system that installs them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use engine::Machine;
use tauri::{
    AppHandle, Manager as _, async_runtime,
    utils::{config::BundleType, platform::bundle_type},
};

use super::packer::{self, System};

/// The package that this app was installed from, if the system replaces it rather than the app itself.
///
/// # Errors
/// When somebody else packed it: who updates it then, as a sentence.
pub(super) fn here() -> Result<Option<Kind>, String> {
    packer::said().map_or_else(|| Kind::of(bundle_type().as_ref(), &System::here()), Err)
}

/// A package of the system, by the program that installs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A deb.
    Apt,
    /// An rpm, with each system's own program.
    Dnf,
    Zypper,
    /// Of an openSUSE whose system is read only while it runs.
    Transactional,
    /// Of a Fedora whose system is an image.
    RpmOstree,
    /// Where none of these is known to be there.
    Rpm,
    Msi,
}

/// Systems that install debs, besides those that say they are like Debian or Ubuntu.
const OF_DEBIAN: &[&str] = &["debian", "ubuntu", "deepin", "uos"];
/// Systems with dnf.
const OF_FEDORA: &[&str] = &["fedora", "rhel", "centos", "openmandriva", "mageia", "openeuler", "anolis"];
const OF_SUSE: &[&str] = &["suse", "opensuse"];
const OF_MICRO_OS: &[&str] =
    &["microos", "opensuse-microos", "opensuse-aeon", "opensuse-kalpa", "sle-micro", "sl-micro"];

/// Saves a proven package, and returns the command that installs it.
///
/// # Errors
/// When it cannot be written: why, as a sentence.
pub(super) async fn save(app: &AppHandle, kind: Kind, version: &str, bytes: Vec<u8>) -> Result<String, String> {
    let folder = app.path().download_dir().ok().filter(|folder| folder.is_dir());
    let folder = folder.unwrap_or_else(|| app.state::<Machine>().home.clone());
    // The name is ours: the server's is not signed.
    let name = format!("Skilltender_{version}.{}", kind.ending());
    let saved = async_runtime::spawn_blocking(move || place(&folder, &name, &bytes)).await;
    let path = saved.map_err(|why| why.to_string())?.map_err(|why| format!("{why}."))?;
    Ok(kind.command(&path))
}

/// Writes a file under a name that is free, or leaves the same one as it is.
fn place(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|there| there == bytes) {
        return Ok(path);
    }
    let mut file = tempfile::Builder::new().prefix(".skilltender-").tempfile_in(folder)?;
    io::Write::write_all(&mut file, bytes)?;
    file.as_file().sync_all()?;
    for at in 0..100 {
        let path = if at == 0 { path.clone() } else { folder.join(format!("{at}-{name}")) };
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(why) if why.error.kind() == io::ErrorKind::AlreadyExists => file = why.file,
            Err(why) => return Err(why.error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} holds too many files of this name", folder.display())))
}

impl Kind {
    /// What installs the next version where this one was packed as `bundle`; nothing if the app replaces itself.
    fn of(bundle: Option<&BundleType>, system: &System) -> Result<Option<Self>, String> {
        Ok(Some(match bundle {
            Some(BundleType::Msi) => Self::Msi,
            // One that says nothing of itself gets the benefit of the doubt.
            Some(BundleType::Deb) if system.is_like(OF_DEBIAN) || system.is_unknown() => Self::Apt,
            Some(BundleType::Deb) => {
                let name = &system.name;
                return Err(format!(
                    "This Skilltender is made of a package for Debian, and this is {name}: whoever packed it for {name} updates it."
                ));
            }
            Some(BundleType::Rpm) if system.is_image => Self::RpmOstree,
            Some(BundleType::Rpm) if system.is_like(OF_MICRO_OS) => Self::Transactional,
            Some(BundleType::Rpm) if system.is_like(OF_SUSE) => Self::Zypper,
            Some(BundleType::Rpm) if system.is_like(OF_FEDORA) => Self::Dnf,
            Some(BundleType::Rpm) => Self::Rpm,
            _ => return Ok(None),
        }))
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Apt => "deb",
            Self::Dnf | Self::Zypper | Self::Transactional | Self::RpmOstree | Self::Rpm => "rpm",
            Self::Msi => "msi",
        }
    }

    /// What a person types to install the package at `path`.
    fn command(self, path: &Path) -> String {
        let path = path.display().to_string();
        let word = if path.chars().all(|c| c.is_alphanumeric() || "/\\:._-+~".contains(c)) {
            path
        } else if cfg!(windows) {
            format!("\"{path}\"")
        } else {
            format!("'{}'", path.replace('\'', r"'\''"))
        };
        match self {
            Self::Apt => format!("sudo apt install {word}"),
            Self::Dnf => format!("sudo dnf install {word}"),
            Self::Zypper => format!("sudo zypper install {word}"),
            Self::Transactional => format!("sudo transactional-update pkg install {word}"),
            // It does not put a newer file of one package in the place of an older one.
            Self::RpmOstree => format!("rpm-ostree upgrade --cache-only --uninstall=skilltender --install={word}"),
            Self::Rpm => format!("sudo rpm --upgrade {word}"),
            Self::Msi => format!("msiexec /i {word}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_never_written_over_another_file_and_the_same_one_is_not_written_twice() {
        let folder = tempfile::tempdir().unwrap();
        let place = |bytes: &[u8]| place(folder.path(), "Skilltender_1.0.0.deb", bytes).unwrap();
        let first = place(b"one");
        assert_eq!((fs::read(&first).unwrap().as_slice(), place(b"one")), (&b"one"[..], first.clone()));
        let second = place(b"two");
        assert_eq!(second, folder.path().join("1-Skilltender_1.0.0.deb"));
        assert_eq!(
            (fs::read(first).unwrap().as_slice(), fs::read(second).unwrap().as_slice()),
            (&b"one"[..], &b"two"[..])
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn the_command_can_be_pasted_into_a_shell() {
        let command = |kind: Kind, path: &str| kind.command(Path::new(path));
        assert_eq!(command(Kind::Apt, "/home/ada/Downloads/a_1.deb"), "sudo apt install /home/ada/Downloads/a_1.deb");
        assert_eq!(command(Kind::Dnf, "/home/ada's/a b.rpm"), r"sudo dnf install '/home/ada'\''s/a b.rpm'");
    }

    /// The lines of real files that matter.
    const SYSTEMS: &[(&str, &str)] = &[
        (
            "debian",
            "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n",
        ),
        ("ubuntu", "PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nNAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n"),
        ("mint", "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\nPRETTY_NAME=\"Linux Mint 22\"\n"),
        ("arch", "NAME=\"Arch Linux\"\nPRETTY_NAME=\"Arch Linux\"\nID=arch\nBUILD_ID=rolling\n"),
        ("manjaro", "NAME=\"Manjaro Linux\"\nPRETTY_NAME=\"Manjaro Linux\"\nID=manjaro\nID_LIKE=arch\n"),
        (
            "fedora",
            "NAME=\"Fedora Linux\"\nVERSION=\"41 (Workstation Edition)\"\nID=fedora\nPRETTY_NAME=\"Fedora Linux 41 (Workstation Edition)\"\nVARIANT_ID=workstation\n",
        ),
        (
            "rocky",
            "NAME=\"Rocky Linux\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nPRETTY_NAME=\"Rocky Linux 9.5 (Blue Onyx)\"\n",
        ),
        (
            "tumbleweed",
            "NAME=\"openSUSE Tumbleweed\"\nID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\nPRETTY_NAME=\"openSUSE Tumbleweed\"\n",
        ),
        (
            "aeon",
            "NAME=\"openSUSE Aeon\"\nID=\"opensuse-aeon\"\nID_LIKE=\"suse opensuse opensuse-tumbleweed microos\"\nPRETTY_NAME=\"openSUSE Aeon\"\n",
        ),
        ("nixos", "NAME=NixOS\nID=nixos\nPRETTY_NAME=\"NixOS 24.11 (Vicuna)\"\n"),
        ("void", "NAME=\"Void\"\nID=\"void\"\nPRETTY_NAME=\"Void Linux\"\n"),
        ("", ""),
    ];

    fn on(system: &str, is_image: bool) -> System {
        System::of(SYSTEMS.iter().find(|(name, _)| *name == system).unwrap().1, is_image)
    }

    #[test]
    fn a_deb_is_installed_by_apt_and_one_that_was_repacked_elsewhere_is_its_packers() {
        let kind = |system| Kind::of(Some(&BundleType::Deb), &on(system, false));
        for debian in ["debian", "ubuntu", "mint", ""] {
            assert_eq!(kind(debian), Ok(Some(Kind::Apt)), "{debian}");
        }
        for (other, name) in [
            ("arch", "Arch Linux"),
            ("manjaro", "Manjaro Linux"),
            ("fedora", "Fedora Linux 41"),
            ("nixos", "NixOS 24.11"),
            ("void", "Void Linux"),
        ] {
            let why = kind(other).unwrap_err();
            assert!(why.contains(&format!("this is {name}")) && !why.contains("apt"), "{why}");
        }
    }

    #[test]
    fn an_rpm_is_installed_by_the_systems_own_program() {
        let command = |system, is_image| {
            let kind = Kind::of(Some(&BundleType::Rpm), &on(system, is_image)).unwrap().unwrap();
            (kind.ending(), kind.command(Path::new("/a.rpm")))
        };
        for (system, is_image, said) in [
            ("fedora", false, "sudo dnf install /a.rpm"),
            ("rocky", false, "sudo dnf install /a.rpm"),
            ("tumbleweed", false, "sudo zypper install /a.rpm"),
            ("aeon", false, "sudo transactional-update pkg install /a.rpm"),
            ("fedora", true, "rpm-ostree upgrade --cache-only --uninstall=skilltender --install=/a.rpm"),
            ("", false, "sudo rpm --upgrade /a.rpm"),
        ] {
            assert_eq!(command(system, is_image), ("rpm", said.to_owned()), "{system}");
        }
    }

    #[test]
    fn what_replaces_itself_does_so_on_every_system() {
        for (system, _) in SYSTEMS {
            for bundle in [BundleType::AppImage, BundleType::Nsis, BundleType::App, BundleType::Dmg] {
                assert_eq!(Kind::of(Some(&bundle), &on(system, false)), Ok(None), "{system}");
            }
            assert_eq!(Kind::of(Some(&BundleType::Msi), &on(system, false)), Ok(Some(Kind::Msi)));
        }
    }
}
