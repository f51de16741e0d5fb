//! Computes what readers see from the state: pure, and the only module that decides which skill is served and
//! what its light shows.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock},
};

use api::{
    AppSwitch, Client, Endpoint, EndpointState, Folder, FoundFolder, HidesSkills, Language, Languages, Notice,
    ProblemCounts, Readiness, ServerRow, Settings, SkillRow, SkillRows, SkillSet, Snapshot, Standing, Trashed, Updates,
};
use choices::{FolderChoice, SetChoice, usually_enables_new};
use connect::KnownClient;
use mcp::Surface;
use servers::{Offers, readiness};
use skills::{Catalog, Entry, Severity};

use crate::{proof::proof, sets::Catalogs, skill_sources, state::State, trash};

/// All skills of the library, with the person's choices about them.
pub(crate) fn catalog(state: &State) -> Catalog {
    let mut entries = Vec::new();
    for choice in &state.choices.folders {
        for found in state.reading.folder(&choice.id).into_iter().flat_map(|read| &read.skills) {
            let mut entry = Arc::clone(found);
            let enabled = state.is_on(choice, found);
            if entry.enabled != enabled {
                Arc::make_mut(&mut entry).enabled = enabled;
            }
            entries.push(entry);
        }
    }
    let folders: Vec<_> = state.choices.folders.iter().map(|choice| choice.id.clone()).collect();
    Catalog::new(entries, &folders)
}

/// Everything the window shows.
pub(crate) fn snapshot(
    state: &State,
    catalogs: &Catalogs,
    offers: &Offers,
    skills: SkillRows,
    revision: u64,
) -> Snapshot {
    let catalog = catalogs.all();
    Snapshot {
        revision,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        first_run: state.choices.first_run,
        reading: state.first_reading,
        skills,
        servers: servers(state, catalog),
        folders: state.choices.folders.iter().map(|choice| folder(state, choice)).collect(),
        found: found(state),
        sources: skill_sources::rows(state, catalog),
        sets: state.choices.sets.iter().map(|choice| set(state, catalogs, choice)).collect(),
        trash: state.trash.iter().map(|trashed| thrown_away(state, trashed)).collect(),
        clients: clients(state, catalogs, offers),
        endpoint: endpoint(state, catalog),
        settings: settings(state),
        keychain: state.keychain.clone(),
        notices: notices(state),
    }
}

/// The notices to show. One about unsaved changes remains as long as they are unsaved, and cannot be dismissed.
fn notices(state: &State) -> Vec<Notice> {
    let unsaved = state.unsaved.iter().map(|message| Notice { id: "not-saved".to_owned(), message: message.clone() });
    unsaved.chain(state.notices.iter().cloned()).collect()
}

/// The rows of the list.
pub(crate) fn rows(state: &Arc<State>, catalog: &Arc<Catalog>) -> SkillRows {
    let (state, catalog) = (Arc::clone(state), Arc::clone(catalog));
    SkillRows::new(move || {
        let mut rows: Vec<_> = catalog.entries().iter().map(|entry| row(&state, &catalog, entry)).collect();
        rows.sort_by_cached_key(|row| (row.name.to_lowercase(), row.key.clone()));
        rows
    })
}

fn row(state: &State, catalog: &Catalog, entry: &Entry) -> SkillRow {
    let State { machine, choices, given, servers, examined, .. } = state;
    let skill = &entry.skill;
    let key = entry.key();
    let (light, also) = readiness(machine, given, servers, catalog, entry, &BTreeSet::new());
    SkillRow {
        id: skill.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        version: skill.version(),
        tags: skill.tags().into_iter().map(str::to_owned).collect(),
        folder: entry.folder.clone(),
        category: entry.path.split_once('/').map(|(category, _)| category.to_owned()),
        place: machine.place(&entry.location.join("SKILL.md")),
        enabled: entry.enabled,
        asks: !entry.enabled
            && choices.folders.iter().any(|folder| folder.id == entry.folder && !folder.was_seen(&entry.path)),
        readiness: match light {
            unserved @ (Readiness::Problem { .. } | Readiness::Shadowed { .. }) => unserved,
            // Before a secret or a server is asked for.
            other => state.looks_harmful(entry).unwrap_or(other),
        },
        also,
        problems: counts(catalog, entry, examined.problems(entry).unwrap_or_default()),
        files: count(entry.files.len()),
        needs: count(skill.servers.len()),
        renamed: servers::renamed(servers, catalog, &key),
        modified: entry.modified(),
        digest: entry.digest.clone(),
        origin: state.origins.get(&key).map(skill_sources::origin),
        key,
    }
}

