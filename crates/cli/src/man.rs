//! `skilltender man`: the manual page, made from the same table that reads the words. One page holds
//! every command, because people look for `man skilltender`.

use clap_mangen::Man;

use crate::{Failure, Text, args, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The page of this command alone
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn run(command: &Arguments) -> Result<(), Failure> {
    let mut whole = args::command();
    whole.build();
    let page = match &command.command {
        None => whole,
        Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::usage(format!("There is no command {name}. `skilltender --help` names them all."))
        })?,
    };
    let mut roff = Vec::new();
    Man::new(page).render(&mut roff)?;
    print(Text::page(&String::from_utf8_lossy(&roff)))
}
