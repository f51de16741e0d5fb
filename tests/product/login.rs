//! Starting at login, and the menu of programs: the entries are such that a desktop's own library starts the app,
//! whatever its path holds.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
};

use tests::{Home, copy_program, eventually, given};

/// Starts a desktop entry as a session does.
const START: &str = "import sys\nfrom gi.repository import Gio\n\
    assert Gio.DesktopAppInfo.new_from_filename(sys.argv[1]).launch([], None)\n";

#[test]
fn the_desktop_starts_the_app_without_a_window_wherever_it_is_installed() {
    let home = Home::new();
    let folder = home.path(r#"apps/odd $HOME `date` "quoted" \ back"#);
    fs::create_dir_all(&folder).unwrap();
    let (program, app) = (folder.join("skilltender"), folder.join("skilltender-app"));
    copy_program(&given("SKILLTENDER_PROGRAM"), &program);
    let started = home.path("started");
    fs::write(&app, format!("#!/bin/sh\nprintf '%s|' \"$0\" \"$@\" >{}\n", started.display())).unwrap();
    fs::set_permissions(&app, fs::Permissions::from_mode(0o755)).unwrap();

    let settings = |words: &[&str]| settings(&program, &home, words);
    assert!(settings(&[]).1.contains("login          off"));
    assert_eq!(settings(&["login", "on"]).0, Some(0));
    assert!(settings(&[]).1.contains("login          on"));

    let entry = home.path(".config/autostart/dev.skilltender.desktop.desktop");
    assert!(Command::new("/usr/bin/python3").args(["-c", START]).arg(&entry).status().unwrap().success());
    let arguments =
        eventually("the app is started", || fs::read_to_string(&started).ok().filter(|said| said.ends_with('|')));
    assert_eq!(arguments, format!("{}|--background|", app.display()));

    assert_eq!(settings(&["login", "off"]).0, Some(0));
    assert!(!entry.exists() && settings(&[]).1.contains("login          off"));
}

/// Opens an address as a desktop does, with the program that it knows for it.
const OPEN: &str = "import sys\nfrom gi.repository import Gio\n\
    assert Gio.AppInfo.get_default_for_uri_scheme('skilltender').launch_uris([sys.argv[1]], None)\n";

#[test]
fn an_appimage_is_in_the_menu_once_somebody_wants_it_and_opens_the_addresses_of_skilltender() {
    let home = Home::new();
    let files = home.path("mounted");
    fs::create_dir_all(files.join("usr/bin")).unwrap();
    let program = files.join("usr/bin/skilltender");
    copy_program(&given("SKILLTENDER_PROGRAM"), &program);
    let (image, started) = (home.path("My $Apps/Skilltender.AppImage"), home.path("started"));
    fs::create_dir(image.parent().unwrap()).unwrap();
    fs::write(&image, format!("#!/bin/sh\nprintf '%s|' \"$0\" \"$@\" >{}\n", started.display())).unwrap();
    fs::set_permissions(&image, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(&program);
        command.env_clear().envs([("HOME", home.path("")), ("APPDIR", files.clone()), ("APPIMAGE", image.clone())]);
        let said = command.env("PATH", "/usr/bin:/bin").args(words).output().unwrap();
        (said.status.code(), String::from_utf8([said.stdout, said.stderr].concat()).unwrap())
    };
    assert!(run(&["settings"]).1.contains("menu           off"));
    let (code, said) = run(&["settings", "menu", "on"]);
    assert_eq!(code, Some(0), "{said}");
    let entry = home.path(".local/share/applications/dev.skilltender.desktop.desktop");
    let valid = Command::new("desktop-file-validate").arg(&entry).output().unwrap();
    assert!(valid.status.success(), "{}", String::from_utf8_lossy(&valid.stdout));

    let address = "skilltender://install?source=/tmp/tea";
    let mut open = Command::new("/usr/bin/python3");
    open.args(["-c", OPEN, address]).stderr(Stdio::null()).env("HOME", home.path("")).env_remove("XDG_DATA_HOME");
    eventually("the desktop knows who opens the address", || open.status().unwrap().success().then_some(()));
    let arguments =
        eventually("the app is started", || fs::read_to_string(&started).ok().filter(|said| said.ends_with('|')));
    assert_eq!(arguments, format!("{}|{address}|", image.display()));

    let shown = run(&["uninstall", "--check"]).1;
    assert!(shown.contains("The menu of programs  our entry"), "{shown}");
    assert_eq!(run(&["uninstall", "--yes"]).0, Some(0));
    assert!(!entry.exists() && !home.path(".local/share/skilltender/icon.png").exists());
    eventually("nobody opens the address any more", || (!open.status().unwrap().success()).then_some(()));
}

#[test]
fn a_program_of_a_package_leaves_the_menu_to_the_package() {
    let home = Home::new();
    let program = home.path("skilltender");
    copy_program(&given("SKILLTENDER_PROGRAM"), &program);
    assert!(!settings(&program, &home, &[]).1.contains("menu"));
    let (code, said) = settings(&program, &home, &["menu", "on"]);
    assert_eq!(code, Some(3));
    assert!(said.contains("a package does it when it is installed"), "{said}");
    assert!(!home.path(".local/share/applications").exists());
}

#[test]
fn without_the_app_nothing_is_started_at_login_and_it_is_said_why() {
    let home = Home::new();
    let alone = home.path("skilltender");
    copy_program(&given("SKILLTENDER_PROGRAM"), &alone);
    let (code, said) = settings(&alone, &home, &["login", "on"]);
    assert_eq!(code, Some(3));
    assert!(said.contains("The app with the window and the tray is not installed beside this program."), "{said}");
    assert!(!home.path(".config/autostart").exists());
}

fn settings(program: &Path, home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(program);
    let said = command.env_clear().env("HOME", home.path("")).arg("settings").args(words).output().unwrap();
    (said.status.code(), String::from_utf8([said.stdout, said.stderr].concat()).unwrap())
}
