//! A folder whose switches and sets go along with its git work tree (decision 89): what this machine says of them, and
//! taking what others say. What all machines together mean is [`desk`]'s.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use machine::Machine;
use serde::{Deserialize, Serialize};
use skills::below;
use sources::desk::{self, Desk, Here, HereSet, Key, Said, Switch, Value};

use super::{Choices, FolderChoice, SetChoice};

/// The folder of the machines' files, in a library folder.
pub const SHARED: &str = ".skilltender";

/// What this machine is called in shared folders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineName {
    /// A random name.
    pub id: String,
    /// The mark of our data folder when it was chosen: in a copy of it, another name is chosen.
    pub of: String,
}

/// That a folder's switches and sets are shared, and what is known of those of other machines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shared {
    /// Whether they are shared now.
    pub on: bool,
    /// What was known when this machine last said or took something.
    pub known: Desk,
}

/// Why something that another machine says does not come here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stays {
    /// Nobody has looked at the skill here.
    Unseen,
    /// Something in the skill looks harmful, and the user has not decided.
    Held,
    /// A client or a folder here has the set.
    InUse,
    /// The set has skills of other folders here.
    HasOthers,
}

impl FolderChoice {
    /// What is known of the other machines, if the switches and sets are shared.
    pub fn known(&self) -> Option<&Desk> {
        self.shared.as_ref().filter(|shared| shared.on).map(|shared| &shared.known)
    }
}

impl Choices {
    /// Where the files of this machine are in shared folders, once they are written.
    pub fn shared_files(&self, machine: &Machine) -> Vec<PathBuf> {
        let Some(name) = &self.machine else { return Vec::new() };
        let shared = self.folders.iter().filter(|choice| choice.shared.is_some());
        // A relative path is below our data folder.
        shared.map(|choice| machine.data.join(&choice.path).join(SHARED).join(format!("{}.yaml", name.id))).collect()
    }

    /// The switches and sets as far as they are about a folder. `there`: the paths of the skills that are in it.
    pub fn here(&self, folder: &str, there: &BTreeSet<String>) -> Here {
        let Some(choice) = self.folders.iter().find(|choice| choice.id == folder) else { return Here::default() };
        let by_hand = |path: &String| choice.was_seen(path) && !choice.held.contains(path);
        let paths = there.iter().chain(choice.switched.iter().filter(|path| by_hand(path)));
        let switch = |path: &String| Switch { on: choice.is_on(path), by_hand: by_hand(path) };
        let skills = paths.filter(|path| desk::is_path(path)).map(|path| (path.clone(), switch(path))).collect();
        let sets = self.sets.iter().filter(|set| desk::is_set(&set.name)).map(|set| {
            let inside = set.skills.iter().filter_map(|key| below(key, folder)).filter(|path| desk::is_path(path));
            (desk::key_of(&set.name), HereSet { name: set.name.clone(), skills: inside.map(str::to_owned).collect() })
        });
        Here { skills, sets: sets.collect() }
    }

    /// Why something that another machine says does not come here, if it does not.
    pub fn stays(&self, folder: &str, key: &Key, said: &Said) -> Option<Stays> {
        let choice = self.folders.iter().find(|choice| choice.id == folder)?;
        match (key, &said.value) {
            (Key::Skill(path), Value::On) if choice.held.contains(path) => Some(Stays::Held),
            (Key::Skill(path), Value::On) if !choice.was_seen(path) => Some(Stays::Unseen),
            (Key::Set(key), Value::Gone) => {
                let set = self.sets.iter().find(|set| desk::key_of(&set.name) == *key)?;
                let is_used = !set.folders.is_empty() || self.set_of.values().any(|of| *of == set.id);
                let has_others = set.skills.iter().any(|key| below(key, folder).is_none());
                if is_used { Some(Stays::InUse) } else { has_others.then_some(Stays::HasOthers) }
            }
            _ => None,
        }
    }

