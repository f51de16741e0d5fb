//! Turns a requested client change and the current bytes of the client's files into a [`Change`].

use std::path::{Path, PathBuf};

use api::{ActionError, ClientChange, ErrorKind, Standing, Transport, failed};
use clients::{LARGEST, Refusal};
use files::guest;
use secrets::Secret;
use skills::Slot;

use super::{
    change::{Change, FileChange},
    client_files, direct,
    entry::{entry, transport},
    rescue,
    scene::{Known, Scene},
    standing::{Look, look_at},
    undo, words,
};
use crate::file_failed;

/// Looks up a secret that was moved out of a client's file, if it is still in the keychain.
pub type Secrets<'s> = &'s dyn Fn(&Slot) -> Option<Secret>;

/// The change that the user asks for. `secret` is called only to put back secrets that were moved out of the file.
///
/// # Errors
/// When a file cannot be changed safely, or needs no such change.
pub fn plan(scene: &Scene, known: &Known, wish: &ClientChange, secret: Secrets<'_>) -> Result<Change, ActionError> {
    match wish {
        ClientChange::Connect { transport, project, .. } => Target::of(scene, known, project)?.put(*transport, true),
        ClientChange::Disconnect { project } => Target::of(scene, known, project)?.disconnect(),
        ClientChange::Update { transport, project } => Target::of(scene, known, project)?.put(*transport, false),
        ClientChange::Direct { servers, project } => {
            direct::plan(&Target::of(scene, known, project)?, servers.as_deref())
        }
        ClientChange::Rescue { file } => rescue::plan(scene, known, file.as_deref()),
        ClientChange::Undo => undo::undo(scene, known, secret),
        ClientChange::Redo => undo::redo(scene, known, secret),
    }
}

/// The transport of our entry, for a request that adds or changes one.
pub fn wanted(scene: &Scene, known: &Known, wish: &ClientChange) -> Option<Transport> {
    let (ClientChange::Connect { transport, project, .. } | ClientChange::Update { transport, project }) = wish else {
        return None;
    };
    let present = Target::of(scene, known, project).ok()?.present();
    way(scene, known, transport.or(present), project.is_some()).ok()
}

/// Whether other programs cannot write the client's server list.
pub fn takes_no_file(scene: &Scene, known: &Known) -> bool {
    scene.files(known, None).is_empty()
}

/// The transport for a client; `wished` overrides the default.
///
/// # Errors
/// When the client cannot be connected this way.
pub fn way(scene: &Scene, known: &Known, wished: Option<Transport>, project: bool) -> Result<Transport, ActionError> {
    let sandboxed = known.custom.is_none() && client_files::in_sandbox(&scene.machine, known.row).is_some();
    let ways = words::transports(known.row, sandboxed);
    let refuse = |message: String| Err(failed(ErrorKind::Refused, message));
    let name = &known.name;
    match wished.or(ways.first().copied()) {
        None => refuse(format!("{name} takes no servers from a file.")),
        Some(Transport::Http) if project => refuse(format!(
            "The file of a project is shared with others, so no token is written into it. Connect {name} over stdio there, or for yourself."
        )),
        Some(way) if ways.contains(&way) => Ok(way),
        Some(Transport::Stdio) if sandboxed => {
            refuse(format!("{name} runs in a sandbox and cannot start programs. Connect it over HTTP."))
        }
        Some(Transport::Stdio) => refuse(format!("{name} cannot start programs. Connect it over HTTP.")),
        Some(Transport::Http) => refuse(format!("{name} takes no addresses from its file. Connect it over stdio.")),
    }
}

/// The files that a request affects.
pub(super) struct Target<'s> {
    pub(super) scene: &'s Scene,
    pub(super) known: &'s Known,
    pub(super) project: Option<&'s Path>,
    files: Vec<PathBuf>,
}

