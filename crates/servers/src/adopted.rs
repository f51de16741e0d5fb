//! Servers that clients' own files held with their secrets in plain text and that Skilltender keeps now: what
//! each is started with, and the names of its secrets. The client's entry runs `skilltender run NAME`.
//!
//! They are wanted in addition to those of skills, but only by that entry: no other client gets their tools.
//! Their names contain an `@`, which no skill's server has, so that the two cannot collide.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use api::Notice;
use choices::{Pin, stored};
use clients::Moved;
use files::{replace_file::ReplaceError, store};
use machine::Mode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills::Slot;

use super::{
    LaunchSpec, SpecSource,
    launch_spec::{Kind, SecretUse, find_command},
    pins::pinned,
    unfilled::Unfilled,
};
use crate::ParameterValues;

/// Their file in the data folder. It contains no secret's value.
pub const FILE: &str = "adopted.json";

/// Prefix of the string used in place of a skill's key. No folder of the library has such an id.
pub const OF_CLIENTS: &str = "client/";

/// The servers that Skilltender keeps for clients.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AdoptedServers {
    #[serde(default)]
    pub servers: Vec<Adopted>,
    /// Fields that a later version wrote.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adopted {
    /// Its name in Skilltender: `github@claude-desktop`.
    pub name: String,
    /// The client's id.
    pub client: String,
    /// The client's file.
    pub path: PathBuf,
    /// Its name in the file.
    pub entry: String,
    /// What it is, without its secrets.
    pub runs: Moved,
    /// The variables or headers that are secrets, and the text before each: `Bearer `.
    pub secrets: BTreeMap<String, String>,
}

impl AdoptedServers {
    /// The content of the file at `path`, with a notice when the file had to be set aside.
    pub fn open(path: &Path, mode: &Mode) -> (Self, Option<Notice>) {
        stored::open(path, mode)
    }

    /// Writes them to the file.
    ///
    /// # Errors
    /// When the disk refuses; the file stays as it was.
    pub fn save(&self, path: &Path) -> Result<(), ReplaceError> {
        store::save(path, self)
    }

    /// The name for the server that a client's file calls `entry`: the name that it already has, or a free one.
    pub fn name(&self, client: &str, path: &Path, entry: &str) -> String {
        let same = |known: &&Adopted| known.client == client && known.path == path && known.entry == entry;
        if let Some(known) = self.servers.iter().find(same) {
            return known.name.clone();
        }
        let fits = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
        let plain: String = format!("{}@{client}", entry.chars().map(fits).take(48).collect::<String>());
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let free = |name: &String| self.servers.iter().all(|known| known.name != *name);
        std::iter::once(plain.clone()).chain(numbered).find(free).unwrap_or(plain)
    }

    /// Remembers one, in place of another of its name.
    pub fn keep(&mut self, adopted: Adopted) {
        self.forget(&adopted.name);
        self.servers.push(adopted);
    }

    pub fn forget(&mut self, name: &str) {
        self.servers.retain(|known| known.name != name);
    }
}

impl Adopted {
    /// Used in place of a skill's key: `client/claude-desktop`.
    pub fn key(&self) -> String {
        format!("{OF_CLIENTS}{}", self.client)
    }

    /// The slot of one of its secrets.
    pub fn parameter(&self, name: &str) -> Slot {
        Slot { key: self.key(), server: self.name.clone(), name: name.to_owned() }
    }

    /// What would be started.
    ///
    /// # Errors
    /// What is missing before it can be started.
    pub fn spec(&self, given: &ParameterValues, pins: &[Pin], source: &SpecSource<'_>) -> Result<LaunchSpec, Unfilled> {
        let missing = |name: &&String| !given.secrets.contains_key(&self.parameter(name));
        let missing: Vec<_> = self.secrets.keys().filter(missing).cloned().collect();
        if missing.is_empty() {
            return source.adopted(self, pins);
        }
        let runtime = match source.adopted(self, pins) {
            Err(Unfilled::NoProgram(program)) => Some(program),
            _ => None,
        };
        Err(Unfilled::Missing { names: missing, runtime })
    }
}

impl SpecSource<'_> {
    /// The launch spec of a server that is kept for a client, whether or not its secrets are present. A program runs
    /// in the folder in which the client starts it.
    ///
    /// # Errors
    /// When its program or a file of it cannot be found or read.
    pub fn adopted(&self, adopted: &Adopted, pins: &[Pin]) -> Result<LaunchSpec, Unfilled> {
        let Adopted { name, runs, secrets, .. } = adopted;
        let kind = match runs.clone() {
            Moved::Program { command, args, env } => {
                // A relative path would mean another file in each folder.
                let program = find_command(&command, Path::new("/"), self.search)
                    .ok_or_else(|| Unfilled::NoProgram(command.clone()))?;
                let mut argv: Vec<_> = [command].into_iter().chain(args).collect();
                pinned(&mut argv, name, pins);
                let (real, content) = self
                    .content(&argv[0], &program)
                    .map_err(|error| Unfilled::Refused(format!("{} cannot be read: {error}.", program.display())))?;
                let (cwd, files) = (PathBuf::new(), BTreeMap::new());
                Kind::Program { program, real, content, argv, env, cwd, files, held: None, image: None, port: None }
            }
            Moved::Address { url, headers } => Kind::Address { url, headers },
        };
        let uses = secrets.iter().map(|(secret, before)| {
            (secret.clone(), SecretUse { before: before.clone(), parameter: adopted.parameter(secret) })
        });
        Ok(LaunchSpec { name: name.clone(), kind, secrets: uses.collect() })
    }
}
