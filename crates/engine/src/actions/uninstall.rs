//! User actions before Skilltender is removed: listing what it put into clients' files and folders, and taking that out.
//! Each part goes by the action that is there for it alone, so a file gets its earlier bytes as by disconnecting.

use std::{collections::BTreeSet, fs, io, path::Path};

use api::{ActionError, ClientChange, ClientFolderAct, EntryTrace, ErrorKind, FolderTrace, Standing, Traces, failed};
use choices::OWN;
use clients::LARGEST;
use files::{digest, replace_file, store};
use machine::{
    Machine,
    lock::{self, Lock},
};
use state::blocking;

use super::{
    change_client, client_folders, clients::would_change, plan_client, plan_client_folder, set_app_menu,
    set_login_start, unlink_skills,
};
use crate::{Engine, StartError};

/// What is in our own folder, by its names: nothing else in it is removed.
const OURS: &[&str] = &[
    "adopted.json",
    "approvals.json",
    "audit",
    "bin",
    "choices.json",
    "engine.lock",
    "engine.pid",
    "engine.sock",
    "fetched",
    "format.json",
    "icon.png",
    "journal",
    "kept",
    "library.cache",
    "login-path.json",
    "native.json",
    "origins",
    "running",
    "secrets.json",
    "seen.json",
    "servers",
    "session-bus",
    "sessions",
    "skills",
    "skills.half",
    "tokens.json",
    "trash",
    "tray",
    "usage",
    "values.json",
    "versions",
    "window.json",
    "writing",
    "wrote.json",
];

/// Lists what is ours, without the changes: an engine that only reads can do it.
///
/// # Errors
/// When the engine is quitting.
pub async fn traces(engine: &Engine) -> Result<Traces, ActionError> {
    let snapshot = engine.snapshot();
    let refused = snapshot.clients.iter().filter(|row| matches!(row.standing, Standing::Refused { .. }));
    let refused: Vec<_> = refused.map(|row| row.path.clone()).collect();
    let naming_us: BTreeSet<_> =
        blocking(move || Ok(refused.into_iter().filter(|path| names_us(Path::new(path))).collect())).await?;
    let (mut entries, mut stays) = (Vec::new(), Vec::new());
    for row in &snapshot.clients {
        let of_user = (None, &row.place, &row.standing, !row.direct.is_empty());
        let of_projects = row
            .projects
            .iter()
            .map(|project| (Some(project.project.clone()), &project.place, &project.standing, false));
        for (project, place, standing, direct) in std::iter::once(of_user).chain(of_projects) {
            let name = row.name.clone();
            match standing {
                Standing::Refused { message } => {
                    // Only projects that we wrote into are known.
                    if project.is_some() || naming_us.contains(&row.path) {
                        stays.push(format!("{place} cannot be changed safely: {message} Take our entry out by hand."));
                    }
                }
                Standing::Different if !direct => {
                    stays.push(format!("{place} has an entry of our name that we did not write."));
                }
                Standing::Absent | Standing::Dropped { .. } | Standing::Shared { .. } if !direct => {}
                _ => {
                    let (client, place) = (row.id.clone(), place.clone());
                    entries.push(EntryTrace { client, name, project, place, plan: None });
                }
            }
        }
    }
    // A project's file may hold servers' own entries without ours; only a plan finds them.
    for entry in bare_projects(engine) {
        let is_there = would_change(engine, &entry.client, out_of(&entry)).await?;
        entries.extend(is_there.then_some(entry));
    }
    let state = engine.state().now();
    let keys_of: BTreeSet<_> = state.servers.adopted.servers.iter().map(|kept| kept.client.clone()).collect();
    for client in &keys_of {
        let name = snapshot.clients.iter().find(|row| row.id == *client).map_or(client, |row| &row.name);
        stays.push(format!(
            "The secrets of servers in {name}'s file are in the keychain, and the servers are started through Skilltender. `skilltender undo {client}` puts the secrets back."
        ));
    }
    let data = engine.machine().data.clone();
    let ids: Vec<_> = snapshot.clients.iter().map(|row| row.id.clone()).collect();
    let switched = move || Ok(ids.into_iter().map(|id| (connect::switches_left(&data, &id), id)).collect());
    let switched: Vec<(Vec<_>, String)> = blocking(switched).await?;
    stays.extend(switched.into_iter().flat_map(|(files, client)| {
        let place = |file| engine.machine().place(file);
        let told = |file| {
            format!(
                "{} hides skills as a set was written into it. `skilltender undo {client}` takes that out.",
                place(file)
            )
        };
        files.iter().map(|file| told(file)).collect::<Vec<_>>()
    }));
    // They are the person's, in a repository of theirs.
    let shared = state.choices.shared_files(engine.machine());
    let there: Vec<_> = blocking(move || Ok(shared.into_iter().filter(|file| file.exists()).collect())).await?;
    stays.extend(there.iter().map(|file| {
        let place = engine.machine().place(file);
        format!(
            "{place} tells your other machines what is on here. Remove it with git, if they should not know any more."
        )
    }));
    let mut folders = Vec::new();
    for folder in client_folders(engine).await?.into_iter().filter(|folder| folder.way.is_some()) {
        let plan = plan_client_folder(engine, &folder.path, None).await?;
        let (goes, left): (Vec<_>, Vec<_>) =
            plan.steps.into_iter().partition(|step| step.does == ClientFolderAct::Remove);
        stays.extend(left.iter().map(|step| format!("{}/{} stays. {}", folder.place, step.skill, step.why)));
        let skills = goes.into_iter().map(|step| step.skill).collect();
        folders.push(FolderTrace { path: folder.path, place: folder.place, skills });
    }
    let machine = engine.machine();
    let own = snapshot.skills.iter().filter(|skill| skill.key.split('/').next() == Some(OWN)).count();
    Ok(Traces {
        id: String::new(),
        entries,
        folders,
        // The desktop's entries are of the Skilltender with the usual data folder.
        login: machine.default_data && state.login.on,
        menu: machine.default_data && state.menu.as_ref().is_some_and(|entry| entry.on),
        stays,
        keys_of: keys_of.into_iter().collect(),
        secrets: engine.secrets().facts().len(),
        skills: own,
        data: if machine.data.is_dir() { machine.place(&machine.data) } else { String::new() },
        window: machine.window.iter().filter(|folder| folder.is_dir()).map(|folder| machine.place(folder)).collect(),
    })
}

