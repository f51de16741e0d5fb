//! A change of one client's files: identified by its bytes, shown, and written exactly as shown.

use std::path::{Path, PathBuf};

use api::{ConnectPlan, DiffLine, DiffSign, PlanFile, StayingSecret};
use clients::{Entry, Plan, Switched, Undo};
use files::{
    digest,
    replace_file::{self, ReplaceError},
};
use machine::{Machine, clock, processes};
use secrets::Secret;
use skills::Slot;

use super::{
    client_files::{make_folders, remove_folders},
    context::{ClientContext, KnownClient},
    diff, labels,
    moving::Moving,
};
use crate::journal::{self, Added, Record, Rescued, Turn};

/// The change of one client's files. On Windows there may be several files, of which the client reads one.
#[derive(Debug)]
pub struct Change {
    pub(super) known: KnownClient,
    /// The folder of the project that the file belongs to.
    pub(super) project: Option<PathBuf>,
    pub(super) files: Vec<FileChange>,
    /// Notes to show before it is written, as sentences.
    pub(super) notes: Vec<String>,
    /// Secrets that it leaves in plain text, and why.
    pub(super) stays: Vec<StayingSecret>,
    /// The earlier change that it undoes or redoes.
    pub(super) turn: Option<Turn>,
}

/// The change of one file.
#[derive(Debug)]
pub(super) struct FileChange {
    pub(super) path: PathBuf,
    /// The bytes that it was computed from; `None` when the file does not exist.
    pub(super) before: Option<Vec<u8>>,
    /// The bytes afterwards; `None` when the file is removed.
    pub(super) after: Option<Vec<u8>>,
    /// Our entry in the file afterwards.
    pub(super) ours: Option<(Entry, Undo)>,
    /// The folders that we created for the file earlier; they are removed with it.
    pub(super) folders: Vec<PathBuf>,
    /// The servers whose secrets it moves to the keychain.
    pub(super) moves: Vec<Moving>,
    /// The servers that get an entry of their own.
    pub(super) direct: Vec<Rescued>,
    /// The switches of skills that it writes.
    pub(super) switched: Vec<Switched>,
    /// The change that moved secrets, when this one undoes it.
    pub(super) back: Option<Record>,
    /// The file's current mode, and the mode that it gets.
    pub(super) mode: Option<(u32, u32)>,
}

impl FileChange {
    /// The change from one text to another that leaves `ours` in the file.
    pub(super) fn between(
        path: PathBuf,
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
        ours: Option<(Entry, Undo)>,
        folders: Vec<PathBuf>,
    ) -> Self {
        Self {
            path,
            before,
            after,
            ours,
            folders,
            moves: Vec::new(),
            direct: Vec::new(),
            switched: Vec::new(),
            back: None,
            mode: None,
        }
    }

    /// A change elsewhere in the file that leaves our entry as it is.
    pub(super) fn beside_ours(path: PathBuf, before: Option<Vec<u8>>, after: Vec<u8>, earlier: Option<&Added>) -> Self {
        let ours = earlier.map(|added| (added.entry.clone(), added.undo.clone()));
        Self::between(path, before, Some(after), ours, folders(earlier))
    }

    /// The change that writes `entry` to the file. A file with a token becomes readable by its user alone.
    pub(super) fn adding(path: PathBuf, plan: Plan, entry: Entry, earlier: Option<&Added>) -> Self {
        let mode = matches!(entry, Entry::Http { .. }).then(|| narrower(&path)).flatten();
        let ours = Some((entry, plan.undo()));
        Self { mode, ..Self::between(path, plan.before, plan.after, ours, folders(earlier)) }
    }

    /// The change of a file whose token is correct but that others can read; `None` when they cannot.
    pub(super) fn narrowing(path: PathBuf, current: &[u8], entry: &Entry, earlier: Option<&Added>) -> Option<Self> {
        let mode = matches!(entry, Entry::Http { .. }).then(|| narrower(&path)).flatten()?;
        let change = Self::beside_ours(path, Some(current.to_vec()), current.to_vec(), earlier);
        Some(Self { mode: Some(mode), ..change })
    }

    /// Whether the change has no effect.
    pub(super) fn is_done(&self) -> bool {
        self.before == self.after && self.mode.is_none()
    }

