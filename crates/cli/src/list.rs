//! `skilltender list`: every skill of the library, and whether it is on.

use std::path::Path;

use engine::{
    Engine, Machine, Mode,
    view::{Readiness, SkillRow},
};
use serde_json::json;

use crate::{Failure, args::List, runtime};

pub(crate) fn run(command: &List, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let engine = runtime()?.block_on(Engine::start(machine, Mode::Reading))?;
    let snapshot = engine.snapshot();
    if command.json {
        println!("{:#}", json!(snapshot.skills));
        return Ok(());
    }
    if snapshot.skills.is_empty() {
        println!("There are no skills in the library yet. Add a folder in Skilltender's window.");
    }
    for skill in &snapshot.skills {
        println!("{}", line(skill));
    }
    Ok(())
}

fn line(skill: &SkillRow) -> String {
    let state = if skill.enabled { "on " } else { "off" };
    let remark = match &skill.readiness {
        Readiness::Ready | Readiness::Disabled => String::new(),
        Readiness::NeedsValues { server, names, .. } => format!("  (needs {} for {server})", names.join(", ")),
        Readiness::Problem { message, line, column } => format!("  ({line}:{column} {message})"),
        Readiness::Shadowed { by } => format!("  ({by} is served instead)"),
    };
    format!("{state}  {:<32} {}{remark}", skill.id, skill.place)
}
