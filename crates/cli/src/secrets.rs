//! `skilltender secrets`: the secret values of servers. A value is stored and never shown.

use std::path::{Path, PathBuf};

use api::{ClientChange, NeedValue, SkillNeeds, ValueState};
use clap::Subcommand;
use engine::{
    Engine, Machine, Mode, actions,
    orders::{GivenOrder, Order, SecretText},
};
use serde_json::{Value, json};

use crate::{Failure, Text, ask, connect, order, print, print_json, runtime, servers::read_as, words::Acts};

const AFTER: &str = "\
Without a subcommand, this lists the secrets that skills ask for, and which are stored; it never shows a secret. Secrets are \
kept in the system's keychain; if none answers, the running Skilltender keeps them in memory until it quits.

  skilltender secrets set tea-stock postgres DB_PASSWORD     asks for it, without echo
  pass show cellar | skilltender secrets set tea-stock postgres DB_PASSWORD
  skilltender secrets rescue claude-desktop                  moves secrets out of the client's file";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// List the secrets that skills ask for, by skill
    List,
    /// Store a secret: typed at the terminal, or read from standard input
    Set(Slot),
    /// Delete a secret, here and in the keychain
    Delete(Slot),
    /// Look for a keychain again; secrets in memory then move into it
    Retry,
    /// Move secrets from a client's file, where they are plain text, to the keychain
    Rescue(Rescue),
}

const RESCUE: &str = "\
Each server starts as before, by an entry that runs `skilltender run`, which takes the secrets from the keychain. The file \
changes exactly as shown, with dots in place of secrets. `skilltender undo CLIENT` restores the file with its secrets, byte for byte.

  skilltender secrets rescue                             every client, one after the other
  skilltender secrets rescue claude-desktop --dry-run    only show what would move
  skilltender secrets rescue --file ~/.cursor/mcp.json   one file";

/// Which secrets move.
#[derive(Debug, clap::Args)]
#[command(after_help = RESCUE)]
pub(crate) struct Rescue {
    /// The client's id; without it, every client with such secrets
    client: Option<String>,
    /// Which of the client's files, if it has several
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Show the change, and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Make the change without asking
    #[arg(long)]
    yes: bool,
}

/// What a value is for.
#[derive(Debug, clap::Args)]
pub(crate) struct Slot {
    /// The skill's id, key or path; `client/ID` for a server from a client's file
    pub(crate) skill: String,
    /// The server's name
    pub(crate) server: String,
    /// The parameter's name
    pub(crate) name: String,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let json = command.json;
    match command.act.as_ref().unwrap_or(&Act::List) {
        Act::List => {
            let rows = rows(&needs(home)?, |value| !matches!(value.state, ValueState::Plain { .. }));
            let none = "No skill asks for a secret.";
            if json { print_json(&rows) } else { print(listed(&rows, none)) }
        }
        Act::Set(Slot { skill, server, name }) => {
            let value = SecretText::new(ask::secret_or_input(&format!("{name} for {server}: "))?);
            let (skill, server, name) = (order::skill(skill)?, server.clone(), name.clone());
            let done = give(home, GivenOrder::SetSecret { skill, server, name: name.clone(), value })?;
            order::tell(json, &done, |done| {
                if done["onlyThisRun"] == json!(true) {
                    format!("No keychain answers, so {name} is kept in memory until Skilltender quits.")
                } else {
                    format!("{name} is stored in the keychain.")
                }
            })
        }
        Act::Delete(Slot { skill, server, name }) => {
            let (skill, server) = (order::skill(skill)?, server.clone());
            let done = give(home, GivenOrder::DeleteSecret { skill, server, name: name.clone() })?;
            order::tell(json, &done, |_| format!("{name} is forgotten."))
        }
        Act::Retry => {
            let keychain = order::give(home, Order::RetryKeychain)?;
            order::tell(json, &keychain, |_| "Done. `skilltender doctor` shows the state of the keychain.")
        }
        Act::Rescue(command) => rescue(command, json, home),
    }
}

