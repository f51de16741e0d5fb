//! `skilltender list`: every skill of the library, and whether it is on.

use std::path::Path;

use engine::{
    Engine, Machine, Mode,
    view::{Readiness, SkillRow},
};
use serde_json::json;

use crate::{Failure, print, runtime};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let engine = runtime()?.block_on(Engine::start(machine, Mode::Reading))?;
    let snapshot = engine.snapshot();
    if command.json {
        return Ok(print(&format!("{:#}\n", json!(snapshot.skills)))?);
    }
    if snapshot.skills.is_empty() {
        return Ok(print("There are no skills in the library yet. Add a folder in Skilltender's window.\n")?);
    }
    Ok(print(&snapshot.skills.iter().map(line).collect::<String>())?)
}

fn line(skill: &SkillRow) -> String {
    let state = if skill.enabled { "on " } else { "off" };
    let remark = match &skill.readiness {
        Readiness::Ready | Readiness::Disabled => String::new(),
        Readiness::NeedsValues { server, names, .. } => format!("  (needs {} for {server})", names.join(", ")),
        Readiness::Problem { message, line, column } => format!("  ({line}:{column} {message})"),
        Readiness::Shadowed { by } => format!("  ({by} is served instead)"),
    };
    format!("{state}  {:<32} {}{remark}\n", skill.id, skill.place)
}