    /// Takes what the other machines say and was `shown`, as far as it still is what would come, and comes here. What the
    /// user changed here meanwhile stays. Returns the skills that were switched, by their paths.
    pub fn take_said(
        &mut self,
        folder: &str,
        there: &BTreeSet<String>,
        files: &Desk,
        shown: &BTreeMap<Key, Said>,
    ) -> Vec<(String, bool)> {
        let here = self.here(folder, there);
        let Some(known) = self.folder_mut(folder).and_then(|choice| choice.known().cloned()) else { return Vec::new() };
        let agreed = desk::agree(&here, &known, files);
        let (mut known, mut switched) = (agreed.known, Vec::new());
        for (key, said) in agreed.coming.iter().filter(|(key, said)| shown.get(*key) == Some(*said)) {
            if self.stays(folder, key, said).is_none() {
                self.make_so(folder, key, &said.value, &mut switched);
                known.learn(key, said);
            }
        }
        if let Some(shared) = self.folder_mut(folder).and_then(|choice| choice.shared.as_mut()) {
            shared.known = known;
        }
        switched
    }

    fn make_so(&mut self, folder: &str, key: &Key, value: &Value, switched: &mut Vec<(String, bool)>) {
        let of_key = |set: &&mut SetChoice, key: &str| desk::key_of(&set.name) == *key;
        match (key, value) {
            (Key::Skill(path), value) => {
                let on = *value == Value::On;
                let Some(choice) = self.folder_mut(folder) else { return };
                if choice.was_seen(path) {
                    choice.switch(path, on);
                } else {
                    // Off by another machine is no look at what it carries.
                    choice.skills.insert(path.clone(), on);
                }
                switched.push((path.clone(), on));
            }
            (Key::Set(key), Value::Named(name)) => {
                if let Some(set) = self.sets.iter_mut().find(|set| of_key(set, key)) {
                    set.name.clone_from(name);
                    return;
                }
                self.last_set += 1;
                self.sets.push(SetChoice {
                    id: format!("s{}", self.last_set),
                    name: name.clone(),
                    skills: BTreeSet::new(),
                    folders: Vec::new(),
                    rest: Default::default(),
                });
            }
            (Key::Set(key), _) => self.sets.retain(|set| desk::key_of(&set.name) != *key),
            (Key::Member(set, path), value) => {
                let key = format!("{folder}/{path}");
                if let Some(set) = self.sets.iter_mut().find(|one| of_key(one, set)) {
                    if *value == Value::On {
                        set.skills.insert(key)
                    } else {
                        set.skills.remove(&key)
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn said(key: Key, value: Value) -> BTreeMap<Key, Said> {
        BTreeMap::from([(key, Said { count: 2, value })])
    }

    fn skill(path: &str) -> Key {
        Key::Skill(path.to_owned())
    }

    fn choices() -> (Choices, BTreeSet<String>) {
        let mut choices = Choices::default();
        choices.add_folder(Path::new("/desk"), false, false);
        let folder = choices.folder_mut("f1").unwrap();
        folder.shared = Some(Shared { on: true, known: Desk::default() });
        folder.switch("tea", false);
        folder.skills.insert("mead".to_owned(), true);
        (choices, ["tea", "ale", "mead"].map(str::to_owned).into())
    }

    fn take(choices: &mut Choices, there: &BTreeSet<String>, said: &BTreeMap<Key, Said>) -> Vec<(String, bool)> {
        choices.folder_mut("f1").unwrap().shared.as_mut().unwrap().known = Desk::default();
        let here = choices.here("f1", there);
        choices.folder_mut("f1").unwrap().shared.as_mut().unwrap().known = here.first_known();
        choices.take_said("f1", there, &Desk(said.clone()), said)
    }

    #[test]
    fn a_skill_comes_on_only_after_a_look_and_off_by_others_is_no_look() {
        let (mut choices, there) = choices();
        assert_eq!(take(&mut choices, &there, &said(skill("tea"), Value::On)), [("tea".to_owned(), true)]);
        assert_eq!(take(&mut choices, &there, &said(skill("ale"), Value::On)), []);
        assert_eq!(choices.stays("f1", &skill("ale"), &Said { count: 1, value: Value::On }), Some(Stays::Unseen));
        assert_eq!(take(&mut choices, &there, &said(skill("mead"), Value::Off)), [("mead".to_owned(), false)]);
        let folder = choices.folder_mut("f1").unwrap();
        assert!(!folder.is_on("mead") && !folder.was_seen("mead"));
        folder.hold("tea");
        assert_eq!(take(&mut choices, &there, &said(skill("tea"), Value::On)), []);
        assert_eq!(choices.stays("f1", &skill("tea"), &Said { count: 1, value: Value::On }), Some(Stays::Held));
        // What is not here at all is not made, and not known either.
        assert_eq!(take(&mut choices, &there, &said(skill("gin"), Value::On)), []);
        assert!(!choices.folder_mut("f1").unwrap().known().unwrap().0.contains_key(&skill("gin")));
    }

    #[test]
    fn a_set_goes_only_where_nothing_here_needs_it() {
        let gone = || said(Key::Set("calm".to_owned()), Value::Gone);
        let add = |choices: &mut Choices, skills: &[&str]| {
            choices.sets.push(SetChoice {
                id: "s1".to_owned(),
                name: "Calm".to_owned(),
                skills: skills.iter().map(|key| (*key).to_owned()).collect(),
                folders: Vec::new(),
                rest: Default::default(),
            });
            let known = &mut choices.folder_mut("f1").unwrap().shared.as_mut().unwrap().known;
            known.learn(&Key::Set("calm".to_owned()), &Said { count: 1, value: Value::Named("Calm".to_owned()) });
            known.learn(&Key::Member("calm".to_owned(), "tea".to_owned()), &Said { count: 1, value: Value::On });
        };
        let (mut one, there) = choices();
        add(&mut one, &["f1/tea"]);
        one.set_of.insert("codex".to_owned(), "s1".to_owned());
        one.take_said("f1", &there, &Desk(gone()), &gone());
        assert_eq!(one.sets.len(), 1);
        one.set_of.clear();
        // It was shown as staying, and asked again.
        one.take_said("f1", &there, &Desk(gone()), &gone());
        assert_eq!(one.sets.len(), 0);
        let (mut two, _) = choices();
        add(&mut two, &["f1/tea", "own/brew"]);
        two.take_said("f1", &there, &Desk(gone()), &gone());
        assert_eq!(two.sets.len(), 1);
        let said = Said { count: 2, value: Value::Gone };
        assert_eq!(two.stays("f1", &Key::Set("calm".to_owned()), &said), Some(Stays::HasOthers));
    }

    #[test]
    fn what_changed_here_after_it_was_shown_stays_and_is_newer() {
        let (mut choices, there) = choices();
        let here = choices.here("f1", &there);
        choices.folder_mut("f1").unwrap().shared.as_mut().unwrap().known = here.first_known();
        let shown = said(skill("tea"), Value::On);
        let folder = choices.folder_mut("f1").unwrap();
        folder.switch("tea", true);
        folder.switch("tea", false);
        // Others said more meanwhile: that was not shown.
        let files = Desk(BTreeMap::from([(skill("tea"), Said { count: 5, value: Value::On })]));
        assert_eq!(choices.take_said("f1", &there, &files, &shown), []);
        assert!(!choices.folder_mut("f1").unwrap().is_on("tea"));
        choices.folder_mut("f1").unwrap().switch("ale", false);
        let shown = said(skill("ale"), Value::On);
        assert_eq!(choices.take_said("f1", &there, &Desk(shown.clone()), &shown), []);
        let known = choices.folder_mut("f1").unwrap().known().unwrap().0[&skill("ale")].clone();
        assert_eq!(known, Said { count: 3, value: Value::Off });
    }
}
