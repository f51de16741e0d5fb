//! The app in the desktop's menu of programs, where no package puts it: an AppImage is a file that nobody installed.
//!
//! The entry is a file among those of its user (Desktop Menu Specification 1.1), made of the one that packages install,
//! with an icon in our data folder. With it the desktop also opens addresses that start with `skilltender:`. The file is
//! the truth, as with [`login_start`](super::login_start): nothing about it is remembered.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
};

use api::DesktopEntry;
use files::{replace_file::ReplaceError, store};
use machine::Machine;

use super::desktop_entry::{in_exec, in_string, out_of_exec, value};
use super::login_start;

/// What a package installs; Tauri's bundler fills in the same words.
const TEMPLATE: &str = include_str!("../../../../packaging/linux/skilltender.desktop");
const ICON: &[u8] = include_bytes!("../../../../icons/128x128.png");
/// The file of the icon, in the data folder.
const ICON_FILE: &str = "icon.png";

/// Whether the app is in the menu, and if it cannot be put there, why. None where a package does that and no AppImage
/// left an entry.
pub(crate) fn read(machine: &Machine) -> Option<DesktopEntry> {
    let on = said(machine).is_some();
    (on || machine.in_appimage).then(|| DesktopEntry { on, trouble: why_not(machine) })
}

/// Why the app cannot be put into the menu, as a sentence.
pub(crate) fn why_not(machine: &Machine) -> Option<String> {
    if !machine.in_appimage {
        return Some(
            "Only an AppImage is put into the menu by Skilltender; a package does it when it is installed.".to_owned(),
        );
    }
    if !machine.default_data {
        return Some(format!(
            "This Skilltender has a data folder of its own, {}; only the one with the usual folder is in the menu.",
            machine.place(&machine.data)
        ));
    }
    login_start::why_not(machine)
}

/// Writes the entry and its icon, or removes both.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn switch(machine: &Machine, on: bool) -> Result<(), ReplaceError> {
    let (entry, icon) = (path(machine), machine.data.join(ICON_FILE));
    let system = |path: &Path, source| ReplaceError::from_system(path, source);
    if on {
        let folder = &machine.applications;
        fs::create_dir_all(folder).map_err(|source| system(folder, source))?;
        store::write(&icon, ICON)?;
        let app = machine.app.as_deref().unwrap_or(Path::new(""));
        store::write(&entry, text(app, &icon).as_bytes())?;
    } else {
        for file in [&entry, &icon] {
            gone(fs::remove_file(file)).map_err(|source| system(file, source))?;
        }
    }
    tell(machine);
    Ok(())
}

/// Writes an entry anew whose program is gone, as after an AppImage was moved. For the app, at its start.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn renew(machine: &Machine) -> Result<(), ReplaceError> {
    let lacks_its_program = || {
        said(machine).and_then(|entry| out_of_exec(value(&entry, "Exec")?)).is_some_and(|old| !Path::new(&old).exists())
    };
    let can_be = read(machine).is_some_and(|entry| entry.on && entry.trouble.is_none());
    if can_be && lacks_its_program() { switch(machine, true) } else { Ok(()) }
}

/// Named as the entry at login is, which packages do not use: a package's entry stays beside it.
fn path(machine: &Machine) -> PathBuf {
    machine.applications.join(format!("{}.desktop", machine::APP_ID))
}

fn said(machine: &Machine) -> Option<String> {
    fs::read_to_string(path(machine)).ok()
}

/// The entry that starts `app`. It hides itself once the program is gone (`TryExec`).
fn text(app: &Path, icon: &Path) -> String {
    let (app, icon) = (app.to_string_lossy(), icon.to_string_lossy());
    let words = [
        ("name", "Skilltender"),
        ("comment", "Tends your agent skills"),
        ("exec", &in_exec(&app)),
        ("icon", &in_string(&icon)),
    ];
    let filled =
        words.iter().fold(TEMPLATE.to_owned(), |text, (word, with)| text.replace(&format!("{{{{{word}}}}}"), with));
    format!("{}\nTryExec={}\n", filled.trim_end(), in_string(&app))
}