/// The same with the change of each file.
///
/// # Errors
/// As [`traces`]. A file that cannot be changed is among what stays.
pub async fn plan_uninstall(engine: &Engine) -> Result<Traces, ActionError> {
    let mut traces = traces(engine).await?;
    let mut planned = Vec::new();
    for mut entry in std::mem::take(&mut traces.entries) {
        match plan_client(engine, &entry.client, out_of(&entry)).await {
            Ok(plan) => {
                entry.plan = Some(plan);
                planned.push(entry);
            }
            Err(error) => traces.stays.push(format!("{} stays as it is. {}", entry.place, error.message)),
        }
    }
    traces.entries = planned;
    let ids = traces.entries.iter().filter_map(|entry| Some(entry.plan.as_ref()?.id.clone()));
    let links = traces.folders.iter().map(|folder| format!("{}: {}", folder.path, folder.skills.join(", ")));
    let entries = [(traces.login, "login"), (traces.menu, "menu")];
    let entries = entries.into_iter().filter(|(is, _)| *is).map(|(_, name)| name.to_owned());
    traces.id = digest(ids.chain(links).chain(entries).collect::<Vec<_>>().join("\n").as_bytes());
    Ok(traces)
}

/// Takes out what `id` showed. With `secrets`, those of servers are removed from the keychain too. Returns what could
/// not be done, as sentences.
///
/// # Errors
/// When something else would be taken out now than was shown: nothing is done then. When secrets of clients are in the
/// keychain only, and secrets are to go.
pub async fn uninstall(engine: &Engine, id: &str, secrets: bool) -> Result<Vec<String>, ActionError> {
    let planned = plan_uninstall(engine).await?;
    if planned.id != id {
        let message = "A file or a folder changed since this was shown, so nothing was done. Look at it again.";
        return Err(failed(ErrorKind::Changed, message));
    }
    if secrets && let Some(client) = planned.keys_of.first() {
        let message =
            format!("The keychain has secrets that {client} needs: `skilltender undo {client}` puts them back.");
        return Err(failed(ErrorKind::Refused, message));
    }
    let mut troubles = Vec::new();
    for entry in &planned.entries {
        let plan = entry.plan.as_ref().map(|plan| plan.id.clone()).unwrap_or_default();
        if let Err(error) = change_client(engine, &entry.client, out_of(entry), &plan).await {
            troubles.push(format!("{} was not changed. {}", entry.place, error.message));
        }
    }
    for folder in &planned.folders {
        let unlinked = match plan_client_folder(engine, &folder.path, None).await {
            Ok(plan) => unlink_skills(engine, &folder.path, &plan.id).await,
            Err(error) => Err(error),
        };
        if let Err(error) = unlinked {
            troubles.push(format!("{} was not cleared. {}", folder.place, error.message));
        }
    }
    if planned.login
        && let Err(error) = set_login_start(engine, false).await
    {
        troubles.push(format!("The app still starts at login. {}", error.message));
    }
    if planned.menu
        && let Err(error) = set_app_menu(engine, false).await
    {
        troubles.push(format!("The app is still in the menu of programs. {}", error.message));
    }
    if secrets {
        for slot in engine.secrets().facts().into_keys() {
            let gone = slot.clone();
            if let Err(error) = engine.gateway().with_secrets(move |secrets| secrets.delete(&gone)).await? {
                troubles.push(format!("The secret {} of {} is still in the keychain. {error}", slot.name, slot.server));
            }
        }
    }
    Ok(troubles)
}

