//! `skilltender outdated` and `skilltender update`: which skills have another version at their source, and what it would
//! change.

use std::{collections::BTreeMap, path::Path};

use api::{AgreedUpdate, Answers, SourceRow, Take, UpdatePlan};
use engine::{
    Engine, Machine, Mode, actions,
    orders::{Asked, Order},
};
use serde_json::json;

use crate::{Failure, Text, ask, order, print, print_json, review, runtime, say, servers::read_as, sources};

const AFTER_OUTDATED: &str = "\
Each source is asked once, a repository with git where there is one. A skill is outdated if its own folder there is another than \
what came. The exit code is 1 if one is.

  skilltender outdated
  skilltender outdated tea";

const AFTER_UPDATE: &str = "\
An update is shown before it is made: what the skill could do after it and could not before, and the lines that change. What \
you changed yourself is merged; where you and the update changed the same lines, --mine or --theirs answers. The version before \
is kept: `skilltender rollback` takes it back. Without names, every outdated skill is updated.

  skilltender update                     shows each, and asks
  skilltender update --text-only --yes   only those that change texts and nothing that a skill can do
  skilltender update tea --theirs";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_OUTDATED)]
pub(crate) struct OutdatedArguments {
    /// The id, the key or the path of each skill; without one, all that have a source
    skills: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_UPDATE)]
