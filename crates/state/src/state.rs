//! The state of the one loop: the only mutable view of library, choices, clients and endpoint.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{DesktopEntry, Keychain, Notice, UpdateState};
use choices::{Choices, FolderChoice, OWN, Tracked};
use connect::ClientFile;
use library::{Reading, Root};
use machine::Machine;
use origins::Origins;
use servers::{ParameterValues, Present, Servers, is_ready};

use crate::{
    client_activity::Seen,
    examined::Examined,
    harm::{Harmful, Scan},
    trash::Trashed,
};

/// Everything that a snapshot is made from. Only the loop changes it; readers get clones, which share what is large.
#[derive(Debug, Clone)]
pub struct State {
    /// The machine that Skilltender runs on.
    pub machine: Arc<Machine>,
    /// The person's choices.
    pub choices: Tracked<Choices>,
    /// The library as it was last read.
    pub reading: Arc<Reading>,
    /// While the library is read for the first time: how many skills were read so far.
    pub first_reading: Option<u32>,
    /// Skill folders found on this machine, and the number of skills in each.
    pub found: Vec<(PathBuf, u32)>,
    /// The values of servers' parameters.
    pub given: ParameterValues,
    /// The servers that skills need.
    pub servers: Servers,
    /// The skills that each client opened in this run, by the client's id.
    pub opened: BTreeMap<String, BTreeSet<String>>,
    /// Skills in the trash, the latest first.
    pub trash: Vec<Trashed>,
    /// Where skills came from, by their keys.
    pub origins: Arc<Origins>,
    /// How asking each source went in this run, by its name ([`origins::Record::followed`]).
    pub asked: BTreeMap<String, Asked>,
    /// Links and copies that Skilltender placed in folders that clients read by themselves: never skills of
    /// their own, wherever they are found.
    pub placed: BTreeSet<PathBuf>,
    /// What is known of each client, by its id.
    pub clients: BTreeMap<String, ClientFacts>,
    /// Where the endpoint listens.
    pub endpoint: EndpointFacts,
    /// Whether the app starts at login.
    pub login: DesktopEntry,
    /// Whether the app is in the menu of programs; none where its package sees to that.
    pub menu: Option<DesktopEntry>,
    /// What the app knows of new versions.
    pub update: UpdateState,
    /// Whether secrets can be kept.
    pub keychain: Keychain,
    /// Whether packed skills are offered in this run, regardless of the person's choice.
    pub archives: bool,
    /// What was found in the content of skills.
    pub examined: Arc<Examined>,
    /// The skills in which something looks harmful.
    pub harmful: Arc<Harmful>,
    /// Notices that are shown once.
    pub notices: Vec<Notice>,
    /// What could not be saved yet, as a sentence.
    pub unsaved: Option<String>,
    /// Whether the engine is about to stop, so that no write may be postponed.
    pub ending: bool,
}

/// What is known of one client.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClientFacts {
    /// The state of its file; `None` until it was read.
    pub file: Option<ClientFile>,
    /// How many connections it has now.
    pub connections: u32,
    /// Whether it has a token of its own for HTTP.
    pub token: bool,
    /// Its activity, in this run and before.
    pub seen: Seen,
}

/// How asking a source went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Why it did not answer, as a sentence.
    pub trouble: Option<String>,
}

/// Where the endpoint listens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointFacts {
    /// `http://127.0.0.1:8363/mcp`, once it listens.
    pub address: Option<String>,
    /// Why it does not, as a sentence.
    pub trouble: Option<String>,
}

impl EndpointFacts {
    /// Listening at this port.
    pub fn at(port: u16) -> Self {
        Self { address: Some(format!("http://127.0.0.1:{port}/mcp")), trouble: None }
    }
}

impl State {
    pub fn new(machine: Arc<Machine>, choices: Choices) -> Self {
        Self {
            machine,
            choices: choices.into(),
            reading: Arc::default(),
            first_reading: None,
            found: Vec::new(),
            given: ParameterValues::default(),
            servers: Servers::default(),
            opened: BTreeMap::new(),
            trash: Vec::new(),
            origins: Arc::default(),
            asked: BTreeMap::new(),
            placed: BTreeSet::new(),
            clients: BTreeMap::new(),
            endpoint: EndpointFacts::default(),
            login: DesktopEntry::default(),
            menu: None,
            update: UpdateState::default(),
            keychain: Keychain::Unknown,
            archives: false,
            examined: Arc::default(),
            harmful: Arc::default(),
            notices: Vec::new(),
            unsaved: None,
            ending: false,
        }
    }

