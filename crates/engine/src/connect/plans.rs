//! From a person's wish and the present bytes of a client's files to the change that fulfils it.

use std::path::{Path, PathBuf};

use clients::{Entry, LARGEST, Refusal};

use super::{
    change::{Change, FileChange},
    entry::{entry, running, transport},
    rescue,
    scene::{Known, Scene},
    standing::{Look, look_at},
    words,
};
use crate::{
    actions::failed,
    guest,
    journal::{self, Record, Rescued},
    library::digest,
    secret::Secret,
    secrets::Secrets,
    state::Parameter,
    view::{ActionError, ClientChange, ErrorKind, Standing, Transport},
};

/// The change that a person wishes for.
///
/// # Errors
/// When a file cannot be changed safely, or needs no such change.
pub(crate) fn plan(
    scene: &Scene,
    known: &Known,
    wish: &ClientChange,
    secrets: &Secrets,
) -> Result<Change, ActionError> {
    match wish {
        ClientChange::Connect { transport, project, .. } => Target::of(scene, known, project)?.put(*transport, true),
        ClientChange::Disconnect { project } => Target::of(scene, known, project)?.disconnect(),
        ClientChange::Update { transport, project } => Target::of(scene, known, project)?.put(*transport, false),
        ClientChange::Direct { servers, project } => Target::of(scene, known, project)?.direct(servers.as_deref()),
        ClientChange::Rescue { file } => rescue::plan(scene, known, file.as_deref()),
        ClientChange::Undo => undo(scene, known, secrets),
    }
}

/// The way in which our entry would lead the client to us, where a wish adds or changes one.
pub(crate) fn wanted(scene: &Scene, known: &Known, wish: &ClientChange) -> Option<Transport> {
    let (ClientChange::Connect { transport, project, .. } | ClientChange::Update { transport, project }) = wish else {
        return None;
    };
    let present = Target::of(scene, known, project).ok()?.present();
    way(scene, known, transport.or(present), project.is_some()).ok()
}

