//! What the files of all machines mean for one: what it says itself, and what would change on it.
//!
//! A machine remembers what it knew when it last spoke or listened. What differs from that here was changed here since,
//! and is newer than everything that is known; what differs in the files was changed elsewhere, and is shown before it
//! comes. What came by itself (a new skill that is on by its folder's choice) is said only where nobody else says anything.

use std::collections::{BTreeMap, BTreeSet};

use super::{Desk, Key, LARGEST, Said, Value};

/// The switches and sets of this machine, as far as they are about the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Here {
    /// The skills that are here, by their paths, and those that are away and were switched by hand.
    pub skills: BTreeMap<String, Switch>,
    /// The sets, by their keys, with their skills in the folder.
    pub sets: BTreeMap<String, HereSet>,
}

/// The switch of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Whether it is on.
    pub on: bool,
    /// Whether a person switched it.
    pub by_hand: bool,
}

/// A set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HereSet {
    /// Its name.
    pub name: String,
    /// The paths of its skills in the folder.
    pub skills: BTreeSet<String>,
}

/// What all files mean for a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreed {
    /// What it knows now, with what changed here.
    pub known: Desk,
    /// What is here and nobody says yet: it is said with the next push, as the first.
    pub first: BTreeMap<Key, Said>,
    /// What would change here. It is known once it was taken.
    pub coming: BTreeMap<Key, Said>,
    /// How many skills are on elsewhere and not here at all.
    pub absent: usize,
}

impl Here {
    /// What is known at first: the switches as they are, which everything that others say outdoes. Sets of both sides are
    /// put together instead.
    pub fn first_known(&self) -> Desk {
        let by_hand = self.skills.iter().filter(|(_, switch)| switch.by_hand);
        let said = |on| Said { count: 0, value: flag(on) };
        Desk(by_hand.map(|(path, switch)| (Key::Skill(path.clone()), said(switch.on))).collect())
    }

    fn of(&self, key: &Key, known: &Desk) -> Option<Local> {
        match key {
            Key::Skill(path) => {
                let switch = self.skills.get(path)?;
                Some(Local { value: flag(switch.on), by_hand: switch.by_hand })
            }
            Key::Set(set) => {
                let was_here = matches!(known.0.get(key), Some(Said { value: Value::Named(_), .. }));
                Some(match self.sets.get(set) {
                    Some(here) => {
                        Local { value: Value::Named(here.name.clone()), by_hand: was_here || !here.skills.is_empty() }
                    }
                    None => Local { value: Value::Gone, by_hand: was_here },
                })
            }
            Key::Member(set, path) => {
                let is_in = self.sets.get(set)?.skills.contains(path);
                let was_in = matches!(known.0.get(key), Some(Said { value: Value::On, .. }));
                Some(Local { value: flag(is_in), by_hand: is_in || was_in })
            }
        }
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        let skills = self.skills.keys().cloned().map(Key::Skill);
        let of_set = |(key, set): (&String, &HereSet)| {
            let members = set.skills.iter().map(|path| Key::Member(key.clone(), path.clone())).collect::<Vec<_>>();
            // A set without a skill of the folder is about others.
            let own = (!members.is_empty()).then(|| Key::Set(key.clone()));
            own.into_iter().chain(members)
        };
        skills.chain(self.sets.iter().flat_map(of_set))
    }
}

/// What is here now.
struct Local {
    value: Value,
    /// Whether a person made it so: only that is newer than what others say.
    by_hand: bool,
}

fn flag(on: bool) -> Value {
    if on { Value::On } else { Value::Off }
}

/// What the files of all machines mean for this one. `known`: what it knew when it last spoke or listened.
pub fn agree(here: &Here, known: &Desk, files: &Desk) -> Agreed {
    let mut agreed = Agreed { known: known.clone(), ..Agreed::default() };
    let keys: BTreeSet<Key> = here.keys().chain(known.0.keys().cloned()).chain(files.0.keys().cloned()).collect();
    for key in keys {
        let (knew, said) = (known.0.get(&key), files.0.get(&key));
        let newer = said.filter(|said| knew.is_none_or(|knew| *said > knew));
        let Some(local) = here.of(&key, known) else {
            match key {
                // A name that is not here is left in the files until it is.
                Key::Skill(_) => agreed.absent += usize::from(newer.is_some_and(|said| said.value == Value::On)),
                Key::Member(ref set, _) => {
                    let of_set = Key::Set(set.clone());
                    // Sets are before their members, so that this one is judged already.
                    let comes = matches!(agreed.coming.get(&of_set), Some(Said { value: Value::Named(_), .. }));
                    let latest = newer.or(knew);
                    match latest {
                        Some(said) if comes && said.value == Value::On => {
                            agreed.coming.insert(key, said.clone());
                        }
                        Some(said) => agreed.known.learn(&key, said),
                        None => {}
                    }
                }
                Key::Set(_) => {}
            }
            continue;
        };
        match (newer, knew) {
            // It is here as it is said to be.
            (Some(said), _) if said.value == local.value => agreed.known.learn(&key, said),
            (_, knew) if local.by_hand && knew.is_none_or(|knew| knew.value != local.value) => {
                // What somebody changed is newer than what somebody says first.
                let count = knew.into_iter().chain(said).map(|one| one.count).max().unwrap_or_default().max(1);
                agreed.known.0.insert(key, Said { count: (count + 1).min(LARGEST), value: local.value });
            }
            (Some(said), _) => drop(agreed.coming.insert(key, said.clone())),
            (None, None) if matches!(local.value, Value::On | Value::Named(_)) => {
                agreed.first.insert(key, Said { count: 1, value: local.value });
            }
            (None, Some(knew)) if knew.count == 0 && said.is_none() && knew.value == local.value => {
                agreed.first.insert(key, Said { count: 1, value: local.value });
            }
            (None, _) => {}
        }
    }
    agreed
}
