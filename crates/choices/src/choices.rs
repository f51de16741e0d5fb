//! The content of `choices.json`: the library's folders, which skills are on, whether serving is paused.

mod clients;
mod servers;
mod sets;
mod shared;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use machine::Machine;
use mcp::{Surface, Surfaces};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use clients::{ClientChoice, CustomChoice};
pub use servers::{Pin, ServerChoices, ServerLink};
pub use sets::{Chosen, FolderBinding, SetChoice};
pub use shared::{MachineName, SHARED, Shared, Stays};

/// The id of our own library folder: the starter skills and skills written by the user.
pub const OWN: &str = "own";

/// Folders in which a new skill is switched on at once unless the user chose otherwise: those that clients read by
/// themselves (decision 21).
const READ_BY_CLIENTS: &[&str] = &[".claude/skills", ".agents/skills"];

/// Whether new skills in a folder are switched on unless the user chose otherwise.
pub fn usually_enables_new(machine: &Machine, path: &Path) -> bool {
    READ_BY_CLIENTS.iter().any(|folder| machine.home.join(folder) == path)
}

/// The file of the choices.
pub fn file(machine: &Machine) -> PathBuf {
    machine.data.join("choices.json")
}

/// The content of `choices.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Whether the first-run steps wait for an answer.
    pub first_run: bool,
    /// Whether serving is paused.
    pub paused: bool,
    /// Whether new versions are looked for once a day.
    pub updates: bool,
    /// Whether sources of skills are asked for other versions once a day.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ask_sources: bool,
    /// What the app does unasked and the user switched, by its name: a later version has names that this one does not know.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub app: BTreeMap<String, bool>,
    /// The tag of the chosen language. One that only a later version knows is kept, and follows the desktop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The port of the endpoint, once one was chosen.
    pub port: Option<u16>,
    /// The number of the latest added folder.
    pub last_folder: u32,
    /// The library's folders, in order of precedence.
    pub folders: Vec<FolderChoice>,
    /// The number of the latest created set.
    pub last_set: u32,
    /// Sets of skills, in order of creation.
    pub sets: Vec<SetChoice>,
    /// The set that each client sees, by client id; a client without one sees all skills.
    pub set_of: BTreeMap<String, String>,
    /// The choices about clients' files, by client id.
    pub connections: BTreeMap<String, ClientChoice>,
    /// Clients that the user described.
    pub custom: Vec<CustomChoice>,
    /// What clients may use.
    pub settings: Settings,
    /// The choices about the servers that skills need.
    pub servers: ServerChoices,
    /// The digests of imported SKILL.md files that the user has not reviewed yet: one that is moved or copied by hand
    /// does not become the user's own new skill.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unseen: BTreeSet<String>,
    /// What this machine is called in folders that several share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineName>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What clients may use (decisions 27 and 31).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The general switches; a part of the server without one is on.
    pub surfaces: BTreeMap<Surface, bool>,
    /// Switches of single clients, by client id; they take precedence.
    pub clients: BTreeMap<String, BTreeMap<Surface, bool>>,
    /// Whether packed skills are offered next to their files.
    pub archives: bool,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// One folder of the library, and which of its skills are on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FolderChoice {
    /// Its permanent id: `f1`, `f2` ..., or [`OWN`].
    pub id: String,
    /// Its path; a relative path is below our data folder.
    pub path: PathBuf,
    /// Whether skills that appear later are switched on (decision 21).
    pub enable_new: bool,
    /// Whether the skills present at the first scan are switched on; `None` afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_first: Option<bool>,
    /// Which skills are on, by their path below the folder. The entry of a missing skill is kept.
    #[serde(default)]
    pub skills: BTreeMap<String, bool>,
    /// Skills that the user switched by hand, by path, and the user's own skills. A skill that is on because its folder
    /// was added is not among them: it has not been reviewed yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub switched: BTreeSet<String>,
    /// Skills that are off although the folder switches on new ones, because something in them looked harmful, by path:
    /// until the user decides about them (decision 72).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub held: BTreeSet<String>,
    /// What looked harmful in a skill as the user saw it and switched it on, by path: marks of the findings, which do not
    /// count again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accepted: BTreeMap<String, BTreeSet<String>>,
    /// Whether its switches and sets go along with its git work tree, and what is known of those of other machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Shared>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            first_run: true,
            paused: false,
            updates: false,
            ask_sources: false,
            app: BTreeMap::new(),
            language: None,
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
            machine: None,
            rest: Map::new(),
        }
    }
}

impl Choices {
    /// The folder of this id.
    pub fn folder_mut(&mut self, id: &str) -> Option<&mut FolderChoice> {
        self.folders.iter_mut().find(|folder| folder.id == id)
    }

    /// Adds a folder at the end, under a new id: what the user entered for the skills of a removed folder must not
    /// apply to another.
    pub fn add_folder(&mut self, path: &Path, enable_first: bool, enable_new: bool) {
        self.last_folder += 1;
        let id = format!("f{}", self.last_folder);
        self.folders.push(FolderChoice::new(&id, path, enable_first, enable_new));
    }
}

impl Settings {
    /// Sets or removes one switch. A client without switches has no entry.
    pub fn switch(&mut self, client: Option<String>, surface: Surface, on: Option<bool>) {
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
    pub fn surfaces(&self, client: &str) -> Surfaces {
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
    pub fn new(id: &str, path: &Path, enable_first: bool, enable_new: bool) -> Self {
        Self {
            id: id.to_owned(),
            path: path.to_path_buf(),
            enable_new,
            enable_first: Some(enable_first),
            skills: BTreeMap::new(),
            switched: BTreeSet::new(),
            held: BTreeSet::new(),
            accepted: BTreeMap::new(),
            shared: None,
            rest: Map::new(),
        }
    }

    /// Records that the user switched a skill on or off.
    pub fn switch(&mut self, path: &str, on: bool) {
        self.skills.insert(path.to_owned(), on);
        self.switched.insert(path.to_owned());
        self.held.remove(path);
    }

    /// Keeps a skill off until the user decides about it.
    pub fn hold(&mut self, path: &str) {
        self.skills.insert(path.to_owned(), false);
        self.held.insert(path.to_owned());
    }

    /// Whether the user switched a skill by hand, or wrote it: before that, they are shown what it carries.
    pub fn was_seen(&self, path: &str) -> bool {
        self.switched.contains(path)
    }

    /// Whether the user has seen a finding of a skill, by its mark, and switched the skill on all the same.
    pub fn accepts(&self, path: &str, mark: &str) -> bool {
        self.accepted.get(path).is_some_and(|marks| marks.contains(mark))
    }

    /// Records what looked harmful in a skill that the user switches on, by its marks.
    pub fn accept(&mut self, path: &str, marks: BTreeSet<String>) {
        if marks.is_empty() {
            self.accepted.remove(path);
        } else {
            self.accepted.insert(path.to_owned(), marks);
        }
    }

    /// Whether a skill is on, by choice or by default.
    pub fn is_on(&self, path: &str) -> bool {
        self.skills.get(path).copied().unwrap_or(self.enable_first.unwrap_or(self.enable_new))
    }
}
