//! `skilltender clients`: the MCP clients of this computer, and how each stands.

use std::path::Path;

use engine::{
    Engine, Machine, Mode, actions,
    view::{Client, ConfiguredServer, ServerRuns, Standing, Transport},
};
use serde_json::json;

use crate::{Failure, print, runtime};

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
        return Ok(print(&match (command.json, servers.is_empty()) {
            (true, _) => format!("{:#}\n", json!(servers)),
            (false, true) => "No client's file names a server that Skilltender did not add.\n".to_owned(),
            (false, false) => servers.iter().map(server).collect(),
        })?);
    }
    let snapshot = engine.snapshot();
    let told: Vec<_> = snapshot.clients.iter().filter(|client| command.all || matters(client)).collect();
    Ok(print(&match (command.json, told.is_empty()) {
        (true, _) => format!("{:#}\n", json!(told)),
        (false, true) => "No client that Skilltender knows is on this computer. `--all` lists those.\n".to_owned(),
        (false, false) => told.into_iter().map(line).collect(),
    })?)
}

fn matters(client: &Client) -> bool {
    client.found || client.standing != Standing::Absent || !client.projects.is_empty()
}

fn line(client: &Client) -> String {
    let mut text = format!("{:<16} {:<24} {}\n", client.id, standing(&client.standing, client.transport), client.place);
    if let Standing::Refused { message } | Standing::Outdated { message } = &client.standing {
        text += &format!("{:<16} {message}\n", "");
    }
    text.extend(client.sandbox.iter().map(|message| format!("{:<16} {message}\n", "")));
    let project = |project: &engine::view::ClientProject| {
        format!("{:<16} {:<24} {}\n", "", standing(&project.standing, None), project.place)
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

fn server(server: &ConfiguredServer) -> String {
    let ConfiguredServer { client, name, place, line, column, runs, off, secrets, .. } = server;
    let runs = match runs {
        ServerRuns::Command { words } => words.join(" "),
        ServerRuns::Address { address } => address.clone(),
        ServerRuns::Unclear => "(says neither a program nor an address)".to_owned(),
    };
    let off = if *off { "  (switched off)" } else { "" };
    let mut text = format!("{name}  in {client}, {place}:{line}:{column}{off}\n  {runs}\n");
    if !secrets.is_empty() {
        text += &format!("  A secret in plain text: {}  (`skilltender secrets rescue`)\n", secrets.join(", "));
    }
    text
}
