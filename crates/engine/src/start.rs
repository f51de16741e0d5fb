//! The steps of an engine's start: reading the choices, copying the starter skills, finding skill folders on
//! this machine, and starting the watch.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use api::Notice;
use choices::{
    Choices, FolderChoice, OWN, stored,
    tokens::{self, Tokens},
    values,
};
use connect::{client_folders, journal};
use files::store;
use library::{
    folder_trouble,
    walk::{self, Scope},
};
use machine::Machine;
use secrets::Secrets;
use servers::{AdoptedServers, Approvals, ParameterValues};
use state::{
    State, client_activity, client_context,
    trash::{self, Trashed},
};

use crate::{
    Engine, Mode,
    actions::{self, Usual},
    audit::Audit,
    client_watch,
    session::{self, app_menu, login_start},
};

/// A client asks for its list right after starting its own engine; watching begins afterwards.
const FIRST_LIST: Duration = Duration::from_millis(100);

/// Where clients keep skills below the home folder, the most common first.
const USUAL: &[&str] = &[
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".gemini/skills",
    ".copilot/skills",
    ".config/opencode/skills",
    ".cursor/skills",
];

/// The state before the library was read.
pub(crate) fn state(machine: &Arc<Machine>, mode: &Mode) -> State {
    let mut state = match mode {
        Mode::Plain { folders } => return State::new(Arc::clone(machine), plain(folders)),
        Mode::Reading => {
            let mut state = State::new(Arc::clone(machine), choices_of_another(machine));
            if state.choices.first_run {
                let usual = Usual::look(machine, &state.roots());
                actions::add_usual(&mut state, usual);
            }
            state
        }
        Mode::Writing => {
            let (choices, notice) = stored::load(&choices::file(machine));
            let mut state = State::new(Arc::clone(machine), with_own(choices, Path::new("skills")));
            state.notices.extend(notice);
            for (number, told) in journal::recover(&machine.data).into_iter().enumerate() {
                state.notice(format!("interrupted:{number}"), told);
            }
            if let Err(error) = session::keep(machine) {
                tracing::warn!(%error, "what clients start may not find the keychain");
            }
            if let Err(error) = login_start::renew(machine) {
                tracing::warn!(%error, "the app does not start at login");
            }
            if let Err(error) = app_menu::renew(machine) {
                tracing::warn!(%error, "the menu of programs does not start the app");
            }
            if let Err(error) = copy_starters(machine) {
                state.notice("starters", format!("The starter skills could not be copied: {error}."));
            }
            state
        }
    };
    let (origins, about_origins) = actions::finish_interrupted(machine, *mode == Mode::Writing);
    state.origins = Arc::new(origins);
    state.notices.extend(about_origins);
    state.login = login_start::read(machine);
    state.menu = app_menu::read(machine);
    let context = client_context(&state);
    for known in &context.clients {
        state.client(&known.id).file = Some(connect::look(&context, known));
    }
    for client in Tokens::holders(&machine.data.join(tokens::FILE)) {
        state.client(&client).token = true;
    }
    state.placed = client_folders::placed(&machine.data);
    let (seen, unread) = client_activity::open(&machine.data.join(client_activity::FILE), mode);
    seen.into_iter().for_each(|(id, seen)| state.client(&id).seen = seen);
    state.notices.extend(unread);
    state
}

/// Reads the values of servers' parameters, the approvals and the trash, and returns the secrets.
pub(crate) fn read_values(state: &mut State, mode: &Mode) -> Secrets {
    let (values, about_values) = values::open(&state.machine.data.join(values::FILE), mode);
    let (secrets, about_secrets) = secrets_of(&state.machine, mode);
    state.given = ParameterValues { secrets: secrets.facts(), values: values.into(), ..ParameterValues::default() };
    let (approvals, about_approvals) = Approvals::open(&state.machine.data.join(servers::FILE), mode);
    let (adopted, about_adopted) = AdoptedServers::open(&state.machine.data.join(servers::ADOPTED), mode);
    state.servers.approvals = Arc::new(approvals);
    state.servers.adopted = Arc::new(adopted);
    let notices = [about_values, about_secrets, about_approvals, about_adopted];
    state.notices.extend(notices.into_iter().flatten());
    match mode {
        Mode::Writing => take_over_trash(state, &secrets),
        Mode::Reading => state.trash = trash::list(&state.machine.data).0,
        Mode::Plain { .. } => {}
    }
    secrets
}

