//! What one client sees of the enabled skills.

use api::ErrorKind;
use engine::actions::{self, SeenFrom};
use mcp::Surface;

use crate::home::Home;

const CLIENT: &str = "claude-desktop";

#[tokio::test]
async fn a_client_sees_its_set_and_what_its_switches_leave() {
    let home = Home::new();
    home.skill("tea", "Green.");
    home.skill("coffee", "Black.");
    let engine = home.start_with_library().await;
    let all = actions::client_sees(&engine, CLIENT, SeenFrom::Anywhere).await.unwrap().endpoint;
    assert_eq!((all.skills, all.set), (2, None));

    let set = actions::make_set(&engine, "Hot", &["f1/tea".to_owned()]).await.unwrap();
    actions::give_set(&engine, CLIENT, Some(set)).await.unwrap();
    let some = actions::client_sees(&engine, CLIENT, SeenFrom::Anywhere).await.unwrap().endpoint;
    assert_eq!((some.skills, some.set.as_deref()), (1, Some("Hot")));
    assert!(some.tokens < all.tokens);

    actions::set_surface(&engine, Some(CLIENT.to_owned()), Surface::Tools, Some(false)).await.unwrap();
    let none = actions::client_sees(&engine, CLIENT, SeenFrom::Anywhere).await.unwrap().endpoint;
    assert_eq!((none.skills, none.off.len()), (0, 1));
}

#[tokio::test]
async fn a_client_that_reads_folders_judges_each_skill() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let long = home.skill("long", "Long.");
    std::fs::write(long, format!("---\nname: {}\ndescription: Long.\n---\nBoil.\n", "x".repeat(65))).unwrap();
    let engine = home.start_with_library().await;
    let native = actions::client_sees(&engine, "codex", SeenFrom::Anywhere).await.unwrap().native.unwrap();
    assert_eq!((native.loads, native.refused), (1, 1));
    assert!(native.skills[0].why[0].contains("65 characters"), "{:?}", native.skills[0]);
    assert!(native.budget.is_some_and(|budget| !budget.over));
}

#[tokio::test]
async fn what_is_not_known_of_a_client_is_said() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    let sees = actions::client_sees(&engine, CLIENT, SeenFrom::Anywhere).await.unwrap();
    assert_eq!(sees.native, None);
    assert_eq!(sees.remark.as_deref(), Some("Claude Desktop reads no skill folder that we know of."));
    assert_eq!(
        actions::client_sees(&engine, "notepad", SeenFrom::Anywhere).await.unwrap_err().kind,
        ErrorKind::Unknown
    );
}
