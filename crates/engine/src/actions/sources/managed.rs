//! Skills that other programs installed: recognised by the records that those programs keep, which are only read, and
//! adopted when a person wants it. Adopting changes no file but one of our own.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use ::skills::Entry;
use api::{ActionError, ErrorKind, ManagedSkill, failed};
use files::replace_file;
use machine::{Machine, clock};
use origins::{By, Record as Origin, Version, Versions, locked, read_files};
use serde_json::Value;
use sources::{
    Source,
    records::{self, Record, Records},
};
use state::blocking;

use super::{
    keep_origins,
    opened::{Opened, open},
};
use crate::{Engine, actions::writing};

/// The largest record file that is read, in bytes.
const LARGEST: u64 = 16 << 20;
/// The most folders of a program that are looked at.
const MOST: usize = 1_000;
/// How many folders above a skill a project may be: `<project>/.agents/skills/<category>/<skill>`.
const ABOVE: usize = 5;

/// How a program's file is read.
type Reader = fn(&str) -> Result<Records, records::NoRecords>;

/// The files that programs keep in a project.
const IN_PROJECTS: &[(&str, Reader)] = &[
    ("skills-lock.json", records::skills_cli_project),
    ("apm.lock.yaml", records::apm),
    ("toolhive.lock.yaml", records::toolhive),
    ("sx.lock", records::sx),
];

/// The skills of the library, or those of these keys, that another program installed and Skilltender does not follow, by
/// their names.
///
/// # Errors
/// When the engine is quitting.
pub async fn managed_skills(engine: &Engine, keys: Option<&[String]>) -> Result<Vec<ManagedSkill>, ActionError> {
    let shown = |(entry, record): (Arc<Entry>, Record)| ManagedSkill {
        key: entry.key(),
        name: entry.skill.name.clone(),
        by: record.by.name().to_owned(),
        version: record.version_shown().map(str::to_owned),
        adoptable: record.is_git,
        source: record.source,
    };
    let mut found: Vec<_> = recognised(engine, keys).await?.into_iter().map(shown).collect();
    found.sort_by(|one, other| (one.name.to_lowercase(), &one.key).cmp(&(other.name.to_lowercase(), &other.key)));
    Ok(found)
}

/// Follows a skill of another program: it is pinned to the commit that the program recorded, or to what the source has now.
/// The skill's files and that program's records stay as they are.
///
/// # Errors
/// When no program recorded where it came from, or the source is none that Skilltender fetches.
pub async fn adopt_skill(engine: &Engine, key: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let entry = engine.state().entry(key)?;
    if engine.state().now().origins.contains_key(key) {
        let message = format!("Skilltender follows the source of {} already.", entry.skill.name);
        return Err(failed(ErrorKind::Already, message));
    }
    let found = recognised(engine, Some(&[key.to_owned()])).await?;
    let record = found.into_iter().next().map(|(_, record)| record);
    let record = record.ok_or_else(|| {
        let message = format!("No program that we know recorded where {} came from.", entry.skill.name);
        failed(ErrorKind::NotFound, message)
    })?;
    if !record.is_git {
        let (by, source, name) = (record.by.name(), &record.source, &entry.skill.name);
        let message =
            format!("{name} was installed by {by} from {source}, which is no git repository that could be followed.");
        return Err(failed(ErrorKind::Refused, message));
    }
    let (machine, cancel) = (engine.machine().clone(), engine.cancel());
    let origin = blocking(move || {
        let written = match &record.follows {
            Some(follows) => format!("{}#{follows}", record.source),
            None => record.source.clone(),
        };
        let written = if Source::read(&written).is_ok() { written } else { record.source.clone() };
        let opened = open(&machine, &written, record.commit.as_deref(), None, &cancel)?;
        let inside = place_of(&opened, &record, &entry.skill.id)?;
        let opened = opened.inside(&inside);
        let theirs = opened.one_skill(&cancel)?;
        let mine = read_files(&entry.location, &locked(&theirs))
            .map_err(|error| failed(ErrorKind::System, error.to_string()))?
            .files;
        // Where the commit is not known, what is here counts as what came, and what the source has now is an update.
        let knows = record.commit.is_some() || theirs == mine;
        let versions = Versions::of(&machine);
        let files = versions.keep(&mine).map_err(connect::file_failed)?;
        let came = if knows { versions.keep(&theirs).map_err(connect::file_failed)? } else { files.clone() };
        let made = opened.held.made(&cancel)?;
        let commit = if knows { opened.held.commit().to_owned() } else { String::new() };
        let now = Version { at: clock::now(), by: By::Added, commit, made, came, files };
        let (address, follows) = (opened.address.clone(), opened.follows.clone());
        Ok(Origin { key: entry.key(), address, follows, inside, now, ..Origin::default() })
    })
    .await?;
    keep_origins(engine, vec![origin]).await
}

/// The folder of a skill in its source: where the record says, else the one folder of its name.
fn place_of(opened: &Opened, record: &Record, id: &str) -> Result<String, ActionError> {
    let folders = opened.skill_folders();
    if let Some(said) = folders.iter().find(|folder| **folder == record.inside && !record.inside.is_empty()) {
        return Ok(said.clone());
    }
    let named: Vec<_> = folders.iter().filter(|folder| folder.rsplit('/').next() == Some(id)).collect();
    match (named.as_slice(), folders.as_slice()) {
        ([only], _) | ([only, ..], _) => Ok((*only).clone()),
        ([], [only]) => Ok(only.clone()),
        _ => Err(failed(ErrorKind::NotFound, format!("{} has no folder {id} with a skill.", opened.name()))),
    }
}