fn counts(catalog: &Catalog, entry: &Entry, content: ProblemCounts) -> ProblemCounts {
    let among_others = catalog.problems_of(entry);
    let problems = || entry.skill.problems.iter().chain(&among_others);
    let of = |severity| count(problems().filter(|problem| problem.severity == severity).count());
    ProblemCounts {
        error: content.error + of(Severity::Error),
        warning: content.warning + of(Severity::Warning),
        advice: content.advice + of(Severity::Advice),
    }
}

/// The keys of the enabled skills that miss something.
pub(crate) fn not_ready(state: &State, catalog: &Catalog) -> BTreeSet<String> {
    let missing = catalog.entries().iter().filter(|entry| misses(state, catalog, entry, &BTreeSet::new()));
    missing.map(|entry| entry.key()).collect()
}

/// The skills among these that miss nothing for a client, because it has their servers in its own file.
pub(crate) fn ready_for_some(
    state: &State,
    catalog: &Catalog,
    missing: &BTreeSet<String>,
) -> BTreeMap<String, BTreeSet<String>> {
    let entries: Vec<_> = missing.iter().filter_map(|key| catalog.by_key(key)).collect();
    let of = |present: &BTreeSet<String>| {
        let ready = entries.iter().filter(|entry| !misses(state, catalog, entry, present));
        ready.map(|entry| entry.key()).collect::<BTreeSet<_>>()
    };
    let ready = state.present().into_iter().map(|(client, present)| (client, of(&present)));
    ready.filter(|(_, keys)| !keys.is_empty()).collect()
}

fn misses(state: &State, catalog: &Catalog, entry: &Entry, present: &BTreeSet<String>) -> bool {
    let State { machine, given, servers, .. } = state;
    let (readiness, _) = readiness(machine, given, servers, catalog, entry, present);
    !matches!(readiness, Readiness::Ready | Readiness::Disabled | Readiness::Shadowed { .. })
}

fn servers(state: &State, catalog: &Catalog) -> Vec<ServerRow> {
    let wanted = state.servers.wanted.iter().flat_map(|wanted| wanted.servers.values());
    wanted.map(|want| servers::row(&state.servers, catalog, want)).collect()
}

fn folder(state: &State, choice: &FolderChoice) -> Folder {
    let path = state.machine.data.join(&choice.path);
    let read = state.reading.folder(&choice.id);
    Folder {
        id: choice.id.clone(),
        place: state.machine.place(&path),
        path: path.display().to_string(),
        skills: count(read.map_or(0, |read| read.skills.len())),
        enable_new: choice.enable_new,
        work_tree: read.and_then(|read| read.work_tree.as_ref()).map(|top| state.machine.place(top)),
        shares_switches: choice.known().is_some(),
        trouble: read.and_then(|read| read.trouble.clone()),
        remarks: read.map(|read| read.remarks.clone()).unwrap_or_default(),
    }
}

fn found(state: &State) -> Vec<FoundFolder> {
    let outside = state.found.iter().filter(|(path, _)| !state.holds(path));
    outside
        .map(|(path, skills)| FoundFolder {
            path: path.display().to_string(),
            place: state.machine.place(path),
            skills: *skills,
            enable_new: usually_enables_new(&state.machine, path),
        })
        .collect()
}

fn set(state: &State, catalogs: &Catalogs, choice: &SetChoice) -> SkillSet {
    let gets_it = |(_, set): &(&String, &String)| **set == choice.id;
    SkillSet {
        id: choice.id.clone(),
        name: choice.name.clone(),
        skills: choice.skills.iter().cloned().collect(),
        served: count(catalogs.of_set(&choice.id).map_or(0, |catalog| catalog.served().count())),
        clients: state.choices.set_of.iter().filter(gets_it).map(|(client, _)| client.clone()).collect(),
        folders: choice.folders.iter().map(|bound| bound.folder.clone()).collect(),
    }
}

fn thrown_away(state: &State, trashed: &trash::Trashed) -> Trashed {
    let record = &trashed.record;
    Trashed {
        id: trashed.id.clone(),
        name: record.name.clone(),
        place: state.machine.place(&trashed.record.location()),
        time: record.time,
        link: record.link,
        inside: count(record.chosen.skills.keys().filter(|path| **path != record.path).count()),
    }
}

fn clients(state: &State, catalogs: &Catalogs, offers: &Offers) -> Vec<Client> {
    KnownClient::all(&state.choices).iter().map(|known| client(state, catalogs, offers, known)).collect()
}

