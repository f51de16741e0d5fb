use std::{fs, path::PathBuf};

use clients::Platform;

use super::*;

const APPS: &[&str] = &[
    "/usr/bin/skilltender-app",
    "/home/ann/My Apps/Skilltender.AppImage",
    r#"/home/ann/odd $HOME `date` "quoted" \ <&>/skilltender-app"#,
];

#[test]
fn an_entry_names_its_program_whatever_the_path_holds() {
    for platform in [Platform::Linux, Platform::MacOs, Platform::Windows] {
        // A file name on Windows holds no double quotes.
        let apps = APPS.iter().filter(|app| platform != Platform::Windows || !app.contains('"'));
        for app in apps {
            let text = entry::text(platform, Path::new(app));
            assert!(entry::is_on(platform, &text), "{text}");
            assert_eq!(entry::program(platform, &text).as_deref(), Some(*app), "{text}");
            assert!(text.contains(BACKGROUND), "{text}");
        }
    }
}

#[test]
fn on_linux_the_desktop_can_see_whether_the_program_is_still_installed() {
    for app in APPS {
        let text = entry::text(Platform::Linux, Path::new(app));
        let named = text.lines().find_map(|line| line.strip_prefix("TryExec=")).unwrap();
        assert_eq!(named.replace(r"\\", r"\"), *app);
    }
}

#[test]
fn an_entry_that_the_desktop_switched_off_is_off() {
    let text = entry::text(Platform::Linux, Path::new("/usr/bin/skilltender-app"));
    for off in ["Hidden=true", "X-GNOME-Autostart-enabled=false", "Hidden = true"] {
        assert!(!entry::is_on(Platform::Linux, &format!("{text}{off}\n")), "{off}");
        assert!(entry::is_on(Platform::Linux, &format!("{text}[Desktop Action x]\n{off}\n")), "{off} of another group");
    }
    assert!(!entry::is_on(Platform::Linux, ""));
}

#[test]
fn switching_it_off_leaves_nothing_and_twice_is_once() {
    let (_home, machine) = machine();
    assert_eq!(read(&machine), DesktopEntry::default());
    for on in [true, true, false, false] {
        switch(&machine, on).unwrap();
        assert_eq!(read(&machine).on, on);
    }
    let left = fs::read_dir(machine.places.config.join("autostart")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn an_entry_whose_program_was_moved_follows_it_and_one_that_is_off_stays_so() {
    let (home, mut machine) = machine();
    let starts = |machine: &Machine| entry::program(Platform::Linux, &said(machine).unwrap()).map(PathBuf::from);
    switch(&machine, true).unwrap();
    let old = machine.app.clone().unwrap();
    let new = home.path().join("elsewhere.AppImage");
    fs::copy(&old, &new).unwrap();
    machine.app = Some(new.clone());
    renew(&machine).unwrap();
    assert_eq!(starts(&machine), Some(old.clone()), "a program that is there stays the one");
    fs::remove_file(&old).unwrap();
    renew(&machine).unwrap();
    assert_eq!(starts(&machine), Some(new));
    switch(&machine, false).unwrap();
    renew(&machine).unwrap();
    assert_eq!(said(&machine), None);
}

#[test]
fn where_no_app_can_be_started_it_is_said_why() {
    let (_home, mut machine) = machine();
    machine.app = None;
    assert!(why_not(&machine).unwrap().contains("is not installed"));
    for odd in ["/opt/100% mine/skilltender-app", "/opt/two\nlines/skilltender-app"] {
        machine.app = Some(odd.into());
        assert!(why_not(&machine).unwrap().contains("simpler name"), "{odd}");
    }
    machine.default_data = false;
    assert!(why_not(&machine).unwrap().contains("data folder of its own"));
}

fn machine() -> (tempfile::TempDir, Machine) {
    let home = tempfile::tempdir().unwrap();
    let mut machine = Machine::at(home.path()).unwrap();
    machine.places.platform = Platform::Linux;
    let app = home.path().join("skilltender-app");
    fs::write(&app, "").unwrap();
    machine.app = Some(app);
    (home, machine)
}
