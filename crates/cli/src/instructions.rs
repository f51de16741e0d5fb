//! `skilltender instructions`: the same text as the prompt `init-skills`.

use crate::{Failure, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Leave out the tags around the guide
    #[arg(long)]
    no_xml: bool,
}

pub(crate) fn run(command: &Arguments) -> Result<(), Failure> {
    Ok(print(&engine::instructions(!command.no_xml))?)
}
