//! `skilltender enable` and `disable`: skills are offered to every client, or to none.

use std::path::Path;

use crate::{Failure, order};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder (may be repeated)
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    /// Print JSON: the keys
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>, on: bool) -> Result<(), Failure> {
    let skills = command.skills.iter().map(|skill| order::skill(skill)).collect::<Result<_, _>>()?;
    let keys = order::give(home, engine::orders::Order::Enable { skills, on })?;
    order::tell(command.json, &keys, |keys| {
        let state = if on { "on" } else { "off" };
        order::texts(keys).iter().map(|key| format!("{key} is {state}.\n")).collect()
    })
}
