//! The choice of a set, written as a client's own switches of single skills: those that it reads from folders by itself
//! and that the set lacks are off. Only clients whose settings have such switches take it ([`clients::SkillSwitches`]).

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::{Path, PathBuf},
};

use api::{ActionError, ErrorKind, failed};
use choices::SetChoice;
use clients::{LARGEST, Refusal, Shows, SkillSwitches, SkillWanted, SwitchForm, Switched};
use files::replace_file;
use machine::waiting;

use super::{
    change::{Change, FileChange},
    context::{ClientContext, KnownClient},
    standing::look_at,
    target::refused,
};
use crate::{file_failed, journal};

/// A SKILL.md of more bytes is not read for its name.
const LARGEST_SKILL: u64 = 1 << 20;
/// More folders are not looked at: one may lead into itself by links.
const MOST_FOLDERS: usize = 10_000;

/// The change of the client's settings after which it shows the skills of the set alone, of those in its folders.
pub(super) fn plan(
    context: &ClientContext,
    known: &KnownClient,
    set: &str,
    project: Option<&str>,
) -> Result<Change, ActionError> {
    let name = &known.name;
    let Some(switches) = known.row.switches.as_ref().filter(|_| known.custom.is_none()) else {
        let message =
            format!("{name} has no setting that hides single skills. What it gets from Skilltender follows the set.");
        return Err(failed(ErrorKind::Refused, message));
    };
    let set = found(context, set)?;
    let folder = project.map(Path::new);
    if let Some(folder) = folder.filter(|folder| !folder.is_absolute() || !folder.is_dir()) {
        let message = format!("{} is no folder of a project: name one by its whole path.", folder.display());
        return Err(failed(ErrorKind::Input, message));
    }
    let path = file(context, known, switches, folder)?;
    let wanted = wanted(context, known, switches, set, folder);
    let current = replace_file::read(&path, LARGEST as u64).map_err(file_failed)?;
    let (after, switched) = match clients::switch_skills(switches, current.as_deref(), &wanted) {
        Ok(changed) => changed,
        Err(Refusal::Already) => {
            let message =
                format!("Of the skills that {name} reads there, it shows those of the set {} already.", set.name);
            let hints = vec![format!("The file is {}.", context.machine.place(&path))];
            return Err(ActionError { hints, ..failed(ErrorKind::Already, message) });
        }
        Err(refusal) => return Err(refused(context, &path, ErrorKind::Refused, refusal.to_string())),
    };
    // The client's own file may hold our entry, which stays as it is.
    let own = switches.project.is_none().then(|| look_at(context, known, &path, None));
    let change = FileChange::beside_ours(path, current, after, own.as_ref().and_then(|look| look.added()));
    let files = vec![FileChange { switched, ..change }];
    Ok(Change { notes: notes(name, switches), ..Change::of(known, folder.map(Path::to_path_buf), files) })
}

/// The set of this id or name.
fn found<'c>(context: &'c ClientContext, set: &str) -> Result<&'c SetChoice, ActionError> {
    let by_id = context.sets.iter().find(|known| known.id == set);
    let by_name = || context.sets.iter().find(|known| known.name.to_lowercase() == set.to_lowercase());
    by_id.or_else(by_name).ok_or_else(|| failed(ErrorKind::NotFound, format!("There is no set {set}.")))
}

/// The file with the switches.
fn file(
    context: &ClientContext,
    known: &KnownClient,
    switches: &SkillSwitches,
    folder: Option<&Path>,
) -> Result<PathBuf, ActionError> {
    let name = &known.name;
    match (switches.project, folder) {
        (Some(file), Some(folder)) => Ok(folder.join(file)),
        (Some(_), None) => {
            Err(failed(ErrorKind::Input, format!("{name} hides skills in one folder at a time: say in which.")))
        }
        (None, Some(_)) => {
            let message =
                format!("{name} hides skills everywhere or nowhere: its settings of one folder do not count for them.");
            let hints = vec!["Leave the folder out to hide them everywhere.".to_owned()];
            Err(ActionError { hints, ..failed(ErrorKind::Refused, message) })
        }
        (None, None) => {
            let file = context.files(known, None).into_iter().next();
            file.ok_or_else(|| {
                failed(ErrorKind::Refused, format!("{name} keeps no file that other programs can write."))
            })
        }
    }
}

