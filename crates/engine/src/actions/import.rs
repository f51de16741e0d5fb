//! Imports skills from a folder, a zip file or a SKILL.md.

use std::path::{Path, PathBuf};

use ::skills::{Catalog, File, Severity};
use api::{ActionError, ErrorKind, ImportPlan, ImportRefusal, ImportSkill, ProblemCounts, SkillFile, Wrote, failed};
use connect::file_failed;
use files::{digest, staged_dir::Prepared};
use library::import::{self, Incoming, IncomingSkill, Refused};
use machine::Machine;
use state::blocking;

use crate::{
    Engine,
    actions::{
        target::Target,
        writing,
        wrote::{Back, wrote},
    },
    pages::look,
};

/// Shows what a folder, a zip file or a SKILL.md would add, and which of its skills cannot be imported: all of them, or
/// those at the paths in `only`. Writes nothing.
///
/// # Errors
/// When the path is not absolute, there is nothing that may be imported, or it is a skill of the library; the error says
/// why.
pub async fn look_at_import(engine: &Engine, path: &str, only: Option<Vec<String>>) -> Result<ImportPlan, ActionError> {
    let source = source(path)?;
    let (machine, catalog) = (engine.machine().clone(), engine.state().catalog());
    blocking(move || {
        let incoming = import::read(&source, only.as_deref()).map_err(refuse)?;
        refuse_there(&machine, &catalog, &source, &incoming)?;
        Ok(plan(&machine, &catalog, &source, &incoming))
    })
    .await
}

/// Refuses a source that is itself a skill of the library.
fn refuse_there(machine: &Machine, catalog: &Catalog, source: &Path, incoming: &Incoming) -> Result<(), ActionError> {
    let [skill] = &incoming.skills[..] else { return Ok(()) };
    let Ok(real) = dunce::canonicalize(source) else { return Ok(()) };
    let folder = if real.is_dir() { Some(real.as_path()) } else { real.parent() };
    let is_there = |location: &Path| dunce::canonicalize(location).is_ok_and(|location| Some(&*location) == folder);
    let mut same_id = catalog.entries().iter().filter(|entry| skill.path.is_empty() && entry.skill.id == skill.id);
    let Some(there) = same_id.find(|entry| is_there(&entry.location)) else { return Ok(()) };
    let message = format!("{} is in your library already: {}.", skill.id, machine.place(&there.location));
    let hints = vec!["For a second one beside it, duplicate it.".to_owned()];
    Err(ActionError { kind: ErrorKind::Refused, message, hints })
}

/// Imports what [`look_at_import`] showed into a folder of the library: all of its skills, or those at the paths in
/// `only`. They are off until the user switches them on. Returns their keys.
///
/// # Errors
/// When something differs from what was shown, a folder of the same name exists, or it cannot be written. Then nothing
/// is imported except what the error names.
pub async fn import_skill(
    engine: &Engine,
    path: &str,
    plan: &str,
    folder: &str,
    only: Option<Vec<String>>,
) -> Result<Vec<String>, ActionError> {
    writing(engine)?;
    let (source, plan) = (source(path)?, plan.to_owned());
    let skills = blocking(move || again(&source, &plan, only.as_deref())).await?;
    let Came { keys, failure } = bring(engine, skills, folder).await?;
    failure.map_or(Ok(keys), Err)
}

/// The skills that came, by their keys, and why not all did.
pub(super) struct Came {
    pub(super) keys: Vec<String>,
    pub(super) failure: Option<ActionError>,
}

/// Puts skills from outside into a folder of the library, off and not seen yet.
///
/// # Errors
/// When none of them came.
pub(super) async fn bring(engine: &Engine, skills: Vec<IncomingSkill>, folder: &str) -> Result<Came, ActionError> {
    let mut targets = Vec::new();
    for skill in &skills {
        let target = Target::new(engine, folder, &skill.id)?;
        target.refuse_taken(engine)?;
        targets.push(target);
    }
    let places: Vec<_> = targets.iter().map(|target| target.parent().to_path_buf()).collect();
    // Recorded before the skill exists, so that it counts as someone else's wherever it is moved.
    let digests: Vec<_> = skills.iter().flat_map(every_skill_md).collect();
    engine.state().change(move |state| state.choices.unseen.extend(digests)).await?;
    let prepared = blocking(move || skills.iter().zip(&places).map(|(skill, place)| prepare(skill, place)).collect());
    let prepared: Vec<Prepared> = prepared.await?;
    let (mut keys, mut failure) = (Vec::new(), None);
    for (target, prepared) in targets.into_iter().zip(prepared) {
        match target.put(engine, prepared, false, false).await {
            Ok(key) => keys.push(key),
            Err(error) if keys.is_empty() => return Err(error),
            Err(error) => {
                let hints = vec![format!("These came before it and stay: {}.", keys.join(", "))];
                failure = Some(ActionError { hints, ..error });
                break;
            }
        }
    }
    added(engine, &keys, folder, true).await;
    Ok(Came { keys, failure })
}