/// Reads the trash. An item whose deletion or restoration was interrupted by the engine's end, and which is in
/// its original place, gets its choices and values back. If something else is in that place, or nothing, its
/// record waits in the trash: it is not for another skill.
fn take_over_trash(state: &mut State, secrets: &Secrets) {
    let data = state.machine.data.clone();
    let (trash, unfinished) = trash::list(&data);
    state.trash = trash;
    for Trashed { id, record } in unfinished {
        if !record.stands() {
            state.trash.push(Trashed { id, record });
            continue;
        }
        state.choices.give_back(&record.folder, record.chosen.clone());
        let (from, to) = (trash::key(&id), record.key());
        let back = secrets.rename_key(&from, &to).and_then(|()| {
            actions::rename_key_in(state, secrets, &from, &to);
            // Nothing runs yet that would save them, and without the record their owner would be unknown.
            values::save(&data.join(values::FILE), &state.given.values)
        });
        let back = back.and_then(|()| actions::take_origin_back(state, &from, &to));
        if let Err(error) = back.and_then(|()| trash::delete(&data, &id)) {
            state.notice("trash", format!("{} may miss what was given for its servers: {error}", record.name));
            state.trash.push(Trashed { id, record });
        }
    }
}

/// Starts the audit of what clients do. If that fails, the engine serves all the same and says so.
pub(crate) fn audit(state: &mut State) -> Option<Audit> {
    let folder = state.machine.data.join("audit");
    match Audit::start(&folder) {
        Ok(audit) => Some(audit),
        Err(error) => {
            let place = state.machine.place(&folder);
            state.notice(
                "audit",
                format!("What clients do is not recorded, because {place} cannot be written: {error}."),
            );
            None
        }
    }
}

/// Starts the watch and finds other skill folders, both in the background: on a thread and not as a task, so
/// that a short command need not wait for it.
pub(crate) fn look_around(engine: &Engine) {
    let engine = engine.clone();
    let look = move || {
        if *engine.mode() != Mode::Writing {
            thread::sleep(FIRST_LIST);
        }
        engine.watch_library();
        if matches!(engine.mode(), Mode::Plain { .. }) {
            return;
        }
        client_watch::watch(&engine);
        if *engine.mode() == Mode::Reading {
            engine.watch_file(&choices::file(engine.machine()), follow_choices);
            for file in [values::FILE, secrets::FILE] {
                engine.watch_file(&engine.machine().data.join(file), follow_given);
            }
            engine.scan_unseen();
            return;
        }
        find(&engine);
    };
    if let Err(error) = thread::Builder::new().name("look around".to_owned()).spawn(look) {
        tracing::warn!(%error, "nothing is watched");
    }
}

/// Finds the usual folders on this machine that contain skills.
pub(crate) fn find(engine: &Engine) {
    let home = &engine.machine().home;
    let found: Vec<_> = USUAL.iter().filter_map(|usual| count(home.join(usual))).collect();
    engine.state().change_now(move |state| state.found = found);
}

/// The secrets of this machine, with a notice when their list had to be set aside.
fn secrets_of(machine: &Machine, mode: &Mode) -> (Secrets, Option<Notice>) {
    let path = machine.data.join(secrets::FILE);
    let (index, notice) = stored::open(&path, mode);
    (Secrets::new(path, index, machine.keychain), notice)
}