/// Every skill in the folders that the client reads, and whether it is to be on. A skill is of the set by the name of
/// its folder, wherever the copy is that the client reads.
fn wanted(
    context: &ClientContext,
    known: &KnownClient,
    switches: &SkillSwitches,
    set: &SetChoice,
    folder: Option<&Path>,
) -> BTreeMap<String, SkillWanted> {
    let ids: BTreeSet<_> = set.skills.iter().filter_map(|key| key.rsplit('/').next()).collect();
    let mut folders = BTreeSet::new();
    for project in projects(context, switches.shows, folder) {
        for place in clients::client_folders(known.row, &context.machine.places, project) {
            waiting::for_disk(&place);
            folders.extend(skill_folders(place, switches.shows));
        }
    }
    let mut wanted = BTreeMap::<String, SkillWanted>::new();
    for folder in folders {
        let (Some(id), file) = (folder.file_name().and_then(|id| id.to_str()), folder.join("SKILL.md")) else {
            continue;
        };
        let name = match switches.form {
            SwitchForm::Word => id.to_owned(),
            SwitchForm::Enabled => {
                let Ok(Some(text)) = replace_file::read(&file, LARGEST_SKILL) else { continue };
                skills::read(id, &text).name
            }
        };
        // Two skills of one name have one switch: it is on if one of them is of the set.
        let skill = wanted.entry(name).or_default();
        skill.on |= ids.contains(id);
        skill.files.push(paths(&file, &context.machine.places.home));
    }
    wanted.retain(|name, _| !name.is_empty() && !name.contains(char::is_control));
    wanted
}

/// The folders whose skills the client shows in a project: it, and for some clients those above it.
fn projects<'p>(context: &ClientContext, shows: Shows, folder: Option<&'p Path>) -> Vec<Option<&'p Path>> {
    let Some(folder) = folder.filter(|_| shows.above) else { return vec![folder] };
    let mut projects = Vec::new();
    for above in folder.ancestors().take_while(|above| *above != context.machine.places.home) {
        projects.push(Some(above));
        waiting::for_disk(above);
        if above.join(".git").exists() {
            break;
        }
    }
    if projects.is_empty() { vec![Some(folder)] } else { projects }
}

/// The folders with a SKILL.md below this one, as deep as the client looks.
fn skill_folders(place: PathBuf, shows: Shows) -> Vec<PathBuf> {
    let (mut found, mut next, mut looked_at) = (Vec::new(), VecDeque::from([(place, 0)]), 0);
    while let Some((folder, depth)) = next.pop_front().filter(|_| looked_at < MOST_FOLDERS) {
        looked_at += 1;
        if depth > 0 && folder.join("SKILL.md").is_file() {
            found.push(folder.clone());
        }
        if depth == shows.depth {
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_shown = shows.hidden || !entry.file_name().to_string_lossy().starts_with('.');
            if is_shown && entry.path().is_dir() {
                next.push_back((entry.path(), depth + 1));
            }
        }
    }
    found
}

/// The ways in which a client may write the path of a file.
fn paths(file: &Path, home: &Path) -> Vec<String> {
    let below = file.strip_prefix(home).ok().map(|below| Path::new("~").join(below));
    let real = fs::canonicalize(file).ok();
    [Some(file.to_path_buf()), below, real].into_iter().flatten().map(|path| path.display().to_string()).collect()
}

/// The files of a client in which skills are switched as a set was written, and not as before.
pub fn left(data: &Path, client: &str) -> Vec<PathBuf> {
    let mut switches = BTreeMap::new();
    let mut history = journal::history(data, client);
    history.sort_by_key(|record| record.time);
    for record in history {
        for Switched { name, was, now } in record.switched {
            let first = switches.entry((record.path.clone(), name)).or_insert((was, None));
            first.1 = now;
        }
    }
    let others = switches.into_iter().filter(|(_, (was, now))| was != now).map(|((path, _), _)| path);
    others.filter(|path| path.is_file()).collect::<BTreeSet<_>>().into_iter().collect()
}

fn notes(name: &str, switches: &SkillSwitches) -> Vec<String> {
    let place = match switches.project {
        Some(_) => "The file is for you alone: it is not meant for the repository.".to_owned(),
        None => format!("{name} reads these switches for you alone: they count in every folder."),
    };
    vec![place, "Skills that are added later are shown until this is done again.".to_owned()]
}
