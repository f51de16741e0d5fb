//! `skilltender new` and `duplicate`: create a skill from a template, or from another skill.

use std::path::Path;

use engine::{actions, orders::Order};
use serde_json::Value;

use crate::{Failure, order};

#[derive(Debug, clap::Args)]
#[command(after_help = templates())]
pub(crate) struct Arguments {
    /// The new skill's id and folder name: lowercase words joined by hyphens
    id: String,
    /// The library folder for it, by its path or its id
    #[arg(long = "in", value_name = "FOLDER", default_value = "own")]
    folder: String,
    /// The template
    #[arg(long, default_value = "blank")]
    template: String,
    /// Print JSON: its key
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DuplicateArguments {
    /// Its id, its key, or the path of its folder
    skill: String,
    /// The id of the copy
    id: String,
    /// Print JSON: its key
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let folder = order::library_folder(&command.folder)?;
    let made = Order::New { folder, id: command.id.clone(), template: command.template.clone() };
    order::tell(command.json, &order::give(home, made)?, said)
}

pub(crate) fn duplicate(command: &DuplicateArguments, home: Option<&Path>) -> Result<(), Failure> {
    let copied = Order::Duplicate { skill: order::skill(&command.skill)?, id: command.id.clone() };
    order::tell(command.json, &order::give(home, copied)?, said)
}

fn said(key: &Value) -> String {
    format!("{} is made.", order::named(key.as_str().unwrap_or_default()))
}

fn templates() -> String {
    let line = |template: api::Template| format!("\n  {:<12} {}", template.id, template.about);
    std::iter::once("Templates:".to_owned()).chain(actions::templates().into_iter().map(line)).collect()
}
