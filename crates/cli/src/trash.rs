//! `skilltender move`, `trash` and `restore`: move skills to another folder of the library, to the trash, and back.

use std::path::Path;

use api::Trashed;
use engine::{Engine, Machine, Mode, orders::Order};
use serde_json::Value;

use crate::{Failure, Text, order, print, print_json, runtime};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder; without one, the trash is listed
    skill: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
What you chose and entered for a skill moves with it; nothing is replaced.

  skilltender move tea coffee ~/src/skills")]
pub(crate) struct MoveArguments {
    /// The id, the key, or the path of each
    #[arg(value_name = "SKILL", required = true)]
    skills: Vec<String>,
    /// The library folder, by its path or its id
    folder: String,
    /// Print JSON: the keys
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArguments {
    /// The skill's name, its key, or its number in the list that `skilltender trash` prints
    #[arg(value_name = "SKILL")]
    thrown: String,
    /// Print JSON: its key
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let Some(skill) = &command.skill else { return list(command.json, home) };
    let thrown = order::give(home, Order::Trash { skill: order::skill(skill)? })?;
    order::tell(command.json, &thrown, |id| {
        let id = id.as_str().unwrap_or_default();
        format!("It is in the trash for 30 days. `skilltender restore {id}` brings it back.")
    })
}

pub(crate) fn move_skills(command: &MoveArguments, home: Option<&Path>) -> Result<(), Failure> {
    let folder = order::library_folder(&command.folder)?;
    let mut keys = Vec::new();
    for word in &command.skills {
        let moved = order::give(home, Order::Move { skill: order::skill(word)?, folder: folder.clone() });
        keys.push(moved.map_err(|failure| said_of(&failure, word, &keys))?);
    }
    order::tell(command.json, &Value::from(keys), |keys| {
        order::texts(keys).iter().map(|key| format!("{} is moved.", order::named(key))).collect::<Text>()
    })
}

/// The failure of one of several, with what was done before it.
fn said_of(failure: &Failure, word: &str, done: &[Value]) -> Failure {
    let before: Vec<_> = done.iter().filter_map(Value::as_str).map(order::named).collect();
    let message = match before.as_slice() {
        [] => format!("{word} was not moved. {}", failure.message),
        before => format!("{word} was not moved. {} Moved before it: {}.", failure.message, before.join(", ")),
    };
    Failure { message: message.into(), code: failure.code }
}

pub(crate) fn restore(command: &RestoreArguments, home: Option<&Path>) -> Result<(), Failure> {
    let back = order::give(home, Order::Restore { id: command.thrown.clone() })?;
    order::tell(command.json, &back, |key| format!("{} is back.", order::named(key.as_str().unwrap_or_default())))
}

fn list(as_json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let engine = runtime()?.block_on(Engine::start(machine, Mode::Reading))?;
    let trash = &engine.snapshot().trash;
    let line = |thrown: &Trashed| format!("{:<32} {}", thrown.id, thrown.place);
    match (as_json, trash.is_empty()) {
        (true, _) => print_json(trash),
        (false, true) => print("The trash is empty."),
        (false, false) => print(trash.iter().map(line).collect::<Text>()),
    }
}
