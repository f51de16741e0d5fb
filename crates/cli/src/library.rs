//! `skilltender library`: the library folders, whose skills Skilltender tends.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use api::{Folder, Look};
use clap::{Subcommand, ValueEnum};
use engine::{Engine, Machine, Mode, actions, orders::Order};
use text::counted;

use crate::{Failure, Text, order, print, print_json, runtime, say, switch, words::Acts, work_trees};

const AFTER: &str = "\
A library folder is one whose skills Skilltender tends. Without a subcommand, this lists them. Skills are read where they \
are: adding or removing a folder changes nothing in it. The skills of an added folder are off; --on shows what they carry and \
asks before it switches them on. Skills that appear later are switched on in ~/.claude/skills, in ~/.agents/skills and where \
you want it; one that looks harmful stays off until you have looked at it.

A folder in a git work tree of yours is pulled and pushed when you say so, and as you were shown: status, pull and push. \
No hook runs, and nothing that the work tree's own settings name. With share-switches, which skills are on and the sets go \
along, in one file per machine; servers are still allowed on each machine, and secrets never go along.

  skilltender library add ~/src/skills
  skilltender library add ~/src/skills --on
  skilltender library add ~/src/skills --new-skills on
  skilltender library new-skills ~/src/skills off
  skilltender library remove ~/src/skills
  skilltender library share-switches ~/src/skills on
  skilltender library status
  skilltender library pull
  skilltender library push --message \"Skills: stronger tea\"";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// List the library folders
    List,
    /// Add a folder to the library, after the others
    Add {
        /// The folder
        path: PathBuf,
        /// Switch on those of its skills that are ready
        #[arg(long, conflicts_with = "off")]
        on: bool,
        /// Leave its skills off, which is the default
        #[arg(long)]
        off: bool,
        /// Whether skills that appear later are switched on
        #[arg(long, value_name = "ON|OFF")]
        new_skills: Option<Switch>,
        /// Switch them on without asking, even if something in them looks harmful
        #[arg(long, requires = "on")]
        yes: bool,
    },
    /// Set whether skills that appear in a folder are switched on
    NewSkills {
        /// Its path or its id
        folder: String,
        /// On or off
        to: Switch,
    },
    /// Set whether the switches and sets of a folder go along with its work tree
    ShareSwitches {
        /// Its path or its id
        folder: String,
        /// On or off
        to: Along,
    },
    /// Remove a folder from the library; its files stay as they are
    Remove {
        /// Its path or its id
        folder: String,
    },
    /// Show the git status of folders that lie in a work tree of yours
    Status {
        /// Its path or its id; without one, all in a work tree
        folder: Option<String>,
    },
    /// Show what the upstream of a folder's work tree has, and pull it
    Pull {
        /// Its path or its id; without one, the only one in a work tree
        folder: Option<String>,
        /// Pull without asking
        #[arg(long)]
        yes: bool,
    },
    /// Show what changed in the skills of a folder, commit it and push it
    Push {
        /// Its path or its id; without one, the only one in a work tree
        folder: Option<String>,
        /// The commit's message; without one, it says which skills changed
        #[arg(long, short)]
        message: Option<String>,
        /// Commit and push without asking
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Along {
    /// They go along with the next push, and those of other machines come with a pull
    On,
    /// They stay on this machine
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// They are on, unless something in them looks harmful
    On,
    /// They are off until you switch them on
    Off,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    match &command.act {
        None | Some(Act::List) => list(command.json, home),
        Some(Act::Add { path, on, off, new_skills, yes }) => {
            let path = order::folder(path)?.display().to_string();
            let enable_new = new_skills.map(|to| to == Switch::On);
            order::give(home, Order::AddFolder { path: path.clone(), enable_new })?;
            if *on && !*off {
                switch_on(&path, *yes, home)?;
            }
            list(command.json, home)
        }
        Some(Act::NewSkills { folder, to }) => {
            let folder = order::library_folder(folder)?;
            order::give(home, Order::SwitchNewSkills { folder, on: *to == Switch::On })?;
            list(command.json, home)
        }
        Some(Act::ShareSwitches { folder, to }) => {
            work_trees::share(&order::library_folder(folder)?, *to == Along::On, home)?;
            list(command.json, home)
        }
        Some(Act::Remove { folder }) => {
            let folder = order::library_folder(folder)?;
            order::give(home, Order::RemoveFolder { folder })?;
            list(command.json, home)
        }
        Some(Act::Status { folder }) => work_trees::status(folder.as_deref(), command.json, home),
        Some(Act::Pull { folder, yes }) => work_trees::pull(folder.as_deref(), *yes, command.json, home),
        Some(Act::Push { folder, message, yes }) => {
            work_trees::push(folder.as_deref(), message.as_deref(), *yes, command.json, home)
        }
    }
}

/// Enables the ready skills of a folder, as the user saw them.
fn switch_on(path: &str, yes: bool, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    let looks: Vec<Look> = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::look_at_ready(&engine, &[path.to_owned()]).await?)
    })?;
    if looks.is_empty() {
        return Ok(());
    }
    let skills: Vec<_> = looks.iter().map(|look| look.key.clone()).collect();
    let seen: BTreeMap<_, _> = switch::agreed_to(looks, yes)?;
    order::give(home, Order::Enable { skills, on: true, seen }).map(drop)
}

fn list(json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let engine = runtime()?.block_on(Engine::start_once(Machine::here(home)?, Mode::Reading))?;
    let snapshot = engine.snapshot();
    if json {
        return print_json(&snapshot.folders);
    }
    if snapshot.first_run {
        say("Nobody has chosen folders yet: the usual ones are read, with their skills off.");
    }
    print(snapshot.folders.iter().map(words).collect::<Text>())
}

fn words(folder: &Folder) -> Text {
    let new = if folder.enable_new { "; new ones are switched on" } else { "" };
    let tree = folder.work_tree.as_ref().map(|top| format!("; in the git work tree {top}")).unwrap_or_default();
    let shared = if folder.shares_switches { "; shares switches and sets" } else { "" };
    let skills = counted(folder.skills, "skill");
    let mut text = Text::from(format!("{:<6} {}  ({skills}{new}{tree}{shared})", folder.id, folder.place));
    text.append(folder.trouble.iter().chain(&folder.remarks).collect::<Text>().indented());
    text
}
