//! Changes by other programs are seen without a request.

use std::fs;

use engine::actions;

use crate::home::{Home, comes, enable, ids, row, until, write_by_rename, write_skill};

#[tokio::test]
async fn an_edit_is_seen_whichever_way_the_editor_saves() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    write_by_rename(&file, "---\nname: tea\ndescription: Black.\n---\n");
    until(&engine, |snapshot| row(snapshot, "tea").description == "Black.").await;
    write_skill(&file, "White.");
    until(&engine, |snapshot| row(snapshot, "tea").description == "White.").await;
}

#[tokio::test]
async fn a_skill_that_appears_is_announced_and_follows_its_folder() {
    let home = Home::new();
    write_skill(&home.path(".claude/skills/tea/SKILL.md"), "Green.");
    home.skill("milk", "White.");
    let engine = home.start_with_library().await;
    actions::add_folder(&engine, home.path(".claude/skills").to_str().unwrap(), None).await.unwrap();
    assert!(!row(&engine.snapshot(), "tea").enabled);

    write_skill(&home.path(".claude/skills/coffee/SKILL.md"), "Black.");
    let snapshot = until(&engine, |snapshot| ids(snapshot).contains(&"coffee")).await;
    assert!(row(&snapshot, "coffee").enabled);
    home.skill("juice", "Red.");
    let snapshot = until(&engine, |snapshot| ids(snapshot).contains(&"juice")).await;
    assert!(!row(&snapshot, "juice").enabled);

    let said: Vec<_> = snapshot.notices.iter().map(|notice| notice.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "1 new skill in ~/.claude/skills: coffee. New skills there are on.",
            "1 new skill in ~/skills: juice. New skills there are off until you switch it on."
        ]
    );
    actions::dismiss_notice(&engine, &snapshot.notices[0].id).await.unwrap();
    assert_eq!(engine.snapshot().notices.len(), 1);
}

#[tokio::test]
async fn a_folder_that_goes_away_says_so_and_its_skills_come_back_with_it() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    let aside = home.elsewhere().join("aside");
    fs::rename(home.library(), &aside).unwrap();
    let snapshot = until(&engine, |snapshot| ids(snapshot).is_empty()).await;
    let trouble = snapshot.folders.iter().find_map(|folder| folder.trouble.as_deref()).unwrap();
    assert!(trouble.ends_with("is not there. Its skills come back when it does."), "{trouble}");

    fs::rename(&aside, home.path("skills")).unwrap();
    let snapshot = until(&engine, |snapshot| ids(snapshot) == ["tea"]).await;
    assert!(!row(&snapshot, "tea").enabled, "what was off stays off");
    assert_eq!(snapshot.notices, []);

    write_skill(&file, "Black.");
    until(&engine, |snapshot| row(snapshot, "tea").description == "Black.").await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_behind_a_link_comes_back_with_its_disk() {
    let home = Home::new();
    let disk = home.elsewhere().join("media/disk");
    let file = disk.join("skills/tea/SKILL.md");
    write_skill(&file, "Green.");
    std::os::unix::fs::symlink(disk.join("skills"), home.path("skills")).unwrap();
    let engine = home.start_with_library().await;
    let aside = home.elsewhere().join("aside");
    fs::rename(&disk, &aside).unwrap();
    let snapshot = until(&engine, |snapshot| ids(snapshot).is_empty()).await;
    assert!(snapshot.folders.iter().any(|folder| folder.trouble.is_some()));
    fs::rename(&aside, &disk).unwrap();
    until(&engine, |snapshot| ids(snapshot) == ["tea"]).await;
    write_skill(&file, "Black.");
    until(&engine, |snapshot| row(snapshot, "tea").description == "Black.").await;
}

#[tokio::test]
async fn a_folder_that_another_takes_the_place_of_is_read_anew() {
    let home = Home::new();
    home.skill("team/tea", "Green.");
    let other = home.path("other/team");
    write_skill(&other.join("tea/SKILL.md"), "Black.");
    let engine = home.start_with_library().await;
    let old = home.path("old");
    fs::rename(home.library().join("team"), &old).unwrap();
    fs::rename(&other, home.library().join("team")).unwrap();
    until(&engine, |snapshot| ids(snapshot) == ["tea"] && row(snapshot, "tea").description == "Black.").await;

    write_skill(&home.library().join("team/tea/SKILL.md"), "White.");
    until(&engine, |snapshot| row(snapshot, "tea").description == "White.").await;
}

#[cfg(unix)]
#[tokio::test]
async fn an_edit_behind_a_linked_folder_is_seen() {
    let home = Home::new();
    let target = home.elsewhere().join("coffee");
    write_skill(&target.join("SKILL.md"), "Black.");
    std::os::unix::fs::symlink(&target, home.library().join("coffee")).unwrap();
    let engine = home.start_with_library().await;
    write_skill(&target.join("SKILL.md"), "White.");
    until(&engine, |snapshot| row(snapshot, "coffee").description == "White.").await;
}

#[tokio::test]
async fn a_snapshot_is_published_only_when_it_differs() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let before = until(&engine, |snapshot| ids(snapshot) == ["tea"]).await;
    // The same bytes again, like a save without a change: no snapshot. The next change is published, and is the
    // very next snapshot.
    let bytes = fs::read(&file).unwrap();
    write_by_rename(&file, &bytes);
    enable(&engine, "f1/tea").await;
    actions::dismiss_notice(&engine, "none").await.unwrap();
    write_by_rename(&file, "---\nname: tea\ndescription: Black.\n---\n");
    let after = until(&engine, |snapshot| row(snapshot, "tea").description == "Black.").await;
    assert_eq!(after.revision, before.revision + 1);
}

#[tokio::test]
async fn an_engine_that_stopped_lets_go_of_its_folders_and_writes_no_more() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    engine.stop().await;
    let choices = home.choices();
    home.skill("coffee", "Black.");
    let next = home.start().await;
    assert!(ids(&next.snapshot()).contains(&"coffee"));
    assert_eq!(ids(&engine.snapshot()), ["tea"], "it sees nothing any more");
    next.stop().await;
    assert_ne!(home.choices(), choices, "the next one remembers the new skill");
}

#[tokio::test]
async fn who_comes_back_to_the_window_sees_what_is_there() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    engine.look_again().await;
    engine.stop().await;
    home.skill("coffee", "Black.");
    // Who came just now sees what there was then, so they come again until it is no longer just now.
    comes(async || {
        engine.look_again().await;
        ids(&engine.snapshot()) == ["coffee", "tea"]
    })
    .await;
}