pub(crate) struct UpdateArguments {
    /// The id, the key or the path of each skill; without one, all that are outdated
    skills: Vec<String>,
    /// Only updates that change texts and nothing that a skill can do
    #[arg(long)]
    text_only: bool,
    /// Update without asking
    #[arg(long)]
    yes: bool,
    /// Where you and the update changed the same, keep yours
    #[arg(long, conflicts_with = "theirs")]
    mine: bool,
    /// Where you and the update changed the same, take the update's
    #[arg(long)]
    theirs: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Asks the sources, and lists the skills with another version there.
pub(crate) fn outdated(command: &OutdatedArguments, home: Option<&Path>) -> Result<(), Failure> {
    let rows = ask_sources(&command.skills, home)?;
    let is_outdated = rows.iter().any(|row| !row.outdated.is_empty());
    let is_silent = rows.iter().any(|row| row.trouble.is_some());
    if command.json {
        print_json(&rows)?;
    } else {
        let mut text = Text::new();
        rows.iter().filter(|row| !row.outdated.is_empty()).for_each(|row| text.append(sources::words(row)));
        if !is_outdated && !is_silent {
            text.line(NEWEST);
        }
        print(text)?;
    }
    unanswered(is_silent)?;
    if is_outdated { Err(Failure::problems(Text::new())) } else { Ok(()) }
}

/// What is said where nothing is outdated, and every source answered.
const NEWEST: &str = "Every skill is as its source has it.";

/// Asks the sources of these skills, or of all; returns them with these skills alone. Why one did not answer is said on
/// standard error.
fn ask_sources(skills: &[String], home: Option<&Path>) -> Result<Vec<SourceRow>, Failure> {
    let named = skills.iter().map(|skill| order::skill(skill)).collect::<Result<Vec<_>, _>>()?;
    let asked: Asked = read_as(order::give(home, Order::AskSources { skills: named })?)?;
    say(asked.troubles.values().collect::<Text>());
    let engine = runtime()?.block_on(Engine::start_once(Machine::here(home)?, Mode::Reading))?;
    let snapshot = engine.snapshot();
    let of_these = |keys: &[String]| keys.iter().filter(|key| asked.skills.contains(key)).cloned().collect::<Vec<_>>();
    let rows = snapshot.sources.iter().map(|row| SourceRow {
        skills: of_these(&row.skills),
        outdated: of_these(&row.outdated),
        trouble: asked.troubles.get(&row.id).cloned(),
        ..row.clone()
    });
    Ok(rows.filter(|row| !row.skills.is_empty()).collect())
}

/// Fails where a source did not answer: nobody knows whether its skills are outdated.
fn unanswered(is_silent: bool) -> Result<(), Failure> {
    if !is_silent {
        return Ok(());
    }
    Err(Failure::refused("Not every source answered, so there may be other versions.".to_owned()))
}

/// Shows updates, asks, and makes them.
pub(crate) fn update(command: &UpdateArguments, home: Option<&Path>) -> Result<(), Failure> {
    let rows = ask_sources(&command.skills, home)?;
    let is_silent = rows.iter().any(|row| row.trouble.is_some());
    let keys: Vec<_> = rows.into_iter().flat_map(|row| row.outdated).collect();
    let plans = plans(&keys, home)?;
    let (mut updates, mut made, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for plan in &plans {
        if command.text_only && !(plan.text_only && plan.notes.is_empty()) {
            left.push((plan, "it changes more than texts, or there is something to know first"));
            continue;
        }
        match agreed(command, plan)? {
            Agreed::To(answers) => {
                let (key, commit, id) = (plan.key.clone(), plan.to.clone(), plan.id.clone());
                updates.push(AgreedUpdate { key, commit, plan: id, answers });
                made.push(plan);
            }
            Agreed::Not(why) => left.push((plan, why)),
        }
    }
    // All at once: what the skills of a repository have in common is read once.
    if !updates.is_empty() {
        order::give(home, Order::UpdateSkills { updates })?;
    }
    let line = |plan: &UpdatePlan| format!("{} is updated to {}.", plan.key, crate::ours::short(&plan.to));
    if command.json {
        let left: Vec<_> = left.iter().map(|(plan, why)| json!({"plan": plan, "why": why})).collect();
        print_json(&json!({"updated": made, "left": left}))?;
    } else {
        let mut text: Text = made.iter().map(|plan| line(plan)).collect();
        text.extend(left.iter().map(|(plan, why)| format!("{} stays as it is: {why}.", plan.key)));
        if plans.is_empty() && !is_silent {
            text.line(NEWEST);
        }
        print(text)?;
    }
    unanswered(is_silent)?;
    if left.is_empty() { Ok(()) } else { Err(Failure::problems(Text::new())) }
}

/// What each update would change.
fn plans(keys: &[String], home: Option<&Path>) -> Result<Vec<UpdatePlan>, Failure> {
    let machine = Machine::here(home)?;
    runtime()?.block_on(async {
        let engine = Engine::start(machine, Mode::Reading).await?;
        Ok(actions::plan_updates(&engine, keys).await?)
    })
}

enum Agreed {
    To(Answers),
    Not(&'static str),
}

fn agreed(command: &UpdateArguments, plan: &UpdatePlan) -> Result<Agreed, Failure> {
    let take = match (command.mine, command.theirs) {
        (true, _) => Some(Take::Mine),
        (_, true) => Some(Take::Theirs),
        _ => None,
    };
    let shown = review::words(plan);
    if plan.conflicts > 0 && take.is_none() && !ask::somebody_is_there() {
        say(shown);
        return Ok(Agreed::Not("you and the update changed the same; --mine or --theirs answers"));
    }
    if command.yes {
        if !command.json {
            say(shown);
        }
    } else if !ask::somebody_is_there() {
        say(shown);
        return Ok(Agreed::Not("nobody was there to answer; --yes updates it"));
    } else if !ask::agreed(&shown, &format!("Update {}?", plan.name))? {
        return Ok(Agreed::Not("you answered no"));
    }
    Ok(Agreed::To(answers(plan, take)?))
}

/// One answer for each conflict: the one that was given, or asked for.
fn answers(plan: &UpdatePlan, take: Option<Take>) -> Result<Answers, Failure> {
    let mut answers = BTreeMap::new();
    for file in plan.files.iter().filter(|file| !file.conflicts.is_empty()) {
        let mut takes = Vec::new();
        for (at, _) in file.conflicts.iter().enumerate() {
            let question =
                format!("{}, conflict {} of {}: take the update's?", file.path, at + 1, file.conflicts.len());
            takes.push(match take {
                Some(take) => take,
                None if ask::agreed(&Text::new(), &question)? => Take::Theirs,
                None => Take::Mine,
            });
        }
        answers.insert(file.path.clone(), takes);
    }
    Ok(answers)
}
