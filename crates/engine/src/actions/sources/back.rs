//! The versions of a skill, and going back to one: every byte as it was.

use api::{ActionError, Answers, ErrorKind, SkillVersion, UpdatePlan, failed};
use origins::{By, Version, Versions};
use state::blocking;

use super::{
    put::{Coming, present, put},
    records::by,
};
use crate::{Engine, actions::writing};

/// The present version of a skill and those before it, the latest first.
///
/// # Errors
/// When there is no such skill, or it has no source.
pub async fn skill_versions(engine: &Engine, key: &str) -> Result<Vec<SkillVersion>, ActionError> {
    let (record, disk, _) = present(engine, key).await?;
    let now = Version { files: origins::locked(&disk.files), ..record.now };
    let shown = |(number, version): (usize, Version)| SkillVersion {
        number: u32::try_from(number).unwrap_or(u32::MAX),
        at: version.at,
        by: by(version.by),
        commit: version.named(),
        files: u32::try_from(version.files.len()).unwrap_or(u32::MAX),
        edited: version.files != version.came,
    };
    Ok(std::iter::once(now).chain(record.before).enumerate().map(shown).collect())
}

/// What going back to a version would change, by its number in [`skill_versions`]. Nothing changes.
///
/// # Errors
/// When there is no such version, or its bytes are damaged.
pub async fn plan_back(engine: &Engine, key: &str, number: u32) -> Result<UpdatePlan, ActionError> {
    let (coming, id) = coming(engine, key, number).await?;
    Ok(coming.plan(&id))
}

/// Goes back to a version as `plan` showed. The present version is kept, so this can be taken back too.
///
/// # Errors
/// When the skill changed since, the version is not there any more, or the disk refuses: then nothing changes.
pub async fn go_back_to(engine: &Engine, key: &str, number: u32, plan: &str) -> Result<(), ActionError> {
    writing(engine)?;
    let (coming, _) = coming(engine, key, number).await?;
    put(engine, vec![(coming, plan.to_owned(), Answers::new())]).await
}

async fn coming(engine: &Engine, key: &str, number: u32) -> Result<(Coming, String), ActionError> {
    let (record, disk, id) = present(engine, key).await?;
    let place = usize::try_from(number).unwrap_or(usize::MAX).checked_sub(1);
    let version = place.and_then(|place| record.before.get(place)).cloned().ok_or_else(|| {
        let most = record.before.len();
        let message = match most {
            0 => format!("{id} has no version before this one."),
            _ => format!("{id} has no version {number}. Those before this one are 1 to {most}."),
        };
        failed(ErrorKind::NotFound, message)
    })?;
    let (versions, files) = (Versions::of(engine.machine()), version.files.clone());
    let read = move || versions.read(&files).map_err(|missing| failed(ErrorKind::System, missing.to_string()));
    let theirs = blocking(read).await?;
    let base = disk.files.clone();
    let that = (version.commit.clone(), version.made, theirs);
    // What came with that commit is what a later update is merged against.
    let mut coming = Coming::new(record, disk, base, that, (By::WentBack, Vec::new()));
    coming.came = Some(version.came);
    Ok((coming, id))
}
