//! `skilltender servers`: the MCP servers that skills need, and the person's agreement to each.

mod words;

use std::{io, path::Path};

use clap::{Subcommand, ValueEnum};
use engine::{
    orders::{Order, ServerInFull, ServerOrder},
    view::{ServerRow, ToolMode},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{Failure, ask, order, print};
pub(crate) use words::{consent, one_line, state};

const AFTER: &str = "\
Without a word, it lists the servers. A server runs only after somebody agreed to exactly what it is started with, and \
only while a Skilltender runs: the app or `skilltender serve`.

  skilltender servers show github                          what it would be started with, and its tools
  skilltender servers approve github                       shows it and asks
  skilltender servers approve github --digest 3f…          for scripts: agrees if it is still what `show --json` named
  skilltender servers switch github delete_repo off        takes one tool away from every client
  skilltender servers mode claude-code on-demand           tools come with the skill that needs them";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    act: Option<Act>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// List the servers, and how each stands
    List,
    /// Show what a server would be started with, and its tools
    Show {
        /// The server's name
        server: String,
    },
    /// Agree to what a server is started with: it is shown, and asked about
    Approve {
        /// The server's name
        server: String,
        /// Agree without being asked to what has this digest, as `show --json` names it, and to nothing else
        #[arg(long)]
        digest: Option<String>,
    },
    /// Take the agreement back; the server is stopped
    Revoke {
        /// The server's name
        server: String,
    },
    /// Start a server anew, also one that ended too often
    Restart {
        /// The server's name
        server: String,
    },
    /// Stop a server until somebody calls it
    Stop {
        /// The server's name
        server: String,
    },
    /// Print what a server wrote in its last run, with secrets blacked out
    Log {
        /// The server's name
        server: String,
    },
    /// Show a server's tools, and what changed in them
    Tools {
        /// The server's name
        server: String,
        /// Agree to changed tools that have this digest
        #[arg(long, value_name = "DIGEST")]
        approve: Option<String>,
    },
    /// Let a skill use the server of another skill, with that skill's values and secrets
    #[command(group = clap::ArgGroup::new("whose").required(true))]
    Link {
        /// The skill's id, key or path
        skill: String,
        /// The server's name
        server: String,
        /// The other skill
        #[arg(long, value_name = "SKILL", group = "whose")]
        with: Option<String>,
        /// Its own again
        #[arg(long, group = "whose")]
        own: bool,
    },
    /// Switch a tool, or a whole server, for every client or for one
    #[command(override_usage = "skilltender servers switch [OPTIONS] <SERVER> [TOOL] <on|off>")]
    Switch {
        /// The server's name
        server: String,
        /// The tool, as the server calls it, and `on` or `off`; without a tool, all of them
        #[arg(required = true, num_args = 1..=2, value_name = "TOOL|on|off")]
        words: Vec<String>,
        /// For this client alone
        #[arg(long, value_name = "ID")]
        client: Option<String>,
    },
    /// Say how a client gets the tools of servers
    Mode {
        /// The client's id
        client: String,
        /// How
        mode: Mode,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// All that its skills need stand in its list
    Always,
    /// Those of a skill stand there once it was given that skill
    OnDemand,
    /// Two tools stand there that find and call all others
    Search,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let json = command.json;
    match command.act.as_ref().unwrap_or(&Act::List) {
        Act::List => {
            let rows = list(home)?;
            Ok(print(&if json { format!("{:#}\n", json!(rows)) } else { words::list(&rows) })?)
        }
        Act::Show { server } => {
            let seen = read(home, server)?;
            Ok(print(&if json { shown(&seen) } else { words::show(&seen) })?)
        }
        Act::Approve { server, digest } => {
            let seen = read(home, server)?;
            let digest = agreed(&seen, digest.as_deref(), &words::show(&seen))?;
            give(home, ServerOrder::Approve { server: server.clone(), digest: digest.clone() })?;
            let done = json!({"server": server, "digest": digest, "approved": true});
            order::tell(json, &done, |_| format!("{server} may run from now on, as long as it is started like this.\n"))
        }
        Act::Revoke { server } => {
            give(home, ServerOrder::Revoke { server: server.clone() })?;
            tell(
                json,
                server,
                "approved",
                &json!(false),
                &format!("{server} does not run any more until it is agreed to anew."),
            )
        }
        Act::Restart { server } => {
            give(home, ServerOrder::Restart { server: server.clone() })?;
            tell(json, server, "restarted", &json!(true), &format!("{server} is started anew."))
        }
        Act::Stop { server } => {
            give(home, ServerOrder::Stop { server: server.clone() })?;
            tell(json, server, "stopped", &json!(true), &format!("{server} is stopped until somebody calls it."))
        }
        Act::Log { server } => {
            let log = read(home, server)?.page.log;
            Ok(print(&if json { format!("{:#}\n", json!(log)) } else { words::log(&log) })?)
        }
        Act::Tools { server, approve: None } => {
            let page = read(home, server)?.page;
            let tools =
                json!({"server": server, "tools": page.tools, "prompts": page.prompts, "changed": page.changed});
            Ok(print(&if json { format!("{tools:#}\n") } else { words::tools(&page) })?)
        }
        Act::Tools { server, approve: Some(digest) } => {
            give(home, ServerOrder::ApproveTools { server: server.clone(), digest: digest.clone() })?;
            tell(json, server, "digest", &json!(digest), &format!("The tools of {server} are offered as they are now."))
        }
        Act::Link { skill, server, with, own: _ } => {
            let with = with.as_deref().map(order::skill).transpose()?;
            give(home, ServerOrder::Link { skill: order::skill(skill)?, server: server.clone(), with: with.clone() })?;
            let said = match &with {
                Some(with) => format!("{skill} uses the {server} of {with}, with its values and secrets."),
                None => format!("{skill} has a {server} of its own again."),
            };
            tell(json, server, "with", &json!(with), &said)
        }
        Act::Switch { server, words, client } => {
            let (tool, on) = switched(words)?;
            let said = words::switched(server, tool.as_deref(), client.as_deref(), on);
            give(home, ServerOrder::Switch { client: client.clone(), server: server.clone(), tool: tool.clone(), on })?;
            let done = json!({"server": server, "tool": tool, "client": client, "on": on});
            order::tell(json, &done, |_| format!("{said}\n"))
        }
        Act::Mode { client, mode } => {
            let mode = match mode {
                Mode::Always => ToolMode::Always,
                Mode::OnDemand => ToolMode::OnDemand,
                Mode::Search => ToolMode::Search,
            };
            give(home, ServerOrder::Mode { client: client.clone(), mode })?;
            let done = json!({"client": client, "mode": mode});
            order::tell(json, &done, |_| words::mode(client, mode))
        }
    }
}

/// How all servers stand, as the engine that runs knows it.
pub(crate) fn list(home: Option<&Path>) -> Result<Vec<ServerRow>, Failure> {
    read_as(give(home, ServerOrder::List)?)
}

/// One server, whole.
pub(crate) fn read(home: Option<&Path>, server: &str) -> Result<ServerInFull, Failure> {
    read_as(give(home, ServerOrder::Read { server: server.to_owned() })?)
}

/// The digest that the person agrees to: by naming it, or by answering yes to what is shown.
pub(crate) fn agreed(seen: &ServerInFull, named: Option<&str>, shown: &str) -> Result<String, Failure> {
    let name = &seen.row.name;
    let Some(plan) = &seen.plan else {
        return Err(Failure::problems(seen.why.clone().unwrap_or_else(|| format!("{name} cannot be started yet."))));
    };
    match named {
        Some(named) if named == plan.digest => Ok(plan.digest.clone()),
        Some(_) => {
            let digest = &plan.digest;
            let message = format!(
                "What {name} would be started with is not what this digest names, so it was not agreed to. Look at it with \
                 `skilltender servers show {name}`; its digest is {digest} now."
            );
            Err(Failure::refused(message))
        }
        None if !ask::somebody_is_there() => {
            let message = format!(
                "There is nobody to ask, so {name} was not agreed to. Look at it with `skilltender servers show {name}`, then \
                 name what you saw: `skilltender servers approve {name} --digest DIGEST`."
            );
            Err(Failure::refused(message))
        }
        None if ask::agreed(shown, &format!("Let {name} run like this?"))? => Ok(plan.digest.clone()),
        None => Err(Failure::refused(format!("Nobody agreed, so {name} does not run."))),
    }
}

/// Gives an order about servers.
pub(crate) fn give(home: Option<&Path>, act: ServerOrder) -> Result<Value, Failure> {
    order::give(home, Order::Server(act))
}

/// An answer of the engine as the type that it is.
pub(crate) fn read_as<T: DeserializeOwned>(answer: Value) -> Result<T, Failure> {
    Ok(serde_json::from_value(answer).map_err(io::Error::from)?)
}

fn shown(seen: &ServerInFull) -> String {
    let digest = seen.plan.as_ref().map(|plan| &plan.digest);
    let agreed = seen.row.approved.is_some();
    let ServerInFull { row, page, plan, why } = seen;
    let all = json!({"server": row, "digest": digest, "agreed": agreed, "plan": plan, "why": why, "page": page});
    format!("{all:#}\n")
}

fn tell(json: bool, server: &str, what: &str, value: &Value, said: &str) -> Result<(), Failure> {
    order::tell(json, &json!({"server": server, what: value}), |_| format!("{said}\n"))
}

fn switched(words: &[String]) -> Result<(Option<String>, bool), Failure> {
    let wrong = || Failure::usage("Say `on` or `off` last: `skilltender servers switch SERVER [TOOL] off`.".to_owned());
    let (last, before) = words.split_last().ok_or_else(wrong)?;
    let on = match last.as_str() {
        "on" => true,
        "off" => false,
        _ => return Err(wrong()),
    };
    Ok((before.first().cloned(), on))
}

#[cfg(test)]
mod tests {
    use super::switched;

    #[test]
    fn a_switch_names_a_tool_or_all_of_them_and_ends_with_on_or_off() {
        let words = |words: &[&str]| switched(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).ok();
        assert_eq!(words(&["off"]), Some((None, false)));
        assert_eq!(words(&["delete_repo", "on"]), Some((Some("delete_repo".to_owned()), true)));
        assert_eq!(words(&["delete_repo"]), None);
        // A tool may be called like that.
        assert_eq!(words(&["on", "off"]), Some((Some("on".to_owned()), false)));
    }
}
