//! Where each client stands, and the change that connects it.
//!
//! The pure part – rows, paths, plans – is the crate `clients`; here its values meet the disk. A
//! change is computed from the present bytes of a client's files, shown, and written only while it
//! still is the one that was shown. Each write is in the journal before it is in the file.

mod diff;
mod files;
mod program;
mod standing;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clients::{Client, Entry, LARGEST, Plan, Refusal, TABLE};

pub(crate) use self::{files::files, program::stable_program, standing::look};
use self::{
    files::{make_folders, remove_folders},
    standing::standing,
};
use crate::{
    Engine, Machine, Mode,
    actions::failed,
    clock,
    guest::{self, GuestError},
    journal::{self, Added, Record},
    library::digest,
    view::{ActionError, ConnectPlan, DiffLine, DiffSign, ErrorKind, PlanFile, Standing},
};

/// The change of one client's files. On Windows there may be several, of which the client reads one.
#[derive(Debug)]
pub(crate) struct Change {
    client: &'static Client,
    files: Vec<FileChange>,
}

#[derive(Debug)]
struct FileChange {
    path: PathBuf,
    plan: Plan,
    /// The entry that is added; nothing when ours is taken out.
    entry: Option<Entry>,
    /// The folders that were made for the file when our entry was added, and go with it.
    folders: Vec<PathBuf>,
}

/// Looks at every client's file now, and again whenever one changes. An engine that writes also
/// renews the program that clients were told to run.
pub(crate) fn watch(engine: &Engine) {
    for client in TABLE {
        let look_now = move |engine: &Engine| {
            let file = look(engine.machine(), client);
            engine.tell(move |state| state.client(client.id).file = Some(file));
        };
        look_now(engine);
        for path in files(engine.machine(), client) {
            let target = guest::follow(&path).ok().filter(|target| *target != path);
            for path in target.into_iter().chain([path]) {
                engine.watch_file(&path, look_now);
            }
        }
    }
    if *engine.mode() == Mode::Writing
        && let Err(error) = program::renew(engine.machine())
    {
        let message = format!("Clients run an older skilltender: it could not be renewed ({error}).");
        engine.tell(move |state| state.notice("program", message));
    }
}

/// The change that adds our entry.
pub(crate) fn to_connect(machine: &Machine, client: &'static Client) -> Result<Change, ActionError> {
    let entry = entry(machine, client)?;
    let mut changes = Vec::new();
    for path in files(machine, client) {
        let current = guest::read(&path, LARGEST as u64)?;
        match clients::connect(client, current.as_deref(), &entry) {
            Ok(plan) => changes.push(FileChange { path, plan, entry: Some(entry.clone()), folders: Vec::new() }),
            Err(Refusal::Already) => {}
            Err(refusal) => return Err(refused(machine, &path, &refusal)),
        }
    }
    Change::of(machine, client, changes, &Refusal::Already)
}

/// The change that takes our entry out again.
pub(crate) fn to_disconnect(machine: &Machine, client: &'static Client) -> Result<Change, ActionError> {
    let mut changes = Vec::new();
    for path in files(machine, client) {
        let Some(current) = guest::read(&path, LARGEST as u64)? else { continue };
        let added = journal::last(&machine.data, client.id, &path).and_then(|record| record.added);
        // An entry that we did not write is not ours to take.
        if added.is_none() && standing(machine, client, &path).0 == Standing::Different {
            return Err(refused(machine, &path, &Refusal::Different));
        }
        match clients::disconnect(client, &current, added.as_ref().map(|added| &added.undo)) {
            Ok(plan) => {
                let folders = added.map(|added| added.folders).unwrap_or_default();
                changes.push(FileChange { path, plan, entry: None, folders });
            }
            Err(Refusal::Absent) => {}
            Err(refusal) => return Err(refused(machine, &path, &refusal)),
        }
    }
    Change::of(machine, client, changes, &Refusal::Absent)
}

