//! Tags of many skills, shown before they are changed.

use std::{collections::BTreeMap, fs};

use api::{ErrorKind, TagPlan};
use engine::{Engine, actions};

use crate::home::{Home, row};

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn shown(plan: &TagPlan) -> BTreeMap<String, String> {
    plan.changes.iter().map(|change| (change.key.clone(), change.digest.clone())).collect()
}

async fn plan(engine: &Engine, keys: &[&str], add: &[&str], remove: &[&str]) -> TagPlan {
    actions::plan_tags(engine, &owned(keys), &owned(add), &owned(remove)).await.unwrap()
}

#[tokio::test]
async fn tags_of_many_skills_change_by_their_bytes_alone_and_the_others_are_named() {
    let home = Home::new();
    let tagged = home.skill("tea", "Green.");
    let text = "---\nname: tea\ndescription: Green.\ntags: [old, hot]   # mine\n---\n\n\tBoil.  \n";
    fs::write(&tagged, text).unwrap();
    let plain = home.skill("milk", "White.");
    let before = fs::read_to_string(&plain).unwrap();
    fs::write(home.skill("odd", "Odd."), "---\nname: odd\ndescription: Odd.\ntags: a, b\n---\nOdd.\n").unwrap();
    let engine = home.start_with_library().await;
    let keys = ["f1/tea", "f1/milk", "f1/odd", "f1/gone"];
    let planned = plan(&engine, &keys, &["drinks"], &["old"]).await;
    let changes: Vec<_> =
        planned.changes.iter().map(|change| (&*change.key, &*change.before, &*change.after)).collect();
    assert_eq!(
        changes,
        [("f1/tea", &*owned(&["old", "hot"]), &*owned(&["hot", "drinks"])), ("f1/milk", &[][..], &*owned(&["drinks"]))]
    );
    assert_eq!((planned.refused.len(), &*planned.refused[0].name), (1, "odd"));
    assert_eq!(fs::read_to_string(&tagged).unwrap(), text, "a plan writes nothing");

    let done = actions::tag_skills(&engine, &shown(&planned), &owned(&["drinks"]), &owned(&["old"])).await.unwrap();
    assert_eq!((done.changed, done.refused), (owned(&["f1/milk", "f1/tea"]), Vec::new()));
    assert_eq!(fs::read_to_string(&tagged).unwrap(), text.replace("[old, hot]", "[hot, drinks]"));
    assert_eq!(row(&engine.snapshot(), "milk").tags, ["drinks"]);
    let again = plan(&engine, &["f1/tea"], &["drinks"], &["old"]).await;
    assert_eq!((again.changes.len(), again.refused.len()), (0, 0), "it is so already");

    // Each of them is undone to the same bytes.
    for write in actions::own_writes(&engine).await.unwrap() {
        actions::undo_write(&engine, write.id).await.unwrap();
    }
    assert_eq!((fs::read_to_string(&tagged).unwrap(), fs::read_to_string(&plain).unwrap()), (text.to_owned(), before));
}

#[tokio::test]
async fn what_changed_since_it_was_shown_keeps_its_tags() {
    let home = Home::new();
    let (tea, milk) = (home.skill("tea", "Green."), home.skill("milk", "White."));
    let engine = home.start_with_library().await;
    let planned = plan(&engine, &["f1/tea", "f1/milk"], &["drinks"], &[]).await;
    let edited = fs::read_to_string(&tea).unwrap() + "More.\n";
    fs::write(&tea, &edited).unwrap();
    let done = actions::tag_skills(&engine, &shown(&planned), &owned(&["drinks"]), &[]).await.unwrap();
    assert_eq!((done.changed, &*done.refused[0].key), (owned(&["f1/milk"]), "f1/tea"));
    assert_eq!(fs::read_to_string(&tea).unwrap(), edited);
    assert!(fs::read_to_string(&milk).unwrap().contains("tags: [drinks]"));
    let only = shown(&planned).into_iter().filter(|(key, _)| key == "f1/tea").collect();
    assert!(actions::tag_skills(&engine, &only, &owned(&["drinks"]), &[]).await.is_err(), "nothing could be changed");
}

#[tokio::test]
async fn no_tag_both_at_once_and_no_skill_are_refused() {
    let home = Home::new();
    home.skill("tea", "Green.");
    let engine = home.start_with_library().await;
    for (keys, add, remove, kind) in [
        (&["f1/tea"][..], &[][..], &[][..], ErrorKind::Input),
        (&["f1/tea"], &["a"], &["a"], ErrorKind::Input),
        (&["f1/gone"], &["a"], &[], ErrorKind::NotFound),
    ] {
        let refused = actions::plan_tags(&engine, &owned(keys), &owned(add), &owned(remove)).await.unwrap_err();
        assert_eq!(refused.kind, kind, "{keys:?} {add:?} {remove:?}");
    }
    let odd = plan(&engine, &["f1/tea"], &["a\nb"], &[]).await;
    assert!(odd.changes.is_empty() && odd.refused[0].why.starts_with("A tag is one line"), "{odd:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_skill_is_named_and_the_others_go_on() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = Home::new();
    let (tea, _) = (home.skill("tea", "Green."), home.skill("milk", "White."));
    fs::set_permissions(&tea, fs::Permissions::from_mode(0o444)).unwrap();
    let engine = home.start_with_library().await;
    let planned = plan(&engine, &["f1/tea", "f1/milk"], &["drinks"], &[]).await;
    assert_eq!(planned.refused[0].why, "Its SKILL.md is read-only.");
    assert_eq!(planned.changes.iter().map(|change| &*change.key).collect::<Vec<_>>(), ["f1/milk"]);
}
