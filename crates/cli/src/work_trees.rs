//! `skilltender library status`, `pull` and `push`: library folders that lie in a git work tree of the person's own.

use std::path::Path;

use api::{
    ActionError, ChangedSkill, CommitPlan, Folder, PullPlan, Pushed, SkillChange, SwitchChange, SwitchHow,
    WorkTreeStatus,
};
use engine::{
    Engine, Machine, Mode,
    orders::{Order, WorkTreeOrder},
};
use serde::de::DeserializeOwned;
use serde_json::json;
use text::{counted, some_of};

use crate::{Failure, Text, ask, order, ours::short, print, print_json, review, runtime, say, servers::read_as};

/// Shows the status of the work trees of these folders: one, or all that lie in one.
pub(crate) fn status(folder: Option<&str>, json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let folders = match folder {
        Some(folder) => vec![order::library_folder(folder)?],
        None => in_work_trees(home)?.into_iter().map(|folder| folder.path).collect(),
    };
    if folders.is_empty() && !json {
        return print("No library folder lies in a git work tree.");
    }
    let (mut all, mut text, mut refused) = (Vec::new(), Text::new(), Text::new());
    for folder in folders {
        match asked::<WorkTreeStatus>(home, &folder, WorkTreeOrder::Status)? {
            Ok(status) => {
                text.append(words(&folder, &status));
                all.push(status);
            }
            Err(error) => refused.line(order::sentences(error)),
        }
    }
    if json {
        print_json(&all)?;
    } else {
        print(text)?;
    }
    if refused.is_empty() { Ok(()) } else { Err(Failure { message: refused, code: 3 }) }
}

fn words(folder: &str, status: &WorkTreeStatus) -> Text {
    let WorkTreeStatus { branch, upstream, ahead, behind, skills, others, switches, trouble, .. } = status;
    let branch = branch.as_deref().unwrap_or("no branch");
    let apart = match (upstream, ahead, behind) {
        (None, ..) => String::new(),
        (Some(upstream), 0, 0) => format!(", as {upstream} was when it was fetched last"),
        (Some(upstream), ahead, 0) => format!(", {ahead} ahead of {upstream}"),
        (Some(upstream), 0, behind) => format!(", {behind} behind {upstream}"),
        (Some(upstream), ahead, behind) => format!(", {ahead} ahead of and {behind} behind {upstream}"),
    };
    let mut text = Text::from(format!("{folder}  ({branch}{apart})"));
    let mut about: Text = skills.iter().map(changed).collect();
    if *others > 0 {
        about.line(format!("{} changed that belong to no skill", counted(*others, "file")));
    }
    if *switches > 0 {
        about.line(format!("{} of switches and sets for your other machines", counted(*switches, "change")));
    }
    if skills.is_empty() && *others == 0 && *switches == 0 {
        about.line("nothing changed since the last commit");
    }
    about.extend(trouble);
    text.append(about.indented());
    text
}

fn changed(ChangedSkill { path, how }: &ChangedSkill) -> String {
    let path = if path.is_empty() { "." } else { path };
    match how {
        SkillChange::Added => format!("{path} is new"),
        SkillChange::Changed => format!("{path} changed"),
        SkillChange::Removed => format!("{path} is gone"),
    }
}

/// Sets whether the switches and sets of a folder go along with its work tree.
pub(crate) fn share(folder: &str, on: bool, home: Option<&Path>) -> Result<(), Failure> {
    order::give(home, order_for(folder, WorkTreeOrder::Share { on })).map(drop)
}