    /// The library's folders by their paths on the disk.
    pub fn roots(&self) -> Vec<Root> {
        let path = |folder: &FolderChoice| self.machine.data.join(&folder.path);
        let root = |folder: &FolderChoice| {
            let made_later = folder.id == OWN;
            Root { id: folder.id.clone(), path: path(folder), made_later }
        };
        self.choices.folders.iter().map(root).collect()
    }

    /// The facts about a client, for changing them.
    pub fn client(&mut self, id: &str) -> &mut ClientFacts {
        self.clients.entry(id.to_owned()).or_default()
    }

    /// The activity of each client, by its id.
    pub fn seen(&self) -> impl Iterator<Item = (&String, &Seen)> + Clone {
        self.clients.iter().map(|(id, facts)| (id, &facts.seen))
    }

    /// Adds a notice; one of the same id is replaced.
    pub fn notice(&mut self, id: impl Into<String>, message: impl Into<String>) {
        let notice = Notice { id: id.into(), message: message.into() };
        self.notices.retain(|old| old.id != notice.id);
        self.notices.push(notice);
    }

    /// Takes over the result of a reading of the library. Skills without a choice follow their folder: those of
    /// its first reading are on only if they are ready. Those that appear later follow the folder's setting (decision
    /// 21), but not if something in them looks harmful (decision 72), and are reported when `announce`. `scans`: of the
    /// skills that the folders would switch on, or have switched on.
    pub fn take(&mut self, reading: Arc<Reading>, scans: Vec<Scan>, announce: bool) {
        let reading = reading.without(&self.placed);
        self.first_reading = None;
        self.learn(scans);
        let harmful = Arc::clone(&self.harmful);
        let mut notices = Vec::new();
        let unseen = self.choices.unseen.clone();
        for folder in &mut self.choices.folders {
            let Some(read) = reading.folder(&folder.id).filter(|read| read.trouble.is_none()) else { continue };
            let first = folder.enable_first.take();
            // An imported skill that was moved by hand does not follow the folder.
            for found in read.skills.iter().filter(|found| unseen.contains(&found.digest)) {
                folder.skills.entry(found.path.clone()).or_insert(false);
            }
            if first.is_none() && !announce {
                // An engine that does not write would only remember the folder's setting.
                continue;
            }
            let mut appeared = Vec::new();
            let mut held = Vec::new();
            for found in &read.skills {
                if folder.skills.contains_key(&found.path) {
                    continue;
                }
                let ready = || is_ready(&found.skill, &self.given, &found.key());
                let on = first.map_or(folder.enable_new, |on| on && ready());
                folder.skills.insert(found.path.clone(), on);
                folder.held.remove(&found.path);
                if on && first.is_none() && !harmful.of(found).is_empty() {
                    folder.hold(&found.path);
                    held.push(found.skill.name.as_str());
                }
                if first.is_some() && folder.id == OWN {
                    // The starter skills are ours: one that is off needs no review.
                    folder.switched.insert(found.path.clone());
                }
                appeared.push(found.skill.name.as_str());
            }
            if announce && first.is_none() && !appeared.is_empty() {
                let place = self.machine.place(&self.machine.data.join(&folder.path));
                notices.push((format!("new:{}", folder.id), appearance(&appeared, &held, &place, folder.enable_new)));
            }
        }
        for (id, message) in notices {
            self.notice(id, message);
        }
        self.reading = reading;
        if announce {
            self.hold();
        }
    }

    /// The servers that clients have in their own files.
    pub fn present(&self) -> Present {
        let of = |(id, facts): (&String, &ClientFacts)| {
            let present = &facts.file.as_ref()?.present;
            (!present.is_empty()).then(|| (id.clone(), Arc::clone(present)))
        };
        self.clients.iter().filter_map(of).collect()
    }

    /// Whether a path is one of the library's folders.
    pub fn holds(&self, path: &Path) -> bool {
        self.roots().iter().any(|root| root.path == path)
    }
}

fn appearance(appeared: &[&str], held: &[&str], place: &str, on: bool) -> String {
    let count = appeared.len();
    let skills = if count == 1 { "skill" } else { "skills" };
    let state = if on { "on" } else { "off until you switch it on" };
    let off = match held {
        [] => String::new(),
        [one] => format!(" {one} stays off, because something in it looks as if it meant harm."),
        many => format!(" These stay off, because something in them looks as if it meant harm: {}.", named(many)),
    };
    format!("{count} new {skills} in {place}: {}. New skills there are {state}.{off}", named(appeared))
}

/// The first few names, and the number of the rest.
pub(crate) fn named(names: &[&str]) -> String {
    const NAMED: usize = 3;
    let count = names.len();
    let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
    format!("{}{more}", names[..count.min(NAMED)].join(", "))
}
