//! What a person is notified of while they look elsewhere: the difference between two snapshots. It does not use Tauri;
//! `notifications` shows it.

use std::collections::{BTreeMap, BTreeSet};

use api::{AppSwitch, ServerState, Snapshot, Standing};

use crate::{events::Show, menu::cut, words::Words};

/// The most names in one notification.
const NAMED: usize = 3;

/// The most characters of a name.
const WIDEST: usize = 60;

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    /// The switch that silences it; a later one of the same switch takes its place.
    pub(crate) of: AppSwitch,
    /// What happened, in a few words.
    pub(crate) title: String,
    /// What it concerns.
    pub(crate) body: String,
    /// Where the window shows it.
    pub(crate) place: Show,
}

/// What happened from one snapshot to a later one, without what the person switched off.
pub(crate) fn between(old: &Snapshot, new: &Snapshot, words: &Words) -> Vec<Notification> {
    // The first run shows everything itself, and all of it is new. So is all of a library that is being read.
    if begins(old) || begins(new) {
        return Vec::new();
    }
    let wanted = |notification: &Notification| new.settings.app.get(&notification.of) != Some(&false);
    [servers(old, new, words), entries(old, new, words), skills(old, new, words)]
        .into_iter()
        .flatten()
        .filter(wanted)
        .collect()
}

/// Whether there is nothing to compare with yet: the first run, and while the library is read.
pub(crate) fn begins(snapshot: &Snapshot) -> bool {
    snapshot.first_run || snapshot.reading.is_some()
}

fn servers(old: &Snapshot, new: &Snapshot, words: &Words) -> Option<Notification> {
    let waiting = |snapshot: &Snapshot| -> BTreeSet<String> {
        let enabled: BTreeSet<_> =
            snapshot.skills.iter().filter(|row| row.enabled).map(|row| row.key.as_str()).collect();
        let used =
            snapshot.servers.iter().filter(|row| row.skills.iter().any(|skill| enabled.contains(skill.key.as_str())));
        used.filter(|row| waits(&row.state)).map(|row| row.name.clone()).collect()
    };
    let names = added(&waiting(old), waiting(new))?;
    let place = match names.as_slice() {
        [name] => Show::Server { name: name.clone() },
        _ => Show::Servers,
    };
    Some(told(AppSwitch::NotifyServers, "notify.servers", &names, place, words))
}

/// Whether a server waits for a person's decision. Missing values are shown in the list and the tray: they hold up
/// no call that a person has asked for.
fn waits(state: &ServerState) -> bool {
    matches!(state, ServerState::NeedsConsent { .. } | ServerState::NeedsSignIn { .. } | ServerState::ToolsChanged)
}

fn entries(old: &Snapshot, new: &Snapshot, words: &Words) -> Option<Notification> {
    let changed = |snapshot: &Snapshot| -> BTreeSet<String> {
        let touched = |standing: &Standing| matches!(standing, Standing::Edited | Standing::Dropped { .. });
        snapshot.clients.iter().filter(|row| touched(&row.standing)).map(|row| row.name.clone()).collect()
    };
    let names = added(&changed(old), changed(new))?;
    Some(told(AppSwitch::NotifyEntries, "notify.entries", &names, Show::Clients, words))
}

fn skills(old: &Snapshot, new: &Snapshot, words: &Words) -> Option<Notification> {
    // A folder that was added just now holds nothing new: the person knows what they added.
    let folders: BTreeSet<_> = old.folders.iter().map(|folder| folder.id.as_str()).collect();
    let named = |snapshot: &Snapshot| -> BTreeMap<String, String> {
        let known = snapshot.skills.iter().filter(|row| folders.contains(row.folder.as_str()));
        known.map(|row| (row.key.clone(), row.name.clone())).collect()
    };
    let (before, mut after) = (named(old), named(new));
    after.retain(|key, _| !before.contains_key(key));
    let place = match after.iter().next() {
        None => return None,
        Some((key, _)) if after.len() == 1 => Show::Skill { key: key.clone() },
        Some(_) => Show::Skills,
    };
    let names: Vec<_> = after.into_values().collect();
    Some(told(AppSwitch::NotifySkills, "notify.skills", &names, place, words))
}

/// What is there now and was not, if anything.
fn added(before: &BTreeSet<String>, mut after: BTreeSet<String>) -> Option<Vec<String>> {
    after.retain(|name| !before.contains(name));
    (!after.is_empty()).then(|| after.into_iter().collect())
}

fn told(of: AppSwitch, key: &str, names: &[String], place: Show, words: &Words) -> Notification {
    let mut body: Vec<_> = names.iter().take(NAMED).map(|name| cut(name, WIDEST)).collect();
    if names.len() > NAMED {
        body.push(words.count("notify.more", names.len() - NAMED));
    }
    Notification { of, title: words.count(key, names.len()), body: body.join(", "), place }
}

