//! One file for a team: written from this library, shown as one page, and joined.
//!
//! Joining does everything that needs no answer, in an order in which each step can be the last one, and says what is left;
//! done again it goes on from there. Nothing of a team is remembered: what is here is compared with the file each time.
//! The parts: `export` writes the file, `find` finds it, `page` shows it, `judge` compares the servers of skills with those of the file,
//! `join` brings it. Fetching and verifying skills is left to `sources`, approvals to `servers`.

mod export;
mod find;
mod join;
mod judge;
mod page;

use api::{ActionError, ErrorKind, failed};
use sha2::{Digest as _, Sha256};
use sources::Team;

pub use export::export_team;
pub(super) use find::FILE as TEAM_FILE;
pub use find::find_team;
pub use join::join_team;
pub use page::look_at_team;

/// Reads the text of a team's file.
fn read(text: &str) -> Result<Team, ActionError> {
    Team::read(text).map_err(|error| failed(ErrorKind::Input, error.to_string()))
}

/// Names the content of a team's file: the digests of all files, and every launch.
fn id(team: &Team) -> String {
    format!("{:x}", Sha256::digest(team.to_string()))
}
