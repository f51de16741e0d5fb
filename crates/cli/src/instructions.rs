//! `skilltender instructions`: the same text as the prompt `init-skills`.

use serde_json::Value;

use crate::{Failure, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Leave out the tags around the guide
    #[arg(long)]
    no_xml: bool,
    /// Print JSON: one text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments) -> Result<(), Failure> {
    let guide = engine::instructions(!command.no_xml);
    Ok(print(&if command.json { format!("{}\n", Value::from(guide)) } else { guide })?)
}
