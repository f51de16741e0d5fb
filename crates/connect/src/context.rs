//! The inputs for reading clients' files: the machine, the clients, and the user's choices about them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{ActionError, unknown_client};
use choices::{
    Choices, ClientChoice, CustomChoice, SetChoice,
    tokens::{self, Tokens},
};
use clients::{Client, TABLE};
use files::store;
use machine::Machine;
use servers::AdoptedServers;

use super::client_files;
use crate::{journal, port};

/// A client of this machine: a row of the table, or a file chosen by the user in the format of a row.
#[derive(Debug, Clone)]
pub struct KnownClient {
    /// Identifies it in commands, in our own files and in `--client`.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// The format of its file.
    pub row: &'static Client,
    /// The file that the user chose.
    pub custom: Option<PathBuf>,
}

/// The machine, the clients, and the choices about them at one moment.
#[derive(Debug, Clone)]
pub struct ClientContext {
    pub machine: Arc<Machine>,
    /// Every client, in display order.
    pub clients: Vec<KnownClient>,
    /// The HTTP address, once a port was chosen.
    pub address: Option<String>,
    /// Whether HTTP is served there now.
    pub served: bool,
    /// Why HTTP is not served, as a sentence.
    pub trouble: Option<String>,
    /// The servers adopted from clients.
    pub adopted: Arc<AdoptedServers>,
    /// The servers that may run and that a client can start as entries of their own.
    pub direct: Vec<String>,
    /// The sets of skills, in order of creation.
    pub sets: Vec<SetChoice>,
    /// The choices about clients' files, by client id.
    pub chosen: BTreeMap<String, ClientChoice>,
}

impl KnownClient {
    /// Every known client, and every client that the user described.
    pub fn all(choices: &Choices) -> Vec<Self> {
        let rows = TABLE.iter().map(|row| Self { id: row.id.to_owned(), name: row.name.to_owned(), row, custom: None });
        rows.chain(choices.custom.iter().filter_map(Self::described)).collect()
    }

    /// A client that the user described; `None` if it refers to a row that only a later version knows.
    fn described(choice: &CustomChoice) -> Option<Self> {
        Some(Self {
            id: choice.id.clone(),
            name: choice.name.clone(),
            row: clients::client(&choice.like)?,
            custom: Some(PathBuf::from(&choice.path)),
        })
    }
}

impl ClientContext {
    /// Why a client connecting over HTTP now would send its token to another program; `None` if it would not.
    pub(super) fn stranger(&self) -> Option<String> {
        let port = || self.address.as_ref()?.strip_prefix("http://127.0.0.1:")?.strip_suffix("/mcp")?.parse().ok();
        let looked_for = || port().filter(|_| !self.served).and_then(port::held);
        self.trouble.clone().or_else(looked_for)
    }

    /// The client of this id.
    ///
    /// # Errors
    /// When there is none.
    pub fn client(&self, id: &str) -> Result<&KnownClient, ActionError> {
        self.clients
            .iter()
            .find(|known| known.id == id)
            .ok_or_else(|| unknown_client(id, self.clients.iter().map(|known| known.id.as_str())))
    }

    /// The user's choices about a client.
    pub fn choice(&self, id: &str) -> ClientChoice {
        self.chosen.get(id).cloned().unwrap_or_default()
    }

    /// The projects that a client is connected for.
    pub(super) fn projects(&self, known: &KnownClient) -> BTreeSet<PathBuf> {
        let mut ours = BTreeMap::new();
        for record in journal::history(&self.machine.data, &known.id) {
            ours.insert(record.path, record.project.filter(|_| record.added.is_some() || !record.direct.is_empty()));
        }
        ours.into_values().flatten().collect()
    }

    /// The token that a client sends over HTTP, if it has one.
    pub(super) fn token(&self, id: &str) -> Option<String> {
        store::peek::<Tokens>(&self.machine.data.join(tokens::FILE)).all().get(id).cloned()
    }

    /// All existing tokens: a shown change contains none of them.
    pub(super) fn tokens(&self) -> Vec<String> {
        store::peek::<Tokens>(&self.machine.data.join(tokens::FILE)).all().values().cloned().collect()
    }

    /// The files of a client that are or would be written: its user's, or those of one project.
    pub(super) fn files(&self, known: &KnownClient, project: Option<&Path>) -> Vec<PathBuf> {
        match (project, &known.custom) {
            (Some(project), _) => client_files::of_project(known.row, project).into_iter().collect(),
            (None, Some(path)) => vec![path.clone()],
            (None, None) => client_files::of_user(&self.machine, known.row),
        }
    }

    /// Other clients that read the same entry of the same file.
    pub(super) fn sharing<'s>(
        &'s self,
        known: &'s KnownClient,
        path: &'s Path,
        project: Option<&'s Path>,
    ) -> impl Iterator<Item = &'s KnownClient> {
        self.clients.iter().filter(move |other| {
            other.id != known.id
                && other.row.key == known.row.key
                && match (project, &other.custom) {
                    (Some(project), None) => clients::locate_project(other.row, project).iter().any(|one| one == path),
                    (None, None) => clients::locate(other.row, &self.machine.places).iter().any(|one| one == path),
                    (None, Some(file)) => file == path,
                    (Some(_), Some(_)) => false,
                }
        })
    }
}
