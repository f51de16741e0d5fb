//! `skilltender clients`: the MCP clients of this computer, and how each stands.

use std::path::Path;

use engine::{
    Engine, Machine, Mode, actions,
    view::{Client, ConfiguredServer, ServerRuns, Standing, Transport},
};

use crate::{Failure, Text, print, print_json, runtime};

const AFTER: &str = "\
Without a word, it lists the clients that are on this computer or that we were added to.

  skilltender clients              who is there, and how our entry stands
  skilltender clients --all        every client that Skilltender knows
  skilltender clients --servers    the servers in their files that Skilltender did not add";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Every client that Skilltender knows, found or not
    #[arg(long)]
    all: bool,
    /// The servers in clients' files that Skilltender did not add
    #[arg(long, conflicts_with = "all")]
    servers: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
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

fn matters(client: &Client) -> bool {
    client.found || client.standing != Standing::Absent || !client.projects.is_empty() || !client.direct.is_empty()
}

fn line(client: &Client) -> Text {
    let standing_now = standing(&client.standing, client.transport);
    let mut text = Text::from(format!("{:<16} {standing_now:<24} {}", client.id, client.place));
    if let Standing::Refused { message } | Standing::Outdated { message } = &client.standing {
        text.line(format!("{:<16} {message}", ""));
    }
    if !client.direct.is_empty() {
        text.line(format!("{:<16} by entries of their own: {}", "", client.direct.join(", ")));
    }
    text.extend(client.sandbox.iter().map(|message| format!("{:<16} {message}", "")));
    let project = |project: &engine::view::ClientProject| {
        format!("{:<16} {:<24} {}", "", standing(&project.standing, None), project.place)
    };
    text.extend(client.projects.iter().map(project));
    text
}

/// How a client stands, in a few words.
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
