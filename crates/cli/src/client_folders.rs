//! `skilltender client-folders`: the folders in which clients look for skills by themselves.

use std::path::Path;

use api::{ClientFolder, ClientFolderAct, ClientFolderPlan, PlaceWay, PlacedState};
use clap::Subcommand;
use engine::{Engine, Machine, Mode, actions, orders::Order};

use crate::{Failure, Text, order, print, print_json, runtime, say, words::Acts};

const AFTER: &str = "\
A client folder is one in which a client looks for skills by itself, such as ~/.claude/skills. Without a subcommand, this \
lists them: who reads each, and what Skilltender put there. Links and copies follow their skills; nothing else in the folder \
is touched. Name a folder by its path or by a client.

  skilltender client-folders link claude-code
  skilltender client-folders link ~/.agents/skills --copy
  skilltender client-folders unlink claude-code";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// Link the skills that are on into a client folder, and keep them there
    Link {
        /// A client's id, or the folder's path
        #[arg(value_name = "CLIENT")]
        target: String,
        /// Copy them instead, where links cannot be made or read
        #[arg(long)]
        copy: bool,
        /// Show what would be done, and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Remove what Skilltender put into a client folder
    Unlink {
        /// A client's id, or the folder's path
        #[arg(value_name = "CLIENT")]
        target: String,
        /// Show what would be done, and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Decide about a copy that somebody edited
    Settle {
        /// A client's id, or the folder's path
        #[arg(value_name = "CLIENT")]
        target: String,
        /// The name of the skill's folder
        skill: String,
        /// Replace the copy by the skill; without this, the copy is yours from now on
        #[arg(long)]
        replace: bool,
    },
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let (target, way, dry_run) = match &command.act {
        None => {
            let folders = runtime()?.block_on(async {
                let engine = Engine::start(machine, Mode::Reading).await?;
                Ok::<_, Failure>(actions::client_folders(&engine).await?)
            })?;
            return if command.json { print_json(&folders) } else { print(listed(&folders)) };
        }
        Some(Act::Settle { target, skill, replace }) => {
            let order = Order::SettleCopy { target: target.clone(), skill: skill.clone(), replace: *replace };
            let done = order::give(home, order)?;
            return order::tell(command.json, &done, |_| "Done.");
        }
        Some(Act::Link { target, copy, dry_run }) => {
            (target, Some(if *copy { PlaceWay::Copy } else { PlaceWay::Link }), *dry_run)
        }
        Some(Act::Unlink { target, dry_run }) => (target, None, *dry_run),
    };
    let plan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::plan_client_folder(&engine, target, way).await?)
    })?;
    if !dry_run {
        let said = order::give(home, Order::FillFolder { target: target.clone(), way, plan: plan.id.clone() })?;
        if let Some(said) = said.as_str() {
            say(said);
        }
    }
    if command.json { print_json(&plan) } else { print(planned(&plan, dry_run)) }
}

fn planned(plan: &ClientFolderPlan, dry_run: bool) -> Text {
    let readers =
        if plan.readers.is_empty() { String::new() } else { format!(", read by {}", plan.readers.join(", ")) };
    let mut text = Text::from(format!("{}{readers}", plan.place));
    for step in &plan.steps {
        let word = match step.does {
            ClientFolderAct::Link => "link",
            ClientFolderAct::Copy => "copy",
            ClientFolderAct::Renew => "renew",
            ClientFolderAct::Remove => "remove",
            ClientFolderAct::Leave => "leave",
        };
        text.line(format!("  {word:7} {}  {}", step.skill, step.why));
    }
    if plan.steps.is_empty() {
        text.line("  There is nothing to do.");
    }
    if dry_run {
        text.line("Nothing was done.");
    }
    text
}

fn listed(folders: &[ClientFolder]) -> Text {
    let told = |folder: &&ClientFolder| {
        folder.exists || folder.way.is_some() || folder.readers.iter().any(|reader| reader.found)
    };
    folders.iter().filter(told).map(one).collect()
}

fn one(folder: &ClientFolder) -> Text {
    let readers: Vec<_> = folder.readers.iter().map(|reader| reader.name.as_str()).collect();
    let state = match folder.way {
        None if folder.library.is_some() => "in the library",
        None => "nothing of ours",
        Some(PlaceWay::Link) => "enabled skills are linked there",
        Some(PlaceWay::Copy) => "enabled skills are copied there",
    };
    let mut text = Text::from(format!("{}  ({state})", folder.place));
    text.line(format!("  read by {}", readers.join(", ")));
    let odd = |state| !matches!(state, PlacedState::Linked | PlacedState::Copied);
    for skill in folder.skills.iter().filter(|skill| odd(skill.state)) {
        text.line(format!("  {}: {}", skill.id, skill.why));
    }
    text
}