/// Whether an engine runs, which would write our folder again; its process id, if known.
pub fn running(machine: &Machine) -> Option<Option<u32>> {
    lock::holder(&machine.data)
}

/// Removes our own folder while no engine runs, with the skills in it, and what the window's web engine keeps. Returns
/// what is left there because it is not ours.
///
/// # Errors
/// When an engine runs, or the disk refuses.
pub fn remove_data(machine: &Machine) -> Result<Vec<String>, StartError> {
    if !machine.data.is_dir() {
        return remove_window(machine).map(|()| Vec::new());
    }
    let lock = Lock::take(&machine.data)?;
    // While no app can start.
    remove_window(machine)?;
    let copies = store::copies(&machine.data);
    let mut left = Vec::new();
    for entry in fs::read_dir(&machine.data)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_copy = copies.contains(&entry.path());
        let set_aside = || OURS.iter().any(|ours| name.starts_with(&format!("{ours}.unreadable-")));
        if !OURS.contains(&&*name) && !is_copy && !set_aside() && !name.starts_with(".skilltender-") {
            left.push(machine.place(&entry.path()));
        } else if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    drop(lock);
    match fs::remove_dir(&machine.data) {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error.into()),
        _ => Ok(left),
    }
}

/// Removes the folders of the window's web engine, which only it fills. A link is left to whoever made it.
fn remove_window(machine: &Machine) -> Result<(), StartError> {
    for folder in &machine.window {
        if fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()) {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// The projects that we know and that do not have our own entry.
fn bare_projects(engine: &Engine) -> Vec<EntryTrace> {
    let mut all = Vec::new();
    for row in &engine.snapshot().clients {
        let bare = |standing: &Standing| matches!(standing, Standing::Absent | Standing::Dropped { .. });
        for project in row.projects.iter().filter(|project| bare(&project.standing)) {
            let (client, name, place) = (row.id.clone(), row.name.clone(), project.place.clone());
            all.push(EntryTrace { client, name, project: Some(project.project.clone()), place, plan: None });
        }
    }
    all
}

/// Whether a file that cannot be read as the client reads it speaks of us.
fn names_us(file: &Path) -> bool {
    let bytes = replace_file::read(file, LARGEST as u64).ok().flatten();
    bytes.is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains("skilltender"))
}

fn out_of(entry: &EntryTrace) -> ClientChange {
    ClientChange::Disconnect { project: entry.project.clone() }
}