/// Fetches, shows what would come, asks, and pulls exactly that.
pub(crate) fn pull(folder: Option<&str>, yes: bool, json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let folder = one(folder, home)?;
    let plan: PullPlan = asked(home, &folder, WorkTreeOrder::PlanPull)??;
    if plan.id.is_empty() {
        let mut text = Text::from(format!("{} has nothing that is not here.", plan.upstream));
        text.append(plan.notes.iter().collect::<Text>().indented());
        text.append(switches(&plan.switches).indented());
        return if json { print_json(&json!({"plan": plan, "pulled": null})) } else { print(text) };
    }
    let shown = coming(&plan);
    let question = match plan.commits {
        0 => "Take these switches and sets?".to_owned(),
        commits => format!("Pull {} of {}?", counted(commits, "commit"), plan.upstream),
    };
    if !agreed(&shown, &question, yes, json)? {
        return left(json, &json!({"plan": plan, "pulled": null}), &shown, "Nothing was pulled: `--yes` pulls it.");
    }
    let commit = order::give(home, order_for(&folder, WorkTreeOrder::Pull { plan: plan.id.clone() }))?;
    order::tell(json, &json!({"plan": plan, "pulled": commit}), |done| {
        let commit = done["pulled"].as_str().unwrap_or_default();
        if plan.commits == 0 {
            return "The switches and sets are as they were shown.".to_owned();
        }
        let merged = if plan.merges { "Merged" } else { "Pulled" };
        format!("{merged} {} of {}: now at {}.", counted(plan.commits, "commit"), plan.upstream, short(commit))
    })
}

fn coming(plan: &PullPlan) -> Text {
    let PullPlan { upstream, commits, merges, skills, others, notes, absent, .. } = plan;
    let mut text = match commits {
        0 => Text::from("Of other machines:"),
        commits => Text::from(format!("{} of {upstream}:", counted(*commits, "commit"))),
    };
    let mut about = Text::new();
    if *merges {
        about.line("You have commits that it does not have, so both are merged. Nothing conflicts.");
    }
    about.extend(notes);
    if !others.is_empty() {
        about.line(format!("also changes {} of no skill: {}", counted(others.len(), "file"), some_of(others)));
    }
    about.append(switches(&plan.switches));
    if *absent > 0 {
        about.line(format!("{} on elsewhere and not here", counted(*absent, "skill")));
    }
    text.append(about.indented());
    skills.iter().for_each(|skill| text.append(review::words(skill)));
    text
}

/// What happens to switches and sets.
fn switches(changes: &[SwitchChange]) -> Text {
    changes.iter().map(switch).collect()
}

fn switch(SwitchChange { how, skill, set, machine, stays }: &SwitchChange) -> String {
    let (skill, set) = (skill.as_deref().unwrap_or_default(), set.as_deref().unwrap_or_default());
    let what = match how {
        SwitchHow::On => format!("{skill} is switched on"),
        SwitchHow::Off => format!("{skill} is switched off"),
        SwitchHow::SetComes => format!("the set {set} is new"),
        SwitchHow::SetRenamed => format!("the set is called {set}"),
        SwitchHow::SetGoes => format!("the set {set} is gone"),
        SwitchHow::Joins => format!("{skill} joins the set {set}"),
        SwitchHow::Leaves => format!("{skill} leaves the set {set}"),
    };
    let by = machine.as_ref().map(|machine| format!(" (machine {machine})")).unwrap_or_default();
    let stays = stays.as_ref().map(|why| format!(". {why}")).unwrap_or_default();
    format!("{what}{by}{stays}")
}

/// Shows what would be committed, asks, commits exactly that and pushes it.
pub(crate) fn push(
    folder: Option<&str>,
    message: Option<&str>,
    yes: bool,
    json: bool,
    home: Option<&Path>,
) -> Result<(), Failure> {
    let folder = one(folder, home)?;
    let plan: CommitPlan = asked(home, &folder, WorkTreeOrder::PlanCommit)??;
    if plan.skills.is_empty() && plan.ahead.is_empty() && plan.switches.is_empty() {
        let said = format!("No skill changed, and {} has every commit.", plan.upstream);
        return if json { print_json(&json!({"plan": plan, "pushed": null})) } else { print(said) };
    }
    let message = message.unwrap_or(&plan.message).to_owned();
    let shown = going(&plan, &message);
    if let [_, ..] = plan.secrets.as_slice() {
        say(shown);
        let mut text: Text = plan.secrets.iter().collect();
        text.line("Nothing was committed. Take it out, and revoke it if anybody else may have seen it.");
        return Err(Failure { message: text, code: 3 });
    }
    let question = match plan.skills.as_slice() {
        [] if plan.switches.is_empty() => format!("Push {} to {}?", counted(plan.ahead.len(), "commit"), plan.upstream),
        _ => format!("Commit this and push it to {}?", plan.upstream),
    };
    if !agreed(&shown, &question, yes, json)? {
        let nothing = json!({"plan": plan, "pushed": null});
        return left(json, &nothing, &shown, "Nothing was committed: `--yes` commits and pushes it.");
    }
    let pushed = order::give(home, order_for(&folder, WorkTreeOrder::Commit { plan: plan.id.clone(), message }))?;
    let Pushed { commit, committed, refused } = read_as(pushed)?;
    let made = if committed { format!("Committed {}", short(&commit)) } else { "Nothing new to commit".to_owned() };
    if json {
        print_json(&json!({"plan": plan, "pushed": Pushed { commit, committed, refused: refused.clone() }}))?;
    } else if refused.is_none() {
        print(format!("{made}; {} is at {}.", plan.upstream, short(&commit)))?;
    } else {
        print(format!("{made}; it is not pushed."))?;
    }
    refused.map_or(Ok(()), |why| Err(Failure::refused(format!("{why} `skilltender library pull` does that."))))
}

