//! The files that a request affects, their present state, and the errors about them.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, Transport, failed};
use clients::{LARGEST, Refusal};
use files::replace_file;
use secrets::Secret;
use skills::Slot;

use super::{
    change::{Change, FileChange},
    client_files,
    context::{ClientContext, KnownClient},
    entry::entry,
    labels,
    standing::{Look, look_at},
};
use crate::file_failed;

/// Looks up a secret that was moved out of a client's file, if it is still in the keychain.
pub type Secrets<'s> = &'s dyn Fn(&Slot) -> Option<Secret>;

/// The transport for a client; `wished` overrides the default.
///
/// # Errors
/// When the client cannot be connected this way.
pub fn way(
    context: &ClientContext,
    known: &KnownClient,
    wished: Option<Transport>,
    project: bool,
) -> Result<Transport, ActionError> {
    let sandboxed = known.custom.is_none() && client_files::in_sandbox(&context.machine, known.row).is_some();
    let ways = labels::transports(known.row, sandboxed);
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
    pub(super) context: &'s ClientContext,
    pub(super) known: &'s KnownClient,
    pub(super) project: Option<&'s Path>,
    pub(super) files: Vec<PathBuf>,
}

impl<'s> Target<'s> {
    pub(super) fn of(
        context: &'s ClientContext,
        known: &'s KnownClient,
        project: &'s Option<String>,
    ) -> Result<Self, ActionError> {
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
        let files = context.files(known, project);
        if files.is_empty() {
            return Err(by_hand(context, known));
        }
        Ok(Self { context, known, project, files })
    }

    /// The change of every file that needs one; `nothing` is the error when none does.
    pub(super) fn each(
        &self,
        nothing: impl FnOnce() -> ActionError,
        mut of_file: impl FnMut(&Path, Option<&[u8]>) -> Result<Option<FileChange>, ActionError>,
    ) -> Result<Change, ActionError> {
        let mut files = Vec::new();
        for path in &self.files {
            let current = replace_file::read(path, LARGEST as u64).map_err(file_failed)?;
            files.extend(of_file(path, current.as_deref())?);
        }
        if files.is_empty() {
            return Err(nothing());
        }
        Ok(Change::of(self.known, self.project.map(Path::to_path_buf), files))
    }

    /// A plan, or `None` if the file is already correct.
    pub(super) fn judged<T>(&self, path: &Path, plan: Result<T, Refusal>) -> Result<Option<T>, ActionError> {
        match plan {
            Ok(plan) => Ok(Some(plan)),
            Err(Refusal::Already | Refusal::Absent) => Ok(None),
            Err(refusal) => Err(self.refused(path, &refusal)),
        }
    }

    pub(super) fn look(&self, path: &Path) -> Look {
        look_at(self.context, self.known, path, self.project)
    }

    /// A note that the client is not installed, if that is so.
    pub(super) fn absent(&self) -> Option<String> {
        let here = match &self.known.custom {
            Some(path) => path.parent().is_some_and(Path::is_dir),
            None => client_files::is_found(&self.context.machine, self.known.row),
        };
        let name = &self.known.name;
        (!here).then(|| format!("{name} was not found on this computer. The entry waits there until it is."))
    }

    /// The error that nothing needs to be done, with the reason.
    pub(super) fn so_already(&self, why: &impl ToString) -> ActionError {
        let places = self.files.iter().map(|path| self.context.machine.place(path)).collect::<Vec<_>>().join(", ");
        let hints = vec![format!("The file is {places}.")];
        ActionError { hints, ..failed(ErrorKind::Already, why.to_string()) }
    }

    pub(super) fn refused(&self, path: &Path, why: &impl ToString) -> ActionError {
        refused(self.context, path, ErrorKind::Refused, why.to_string())
    }
}

pub(super) fn refused(context: &ClientContext, path: &Path, kind: ErrorKind, message: String) -> ActionError {
    ActionError { hints: vec![format!("The file is {}.", context.machine.place(path))], ..failed(kind, message) }
}

/// The error that the user has to add our entry by hand, with the entry.
fn by_hand(context: &ClientContext, known: &KnownClient) -> ActionError {
    let message = format!("{} keeps its servers where no other program can write them.", known.name);
    let entry = way(context, known, None, false).and_then(|way| entry(context, known, way));
    let where_to = known.row.pitfalls.iter().map(|pitfall| (*pitfall).to_owned());
    let entry = entry.ok().and_then(|entry| clients::one_line(known.row, &entry).ok());
    let entry = entry.map(|entry| format!("This is the entry: {entry}"));
    ActionError { hints: where_to.chain(entry).collect(), ..failed(ErrorKind::Refused, message) }
}
