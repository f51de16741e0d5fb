//! The engine as the MCP server sees it.

use std::{fs, time::Duration};

use engine::{Engine, actions};
use mcp::{Caller, FileDigest, Host as _, Manifest, Part};
use skills::SkillPath;

use crate::home::Home;

fn caller(client: &str) -> Caller {
    Caller::of(client)
}

#[tokio::test]
async fn a_read_is_fresh_at_once() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let catalog = engine.catalog(&caller("test")).await;
    let entry = catalog.get("tea").unwrap();
    for text in ["one", "two"] {
        fs::write(&file, text).unwrap();
        assert_eq!(engine.read(entry, &SkillPath::skill_md()).await.unwrap(), text.as_bytes());
    }
}

/// The present files of the skill `tea`.
async fn manifest(engine: &Engine) -> Manifest {
    let catalog = engine.catalog(&caller("test")).await;
    let tea = catalog.get("tea").unwrap().clone();
    engine.manifests(vec![tea], Part::Everything).await.pop().unwrap().unwrap()
}

#[tokio::test]
async fn a_manifest_is_that_of_the_bytes_at_this_moment() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let notes = file.with_file_name("notes.md");
    fs::write(&notes, "one").unwrap();
    let engine = home.start_with_library().await;
    let expected = |text: &[u8]| (SkillPath::new("notes.md").unwrap(), FileDigest::of(text, false));
    for text in ["one", "two", "six"] {
        fs::write(&notes, text).unwrap();
        assert_eq!(manifest(&engine).await.last(), Some(&expected(text.as_bytes())));
    }
    let catalog = engine.catalog(&caller("test")).await;
    fs::remove_file(&notes).unwrap();
    let tea = catalog.get("tea").unwrap().clone();
    let now = engine.manifests(vec![tea], Part::Everything).await.pop().unwrap().unwrap();
    assert_eq!(now.len(), 1, "the file is gone although the catalogue was made before");
}

#[tokio::test]
#[cfg(unix)]
async fn links_count_as_files_where_they_stay_inside() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let tea = file.parent().unwrap();
    fs::write(home.library().join("shared.md"), fs::read(&file).unwrap()).unwrap();
    fs::remove_file(&file).unwrap();
    symlink("../shared.md", &file).unwrap();
    fs::write(tea.join("brew"), "#!/bin/sh").unwrap();
    fs::set_permissions(tea.join("brew"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("brew", tea.join("inside")).unwrap();
    symlink("/etc/passwd", tea.join("outside")).unwrap();
    symlink("../shared.md", tea.join("beside")).unwrap();
    let engine = home.start_with_library().await;
    let names: Vec<_> =
        manifest(&engine).await.iter().map(|(path, file)| (path.to_string(), file.executable)).collect();
    assert_eq!(names, [("SKILL.md".to_owned(), false), ("brew".to_owned(), true), ("inside".to_owned(), true)]);
}

#[tokio::test]
#[cfg(unix)]
async fn a_file_with_another_name_outside_is_no_file_of_the_skill() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let tea = file.parent().unwrap();
    fs::write(home.library().join("id_rsa"), "key").unwrap();
    fs::hard_link(home.library().join("id_rsa"), tea.join("notes.md")).unwrap();
    fs::write(tea.join("brew.md"), "brew").unwrap();
    fs::hard_link(tea.join("brew.md"), tea.join("again.md")).unwrap();
    let engine = home.start_with_library().await;
    let names: Vec<_> = manifest(&engine).await.iter().map(|(path, _)| path.to_string()).collect();
    assert_eq!(names, ["SKILL.md", "again.md", "brew.md"]);
    let catalog = engine.catalog(&caller("test")).await;
    let tea = catalog.get("tea").unwrap();
    assert!(engine.read(tea, &SkillPath::new("notes.md").unwrap()).await.is_err());
}

#[tokio::test]
async fn empty_folders_are_known_too() {
    let home = Home::new();
    let tea = home.skill("tea", "Green.").parent().unwrap().to_path_buf();
    fs::create_dir_all(tea.join("assets/empty")).unwrap();
    let engine = home.start_with_library().await;
    let catalog = engine.catalog(&caller("test")).await;
    let entry = catalog.get("tea").unwrap();
    assert_eq!(engine.folders(entry, None).await.unwrap(), ["assets"]);
    assert_eq!(engine.folders(entry, SkillPath::new("assets").as_ref()).await.unwrap(), ["empty"]);
    assert!(engine.folders(entry, SkillPath::new("none").as_ref()).await.is_err());
}

#[tokio::test]
async fn what_is_off_is_not_served() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    assert!(engine.catalog(&caller("test")).await.get("tea").is_some());
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    assert!(engine.catalog(&caller("test")).await.get("tea").is_none());
}

#[tokio::test]
async fn a_changed_file_a_choice_and_nothing_else_are_news() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let mut news = engine.changes();
    news.mark_unchanged();
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    assert!(news.has_changed().unwrap());
    news.mark_unchanged();
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    actions::dismiss_notice(&engine, "none").await.unwrap();
    assert!(!news.has_changed().unwrap());
    fs::write(file.with_file_name("notes.md"), "notes").unwrap();
    tokio::time::timeout(Duration::from_secs(20), news.changed()).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_pause_is_news_and_outlives_the_engine() {
    let home = Home::new();
    let engine = home.start().await;
    let mut news = engine.changes();
    news.mark_unchanged();
    actions::pause(&engine, true).await.unwrap();
    assert!(engine.paused() && news.has_changed().unwrap());
    engine.stop().await;
    drop(engine);

    let engine = home.start().await;
    assert!(engine.paused());
    actions::pause(&engine, false).await.unwrap();
    assert!(!engine.paused());
}
