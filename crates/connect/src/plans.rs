//! Turns a requested client change and the current bytes of the client's files into a [`Change`].

use std::path::Path;

use api::{ActionError, ClientChange, ErrorKind, Standing, Transport, failed};
use clients::Refusal;

use super::{
    change::{Change, FileChange},
    context::{ClientContext, KnownClient},
    direct,
    entry::{entry, transport},
    labels, own_entries, rescue, switches,
    target::{Secrets, Target, refused, way},
    undo,
};

/// The change that the user asks for. `secret` is called only to put back secrets that were moved out of the file.
///
/// # Errors
/// When a file cannot be changed safely, or needs no such change.
pub fn plan(
    context: &ClientContext,
    known: &KnownClient,
    wish: &ClientChange,
    secret: Secrets<'_>,
) -> Result<Change, ActionError> {
    match wish {
        ClientChange::Connect { transport, project, .. } => Target::of(context, known, project)?.put(*transport, true),
        ClientChange::Disconnect { project } => Target::of(context, known, project)?.disconnect(),
        ClientChange::Update { transport, project } => Target::of(context, known, project)?.put(*transport, false),
        ClientChange::Direct { servers, project } => {
            direct::plan(&Target::of(context, known, project)?, servers.as_deref())
        }
        ClientChange::Rescue { file } => rescue::plan(context, known, file.as_deref()),
        ClientChange::Skills { set, project } => switches::plan(context, known, set, project.as_deref()),
        ClientChange::Undo => undo::undo(context, known, secret),
        ClientChange::Redo => undo::redo(context, known, secret),
    }
}

/// The transport of our entry, for a request that adds or changes one.
pub fn wanted(context: &ClientContext, known: &KnownClient, wish: &ClientChange) -> Option<Transport> {
    let (ClientChange::Connect { transport, project, .. } | ClientChange::Update { transport, project }) = wish else {
        return None;
    };
    let present = Target::of(context, known, project).ok()?.present();
    way(context, known, transport.or(present), project.is_some()).ok()
}

/// Whether other programs cannot write the client's server list.
pub fn takes_no_file(context: &ClientContext, known: &KnownClient) -> bool {
    context.files(known, None).is_empty()
}

impl Target<'_> {
    /// Makes our entry current. `adds` says whether it may be new.
    fn put(&self, wished: Option<Transport>, adds: bool) -> Result<Change, ActionError> {
        let present = self.present();
        let way = way(self.context, self.known, wished.or(present), self.project.is_some())?;
        if let Some(trouble) = self.context.stranger().filter(|_| way == Transport::Http) {
            let message = format!(
                "{} is not connected over HTTP now: its token would go to another program. {trouble}",
                self.known.name
            );
            return Err(failed(ErrorKind::Refused, message));
        }
        let entry = entry(self.context, self.known, way)?;
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
                        return Err(self.refused(path, &labels::shared_out(with)));
                    }
                    // An entry that we did not write is not ours to remove.
                    Standing::Different if look.direct.is_empty() => {
                        return Err(self.refused(path, &Refusal::Different));
                    }
                    Standing::Refused { message } => return Err(self.refused(path, message)),
                    standing => own_entries::is_ours(standing),
                };
                let removed = direct::removed(self.context, self.known, path, current, &look, ours);
                removed.map(Some).map_err(|refusal| self.refused(path, &refusal))
            },
        )
    }

    /// The transport of our entry, present or dropped.
    fn present(&self) -> Option<Transport> {
        let mut looks = self.files.iter().map(|path| self.look(path));
        looks.find_map(|look| look.transport.or(look.added().map(|added| transport(&added.entry))))
    }

    /// Notes to show before our entry is written.
    fn notes(&self, way: Transport) -> Vec<String> {
        let also = self.files.iter().flat_map(|path| self.context.sharing(self.known, path, self.project));
        let also: Vec<_> = also.map(|other| other.name.as_str()).collect();
        let shared = (!also.is_empty()).then(|| {
            let reads = if also.len() == 1 { "reads" } else { "read" };
            format!(
                "{} {reads} this file too, and would start our entry as {}.",
                labels::listed(&also),
                self.known.name
            )
        });
        let path = || {
            "The entry names a program of this computer: on others it works where Skilltender is installed in the same place.".to_owned()
        };
        let project = self.project.is_some().then(path);
        let token = || {
            "The file then contains a token for Skilltender on this computer. Everybody who can read the file can use it here.".to_owned()
        };
        let notes = self.absent().into_iter().chain(shared).chain(project);
        notes.chain((way == Transport::Http).then(token)).collect()
    }

    fn shared(&self, path: &Path, with: &str) -> ActionError {
        let message = format!(
            "The file holds our entry already: it was added for {with}, and {} reads it too. Nothing needs to be written.",
            self.known.name
        );
        refused(self.context, path, ErrorKind::Already, message)
    }
}
