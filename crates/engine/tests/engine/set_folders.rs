//! Sets that are bound to folders: a client that works in one of them sees that set instead of its own.

use std::{fs, path::PathBuf, sync::Arc};

use api::{ErrorKind, SkillSet};
use engine::{
    Engine,
    actions::{self, SeenFrom},
};
use mcp::{Caller, Host as _, WorkFolder};

use crate::home::Home;

async fn home() -> (Home, Engine) {
    let home = Home::new();
    for skill in ["tea", "coffee", "milk"] {
        home.skill(skill, "A drink.");
    }
    let engine = home.start_with_library().await;
    (home, engine)
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).into()
}

async fn set(engine: &Engine, name: &str, skills: &[&str]) -> String {
    let keys: Vec<_> = skills.iter().map(|skill| format!("f1/{skill}")).collect();
    actions::make_set(engine, name, &keys).await.unwrap()
}

fn at(client: &str, folders: &[PathBuf]) -> Caller {
    let folders: Arc<[_]> = folders.iter().map(|path| WorkFolder::at(path.clone())).collect();
    Caller { folders, ..Caller::of(client) }
}

async fn seen(engine: &Engine, client: &str, folders: &[PathBuf]) -> Vec<String> {
    let catalog = engine.catalog(&at(client, folders)).await;
    catalog.served().map(|entry| entry.skill.id.clone()).collect()
}

fn shown(engine: &Engine, id: &str) -> SkillSet {
    engine.snapshot().sets.iter().find(|set| set.id == id).unwrap().clone()
}

#[tokio::test]
async fn a_client_sees_the_set_of_its_folder_instead_of_its_own_and_what_is_off_stays_off() {
    let (home, engine) = home().await;
    let (hot, own) = (set(&engine, "Hot", &["tea", "coffee"]).await, set(&engine, "Own", &["milk"]).await);
    actions::give_set(&engine, "codex", Some(own)).await.unwrap();
    actions::bind_set(&engine, &hot, &words(["~/work/acme/**"])).await.unwrap();
    let (inside, outside) = ([home.path("work/acme/src")], [home.path("work")]);
    for client in ["codex", "claude-desktop", "by-hand"] {
        assert_eq!(seen(&engine, client, &inside).await, ["coffee", "tea"], "{client}");
    }
    assert_eq!(seen(&engine, "codex", &outside).await, ["milk"]);
    assert_eq!(seen(&engine, "codex", &[]).await, ["milk"]);
    assert_eq!(seen(&engine, "claude-desktop", &outside).await.len(), 3);
    actions::enable_skill(&engine, "f1/tea", false).await.unwrap();
    assert_eq!(seen(&engine, "codex", &inside).await, ["coffee"]);
    assert_eq!(shown(&engine, &hot).folders, ["~/work/acme/**"]);

    actions::unbind_set(&engine, &hot, &words([&home.path("work/acme/**/").display().to_string()])).await.unwrap();
    assert_eq!(seen(&engine, "codex", &inside).await, ["milk"]);
    assert!(shown(&engine, &hot).folders.is_empty());
}

#[tokio::test]
async fn the_most_specific_folder_counts_and_of_many_folders_the_sets_of_all() {
    let (home, engine) = home().await;
    let all = [("All", ["tea"], "~/**"), ("Work", ["coffee"], "~/work/*"), ("Acme", ["milk"], "~/work/acme")];
    for (name, skills, folder) in all {
        let id = set(&engine, name, &skills).await;
        actions::bind_set(&engine, &id, &words([folder])).await.unwrap();
    }
    let path = |below: &str| home.path(below);
    assert_eq!(seen(&engine, "codex", &[path("work/acme")]).await, ["milk"]);
    assert_eq!(seen(&engine, "codex", &[path("work/other")]).await, ["coffee"]);
    assert_eq!(seen(&engine, "codex", &[path("else")]).await, ["tea"]);
    assert_eq!(seen(&engine, "codex", &[path("work/acme"), path("else")]).await, ["milk", "tea"]);
    let unbound = home.elsewhere().join("unbound");
    assert_eq!(seen(&engine, "codex", &[path("else"), unbound]).await, ["tea"], "one without a set adds nothing");
}

