//! `skilltender clients`: the MCP clients of this computer, and their status.

use std::path::{Path, PathBuf};

use api::{Client, ConfiguredServer, CustomClient, DriftChoice, Proof, ServerRuns, Standing, Transport};
use clap::Subcommand;
use engine::{Engine, Machine, Mode, actions, orders::Order};
use serde_json::Value;

use crate::{Failure, Text, order, print, print_json, runtime};

const AFTER: &str = "\
Without a subcommand, this lists the clients that are on this computer or have our entry.

  skilltender clients              the clients on this computer, and the state of our entry
  skilltender clients --all        every client that Skilltender knows
  skilltender clients --servers    the servers in their files that Skilltender did not add
  skilltender clients entry zed    our entry as text, to add it by hand
  skilltender clients drift zed    how somebody changed our entry; --keep or --forget decides
  skilltender clients add \"My editor\" --file /home/me/.editor/mcp.json --like cursor";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    act: Option<Act>,
    /// List every known client, also those not found
    #[arg(long)]
    all: bool,
    /// List the servers in clients' files that Skilltender did not add
    #[arg(long, conflicts_with = "all")]
    servers: bool,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Print our entry in the form of the client's file
    Entry {
        /// The client's id
        client: String,
        /// Print the entry for HTTP, with the client's token
        #[arg(long)]
        http: bool,
    },
    /// Show how somebody changed our entry, and decide about it
    Drift {
        /// The client's id
        client: String,
        /// The project whose entry it is
        #[arg(long, value_name = "FOLDER")]
        project: Option<PathBuf>,
        /// Accept the entry as it is now; `disconnect` still removes it
        #[arg(long, conflicts_with = "forget")]
        keep: bool,
        /// Give the entry up: Skilltender no longer touches it
        #[arg(long)]
        forget: bool,
    },
    /// Add a client that Skilltender does not know
    Add {
        /// Your name for it
        name: String,
        /// Its file
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
        /// The id of a known client whose file has the same form
        #[arg(long, value_name = "ID")]
        like: String,
    },
    /// Remove a client that you added; its file stays as it is
    Remove {
        /// Its id
        client: String,
    },
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if let Some(act) = &command.act {
        return done(act, command.json, home);
    }
    let machine = Machine::here(home)?;
    let runtime = runtime()?;
    let engine = runtime.block_on(Engine::start(machine, Mode::Reading))?;
    if command.servers {
        let servers = runtime.block_on(actions::configured_servers(&engine))?;
        return match (command.json, servers.is_empty()) {
            (true, _) => print_json(&servers),
            (false, true) => print("No client's file names a server that Skilltender did not add."),
            (false, false) => print(servers.iter().map(server).collect::<Text>()),
        };
    }
    let snapshot = engine.snapshot();
    let told: Vec<_> = snapshot.clients.iter().filter(|client| command.all || matters(client)).collect();
    match (command.json, told.is_empty()) {
        (true, _) => print_json(&told),
        (false, true) => print("No client that Skilltender knows is on this computer. `--all` lists those."),
        (false, false) => print(told.into_iter().map(line).collect::<Text>()),
    }
}

fn done(act: &Act, json: bool, home: Option<&Path>) -> Result<(), Failure> {
    match act {
        Act::Entry { client, http } => {
            let transport = http.then_some(Transport::Http);
            let entry = order::give(home, Order::EntryText { client: client.clone(), transport })?;
            order::tell(json, &entry, |entry| {
                let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
                let mut said = Text::from(format!("In {}:", text("place")));
                said.append(Text::page(&text("text")));
                said
            })
        }
        Act::Add { name, file, like } => {
            let path = std::path::absolute(file)?.display().to_string();
            let client = CustomClient { name: name.clone(), path, like: like.clone() };
            let id = order::give(home, Order::AddClient(client))?;
            order::tell(json, &id, |id| format!("It is known as {}.", id.as_str().unwrap_or_default()))
        }
        Act::Remove { client } => {
            let done = order::give(home, Order::RemoveClient { client: client.clone() })?;
            order::tell(json, &done, |_| "It is forgotten; its file stays as it is.")
        }
        Act::Drift { client, project, keep, forget } => {
            let project = project.as_ref().map(std::path::absolute).transpose()?;
            let project = project.map(|folder| folder.display().to_string());
            let seen = order::give(home, Order::ReadDrift { client: client.clone(), project: project.clone() })?;
            if *keep || *forget {
                let choice = if *keep { DriftChoice::Keep } else { DriftChoice::Forget };
                let (client, drift) = (client.clone(), seen["id"].as_str().unwrap_or_default().to_owned());
                let done = order::give(home, Order::SettleDrift { client, project, drift, choice })?;
                return order::tell(json, &done, |_| "Done. The file was not written.");
            }
            order::tell(json, &seen, drifted)
        }
    }
}

