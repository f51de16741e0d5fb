//! User actions on the counts of what clients use: looking at them, taking them elsewhere, forgetting them.

use std::path::PathBuf;

use api::{ActionError, Client, ErrorKind, PlacedState, Standing, UsageReport, UsageVerdict, failed};
use connect::file_failed;
use files::replace_file;
use state::{blocking, usage::Counts};

use super::client_folders;
use crate::{
    Engine, Mode,
    audit::usage::{self, Seen, day, months},
};

/// The longest time that is kept.
const LONGEST: u32 = 731;

/// Larger than any table; a larger file is not one of ours.
const LARGEST: u64 = 256 << 20;

/// What skills and servers were used in the last `days` days, today included, and what follows from it.
///
/// # Errors
/// When that is no number of days that is kept, or the engine is quitting.
pub async fn usage(engine: &Engine, days: u32) -> Result<UsageReport, ActionError> {
    let twice = loaded_twice(engine).await?;
    let today = day::today();
    let (counts, since) = counted(engine, days, today).await?;
    let catalog = engine.state().catalog();
    let seen = Seen { catalog: &catalog, twice, since, today };
    Ok(usage::report(&counts, days, &seen))
}

/// The counts of the last `days` days as a table, in lines with commas.
///
/// # Errors
/// As [`usage()`].
pub async fn usage_as_csv(engine: &Engine, days: u32) -> Result<String, ActionError> {
    Ok(usage::csv(&counted(engine, days, day::today()).await?.0))
}

/// Writes that table to a file. An earlier table is replaced, because the user chose it.
///
/// # Errors
/// When the path is not absolute, is not that of such a table, or names a file that is not one; or the file cannot be
/// written.
pub async fn save_usage(engine: &Engine, days: u32, to: &str) -> Result<(), ActionError> {
    let path = PathBuf::from(to);
    if !path.is_absolute() {
        return Err(failed(ErrorKind::Input, format!("{to} is not an absolute path.")));
    }
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("csv")) {
        return Err(failed(ErrorKind::Input, format!("{to} is not the name of a table: it ends in .csv.")));
    }
    let text = usage_as_csv(engine, days).await?;
    blocking(move || {
        let before = replace_file::read(&path, LARGEST).map_err(file_failed)?;
        if before.as_deref().is_some_and(|before| !before.starts_with(usage::CSV.as_bytes())) {
            let message = format!("{} is there already and is no such table, so nothing was written.", path.display());
            let hints = vec!["Choose another name.".to_owned()];
            return Err(ActionError { kind: ErrorKind::Refused, message, hints });
        }
        replace_file::replace(&path, before.as_deref(), Some(text.as_bytes())).map_err(file_failed)
    })
    .await
}

/// Forgets everything that was counted.
///
/// # Errors
/// When the files cannot be removed.
pub async fn wipe_usage(engine: &Engine) -> Result<(), ActionError> {
    super::writing(engine)?;
    let engine = engine.clone();
    blocking(move || {
        let folder = engine.machine().data.join(usage::FOLDER);
        months::wipe(&folder, engine.state().usage()).map_err(|error| {
            let place = engine.machine().place(&folder);
            failed(ErrorKind::System, format!("{place} could not be emptied: {error}."))
        })
    })
    .await
}

/// What is counted of these days, saved or not, and the first day of which anything is.
async fn counted(engine: &Engine, days: u32, today: u32) -> Result<(Counts, Option<u32>), ActionError> {
    if !(1..=LONGEST).contains(&days) {
        let message = format!("What was used can be shown for 1 to {LONGEST} days.");
        return Err(failed(ErrorKind::Input, message));
    }
    if matches!(engine.mode(), Mode::Plain { .. }) {
        return Ok(Default::default());
    }
    let engine = engine.clone();
    blocking(move || {
        let folder = engine.machine().data.join(usage::FOLDER);
        let from = usage::first_of(today, days);
        let (counts, first) = months::read_with(&folder, from, engine.state().usage());
        let first = first.or_else(|| (!counts.is_empty()).then_some(today));
        Ok((counts, first))
    })
    .await
}

/// The skills that a connected client gets from us and from a folder that it reads by itself, by id.
async fn loaded_twice(engine: &Engine) -> Result<Vec<(String, UsageVerdict)>, ActionError> {
    let (folders, snapshot) = (client_folders(engine).await?, engine.snapshot());
    let mut twice = Vec::new();
    for folder in folders.iter().filter(|folder| folder.exists) {
        let readers = folder
            .readers
            .iter()
            .filter_map(|reader| snapshot.clients.iter().find(|client| client.id == reader.id && is_connected(client)));
        for client in readers {
            let catalog = engine.state().catalog_of(&client.id);
            let there = |id: &str, of: &str| {
                let placed = folder.skills.iter().any(|placed| placed.id == id && is_there(placed.state));
                placed || folder.library.as_deref() == Some(of)
            };
            for entry in catalog.served().filter(|entry| entry.skill.for_models()) {
                if there(&entry.skill.id, &entry.folder) {
                    let verdict = UsageVerdict::LoadedTwice {
                        client: client.id.clone(),
                        name: client.name.clone(),
                        path: folder.path.clone(),
                        place: folder.place.clone(),
                        ours: folder.way.is_some() && folder.library.as_deref() != Some(&*entry.folder),
                    };
                    twice.push((entry.skill.id.clone(), verdict));
                }
            }
        }
    }
    Ok(twice)
}

fn is_there(state: PlacedState) -> bool {
    matches!(state, PlacedState::Linked | PlacedState::Copied | PlacedState::Edited | PlacedState::Here)
}

fn is_connected(client: &Client) -> bool {
    let standing = matches!(
        client.standing,
        Standing::Added | Standing::Outdated { .. } | Standing::Edited | Standing::Shared { .. }
    );
    standing || client.live
}