fn rescue(command: &Rescue, json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let Rescue { client, file, dry_run, yes } = command;
    let file = file.as_ref().map(std::path::absolute).transpose()?;
    let clients = match client {
        Some(client) => vec![client.clone()],
        None => with_secrets(file.as_deref(), home)?,
    };
    if clients.is_empty() {
        let none = "No client's file holds a secret in plain text that can be moved.";
        return print(if json { "[]" } else { none });
    }
    if json && clients.len() > 1 {
        return Err(Failure::usage(format!("Name one client for JSON: {}.", clients.join(", "))));
    }
    let file = file.map(|file| file.display().to_string());
    for client in clients {
        let manner = connect::Manner { dry_run: *dry_run, yes: *yes, json };
        connect::make(&client, &ClientChange::Rescue { file: file.clone() }, &manner, home)?;
    }
    Ok(())
}

/// The clients whose files hold movable secrets; with a file, the first client that reads it.
fn with_secrets(file: Option<&Path>, home: Option<&Path>) -> Result<Vec<String>, Failure> {
    let runtime = runtime()?;
    let engine = runtime.block_on(Engine::start(Machine::here(home)?, Mode::Reading))?;
    if let Some(file) = file {
        let servers = runtime.block_on(actions::configured_servers(&engine))?;
        let mut reads = servers.into_iter().filter(|server| Path::new(&server.path) == file);
        return Ok(reads.next().map(|server| server.client).into_iter().collect());
    }
    let snapshot = engine.snapshot();
    Ok(snapshot.clients.iter().filter(|client| client.plain > 0).map(|client| client.id.clone()).collect())
}

/// Gives an order about secrets and values.
pub(crate) fn give(home: Option<&Path>, act: GivenOrder) -> Result<Value, Failure> {
    order::give(home, Order::Given(act))
}

/// The requirements of all skills.
pub(crate) fn needs(home: Option<&Path>) -> Result<Vec<SkillNeeds>, Failure> {
    read_as(give(home, GivenOrder::Read)?)
}

/// One row for each value for which `wanted` holds.
pub(crate) fn rows(needs: &[SkillNeeds], wanted: impl Fn(&NeedValue) -> bool) -> Vec<Value> {
    let mut rows = Vec::new();
    for skill in needs {
        for need in &skill.needs {
            rows.extend(need.values.iter().filter(|value| wanted(value)).map(|value| {
                json!({
                    "skill": skill.key, "server": need.server, "name": value.name, "description": value.description,
                    "required": value.required, "state": value.state,
                })
            }));
        }
    }
    rows
}

/// The rows in words, by skill.
pub(crate) fn listed(rows: &[Value], none: &str) -> Text {
    let mut text = Text::new();
    let mut before = "";
    for row in rows {
        let word = |name: &str| row[name].as_str().unwrap_or_default();
        if word("skill") != before {
            before = word("skill");
            text.line(before);
        }
        text.line(format!("  {}  {}  {}", word("server"), word("name"), state(row)));
    }
    if rows.is_empty() { none.into() } else { text }
}

fn state(row: &Value) -> String {
    let state = &row["state"];
    let optional = if row["required"] == json!(true) { "" } else { " (optional)" };
    match (state["kind"].as_str(), state["value"].as_str(), state["default"].as_str()) {
        (Some("secret-stored"), ..) if state["onlyThisRun"] == json!(true) => {
            "in memory until Skilltender quits".to_owned()
        }
        (Some("secret-stored"), ..) => format!("stored since {}", date(state["since"].as_u64().unwrap_or_default())),
        (_, Some(value), _) => format!("= {value}"),
        (_, None, Some(default)) => format!("= {default} (by default)"),
        _ => format!("missing{optional}"),
    }
}

/// A calendar day in UTC, from milliseconds since 1970.
fn date(milliseconds: u64) -> String {
    // Counts eras of 400 years from 1 March of the year 0.
    let days = milliseconds / 86_400_000 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn a_day_is_that_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400_000), "2000-02-29");
        assert_eq!(date(1_795_305_600_000), "2026-11-22");
    }
}
