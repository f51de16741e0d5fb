//! `skilltender completions`: these words for a shell, made from the same table that reads them.

use clap_complete::Shell;

use crate::{Failure, Text, args, print};

const AFTER: &str = "\
  skilltender completions bash > ~/.local/share/bash-completion/completions/skilltender
  skilltender completions zsh > ~/.zfunc/_skilltender
  skilltender completions fish > ~/.config/fish/completions/skilltender.fish";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(command: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut args::command(), "skilltender", &mut script);
    print(Text::page(&String::from_utf8_lossy(&script)))
}
