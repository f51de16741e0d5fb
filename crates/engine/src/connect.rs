//! Where each client stands, and the change that connects it.
//!
//! The pure part – rows, paths, plans – is the crate `clients`; here its values meet the disk. A
//! change is computed from the present bytes of a client's files, shown, and written only while it
//! still is the one that was shown. Each write is in the journal before it is in the file.

mod diff;
mod program;
#[cfg(test)]
mod tests;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clients::{Client, Entry, LARGEST, Plan, Refusal, TABLE, locate};

pub(crate) use self::program::stable_program;
use crate::{
    Engine, Machine, Mode, clock,
    guest::{self, GuestError},
    journal::{self, Added, Record},
    library::digest,
    state::ClientFile,
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
    /// The folders that were made for the file, and go with it.
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

/// What stands in a client's file now.
pub(crate) fn look(machine: &Machine, client: &Client) -> ClientFile {
    let files = files(machine, client);
    let looks: Vec<_> = files.iter().map(|path| standing(machine, client, path)).collect();
    // Of several files, the one that is not as it should be says how the client stands.
    let (standing, written) = looks
        .iter()
        .find(|(standing, _)| *standing != Standing::Added)
        .or(looks.first())
        .cloned()
        .unwrap_or((Standing::Absent, None));
    ClientFile {
        found: files.iter().any(|path| path.exists() || path.parent().is_some_and(Path::is_dir)),
        place: files.first().map(|path| machine.place(path)).unwrap_or_default(),
        standing,
        written,
    }
}

/// The paths of a client's files: those whose folder is there, or else the one that we would make.
pub(crate) fn files(machine: &Machine, client: &Client) -> Vec<PathBuf> {
    let located = locate(client, &machine.places);
    let there = located.iter().flat_map(|path| expand(path)).filter(|path| path.parent().is_some_and(Path::is_dir));
    let there: Vec<_> = there.collect();
    if there.is_empty() { located.into_iter().find(|path| !has_star(path)).into_iter().collect() } else { there }
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
        let kept = journal::keep(&machine.data, client.id, record, before.as_deref())?;
        if let Err(error) = guest::replace(&self.path, before.as_deref(), after.as_deref()) {
            kept.withdraw();
            remove_folders(&folders);
            return Err(error);
        }
        if after.is_none() {
            remove_folders(&self.folders);
        }
        Ok(())
    }
}

fn standing(machine: &Machine, client: &Client, path: &Path) -> (Standing, Option<u64>) {
    let refused = |message: String| (Standing::Refused { message }, None);
    let entry = match entry(machine, client) {
        Ok(entry) => entry,
        Err(error) => return refused(error.message),
    };
    let current = match guest::read(path, LARGEST as u64) {
        Ok(current) => current,
        Err(error) => return refused(error.to_string()),
    };
    let ours = |entry: &Entry| clients::standing(client, current.as_deref(), entry);
    let last = journal::last(&machine.data, client.id, path);
    let added = last.as_ref().and_then(|last| last.added.as_ref());
    match ours(&entry) {
        Err(refusal) => refused(refusal.to_string()),
        Ok(clients::Standing::Absent) => (Standing::Absent, None),
        // An entry that an earlier version of ours wrote is ours too.
        Ok(clients::Standing::Different)
            if !added.is_some_and(|added| ours(&added.entry) == Ok(clients::Standing::Ours)) =>
        {
            (Standing::Different, None)
        }
        Ok(_) => (Standing::Added, last.filter(|last| last.added.is_some()).map(|last| last.time)),
    }
}

/// What we tell a client to run.
fn entry(machine: &Machine, client: &Client) -> Result<Entry, ActionError> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| ActionError {
            kind: ErrorKind::System,
            message: format!("{} cannot be written into a client's file: it is not UTF-8.", path.display()),
            hints: Vec::new(),
        })
    };
    let mut args = ["mcp", "--client", client.id].map(str::to_owned).to_vec();
    if !machine.default_data {
        let data = std::path::absolute(&machine.data).unwrap_or_else(|_| machine.data.clone());
        args.extend(["--home".to_owned(), text(&data)?]);
    }
    Ok(Entry { command: text(&program::program(machine))?, args })
}

fn refused(machine: &Machine, path: &Path, refusal: &Refusal) -> ActionError {
    let hint = format!("The file is {}.", machine.place(path));
    ActionError { kind: ErrorKind::Refused, message: refusal.to_string(), hints: vec![hint] }
}

/// The paths that a path with `*` in the names of its folders stands for.
fn expand(path: &Path) -> Vec<PathBuf> {
    let Some(starred) = path.ancestors().filter(|above| has_star(above)).last() else {
        return vec![path.to_path_buf()];
    };
    let (Some(folder), Some(pattern)) = (starred.parent(), starred.file_name()) else { return Vec::new() };
    let pattern = pattern.to_string_lossy();
    let (start, end) = pattern.split_once('*').unwrap_or((&pattern, ""));
    let rest = path.strip_prefix(starred).unwrap_or(Path::new(""));
    let mut names: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| {
        let name = name.to_string_lossy();
        // A name with a star in it would be a pattern again.
        !name.contains('*') && name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
    });
    names.sort();
    names.iter().flat_map(|name| expand(&folder.join(name).join(rest))).collect()
}

fn has_star(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().contains('*')
}

/// Makes the folders that a file needs, for the user alone, and says which.
fn make_folders(file: &Path) -> Result<Vec<PathBuf>, GuestError> {
    let mut missing: Vec<_> =
        file.ancestors().skip(1).take_while(|above| !above.exists()).map(Path::to_path_buf).collect();
    missing.reverse();
    for folder in &missing {
        make_folder(folder).map_err(|source| GuestError::from_system(folder, source))?;
    }
    Ok(missing)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The inner ones first; one that holds something by now stays.
fn remove_folders(folders: &[PathBuf]) {
    folders.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
}