#[cfg(test)]
mod tests {
    use api::{Folder, Language, ServerRow, SkillName};

    use super::*;
    use crate::menu::tests::library;

    #[test]
    fn a_skill_that_somebody_else_added_is_told_and_one_of_a_folder_that_was_just_added_is_not() {
        let (old, mut new) = (with_folder(&["tea"]), with_folder(&["tea", "milk"]));
        let [told] = between(&old, &new, Words::of(Language::English)).try_into().unwrap();
        assert_eq!((told.title.as_str(), told.body.as_str()), ("A new skill", "milk"));
        assert_eq!(told.place, Show::Skill { key: "milk".to_owned() });
        new.skills[1].folder = "f2".to_owned();
        assert_eq!(between(&old, &new, Words::of(Language::English)), []);
    }

    #[test]
    fn of_many_skills_three_are_named_and_the_others_counted() {
        let many = ["a", "b", "c", "d", "e"];
        let [told] = between(&with_folder(&[]), &with_folder(&many), Words::of(Language::English)).try_into().unwrap();
        assert_eq!((told.title.as_str(), told.body.as_str()), ("5 new skills", "a, b, c, 2 more"));
        assert_eq!(told.place, Show::Skills);
    }

    #[test]
    fn a_server_that_begins_to_wait_is_told_once_and_only_for_a_skill_that_is_on() {
        let waits = ServerState::NeedsConsent { changed: false };
        let (old, mut new) = (with_server(ServerState::Resting), with_server(waits));
        let [told] = between(&old, &new, Words::of(Language::English)).try_into().unwrap();
        assert_eq!((told.title.as_str(), told.body.as_str()), ("A server waits for you", "stock"));
        assert_eq!(told.place, Show::Server { name: "stock".to_owned() });
        assert_eq!(between(&new, &new, Words::of(Language::English)), []);
        new.skills[0].enabled = false;
        assert_eq!(between(&old, &new, Words::of(Language::English)), []);
    }

    #[test]
    fn an_entry_that_was_changed_or_taken_out_is_told_and_one_that_we_took_out_is_not() {
        let stands = |standing| {
            let mut snapshot = with_folder(&["tea"]);
            snapshot.clients[0].standing = standing;
            snapshot
        };
        let ours = stands(Standing::Added);
        for standing in [Standing::Edited, Standing::Dropped { waiting: false }] {
            let [told] = between(&ours, &stands(standing), Words::of(Language::English)).try_into().unwrap();
            assert_eq!((told.body.as_str(), &told.place), ("Claude Desktop", &Show::Clients));
        }
        assert_eq!(between(&ours, &stands(Standing::Absent), Words::of(Language::English)), []);
    }

    #[test]
    fn what_is_switched_off_and_what_a_start_or_the_first_run_shows_is_not_told() {
        let (mut old, mut new) = (with_folder(&[]), with_folder(&["tea"]));
        new.settings.app.insert(AppSwitch::NotifySkills, false);
        assert_eq!(between(&old, &new, Words::of(Language::English)), []);
        new.settings.app.insert(AppSwitch::NotifySkills, true);
        assert_eq!(between(&old, &new, Words::of(Language::English)).len(), 1);
        old.reading = Some(0);
        assert_eq!(between(&old, &new, Words::of(Language::English)), []);
        (old.reading, old.first_run) = (None, true);
        assert_eq!(between(&old, &new, Words::of(Language::English)), []);
    }

    fn with_folder(skills: &[&str]) -> Snapshot {
        let mut snapshot = library(skills);
        snapshot.folders = vec![Folder {
            id: "f1".to_owned(),
            place: String::new(),
            path: String::new(),
            skills: 0,
            enable_new: true,
            work_tree: None,
            shares_switches: false,
            trouble: None,
            remarks: Vec::new(),
        }];
        snapshot.skills.iter_mut().for_each(|row| row.folder = "f1".to_owned());
        snapshot
    }

    fn with_server(state: ServerState) -> Snapshot {
        let mut snapshot = with_folder(&["tea"]);
        let uses = SkillName { key: "tea".to_owned(), name: "tea".to_owned() };
        snapshot.servers = vec![ServerRow {
            name: "stock".to_owned(),
            declared: None,
            beside: None,
            description: None,
            state,
            skills: vec![uses],
            client: None,
            tools: None,
            command: Vec::new(),
            url: None,
            approved: None,
            signed_in: false,
            calls: 0,
            lines: 0,
            about: None,
        }];
        snapshot
    }
}