    /// The lines of the change, without the secrets and tokens in them.
    fn lines(&self, known: &KnownClient, tokens: &[String]) -> Vec<DiffLine> {
        let texts = [&self.before, &self.after].map(|bytes| bytes.as_deref().unwrap_or_default());
        let ranges = texts.map(|bytes| {
            let servers = clients::secret_ranges(known.row, bytes).unwrap_or_default();
            // Settings hold more than servers: a variable with a key may stand beside the line that changes.
            let named = if self.switched.is_empty() { Vec::new() } else { clients::named_secrets(bytes) };
            [servers, named].concat()
        });
        let values =
            texts.iter().zip(&ranges).flat_map(|(bytes, ranges)| ranges.iter().map(|range| &bytes[range.clone()]));
        // A value hidden in one text is hidden in both: it may occur in a comment of the other.
        let bearers = texts.iter().flat_map(|bytes| diff::bearers(bytes));
        let values: Vec<_> = values.chain(bearers).chain(tokens.iter().map(String::as_bytes)).collect();
        let [before, after] = [0, 1].map(|at| diff::masked(texts[at], &ranges[at], &values));
        diff::lines(before, after)
    }

    /// The secrets that it moves.
    pub(super) fn secrets(&self) -> Vec<(Slot, Secret)> {
        let file = self.before.as_deref().unwrap_or_default();
        self.moves.iter().flat_map(|moving| moving.secrets(file)).collect()
    }

    /// A sentence on how the change affects who may read the file.
    fn about_mode(&self) -> Option<String> {
        let (before, after) = self.mode?;
        Some(match after & 0o077 {
            0 => format!(
                "Others on this computer may read this file now (mode {before:04o}). With the token in it, it is for you \
                 alone ({after:04o}); undoing gives the mode back."
            ),
            _ => format!("The file gets back the mode that it had ({after:04o})."),
        })
    }

    fn kind(&self) -> PlanFile {
        match (&self.before, &self.after) {
            (None, _) => PlanFile::Created,
            (_, None) => PlanFile::Deleted,
            _ => PlanFile::Changed,
        }
    }

    fn write(&self, machine: &Machine, of: &Change, change: &str) -> Result<(), ReplaceError> {
        let made = if self.after.is_some() { make_folders(&self.path)? } else { Vec::new() };
        let folders: Vec<_> =
            self.folders.iter().filter(|folder| !made.contains(folder)).chain(&made).cloned().collect();
        let added = self.ours.clone().map(|(entry, undo)| Added { entry, undo, folders: folders.clone() });
        let (before, after) = (self.before.as_deref(), self.after.as_deref());
        let (left, cut) = journal::cut(before.unwrap_or_default(), Vec::new(), &self.secrets());
        let record = Record {
            path: self.path.clone(),
            time: clock::now(),
            before: before.map(digest),
            after: after.map(digest),
            added,
            change: change.to_owned(),
            project: of.project.clone(),
            cut,
            rescued: self.moves.iter().map(Moving::record).collect(),
            direct: self.direct.clone(),
            switched: self.switched.clone(),
            folders,
            turn: of.turn.clone(),
            back: self.back.is_some(),
            mode: self.mode.map(|(before, _)| before),
        };
        let mode = self.mode.map(|(_, after)| after);
        let written =
            journal::keep(&machine.data, &of.known.id, record, before.map(|_| left.as_slice())).and_then(|kept| {
                replace_file::replace_as(&self.path, before, after, mode).inspect_err(|_| kept.withdraw())
            });
        match &written {
            Err(_) => remove_folders(&made),
            Ok(()) if after.is_none() => remove_folders(&self.folders),
            Ok(()) => {}
        }
        written
    }
}

/// The mode of a file that others can read, and the mode that it should have.
fn narrower(path: &Path) -> Option<(u32, u32)> {
    replace_file::mode(path).filter(|mode| mode & 0o077 != 0).map(|mode| (mode, mode & 0o700))
}

/// The folders that were created for a file when our entry was added.
pub(super) fn folders(earlier: Option<&Added>) -> Vec<PathBuf> {
    earlier.map(|added| added.folders.clone()).unwrap_or_default()
}