impl<'s> Target<'s> {
    fn of(scene: &'s Scene, known: &'s Known, project: &'s Option<String>) -> Result<Self, ActionError> {
        let project = project.as_deref().map(Path::new);
        let name = &known.name;
        if let Some(folder) = project {
            if known.custom.is_some() || known.row.project.is_empty() {
                let message = format!("{name} reads no file of a project. Connect it for yourself.");
                return Err(failed(ErrorKind::Refused, message));
            }
            if !folder.is_absolute() || !folder.is_dir() {
                let message = format!("{} is no folder of a project: name one by its whole path.", folder.display());
                return Err(failed(ErrorKind::Input, message));
            }
        }
        let files = scene.files(known, project);
        if files.is_empty() {
            return Err(by_hand(scene, known));
        }
        Ok(Self { scene, known, project, files })
    }

    /// Makes our entry current. `adds` says whether it may be new.
    fn put(&self, wished: Option<Transport>, adds: bool) -> Result<Change, ActionError> {
        let present = self.present();
        let way = way(self.scene, self.known, wished.or(present), self.project.is_some())?;
        if let Some(trouble) = self.scene.stranger().filter(|_| way == Transport::Http) {
            let message = format!(
                "{} is not connected over HTTP now: its token would go to another program. {trouble}",
                self.known.name
            );
            return Err(failed(ErrorKind::Refused, message));
        }
        let entry = entry(self.scene, self.known, way)?;
        self.each(
            || self.so_already(&Refusal::Already),
            |path, current| {
                let look = self.look(path);
                let earlier = look.added();
                let plan = match (&look.standing, current) {
                    (Standing::Shared { with }, _) => return Err(self.shared(path, with)),
                    (Standing::Different, _) => return Err(self.refused(path, &Refusal::Different)),
                    (Standing::Refused { message }, _) => return Err(self.refused(path, message)),
                    (Standing::Absent, _) if !adds && present.is_none() => {
                        return Err(self.refused(path, &Refusal::Absent));
                    }
                    (Standing::Absent | Standing::Dropped { .. }, _) | (_, None) => {
                        clients::connect(self.known.row, current, &entry)
                    }
                    (_, Some(current)) => {
                        clients::update(self.known.row, current, &entry, earlier.map(|added| &added.undo))
                    }
                };
                Ok(match self.judged(path, plan)? {
                    Some(plan) => Some(FileChange::adding(path.to_path_buf(), plan, entry.clone(), earlier)),
                    None => current.and_then(|now| FileChange::narrowing(path.to_path_buf(), now, &entry, earlier)),
                })
            },
        )
        .map(|change| Change { notes: self.notes(way), ..change })
    }

    /// Removes our entry and the servers' own entries.
    fn disconnect(&self) -> Result<Change, ActionError> {
        self.each(
            || self.so_already(&Refusal::Absent),
            |path, current| {
                let Some(current) = current else { return Ok(None) };
                let look = self.look(path);
                let ours = match &look.standing {
                    Standing::Absent | Standing::Dropped { .. } if look.direct.is_empty() => return Ok(None),
                    Standing::Shared { with } if look.direct.is_empty() => {
                        return Err(self.refused(path, &words::shared_out(with)));
                    }
                    // An entry that we did not write is not ours to remove.
                    Standing::Different if look.direct.is_empty() => {
                        return Err(self.refused(path, &Refusal::Different));
                    }
                    Standing::Refused { message } => return Err(self.refused(path, message)),
                    standing => direct::is_ours(standing),
                };
                let removed = direct::removed(self.scene, self.known, path, current, &look, ours);
                removed.map(Some).map_err(|refusal| self.refused(path, &refusal))
            },
        )
    }

    /// The transport of our entry, present or dropped.
    fn present(&self) -> Option<Transport> {
        let mut looks = self.files.iter().map(|path| self.look(path));
        looks.find_map(|look| look.transport.or(look.added().map(|added| transport(&added.entry))))
    }