fn going(plan: &CommitPlan, message: &str) -> Text {
    let CommitPlan { branch, upstream, address, skills, ahead, behind, .. } = plan;
    let mut text = Text::from(format!("{branch} to {upstream}, {address}:"));
    let mut about = Text::new();
    if !skills.is_empty() || !plan.switches.is_empty() {
        about.line(format!("message: {message}"));
    }
    about.append(switches(&plan.switches));
    about.extend(ahead.iter().map(|subject| format!("goes along: {subject}")));
    if *behind > 0 {
        about.line(format!("{upstream} had {} that are not here: pull first.", counted(*behind, "commit")));
    }
    text.append(about.indented());
    skills.iter().for_each(|skill| text.append(review::words(skill)));
    text
}

/// Whether the user agrees to what is shown.
fn agreed(shown: &Text, question: &str, yes: bool, json: bool) -> Result<bool, Failure> {
    if yes {
        if !json {
            say(shown.clone());
        }
        return Ok(true);
    }
    if ask::somebody_is_there() { ask::agreed(shown, question) } else { Ok(false) }
}

/// Says that nothing was done, and what would be.
fn left(json: bool, nothing: &serde_json::Value, shown: &Text, why: &str) -> Result<(), Failure> {
    if json {
        print_json(nothing)?;
    } else {
        let mut text = if ask::somebody_is_there() { Text::new() } else { shown.clone() };
        text.line(if ask::somebody_is_there() { "Nothing was changed." } else { why });
        print(text)?;
    }
    Err(Failure::problems(Text::new()))
}

/// The folder that is meant: the named one, or the only one in a work tree.
fn one(folder: Option<&str>, home: Option<&Path>) -> Result<String, Failure> {
    if let Some(folder) = folder {
        return order::library_folder(folder);
    }
    match in_work_trees(home)?.as_slice() {
        [one] => Ok(one.path.clone()),
        [] => Err(Failure::usage("No library folder lies in a git work tree.".to_owned())),
        several => {
            let places: Vec<_> = several.iter().map(|folder| folder.place.as_str()).collect();
            Err(Failure::usage(format!(
                "Several library folders lie in git work trees: name one of {}.",
                some_of(&places)
            )))
        }
    }
}

/// The library folders that lie in a work tree.
fn in_work_trees(home: Option<&Path>) -> Result<Vec<Folder>, Failure> {
    let engine = runtime()?.block_on(Engine::start_once(Machine::here(home)?, Mode::Reading))?;
    Ok(engine.snapshot().folders.iter().filter(|folder| folder.work_tree.is_some()).cloned().collect())
}

fn order_for(folder: &str, act: WorkTreeOrder) -> Order {
    Order::WorkTree { folder: folder.to_owned(), act }
}

/// What an order answers with, with the error of its action kept apart.
fn asked<T: DeserializeOwned>(
    home: Option<&Path>,
    folder: &str,
    act: WorkTreeOrder,
) -> Result<Result<T, ActionError>, Failure> {
    match order::answer(home, order_for(folder, act))? {
        Ok(value) => Ok(Ok(read_as(value)?)),
        Err(error) => Ok(Err(error)),
    }
}
