//! `skilltender settings`: which parts of the server clients may use.

use std::{collections::BTreeMap, path::Path};

use clap::ValueEnum;
use engine::{Engine, Machine, Mode, Surface, orders::Order, view::Settings};
use serde_json::json;

use crate::{Failure, order, print, runtime};

const AFTER: &str = "\
Without a word, it shows how things stand.

  skilltender settings
  skilltender settings prompts off
  skilltender settings tools off --client codex
  skilltender settings archives on
  skilltender settings withhold on";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// What is switched
    #[arg(value_enum, requires = "to")]
    what: Option<What>,
    /// How; `default` takes a client's own switch away again
    #[arg(value_enum)]
    to: Option<To>,
    /// For this client alone
    #[arg(long, value_name = "ID", requires = "what")]
    client: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The tools list_skills and get_skill
    Tools,
    /// The usage guide, and one prompt for each skill
    Prompts,
    /// The files of skills, the catalog and the documents
    Resources,
    /// The skills extension of MCP
    Skills,
    /// Packed skills beside their files
    Archives,
    /// Whether skills that are not ready are kept from clients
    Withhold,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    On,
    Off,
    Default,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if let (Some(what), Some(to)) = (command.what, command.to) {
        order::give(home, order_for(what, to, command.client.clone())?)?;
    }
    let machine = Machine::here(home)?;
    let engine = runtime()?.block_on(Engine::start(machine, Mode::Reading))?;
    let settings = engine.snapshot().settings.clone();
    Ok(print(&if command.json { format!("{:#}\n", json!(settings)) } else { words(&settings) })?)
}

fn order_for(what: What, to: To, client: Option<String>) -> Result<Order, Failure> {
    let surface = match what {
        What::Tools => Surface::Tools,
        What::Prompts => Surface::Prompts,
        What::Resources => Surface::Resources,
        What::Skills => Surface::Skills,
        What::Archives | What::Withhold if client.is_some() => {
            return Err(Failure::usage("This is switched for every client at once.".to_owned()));
        }
        What::Withhold => return Ok(Order::SetWithhold { on: to == To::On }),
        What::Archives => return Ok(Order::SetArchives { on: to == To::On }),
    };
    let on = (to != To::Default).then_some(to == To::On);
    Ok(Order::SetSurface { client, surface, on })
}

fn words(settings: &Settings) -> String {
    let archives = format!("{:<10} {}\n", "archives", state(settings.archives));
    let archives = archives + &format!("{:<10} {}\n", "withhold", state(settings.withhold));
    let clients = settings.clients.iter().map(|(id, switches)| format!("\n{id}\n{}", lines(switches)));
    std::iter::once(lines(&settings.surfaces) + &archives).chain(clients).collect()
}

fn lines(switches: &BTreeMap<Surface, bool>) -> String {
    let name = |surface| json!(surface).as_str().map(str::to_owned).unwrap_or_default();
    switches.iter().map(|(surface, on)| format!("{:<10} {}\n", name(surface), state(*on))).collect()
}

fn state(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
