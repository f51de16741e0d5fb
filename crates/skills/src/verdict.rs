//! How each client would load a SKILL.md: as written, under another name or description, or not at all, and why.
//!
//! A client is a row of [`clients::CLIENTS`]: how it cuts the file at its fences, which YAML it accepts, what it
//! repairs, and its rules for name and description. Rows share these named parts, so one loader serves all. The rows
//! follow real runs of the programs in the versions that [`clients`] names; the folders in which clients look for
//! skills are not part of them.

mod client;
mod clients;
mod dialect;
mod fences;
mod field;
mod lenient;
mod lines;
mod reason;
mod repairs;
mod rules;
mod words;

use serde::Serialize;

use self::{
    client::{Client, Shown},
    clients::CLIENTS,
};
use crate::Skill;

/// How one client would load a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The client's id: `codex`, `gemini-cli`, `claude-code` ...
    pub client: &'static str,
    /// The client's name for people.
    pub name: &'static str,
    /// Whether it loads.
    pub verdict: Outcome,
    /// The name that the client would show; `None` when it refuses the skill.
    pub name_shown: Option<String>,
    /// The description that the client would show; `None` when it shows none or refuses the skill.
    pub description_shown: Option<String>,
    /// The reasons, in full sentences. For a skill that loads: the client's complaints.
    pub why: Vec<String>,
}

/// What a client does with a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It loads as its author wrote it.
    Loads,
    /// It loads under another name or description.
    Changed,
    /// It does not load.
    Refused,
}

/// How each known client would load the SKILL.md of the folder `id`.
pub fn verdicts(id: &str, file: &[u8]) -> Vec<Verdict> {
    let skill = crate::read(id, file);
    CLIENTS.iter().map(|client| verdict(client, &skill, file)).collect()
}

/// Whether the client with this id is known.
pub(crate) fn is_known(id: &str) -> bool {
    CLIENTS.iter().any(|client| client.id == id)
}

/// How the client with this id would load this SKILL.md; `None` when the client is unknown.
pub(crate) fn verdict_of(id: &str, skill: &Skill, file: &[u8]) -> Option<Verdict> {
    CLIENTS.iter().find(|client| client.id == id).map(|client| verdict(client, skill, file))
}

fn verdict(client: &'static Client, skill: &Skill, file: &[u8]) -> Verdict {
    let (client_id, name) = (client.id, client.name);
    let shown = match client.load(skill, file) {
        Ok(shown) => shown,
        Err(why) => {
            let why = vec![format!("{name} refuses it: {why}.")];
            let (name_shown, description_shown) = (None, None);
            return Verdict { client: client_id, name, verdict: Outcome::Refused, name_shown, description_shown, why };
        }
    };
    let changes = changes(name, skill, &shown);
    let verdict = if changes.is_empty() { Outcome::Loads } else { Outcome::Changed };
    let why = [shown.minded, changes].concat();
    let (name_shown, description_shown) = (Some(shown.name), shown.description);
    Verdict { client: client_id, name, verdict, name_shown, description_shown, why }
}

/// The differences between what is shown and what the author wrote. Line ends and blanks do not count.
fn changes(client: &str, skill: &Skill, shown: &Shown) -> Vec<String> {
    let same = |shown: &str, authored: &str| shown.split_whitespace().eq(authored.split_whitespace());
    let description = shown.description.as_deref().unwrap_or_default();
    let mut changes = Vec::new();
    if !same(&shown.name, &skill.name) {
        let after = if shown.name == skill.id { ", after its folder" } else { "" };
        changes.push(format!("{client} calls it `{}`{after}.", shown.name));
    }
    if !same(description, &skill.description) {
        changes.push(match description {
            "" => format!("{client} shows no description."),
            _ => format!("{client} shows another description: \"{description}\""),
        });
    }
    changes
}
