//! `skilltender values`: the values of skills' servers that are not secret.

use std::path::Path;

use api::ValueState;
use clap::Subcommand;
use engine::orders::GivenOrder;

use crate::{
    Failure, order, print, print_json,
    secrets::{Slot, give, listed, needs, rows},
    words::Acts,
};

const AFTER: &str = "\
Without a subcommand, this lists the values that skills ask for, and their present content. Secrets have a command of their \
own: `skilltender secrets`.

  skilltender values set tea-stock postgres DATABASE_URL postgresql://localhost:5432/cellar
  skilltender values delete tea-stock postgres DATABASE_URL";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// List the values that skills ask for, by skill
    List,
    /// Set a value
    Set {
        #[command(flatten)]
        slot: Slot,
        /// Its content
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Delete a value
    Delete(Slot),
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let (slot, value) = match command.act.as_ref().unwrap_or(&Act::List) {
        Act::List => {
            let rows = rows(&needs(home)?, |value| matches!(value.state, ValueState::Plain { .. }));
            let none = "No skill asks for a value.";
            return if command.json { print_json(&rows) } else { print(listed(&rows, none)) };
        }
        Act::Set { slot, value } => (slot, Some(value.clone())),
        Act::Delete(slot) => (slot, None),
    };
    let (skill, server, name) = (order::skill(&slot.skill)?, slot.server.clone(), slot.name.clone());
    let done = give(home, GivenOrder::SetValue { skill, server, name: name.clone(), value: value.clone() })?;
    order::tell(command.json, &done, |_| match &value {
        Some(value) => format!("{name} is {value}."),
        None => format!("{name} is taken away."),
    })
}
