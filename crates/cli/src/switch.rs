//! `skilltender enable` and `disable`: offer skills to every client, or to none.

use std::{collections::BTreeMap, path::Path};

use api::Look;
use engine::{Engine, Machine, Mode, actions};
use skills::Danger;

use crate::{Failure, Text, ask, order, runtime, say, show::carried};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, its key, or the path of its folder (may be repeated)
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    /// Switch on somebody else's skills without asking, even if something in them looks harmful
    #[arg(long)]
    yes: bool,
    /// Print JSON: the keys
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>, on: bool) -> Result<(), Failure> {
    let skills = command.skills.iter().map(|skill| order::skill(skill)).collect::<Result<Vec<_>, _>>()?;
    let looks = if on { runtime()?.block_on(look(Machine::here(home)?, &skills))? } else { Vec::new() };
    let seen = agreed_to(looks, command.yes)?;
    let keys = order::give(home, engine::orders::Order::Enable { skills, on, seen })?;
    order::tell(command.json, &keys, |keys| {
        let state = if on { "on" } else { "off" };
        order::texts(keys).iter().map(|key| format!("{} is {state}.", order::named(key))).collect::<Text>()
    })
}

/// Shows the skills' contents and asks. Exactly what was shown is enabled: the engine compares the digests.
pub(crate) fn agreed_to(looks: Vec<Look>, yes: bool) -> Result<BTreeMap<String, String>, Failure> {
    if !looks.is_empty() {
        // Standard output carries the result; this is for the user.
        say(looks.iter().map(notice).collect::<Text>());
        let agrees = yes || ask::somebody_is_there() && ask::agreed(&Text::new(), "Switch on?")?;
        if !agrees {
            return Err(refused(&looks));
        }
    }
    Ok(looks.into_iter().map(|look| (look.key, look.digest)).collect())
}

/// The contents of foreign skills that the user has not seen yet, and of those that are on and hold something harmful
/// that they have not seen.
async fn look(machine: Machine, skills: &[String]) -> Result<Vec<Look>, Failure> {
    let engine = Engine::start(machine, Mode::Reading).await?;
    let mut looks = Vec::new();
    for skill in skills {
        let key = actions::find_skill(&engine, skill)?;
        let is_on = engine.snapshot().skills.iter().any(|row| row.key == key && row.enabled);
        let look = actions::look_at_skill(&engine, &key).await?;
        if look.asks || is_on && look.unseen {
            looks.push(look);
        }
    }
    Ok(looks)
}

fn notice(look: &Look) -> Text {
    let why = if look.asks { "is somebody else's" } else { "is on, and something in it looks as if it meant harm" };
    let mut text = Text::from(format!("{} {why}. It carries:", order::named(&look.key)));
    text.append(carried(&look.trust).into_iter().collect::<Text>().indented());
    text
}

fn refused(looks: &[Look]) -> Failure {
    let harm = looks.iter().any(|look| look.trust.findings.iter().any(|finding| finding.severity == Danger::High));
    let harm = if harm { "Something here looks as if it meant harm. " } else { "" };
    Failure::refused(format!("{harm}Nothing was switched on; `--yes` does it without asking."))
}