/// Lets the desktop note which programs open which addresses. Where its tool is missing, the menu still has the app.
/// Nobody waits for it: the folder may be on a slow disk.
fn tell(machine: &Machine) {
    let mut tool = machine::background("update-desktop-database");
    tool.arg("-q").arg(&machine.applications).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match tool.spawn() {
        // It goes on where this program ends first.
        Ok(mut tool) => drop(thread::spawn(move || tool.wait())),
        Err(why) => tracing::debug!("addresses do not lead to the app yet: {why}"),
    }
}

/// What is not there is gone.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|why| if why.kind() == ErrorKind::NotFound { Ok(()) } else { Err(why) })
}

// A desktop with a menu of such entries is on Linux only.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use clients::Platform;

    use super::*;

    fn machine() -> (tempfile::TempDir, Machine) {
        let home = tempfile::tempdir().unwrap();
        let mut machine = Machine::at(home.path()).unwrap();
        machine.places.platform = Platform::Linux;
        let app = home.path().join("Skilltender $1.AppImage");
        fs::write(&app, "").unwrap();
        machine.app = Some(app);
        machine.in_appimage = true;
        (home, machine)
    }

    #[test]
    fn an_entry_has_the_words_of_a_package_s_and_names_the_appimage() {
        let (_home, machine) = machine();
        switch(&machine, true).unwrap();
        let text = said(&machine).unwrap();
        assert!(!text.contains("{{"), "{text}");
        let app = machine.app.as_ref().unwrap();
        assert_eq!(out_of_exec(value(&text, "Exec").unwrap()).map(PathBuf::from).as_ref(), Some(app));
        assert_eq!(fs::read(value(&text, "Icon").unwrap()).unwrap(), ICON);
        assert_eq!(value(&text, "MimeType"), Some("x-scheme-handler/skilltender;"));
        assert_eq!(value(&text, "StartupWMClass"), Some("skilltender-app"));
    }

    #[test]
    fn out_of_the_menu_leaves_neither_entry_nor_icon_and_twice_is_once() {
        let (_home, machine) = machine();
        for on in [true, true, false, false] {
            switch(&machine, on).unwrap();
            assert_eq!(read(&machine).unwrap().on, on);
            assert_eq!((path(&machine).exists(), machine.data.join(ICON_FILE).exists()), (on, on));
        }
    }

    #[test]
    fn an_entry_follows_its_appimage_and_stays_with_one_that_is_there() {
        let (home, mut machine) = machine();
        switch(&machine, true).unwrap();
        let before = said(&machine);
        let (old, new) = (machine.app.clone().unwrap(), home.path().join("moved.AppImage"));
        fs::copy(&old, &new).unwrap();
        machine.app = Some(new.clone());
        renew(&machine).unwrap();
        assert_eq!(said(&machine), before);
        fs::remove_file(&old).unwrap();
        renew(&machine).unwrap();
        assert!(said(&machine).unwrap().contains(new.to_str().unwrap()));
        switch(&machine, false).unwrap();
        renew(&machine).unwrap();
        assert_eq!(said(&machine), None);
    }

    #[test]
    fn what_a_package_installed_has_its_entry_from_there_and_takes_out_one_that_an_appimage_left() {
        let (_home, mut machine) = machine();
        machine.in_appimage = false;
        assert_eq!(read(&machine), None);
        assert!(why_not(&machine).unwrap().contains("a package does it"));
        machine.in_appimage = true;
        switch(&machine, true).unwrap();
        machine.in_appimage = false;
        assert!(read(&machine).unwrap().on);
        switch(&machine, false).unwrap();
        assert_eq!(read(&machine), None);
    }

    #[test]
    fn a_data_folder_of_its_own_is_not_in_the_menu() {
        let (_home, mut machine) = machine();
        machine.default_data = false;
        assert!(read(&machine).unwrap().trouble.unwrap().contains("is in the menu"));
    }
}