impl Change {
    fn of(
        machine: &Machine,
        client: &'static Client,
        files: Vec<FileChange>,
        nothing: &Refusal,
    ) -> Result<Self, ActionError> {
        if files.is_empty() {
            let path = self::files(machine, client).into_iter().next().unwrap_or_default();
            return Err(refused(machine, &path, nothing));
        }
        Ok(Self { client, files })
    }

    /// Names exactly this change of exactly these bytes.
    pub(crate) fn id(&self) -> String {
        let bytes = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(digest);
        let parts: Vec<_> =
            self.files.iter().map(|file| (&file.path, bytes(&file.plan.before), bytes(&file.plan.after))).collect();
        digest(format!("{} {parts:?}", self.client.id).as_bytes())
    }

    /// The change as a person is shown it.
    pub(crate) fn shown(&self, machine: &Machine) -> ConnectPlan {
        let places: Vec<_> = self.files.iter().map(|file| machine.place(&file.path)).collect();
        let lines: Vec<_> = self.files.iter().flat_map(FileChange::lines).collect();
        let count = |sign| u32::try_from(lines.iter().filter(|line| line.sign == sign).count()).unwrap_or(u32::MAX);
        ConnectPlan {
            client: self.client.id.to_owned(),
            id: self.id(),
            place: places.join(", "),
            file: self.files.first().map_or(PlanFile::Changed, FileChange::kind),
            added: count(DiffSign::Added),
            removed: count(DiffSign::Removed),
            lines,
        }
    }

    /// Writes it. A file that changed meanwhile is left alone, and so are those after it.
    pub(crate) fn write(&self, machine: &Machine) -> Result<(), GuestError> {
        self.files.iter().try_for_each(|file| file.write(machine, self.client))
    }
}

impl FileChange {
    fn lines(&self) -> Vec<DiffLine> {
        diff::lines(self.plan.before.as_deref().unwrap_or_default(), self.plan.after.as_deref().unwrap_or_default())
    }

    fn kind(&self) -> PlanFile {
        match (&self.plan.before, &self.plan.after) {
            (None, _) => PlanFile::Created,
            (_, None) => PlanFile::Deleted,
            _ => PlanFile::Changed,
        }
    }

    fn write(&self, machine: &Machine, client: &Client) -> Result<(), GuestError> {
        let Plan { before, after, .. } = &self.plan;
        let folders = make_folders(&self.path)?;
        let added = self.entry.clone().map(|entry| Added { entry, undo: self.plan.undo(), folders: folders.clone() });
        let record = Record {
            path: self.path.clone(),
            time: clock::now(),
            before: before.as_deref().map(digest),
            after: after.as_deref().map(digest),
            added,
        };
        let written = journal::keep(&machine.data, client.id, record, before.as_deref()).and_then(|kept| {
            guest::replace(&self.path, before.as_deref(), after.as_deref()).inspect_err(|_| kept.withdraw())
        });
        match &written {
            Err(_) => remove_folders(&folders),
            Ok(()) if after.is_none() => remove_folders(&self.folders),
            Ok(()) => {}
        }
        written
    }
}

fn refused(machine: &Machine, path: &Path, refusal: &Refusal) -> ActionError {
    let hint = format!("The file is {}.", machine.place(path));
    ActionError { kind: ErrorKind::Refused, message: refusal.to_string(), hints: vec![hint] }
}

/// What we tell a client to run.
fn entry(machine: &Machine, client: &Client) -> Result<Entry, ActionError> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| {
            let message = format!("{} cannot be written into a client's file: it is not UTF-8.", path.display());
            failed(ErrorKind::System, message)
        })
    };
    let mut args = ["mcp", "--client", client.id].map(str::to_owned).to_vec();
    if !machine.default_data {
        let data = std::path::absolute(&machine.data).unwrap_or_else(|_| machine.data.clone());
        args.extend(["--home".to_owned(), text(&data)?]);
    }
    Ok(Entry::Stdio { command: text(&program::program(machine))?, args })
}
