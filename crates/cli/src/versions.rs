//! `skilltender history` and `skilltender rollback`: the versions of a skill, and going back to one.

use std::path::Path;

use api::{CameBy, SkillVersion};
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::json;
use text::counted;

use crate::{Failure, Text, activity::ago, ask, order, ours::short, print, print_json, review, runtime, say};

const AFTER: &str = "\
The present version is 0, the one before it 1. Twenty are kept, each with every byte.

  skilltender history tea";

const AFTER_BACK: &str = "\
Every file comes back as it was, byte for byte, and what is there now is kept as a version: going back can be taken back.

  skilltender rollback tea           to the version before
  skilltender rollback tea --to 3";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct HistoryArguments {
    /// The id, the key or the path of the skill
    skill: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_BACK)]
pub(crate) struct RollbackArguments {
    /// The id, the key or the path of the skill
    skill: String,
    /// The number of the version in `skilltender history`
    #[arg(long = "to", value_name = "NUMBER", default_value_t = 1)]
    number: u32,
    /// Go back without asking
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn history(command: &HistoryArguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let versions = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        let key = actions::find_skill(&engine, &command.skill)?;
        Ok::<_, Failure>(actions::skill_versions(&engine, &key).await?)
    })?;
    if command.json { print_json(&versions) } else { print(versions.iter().map(version).collect::<Text>()) }
}

fn version(version: &SkillVersion) -> String {
    let by = match version.by {
        CameBy::Added => "added",
        CameBy::Updated => "updated",
        CameBy::WentBack => "went back",
        CameBy::Synced => "as a lock says",
    };
    let edited = if version.edited { ", changed by you" } else { "" };
    let SkillVersion { number, at, commit, files, .. } = version;
    format!("{number:>2}  {}  {}  {by} ({}{edited})", ago(*at), short(commit), counted(*files, "file"))
}

pub(crate) fn rollback(command: &RollbackArguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let (key, plan) = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        let key = actions::find_skill(&engine, &command.skill)?;
        let plan = actions::plan_back(&engine, &key, command.number).await?;
        Ok::<_, Failure>((key, plan))
    })?;
    let shown = review::words(&plan);
    if command.yes {
        if !command.json {
            say(shown);
        }
    } else if !ask::somebody_is_there() {
        let message = "There is nobody to ask: `--yes` goes back.";
        say(shown);
        return Err(Failure::usage(message.to_owned()));
    } else if !ask::agreed(&shown, &format!("Go back to version {}?", command.number))? {
        return print("Nothing was changed.");
    }
    order::give(home, Order::GoBackTo { skill: key.clone(), number: command.number, plan: plan.id.clone() })?;
    order::tell(command.json, &json!(plan), |_| format!("{key} is as it was in version {}.", command.number))
}
