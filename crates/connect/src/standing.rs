//! The state of our entries in a client's files.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{ClientProject, LastChange, Standing, Transport};
use clients::{Entry, LARGEST, NAME, Shown};
use files::{digest, replace_file};

use super::{
    client_files,
    context::{ClientContext, KnownClient},
    entry::{entry, transport},
    labels,
    moving::movable,
    own_entries::own_entries,
    steps::last_changes,
};
use crate::journal::{self, Added, Record};

/// The state of a client's files, for the snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientFile {
    /// Whether the client seems to be on this computer.
    pub found: bool,
    /// The file's path for display.
    pub place: String,
    /// Its path.
    pub path: String,
    /// The other files that are written with it, for display.
    pub also: Vec<String>,
    /// The state of our entry.
    pub standing: Standing,
    /// When we wrote it, in milliseconds since 1970.
    pub written: Option<u64>,
    /// The transport of our entry.
    pub transport: Option<Transport>,
    /// The transports that the client supports.
    pub transports: Vec<Transport>,
    /// Why it cannot start programs, as a sentence.
    pub sandbox: Option<String>,
    /// The names of other clients that read the same file.
    pub shared: Vec<String>,
    /// The projects that the client is connected for.
    pub projects: Vec<ClientProject>,
    /// The servers with entries of their own that run through Skilltender.
    pub direct: Vec<String>,
    /// The names of the enabled servers in the user's own files, without ours: the client has them without Skilltender
    /// (decision 56).
    pub present: Arc<BTreeSet<String>>,
    /// How many servers there are that we did not add.
    pub others: u32,
    /// How many plain-text secrets could be moved.
    pub plain: u32,
    /// The last change that can be undone.
    pub undo: Option<LastChange>,
    /// The last change that was undone and can be redone.
    pub redo: Option<LastChange>,
}

/// The state of one file.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) standing: Standing,
    /// The transport of our entry, if the entry is known.
    pub(super) transport: Option<Transport>,
    /// The last change of ours, if it added an entry.
    pub(super) claim: Option<Record>,
    /// The entry under our name, no matter who wrote it.
    pub(super) there: Option<Shown>,
    /// The servers' own entries that run through Skilltender, by name.
    pub(super) direct: Vec<(String, Entry)>,
    /// The names of the enabled servers in the file, without ours.
    present: BTreeSet<String>,
    others: usize,
    plain: usize,
}

/// The current state of a client's files.
pub fn look(context: &ClientContext, known: &KnownClient) -> ClientFile {
    let machine = &*context.machine;
    let files = context.files(known, None);
    let mut looks: Vec<_> = files.iter().map(|path| (path, look_at(context, known, path, None))).collect();
    // Of several files, the first that is not correct decides the client's state.
    let told = looks.iter().position(|(_, look)| look.standing != Standing::Added).unwrap_or_default();
    if told < looks.len() {
        looks.swap(0, told);
    }
    let (path, look) = looks.first().map_or((None, None), |(path, look)| (Some(*path), Some(look)));
    let sandboxed = known.custom.is_none().then(|| client_files::in_sandbox(machine, known.row)).flatten();
    let (undo, redo) = last_changes(context, known);
    let shared: Vec<_> = path.into_iter().flat_map(|path| context.sharing(known, path, None)).collect();
    ClientFile {
        found: match &known.custom {
            Some(path) => path.parent().is_some_and(Path::is_dir),
            None => client_files::is_found(machine, known.row),
        },
        place: path.map(|path| machine.place(path)).unwrap_or_default(),
        path: path.map(|path| path.display().to_string()).unwrap_or_default(),
        also: looks.iter().skip(1).map(|(path, _)| machine.place(path)).collect(),
        standing: look.map_or(Standing::Absent, |look| look.standing.clone()),
        written: look.and_then(Look::written),
        transport: look.and_then(|look| look.transport),
        transports: labels::transports(known.row, sandboxed.is_some()),
        sandbox: sandboxed.map(|path| labels::sandbox(known, &path)),
        shared: shared.into_iter().map(|other| other.name.clone()).collect(),
        projects: context.projects(known).iter().map(|project| of_project(context, known, project)).collect(),
        others: looks.iter().map(|(_, look)| u32::try_from(look.others).unwrap_or(u32::MAX)).sum(),
        plain: looks.iter().map(|(_, look)| u32::try_from(look.plain).unwrap_or(u32::MAX)).sum(),
        direct: looks.iter().flat_map(|(_, look)| look.direct.iter().map(|(name, _)| name.clone())).collect(),
        present: Arc::new(looks.iter().flat_map(|(_, look)| look.present.clone()).collect()),
        undo,
        redo,
    }
}

fn of_project(context: &ClientContext, known: &KnownClient, project: &Path) -> ClientProject {
    let path = context.files(known, Some(project)).into_iter().next().unwrap_or_default();
    let look = look_at(context, known, &path, Some(project));
    ClientProject {
        project: project.display().to_string(),
        place: context.machine.place(&path),
        written: look.written(),
        standing: look.standing,
    }
}

/// Whether a client dropped our entry from one of these files: its user's, or those of one project.
pub fn is_dropped(context: &ClientContext, known: &KnownClient, project: Option<&Path>) -> bool {
    let is = |path: PathBuf| matches!(look_at(context, known, &path, project).standing, Standing::Dropped { .. });
    context.files(known, project).into_iter().any(is)
}

