//! `skilltender servers`: the MCP servers that skills require, and the user's approval of each.

mod words;

use std::{io, path::Path};

use api::{ServerRow, SignInAsked, ToolMode};
use clap::{Subcommand, ValueEnum};
use engine::{
    Machine, folders_away,
    orders::{Order, ServerInFull, ServerOrder},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use skills::WayKind;
pub(crate) use words::{consent, state};

use crate::{Failure, Text, ask, order, print, print_json, say, words::Acts};

const AFTER: &str = "\
Without a subcommand, this lists the servers. A server runs only after you approve exactly how it is started, and only while \
Skilltender runs: the app or `skilltender serve`.

  skilltender servers show github                      how it would be started, and its tools
  skilltender servers approve github                   show this, and ask for approval
  skilltender servers approve github --digest 3f…      for scripts: the digest of `show --json`
  skilltender servers sign-in linear                   sign in to a server at an address
  skilltender servers switch github delete_repo off    hide one tool from all clients
  skilltender servers mode claude-code on-demand       list tools once a skill that needs them is read";

pub(crate) type Arguments = Acts<Act>;

#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Act {
    /// List the servers and their state
    List,
    /// Show how a server would be started, and its tools
    Show {
        /// The server's name
        server: String,
    },
    /// Approve how a server is started: shows it, then asks
    Approve {
        /// The server's name
        server: String,
        /// Approve without asking if the launch has this digest, as `show --json` prints it
        #[arg(long)]
        digest: Option<String>,
        /// Besides the digest, approve a variable that leads programs elsewhere (may be repeated)
        #[arg(long, value_name = "NAME", requires = "digest")]
        variable: Vec<String>,
    },
    /// Take the approval back, and stop the server
    Revoke {
        /// The server's name
        server: String,
    },
    /// Sign in to a server: shows the address, and opens it if there is a display
    SignIn {
        /// The server's name
        server: String,
        /// Show the address, and do not open it
        #[arg(long)]
        no_browser: bool,
    },
    /// Sign out of a server
    SignOut {
        /// The server's name
        server: String,
    },
    /// Restart a server, even one that ended too often
    Restart {
        /// The server's name
        server: String,
    },
    /// Stop a server; an approved one starts again at the next call
    Stop {
        /// The server's name
        server: String,
    },
    /// Pin the package of a server to a version; it then needs approval again
    Pin {
        /// The server's name
        server: String,
        /// The version; without it, the package's client asks the network for the current one
        version: Option<String>,
    },
    /// Remove the pinned version
    Unpin {
        /// The server's name
        server: String,
    },
    /// Print the log of a server's last run, with secrets hidden
    Log {
        /// The server's name
        server: String,
    },
    /// Show a server's tools and how they changed
    Tools {
        /// The server's name
        server: String,
        /// Approve the changed tools if they have this digest
        #[arg(long, value_name = "DIGEST")]
        approve: Option<String>,
    },
    /// Let a skill use another skill's server, with its values and secrets
    #[command(group = clap::ArgGroup::new("whose").required(true))]
    Link {
        /// The skill's id, key or path
        skill: String,
        /// The server's name
        server: String,
        /// The other skill
        #[arg(long, value_name = "SKILL", group = "whose")]
        with: Option<String>,
        /// Use its own server again
        #[arg(long, group = "whose")]
        own: bool,
    },
    /// Choose how a skill's server is started, if the skill names several ways
    Way {
        /// The skill's id, key or path
        skill: String,
        /// The server's name
        server: String,
        /// The way
        way: Picked,
    },
    /// Switch a tool or a whole server, for all clients or one
    #[command(override_usage = "skilltender servers switch [OPTIONS] <SERVER> [TOOL] <on|off>")]
    Switch {
        /// The server's name
        server: String,
        /// The tool's name at the server, then `on` or `off`; without a tool, all tools
        #[arg(required = true, num_args = 1..=2, value_name = "TOOL|on|off")]
        words: Vec<String>,
        /// Only for this client
        #[arg(long, value_name = "ID")]
        client: Option<String>,
    },
    /// Choose how a client gets the tools of servers
    Mode {
        /// The client's id
        client: String,
        /// The mode
        mode: Mode,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picked {
    /// A server at an address
    Http,
    /// A program on this computer
    Stdio,
    /// A container
    Docker,
    /// The first way that the skill names
    First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// The list has every tool that the client's skills need
    Always,
    /// The list gets a skill's tools when the client reads that skill
    OnDemand,
    /// The list has two tools, which find and call the others
    Search,
}

pub(crate) fn run(command: &Arguments, home: Option<&Path>) -> Result<(), Failure> {
    let json = command.json;
    match command.act.as_ref().unwrap_or(&Act::List) {
        Act::List => {
            let rows = list(home)?;
            // The skills of a missing folder require their servers again as soon as it is back.
            folders_away(&Machine::here(home)?).into_iter().for_each(say);
            if json { print_json(&rows) } else { print(words::list(&rows)) }
        }
        Act::Show { server } => {
            let seen = read(home, server)?;
            if json { print_json(&shown(&seen)) } else { print(words::show(&seen)) }
        }
        Act::Approve { server, digest, variable } => {
            let seen = read(home, server)?;
            let named = digest.as_deref().map(|digest| (digest, variable.as_slice()));
            let Agreed { digest, variables } = agreed(&seen, named, &words::show(&seen))?;
            give(home, ServerOrder::Approve { server: server.clone(), digest: digest.clone(), variables })?;
            let done = json!({"server": server, "digest": digest, "approved": true});
            order::tell(json, &done, |_| format!("{server} may run from now on, as long as it is started like this."))
        }
        Act::Revoke { server } => {
            give(home, ServerOrder::Revoke { server: server.clone() })?;
            tell(json, server, "approved", &json!(false), &format!("{server} does not run until it is approved again."))
        }
        Act::SignIn { server, no_browser } => sign_in(home, server, *no_browser, json),
        Act::SignOut { server } => {
            give(home, ServerOrder::SignOut { server: server.clone() })?;
            tell(json, server, "signedIn", &json!(false), &format!("You are not signed in to {server} any more."))
        }
        Act::Restart { server } => {
            give(home, ServerOrder::Restart { server: server.clone() })?;
            tell(json, server, "restarted", &json!(true), &format!("{server} is restarted."))
        }
        Act::Stop { server } => {
            let row = give(home, ServerOrder::Stop { server: server.clone() })?;
            // A Skilltender of an older version does not return the server's status.
            let row = serde_json::from_value::<Option<ServerRow>>(row).map_err(io::Error::from)?;
            tell(json, server, "stopped", &json!(true), &words::stopped(server, row.as_ref().map(|row| &row.state)))
        }
        Act::Pin { server, version } => {
            let version = match version {
                Some(version) => version.clone(),
                None => {
                    let offer = give(home, ServerOrder::OfferVersion { server: server.clone() })?;
                    read_as::<api::PinOffer>(offer)?.version
                }
            };
            give(home, ServerOrder::Pin { server: server.clone(), version: Some(version.clone()) })?;
            let said = format!("{server} is pinned to {version}. `skilltender servers approve {server}` lets it run.");
            tell(json, server, "version", &json!(version), &said)
        }
        Act::Unpin { server } => {
            give(home, ServerOrder::Pin { server: server.clone(), version: None })?;
            tell(json, server, "version", &Value::Null, &format!("{server} is not pinned any more."))
        }
        Act::Log { server } => {
            let log = read(home, server)?.page.log;
            if json { print_json(&log) } else { print(words::log(&log)) }
        }
        Act::Tools { server, approve: None } => {
            let page = read(home, server)?.page;
            let tools =
                json!({"server": server, "tools": page.tools, "prompts": page.prompts, "changed": page.changed});
            if json { print_json(&tools) } else { print(words::tools(&page)) }
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
        Act::Way { skill, server, way } => {
            let way = match way {
                Picked::Http => Some(WayKind::Http),
                Picked::Stdio => Some(WayKind::Stdio),
                Picked::Docker => Some(WayKind::Docker),
                Picked::First => None,
            };
            give(home, ServerOrder::Way { skill: order::skill(skill)?, server: server.clone(), way })?;
            let how = way.map_or("as it says first", |way| match way {
                WayKind::Http => "at its address",
                WayKind::Stdio => "as a program",
                WayKind::Docker => "in a container",
            });
            tell(json, server, "way", &json!(way), &format!("{skill} gets {server} {how}."))
        }
        Act::Switch { server, words, client } => {
            let (tool, on) = switched(words)?;
            let said = words::switched(server, tool.as_deref(), client.as_deref(), on);
            give(home, ServerOrder::Switch { client: client.clone(), server: server.clone(), tool: tool.clone(), on })?;
            let done = json!({"server": server, "tool": tool, "client": client, "on": on});
            order::tell(json, &done, |_| said.as_str())
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

/// Shows the address for signing in, opens it if there is a display, and waits.
fn sign_in(home: Option<&Path>, server: &str, no_browser: bool, json: bool) -> Result<(), Failure> {
    let asked: SignInAsked = read_as(give(home, ServerOrder::SignIn { server: server.to_owned() })?)?;
    let opens = !no_browser && has_display();
    // Standard output carries the result.
    say(words::sign_in(server, &asked, opens));
    if opens && let Err(error) = open::that_detached(&asked.address) {
        say(format!("The browser was not opened: {error}. Open the address by hand."));
    }
    give(home, ServerOrder::AwaitSignIn { server: server.to_owned() })?;
    tell(json, server, "signedIn", &json!(true), &format!("You are signed in to {server}."))
}

/// Whether a browser can be shown.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// The status of all servers, from the running engine.
pub(crate) fn list(home: Option<&Path>) -> Result<Vec<ServerRow>, Failure> {
    read_as(give(home, ServerOrder::List)?)
}

/// One server in full.
pub(crate) fn read(home: Option<&Path>, server: &str) -> Result<ServerInFull, Failure> {
    read_as(give(home, ServerOrder::Read { server: server.to_owned() })?)
}

/// The user's approval.
pub(crate) struct Agreed {
    pub(crate) digest: String,
    /// The variables that were approved by name.
    pub(crate) variables: Vec<String>,
}

/// The user's approval: by naming the digest and the variables, or by a yes to the shown text.
pub(crate) fn agreed(seen: &ServerInFull, named: Option<(&str, &[String])>, shown: &Text) -> Result<Agreed, Failure> {
    let name = &seen.row.name;
    let Some(plan) = &seen.plan else {
        return Err(Failure::problems(seen.why.clone().unwrap_or_else(|| format!("{name} cannot be started yet."))));
    };
    let digest = plan.digest.clone();
    match named {
        Some((named, variables)) if named == digest => Ok(Agreed { digest, variables: variables.to_vec() }),
        Some(_) => {
            let message = format!(
                "What {name} would be started with is not what this digest names, so it was not approved. Look at it with \
                 `skilltender servers show {name}`; its digest is {digest} now."
            );
            Err(Failure::refused(message))
        }
        None if !ask::somebody_is_there() => {
            let message = format!(
                "There is nobody to ask, so {name} was not approved. Look at it with `skilltender servers show {name}`, then \
                 name what you saw: `skilltender servers approve {name} --digest DIGEST`."
            );
            Err(Failure::refused(message))
        }
        None => {
            let nobody = || Failure::refused(format!("{name} was not approved, so it does not run."));
            if !ask::agreed(shown, &format!("Let {name} run like this?"))? {
                return Err(nobody());
            }
            for variable in &plan.redirects {
                let about = format!("{variable} can make it do something else than its command says.");
                if !ask::agreed(&about.into(), &format!("Let {name} have {variable}?"))? {
                    return Err(nobody());
                }
            }
            Ok(Agreed { digest, variables: plan.redirects.clone() })
        }
    }
}

/// Gives an order about servers.
pub(crate) fn give(home: Option<&Path>, act: ServerOrder) -> Result<Value, Failure> {
    order::give(home, Order::Server(act))
}

/// Converts the engine's answer into its type.
pub(crate) fn read_as<T: DeserializeOwned>(answer: Value) -> Result<T, Failure> {
    Ok(serde_json::from_value(answer).map_err(io::Error::from)?)
}

fn shown(seen: &ServerInFull) -> Value {
    let digest = seen.plan.as_ref().map(|plan| &plan.digest);
    let agreed = seen.row.approved.is_some();
    let ServerInFull { row, page, plan, why } = seen;
    json!({"server": row, "digest": digest, "agreed": agreed, "plan": plan, "why": why, "page": page})
}

fn tell(json: bool, server: &str, what: &str, value: &Value, said: &str) -> Result<(), Failure> {
    order::tell(json, &json!({"server": server, what: value}), |_| said)
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
        // A tool may be named `on`.
        assert_eq!(words(&["on", "off"]), Some((Some("on".to_owned()), false)));
    }
}