/// How a client would be connected, when nobody says how.
///
/// # Errors
/// When it cannot be connected in this way.
pub(crate) fn way(
    scene: &Scene,
    known: &Known,
    wished: Option<Transport>,
    project: bool,
) -> Result<Transport, ActionError> {
    let sandboxed = known.custom.is_none() && super::files::in_sandbox(&scene.machine, known.row).is_some();
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

/// The files that a wish is about.
struct Target<'s> {
    scene: &'s Scene,
    known: &'s Known,
    project: Option<&'s Path>,
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
            let message = format!("{name} keeps its servers where no other program can write them.");
            let hints = vec!["Copy our entry and put it there by hand.".to_owned()];
            return Err(ActionError { hints, ..failed(ErrorKind::Refused, message) });
        }
        Ok(Self { scene, known, project, files })
    }

    /// Has our entry stand there as it should. `adds` says whether it may be new.
    fn put(&self, wished: Option<Transport>, adds: bool) -> Result<Change, ActionError> {
        let present = self.present();
        let way = way(self.scene, self.known, wished.or(present), self.project.is_some())?;
        let entry = entry(self.scene, self.known, way)?;
        self.each(&Refusal::Already, |path, current| {
            let look = self.look(path);
            let earlier = look.added();
            let plan = match (&look.standing, current) {
                (Standing::Shared { with }, _) => return Err(self.shared(path, with)),
                (Standing::Different, _) => return Err(self.refused(path, &Refusal::Different)),
                (Standing::Refused { message }, _) => return Err(self.unreadable(path, message)),
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
            let plan = self.judged(path, plan)?;
            Ok(plan.map(|plan| FileChange::adding(path.to_path_buf(), plan, entry.clone(), earlier)))
        })
        .map(|change| Change { notes: self.notes(way), ..change })
    }

    fn disconnect(&self) -> Result<Change, ActionError> {
        self.each(&Refusal::Absent, |path, current| {
            let Some(current) = current else { return Ok(None) };
            let look = self.look(path);
            match &look.standing {
                Standing::Shared { with } => return Err(self.shared(path, with)),
                // An entry that we did not write is not ours to take.
                Standing::Different => return Err(self.refused(path, &Refusal::Different)),
                _ => {}
            }
            let added = look.added();
            let plan = clients::disconnect(self.known.row, current, added.map(|added| &added.undo));
            let plan = self.judged(path, plan)?;
            Ok(plan.map(|plan| FileChange::removing(path.to_path_buf(), plan, added)))
        })
    }

    /// Gives servers entries of their own.
    fn direct(&self, named: Option<&[String]>) -> Result<Change, ActionError> {
        let possible = &self.scene.direct;
        let refuse = |message: String| Err(failed(ErrorKind::Refused, message));
        if let Some(other) = named.unwrap_or_default().iter().find(|name| !possible.contains(name)) {
            return refuse(format!(
                "{other} cannot be started by an entry of its own now. `skilltender servers show {other}` says how it stands."
            ));
        }
        let servers = named.unwrap_or(possible);
        if servers.is_empty() {
            return refuse("No server may run yet that a client could start by an entry of its own.".to_owned());
        }
        way(self.scene, self.known, Some(Transport::Stdio), self.project.is_some())?;
        let mut theirs = Vec::new();
        let change = self.each(&Refusal::Already, |path, current| {
            let (mut after, mut direct) = (current.map(<[u8]>::to_vec), Vec::new());
            for name in servers {
                let entry = running(self.scene, name)?;
                match clients::connect_as(self.known.row, name, after.as_deref(), &entry) {
                    Ok(plan) => after = plan.after,
                    Err(Refusal::Already) => continue,
                    Err(Refusal::Different) => {
                        theirs.push(format!("The file has another entry {name} already, which stays as it is."));
                        continue;
                    }
                    Err(refusal) => return Err(self.refused(path, &refusal)),
                }
                direct.push(Rescued { server: name.clone(), name: name.clone(), entry, secrets: 0 });
            }
            let look = self.look(path);
            let changed = after.filter(|_| !direct.is_empty());
            let before = current.map(<[u8]>::to_vec);
            Ok(changed.map(|after| FileChange {
                direct,
                ..FileChange::beside_ours(path.to_path_buf(), before, after, look.added())
            }))
        })?;
        theirs.push(
            "Their tools do not pass through Skilltender: switches for tools and the record of calls are not for them."
                .to_owned(),
        );
        Ok(Change { notes: theirs, ..change })
    }

    /// How the entry that stands there, or was dropped, leads to us.
    fn present(&self) -> Option<Transport> {
        let mut looks = self.files.iter().map(|path| self.look(path));
        looks.find_map(|look| look.transport.or(look.added().map(|added| transport(&added.entry))))
    }

    /// The change of every file that needs one; `nothing` says why where none does.
    fn each(
        &self,
        nothing: &Refusal,
        mut of_file: impl FnMut(&Path, Option<&[u8]>) -> Result<Option<FileChange>, ActionError>,
    ) -> Result<Change, ActionError> {
        let mut files = Vec::new();
        for path in &self.files {
            let current = guest::read(path, LARGEST as u64)?;
            files.extend(of_file(path, current.as_deref())?);
        }
        if files.is_empty() {
            return Err(self.refused(&self.files[0], nothing));
        }
        let project = self.project.map(Path::to_path_buf);
        Ok(Change { known: self.known.clone(), project, files, notes: Vec::new(), stays: Vec::new() })
    }

    /// A plan, or none where the file is as it should be.
    fn judged<T>(&self, path: &Path, plan: Result<T, Refusal>) -> Result<Option<T>, ActionError> {
        match plan {
            Ok(plan) => Ok(Some(plan)),
            Err(Refusal::Already | Refusal::Absent) => Ok(None),
            Err(refusal) => Err(self.refused(path, &refusal)),
        }
    }

    fn look(&self, path: &Path) -> Look {
        look_at(self.scene, self.known, path, self.project)
    }

    /// What to know before our entry stands there.
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
        shared.into_iter().chain(project).chain((way == Transport::Http).then(token)).collect()
    }

    fn shared(&self, path: &Path, with: &str) -> ActionError {
        let message = format!(
            "The file holds our entry already: it was added for {with}, and {} reads it too. Nothing needs to be written.",
            self.known.name
        );
        refused(self.scene, path, ErrorKind::Refused, message)
    }

    fn refused(&self, path: &Path, refusal: &Refusal) -> ActionError {
        refused(self.scene, path, ErrorKind::Refused, refusal.to_string())
    }

    fn unreadable(&self, path: &Path, message: &str) -> ActionError {
        refused(self.scene, path, ErrorKind::Refused, message.to_owned())
    }
}

fn refused(scene: &Scene, path: &Path, kind: ErrorKind, message: String) -> ActionError {
    ActionError { hints: vec![format!("The file is {}.", scene.machine.place(path))], ..failed(kind, message) }
}

