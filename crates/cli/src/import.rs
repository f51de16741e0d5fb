//! `skilltender import`: skills from a folder, a zip file or a SKILL.md, examined before anything is written.

use std::path::{Path, PathBuf};

use api::{ImportPlan, ImportRefusal, ImportSkill};
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::Value;

use crate::{Failure, Text, order, print, print_json, prose, runtime, say, show::carried};

const AFTER: &str = "\
Without --yes, this only shows which skills would be copied, and which cannot be, with the reason. With --yes, it shows the \
same on standard error and copies them. Imported skills are off; `skilltender enable` shows what they carry and asks.

  skilltender import ~/Downloads/skills.zip
  skilltender import --yes ~/Downloads/skills.zip
  skilltender import --yes --only skills/tea ~/src/skills";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// A folder or a zip file with skills in it, or a SKILL.md, which means its folder
    path: PathBuf,
    /// The library folder for them, by its path or its id
    #[arg(long = "in", value_name = "FOLDER", default_value = "own")]
    folder: String,
    /// Import only the skill at this path inside (may be repeated)
    #[arg(long, value_name = "PATH")]
    only: Vec<String>,
    /// Write the files
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let path = dunce::canonicalize(&command.path);
    let path = path.map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", command.path.display())))?;
    let path = path.display().to_string();
    let machine = Machine::here(home)?;
    let only = (!command.only.is_empty()).then(|| command.only.clone());
    let plan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::look_at_import(&engine, &path, only.clone()).await?)
    })?;
    if !command.yes {
        return if command.json { print_json(&plan) } else { print(words(&plan)) };
    }
    let folder = order::library_folder(&command.folder)?;
    let stays_out = stays_out(&plan);
    say(plan.skills.iter().map(skill).collect::<Text>());
    let keys = order::give(home, Order::Import { path, plan: plan.id, folder, only })?;
    say(stays_out);
    order::tell(command.json, &keys, said)
}

fn words(plan: &ImportPlan) -> Text {
    let mut text: Text = plan.skills.iter().map(skill).collect();
    text.append(stays_out(plan));
    text.extend(["", "Nothing was written: `--yes` imports them."]);
    text
}

/// The parts that are not imported, with the reasons: skills, and files that belong to none.
pub(crate) fn stays_out(plan: &ImportPlan) -> Text {
    let line = |ImportRefusal { path, why }: &ImportRefusal| {
        format!("{} cannot come: {why}", if path.is_empty() { "the whole" } else { path })
    };
    plan.refused.iter().map(line).chain(plan.left_out.iter().cloned()).collect()
}

/// A skill that would be imported, and its contents.
pub(crate) fn skill(skill: &ImportSkill) -> Text {
    let ImportSkill { path, id, description, same_id, problems, trust, .. } = skill;
    let mut about = Text::from(prose(description));
    about.extend(same_id.iter().map(|place| format!("There is a skill of this id already: {place}")));
    if problems.error > 0 {
        about.line("It has errors, so it cannot be served as it is.");
    }
    about.extend(carried(trust));
    let mut text = Text::from(format!("{id}  ({})", if path.is_empty() { "the whole" } else { path }));
    text.append(about.indented());
    text
}

pub(crate) fn said(keys: &Value) -> Text {
    let came = order::texts(keys).into_iter().map(|key| format!("{} came, and is off.", order::named(key)));
    came.chain(["`skilltender enable` shows what they carry and switches them on.".to_owned()]).collect()
}
