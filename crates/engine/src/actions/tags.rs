//! Adds and removes tags of many skills at once: shown first, then written skill by skill.

use std::collections::BTreeMap;

use ::skills::{Entry, tag};
use api::{ActionError, Edit, ErrorKind, Saved, TagChange, TagPlan, TagRefusal, Tagged, failed};
use files::{confined, digest};
use library::LARGEST;
use state::blocking;

use crate::{
    Engine,
    actions::{
        root,
        skills::{save, unreadable},
    },
};

/// How the tags of these skills would change. What one has or lacks already is no change. Writes nothing.
///
/// # Errors
/// When no tag is named, one is both added and removed, or none of the skills exists any more.
pub async fn plan_tags(
    engine: &Engine,
    keys: &[String],
    add: &[String],
    remove: &[String],
) -> Result<TagPlan, ActionError> {
    if add.is_empty() && remove.is_empty() {
        return Err(failed(ErrorKind::Input, "No tag was named."));
    }
    if let Some(both) = add.iter().find(|tag| remove.contains(tag)) {
        return Err(failed(ErrorKind::Input, format!("The tag {both} cannot be added and removed at once.")));
    }
    let catalog = engine.state().catalog();
    let found = keys.iter().filter_map(|key| catalog.by_key(key)).map(|entry| (root(engine, entry), entry.clone()));
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return Err(failed(ErrorKind::NotFound, "None of these skills is there any more."));
    }
    let (add, remove) = (add.to_vec(), remove.to_vec());
    blocking(move || {
        let mut plan = TagPlan { changes: Vec::new(), refused: Vec::new() };
        for (root, entry) in found {
            let read = confined::read_skill_md(&root, &entry.location, LARGEST);
            let planned = read.map_err(|error| unreadable(&entry, &error).message).and_then(|before| {
                let after = tag(&entry.skill.id, &before, &add, &remove).map_err(|why| why.to_string())?;
                let is_writable = after == before || is_writable(&entry);
                let tags = |bytes: &[u8]| -> Vec<String> {
                    ::skills::read(&entry.skill.id, bytes).tags().into_iter().map(str::to_owned).collect()
                };
                let (before_tags, after_tags) = (tags(&before), tags(&after));
                let change = (after != before).then(|| TagChange {
                    key: entry.key(),
                    name: entry.skill.name.clone(),
                    digest: digest(&before),
                    before: before_tags,
                    after: after_tags,
                });
                is_writable.then_some(change).ok_or_else(|| "Its SKILL.md is read-only.".to_owned())
            });
            match planned {
                Ok(change) => plan.changes.extend(change),
                Err(why) => plan.refused.push(refusal(&entry, why)),
            }
        }
        Ok(plan)
    })
    .await
}

/// Changes the tags of the skills that a plan showed, each with the digest that it showed. The version before is kept.
/// What cannot be changed after all is left as it is, and named.
///
/// # Errors
/// When nothing could be changed.
pub async fn tag_skills(
    engine: &Engine,
    shown: &BTreeMap<String, String>,
    add: &[String],
    remove: &[String],
) -> Result<Tagged, ActionError> {
    let mut done = Tagged { changed: Vec::new(), refused: Vec::new() };
    for (key, digest) in shown {
        let name = engine.state().entry(key).map_or_else(|_| key.clone(), |entry| entry.skill.name.clone());
        let (add, remove) = (add.to_vec(), remove.to_vec());
        let change = move |id: &str, before: &[u8]| {
            tag(id, before, &add, &remove).map_err(|why| failed(ErrorKind::Refused, why.to_string()))
        };
        let why = match save(engine, key, digest, Edit::Tagged, change).await {
            Ok(Saved::Saved { .. }) => {
                done.changed.push(key.clone());
                continue;
            }
            Ok(Saved::Changed { .. }) => "It changed since it was shown.".to_owned(),
            Err(error) => error.message,
        };
        done.refused.push(TagRefusal { key: key.clone(), name, why });
    }
    match (&done.changed[..], &done.refused[..]) {
        ([], [first, ..]) => Err(failed(ErrorKind::Refused, format!("{}: {}", first.name, first.why))),
        _ => Ok(done),
    }
}

fn is_writable(entry: &Entry) -> bool {
    let facts = entry.location.join("SKILL.md").metadata();
    facts.is_ok_and(|facts| !facts.permissions().readonly())
}

fn refusal(entry: &Entry, why: String) -> TagRefusal {
    TagRefusal { key: entry.key(), name: entry.skill.name.clone(), why }
}
