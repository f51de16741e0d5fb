//! `skilltender enable` and `disable`: skills are offered to every client, or to none.

use std::path::Path;

use engine::{Engine, Machine, Mode, actions};
use skills::Danger;

use crate::{Failure, order, runtime, show::finding};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder (may be repeated)
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    /// Switch on even what looks as if it meant harm
    #[arg(long)]
    yes: bool,
    /// Print JSON: the keys
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>, on: bool) -> Result<(), Failure> {
    let skills = command.skills.iter().map(|skill| order::skill(skill)).collect::<Result<Vec<_>, _>>()?;
    if on && !command.yes {
        runtime()?.block_on(look(Machine::here(home)?, &skills))?;
    }
    let keys = order::give(home, engine::orders::Order::Enable { skills, on })?;
    order::tell(command.json, &keys, |keys| {
        let state = if on { "on" } else { "off" };
        order::texts(keys).iter().map(|key| format!("{key} is {state}.\n")).collect()
    })
}

/// Refuses skills in which something looks as if it meant harm: a person is to see it first.
async fn look(machine: Machine, skills: &[String]) -> Result<(), Failure> {
    let engine = Engine::start(machine, Mode::Reading).await?;
    let mut lines = Vec::new();
    for skill in skills {
        let key = actions::find_skill(&engine, skill)?;
        let trust = actions::look_at_skill(&engine, &key).await?;
        let high = trust.findings.iter().filter(|finding| finding.severity == Danger::High);
        lines.extend(high.map(|found| format!("{key}: {}", finding(found))));
    }
    if lines.is_empty() {
        return Ok(());
    }
    lines.push(
        "Nothing was switched on. `skilltender show` tells more; `--yes` switches it on all the same.".to_owned(),
    );
    Err(Failure::refused(lines.join("\n")))
}
