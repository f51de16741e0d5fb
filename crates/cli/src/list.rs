//! `skilltender list`: every skill of the library, and whether it is enabled; or those that match the given words.

use std::{collections::HashMap, path::Path};

use api::{Readiness, RenamedServer, SkillRow};
use engine::{Engine, Machine, Mode, actions, folders_away};

use crate::{Failure, Text, print, print_json, runtime, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only skills with these words in their name, description, tags or text; best matches first
    words: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let away = folders_away(&machine);
    away.iter().for_each(|away| say(away.as_str()));
    let rows = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        rows(&engine, &command.words.join(" ")).await
    })?;
    if command.json {
        return print_json(&rows);
    }
    if rows.is_empty() {
        return print(if !away.is_empty() {
            "No skill is in the library folders that can be read."
        } else if command.words.is_empty() {
            "There are no skills in the library yet. `skilltender library add` adds a folder."
        } else {
            "No skill holds these words."
        });
    }
    print(rows.iter().map(line).collect::<Text>())
}

async fn rows(engine: &Engine, words: &str) -> Result<Vec<SkillRow>, Failure> {
    // The servers that skills require are not read until they are listed.
    actions::list_servers(engine).await;
    let snapshot = engine.snapshot();
    let all = &snapshot.skills;
    if words.is_empty() {
        return Ok(all.to_vec());
    }
    let by_key: HashMap<_, _> = all.iter().map(|row| (row.key.as_str(), row)).collect();
    let hits = actions::search_once(engine, words, all.len()).await?;
    Ok(hits.iter().filter_map(|hit| by_key.get(hit.key.as_str()).copied().cloned()).collect())
}

fn line(skill: &SkillRow) -> String {
    let state = if skill.enabled { "on " } else { "off" };
    let remarks: String = lacks(skill).into_iter().map(|lack| format!("  ({lack})")).collect();
    let renamed: String = skill.renamed.iter().map(renamed).collect();
    format!("{state}  {:<32} {}{remarks}{renamed}", skill.id, skill.place)
}

/// Everything that keeps a skill from being used, what is done first first.
pub(crate) fn lacks(skill: &SkillRow) -> Vec<String> {
    let lack = |readiness: &Readiness| {
        Some(match readiness {
            Readiness::Ready | Readiness::Disabled => return None,
            Readiness::NeedsValues { server, names, runtime, .. } => {
                let all: Vec<_> = runtime.iter().chain(names).map(String::as_str).collect();
                format!("needs {} for {server}", all.join(", "))
            }
            Readiness::NeedsConsent { server, .. } => format!("the server {server} is not approved yet"),
            Readiness::NeedsSignIn { server } => format!("the server {server} wants you to sign in"),
            Readiness::ToolsChanged { server } => format!("the tools of {server} changed"),
            Readiness::NoProgram { server, program } => {
                format!("{program}, which runs {server}, is not on this computer")
            }
            Readiness::ContainersDown { server, program } => format!("{program}, which runs {server}, is not running"),
            Readiness::ServerDown { server, message } => format!("{server} does not run: {message}"),
            Readiness::Problem { message, line, column } => format!("{line}:{column} {message}"),
            Readiness::LooksHarmful { message } if skill.enabled => format!("look at it: {message}"),
            Readiness::LooksHarmful { message } => format!("off until you have looked at it: {message}"),
            Readiness::Shadowed { by } => format!("{by} is served instead"),
        })
    };
    [&skill.readiness].into_iter().chain(&skill.also).filter_map(lack).collect()
}

fn renamed(renamed: &RenamedServer) -> String {
    let RenamedServer { server, name, beside } = renamed;
    let whose = beside.as_ref().map_or("another skill", |skill| &skill.name);
    format!("  (its server {server} is {name} here, because {whose} calls another one {server})")
}