/// The three versions of a changed entry.
fn drifted(drift: &Value) -> Text {
    let mut text = Text::from(drift["place"].as_str().unwrap_or_default());
    for (side, entry) in
        [("What we wrote:", "ours"), ("In the file now:", "theirs"), ("In the file before us:", "base")]
    {
        text.extend(["", side]);
        text.append(Text::page(drift[entry].as_str().unwrap_or("(nothing)")).indented());
    }
    text
}

/// Whether a client is on this computer, or its files hold entries that we added.
pub(crate) fn matters(client: &Client) -> bool {
    client.found || client.standing != Standing::Absent || !client.projects.is_empty() || !client.direct.is_empty()
}

fn line(client: &Client) -> Text {
    let standing_now = match client.proof {
        Proof::NotAdded => standing(&client.standing, client.transport),
        Proof::Waiting => format!("{}, waiting", standing(&client.standing, client.transport)),
        Proof::Connected => format!("{}, connected", standing(&client.standing, client.transport)),
        Proof::Called => format!("{}, called", standing(&client.standing, client.transport)),
    };
    let mut text = Text::from(format!("{:<16} {standing_now:<28} {}", client.id, client.place));
    if let Standing::Refused { message } | Standing::Outdated { message } = &client.standing {
        text.line(format!("{:<16} {message}", ""));
    }
    if !client.direct.is_empty() {
        text.line(format!("{:<16} by entries of their own: {}", "", client.direct.join(", ")));
    }
    text.extend(client.sandbox.iter().map(|message| format!("{:<16} {message}", "")));
    let project = |project: &api::ClientProject| {
        format!("{:<16} {:<24} {}", "", standing(&project.standing, None), project.place)
    };
    text.extend(client.projects.iter().map(project));
    text
}

/// A client's status, in a few words.
pub(crate) fn standing(standing: &Standing, transport: Option<Transport>) -> String {
    let words = match standing {
        Standing::Absent => "not added",
        Standing::Added if transport == Some(Transport::Http) => "added, over HTTP",
        Standing::Added => "added",
        Standing::Outdated { .. } => "added, out of date",
        Standing::Edited => "edited by somebody",
        Standing::Dropped { waiting: true } => "dropped, waits",
        Standing::Dropped { waiting: false } => "taken out by somebody",
        Standing::Shared { with } => return format!("added for {with}"),
        Standing::Different => "somebody else's entry",
        Standing::Refused { .. } => "file left alone",
    };
    words.to_owned()
}

fn server(server: &ConfiguredServer) -> Text {
    let ConfiguredServer { client, name, place, line, column, runs, off, secrets, .. } = server;
    let runs = match runs {
        ServerRuns::Command { words } => words.join(" "),
        ServerRuns::Address { address } => address.clone(),
        ServerRuns::Unclear => "(says neither a program nor an address)".to_owned(),
    };
    let off = if *off { "  (switched off)" } else { "" };
    let mut text = Text::from(format!("{name}  in {client}, {place}:{line}:{column}{off}"));
    text.line(format!("  {runs}"));
    if !secrets.is_empty() {
        text.line(format!("  A secret in plain text: {}  (`skilltender secrets rescue`)", secrets.join(", ")));
    }
    text
}
