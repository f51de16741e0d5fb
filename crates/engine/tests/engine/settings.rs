//! What a person lets clients use.

use std::fs;

use api::{Language, Languages};
use engine::{Engine, Surface, actions};
use mcp::{Caller, Host as _, Surfaces};
use skills::SkillPath;

use crate::home::{Home, enable};

fn caller(client: &str) -> Caller {
    Caller::of(client)
}

#[tokio::test]
async fn a_switch_of_one_client_comes_before_that_of_all_and_outlives_the_engine() {
    let home = Home::new();
    let engine = home.start().await;
    let all = Surfaces::default();
    assert_eq!(engine.surfaces(&caller("claude-desktop")), all);
    actions::set_surface(&engine, None, Surface::Tools, Some(false)).await.unwrap();
    actions::set_surface(&engine, Some("claude-desktop".to_owned()), Surface::Tools, Some(true)).await.unwrap();
    actions::set_surface(&engine, Some("claude-desktop".to_owned()), Surface::Prompts, Some(false)).await.unwrap();
    engine.stop().await;
    drop(engine);

    let engine = home.start().await;
    assert_eq!(engine.surfaces(&caller("claude-desktop")), Surfaces { prompts: false, ..all });
    assert_eq!(engine.surfaces(&caller("by-hand")), Surfaces { tools: false, ..all });
    let settings = engine.snapshot().settings.clone();
    assert_eq!((settings.surfaces[&Surface::Tools], settings.surfaces[&Surface::Skills]), (false, true));
    assert!(!settings.clients["claude-desktop"][&Surface::Prompts]);

    for surface in [Surface::Tools, Surface::Prompts] {
        actions::set_surface(&engine, Some("claude-desktop".to_owned()), surface, None).await.unwrap();
    }
    assert!(engine.snapshot().settings.clients.is_empty());
    assert_eq!(home.choices()["settings"]["clients"], serde_json::json!({}));
}

#[tokio::test]
async fn a_switch_is_news_and_an_unknown_client_is_refused() {
    let home = Home::new();
    let engine = home.start().await;
    let mut news = engine.changes();
    news.mark_unchanged();
    let refused = actions::set_surface(&engine, Some("nobody".to_owned()), Surface::Tools, Some(false)).await;
    assert_eq!(refused.unwrap_err().message, "Skilltender knows no client \"nobody\".");
    assert!(!news.has_changed().unwrap());
    actions::set_surface(&engine, Some("claude-desktop".to_owned()), Surface::Tools, Some(false)).await.unwrap();
    assert!(news.has_changed().unwrap());
}

#[tokio::test]
async fn archives_are_off_until_they_are_chosen_or_asked_for_in_this_run() {
    let home = Home::new();
    let engine = home.start().await;
    assert!(!engine.archives());
    actions::set_archives(&engine, true).await.unwrap();
    assert!(engine.archives() && engine.snapshot().settings.archives);
    actions::set_archives(&engine, false).await.unwrap();
    engine.offer_archives().await;
    assert!(engine.archives());
    assert_eq!(home.choices()["settings"]["archives"], false);
}

#[tokio::test]
async fn an_agent_is_told_what_a_skill_still_needs() {
    let home = Home::new();
    let file = home.skill("tea", "Green.");
    let server = "requires-mcp-servers:\n  - name: kettle\n    command: kettle\n    env:\n      KEY: ${WATER}\n    \
                  parameters:\n      - name: WATER\n        description: What is boiled.\n        required: true\n  - name: shelf\n    \
                  command: shelf\n    env:\n      PIN: ${PIN}\n      PLACE: ${PLACE}\n    parameters:\n      - name: PIN\n        \
                  sensitive: true\n        required: true\n      - name: PLACE\n        required: true\n";
    std::fs::write(&file, format!("---\nname: tea\ndescription: Green.\n{server}---\nBoil.\n")).unwrap();
    home.skill("milk", "White.");
    let engine = home.start_with_library().await;
    for id in ["f1/tea", "f1/milk"] {
        enable(&engine, id).await;
    }
    let catalog = engine.catalog(&caller("test")).await;
    assert_eq!(
        engine.remark(&crate::servers::cursor(), catalog.get("tea").unwrap()).unwrap(),
        "This skill is not ready: its server kettle still needs WATER (What is boiled). The user can enter it in \
         Skilltender's window, on the page of this skill, or with the command `skilltender values set tea kettle WATER \
         VALUE`. And its server shelf still needs PIN (a secret), PLACE. The user can enter them in Skilltender's window, on \
         the page of this skill, or with the commands `skilltender secrets set tea shelf PIN`, `skilltender values set tea \
         shelf PLACE VALUE`."
    );
    assert_eq!(engine.remark(&crate::servers::cursor(), catalog.get("milk").unwrap()), None);
    assert!(engine.read(catalog.get("tea").unwrap(), &SkillPath::skill_md()).await.is_ok());
}

#[tokio::test]
async fn the_language_is_the_desktops_until_one_is_chosen_and_that_survives_a_restart() {
    let mut home = Home::new();
    home.machine.languages = vec!["de-DE".to_owned(), "zh-Hans-CN".to_owned()];
    let engine = home.start().await;
    let language = |engine: &Engine| engine.snapshot().settings.language;
    assert_eq!(language(&engine), Languages { chosen: None, shown: Language::Chinese });
    actions::set_language(&engine, Some(Language::English)).await.unwrap();
    assert_eq!(language(&engine), Languages { chosen: Some(Language::English), shown: Language::English });
    engine.stop().await;
    drop(engine);

    assert_eq!(home.choices()["language"], "en");
    let engine = home.start().await;
    assert_eq!(language(&engine).shown, Language::English);
    actions::set_language(&engine, None).await.unwrap();
    assert_eq!(language(&engine), Languages { chosen: None, shown: Language::Chinese });
    assert_eq!(home.choices().get("language"), None);
}

#[tokio::test]
async fn a_language_of_a_later_version_is_kept_and_the_desktops_is_shown() {
    let home = Home::new();
    home.start().await.stop().await;
    let file = home.machine.data.join("choices.json");
    let mut choices = home.choices();
    choices["language"] = "pt-BR".into();
    fs::write(&file, choices.to_string()).unwrap();
    let engine = home.start().await;
    assert_eq!(engine.snapshot().settings.language, Languages::default());
    actions::set_archives(&engine, true).await.unwrap();
    assert_eq!(home.choices()["language"], "pt-BR");
}
