//! Orders about servers. Reading is an order too: only the running engine knows what runs, what it wrote and
//! which secrets are in memory.

use api::{ActionError, Consent, ErrorKind, ServerPage, ServerRow, ToolMode, failed, unknown};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skills::WayKind;

use crate::{Engine, actions};

/// One request about servers. A skill is named as in every [`Order`](super::Order).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum ServerOrder {
    /// Answers with the rows of all servers.
    List,
    /// Answers with a [`ServerInFull`].
    Read {
        /// Its name.
        server: String,
    },
    /// Approves the launch spec that the person was shown.
    Approve {
        /// Its name.
        server: String,
        /// The digest of the launch spec that the person was shown.
        digest: String,
        /// Variables that the person approved by name.
        #[serde(default)]
        variables: Vec<String>,
    },
    /// Revokes an approval.
    Revoke {
        /// Its name.
        server: String,
    },
    /// Begins a sign-in; answers with a [`SignInAsked`](api::SignInAsked).
    SignIn {
        /// Its name.
        server: String,
    },
    /// Waits until the sign-in under way has ended.
    AwaitSignIn {
        /// Its name.
        server: String,
    },
    /// Forgets a sign-in.
    SignOut {
        /// Its name.
        server: String,
    },
    /// Restarts it.
    Restart {
        /// Its name.
        server: String,
    },
    /// Stops it; answers with its row, which says whether a call starts it again.
    Stop {
        /// Its name.
        server: String,
    },
    /// Asks for the current version of its package; answers with a [`PinOffer`](api::PinOffer).
    OfferVersion {
        /// Its name.
        server: String,
    },
    /// Pins its package to a version, or removes the pin.
    Pin {
        /// Its name.
        server: String,
        /// The version; `None` removes the pin.
        version: Option<String>,
    },
    /// Approves tools that changed.
    ApproveTools {
        /// Its name.
        server: String,
        /// The digest of the tools that the person was shown.
        digest: String,
    },
    /// Lets a skill use the server of another one.
    Link {
        /// The skill.
        skill: String,
        /// The server's name.
        server: String,
        /// The skill with the server; `None` for its own server.
        with: Option<String>,
    },
    /// Picks how a skill's server is started.
    Way {
        /// The skill.
        skill: String,
        /// The server's name.
        server: String,
        /// The way; `None` for the skill's first.
        way: Option<WayKind>,
    },
    /// Switches a tool, or a whole server.
    Switch {
        /// The client; `None` for all.
        client: Option<String>,
        /// The server's name.
        server: String,
        /// The tool, by the server's name for it; `None` for all of them.
        tool: Option<String>,
        /// On or off.
        on: bool,
    },
    /// Sets how a client gets the tools of servers.
    Mode {
        /// The client's id.
        client: String,
        /// The mode.
        mode: ToolMode,
    },
}

/// Everything about one server: its state, tools and log, and the launch spec that a person would approve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerInFull {
    /// Its state.
    pub row: ServerRow,
    /// Its tools, its log and the approval.
    pub page: ServerPage,
    /// What it would be started with.
    pub plan: Option<Consent>,
    /// Why it has no plan yet, as a sentence.
    pub why: Option<String>,
}

pub(super) async fn carry_out(engine: &Engine, order: ServerOrder) -> Result<Value, ActionError> {
    match order {
        ServerOrder::List => {
            actions::look_at_containers(engine).await;
            return Ok(json!(actions::list_servers(engine).await));
        }
        ServerOrder::Read { server } => return Ok(json!(read(engine, &server).await?)),
        ServerOrder::Approve { server, digest, variables } => {
            actions::approve_server(engine, &server, &digest, &variables).await?;
        }
        ServerOrder::Revoke { server } => {
            needed_row(engine, &server).await?;
            actions::revoke_server(engine, &server).await?;
        }
        ServerOrder::SignIn { server } => {
            running(engine)?;
            needed_row(engine, &server).await?;
            return Ok(json!(actions::sign_in(engine, &server).await?));
        }
        ServerOrder::AwaitSignIn { server } => actions::await_sign_in(engine, &server).await?,
        ServerOrder::SignOut { server } => {
            needed_row(engine, &server).await?;
            actions::sign_out(engine, &server).await?;
        }
        ServerOrder::Restart { server } => {
            running(engine)?;
            actions::restart_server(engine, &server).await?;
        }
        ServerOrder::Stop { server } => {
            running(engine)?;
            needed_row(engine, &server).await?;
            actions::stop_server(engine, &server).await?;
            return Ok(json!(needed_row(engine, &server).await?));
        }
        ServerOrder::OfferVersion { server } => return Ok(json!(actions::offer_version(engine, &server).await?)),
        ServerOrder::Pin { server, version: Some(version) } => actions::pin_server(engine, &server, &version).await?,
        ServerOrder::Pin { server, version: None } => actions::unpin_server(engine, &server).await?,
        ServerOrder::ApproveTools { server, digest } => {
            running(engine)?;
            actions::approve_tools(engine, &server, &digest).await?;
        }
        ServerOrder::Link { skill, server, with } => {
            let key = actions::find_skill(engine, &skill)?;
            let with = with.map(|with| actions::find_skill(engine, &with)).transpose()?;
            actions::link_server(engine, &key, &server, with).await?;
        }
        ServerOrder::Way { skill, server, way } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::pick_way(engine, &key, &server, way).await?;
        }
        ServerOrder::Switch { client, server, tool, on } => {
            needed_row(engine, &server).await?;
            actions::switch_tool(engine, client, &server, tool, on).await?;
        }
        ServerOrder::Mode { client, mode } => actions::set_tool_mode(engine, &client, mode).await?,
    }
    Ok(Value::Null)
}

async fn read(engine: &Engine, server: &str) -> Result<ServerInFull, ActionError> {
    let (plan, why) = match actions::plan_server(engine, server).await {
        Ok(plan) => (Some(plan), None),
        Err(error) if error.kind == ErrorKind::Refused => (None, Some(error.message)),
        Err(error) => return Err(error),
    };
    let page = actions::read_server(engine, server).await?;
    let row = needed_row(engine, server).await?;
    Ok(ServerInFull { row, page, plan, why })
}

/// The row of a server that a skill needs.
async fn needed_row(engine: &Engine, server: &str) -> Result<ServerRow, ActionError> {
    let rows = actions::list_servers(engine).await;
    let known: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
    rows.into_iter().find(|row| row.name == server).ok_or_else(|| {
        let all =
            if known.is_empty() { "None is needed.".to_owned() } else { format!("There are: {}.", known.join(", ")) };
        let message = format!("No skill that is switched on needs a server {server}.");
        unknown(message, server, known.iter().map(String::as_str), &all)
    })
}

/// An error unless this engine serves clients: servers run only there.
fn running(engine: &Engine) -> Result<(), ActionError> {
    if engine.serves() {
        return Ok(());
    }
    let message = "No Skilltender runs on this computer, so no server does.";
    let hints = vec!["Start the app or `skilltender serve`, then try again.".to_owned()];
    Err(ActionError { hints, ..failed(ErrorKind::Refused, message) })
}