/// Records that skills came into the library.
pub(super) async fn added(engine: &Engine, keys: &[String], folder: &str, imported: bool) {
    let catalog = engine.state().catalog();
    let name = |key: &String| catalog.by_key(key).map_or_else(|| key.clone(), |entry| entry.skill.name.clone());
    let roots = engine.state().roots();
    let place = roots.iter().find(|root| root.id == folder).map(|root| engine.machine().place(&root.path));
    let what = Wrote::Added { skills: keys.iter().map(name).collect(), place: place.unwrap_or_default(), imported };
    wrote(engine, what, Some(Back::Trash { keys: keys.to_vec() })).await;
}

/// What an import refuses is refused by the action.
fn refuse(refused: Refused) -> ActionError {
    failed(ErrorKind::Refused, refused.0)
}

pub(super) fn source(path: &str) -> Result<PathBuf, ActionError> {
    let source = PathBuf::from(path);
    if !source.is_absolute() {
        return Err(failed(ErrorKind::Input, format!("{path} is not an absolute path.")));
    }
    if !source.exists() {
        return Err(failed(ErrorKind::NotFound, format!("{path} is not on this computer.")));
    }
    Ok(source)
}

/// Reads the skills to import again, and ensures that what is written is what was shown.
pub(super) fn again(source: &Path, plan: &str, only: Option<&[String]>) -> Result<Vec<IncomingSkill>, ActionError> {
    // The user saw only these skills, or chose them from all.
    if only.is_some()
        && let Ok(incoming) = import::read(source, only)
        && incoming.digest() == plan
    {
        return Ok(incoming.skills);
    }
    let incoming = import::read(source, None).map_err(refuse)?;
    if incoming.digest() != plan {
        let message = format!("{} changed since it was shown, so nothing was imported.", source.display());
        let hints = vec!["Look at it again, then import.".to_owned()];
        return Err(ActionError { kind: ErrorKind::Changed, message, hints });
    }
    let wanted = |skill: &IncomingSkill| only.is_none_or(|only| only.contains(&skill.path));
    let skills: Vec<_> = incoming.skills.into_iter().filter(wanted).collect();
    if skills.is_empty() {
        return Err(failed(ErrorKind::Input, "No skill was chosen, so nothing was imported."));
    }
    Ok(skills)
}

/// The digest of its SKILL.md, and of those of nested skills.
fn every_skill_md(skill: &IncomingSkill) -> impl Iterator<Item = String> {
    let files = skill.files.iter().filter(|(path, _)| path.as_str().rsplit('/').next() == Some("SKILL.md"));
    files.map(|(_, file)| digest(&file.bytes))
}

fn prepare(skill: &IncomingSkill, parent: &Path) -> Result<Prepared, ActionError> {
    let mut prepared = Prepared::beside(parent).map_err(file_failed)?;
    for (path, file) in &skill.files {
        prepared.write(path, &file.bytes[..], file.executable).map_err(file_failed)?;
    }
    Ok(prepared)
}

fn plan(machine: &Machine, catalog: &Catalog, source: &Path, incoming: &Incoming) -> ImportPlan {
    shown_plan(machine, catalog, &machine.place(source), incoming)
}

/// What a person is shown of skills from outside; `place` is where they come from, for people.
pub(super) fn shown_plan(machine: &Machine, catalog: &Catalog, place: &str, incoming: &Incoming) -> ImportPlan {
    ImportPlan {
        id: incoming.digest(),
        place: place.to_owned(),
        archive: incoming.archive,
        skills: incoming.skills.iter().map(|skill| shown(machine, catalog, skill)).collect(),
        refused: incoming
            .refused
            .iter()
            .map(|refused| ImportRefusal { path: refused.path.clone(), why: refused.why.clone() })
            .collect(),
        left_out: incoming.left_out.clone(),
    }
}

fn shown(machine: &Machine, catalog: &Catalog, incoming: &IncomingSkill) -> ImportSkill {
    let bytes = &incoming.files[&::skills::SkillPath::skill_md()].bytes;
    let skill = ::skills::read(&incoming.id, bytes);
    let size = |bytes: &[u8]| bytes.len() as u64;
    let files: Vec<_> = incoming
        .files
        .iter()
        .map(|(path, file)| File { path: path.clone(), size: size(&file.bytes), modified: 0 })
        .collect();
    let texts = incoming.files.iter().map(|(path, file)| (path, file.bytes.as_slice()));
    let mut text_of = |path: &_| String::from_utf8(incoming.files.get(path)?.bytes.clone()).ok();
    let problems = [skill.problems.clone(), ::skills::examine(&skill, bytes, &files, &mut text_of)].concat();
    let of = |severity| {
        u32::try_from(problems.iter().filter(|problem| problem.severity == severity).count()).unwrap_or(u32::MAX)
    };
    let same_id = catalog.entries().iter().find(|entry| entry.skill.id == incoming.id);
    ImportSkill {
        path: incoming.path.clone(),
        id: incoming.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        files: files.iter().map(|file| SkillFile { path: file.path.as_str().to_owned(), size: file.size }).collect(),
        size: files.iter().map(|file| file.size).sum(),
        problems: ProblemCounts {
            error: of(Severity::Error),
            warning: of(Severity::Warning),
            advice: of(Severity::Advice),
        },
        same_id: same_id.map(|entry| machine.place(&entry.location)),
        trust: look::judge(&skill, &files, texts.clone(), ::skills::scan(texts)),
    }
}
