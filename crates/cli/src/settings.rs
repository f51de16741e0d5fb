//! `skilltender settings`: the parts of the server that clients may use, and the HTTP port.

use std::{collections::BTreeMap, path::Path};

use api::{AppSwitch, EndpointState, Language, Settings};
use clap::ValueEnum;
use engine::{Engine, Machine, Mode, Surface, orders::Order};
use serde_json::json;

use crate::{Failure, Text, order, print, print_json, runtime};

const AFTER: &str = "\
Without arguments, this shows the present settings. Clients over HTTP need an update after the port changed.

  skilltender settings
  skilltender settings prompts off
  skilltender settings tools off --client codex
  skilltender settings archives on
  skilltender settings withhold on
  skilltender settings pause on
  skilltender settings login on
  skilltender settings menu on
  skilltender settings updates on
  skilltender settings ask-sources on
  skilltender settings notify-skills off
  skilltender settings language zh-CN
  skilltender settings port 8400";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// The setting
    #[arg(value_enum, requires = "to")]
    what: Option<What>,
    /// `on`, `off`, `default` (removes a client's own setting), the number of the port, or `system`, `en` or `zh-CN`
    #[arg(value_parser = to)]
    to: Option<To>,
    /// Only for this client
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
    /// Keep skills that are not ready from clients
    Withhold,
    /// Pause serving: clients' lists are empty
    Pause,
    /// Start the app at login
    Login,
    /// Put the app of an AppImage into the menu of programs
    Menu,
    /// Let the app look for new versions of Skilltender once a day
    Updates,
    /// Ask the sources of skills for other versions once a day
    AskSources,
    /// Keep the app running in the tray when its window is closed
    KeepRunning,
    /// Notify of servers that wait for approval or a sign-in
    NotifyServers,
    /// Notify of entries in clients' files that another program changed
    NotifyEntries,
    /// Notify of skills that another program added
    NotifySkills,
    /// The language of the window and the tray
    Language,
    /// The port for HTTP
    Port,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    On,
    Off,
    Default,
    Number(u16),
    /// A language; none is the desktop's.
    Language(Option<Language>),
}

fn to(word: &str) -> Result<To, String> {
    match word {
        "on" => Ok(To::On),
        "off" => Ok(To::Off),
        "default" => Ok(To::Default),
        "system" => Ok(To::Language(None)),
        word => {
            let language = Language::of_tag(word).map(|language| To::Language(Some(language)));
            let number = || word.parse().map(To::Number).ok();
            language.or_else(number).ok_or_else(|| "it is `on`, `off`, `default`, a port, or a language".to_owned())
        }
    }
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    if let (Some(what), Some(to)) = (command.what, command.to) {
        order::give(home, order_for(what, to, command.client.clone())?)?;
    }
    let machine = Machine::here(home)?;
    let engine = runtime()?.block_on(Engine::start(machine, Mode::Reading))?;
    let snapshot = engine.snapshot();
    let (settings, paused) = (&snapshot.settings, snapshot.endpoint.state == EndpointState::Paused);
    if !command.json {
        return print(words(settings, paused));
    }
    let mut all = json!(settings);
    all["paused"] = json!(paused);
    print_json(&all)
}

fn order_for(what: What, to: To, client: Option<String>) -> Result<Order, Failure> {
    if what == What::Port || matches!(to, To::Number(_)) {
        return match (what, to, client) {
            (What::Port, To::Number(port), None) => Ok(Order::SetPort { port }),
            (What::Port, To::Number(_), Some(_)) => {
                Err(Failure::usage("There is one port for every client.".to_owned()))
            }
            (What::Port, ..) => Err(Failure::usage("A port is a number, such as 8400.".to_owned())),
            _ => Err(Failure::usage("This is switched on or off.".to_owned())),
        };
    }
    // What the app does unasked is on by default.
    let app = |switch| Ok(Order::SetAppSwitch { switch, on: to != To::Off });
    if what == What::Language || matches!(to, To::Language(_)) {
        return match (what, to, client) {
            (What::Language, To::Language(language), None) => Ok(Order::SetLanguage { language }),
            (What::Language, To::Language(_), Some(_)) => {
                Err(Failure::usage("The language is that of the window, not of a client.".to_owned()))
            }
            (What::Language, ..) => {
                let tags = Language::ALL.map(|language| format!("`{}`", language.tag())).join(" or ");
                Err(Failure::usage(format!("A language is {tags}, or `system` to follow the desktop.")))
            }
            _ => Err(Failure::usage("This is switched on or off.".to_owned())),
        };
    }
    let surface = match what {
        What::Tools => Surface::Tools,
        What::Prompts => Surface::Prompts,
        What::Resources => Surface::Resources,
        What::Skills => Surface::Skills,
        _ if client.is_some() => {
            return Err(Failure::usage("This is switched for every client at once.".to_owned()));
        }
        What::Withhold => return Ok(Order::SetWithhold { on: to == To::On }),
        What::Pause => return Ok(Order::Pause { on: to == To::On }),
        What::Login => return Ok(Order::SetLoginStart { on: to == To::On }),
        What::Menu => return Ok(Order::SetAppMenu { on: to == To::On }),
        What::Updates => return Ok(Order::SetUpdates { on: to == To::On }),
        What::AskSources => return Ok(Order::SetAskSources { on: to == To::On }),
        What::KeepRunning => return app(AppSwitch::KeepRunning),
        What::NotifyServers => return app(AppSwitch::NotifyServers),
        What::NotifyEntries => return app(AppSwitch::NotifyEntries),
        What::NotifySkills => return app(AppSwitch::NotifySkills),
        What::Archives | What::Language | What::Port => return Ok(Order::SetArchives { on: to == To::On }),
    };
    let on = (to != To::Default).then_some(to == To::On);
    Ok(Order::SetSurface { client, surface, on })
}

fn words(settings: &Settings, paused: bool) -> Text {
    let mut text = lines(&settings.surfaces);
    text.line(format!("{:<14} {}", "archives", state(settings.archives)));
    text.line(format!("{:<14} {}", "withhold", state(settings.withhold)));
    text.line(format!("{:<14} {}", "pause", state(paused)));
    text.line(format!("{:<14} {}", "login", state(settings.login.on)));
    if let Some(menu) = &settings.menu {
        text.line(format!("{:<14} {}", "menu", state(menu.on)));
    }
    text.line(format!("{:<14} {}", "updates", state(settings.updates.on)));
    text.line(format!("{:<14} {}", "ask-sources", state(settings.ask_sources)));
    for (switch, on) in &settings.app {
        text.line(format!("{:<14} {}", switch.name(), state(*on)));
    }
    let shown = settings.language.shown.tag();
    let language = settings.language.chosen.map_or_else(|| format!("system ({shown})"), |_| shown.to_owned());
    text.line(format!("{:<14} {language}", "language"));
    let port = settings.port.map_or_else(|| "chosen at the first start".to_owned(), |port| port.to_string());
    text.line(format!("{:<14} {port}", "port"));
    for (id, switches) in &settings.clients {
        text.extend(["", id.as_str()]);
        text.append(lines(switches));
    }
    text
}

fn lines(switches: &BTreeMap<Surface, bool>) -> Text {
    let name = |surface| json!(surface).as_str().map(str::to_owned).unwrap_or_default();
    switches.iter().map(|(surface, on)| format!("{:<14} {}", name(surface), state(*on))).collect()
}

fn state(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
