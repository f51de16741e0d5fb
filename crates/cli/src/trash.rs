//! `skilltender trash` and `restore`: move a skill to the trash, and back.

use std::path::Path;

use api::Trashed;
use engine::{Engine, Machine, Mode, orders::Order};

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