/// The change that takes the last one back: the very bytes of before where nobody edited the file since, and
/// else our entry alone.
fn undo(scene: &Scene, known: &Known, secrets: &Secrets) -> Result<Change, ActionError> {
    let nothing = || failed(ErrorKind::NotFound, format!("Nothing was changed for {} that can be undone.", known.name));
    let data = &scene.machine.data;
    let history = journal::history(data, &known.id);
    let last = history.iter().rev().find(|record| record.before != record.after).ok_or_else(nothing)?;
    if last.back {
        return Err(nothing());
    }
    let mut files = Vec::new();
    for (index, record) in history.iter().enumerate().filter(|(_, record)| record.change == last.change) {
        let earlier = history[..index].iter().rev().find(|earlier| earlier.path == record.path);
        files.extend(undone(scene, known, record, earlier, secrets)?);
    }
    if files.is_empty() {
        return Err(nothing());
    }
    Ok(Change { known: known.clone(), project: last.project.clone(), files, notes: Vec::new(), stays: Vec::new() })
}

/// The change that takes entries of servers out again, of those that still lead to us, from a file that others edited
/// since.
fn taken_out(known: &Known, record: &Record, current: &[u8]) -> Result<Option<FileChange>, Refusal> {
    let mut after = current.to_vec();
    for Rescued { name, entry, .. } in record.direct.iter().rev() {
        match clients::disconnect_as(known.row, name, &after, entry) {
            Ok(rest) => after = rest,
            Err(Refusal::Absent | Refusal::Different) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    let change = FileChange::beside_ours(record.path.clone(), Some(current.to_vec()), after, record.added.as_ref());
    Ok((change.before != change.after).then_some(change))
}

/// The change that has the entries say what they said before their secrets were moved, in a file that others edited
/// since.
fn put_back(known: &Known, record: &Record, current: &[u8], was: &[u8]) -> Result<FileChange, Refusal> {
    let mut after = current.to_vec();
    for Rescued { name, entry, .. } in &record.rescued {
        after = clients::put_back(known.row, &after, name, entry, was)?;
    }
    let change = FileChange::beside_ours(record.path.clone(), Some(current.to_vec()), after, record.added.as_ref());
    Ok(FileChange { back: Some(record.clone()), ..change })
}

fn undone(
    scene: &Scene,
    known: &Known,
    record: &Record,
    earlier: Option<&Record>,
    secrets: &Secrets,
) -> Result<Option<FileChange>, ActionError> {
    let path = &record.path;
    let current = guest::read(path, LARGEST as u64)?;
    let was = earlier.and_then(|earlier| earlier.added.as_ref());
    let secret = |parameter: &Parameter| secrets.read(parameter).ok().flatten();
    let before = journal::before(&scene.machine.data, &known.id, record, secret);
    let kept = before.is_some() == record.before.is_some();
    if kept && current.as_deref().map(digest) == record.after {
        let ours = was.map(|added| (added.entry.clone(), added.undo.clone()));
        let made = record.added.as_ref().or(was).map(|added| added.folders.clone()).unwrap_or_default();
        let back = (!record.rescued.is_empty()).then(|| record.clone());
        let change = FileChange::between(path.clone(), current, before, ours, made);
        return Ok(Some(FileChange { back, ..change }));
    }
    let refuse = |refusal: Refusal| refused(scene, path, ErrorKind::Refused, refusal.to_string());
    if !record.rescued.is_empty() {
        let gone = "The keys are not in the keychain any more, or it does not answer, so they cannot be put back.";
        // A value that would have to be written with escapes is none that was cut out.
        let plain = |secret: &Secret| !secret.expose().contains(|c: char| c.is_control() || "\"'\\".contains(c));
        let now = |parameter: &Parameter| secret(parameter).filter(&plain);
        let was = before.or_else(|| journal::before_now(&scene.machine.data, &known.id, record, now));
        let was = was.ok_or_else(|| refused(scene, path, ErrorKind::Keychain, gone.to_owned()))?;
        return put_back(known, record, current.as_deref().unwrap_or_default(), &was).map(Some).map_err(refuse);
    }
    if let (false, Some(current)) = (record.direct.is_empty(), &current) {
        return taken_out(known, record, current).map_err(refuse);
    }
    let added = record.added.as_ref();
    let adding = |plan, entry: &Entry| FileChange::adding(path.clone(), plan, entry.clone(), added.or(was));
    let change = match (added, was, &current) {
        (Some(added), None, Some(current)) => clients::disconnect(known.row, current, Some(&added.undo))
            .map(|plan| FileChange::removing(path.clone(), plan, Some(added))),
        (Some(added), Some(was), Some(current)) => {
            clients::update(known.row, current, &was.entry, Some(&added.undo)).map(|plan| adding(plan, &was.entry))
        }
        (None, Some(was), current) => {
            clients::connect(known.row, current.as_deref(), &was.entry).map(|plan| adding(plan, &was.entry))
        }
        (Some(_), _, None) | (None, None, _) => return Ok(None),
    };
    match change {
        Ok(change) => Ok(Some(change)),
        Err(Refusal::Already | Refusal::Absent) => Ok(None),
        Err(refusal) => Err(refuse(refusal)),
    }
}
