//! `skilltender connect`, `disconnect`, `undo` and `redo`: shows the change of a client's file, asks, and makes it.

use std::{
    io::{self, BufRead as _, IsTerminal as _},
    path::{Path, PathBuf},
};

use api::{ActionError, ClientChange, ConnectPlan, ErrorKind, PlanFile, Transport};
use engine::orders::Order;
use serde_json::json;

use crate::{
    Failure, Text, order,
    output::{self, print, print_done, print_json, print_json_done},
    review,
};

const AFTER: &str = "\
Only our entry in the client's file changes, exactly as shown; comments, order and line ends stay. `skilltender disconnect` \
restores the old bytes, `skilltender undo` undoes the last change, and `skilltender redo` makes it again. A client that is \
connected already stays as it is.

  skilltender clients                            the clients on this computer
  skilltender connect claude-code                show the change, ask, and make it
  skilltender connect cursor --dry-run           only show it
  skilltender connect codex --yes                do not ask
  skilltender connect claude-code --project .    for one project alone
  skilltender connect cursor --http              by address and token, if it cannot start programs
  skilltender connect cursor --direct            an entry for each approved server";

/// What the changes of clients' files have in common.
#[derive(Debug, clap::Args)]
pub(crate) struct Manner {
    /// Show the change, and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Make the change without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Print JSON: the change, and whether it was made
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The client's id, as `skilltender clients` lists it
    client: String,
    /// Only for the project in this folder
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    /// Connect by our address and a token of the client's own
    #[arg(long, conflicts_with = "stdio")]
    http: bool,
    /// Connect by starting our program
    #[arg(long)]
    stdio: bool,
    /// Write an entry for each approved server, which the client then starts without our endpoint
    #[arg(long, conflicts_with_all = ["http", "stdio", "again"])]
    direct: bool,
    /// If the running client drops the entry, add it again once
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    manner: Manner,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DisconnectArguments {
    /// The client's id, as `skilltender clients` lists it
    client: String,
    /// Only for the project in this folder
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
}

#[derive(Debug, clap::Args)]
pub(crate) struct UndoArguments {
    /// The client's id, as `skilltender clients` lists it
    client: String,
    #[command(flatten)]
    manner: Manner,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let transport = match (command.http, command.stdio) {
        (true, _) => Some(Transport::Http),
        (_, true) => Some(Transport::Stdio),
        _ => None,
    };
    let (project, again) = (project(command.project.as_deref())?, command.again);
    if command.direct {
        return make(&command.client, &ClientChange::Direct { servers: None, project }, &command.manner, home);
    }
    make(&command.client, &ClientChange::Connect { transport, project, again }, &command.manner, home)
}

/// Connects a client in its usual way, as a part of another command; a connected client stays as it is. With
/// `json` it prints nothing itself.
pub(crate) fn connect(client: &str, yes: bool, json: bool, home: Option<&Path>) -> Result<(), Failure> {
    let change = ClientChange::Connect { transport: None, project: None, again: false };
    part(client, &change, &Manner { dry_run: false, yes, json }, home)
}

/// Checks whether connecting a client in its usual way would be refused.
pub(crate) fn refused(client: &str, home: Option<&Path>) -> Result<(), Failure> {
    let change = ClientChange::Connect { transport: None, project: None, again: false };
    plan(client, &change, home).map(drop)
}

/// Adds servers' own entries to a client's file, as a part of another command.
pub(crate) fn direct(
    client: &str,
    servers: Vec<String>,
    yes: bool,
    json: bool,
    home: Option<&Path>,
) -> Result<(), Failure> {
    part(
        client,
        &ClientChange::Direct { servers: Some(servers), project: None },
        &Manner { dry_run: false, yes, json },
        home,
    )
}

fn part(client: &str, change: &ClientChange, manner: &Manner, home: Option<&Path>) -> Result<(), Failure> {
    match decide(client, change, manner, home)? {
        Decided::Changed { plan, made } if !manner.json => tell(change, &plan, made, manner),
        _ => Ok(()),
    }
}

pub(crate) fn disconnect(command: &DisconnectArguments, home: Option<&Path>) -> Result<(), Failure> {
    let project = project(command.project.as_deref())?;
    make(&command.client, &ClientChange::Disconnect { project }, &command.manner, home)
}

pub(crate) fn undo(command: &UndoArguments, home: Option<&Path>) -> Result<(), Failure> {
    make(&command.client, &ClientChange::Undo, &command.manner, home)
}

pub(crate) fn redo(command: &UndoArguments, home: Option<&Path>) -> Result<(), Failure> {
    make(&command.client, &ClientChange::Redo, &command.manner, home)
}

/// The running engine has another working folder, so a project is named by its absolute path.
pub(crate) fn project(folder: Option<&Path>) -> Result<Option<String>, Failure> {
    let Some(folder) = folder else { return Ok(None) };
    let whole = order::folder(folder)?;
    let text = whole.to_str().map(str::to_owned);
    text.map(Some).ok_or_else(|| Failure::usage(format!("{} is not UTF-8.", whole.display())))
}

/// Shows a change of a client's file, asks, makes it, and reports the result.
pub(crate) fn make(client: &str, change: &ClientChange, manner: &Manner, home: Option<&Path>) -> Result<(), Failure> {
    match decide(client, change, manner, home)? {
        Decided::Changed { plan, made } => tell(change, &plan, made, manner),
        Decided::Already(why) if manner.json => {
            let again = matches!(change, ClientChange::Connect { again: true, .. }) && !manner.dry_run;
            print_json(&json!({ "plan": null, "made": false, "already": why.message, "again": again }))
        }
        Decided::Already(why) => print(order::sentences(why)),
    }
}

/// The outcome of a change.
enum Decided {
    /// The shown change, and whether it was made.
    Changed { plan: Box<ConnectPlan>, made: bool },
    /// The file is already as requested, and nothing was changed.
    Already(ActionError),
}

/// Shows the change and makes it, if the user agrees.
fn decide(client: &str, change: &ClientChange, manner: &Manner, home: Option<&Path>) -> Result<Decided, Failure> {
    let plan = match plan(client, change, home)? {
        Ok(plan) => plan,
        Err(mut already) => {
            // The user's agreement also applies to an existing entry.
            if matches!(change, ClientChange::Connect { again: true, .. }) && !manner.dry_run {
                order::give(home, Order::AddAgain { client: client.to_owned() })?;
                already.hints.push("It is added again, once, should the client drop it while it runs.".to_owned());
            }
            return Ok(Decided::Already(already));
        }
    };
    let made = !manner.dry_run && (manner.yes || asked(&plan, manner.json)?);
    if made {
        order::give(
            home,
            Order::ChangeClient { client: client.to_owned(), change: change.clone(), plan: plan.id.clone() },
        )?;
    }
    Ok(Decided::Changed { plan: Box::new(plan), made })
}

/// The plan of the change, or the error that there is nothing to change.
fn plan(client: &str, change: &ClientChange, home: Option<&Path>) -> Result<Result<ConnectPlan, ActionError>, Failure> {
    match order::answer(home, Order::PlanClient { client: client.to_owned(), change: change.clone() })? {
        Ok(planned) => Ok(Ok(serde_json::from_value(planned).map_err(io::Error::from)?)),
        Err(error) if error.kind == ErrorKind::Already => Ok(Err(error)),
        Err(error) => Err(error.into()),
    }
}

fn tell(change: &ClientChange, plan: &ConnectPlan, made: bool, manner: &Manner) -> Result<(), Failure> {
    let back = if *change == ClientChange::Undo { "redo" } else { "undo" };
    say(plan, made, manner).map_err(|error| match made {
        // A bare failure would suggest that nothing was done.
        true => Failure::refused(format!(
            "{} was changed as it was planned, but that could not be said here. {} `skilltender {back} {}` takes it back.",
            plan.place, error.message, plan.client
        )),
        false => error,
    })
}

fn say(plan: &ConnectPlan, made: bool, manner: &Manner) -> Result<(), Failure> {
    if manner.json {
        let said = json!({ "plan": plan, "made": made });
        return if made { print_json_done(&said) } else { print_json(&said) };
    }
    let mut text = if manner.yes || manner.dry_run { shown(plan) } else { Text::new() };
    match (made, manner.dry_run) {
        (true, _) if !plan.moves.is_empty() => {
            text.line(format!("Done. {} `skilltender undo {}` puts the secrets back.", plan.reload, plan.client));
        }
        (true, _) => text.line(format!("Done. {}", plan.reload)),
        (false, true) => {}
        (false, false) => text.line("Nothing was written."),
    }
    if made { print_done(text) } else { print(text) }
}

/// Shows the change and asks for a yes, on standard error if standard output carries JSON.
fn asked(plan: &ConnectPlan, json: bool) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        let message = "There is nobody to ask: `--yes` makes the change, `--dry-run` only shows it.";
        return Err(Failure::usage(message.to_owned()));
    }
    let mut before = shown(plan);
    if !json {
        print(std::mem::take(&mut before))?;
    }
    output::question(&before, "Write this? [y/N] ")?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

pub(crate) fn shown(plan: &ConnectPlan) -> Text {
    let what = match plan.file {
        PlanFile::Created => "is made",
        PlanFile::Changed => "changes",
        PlanFile::Deleted => "goes",
    };
    let mut text = Text::from(format!("{} {what}:", plan.place));
    plan.lines.iter().for_each(|line| review::line(&mut text, line));
    text.append(secrets(plan));
    let rewrites = "The client runs now and may write over the change: quit it first, or say --again.".to_owned();
    text.extend(plan.notes.iter().chain(plan.rewrites.then_some(&rewrites)));
    text
}

/// The secrets that move to the keychain, and those that stay in the file.
fn secrets(plan: &ConnectPlan) -> Text {
    let mut text = Text::new();
    for moved in &plan.moves {
        let api::MovedSecret { server, name, line, column, keeps } = moved;
        text.line(format!("{name} of {server} ({line}:{column}) moves to the keychain, for {keeps}."));
    }
    for stays in &plan.stays {
        let api::StayingSecret { server, names, line, column, why } = stays;
        text.line(format!("{} of {server} ({line}:{column}) stays. {why}", names.join(", ")));
    }
    text
}
