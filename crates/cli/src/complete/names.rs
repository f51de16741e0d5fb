//! The current names for a shell: of skills, clients, servers, sets, folders. They come from an engine that only reads;
//! nothing is started or written, and the wait is short.

use std::{path::Path, time::Duration};

use api::Snapshot;
use engine::{Engine, Machine, Mode, actions, trouble_with_choices};
use tokio::time::timeout;

use super::Offer;
use crate::{clients, runtime};

/// The maximum wait: a user waits at the keyboard.
const PATIENCE: Duration = Duration::from_secs(3);

/// The kind of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Skill,
    Client,
    Server,
    Set,
    Folder,
    Thrown,
    Source,
    Template,
    Switch,
    Command,
}

/// The kinds of arguments, by their ids: one id means the same in every command.
const KINDS: &[(&str, Kind)] = &[
    ("skill", Kind::Skill),
    ("skills", Kind::Skill),
    ("with", Kind::Skill),
    ("client", Kind::Client),
    ("like", Kind::Client),
    ("target", Kind::Client),
    ("server", Kind::Server),
    ("set", Kind::Set),
    ("folder", Kind::Folder),
    ("thrown", Kind::Thrown),
    ("source", Kind::Source),
    ("template", Kind::Template),
    ("to", Kind::Switch),
    ("command", Kind::Command),
];

impl Kind {
    pub(super) fn of(id: &str) -> Option<Self> {
        KINDS.iter().find(|(known, _)| *known == id).map(|(_, kind)| *kind)
    }

    /// The existing names of this kind that begin with the typed text.
    pub(super) fn offers(self, typed: &str, given: &[&str], whole: &clap::Command, home: Option<&Path>) -> Vec<Offer> {
        match self {
            Self::Template => {
                actions::templates().into_iter().map(|template| Offer::new(template.id, template.about)).collect()
            }
            Self::Switch => ["on", "off", "default"].map(|word| Offer::new(word, "")).into(),
            Self::Command => commands(given, whole),
            named => {
                let mut offers = look(home, named == Self::Server).map(|seen| named.of_these(&seen, typed));
                offers.iter_mut().for_each(|offers| offers.sort_by(|a, b| a.word.cmp(&b.word)));
                offers.unwrap_or_default()
            }
        }
    }

    fn of_these(self, seen: &Snapshot, typed: &str) -> Vec<Offer> {
        match self {
            Self::Skill => skills(seen),
            Self::Client => {
                let offer = |client: &api::Client| Offer::new(&client.id, &client.name);
                let here: Vec<_> = seen.clients.iter().filter(|client| clients::matters(client)).map(offer).collect();
                // The user means a client that is not on this computer.
                let none = !here.iter().any(|offer| offer.word.starts_with(typed));
                if none { seen.clients.iter().map(offer).collect() } else { here }
            }
            Self::Server => seen.servers.iter().map(|server| Offer::new(&server.name, whose(server))).collect(),
            Self::Set => seen.sets.iter().map(|set| Offer::new(&set.name, set.skills.join(", "))).collect(),
            Self::Folder => seen.folders.iter().map(|folder| Offer::new(&folder.path, &folder.id)).collect(),
            Self::Thrown => seen.trash.iter().map(|thrown| Offer::new(&thrown.name, &thrown.place)).collect(),
            Self::Source => seen.sources.iter().map(|row| Offer::new(&row.source, row.skills.join(", "))).collect(),
            Self::Template | Self::Switch | Self::Command => Vec::new(),
        }
    }
}

/// A skill is named by its id, or by its key if several skills have the id.
fn skills(seen: &Snapshot) -> Vec<Offer> {
    let ids = seen.skills.iter().map(|skill| skill.id.as_str());
    let mut count = std::collections::HashMap::new();
    ids.for_each(|id| *count.entry(id).or_insert(0) += 1);
    let word = |skill: &api::SkillRow| {
        if count.get(skill.id.as_str()) == Some(&1) { skill.id.clone() } else { skill.key.clone() }
    };
    seen.skills.iter().map(|skill| Offer::new(word(skill), &skill.description)).collect()
}

fn whose(server: &api::ServerRow) -> String {
    let skills: Vec<_> = server.skills.iter().map(|skill| skill.name.as_str()).collect();
    format!("for {}", skills.join(", "))
}

/// The subcommands of a command.
fn commands(given: &[&str], whole: &clap::Command) -> Vec<Offer> {
    let found = given.iter().try_fold(whole, |command, name| command.find_subcommand(name));
    let all = found.into_iter().flat_map(clap::Command::get_subcommands).filter(|command| !command.is_hide_set());
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    all.map(|command| Offer::new(command.get_name(), about(command))).collect()
}

/// The current state; `None` if it cannot be read, or not in time.
fn look(home: Option<&Path>, servers: bool) -> Option<std::sync::Arc<Snapshot>> {
    let machine = Machine::here(home).ok()?;
    if trouble_with_choices(&machine).is_some() {
        return None;
    }
    let runtime = runtime().ok()?;
    let look = async {
        let engine = Engine::start_once(machine, Mode::Reading).await.ok()?;
        if servers {
            actions::list_servers(&engine).await;
        }
        Some(engine.snapshot())
    };
    let seen = runtime.block_on(async { timeout(PATIENCE, look).await });
    runtime.leave();
    seen.ok().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Arguments that are not names: paths, which the shell completes, and free texts.
    const OTHERS: &[&str] = &[
        "allow_origin",
        "approve",
        "at",
        "days",
        "digest",
        "file",
        "folders",
        "home",
        "id",
        "into",
        "listen",
        "lock",
        "message",
        "moment",
        "most",
        "name",
        "number",
        "only",
        "out",
        "path",
        "paths",
        "project",
        "report",
        "secret_from_env",
        "skills_dir",
        "token_file",
        "undo",
        "value",
        "variable",
        "version",
        "words",
    ];

    #[test]
    fn whoever_adds_an_argument_says_what_it_names() {
        let mut whole = crate::args::command();
        whole.build();
        let (mut waiting, mut seen) = (vec![&whole], BTreeSet::new());
        while let Some(command) = waiting.pop() {
            // `help` repeats the other commands.
            waiting
                .extend(command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set()));
            let takes = |arg: &&clap::Arg| arg.get_action().takes_values() && arg.get_possible_values().is_empty();
            seen.extend(command.get_arguments().filter(takes).map(|arg| arg.get_id().as_str()));
        }
        let known = |id: &str| Kind::of(id).is_some() != OTHERS.contains(&id);
        assert_eq!(seen.iter().find(|id| !known(id)), None, "which kind of name is it?");
        let mut named = KINDS.iter().map(|(id, _)| id).chain(OTHERS);
        assert_eq!(named.find(|id| !seen.contains(*id)), None, "no argument is called so any more");
    }
}
