//! The sets in the tray menu: what each connected client sees, and the other sets it could see instead.

use api::{Client, Snapshot};

use super::{Choice, Entry, label};
use crate::words::Words;

/// The most clients in the menu.
const MOST: usize = 12;

/// The menu of the sets, if there are any and a client that could be given one.
pub(super) fn menu(snapshot: &Snapshot, words: &Words) -> Option<Entry> {
    if snapshot.sets.is_empty() {
        return None;
    }
    let offered = |client: &&Client| client.written.is_some() || client.live || client.set.is_some();
    let clients: Vec<_> = snapshot.clients.iter().filter(offered).take(MOST).collect();
    let entries = clients.iter().map(|client| Entry::Menu(label(&client.name), choices(snapshot, client, words)));
    (!clients.is_empty()).then(|| Entry::Menu(words.say("tray.sets").to_owned(), entries.collect()))
}

fn choices(snapshot: &Snapshot, client: &Client, words: &Words) -> Vec<Entry> {
    let choice = |set: Option<&str>, name: String| {
        let picked = Choice::Set { client: client.id.clone(), set: set.map(str::to_owned) };
        Entry::Switch(picked, name, client.set.as_deref() == set)
    };
    let all = choice(None, words.say("tray.allSkills").to_owned());
    let sets = snapshot.sets.iter().map(|set| choice(Some(&set.id), label(&set.name)));
    [all, Entry::Gap].into_iter().chain(sets).collect()
}

#[cfg(test)]
mod tests {
    use api::{Language, SkillSet};

    use super::*;
    use crate::menu::tests::library;

    #[test]
    fn a_connected_client_is_offered_all_skills_and_each_set_and_its_own_is_ticked() {
        let snapshot = with_sets(&["Writing", "Work"]);
        let Some(Entry::Menu(_, clients)) = menu(&snapshot, Words::of(Language::English)) else { panic!("no menu") };
        let [Entry::Menu(name, choices)] = clients.as_slice() else { panic!("{clients:?}") };
        let to = |set: Option<&str>| Choice::Set { client: "claude-desktop".to_owned(), set: set.map(str::to_owned) };
        assert_eq!(name, "Claude Desktop");
        assert_eq!(
            *choices,
            [
                Entry::Switch(to(None), "All skills that are on".to_owned(), false),
                Entry::Gap,
                Entry::Switch(to(Some("s1")), "Writing".to_owned(), true),
                Entry::Switch(to(Some("s2")), "Work".to_owned(), false),
            ]
        );
    }

    #[test]
    fn without_sets_or_without_a_client_there_is_no_such_menu() {
        assert_eq!(menu(&with_sets(&[]), Words::of(Language::English)), None);
        let mut nobody = with_sets(&["Writing"]);
        nobody.clients[0].set = None;
        assert_eq!(menu(&nobody, Words::of(Language::English)), None);
        nobody.clients[0].live = true;
        assert!(menu(&nobody, Words::of(Language::English)).is_some());
    }

    fn with_sets(names: &[&str]) -> Snapshot {
        let mut snapshot = library(&["tea"]);
        let set = |(at, name): (usize, &&str)| SkillSet {
            id: format!("s{}", at + 1),
            name: (*name).to_owned(),
            skills: Vec::new(),
            served: 0,
            clients: Vec::new(),
            folders: Vec::new(),
        };
        snapshot.sets = names.iter().enumerate().map(set).collect();
        snapshot.clients[0].set = Some("s1".to_owned());
        snapshot
    }
}