#[tokio::test]
async fn what_nothing_tells_apart_is_refused_when_it_is_bound() {
    let (_home, engine) = home().await;
    let (one, other) = (set(&engine, "One", &["tea"]).await, set(&engine, "Other", &["milk"]).await);
    actions::bind_set(&engine, &one, &words(["~/work/a*", "~/work/acme/"])).await.unwrap();
    let before = engine.snapshot();
    // `*b` and `a*` both mean `ab`.
    for folder in ["~/work/*b", "~/work/a*", "~//work/acme"] {
        let refused = actions::bind_set(&engine, &other, &words(["~/fine", folder])).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Input, "{folder}");
        assert!(refused.message.contains("which the set One is bound to"), "{}", refused.message);
    }
    for folder in ["", "work", "~/../x", "~/**/x", "~/*a*"] {
        let refused = actions::bind_set(&engine, &other, &words([folder])).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Input, "{folder}");
    }
    assert_eq!(actions::bind_set(&engine, "s9", &words(["~/x"])).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(actions::unbind_set(&engine, &one, &words(["~/x"])).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(engine.snapshot(), before, "nothing was bound");
    // The same folder again, or another one that is more exact, is fine.
    actions::bind_set(&engine, &one, &words(["~/work/acme", "~/work/a*"])).await.unwrap();
    actions::bind_set(&engine, &other, &words(["~/work/acme/**", "~/work/acme-*"])).await.unwrap();
    assert_eq!(shown(&engine, &one).folders, ["~/work/a*", "~/work/acme/"]);
}

#[tokio::test]
async fn a_set_that_a_folder_has_is_not_deleted() {
    let (_home, engine) = home().await;
    let id = set(&engine, "Hot", &["tea"]).await;
    actions::bind_set(&engine, &id, &words(["~/work", "~/more"])).await.unwrap();
    let refused = actions::delete_set(&engine, &id).await.unwrap_err();
    assert_eq!(refused.message, "Clients that work in ~/work, ~/more would see another set.");
    actions::set_folders(&engine, &id, &words(["~/other"])).await.unwrap();
    assert_eq!(shown(&engine, &id).folders, ["~/other"]);
    actions::set_folders(&engine, &id, &[]).await.unwrap();
    actions::delete_set(&engine, &id).await.unwrap();
}

#[tokio::test]
async fn folders_hold_over_a_restart_and_what_a_later_version_wrote_of_them_is_kept() {
    let (home, engine) = home().await;
    let id = set(&engine, "Hot", &["tea"]).await;
    actions::bind_set(&engine, &id, &words(["~/work"])).await.unwrap();
    engine.stop().await;
    drop(engine);
    let mut choices = home.choices();
    let folders = choices["sets"][0]["folders"].as_array_mut().unwrap();
    assert_eq!(*folders, [serde_json::json!({"folder": "~/work"})]);
    folders[0]["until"] = "noon".into();
    folders.push(serde_json::json!({"folder": "{later}"}));
    fs::write(home.machine.data.join("choices.json"), choices.to_string()).unwrap();
    let engine = home.start().await;
    assert_eq!(seen(&engine, "codex", &[home.path("work")]).await, ["tea"]);
    actions::bind_set(&engine, &id, &words(["~/work", "~/more"])).await.unwrap();
    engine.stop().await;
    let kept = home.choices()["sets"][0]["folders"].clone();
    assert_eq!(
        kept,
        serde_json::json!([{"folder": "~/work", "until": "noon"}, {"folder": "{later}"}, {"folder": "~/more"}])
    );
}

#[cfg(unix)]
#[tokio::test]
async fn links_on_either_side_lead_to_the_same_folder() {
    let (home, engine) = home().await;
    let real = home.elsewhere().canonicalize().unwrap().join("data");
    fs::create_dir_all(real.join("acme")).unwrap();
    std::os::unix::fs::symlink(&real, home.path("projects")).unwrap();
    let id = set(&engine, "Hot", &["tea"]).await;
    actions::bind_set(&engine, &id, &words(["~/projects/*"])).await.unwrap();
    for folder in [home.path("projects/acme"), real.join("acme"), real.join("new")] {
        assert_eq!(seen(&engine, "codex", std::slice::from_ref(&folder)).await, ["tea"], "{}", folder.display());
    }
    assert_eq!(seen(&engine, "codex", &[home.path("projects/acme/../..")]).await.len(), 3);
    // Two ways to write one folder are one folder, also for two sets.
    let other = set(&engine, "Other", &["milk"]).await;
    let same = real.join("*").display().to_string();
    assert!(actions::bind_set(&engine, &other, &words([&same])).await.is_err());
    actions::set_folders(&engine, &id, &[]).await.unwrap();
    actions::bind_set(&engine, &other, &words([&same])).await.unwrap();
    assert_eq!(seen(&engine, "codex", &[home.path("projects/acme")]).await, ["milk"]);
}

#[tokio::test]
async fn it_is_said_what_a_client_sees_in_a_folder_and_why() {
    let (home, engine) = home().await;
    let (hot, own) = (set(&engine, "Hot", &["tea", "coffee"]).await, set(&engine, "Own", &["milk"]).await);
    actions::give_set(&engine, "codex", Some(own)).await.unwrap();
    actions::bind_set(&engine, &hot, &words(["~/work/**", "~/more"])).await.unwrap();
    let sees = async |from| actions::client_sees(&engine, "codex", from).await.unwrap().endpoint;
    let inside = sees(SeenFrom::Folder(home.path("work/acme"))).await;
    assert_eq!((inside.set.as_deref(), inside.skills), (Some("Hot"), 2));
    assert_eq!(
        inside.folder.as_deref(),
        Some("In ~/work/acme the set Hot counts: it is bound to `~/work/**`, the most specific folder that fits.")
    );
    let outside = sees(SeenFrom::Folder(home.path("else"))).await;
    assert_eq!((outside.set.as_deref(), outside.skills), (Some("Own"), 1));
    assert_eq!(
        outside.folder.as_deref(),
        Some("No set is bound to ~/else: what counts is what the client sees everywhere.")
    );
    let of_set = sees(SeenFrom::Set(hot)).await;
    assert_eq!((of_set.set.as_deref(), of_set.skills), (Some("Hot"), 2));
    assert_eq!(sees(SeenFrom::Anywhere).await.folder, None);
    let gone = actions::client_sees(&engine, "codex", SeenFrom::Set("s9".to_owned())).await;
    assert_eq!(gone.unwrap_err().kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn a_thousand_folders_are_bound_and_each_counts() {
    let (home, engine) = home().await;
    let (one, other) = (set(&engine, "One", &["tea"]).await, set(&engine, "Other", &["milk"]).await);
    let folders = |from: usize| (from..from + 500).map(|at| format!("~/work/p{at}/**")).collect::<Vec<_>>();
    actions::bind_set(&engine, &one, &folders(0)).await.unwrap();
    actions::bind_set(&engine, &other, &folders(500)).await.unwrap();
    for at in 0..1_000 {
        let expected = if at < 500 { "tea" } else { "milk" };
        assert_eq!(seen(&engine, "codex", &[home.path(&format!("work/p{at}/src"))]).await, [expected]);
    }
}
