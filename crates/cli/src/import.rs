//! `skilltender import`: skills from a folder or a zip file, looked at before anything is written.

use std::path::{Path, PathBuf};

use engine::{
    Engine, Machine, Mode, actions,
    orders::Order,
    view::{ImportPlan, ImportSkill},
};
use serde_json::{Value, json};

use crate::{Failure, order, print, runtime, show::carried};

const AFTER: &str = "\
Without --yes nothing is written: what would come is shown. What came is off until it is switched on.

  skilltender import ~/Downloads/skills.zip
  skilltender import --yes ~/Downloads/skills.zip";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// A folder or a zip file with skills in it
    path: PathBuf,
    /// The folder of the library that they come into: its path, or its id
    #[arg(long = "in", value_name = "FOLDER", default_value = "own")]
    folder: String,
    /// Only the skill at this path inside (may be repeated)
    #[arg(long, value_name = "PATH")]
    only: Vec<String>,
    /// Import them
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let path = command.path.canonicalize();
    let path = path.map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", command.path.display())))?;
    let path = path.display().to_string();
    let machine = Machine::here(home)?;
    let plan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::look_at_import(&engine, &path).await?)
    })?;
    if !command.yes {
        return Ok(print(&if command.json { format!("{:#}\n", json!(plan)) } else { words(&plan) })?);
    }
    let folder = order::library_folder(&command.folder)?;
    let only = (!command.only.is_empty()).then(|| command.only.clone());
    let keys = order::give(home, Order::Import { path, plan: plan.id, folder, only })?;
    order::tell(command.json, &keys, said)
}

fn words(plan: &ImportPlan) -> String {
    let left_out: String = plan.left_out.iter().map(|sentence| format!("{sentence}\n")).collect();
    let skills: String = plan.skills.iter().map(skill).collect();
    format!("{skills}{left_out}\nNothing was written: `--yes` imports them.\n")
}

/// A skill that would come, and what it carries.
pub(crate) fn skill(skill: &ImportSkill) -> String {
    let ImportSkill { path, id, description, same_id, problems, trust, .. } = skill;
    let mut text = format!("{id}  ({})\n  {description}\n", if path.is_empty() { "the whole" } else { path });
    text.extend(same_id.iter().map(|place| format!("  There is a skill of this id already: {place}\n")));
    if problems.error > 0 {
        text += "  It has errors, so it cannot be served as it is.\n";
    }
    text.extend(carried(trust).into_iter().map(|line| format!("  {line}\n")));
    text
}

fn said(keys: &Value) -> String {
    let keys = order::texts(keys);
    let lines: String = keys.iter().map(|key| format!("{key} came, and is off.\n")).collect();
    format!("{lines}`skilltender enable` switches them on.\n")
}