/// The state of one file: the user's own, or that of a project.
pub(super) fn look_at(context: &ClientContext, known: &KnownClient, path: &Path, project: Option<&Path>) -> Look {
    let claim = journal::last(&context.machine.data, &known.id, path).filter(|record| record.added.is_some());
    let (direct, present) = (Vec::new(), BTreeSet::new());
    let mut look =
        Look { standing: Standing::Absent, transport: None, claim, there: None, direct, present, others: 0, plain: 0 };
    let read = replace_file::read(path, LARGEST as u64).map_err(|error| error.to_string());
    let judged = read.and_then(|current| {
        let Some(current) = current else { return Ok(None) };
        let refused = |refusal: clients::Refusal| refusal.to_string();
        let servers = clients::servers(known.row, &current).map_err(refused)?;
        let others = || servers.iter().filter(|server| server.name != NAME);
        look.direct = own_entries(context, known, path, &current);
        look.others = others().count() - look.direct.len();
        look.present = others().filter(|server| !server.off).map(|server| server.name.clone()).collect();
        if servers.iter().any(|server| !server.secrets.is_empty()) {
            look.plain = movable(known, &current);
        }
        look.there = clients::ours(known.row, &current).map_err(refused)?;
        Ok(Some(current))
    });
    match judged {
        Err(message) => look.standing = Standing::Refused { message },
        Ok(current) => judge(context, known, path, project, &current.unwrap_or_default(), &mut look),
    }
    // An entry of our name may be somebody else's server.
    look.others += usize::from(look.standing == Standing::Different);
    look
}

fn judge(
    context: &ClientContext,
    known: &KnownClient,
    path: &Path,
    project: Option<&Path>,
    current: &[u8],
    look: &mut Look,
) {
    let claimed = look.claim.as_ref().and_then(|record| record.added.as_ref());
    let Some(there) = &look.there else {
        if claimed.is_some() {
            look.standing = Standing::Dropped { waiting: context.choice(&known.id).pending };
        }
        return;
    };
    let says = |entry: &Entry| {
        let standing = clients::standing(known.row, Some(current), entry);
        matches!(standing, Ok(clients::Standing::Ours | clients::Standing::Adjusted))
    };
    let wanted = [Transport::Stdio, Transport::Http].map(|way| (way, entry(context, known, way).ok()));
    if let Some((way, _)) = wanted.iter().find(|(_, entry)| entry.as_ref().is_some_and(says)) {
        (look.standing, look.transport) = (Standing::Added, Some(*way));
        return;
    }
    let Some(added) = claimed else {
        look.standing = match whose(context, known, path, project, current) {
            Some(with) => Standing::Shared { with },
            None => Standing::Different,
        };
        return;
    };
    look.transport = Some(transport(&added.entry));
    // An entry that an earlier version spelled differently is still the one that we wrote.
    look.standing = if says(&added.entry) || added.undo.inserted.contains(&there.text) {
        let now = wanted.into_iter().find(|(way, _)| Some(*way) == look.transport).and_then(|(_, entry)| entry);
        Standing::Outdated { message: labels::outdated(&added.entry, now.as_ref()) }
    } else if context.choice(&known.id).kept.get(&*path.to_string_lossy()) == Some(&digest(there.text.as_bytes())) {
        Standing::Added
    } else {
        Standing::Edited
    };
}

/// The client for which we added the entry in this file.
fn whose(
    context: &ClientContext,
    known: &KnownClient,
    path: &Path,
    project: Option<&Path>,
    current: &[u8],
) -> Option<String> {
    let added_for = |other: &&KnownClient| {
        let last = journal::last(&context.machine.data, &other.id, path).and_then(|record| record.added);
        let standing = |added: Added| clients::standing(known.row, Some(current), &added.entry);
        last.is_some_and(|added| matches!(standing(added), Ok(clients::Standing::Ours | clients::Standing::Adjusted)))
    };
    context.sharing(known, path, project).find(added_for).map(|other| other.name.clone())
}

impl Look {
    /// What we added last.
    pub(super) fn added(&self) -> Option<&Added> {
        self.claim.as_ref().and_then(|record| record.added.as_ref())
    }

    /// When we wrote the current entry. In a file that cannot be read, it is the one that we wrote last.
    fn written(&self) -> Option<u64> {
        let is_there = matches!(
            self.standing,
            Standing::Added | Standing::Outdated { .. } | Standing::Edited | Standing::Refused { .. }
        );
        self.claim.as_ref().filter(|_| is_there).map(|record| record.time)
    }
}

/// A path as it is written in the choices.
pub(super) fn named(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Every path whose change can affect the result of [`look`].
pub fn watched(context: &ClientContext, known: &KnownClient) -> Vec<PathBuf> {
    let mut paths = context.files(known, None);
    if known.custom.is_none() {
        paths.extend(client_files::candidates(&context.machine, known.row));
    }
    for project in context.projects(known) {
        paths.extend(context.files(known, Some(&project)));
    }
    let targets: Vec<_> = paths.iter().filter_map(|path| replace_file::follow(path).ok()).collect();
    paths.extend(targets);
    paths.sort();
    paths.dedup();
    paths
}