/// The clients that a described one can be modelled on.
static MODELS: LazyLock<Vec<&str>> = LazyLock::new(|| clients::models().into_iter().map(|model| model.id).collect());

fn client(state: &State, catalogs: &Catalogs, offers: &Offers, known: &KnownClient) -> Client {
    let offered = offers.of_client(&known.id, catalogs.of_client(&known.id));
    let facts = state.clients.get(&known.id);
    let file = facts.and_then(|facts| facts.file.as_ref());
    let row = known.row;
    let others = file.map(|file| file.others).unwrap_or_default();
    let plain = file.map(|file| file.plain).unwrap_or_default();
    let seen = facts.map(|facts| facts.seen.clone()).unwrap_or_default();
    let standing = file.map_or(Standing::Absent, |file| file.standing.clone());
    let written = file.and_then(|file| file.written);
    Client {
        id: known.id.clone(),
        name: known.name.clone(),
        found: file.is_some_and(|file| file.found),
        place: file.map(|file| file.place.clone()).unwrap_or_default(),
        path: file.map(|file| file.path.clone()).unwrap_or_default(),
        also: file.map(|file| file.also.clone()).unwrap_or_default(),
        proof: proof(&standing, written, &seen),
        standing,
        written,
        transport: file.and_then(|file| file.transport),
        transports: file.map(|file| file.transports.clone()).unwrap_or_default(),
        sandbox: file.and_then(|file| file.sandbox.clone()),
        mark: connect::mark(row),
        reload: connect::reload(known),
        notes: row.pitfalls.iter().map(|note| (*note).to_owned()).collect(),
        shared: file.map(|file| file.shared.clone()).unwrap_or_default(),
        takes_projects: known.custom.is_none() && !row.project.is_empty(),
        hides: row.switches.filter(|_| known.custom.is_none()).map(|switches| match switches.project {
            Some(_) => HidesSkills::InFolder,
            None => HidesSkills::Everywhere,
        }),
        projects: file.map(|file| file.projects.clone()).unwrap_or_default(),
        direct: file.map(|file| file.direct.clone()).unwrap_or_default(),
        others,
        plain,
        undo: file.and_then(|file| file.undo.clone()),
        redo: file.and_then(|file| file.redo.clone()),
        custom: known.custom.is_some(),
        model: known.custom.is_none() && MODELS.contains(&row.id),
        connected: seen.connected,
        set: state.choices.set_of.get(&known.id).cloned(),
        skills: count(catalogs.of_client(&known.id).served().count()),
        tools: count(offered.tools.len()),
        tool_tokens: count(mcp::about_tools_tokens(&offered)),
        live: facts.is_some_and(|facts| facts.connections > 0),
        token: facts.is_some_and(|facts| facts.token),
        peer: seen.peer.map(Into::into),
        calls: seen.calls,
        called: seen.last.map(Into::into),
    }
}

fn settings(state: &State) -> Settings {
    let chosen = &state.choices.settings;
    Settings {
        surfaces: Surface::ALL.map(|surface| (surface, chosen.surfaces.get(&surface) != Some(&false))).into(),
        clients: chosen.clients.clone(),
        archives: chosen.archives || state.archives,
        port: state.choices.port,
        withhold: state.choices.servers.withhold,
        tool_modes: state.choices.servers.modes.clone(),
        tools_off: state.choices.servers.off.clone(),
        login: state.login.clone(),
        menu: state.menu.clone(),
        ask_sources: state.choices.ask_sources,
        updates: Updates { on: state.choices.updates, state: state.update.clone() },
        app: AppSwitch::ALL.map(|switch| (switch, state.choices.app.get(switch.name()) != Some(&false))).into(),
        data: state.machine.place(&state.machine.data),
        language: languages(state),
    }
}

fn languages(state: &State) -> Languages {
    let chosen = state.choices.language.as_deref().and_then(Language::of_tag);
    let desktop = || Language::of_desktop(state.machine.languages.iter().map(String::as_str));
    Languages { chosen, shown: chosen.unwrap_or_else(desktop) }
}

fn endpoint(state: &State, catalog: &Catalog) -> Endpoint {
    let facts = &state.endpoint;
    let at = match &facts.trouble {
        _ if state.choices.paused => EndpointState::Paused,
        Some(message) => EndpointState::StdioOnly { message: message.clone() },
        None => EndpointState::Serving,
    };
    Endpoint {
        state: at,
        address: facts.address.clone().unwrap_or_default(),
        connected: count(state.clients.values().filter(|client| client.connections > 0).count()),
        served: count(catalog.served().count()),
    }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
