//! `skilltender adopt`: skills that other programs installed, and following their sources.

use std::path::Path;

use api::ManagedSkill;
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::Value;

use crate::{Failure, Text, order, print, print_json, runtime, say};

const AFTER: &str = "\
Without a name, this lists the skills that npx skills, gh skill, plugins of Claude Code or Codex, extensions of Gemini CLI, \
ToolHive, apm or sx installed, by what those programs recorded. Adopting follows a skill's source from here on: `skilltender outdated` asks it. It changes no \
file of the skill and none of that program; `skilltender sources remove` ends it.

  skilltender adopt
  skilltender adopt tea
  skilltender adopt --all";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The id, the key or the path of each skill
    skills: Vec<String>,
    /// Adopt all that are listed and came from a git repository
    #[arg(long, conflicts_with = "skills")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let managed = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::managed_skills(&engine, None).await?)
    })?;
    if command.skills.is_empty() && !command.all {
        return if command.json { print_json(&managed) } else { print(words(&managed)) };
    }
    let skills = if command.all {
        managed.iter().filter(|skill| skill.adoptable).map(|skill| skill.key.clone()).collect()
    } else {
        command.skills.iter().map(|skill| order::skill(skill)).collect::<Result<Vec<_>, _>>()?
    };
    let (mut adopted, mut failed) = (Vec::new(), false);
    for skill in skills {
        match order::answer(home, Order::AdoptSkill { skill })? {
            Ok(key) => adopted.push(key),
            Err(error) => {
                failed = true;
                say(order::sentences(error));
            }
        }
    }
    let adopted = Value::from(adopted);
    order::tell(command.json, &adopted, |keys| {
        let line = |key| format!("The source of {} is followed.", order::named(key));
        order::texts(keys).into_iter().map(line).collect::<Text>()
    })?;
    if failed { Err(Failure::problems(Text::new())) } else { Ok(()) }
}

fn words(managed: &[ManagedSkill]) -> Text {
    if managed.is_empty() {
        return Text::from("No skill was installed by another program that we know.");
    }
    let line = |ManagedSkill { key, by, source, version, adoptable, .. }: &ManagedSkill| {
        let version = version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
        let no = if *adoptable { "" } else { "; that is no git repository, so it cannot be followed" };
        format!("{key}  by {by}, from {source}{version}{no}")
    };
    managed.iter().map(line).collect()
}
