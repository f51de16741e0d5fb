//! `skilltender sets`: named groups of skills, for clients that should not see every skill.

use std::path::Path;

use api::SkillSet;
use clap::Subcommand;
use engine::{Engine, Machine, Mode, orders::Order};

use crate::{Failure, Text, order, print, print_json, runtime, words::Acts};

const AFTER: &str = "\
Without a subcommand, this lists the sets. A client without a set sees every skill that is on.

  skilltender sets make writing meeting-notes plain-writing
  skilltender sets give claude-desktop writing
  skilltender sets give claude-desktop";

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
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if let Some(change) = &command.act {
        order::give(home, order_for(change)?)?;
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

fn order_for(change: &Act) -> Result<Order, Failure> {
    let named = |skills: &[String]| skills.iter().map(|skill| order::skill(skill)).collect::<Result<Vec<_>, _>>();
    Ok(match change {
        Act::Make { name, skills } => Order::MakeSet { name: name.clone(), skills: named(skills)? },
        Act::Fill { set, skills } => Order::ChangeSet { set: set.clone(), skills: named(skills)? },
        Act::Delete { set } => Order::DeleteSet { set: set.clone() },
        Act::Give { client, set } => Order::GiveSet { client: client.clone(), set: set.clone() },
    })
}

fn words(set: &SkillSet) -> String {
    let skills = if set.skills.is_empty() { "no skills".to_owned() } else { set.skills.join(", ") };
    let clients =
        if set.clients.is_empty() { String::new() } else { format!("  (seen by {})", set.clients.join(", ")) };
    format!("{}: {skills}{clients}", set.name)
}