    /// The change of every file that needs one; `nothing` is the error when none does.
    pub(super) fn each(
        &self,
        nothing: impl FnOnce() -> ActionError,
        mut of_file: impl FnMut(&Path, Option<&[u8]>) -> Result<Option<FileChange>, ActionError>,
    ) -> Result<Change, ActionError> {
        let mut files = Vec::new();
        for path in &self.files {
            let current = guest::read(path, LARGEST as u64).map_err(file_failed)?;
            files.extend(of_file(path, current.as_deref())?);
        }
        if files.is_empty() {
            return Err(nothing());
        }
        Ok(Change::of(self.known, self.project.map(Path::to_path_buf), files))
    }

    /// A plan, or `None` if the file is already correct.
    fn judged<T>(&self, path: &Path, plan: Result<T, Refusal>) -> Result<Option<T>, ActionError> {
        match plan {
            Ok(plan) => Ok(Some(plan)),
            Err(Refusal::Already | Refusal::Absent) => Ok(None),
            Err(refusal) => Err(self.refused(path, &refusal)),
        }
    }

    pub(super) fn look(&self, path: &Path) -> Look {
        look_at(self.scene, self.known, path, self.project)
    }

    /// Notes to show before our entry is written.
    fn notes(&self, way: Transport) -> Vec<String> {
        let also = self.files.iter().flat_map(|path| self.scene.sharing(self.known, path, self.project));
        let also: Vec<_> = also.map(|other| other.name.as_str()).collect();
        let shared = (!also.is_empty()).then(|| {
            let reads = if also.len() == 1 { "reads" } else { "read" };
            format!("{} {reads} this file too, and would start our entry as {}.", words::listed(&also), self.known.name)
        });
        let path = || {
            "The entry names a program of this computer: on others it works where Skilltender is installed in the same place.".to_owned()
        };
        let project = self.project.is_some().then(path);
        let token = || {
            "The file then holds a token that opens Skilltender on this computer. Whoever reads the file can use it here.".to_owned()
        };
        let notes = self.absent().into_iter().chain(shared).chain(project);
        notes.chain((way == Transport::Http).then(token)).collect()
    }

    /// A note that the client is not installed, if that is so.
    pub(super) fn absent(&self) -> Option<String> {
        let here = match &self.known.custom {
            Some(path) => path.parent().is_some_and(Path::is_dir),
            None => client_files::is_found(&self.scene.machine, self.known.row),
        };
        let name = &self.known.name;
        (!here).then(|| format!("{name} was not found on this computer. The entry waits there until it is."))
    }

    fn shared(&self, path: &Path, with: &str) -> ActionError {
        let message = format!(
            "The file holds our entry already: it was added for {with}, and {} reads it too. Nothing needs to be written.",
            self.known.name
        );
        refused(self.scene, path, ErrorKind::Already, message)
    }

    /// The error that nothing needs to be done, with the reason.
    pub(super) fn so_already(&self, why: &impl ToString) -> ActionError {
        let places = self.files.iter().map(|path| self.scene.machine.place(path)).collect::<Vec<_>>().join(", ");
        let hints = vec![format!("The file is {places}.")];
        ActionError { hints, ..failed(ErrorKind::Already, why.to_string()) }
    }

    pub(super) fn refused(&self, path: &Path, why: &impl ToString) -> ActionError {
        refused(self.scene, path, ErrorKind::Refused, why.to_string())
    }
}

pub(super) fn refused(scene: &Scene, path: &Path, kind: ErrorKind, message: String) -> ActionError {
    ActionError { hints: vec![format!("The file is {}.", scene.machine.place(path))], ..failed(kind, message) }
}

/// The error that the user has to add our entry by hand, with the entry.
fn by_hand(scene: &Scene, known: &Known) -> ActionError {
    let message = format!("{} keeps its servers where no other program can write them.", known.name);
    let entry = way(scene, known, None, false).and_then(|way| entry(scene, known, way));
    let where_to = known.row.pitfalls.iter().map(|pitfall| (*pitfall).to_owned());
    let entry = entry.ok().and_then(|entry| clients::one_line(known.row, &entry).ok());
    let entry = entry.map(|entry| format!("This is the entry: {entry}"));
    ActionError { hints: where_to.chain(entry).collect(), ..failed(ErrorKind::Refused, message) }
}
