//! What of ours is outside clients' files, and goes with our data.

use std::fs;

use engine::{Engine, Mode, actions};

use crate::home::Home;

#[tokio::test]
async fn what_the_window_keeps_is_listed_and_goes_with_our_own_folder() {
    let home = Home::new();
    let [kept] = &*home.machine.window else { panic!("{:?}", home.machine.window) };
    assert!(kept.starts_with(&home.machine.home) && kept.ends_with("dev.skilltender.desktop"));
    fs::create_dir_all(kept.join("storage/local")).unwrap();
    fs::write(kept.join("storage/local/page"), "light").unwrap();
    let beside = kept.with_file_name("another.desktop");
    fs::create_dir(&beside).unwrap();

    let engine = Engine::start(home.machine.clone(), Mode::Reading).await.unwrap();
    assert_eq!(actions::traces(&engine).await.unwrap().window, [home.machine.place(kept)]);
    engine.stop().await;
    assert!(actions::remove_data(&home.machine).unwrap().is_empty());
    assert!(!kept.exists() && !home.machine.data.exists() && beside.is_dir());

    // Also where our own folder is gone already; a link is another person's doing.
    fs::create_dir(kept).unwrap();
    actions::remove_data(&home.machine).unwrap();
    assert!(!kept.exists());
    #[cfg(unix)]
    {
        fs::write(beside.join("theirs"), "").unwrap();
        std::os::unix::fs::symlink(&beside, kept).unwrap();
        actions::remove_data(&home.machine).unwrap();
        assert!(beside.join("theirs").is_file());
    }
}

#[tokio::test]
async fn while_an_engine_runs_nothing_of_it_is_removed() {
    let home = Home::new();
    let kept = home.machine.window[0].clone();
    fs::create_dir_all(&kept).unwrap();
    let engine = home.start().await;
    let refused = actions::remove_data(&home.machine).unwrap_err();
    assert!(refused.to_string().contains("is already running"), "{refused}");
    assert!(kept.is_dir() && home.machine.data.is_dir());
    engine.stop().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_desktops_entries_belong_to_the_usual_data_folder_alone() {
    let mut home = Home::new();
    let entry = "[Desktop Entry]\nType=Application\nExec=\"/opt/skilltender-app\"\n";
    for folder in [home.machine.places.config.join("autostart"), home.machine.applications.clone()] {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("dev.skilltender.desktop.desktop"), entry).unwrap();
    }
    for usual in [true, false] {
        home.machine.default_data = usual;
        let engine = Engine::start(home.machine.clone(), Mode::Reading).await.unwrap();
        let traces = actions::traces(&engine).await.unwrap();
        assert_eq!((traces.login, traces.menu), (usual, usual));
        engine.stop().await;
    }
}
