//! Finds a team's file: by its path, in a folder, or at the top of a source. What it holds is left to `page`.

use std::{
    io,
    path::{Path, PathBuf},
};

use api::{ActionError, ErrorKind, TeamPage, failed};
use files::confined;
use machine::Machine;
use sources::TeamError;
use state::blocking;

use super::page::look_at_team;
use crate::{Engine, actions::file_of_source};

/// The file's name.
pub(crate) const FILE: &str = "skilltender.team.yaml";
/// More than a team's file may have, in bytes.
const LONGEST: u64 = 2 << 20;

/// Shows what the file of a team would bring and run. It is written as a source is, with the file at its top or in the
/// folder that is named; or it is the path of the file or of its folder, from its beginning.
///
/// # Errors
/// When there is no such file or source, or it cannot be reached; and as [`look_at_team`].
pub async fn find_team(engine: &Engine, written: &str) -> Result<TeamPage, ActionError> {
    let (machine, asked) = (engine.machine().clone(), written.trim().to_owned());
    let here = blocking(move || of_path(&machine, &asked)).await?;
    let (text, from, commit) = match here {
        Some((text, place)) => (text, place, None),
        None => {
            let (text, source, commit) = file_of_source(engine, written.trim(), FILE).await?;
            (text, source, Some(commit))
        }
    };
    Ok(TeamPage { from, commit, ..look_at_team(engine, &text).await? })
}

/// The text of a file of this computer, and where it is; `None` for what is no path.
fn of_path(machine: &Machine, written: &str) -> Result<Option<(String, String)>, ActionError> {
    let Some(path) = path_of(machine, written) else { return Ok(None) };
    let path = if path.is_dir() { path.join(FILE) } else { path };
    let place = machine.place(&path);
    // A path may be typed into the window: nothing but a team's file says there more about itself than that it is none.
    if path.extension().is_none_or(|extension| extension != "yaml" && extension != "yml") {
        return Err(failed(ErrorKind::Input, format!("{place} is no team's file: those end with `.yaml`.")));
    }
    let refused = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => failed(ErrorKind::NotFound, format!("There is no file {place}.")),
        io::ErrorKind::FileTooLarge => failed(ErrorKind::Input, TeamError::TooLarge.to_string()),
        _ => failed(ErrorKind::NotFound, format!("{place} cannot be read: {error}.")),
    };
    let file = confined::open_regular(&path).map_err(refused)?;
    let bytes = confined::read_file(&file, LONGEST).map_err(refused)?;
    let text = String::from_utf8(bytes).map_err(|_| failed(ErrorKind::Input, format!("{place} is not UTF-8.")))?;
    Ok(Some((text, place)))
}

fn path_of(machine: &Machine, written: &str) -> Option<PathBuf> {
    let below_home = written.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']));
    let path = match below_home {
        Some(rest) => machine.home.join(rest.trim_start_matches(['/', '\\'])),
        None => PathBuf::from(written),
    };
    // A name on GitHub has a slash, too, and begins nowhere.
    Path::new(&path).is_absolute().then_some(path)
}
