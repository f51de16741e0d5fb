//! `skilltender sets`: named groups of skills, for clients that should not see every skill.

use std::path::{Path, PathBuf};

use api::{ClientChange, SkillSet};
use clap::Subcommand;
use engine::{Engine, Machine, Mode, orders::Order};

use crate::{
    Failure, Text,
    connect::{self, Manner},
    order, print, print_json, runtime,
    words::Acts,
};

const AFTER: &str = "\
Without a subcommand, this lists the sets. A client without a set sees every skill that is on. A set that is bound to a \
folder is seen there instead of the client's own. A folder may hold `*` for any run of characters in a name, and end with \
`**` for everything inside; put it in quotes, because a shell replaces them. The most specific folder counts.

  skilltender sets make writing meeting-notes plain-writing
  skilltender sets give claude-desktop writing
  skilltender sets give claude-desktop
  skilltender sets bind writing '~/texts/**'
  skilltender sets apply writing --client claude-code --folder ~/texts/novel";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// Make a set
    Make {
        /// Its name
        name: String,
        /// Its skills
        #[arg(value_name = "SKILL")]
        skills: Vec<String>,
    },
    /// Replace the skills of a set
    Fill {
        /// Its name or its id
        set: String,
        /// Its skills from now on
        #[arg(value_name = "SKILL")]
        skills: Vec<String>,
    },
    /// Delete a set; its skills stay
    Delete {
        /// Its name or its id
        set: String,
    },
    /// Limit a client to a set, or let it see every skill again
    Give {
        /// The client's id
        client: String,
        /// The set's name or id; without one the client sees every skill
        set: Option<String>,
    },
    /// Let clients that work in a folder see a set instead of their own
    Bind {
        /// Its name or its id
        set: String,
        /// The folders, such as '~/work/acme/**'
        #[arg(value_name = "FOLDER", required = true)]
        folders: Vec<String>,
    },
    /// Show the skills of a set alone, of those that a client reads from folders by itself
    ///
    /// The others are switched off in the client's settings. The change is shown first; `skilltender undo` takes it back.
    Apply {
        /// Its name or its id
        set: String,
        /// The client's id: claude-code, codex
        #[arg(long, value_name = "CLIENT")]
        client: String,
        /// The folder of the project, for a client whose settings are for one (claude-code)
        #[arg(long = "folder", value_name = "FOLDER")]
        at: Option<PathBuf>,
        /// Show the change, and write nothing
        #[arg(long, conflicts_with = "yes")]
        dry_run: bool,
        /// Make the change without asking
        #[arg(long)]
        yes: bool,
    },
    /// Take folders from a set
    Unbind {
        /// Its name or its id
        set: String,
        /// The folders, as they are listed
        #[arg(value_name = "FOLDER", required = true)]
        folders: Vec<String>,
    },
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    match &command.act {
        Some(Act::Apply { set, client, at, dry_run, yes }) => {
            let change = ClientChange::Skills { set: set.clone(), project: connect::project(at.as_deref())? };
            let manner = Manner { dry_run: *dry_run, yes: *yes, json: command.json };
            return connect::make(client, &change, &manner, home);
        }
        Some(change) => order_for(change)?.into_iter().try_for_each(|order| order::give(home, order).map(drop))?,
        None => {}
    }
    let machine = Machine::here(home)?;
    let engine = runtime()?.block_on(Engine::start(machine, Mode::Reading))?;
    let sets = &engine.snapshot().sets;
    match (command.json, sets.is_empty()) {
        (true, _) => print_json(sets),
        (false, true) => print("There are no sets: every client sees every skill that is on."),
        (false, false) => print(sets.iter().map(words).collect::<Text>()),
    }
}

/// What the running engine is asked to do; nothing for what shows its change first.
fn order_for(change: &Act) -> Result<Option<Order>, Failure> {
    let named = |skills: &[String]| skills.iter().map(|skill| order::skill(skill)).collect::<Result<Vec<_>, _>>();
    Ok(Some(match change {
        Act::Make { name, skills } => Order::MakeSet { name: name.clone(), skills: named(skills)? },
        Act::Fill { set, skills } => Order::ChangeSet { set: set.clone(), skills: named(skills)? },
        Act::Delete { set } => Order::DeleteSet { set: set.clone() },
        Act::Apply { .. } => return Ok(None),
        Act::Bind { set, folders } => Order::BindSet { set: set.clone(), folders: full(folders)? },
        Act::Unbind { set, folders } => Order::UnbindSet { set: set.clone(), folders: full(folders)? },
        Act::Give { client, set } => Order::GiveSet { client: client.clone(), set: set.clone() },
    }))
}

/// Folders as they are meant where this is run.
fn full(folders: &[String]) -> Result<Vec<String>, Failure> {
    let full = |folder: &String| match folder.strip_prefix('~') {
        Some(_) => Ok(folder.clone()),
        None => Ok(std::path::absolute(folder)?.display().to_string()),
    };
    folders.iter().map(full).collect()
}

fn words(set: &SkillSet) -> String {
    let skills = if set.skills.is_empty() { "no skills".to_owned() } else { set.skills.join(", ") };
    let clients =
        if set.clients.is_empty() { String::new() } else { format!("  (seen by {})", set.clients.join(", ")) };
    let folders = if set.folders.is_empty() { String::new() } else { format!("  (in {})", set.folders.join(", ")) };
    format!("{}: {skills}{clients}{folders}", set.name)
}
