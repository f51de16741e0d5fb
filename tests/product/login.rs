//! Starting at login: the entry is one that a desktop's own library starts, whatever the app's path holds.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use tests::{Home, eventually, given};

/// Starts a desktop entry as a session does.
const START: &str = "import sys\nfrom gi.repository import Gio\n\
    assert Gio.DesktopAppInfo.new_from_filename(sys.argv[1]).launch([], None)\n";

#[test]
fn the_desktop_starts_the_app_without_a_window_wherever_it_is_installed() {
    let home = Home::new();
    let folder = home.path(r#"apps/odd $HOME `date` "quoted" \ back"#);
    fs::create_dir_all(&folder).unwrap();
    let (program, app) = (folder.join("skilltender"), folder.join("skilltender-app"));
    fs::copy(given("SKILLTENDER_PROGRAM"), &program).unwrap();
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

#[test]
fn without_the_app_nothing_is_started_at_login_and_it_is_said_why() {
    let home = Home::new();
    let alone = home.path("skilltender");
    fs::copy(given("SKILLTENDER_PROGRAM"), &alone).unwrap();
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