/// The library's skills without a source of ours, or those of these keys, each with what another program recorded about it.
async fn recognised(engine: &Engine, keys: Option<&[String]>) -> Result<Vec<(Arc<Entry>, Record)>, ActionError> {
    let (state, catalog, machine) = (engine.state().now(), engine.state().catalog(), engine.machine().clone());
    let keys: Option<BTreeSet<_>> = keys.map(|keys| keys.iter().cloned().collect());
    blocking(move || {
        let mut files = Files { machine: &machine, projects: BTreeMap::new() };
        let (own, plugins) = (files.of_the_person(), files.plugins());
        let wanted = |key: &String| keys.as_ref().is_none_or(|keys| keys.contains(key));
        let asked = |entry: &&Arc<Entry>| {
            let key = entry.key();
            wanted(&key) && !state.origins.contains_key(&key)
        };
        let record = |entry: &Arc<Entry>| files.record(entry, &own, &plugins).map(|record| (Arc::clone(entry), record));
        Ok(catalog.entries().iter().filter(asked).filter_map(record).collect())
    })
    .await
}

/// Other programs' files, each read once.
struct Files<'m> {
    machine: &'m Machine,
    projects: BTreeMap<PathBuf, Vec<Record>>,
}

impl Files<'_> {
    /// What is recorded about one skill.
    fn record(&mut self, entry: &Entry, own: &[Record], plugins: &[records::Plugin]) -> Option<Record> {
        let metadata = entry.skill.frontmatter();
        let written = metadata.get("metadata").and_then(Value::as_object);
        if let Some(record) = written.and_then(|metadata| records::github_cli(&entry.skill.id, metadata)) {
            return Some(record);
        }
        let real = dunce::canonicalize(&entry.location).ok()?;
        if let Some(plugin) = plugins.iter().find(|plugin| real.starts_with(&plugin.folder)) {
            return Some(plugin.record.clone());
        }
        let name = real.file_name()?.to_str()?.to_owned();
        if real.parent() == Some(&self.machine.home.join(".agents/skills"))
            && let Some(record) = own.iter().find(|record| record.name == name)
        {
            return Some(record.clone());
        }
        // A home is no project: what lies in it is the person's.
        let home = self.machine.home.clone();
        let above: Vec<_> =
            real.ancestors().skip(1).take(ABOVE).take_while(|folder| *folder != home).map(Path::to_path_buf).collect();
        above.into_iter().find_map(|folder| self.of_project(&folder).iter().find(|record| record.name == name).cloned())
    }

    /// What `npx skills` recorded for the person.
    fn of_the_person(&self) -> Vec<Record> {
        let home = &self.machine.home;
        let files = [home.join(".agents/.skill-lock.json"), home.join(".local/state/skills/.skill-lock.json")];
        files.iter().flat_map(|file| read(file, records::skills_cli_global)).collect()
    }

    /// The folders that programs installed as a whole, by their real paths, as skills are found.
    fn plugins(&self) -> Vec<records::Plugin> {
        let mut plugins = self.claude_plugins();
        plugins.extend(self.codex_plugins());
        plugins.extend(self.gemini_extensions());
        for plugin in &mut plugins {
            if let Ok(real) = dunce::canonicalize(&plugin.folder) {
                plugin.folder = real.display().to_string();
            }
        }
        plugins
    }

    fn claude_plugins(&self) -> Vec<records::Plugin> {
        let folder = self.machine.home.join(".claude/plugins");
        let Some(installed) = text(&folder.join("installed_plugins.json")) else { return Vec::new() };
        let marketplaces = text(&folder.join("known_marketplaces.json")).unwrap_or_default();
        records::claude_plugins(&installed, &marketplaces).unwrap_or_default()
    }

    fn codex_plugins(&self) -> Vec<records::Plugin> {
        let codex = self.machine.home.join(".codex");
        let plugins = inside(&codex.join("plugins/cache")).into_iter().flat_map(|marketplace| inside(&marketplace));
        let versions = plugins.flat_map(|plugin| inside(&plugin));
        let folders: Vec<_> = versions.map(|version| version.display().to_string()).collect();
        let config = if folders.is_empty() { None } else { text(&codex.join("config.toml")) };
        records::codex_plugins(&config.unwrap_or_default(), folders)
    }

    fn gemini_extensions(&self) -> Vec<records::Plugin> {
        let read = |folder: PathBuf| {
            let installed = text(&folder.join(".gemini-extension-install.json"))?;
            let manifest = text(&folder.join("gemini-extension.json")).unwrap_or_default();
            records::gemini_extension(&folder.display().to_string(), &installed, &manifest).ok()
        };
        inside(&self.machine.home.join(".gemini/extensions")).into_iter().filter_map(read).collect()
    }

    fn of_project(&mut self, folder: &Path) -> &[Record] {
        self.projects.entry(folder.to_path_buf()).or_insert_with(|| {
            IN_PROJECTS.iter().flat_map(|(file, reader)| read(&folder.join(file), *reader)).collect()
        })
    }
}

fn read(file: &Path, reader: Reader) -> Vec<Record> {
    let Some(text) = text(file) else { return Vec::new() };
    match reader(&text) {
        Ok(records) => records.skills,
        Err(error) => {
            tracing::debug!(%error, file = %file.display(), "records of another program are not read");
            Vec::new()
        }
    }
}

/// The folders in a folder, as many as a person has.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    let mut folders: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn text(file: &Path) -> Option<String> {
    if !fs::metadata(file).is_ok_and(|kind| kind.is_file()) {
        return None;
    }
    String::from_utf8(replace_file::read(file, LARGEST).ok()??).ok()
}
