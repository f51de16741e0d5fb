//! `skilltender uninstall`: takes what is ours out of clients' files and folders, before the programs are removed.

use std::{
    io,
    path::{Path, PathBuf},
};

use api::Traces;
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::{Value, json};
use text::counted;

use crate::{
    Failure, Text, ask, connect,
    order::{self, texts},
    output::{print_done, print_json_done},
    print, print_json, runtime,
};

const AFTER: &str = "\
This shows what Skilltender put into clients' files and into client folders, asks, and takes it out: the files get their \
earlier bytes back, as by `skilltender disconnect`. Your skills, choices and secrets stay; with --data, what is in \
Skilltender's own folder and in the keychain goes too, and cannot be brought back. The programs are removed in the way they \
were installed, afterwards.

  skilltender uninstall --check    only list what is there
  skilltender uninstall            show the changes, ask, and make them
  skilltender uninstall --data     also remove choices, secrets and the skills in Skilltender's own folder";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Only list what is ours on this computer
    #[arg(long, conflicts_with_all = ["yes", "data"])]
    check: bool,
    /// Also remove Skilltender's own folder, with the skills in it, and the secrets in the keychain
    #[arg(long)]
    data: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let machine = Machine::here(home)?;
    if command.check {
        let traces = runtime()?.block_on(async {
            let engine = Engine::start(machine, Mode::Reading).await?;
            Ok::<_, Failure>(actions::traces(&engine).await?)
        })?;
        return if command.json { print_json(&traces) } else { print(listed(&traces)) };
    }
    if command.data
        && let Some(pid) = actions::running(&machine)
    {
        let which = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
        let message = format!("Skilltender is running{which}, and would write its folder again. Quit it first.");
        return Err(Failure::refused(message));
    }
    let planned = order::give(home, Order::PlanUninstall)?;
    let planned: Traces = serde_json::from_value(planned).map_err(io::Error::from)?;
    let shown = planned_words(&planned, command.data);
    if !command.yes {
        if !ask::somebody_is_there() {
            let message = "There is nobody to ask: `--yes` takes it out, `--check` only lists it.";
            return Err(Failure::usage(message));
        }
        let question = if command.data { "Take it out, and remove all of this?" } else { "Take it out?" };
        if !ask::agreed(&shown, question)? {
            return print("Nothing was done.");
        }
    }
    let done = order::give(home, Order::Uninstall { plan: planned.id.clone(), secrets: command.data })?;
    let mut troubles: Vec<_> = texts(&done).into_iter().map(str::to_owned).collect();
    // What could not be taken out may need our folder: its journal has the earlier bytes.
    let removes = command.data && troubles.is_empty();
    if removes {
        let left = actions::remove_data(&machine)?;
        troubles.extend(left.iter().map(|path| format!("{path} stays: it is not ours.")));
    }
    let data: PathBuf = machine.data;
    told(command, &planned, &troubles, removes, &data)
}

fn told(command: &Arguments, planned: &Traces, troubles: &[String], removed: bool, data: &Path) -> Result<(), Failure> {
    if command.json {
        let stays: Vec<_> = planned.stays.iter().chain(troubles).collect();
        let done: Value = json!({"traces": planned, "stays": stays, "data_removed": removed});
        print_json_done(&done)?;
    } else {
        let mut text = if command.yes { planned_words(planned, command.data) } else { Text::new() };
        text.extend(troubles);
        text.line(match (troubles.is_empty(), removed) {
            (false, false) => "The rest is done.".to_owned(),
            (_, true) => "Done. Only the programs are left: remove them as they were installed.".to_owned(),
            (true, false) => format!(
                "Done. Your skills, choices and secrets stay in {} and the keychain. Remove the programs as they were installed.",
                data.display()
            ),
        });
        print_done(text)?;
    }
    if troubles.is_empty() || removed { Ok(()) } else { Err(Failure::refused(Text::new())) }
}

/// What is there.
fn listed(traces: &Traces) -> Text {
    let mut text = Text::new();
    if traces.is_empty() {
        text.line("Clients' files and folders hold nothing of ours that can be taken out.");
    }
    for entry in &traces.entries {
        let project = entry.project.as_ref().map(|folder| format!(", for the project {folder}")).unwrap_or_default();
        text.line(format!("{}  our entry for {}{project}", entry.place, entry.name));
    }
    text.append(folders(traces));
    text.extend(&traces.stays);
    if !traces.data.is_empty() {
        let skills = counted(u32::try_from(traces.skills).unwrap_or(u32::MAX), "skill");
        text.line(format!("{}  our own folder, with {skills} in it", traces.data));
    }
    text.extend(traces.window.iter().map(|place| format!("{place}  what the window keeps")));
    if traces.secrets > 0 {
        let secrets = counted(u32::try_from(traces.secrets).unwrap_or(u32::MAX), "secret");
        text.line(format!("The keychain  {secrets}"));
    }
    text
}

/// What will be done.
fn planned_words(planned: &Traces, data: bool) -> Text {
    let mut text = Text::new();
    if planned.is_empty() {
        text.line("Clients' files and folders hold nothing of ours that can be taken out.");
    }
    for entry in &planned.entries {
        if let Some(plan) = &entry.plan {
            text.append(connect::shown(plan));
        }
    }
    text.append(folders(planned));
    text.extend(&planned.stays);
    if data {
        let skills = counted(u32::try_from(planned.skills).unwrap_or(u32::MAX), "skill");
        let secrets = counted(u32::try_from(planned.secrets).unwrap_or(u32::MAX), "secret");
        text.line(format!(
            "{} goes for good, with {skills} and the trash in it; {secrets} of the keychain too.",
            planned.data
        ));
        text.extend(planned.window.iter().map(|place| format!("{place} goes too: what the window keeps.")));
    }
    text
}

/// What is ours in client folders, at login and in the menu of programs.
fn folders(traces: &Traces) -> Text {
    let line = |folder: &api::FolderTrace| match &*folder.skills {
        [] => format!("{}  kept filled by us, nothing in it now", folder.place),
        skills => format!("{}  our links or copies of {}", folder.place, skills.join(", ")),
    };
    let login = traces.login.then(|| "The start at login  our entry".to_owned());
    let menu = traces.menu.then(|| "The menu of programs  our entry".to_owned());
    traces.folders.iter().map(line).chain(login).chain(menu).collect()
}