impl Change {
    /// The change of these files, without notes.
    pub(super) fn of(known: &KnownClient, project: Option<PathBuf>, files: Vec<FileChange>) -> Self {
        Self { known: known.clone(), project, files, notes: Vec::new(), stays: Vec::new(), turn: None }
    }

    /// Identifies exactly this change of exactly these bytes.
    pub fn id(&self) -> String {
        let bytes = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(digest);
        let parts: Vec<_> =
            self.files.iter().map(|file| (&file.path, bytes(&file.before), bytes(&file.after), file.mode)).collect();
        digest(format!("{} {parts:?}", self.known.id).as_bytes())
    }

    /// The change as the user sees it.
    pub fn shown(&self, context: &ClientContext) -> ConnectPlan {
        let places: Vec<_> = self.files.iter().map(|file| context.machine.place(&file.path)).collect();
        let tokens = context.tokens();
        let lines: Vec<_> = self.files.iter().flat_map(|file| file.lines(&self.known, &tokens)).collect();
        let count = |sign| u32::try_from(lines.iter().filter(|line| line.sign == sign).count()).unwrap_or(u32::MAX);
        ConnectPlan {
            client: self.known.id.clone(),
            id: self.id(),
            place: places.join(", "),
            file: self.files.first().map_or(PlanFile::Changed, FileChange::kind),
            added: count(DiffSign::Added),
            removed: count(DiffSign::Removed),
            lines,
            notes: self.notes.iter().cloned().chain(self.files.iter().filter_map(FileChange::about_mode)).collect(),
            reload: labels::reload(&self.known),
            rewrites: self.writes_entries() && self.may_be_lost(&context.machine),
            moves: self.moves().flat_map(Moving::shown).collect(),
            stays: self.stays.clone(),
        }
    }

    /// The servers whose secrets it moves.
    pub fn moves(&self) -> impl Iterator<Item = &Moving> {
        self.files.iter().flat_map(|file| &file.moves)
    }

    /// The secrets that it moves.
    pub fn secrets(&self) -> Vec<(Slot, Secret)> {
        self.files.iter().flat_map(FileChange::secrets).collect()
    }

    /// The changes that moved secrets and that this one undoes.
    pub fn back(&self) -> impl Iterator<Item = &Record> {
        self.files.iter().filter_map(|file| file.back.as_ref())
    }

    /// The client's id.
    pub fn client(&self) -> &str {
        &self.known.id
    }

    /// The client itself.
    pub fn known(&self) -> &KnownClient {
        &self.known
    }

    /// The folder of the project that the file belongs to.
    pub fn project(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// Whether the client is running and may overwrite our entry.
    pub fn is_at_risk(&self, machine: &Machine) -> bool {
        self.adds() && self.may_be_lost(machine)
    }

    fn may_be_lost(&self, machine: &Machine) -> bool {
        labels::rewrites(&self.known) && processes::runs(machine, self.known.row.processes)
    }

    /// Whether the files afterwards contain entries that start Skilltender: our own, or those of servers.
    fn writes_entries(&self) -> bool {
        self.adds() || self.files.iter().any(|file| !file.moves.is_empty() || !file.direct.is_empty())
    }

    /// Whether the files afterwards contain our entry.
    pub fn adds(&self) -> bool {
        self.files.iter().any(|file| file.ours.is_some())
    }

    /// Whether the entry runs our program.
    pub fn runs_program(&self) -> bool {
        let ours = |file: &FileChange| matches!(file.ours, Some((Entry::Stdio { .. }, _)));
        self.files.iter().any(|file| ours(file) || !file.moves.is_empty() || !file.direct.is_empty())
    }

    /// The token in the files afterwards.
    pub fn token(&self) -> Option<&str> {
        self.files.iter().find_map(|file| match &file.ours {
            Some((Entry::Http { token, .. }, _)) => Some(token.as_str()),
            _ => None,
        })
    }

    /// The files that it changes.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// Writes the change. A file that changed since it was shown is not written, nor are the files after it.
    ///
    /// # Errors
    /// When a file changed since it was shown, may not be written, or the disk refuses.
    pub fn write(&self, machine: &Machine) -> Result<(), ReplaceError> {
        let change = format!("{}-{}", clock::now(), &self.id()[..16]);
        self.files.iter().try_for_each(|file| file.write(machine, self, &change))
    }
}
