//! A change of one client's files: named by its bytes, shown, and written as it was shown.

use std::path::{Path, PathBuf};

use clients::{Entry, Plan, Undo};

use super::{
    diff,
    files::{make_folders, remove_folders},
    rescue::Moving,
    scene::{Known, Scene},
    words,
};
use crate::{
    Machine, clock,
    guest::{self, GuestError},
    journal::{self, Added, Record, Rescued, Turn},
    library::digest,
    processes,
    secret::Secret,
    state::Parameter,
    view::{ConnectPlan, DiffLine, DiffSign, PlanFile, StayingSecret},
};

/// The change of one client's files. On Windows there may be several, of which the client reads one.
#[derive(Debug)]
pub(crate) struct Change {
    pub(super) known: Known,
    /// The folder of the project whose file it is.
    pub(super) project: Option<PathBuf>,
    pub(super) files: Vec<FileChange>,
    /// What to know before it is written, as sentences.
    pub(super) notes: Vec<String>,
    /// Secrets in plain text that it leaves where they are, and why.
    pub(super) stays: Vec<StayingSecret>,
    /// The earlier change that it takes back or makes again.
    pub(super) turn: Option<Turn>,
}

/// The change of one file.
#[derive(Debug)]
pub(super) struct FileChange {
    pub(super) path: PathBuf,
    /// The bytes that it was computed from; nothing when there is no file.
    pub(super) before: Option<Vec<u8>>,
    /// The bytes afterwards; nothing when the file goes.
    pub(super) after: Option<Vec<u8>>,
    /// What is ours in there afterwards.
    pub(super) ours: Option<(Entry, Undo)>,
    /// The folders that we made for the file earlier: they go when it does.
    pub(super) folders: Vec<PathBuf>,
    /// The servers whose secrets it moves to the keychain.
    pub(super) moves: Vec<Moving>,
    /// The servers that it gives an entry of their own.
    pub(super) direct: Vec<Rescued>,
    /// The change that moved secrets and that it takes back.
    pub(super) back: Option<Record>,
    /// The mode that the file has, and the one that it gets.
    pub(super) mode: Option<(u32, u32)>,
}

impl FileChange {
    /// The change from one text to another that leaves `ours` there.
    pub(super) fn between(
        path: PathBuf,
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
        ours: Option<(Entry, Undo)>,
        folders: Vec<PathBuf>,
    ) -> Self {
        Self { path, before, after, ours, folders, moves: Vec::new(), direct: Vec::new(), back: None, mode: None }
    }

    /// The change beside our entry, which stays as it is.
    pub(super) fn beside_ours(path: PathBuf, before: Option<Vec<u8>>, after: Vec<u8>, earlier: Option<&Added>) -> Self {
        let ours = earlier.map(|added| (added.entry.clone(), added.undo.clone()));
        Self::between(path, before, Some(after), ours, folders(earlier))
    }

    /// The change that leaves `entry` in the file. One with a token is for its user alone from then on.
    pub(super) fn adding(path: PathBuf, plan: Plan, entry: Entry, earlier: Option<&Added>) -> Self {
        let open = matches!(entry, Entry::Http { .. }).then(|| guest::mode(&path)).flatten();
        let mode = open.filter(|mode| mode & 0o077 != 0).map(|mode| (mode, mode & 0o700));
        let ours = Some((entry, plan.undo()));
        Self { mode, ..Self::between(path, plan.before, plan.after, ours, folders(earlier)) }
    }

    /// The lines of the change, without the secrets and tokens that stand in them.
    fn lines(&self, known: &Known, tokens: &[String]) -> Vec<DiffLine> {
        let texts = [&self.before, &self.after].map(|bytes| bytes.as_deref().unwrap_or_default());
        let ranges = texts.map(|bytes| clients::secret_ranges(known.row, bytes).unwrap_or_default());
        let values =
            texts.iter().zip(&ranges).flat_map(|(bytes, ranges)| ranges.iter().map(|range| &bytes[range.clone()]));
        // What is hidden in one is hidden in the other: it may stand in a comment there.
        let bearers = texts.iter().flat_map(|bytes| diff::bearers(bytes));
        let values: Vec<_> = values.chain(bearers).chain(tokens.iter().map(String::as_bytes)).collect();
        let [before, after] = [0, 1].map(|at| diff::masked(texts[at], &ranges[at], &values));
        diff::lines(before, after)
    }

    /// The secrets that it moves.
    pub(super) fn secrets(&self) -> Vec<(Parameter, Secret)> {
        let file = self.before.as_deref().unwrap_or_default();
        self.moves.iter().flat_map(|moving| moving.secrets(file)).collect()
    }

