//! Finding skills by what a person types.

use std::fs;

use api::{FoundIn, Hit};
use engine::{Engine, Mode, actions};

use crate::home::{Home, ids, until, write_skill};

async fn plain(home: &Home) -> Engine {
    Engine::start(home.machine.clone(), Mode::Plain { folders: vec![home.library()] }).await.unwrap()
}

async fn found(engine: &Engine, typed: &str) -> Vec<String> {
    let hits = actions::search_skills(engine, typed, 50).await.unwrap();
    assert_eq!(actions::search_once(engine, typed, 50).await.unwrap(), hits, "{typed}: searching once finds the same");
    hits.into_iter().map(|hit| hit.key.strip_prefix("f1/").unwrap().to_owned()).collect()
}

fn write(home: &Home, id: &str, description: &str, rest: &str, body: &str) {
    let file = home.library().join(id).join("SKILL.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, format!("---\nname: {id}\ndescription: {description}\n{rest}---\n{body}\n")).unwrap();
}

#[tokio::test]
async fn names_come_first_then_descriptions_tags_and_bodies() {
    let home = Home::new();
    write(&home, "a", "Makes things.", "", "Then release it.");
    write(&home, "b", "Makes things.", "tags: [release]\n", "");
    write(&home, "c", "Writes release notes.", "", "");
    write(&home, "prerelease", "Makes things.", "", "");
    write(&home, "release-notes", "Makes things.", "", "");
    write(&home, "release", "Makes things.", "", "");
    write(&home, "other", "Makes things.", "", "Nothing.");
    let engine = plain(&home).await;
    let expected = ["release", "release-notes", "prerelease", "c", "b", "a"];
    assert_eq!(found(&engine, "release").await, expected);
    assert_eq!(found(&engine, "Rel").await, expected);
    let hits = actions::search_skills(&engine, "release", 50).await.unwrap();
    let fields: Vec<_> = hits.iter().map(|hit| hit.found_in).collect();
    use FoundIn::{Body, Description, Name, Tag};
    assert_eq!(fields, [Name, Name, Name, Description, Tag, Body]);
    assert_eq!(actions::search_skills(&engine, "release", 2).await.unwrap().len(), 2);
}

#[tokio::test]
async fn every_word_must_stand_somewhere() {
    let home = Home::new();
    write(&home, "invoice", "Reads an invoice.", "", "Ask for the currency.");
    write(&home, "currency", "Converts money.", "", "");
    let engine = plain(&home).await;
    assert_eq!(found(&engine, "invoice currency").await, ["invoice"]);
    assert_eq!(found(&engine, "currency  milk").await, [""; 0]);
    assert_eq!(found(&engine, "currency").await, ["currency", "invoice"]);
    for nothing in ["", "  ", "?!"] {
        assert_eq!(found(&engine, nothing).await, [""; 0], "{nothing:?}");
    }
}

#[tokio::test]
async fn a_misspelt_name_is_found_when_no_name_is_spelt_so() {
    let home = Home::new();
    write(&home, "spreadsheet", "Makes tables.", "", "");
    write(&home, "release-notes", "Makes lists.", "", "");
    let engine = plain(&home).await;
    for typed in ["spredsheet", "spraedshet", "spraed", "sperad"] {
        assert_eq!(found(&engine, typed).await, ["spreadsheet"], "{typed}");
    }
    assert_eq!(found(&engine, "relaese nots").await, ["release-notes"]);
    assert_eq!(found(&engine, "tea").await, [""; 0]);
}

#[tokio::test]
async fn case_and_accents_do_not_count_and_scripts_without_blanks_are_found() {
    let home = Home::new();
    write(&home, "resume", "Verbessert den Résumé-Text.", "", "Größe prüfen.");
    write(&home, "weather", "查询天气预报。", "", "先问城市。");
    let engine = plain(&home).await;
    for (typed, id) in [
        ("RESUME", "resume"),
        ("grosse", "resume"),
        ("prüf", "resume"),
        ("天气", "weather"),
        ("预报", "weather"),
        ("市", "weather"),
    ] {
        assert_eq!(found(&engine, typed).await, [id], "{typed}");
    }
    assert_eq!(found(&engine, "天报").await, [""; 0]);
}

#[tokio::test]
async fn a_find_in_the_body_shows_the_words_around_it() {
    let home = Home::new();
    write(&home, "tea", "Makes tea.", "", "# Steps\n\n1. Boil the *water*, then wait.\n2. Pour.");
    let engine = plain(&home).await;
    let hits = actions::search_skills(&engine, "wat", 50).await.unwrap();
    let [Hit { found_in: FoundIn::Body, snippet: Some(snippet), .. }] = &hits[..] else { panic!("{hits:#?}") };
    assert_eq!((&*snippet.before, &*snippet.found, &*snippet.after), ("1. Boil the *", "water", "*, then wait."));
}

#[tokio::test]
async fn what_changed_is_found_as_it_is_now() {
    let home = Home::new();
    write(&home, "tea", "Makes tea.", "", "Boil water.");
    write(&home, "milk", "Pours milk.", "", "Boil nothing.");
    let engine = home.start_with_library().await;
    assert_eq!(found(&engine, "boil").await.len(), 2);
    let page = actions::read_skill(&engine, "f1/tea").await.unwrap();
    let body = api::EditorSplice { from: page.body, to: page.body, insert: "Use a kettle. ".to_owned() };
    actions::save_skill(&engine, "f1/tea", &page.digest, vec![body]).await.unwrap();
    assert_eq!(found(&engine, "kettle").await, ["tea"]);
    assert_eq!(found(&engine, "boil").await.len(), 2);

    fs::remove_dir_all(home.library().join("milk")).unwrap();
    write_skill(&home.library().join("cocoa/SKILL.md"), "Stirs cocoa.");
    until(&engine, |snapshot| ids(snapshot) == ["cocoa", "tea"]).await;
    assert_eq!(found(&engine, "boil").await, ["tea", "cocoa"]);
    assert_eq!(found(&engine, "milk").await, [""; 0]);
}
