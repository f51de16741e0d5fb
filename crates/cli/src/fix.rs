//! `skilltender fix`: applies the fixes that need no decision. Each fix changes only the bytes that it names.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use api::{Fix, Saved};
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::{Value, json};

use crate::{
    Failure, Text,
    check::{Found, check},
    order, print, print_json, runtime,
};

const AFTER: &str = "\
Without --all, this only shows the possible fixes. Without a skill, it covers the whole library.

  skilltender fix ./skills
  skilltender fix --all ./skills
  skilltender fix --all my-skill";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Its id, its key or its path; or a folder of skills (may be repeated)
    #[arg(value_name = "SKILL")]
    skills: Vec<String>,
    /// Apply every fix
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let (mut folders, mut ids) = (Vec::new(), Vec::new());
    for word in &command.skills {
        match order::path(word)? {
            Some(folder) => folders.push(folder),
            None => ids.push(word.clone()),
        }
    }
    let machine = Machine::here(home)?;
    let found = match (folders.is_empty(), ids.is_empty()) {
        (false, false) => {
            return Err(Failure::usage("Name skills of the library or paths, not both at once.".to_owned()));
        }
        (false, true) => runtime()?.block_on(in_folders(machine, folders, command.all))?,
        (true, _) => {
            let found = runtime()?.block_on(in_library(machine, &ids))?;
            let skills = by_skill(&found).into_keys().collect::<Vec<_>>();
            if command.all && !skills.is_empty() {
                order::give(home, Order::Fix { skills })?;
            }
            found
        }
    };
    if command.json { print_json(&json(&found, command.all)) } else { print(words(&found, command.all)) }
}

/// A problem with its fix.
struct Fixable {
    found: Found,
    fix: Fix,
}

fn fixable(found: Vec<Found>) -> Vec<Fixable> {
    found.into_iter().filter_map(|mut found| found.problem.fix.take().map(|fix| Fixable { found, fix })).collect()
}

/// Fixes named folders, which need not be in the library.
async fn in_folders(machine: Machine, folders: Vec<PathBuf>, all: bool) -> Result<Vec<Fixable>, Failure> {
    let engine = Engine::start(machine, Mode::Plain { folders }).await?;
    let found = fixable(check(&engine, false).await?.found);
    if all {
        for (key, path) in by_skill(&found) {
            let page = actions::read_skill(&engine, &key).await?;
            if let Saved::Changed { .. } = actions::fix_skill(&engine, &key, &page.digest).await? {
                return Err(Failure::refused(format!("{path} changed meanwhile, so it was left as it is. Try again.")));
            }
        }
    }
    Ok(found)
}

/// Fixes the library: these skills, or all.
async fn in_library(machine: Machine, ids: &[String]) -> Result<Vec<Fixable>, Failure> {
    let engine = Engine::start(machine, Mode::Reading).await?;
    let keys = ids.iter().map(|id| actions::find_skill(&engine, id)).collect::<Result<Vec<_>, _>>()?;
    let mut found = fixable(check(&engine, false).await?.found);
    found.retain(|fixable| keys.is_empty() || keys.contains(&fixable.found.key));
    Ok(found)
}

/// The skills with a fixable problem, with their files.
fn by_skill(found: &[Fixable]) -> BTreeMap<String, String> {
    found.iter().map(|fixable| (fixable.found.key.clone(), fixable.found.path.clone())).collect()
}

fn words(found: &[Fixable], all: bool) -> Text {
    let line = |Fixable { found: Found { path, problem, .. }, fix }: &Fixable| {
        format!("{path}:{}:{}: {} [{}]", problem.line, problem.column, fix.label, problem.rule)
    };
    let last = match (found.len(), all) {
        (0, _) => "There is nothing to fix.".to_owned(),
        (count, true) => format!("{count} fixed."),
        (count, false) => format!("{count} can be fixed. Nothing was changed: `--all` does it."),
    };
    found.iter().map(line).chain([last]).collect()
}

fn json(found: &[Fixable], all: bool) -> Value {
    let fixes: Vec<Value> = found
        .iter()
        .map(|Fixable { found: Found { path, problem, .. }, fix }| {
            json!({"path": path, "line": problem.line, "column": problem.column, "rule": problem.rule, "fix": fix.label})
        })
        .collect();
    json!({"changed": all && !found.is_empty(), "fixes": fixes})
}
