//! Writes skills down as other programs read them: the lock of `npx skills`, a marketplace of Claude Code, and what a site
//! serves below `/.well-known/agent-skills/`. What a program reads is in `sources`; the files are written here, and none
//! that is there is replaced unasked.

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use ::skills::Entry;
use api::{ActionError, ErrorKind, ExportFormat, Exported, failed};
use connect::file_failed;
use files::replace_file;
use flate2::{Compression, GzBuilder};
use library::import::{Bundled, bundle};
use origins::{Files, Record, read_files};
use sha2::{Digest as _, Sha256};
use sources::{
    export::{Sourced, marketplace, skills_lock},
    update::{FileBytes, FileSet},
    well_known,
};
use state::blocking;

use crate::Engine;

/// The largest file that is there already and is compared before it is replaced.
const LARGEST: u64 = 512 << 20;
/// The file of `npx skills`.
const SKILLS_LOCK: &str = "skills-lock.json";

/// Files to write, by their paths below the folder.
type Tree = BTreeMap<String, FileBytes>;

/// Writes these skills in a format; without keys, all that it is about: for the lock those with a source, else those that
/// are on. `to` is the folder, or the file of the lock. With `replace`, files that are there are replaced.
///
/// # Errors
/// When there is no such skill, none can be written in this format, a file is there already, or the disk refuses. Nothing
/// is written then, except what the disk took before it refused.
pub async fn export_skills(
    engine: &Engine,
    keys: Option<&[String]>,
    format: ExportFormat,
    to: &str,
    replace: bool,
) -> Result<Exported, ActionError> {
    let (state, catalog, to) = (engine.state().now(), engine.state().catalog(), PathBuf::from(to));
    if !to.is_absolute() {
        return Err(failed(ErrorKind::Input, format!("{} is not an absolute path.", to.display())));
    }
    let is_locked = format == ExportFormat::SkillsLock;
    let is_meant = |entry: &&Arc<Entry>| match keys {
        Some(keys) => keys.contains(&entry.key()),
        None if is_locked => state.origins.contains_key(&entry.key()),
        None => entry.enabled,
    };
    let entries: Vec<_> = catalog.entries().iter().filter(is_meant).cloned().collect();
    blocking(move || {
        let mut skills = Vec::new();
        for entry in entries {
            let disk = read_files(&entry.location, &Files::new());
            let disk = disk.map_err(|error| failed(ErrorKind::System, error.to_string()))?;
            skills.push((entry, disk.files));
        }
        let (tree, left_out) = match format {
            ExportFormat::SkillsLock => locked(&skills, &state.origins, &to),
            ExportFormat::ClaudeMarketplace => of_marketplace(&skills, &to),
            ExportFormat::WellKnown => of_site(&skills)?,
        };
        let count = skills.len() - left_out.len();
        if count == 0 {
            let message = if is_locked {
                "No skill has a source, so there is nothing to write."
            } else {
                "No skill is on, so there is nothing to write. Name the skills that are meant."
            };
            let message = left_out.first().cloned().unwrap_or_else(|| message.to_owned());
            return Err(failed(ErrorKind::NotFound, message));
        }
        let folder = if is_locked && !to.is_dir() { to.parent().unwrap_or(&to) } else { &to };
        let written = write(folder, &tree, replace)?;
        Ok(Exported { files: written, skills: u32::try_from(count).unwrap_or(u32::MAX), left_out })
    })
    .await
}

type Skills = [(Arc<Entry>, FileSet)];

fn locked(skills: &Skills, origins: &BTreeMap<String, Record>, to: &Path) -> (Tree, Vec<String>) {
    let (mut sourced, mut without) = (Vec::new(), Vec::new());
    for (entry, files) in skills {
        match origins.get(&entry.key()) {
            Some(record) => sourced.push(Sourced {
                name: &entry.skill.name,
                address: &record.address,
                follows: record.follows.as_deref(),
                inside: &record.inside,
                files,
            }),
            None => without.push(format!("{} is left out. It has no source.", entry.skill.name)),
        }
    }
    let (text, left_out) = skills_lock(&sourced);
    without.extend(left_out);
    let name = to.file_name().filter(|_| !to.is_dir()).and_then(|name| name.to_str()).unwrap_or(SKILLS_LOCK);
    (Tree::from([(name.to_owned(), plain(text))]), without)
}

