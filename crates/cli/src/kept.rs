//! `skilltender kept`: a skill's texts that were edited in the window and not saved.

use std::path::Path;

use clap::Subcommand;
use engine::{Engine, Machine, Mode, actions, orders::Order};

use crate::{Failure, Text, activity, order, print, print_json, runtime};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder
    skill: String,
    #[command(subcommand)]
    act: Option<Act>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print one of the texts
    Read {
        /// Its number in the list
        moment: u64,
    },
    /// Stop offering one of the texts
    Settle {
        /// Its number in the list
        moment: u64,
    },
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if let Some(Act::Settle { moment }) = command.act {
        let done = order::give(home, Order::SettleKept { skill: order::skill(&command.skill)?, moment })?;
        return order::tell(command.json, &done, |_| "Done.");
    }
    let machine = Machine::here(home)?;
    runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        let key = actions::find_skill(&engine, &order::skill(&command.skill)?)?;
        if let Some(Act::Read { moment }) = command.act {
            let text = actions::read_kept(&engine, &key, moment).await?;
            return if command.json { print_json(&text) } else { print(Text::page(&text)) };
        }
        let kept = actions::kept_versions(&engine, &key).await?;
        match (command.json, kept.is_empty()) {
            (true, _) => print_json(&kept),
            (false, true) => print("Nothing unsaved is kept of this skill."),
            (false, false) => {
                let line = |kept: &api::Kept| format!("{}  {}", kept.moment, activity::ago(kept.moment));
                print(kept.iter().map(line).collect::<Text>())
            }
        }
    })
}
