//! What the person chose: the library's folders, which skills are on, whether serving is paused.

mod clients;
mod servers;
mod sets;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use mcp::{Surface, Surfaces};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(crate) use clients::{ClientChoice, CustomChoice};
pub(crate) use servers::{ServerChoices, ServerLink};
pub(crate) use sets::{Chosen, SetChoice, below};

/// The id of the library folder that is ours: the starter skills and what a person writes there.
pub(crate) const OWN: &str = "own";

/// The content of `choices.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Choices {
    /// Whether the first-run steps wait for an answer.
    pub(crate) first_run: bool,
    /// Whether serving is paused.
    pub(crate) paused: bool,
    /// The port of the endpoint, once one was taken.
    pub(crate) port: Option<u16>,
    /// The number of the folder that was added last.
    pub(crate) last_folder: u32,
    /// The library's folders, the first served first.
    pub(crate) folders: Vec<FolderChoice>,
    /// The number of the set that was made last.
    pub(crate) last_set: u32,
    /// Sets of skills, in the order in which they were made.
    pub(crate) sets: Vec<SetChoice>,
    /// Which set a client sees, by the client's id; all skills where there is none.
    pub(crate) set_of: BTreeMap<String, String>,
    /// What was chosen about clients' files, by the client's id.
    pub(crate) connections: BTreeMap<String, ClientChoice>,
    /// Clients that the person described.
    pub(crate) custom: Vec<CustomChoice>,
    /// What clients may use.
    pub(crate) settings: Settings,
    /// What was chosen about the servers that skills need.
    pub(crate) servers: ServerChoices,
    /// The digests of each SKILL.md that came from elsewhere by an import and that nobody has seen yet: moved or copied by
    /// hand, it is no new skill of the person's own.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) unseen: BTreeSet<String>,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// What clients may use (decisions 27 and 31).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    /// The switches that hold for every client; a part of the server without one is on.
    pub(crate) surfaces: BTreeMap<Surface, bool>,
    /// Switches of single clients, by their ids: they come before the others.
    pub(crate) clients: BTreeMap<String, BTreeMap<Surface, bool>>,
    /// Whether packed skills are offered beside their files.
    pub(crate) archives: bool,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// One folder of the library, and what is on in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FolderChoice {
    /// Names it for ever: `f1`, `f2` ..., or [`OWN`].
    pub(crate) id: String,
    /// Where it is; a relative path is below our data folder.
    pub(crate) path: PathBuf,
    /// Whether skills that appear later are switched on (decision 21).
    pub(crate) enable_new: bool,
    /// Whether the skills that are there at the first reading are switched on; `None` after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) enable_first: Option<bool>,
    /// Which skills are on, by their path below the folder. A skill that went away keeps its line.
    #[serde(default)]
    pub(crate) skills: BTreeMap<String, bool>,
    /// Skills that the person has switched by hand, by their path, and those that are their own. What is on because its folder was added
    /// is not among them: nobody has seen yet what it carries.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) switched: BTreeSet<String>,
    /// What a later version wrote.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            first_run: true,
            paused: false,
            port: None,
            last_folder: 0,
            folders: Vec::new(),
            settings: Settings::default(),
            servers: ServerChoices::default(),
            last_set: 0,
            sets: Vec::new(),
            set_of: BTreeMap::new(),
            connections: BTreeMap::new(),
            custom: Vec::new(),
            unseen: BTreeSet::new(),
            rest: Map::new(),
        }
    }
}

impl Choices {
    /// The folder of this id.
    pub(crate) fn folder_mut(&mut self, id: &str) -> Option<&mut FolderChoice> {
        self.folders.iter_mut().find(|folder| folder.id == id)
    }

    /// Adds a folder at the end, under an id that no folder had before: what a person gave to the
    /// skills of a removed one must not fall to another.
    pub(crate) fn add_folder(&mut self, path: &Path, enable_first: bool, enable_new: bool) {
        self.last_folder += 1;
        let id = format!("f{}", self.last_folder);
        self.folders.push(FolderChoice::new(&id, path, enable_first, enable_new));
    }
}

impl Settings {
    /// Sets or takes away one switch. A client without any has no entry.
    pub(crate) fn switch(&mut self, client: Option<String>, surface: Surface, on: Option<bool>) {
        let switches = match client {
            Some(client) => self.clients.entry(client).or_default(),
            None => &mut self.surfaces,
        };
        match on {
            Some(on) => drop(switches.insert(surface, on)),
            None => drop(switches.remove(&surface)),
        }
        self.clients.retain(|_, switches| !switches.is_empty());
    }

    /// What one client may use.
    pub(crate) fn surfaces(&self, client: &str) -> Surfaces {
        let own = self.clients.get(client);
        let on = |surface| own.and_then(|own| own.get(surface)).or(self.surfaces.get(surface)).is_none_or(|on| *on);
        Surfaces {
            tools: on(&Surface::Tools),
            prompts: on(&Surface::Prompts),
            resources: on(&Surface::Resources),
            skills: on(&Surface::Skills),
        }
    }
}

impl FolderChoice {
    pub(crate) fn new(id: &str, path: &Path, enable_first: bool, enable_new: bool) -> Self {
        Self {
            id: id.to_owned(),
            path: path.to_path_buf(),
            enable_new,
            enable_first: Some(enable_first),
            skills: BTreeMap::new(),
            switched: BTreeSet::new(),
            rest: Map::new(),
        }
    }

    /// The person switches a skill on or off.
    pub(crate) fn switch(&mut self, path: &str, on: bool) {
        self.skills.insert(path.to_owned(), on);
        self.switched.insert(path.to_owned());
    }

    /// Whether the person is to be shown what a skill carries before they switch it on: it is off, and was never
    /// switched by hand. In our own folder that is what came from elsewhere; what the person writes there is on.
    pub(crate) fn asks(&self, path: &str) -> bool {
        !self.is_on(path) && !self.switched.contains(path)
    }

    /// Whether a skill is on, as far as anybody chose.
    pub(crate) fn is_on(&self, path: &str) -> bool {
        self.skills.get(path).copied().unwrap_or(self.enable_first.unwrap_or(self.enable_new))
    }
}