fn of_marketplace(skills: &Skills, to: &Path) -> (Tree, Vec<String>) {
    let mut tree = Tree::new();
    let mut listed = BTreeMap::new();
    let mut left_out = Vec::new();
    for (entry, files) in skills {
        let id = entry.skill.id.as_str();
        if listed.insert(id, entry.skill.description.as_str()).is_some() {
            left_out.push(format!("{id} is left out. Another skill has this id too."));
            continue;
        }
        tree.extend(files.iter().map(|(path, file)| (format!("skills/{id}/{path}"), file.clone())));
    }
    let name = to.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let text = marketplace(&kebab(name), &listed.into_iter().collect::<Vec<_>>());
    tree.insert(sources::marketplace::MARKETPLACE.to_owned(), plain(text));
    (tree, left_out)
}

/// The name of a marketplace, as Claude Code takes one.
fn kebab(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<_> = plain.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "skills".to_owned() } else { words.join("-") }
}

fn of_site(skills: &Skills) -> Result<(Tree, Vec<String>), ActionError> {
    let (mut tree, mut entries, mut left_out) = (Tree::new(), BTreeMap::new(), Vec::new());
    for (entry, files) in skills {
        let (id, description) = (entry.skill.id.as_str(), entry.skill.description.as_str());
        let why = match () {
            () if !::skills::is_kebab_case(id) || id.len() > 64 => "Its id is none that such a list takes.",
            () if description.is_empty() => "It has no description.",
            () if description.chars().count() > 1024 => "Its description has more than 1024 characters.",
            () if entries.contains_key(id) => "Another skill has this id too.",
            () => "",
        };
        if !why.is_empty() {
            left_out.push(format!("{id} is left out. {why}"));
            continue;
        }
        let alone = files.get("SKILL.md").filter(|_| files.len() == 1);
        let (kind, url, bytes) = match alone {
            Some(file) => ("skill-md", format!("{id}/SKILL.md"), file.bytes.clone()),
            None => ("archive", format!("{id}.tar.gz"), packed(files)?),
        };
        let digest = format!("sha256:{:x}", Sha256::digest(&bytes));
        let (name, kind, description) = (id.to_owned(), kind.to_owned(), description.to_owned());
        tree.insert(format!(".well-known/agent-skills/{url}"), FileBytes { bytes, executable: false });
        entries.insert(id, well_known::Entry { name, kind, description, url, digest });
    }
    let text = well_known::written(&entries.into_values().collect::<Vec<_>>());
    tree.insert(well_known::PLACES[0].trim_start_matches('/').to_owned(), plain(text));
    Ok((tree, left_out))
}

/// The same archive for the same files.
fn packed(files: &FileSet) -> Result<Vec<u8>, ActionError> {
    let file = |(path, file): (&String, &FileBytes)| Bundled {
        path: path.clone(),
        bytes: file.bytes.clone(),
        executable: file.executable,
        link: false,
    };
    let failed = |error: std::io::Error| failed(ErrorKind::System, format!("A skill could not be packed: {error}."));
    let archive = bundle(&files.iter().map(file).collect::<Vec<_>>()).map_err(failed)?;
    let mut packed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    packed.write_all(&archive).map_err(failed)?;
    packed.finish().map_err(failed)
}

fn plain(text: String) -> FileBytes {
    FileBytes { bytes: text.into_bytes(), executable: false }
}

/// Writes a tree of files; returns their paths. What is there with the same bytes stays.
fn write(folder: &Path, tree: &Tree, replace: bool) -> Result<Vec<String>, ActionError> {
    let mut there = Vec::new();
    for path in tree.keys() {
        there.push(replace_file::read(&folder.join(path), LARGEST).map_err(file_failed)?);
    }
    let is_other = |(there, (_, file)): &(&Option<Vec<u8>>, (&String, &FileBytes))| {
        there.as_ref().is_some_and(|there| *there != file.bytes)
    };
    if let Some((_, (path, _))) = there.iter().zip(tree).find(is_other).filter(|_| !replace) {
        let message = format!("{} is there already, so nothing was written.", folder.join(path).display());
        let hints = vec!["Choose another place, or say that it may be replaced.".to_owned()];
        return Err(ActionError { kind: ErrorKind::Refused, message, hints });
    }
    let mut written = Vec::new();
    for (there, (path, file)) in there.iter().zip(tree) {
        let at = folder.join(path);
        if there.as_ref() != Some(&file.bytes) {
            let above = at.parent().unwrap_or(folder);
            std::fs::create_dir_all(above).map_err(|error| {
                failed(ErrorKind::System, format!("{} cannot be written: {error}.", above.display()))
            })?;
            replace_file::replace(&at, there.as_deref(), Some(&file.bytes)).map_err(file_failed)?;
        }
        #[cfg(unix)]
        if file.executable {
            use std::os::unix::fs::PermissionsExt as _;
            // A copy that cannot be run is still a copy.
            drop(std::fs::set_permissions(&at, std::fs::Permissions::from_mode(0o755)));
        }
        written.push(at.display().to_string());
    }
    Ok(written)
}
