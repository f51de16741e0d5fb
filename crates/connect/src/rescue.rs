//! Plain-text secrets in a client's file: which can be moved to the keychain, the change that removes them from the
//! file, and the entries that keep the client's servers working. Nothing is moved here.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, StayingSecret, failed};
use clients::{LARGEST, Moves, Rescuable, Stays};
use files::{Digests, replace_file};
use secrets::Secret;
use servers::{Adopted, Containers, SpecSource, Unfilled, search_programs};

use super::{
    change::{Change, FileChange},
    client_files::in_sandbox,
    context::{ClientContext, KnownClient},
    entry,
    moving::{Moving, movable, named},
    standing::look_at,
};
use crate::file_failed;

/// The change that moves every movable secret out of one file of a client: `file`, or its user's own.
///
/// # Errors
/// When there is none, or the file cannot be changed safely.
pub(super) fn plan(context: &ClientContext, known: &KnownClient, file: Option<&str>) -> Result<Change, ActionError> {
    let (path, project) = which(context, known, file)?;
    let place = context.machine.place(&path);
    let refused = |message: String| {
        let hints = vec![format!("The file is {place}.")];
        ActionError { hints, ..failed(ErrorKind::Refused, message) }
    };
    let current = replace_file::read(&path, LARGEST as u64).map_err(file_failed)?.unwrap_or_default();
    let found = clients::rescuable(known.row, &current).map_err(|refusal| refused(refusal.to_string()))?;
    if found.is_empty() {
        return Err(failed(ErrorKind::NotFound, format!("No server in {place} has a secret in plain text.")));
    }
    let sandboxed = known.custom.is_none() && in_sandbox(&context.machine, known.row).is_some();
    let (mut after, mut moves, mut stays) = (current.clone(), Vec::new(), Vec::new());
    for Rescuable { server, moves: judged } in found {
        let judged = match judged {
            Ok(_) if sandboxed => {
                Err(Stays::Refused(format!("{} runs in a sandbox and cannot start Skilltender.", known.name)))
            }
            judged => judged,
        };
        let taken = judged.and_then(|judged| {
            let moving = moving(context, known, &path, &server.name, judged, &current)?;
            let next = clients::rescue(known.row, &after, &server.name, &moving.entry);
            Ok((moving, next.map_err(|refusal| Stays::Refused(refusal.to_string()))?))
        });
        match taken {
            Ok((moving, next)) => {
                after = next;
                moves.push(moving);
            }
            Err(why) => stays.push(StayingSecret {
                server: server.name,
                names: server.secrets.into_iter().map(named).collect(),
                line: server.place.line,
                column: server.place.column,
                why: why.to_string(),
            }),
        }
    }
    if moves.is_empty() {
        let hints = stays.iter().map(|stays| format!("{}: {}", stays.server, stays.why)).collect();
        let message = format!("No secret in {place} can be moved.");
        return Err(ActionError { hints, ..failed(ErrorKind::Refused, message) });
    }
    let look = look_at(context, known, &path, project.as_deref());
    let change = FileChange { moves, ..FileChange::beside_ours(path, Some(current), after, look.added()) };
    let notes = notes(known).into_iter().chain(elsewhere(&change)).collect();
    Ok(Change { notes, stays, ..Change::of(known, project, vec![change]) })
}

/// Notes to show before secrets are moved.
fn notes(known: &KnownClient) -> Vec<String> {
    let name = &known.name;
    vec![
        format!(
            "{name} starts these servers through Skilltender from then on, and each gets its secrets from the keychain."
        ),
        "They get the variables or headers that were in the file, and of other variables only what every program needs.".to_owned(),
        "Undo puts the secrets back into the file. Skilltender keeps no copy of the file with them.".to_owned(),
    ]
}

/// Where a moved secret remains in the file: in a comment, or in an entry that stays.
fn elsewhere(change: &FileChange) -> Option<String> {
    let after = change.after.as_deref().unwrap_or_default();
    let secrets = change.secrets();
    let holds = |line: &&[u8]| {
        secrets.iter().any(|(_, secret)| {
            let value = secret.expose().as_bytes();
            line.windows(value.len()).any(|part| part == value)
        })
    };
    let lines = after.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| holds(line));
    let lines: Vec<_> = lines.map(|(at, _)| (at + 1).to_string()).collect();
    (!lines.is_empty()).then(|| {
        format!(
            "One of these secrets is in another place of the file as well, and stays there: line {}.",
            lines.join(", ")
        )
    })
}

/// The chosen file, and the folder of the project that it belongs to.
fn which(
    context: &ClientContext,
    known: &KnownClient,
    file: Option<&str>,
) -> Result<(PathBuf, Option<PathBuf>), ActionError> {
    let mut files: Vec<_> = context.files(known, None).into_iter().map(|path| (path, None)).collect();
    match file {
        None => {
            let holds = |(path, _): &(PathBuf, _)| {
                replace_file::read(path, LARGEST as u64).ok().flatten().is_some_and(|file| movable(known, &file) > 0)
            };
            let at = files.iter().position(holds).unwrap_or_default();
            (at < files.len()).then(|| files.swap_remove(at)).ok_or_else(|| {
                failed(
                    ErrorKind::Refused,
                    format!("{} keeps its servers where no other program can write them.", known.name),
                )
            })
        }
        Some(file) => {
            let of_project = |project: PathBuf| {
                context.files(known, Some(&project)).into_iter().map(move |path| (path, Some(project.clone())))
            };
            files.extend(context.projects(known).into_iter().flat_map(of_project));
            files.into_iter().find(|(path, _)| path == Path::new(file)).ok_or_else(|| {
                let hints = vec!["`skilltender clients --servers` lists the files that are looked into.".to_owned()];
                let message = format!("{file} is no file of {} that Skilltender looks into.", known.name);
                ActionError { hints, ..failed(ErrorKind::NotFound, message) }
            })
        }
    }
}

fn moving(
    context: &ClientContext,
    known: &KnownClient,
    path: &Path,
    entry: &str,
    moves: Moves,
    file: &[u8],
) -> Result<Moving, Stays> {
    let Moves { runs, secrets } = moves;
    let refused = |message: String| Stays::Refused(message);
    for value in &secrets {
        let text = file.get(value.at.clone()).unwrap_or_default();
        Secret::new(String::from_utf8_lossy(text).into_owned()).map_err(|why| refused(why.to_string()))?;
    }
    let adopted = Adopted {
        name: context.adopted.name(&known.id, path, entry),
        client: known.id.clone(),
        path: path.to_path_buf(),
        entry: entry.to_owned(),
        runs,
        secrets: secrets.iter().map(|value| (value.name.clone(), value.before.clone())).collect(),
    };
    let machine = &*context.machine;
    let search = search_programs(machine);
    // A client's own entry is a program or an address; what that program runs does not matter.
    let (containers, digests) = (Containers::Unknown, Digests::default());
    let source =
        SpecSource { home: &machine.home, data: &machine.data, search: &search, containers, digests: &digests };
    let spec = source.adopted(&adopted, &[]).map_err(|unfilled| match unfilled {
        Unfilled::NoProgram(program) => refused(format!("Its program {program} was not found on this computer.")),
        _ => refused("It cannot be started through Skilltender.".to_owned()),
    })?;
    let entry = entry::running(context, &adopted.name).map_err(|error| refused(error.message))?;
    Ok(Moving { adopted, spec, entry, values: secrets })
}
