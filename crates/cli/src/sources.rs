//! `skilltender sources`: where skills came from, and adding skills from a repository, a folder, an archive or a site.

use std::{env, path::Path};

use api::{SourceElsewhere, SourcePlan, SourceRow};
use clap::Subcommand;
use engine::{Engine, Machine, Mode, actions, orders::Order};
use text::counted;

use crate::{
    Failure, Text, activity::ago, ask, import, order, ours::short, print, print_json, runtime, say, words::Acts,
};

const AFTER: &str = "\
A source is a git repository with skills: owner/repository on GitHub, an address of its page, or any address that git takes \
over https or ssh, with #branch and @skill behind it. git fetches it with the sign-ins that it has; nothing of it runs. It may \
also be a folder of this computer, an archive or a SKILL.md at an https address, or a site that lists its skills. What is \
shown comes pinned to its commit, or to the digest of each file where there is none, and off.

  skilltender sources                                  the sources of your skills
  skilltender sources add acme/skills                  shows what is in it, and asks
  skilltender sources add acme/skills@tea --yes
  skilltender sources add https://git.example.net/acme/skills.git#v2 --only skills/tea
  skilltender sources add ~/team-skills                a folder, as it lies there
  skilltender sources add https://example.org/skills.tar.gz
  skilltender sources add https://example.org          the skills that the site lists
  skilltender sources remove acme/skills               forgets it; its skills stay";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// List the sources of skills
    List,
    /// Show what is in a source, and add skills from it
    Add {
        /// owner/repository, an address or a folder; #branch and @skill may follow
        source: String,
        /// Only the skill at this path in it (may be repeated)
        #[arg(long, value_name = "PATH")]
        only: Vec<String>,
        /// The library folder for them, by its path or its id
        #[arg(long = "in", value_name = "FOLDER", default_value = "own")]
        folder: String,
        /// Add them without asking
        #[arg(long)]
        yes: bool,
    },
    /// Forget where the skills of a source came from; they stay
    Remove {
        /// Its name in the list, or its address
        source: String,
    },
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    match &command.act {
        None | Some(Act::List) => list(command.json, home),
        Some(Act::Add { source, only, folder, yes }) => add(source, only, folder, *yes, command.json, home),
        Some(Act::Remove { source }) => {
            let named = actions::source_from(source, &env::current_dir()?);
            let forgotten = order::give(home, Order::ForgetSource { source: named })?;
            order::tell(command.json, &forgotten, |keys| {
                let skills = counted(order::texts(keys).len(), "skill");
                format!("{source} is forgotten; its {skills} stay as they are.")
            })
        }
    }
}

fn list(json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let engine = runtime()?.block_on(Engine::start_once(Machine::here(home)?, Mode::Reading))?;
    let sources = &engine.snapshot().sources;
    if json {
        return print_json(sources);
    }
    if sources.is_empty() {
        return print("No skill has a source. `skilltender sources add owner/repository` adds skills from one.");
    }
    print(sources.iter().map(words).collect::<Text>())
}

/// A source with its skills.
pub(crate) fn words(row: &SourceRow) -> Text {
    let follows = row.follows.as_ref().map(|follows| format!(" #{follows}")).unwrap_or_default();
    let asked = row.asked.map_or_else(|| "never asked".to_owned(), |at| format!("asked {}", ago(at)));
    let mut text = Text::from(format!("{}{follows}  ({}, {asked})", row.source, counted(row.skills.len(), "skill")));
    let mut skills: Text = row
        .skills
        .iter()
        .map(|key| {
            let newer = if row.outdated.contains(key) { "  (another version is there)" } else { "" };
            format!("{key}{newer}")
        })
        .collect();
    skills.extend(&row.trouble);
    text.append(skills.indented());
    text
}

fn add(source: &str, only: &[String], folder: &str, yes: bool, json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let source = &actions::source_from(source, &env::current_dir()?);
    let only = (!only.is_empty()).then(|| only.to_vec());
    let machine = Machine::here(home)?;
    let seen: SourcePlan = runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::look_at_source(&engine, source, only.clone()).await?)
    })?;
    let follows = seen.follows.as_ref().map(|follows| format!(" #{follows}")).unwrap_or_default();
    let mut shown = Text::from(format!("{}{follows} at {}:", seen.source, short(&seen.commit)));
    shown.append(seen.plan.skills.iter().map(import::skill).collect::<Text>().indented());
    shown.append(import::stays_out(&seen.plan));
    shown.append(elsewhere(&seen.elsewhere));
    if seen.plan.skills.is_empty() {
        return if json { print_json(&seen) } else { print(shown) };
    }
    if !yes {
        if !ask::somebody_is_there() {
            return if json { print_json(&seen) } else { print(with(shown, "Nothing was added: `--yes` adds them.")) };
        }
        let question = format!("Add {}?", counted(seen.plan.skills.len(), "skill"));
        if !ask::agreed(&shown, &question)? {
            return print("Nothing was added.");
        }
    } else {
        say(shown);
    }
    let SourcePlan { commit, plan, .. } = seen;
    let (source, folder) = (source.to_owned(), order::library_folder(folder)?);
    let keys = order::give(home, Order::AddSource { source, commit, plan: plan.id, folder, only })?;
    order::tell(json, &keys, import::said)
}

/// What a marketplace lists in other repositories, each with what adds it.
fn elsewhere(listed: &[SourceElsewhere]) -> Text {
    let mut text = Text::new();
    if listed.is_empty() {
        return text;
    }
    text.extend(["", "Listed there, and not fetched:"]);
    let line = |one: &SourceElsewhere| match (&one.source, &one.trouble) {
        (Some(source), _) => format!("{}  (`skilltender sources add {source}`)", one.name),
        (None, trouble) => format!("{}: {}", one.name, trouble.as_deref().unwrap_or_default()),
    };
    text.append(listed.iter().map(line).collect::<Text>().indented());
    text
}

fn with(mut text: Text, line: &str) -> Text {
    text.extend(["", line]);
    text
}
