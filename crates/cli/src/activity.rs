//! `skilltender activity`: clients' latest requests, and what Skilltender itself wrote.

use std::{
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use api::Call;
use engine::{CallTrouble, Engine, Machine, Mode, actions, orders::Order};

use crate::{Failure, Text, order, ours, print, print_json, runtime};

const AFTER: &str = "\
The latest calls come first. The log holds neither arguments nor contents.

  skilltender activity
  skilltender activity --client claude-code --most 20
  skilltender activity --ours";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Only the calls of this client
    #[arg(long, value_name = "ID")]
    client: Option<String>,
    /// The number of calls, at most 1,000
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    most: usize,
    /// What Skilltender itself wrote, and what undoes it
    #[arg(long, conflicts_with = "client")]
    ours: bool,
    /// Undo something that Skilltender wrote, by its number
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["client", "ours"])]
    undo: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if let Some(id) = command.undo {
        let done = order::give(home, Order::UndoWrite { id })?;
        return order::tell(command.json, &done, |_| "It is undone.");
    }
    let machine = Machine::here(home)?;
    if command.ours {
        return ours(machine, command);
    }
    let mut calls = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok::<_, Failure>(actions::read_calls(&engine, usize::MAX).await?)
    })?;
    calls.retain(|call| command.client.as_ref().is_none_or(|client| *client == call.client));
    calls.truncate(command.most);
    match (command.json, calls.is_empty()) {
        (true, _) => print_json(&calls),
        (false, true) => print("No client has asked for anything yet."),
        (false, false) => print(calls.iter().map(line).collect::<Text>()),
    }
}

fn ours(machine: Machine, command: &Arguments) -> Result<(), Failure> {
    let (mut writes, snapshot) = runtime()?.block_on(async {
        let engine = Engine::start_once(machine, Mode::Reading).await?;
        Ok::<_, Failure>((actions::own_writes(&engine).await?, engine.snapshot()))
    })?;
    writes.truncate(command.most);
    if command.json {
        return print_json(&writes);
    }
    let words = ours::words(&writes, &snapshot);
    if words == Text::new() { print("Skilltender has written nothing yet.") } else { print(words) }
}

fn line(call: &Call) -> String {
    let Call { at, client, method, target, ok, why, ms, size } = call;
    let done = match why {
        _ if *ok => "",
        Some(CallTrouble::Off) => "  refused: switched off or paused",
        Some(CallTrouble::NotThere) => "  refused: nothing of that name",
        Some(CallTrouble::Unreadable) => "  failed: it could not be read",
        Some(CallTrouble::Server) => "  failed: the server refused it",
        None => "  refused",
    };
    format!("{}  {client:<16} {method:<24} {target}  {ms} ms, {size} bytes{done}", ago(*at))
}

/// The time since a moment (milliseconds since 1970), in words.
pub(crate) fn ago(moment: u64) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH + Duration::from_millis(moment)).unwrap_or_default();
    let seconds = since.as_secs();
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
