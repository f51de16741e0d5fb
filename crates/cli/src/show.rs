//! `skilltender show`: one skill, as the window's page shows it.

use std::path::Path;

use engine::{
    Engine, Machine, Mode, actions,
    view::{Need, SkillPage, SkillRow, ValueState, Verdict},
};
use serde_json::json;

use crate::{Failure, order, print, runtime};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder
    skill: String,
    /// Print JSON, with the whole text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let path = order::path(&command.skill)?;
    let mode = path.as_ref().map_or(Mode::Reading, |path| Mode::Plain { folders: vec![path.clone()] });
    let word = path.map_or_else(|| command.skill.clone(), |path| path.display().to_string());
    let (row, page) = runtime()?.block_on(async {
        let engine = Engine::start(machine, mode).await?;
        let key = actions::find_skill(&engine, &word)?;
        let page = actions::read_skill(&engine, &key).await?;
        let snapshot = engine.snapshot();
        let row = snapshot.skills.iter().find(|row| row.key == key).cloned();
        row.map(|row| (row, page)).ok_or_else(|| Failure::refused(format!("{key} went away just now.")))
    })?;
    Ok(print(&if command.json { format!("{:#}\n", json!({"skill": row, "page": page})) } else { words(&row, &page) })?)
}

fn words(row: &SkillRow, page: &SkillPage) -> String {
    let version = row.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let state = if row.enabled { "on" } else { "off" };
    let mut text = format!("{}{version} ({state})\n{}\n\n{}\n", row.name, row.place, row.description);
    let lines: [(&str, Vec<String>); 5] = [
        ("Tags", if row.tags.is_empty() { Vec::new() } else { vec![row.tags.join(", ")] }),
        ("Files", page.files.iter().map(|file| format!("{}  {} bytes", file.path, file.size)).collect()),
        ("Needs", page.needs.iter().map(need).collect()),
        (
            "Problems",
            page.problems
                .iter()
                .map(|problem| format!("{}:{} {} [{}]", problem.line, problem.column, problem.message, problem.rule))
                .collect(),
        ),
        ("Clients", page.verdicts.iter().map(verdict).collect()),
    ];
    for (head, lines) in lines.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        text += &format!("\n{head}\n");
        text.extend(lines.into_iter().map(|line| format!("  {line}\n")));
    }
    text
}

/// The sentences name the client; without one there is nothing to mind.
fn verdict(verdict: &Verdict) -> String {
    if verdict.why.is_empty() { format!("{} loads it as it is.", verdict.name) } else { verdict.why.join(" ") }
}

fn need(need: &Need) -> String {
    let missing: Vec<_> = need
        .values
        .iter()
        .filter(|value| {
            value.required
                && matches!(value.state, ValueState::SecretMissing | ValueState::Plain { value: None, default: None })
        })
        .map(|value| value.name.as_str())
        .collect();
    let how = need.url.clone().unwrap_or_else(|| need.command.join(" "));
    let missing = if missing.is_empty() { String::new() } else { format!("  (missing: {})", missing.join(", ")) };
    format!("{}  {how}{missing}", need.server)
}
