//! `skilltender instructions`: the same text as the prompt `init-skills`.

use crate::{Failure, Text, output::print_json_line, print};

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
    if command.json { print_json_line(&guide) } else { print(Text::page(&guide)) }
}
