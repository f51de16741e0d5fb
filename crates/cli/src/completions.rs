//! `skilltender completions`: the scripts that make a shell complete these words. For bash, zsh and fish, a few lines
//! ask the program itself ([`crate::complete`]), which knows the current names; for other shells, the script has only
//! the words, made from the table that parses them.

use clap_complete::Shell;

use crate::{Failure, Text, print};

const AFTER: &str = "\
In bash, zsh and fish, the current names of skills, clients, servers, sets and library folders are completed too.

  skilltender completions bash > ~/.local/share/bash-completion/completions/skilltender
  skilltender completions zsh > ~/.zfunc/_skilltender
  skilltender completions fish > ~/.config/fish/completions/skilltender.fish";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(command: &Arguments, whole: clap::Command) -> Result<(), Failure> {
    print(Text::page(&match command.shell {
        Shell::Bash => include_str!("completions/skilltender.bash").to_owned(),
        Shell::Zsh => include_str!("completions/skilltender.zsh").to_owned(),
        Shell::Fish => include_str!("completions/skilltender.fish").to_owned(),
        other => words_alone(other, whole),
    }))
}

fn words_alone(shell: Shell, mut whole: clap::Command) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut whole, "skilltender", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