    /// What becomes of who may read the file.
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

    fn write(&self, machine: &Machine, of: &Change, change: &str) -> Result<(), GuestError> {
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
            folders,
            turn: of.turn.clone(),
            back: self.back.is_some(),
            mode: self.mode.map(|(before, _)| before),
        };
        let mode = self.mode.map(|(_, after)| after);
        let written = journal::keep(&machine.data, &of.known.id, record, before.map(|_| left.as_slice()))
            .and_then(|kept| guest::replace_as(&self.path, before, after, mode).inspect_err(|_| kept.withdraw()));
        match &written {
            Err(_) => remove_folders(&made),
            Ok(()) if after.is_none() => remove_folders(&self.folders),
            Ok(()) => {}
        }
        written
    }
}

/// The folders that were made for a file when our entry came there.
pub(super) fn folders(earlier: Option<&Added>) -> Vec<PathBuf> {
    earlier.map(|added| added.folders.clone()).unwrap_or_default()
}

impl Change {
    /// The change of these files, without anything to know before.
    pub(super) fn of(known: &Known, project: Option<PathBuf>, files: Vec<FileChange>) -> Self {
        Self { known: known.clone(), project, files, notes: Vec::new(), stays: Vec::new(), turn: None }
    }

    /// Names exactly this change of exactly these bytes.
    pub(crate) fn id(&self) -> String {
        let bytes = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(digest);
        let parts: Vec<_> =
            self.files.iter().map(|file| (&file.path, bytes(&file.before), bytes(&file.after), file.mode)).collect();
        digest(format!("{} {parts:?}", self.known.id).as_bytes())
    }

    /// The change as a person is shown it.
    pub(crate) fn shown(&self, scene: &Scene) -> ConnectPlan {
        let places: Vec<_> = self.files.iter().map(|file| scene.machine.place(&file.path)).collect();
        let tokens = scene.tokens();
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
            reload: words::reload(&self.known),
            rewrites: self.writes_entries() && self.may_be_lost(&scene.machine),
            moves: self.moves().flat_map(Moving::shown).collect(),
            stays: self.stays.clone(),
        }
    }

    /// The servers whose secrets it moves.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &Moving> {
        self.files.iter().flat_map(|file| &file.moves)
    }

    /// The secrets that it moves.
    pub(crate) fn secrets(&self) -> Vec<(Parameter, Secret)> {
        self.files.iter().flat_map(FileChange::secrets).collect()
    }

    /// The changes that moved secrets and that it takes back.
    pub(crate) fn back(&self) -> impl Iterator<Item = &Record> {
        self.files.iter().filter_map(|file| file.back.as_ref())
    }

    /// The client's id.
    pub(crate) fn client(&self) -> &str {
        &self.known.id
    }

    /// The folder of the project whose file it is.
    pub(crate) fn project(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// Whether the client runs now and may write over our entry.
    pub(crate) fn is_at_risk(&self, machine: &Machine) -> bool {
        self.adds() && self.may_be_lost(machine)
    }

    fn may_be_lost(&self, machine: &Machine) -> bool {
        words::rewrites(&self.known) && processes::runs(machine, self.known.row.processes)
    }

    /// Whether entries that lead to us stand in the files afterwards: ours, or those of servers.
    fn writes_entries(&self) -> bool {
        self.adds() || self.files.iter().any(|file| !file.moves.is_empty() || !file.direct.is_empty())
    }

    /// Whether our entry stands in the files afterwards.
    pub(crate) fn adds(&self) -> bool {
        self.files.iter().any(|file| file.ours.is_some())
    }

    /// Whether the entry runs our program.
    pub(crate) fn runs_program(&self) -> bool {
        let ours = |file: &FileChange| matches!(file.ours, Some((Entry::Stdio { .. }, _)));
        self.files.iter().any(|file| ours(file) || !file.moves.is_empty() || !file.direct.is_empty())
    }

    /// The token that stands in the files afterwards.
    pub(crate) fn token(&self) -> Option<&str> {
        self.files.iter().find_map(|file| match &file.ours {
            Some((Entry::Http { token, .. }, _)) => Some(token.as_str()),
            _ => None,
        })
    }

    /// The files that it changes.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path())
    }

    /// Writes it. A file that changed meanwhile is left alone, and so are those after it.
    pub(crate) fn write(&self, machine: &Machine) -> Result<(), GuestError> {
        let change = format!("{}-{}", clock::now(), &self.id()[..16]);
        self.files.iter().try_for_each(|file| file.write(machine, self, &change))
    }
}