/// Why the choices of this machine cannot be read, as a sentence for engines that do not write.
pub fn trouble_with_choices(machine: &Machine) -> Option<String> {
    store::trouble::<Choices>(&choices::file(machine))
}

/// Why folders of the library cannot be read now, as sentences. Nothing in them is read. Our own folder is created with
/// its first skill, so it is never reported.
pub fn folders_away(machine: &Machine) -> Vec<String> {
    let choices = choices_of_another(machine);
    let chosen = choices.folders.iter().filter(|folder| folder.id != OWN);
    let away = chosen.filter_map(|folder| {
        let path = machine.data.join(&folder.path);
        fs::read_dir(&path).err().map(|error| folder_trouble(&path, &error))
    });
    away.collect()
}

/// The choices as the writing engine left them. If none ever ran, the starter skills are read where they were
/// installed.
pub(crate) fn choices_of_another(machine: &Machine) -> Choices {
    let copied = machine.data.join("skills").is_dir();
    let starters = machine.starters.as_deref().filter(|_| !copied);
    with_own(store::peek(&choices::file(machine)), starters.unwrap_or(Path::new("skills")))
}

fn follow_choices(engine: &Engine) {
    let choices = choices_of_another(engine.machine());
    let usual = choices.first_run.then(|| Usual::look(engine.machine(), &engine.state().roots()));
    engine.state().change_blocking(|state| {
        *state.choices = choices;
        usual.map(|usual| actions::add_usual(state, usual))
    });
    engine.sweep_here(&Scope::All);
}

fn follow_given(engine: &Engine) {
    let (values, _) = values::open(&engine.machine().data.join(values::FILE), &Mode::Reading);
    let secrets = secrets_of(engine.machine(), &Mode::Reading).0.facts();
    engine.state().change_blocking(|state| {
        state.given = ParameterValues { secrets, values: values.into(), containers: state.given.containers }
    });
}

/// The usual folders on this machine that contain skills.
pub(crate) fn usual(machine: &Machine) -> Vec<PathBuf> {
    USUAL.iter().filter_map(|usual| count(machine.home.join(usual))).map(|(folder, _)| folder).collect()
}

/// A folder with the number of its skills; `None` when it has none.
fn count(folder: PathBuf) -> Option<(PathBuf, u32)> {
    let walked = walk::walk(&folder, None, &Scope::All, &|_, _| ()).ok()?;
    let skills = u32::try_from(walked.tree.skills().len()).unwrap_or(u32::MAX);
    (skills > 0).then_some((folder, skills))
}

fn plain(folders: &[PathBuf]) -> Choices {
    let mut choices = Choices { first_run: false, ..Choices::default() };
    for folder in folders {
        choices.add_folder(folder, true, true);
    }
    // No person is present to review what is not ready, so it is on like everything else.
    choices.folders.iter_mut().for_each(|folder| folder.enable_first = None);
    choices
}

/// Skilltender's own folder is always present, and first.
fn with_own(mut choices: Choices, path: &Path) -> Choices {
    if choices.folder_mut(OWN).is_none() {
        choices.folders.insert(0, FolderChoice::new(OWN, path, true, true));
    }
    choices
}

/// Copies the starter skills on the first run, all or none. Later they are the person's own: edited ones stay
/// edited and deleted ones stay deleted (decision 22).
fn copy_starters(machine: &Machine) -> io::Result<()> {
    let (to, half) = (machine.data.join("skills"), machine.data.join("skills.half"));
    let Some(starters) = machine.starters.as_ref().filter(|_| !to.exists()) else { return Ok(()) };
    if half.exists() {
        fs::remove_dir_all(&half)?;
    }
    fs::create_dir_all(&half)?;
    for skill in fs::read_dir(starters)? {
        let skill = skill?;
        if skill.path().join("SKILL.md").is_file() {
            copy(&skill.path(), &half.join(skill.file_name()))?;
        }
    }
    fs::rename(half, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
