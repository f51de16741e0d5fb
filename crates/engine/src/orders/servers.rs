//! What the command line asks about servers. Reading is an order too: what runs, what it wrote and which secrets are kept
//! in memory is known to the engine that runs alone.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skills::WayKind;

use crate::{
    Engine,
    actions::{self, failed},
    view::{ActionError, Consent, ErrorKind, ServerPage, ServerRow, ToolMode},
};

/// One thing that a person asks for about servers. A skill is named as in every [`Order`](super::Order).
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
    /// Agrees to what was shown.
    Approve {
        /// Its name.
        server: String,
        /// What was shown.
        digest: String,
        /// Variables that were agreed to by their names.
        #[serde(default)]
        variables: Vec<String>,
    },
    /// Takes an agreement back.
    Revoke {
        /// Its name.
        server: String,
    },
    /// Begins a sign-in; answers with a [`SignInAsked`](crate::view::SignInAsked).
    SignIn {
        /// Its name.
        server: String,
    },
    /// Waits until the sign-in that was begun has ended.
    AwaitSignIn {
        /// Its name.
        server: String,
    },
    /// Forgets who is signed in.
    SignOut {
        /// Its name.
        server: String,
    },
    /// Starts it anew.
    Restart {
        /// Its name.
        server: String,
    },
    /// Stops it until somebody calls it.
    Stop {
        /// Its name.
        server: String,
    },
    /// Asks which version its package is now; answers with a [`PinOffer`](crate::view::PinOffer).
    OfferVersion {
        /// Its name.
        server: String,
    },
    /// Has its package be of a version, or of any again.
    Pin {
        /// Its name.
        server: String,
        /// The version; without one it is not pinned any more.
        version: Option<String>,
    },
    /// Agrees to tools that changed.
    ApproveTools {
        /// Its name.
        server: String,
        /// What was shown.
        digest: String,
    },
    /// Lets a skill use the server of another one.
    Link {
        /// Which skill.
        skill: String,
        /// The server's name.
        server: String,
        /// Whose server; its own without one.
        with: Option<String>,
    },
    /// Picks how a skill's server is started.
    Way {
        /// Which skill.
        skill: String,
        /// The server's name.
        server: String,
        /// How; as the skill says first without one.
        way: Option<WayKind>,
    },
    /// Switches a tool, or a whole server.
    Switch {
        /// For which client; for all without one.
        client: Option<String>,
        /// The server's name.
        server: String,
        /// The tool, by the server's name for it; all of them without one.
        tool: Option<String>,
        /// On or off.
        on: bool,
    },
    /// Says how a client gets the tools of servers.
    Mode {
        /// The client's id.
        client: String,
        /// How.
        mode: ToolMode,
    },
}

/// One server, whole: how it stands, its tools and log, and what a person would agree to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerInFull {
    /// How it stands.
    pub row: ServerRow,
    /// Its tools, its log and what was agreed to.
    pub page: ServerPage,
    /// What it would be started with.
    pub plan: Option<Consent>,
    /// Why there is no such plan yet, as a sentence.
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
            known(engine, &server).await?;
            actions::revoke_server(engine, &server).await?;
        }
        ServerOrder::SignIn { server } => {
            running(engine)?;
            known(engine, &server).await?;
            return Ok(json!(actions::sign_in(engine, &server).await?));
        }
        ServerOrder::AwaitSignIn { server } => actions::await_sign_in(engine, &server).await?,
        ServerOrder::SignOut { server } => {
            known(engine, &server).await?;
            actions::sign_out(engine, &server).await?;
        }
        ServerOrder::Restart { server } => {
            running(engine)?;
            actions::restart_server(engine, &server).await?;
        }
        ServerOrder::Stop { server } => {
            running(engine)?;
            known(engine, &server).await?;
            actions::stop_server(engine, &server).await?;
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
            known(engine, &server).await?;
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
    let row = known(engine, server).await?;
    Ok(ServerInFull { row, page, plan, why })
}

/// The row of a server that some skill needs.
async fn known(engine: &Engine, server: &str) -> Result<ServerRow, ActionError> {
    let rows = actions::list_servers(engine).await;
    let known: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
    rows.into_iter().find(|row| row.name == server).ok_or_else(|| {
        let all =
            if known.is_empty() { "None is needed.".to_owned() } else { format!("There are: {}.", known.join(", ")) };
        let message = format!("No skill that is switched on needs a server {server}.");
        actions::unknown(message, server, known.iter().map(String::as_str), &all)
    })
}

/// Servers run in the engine that serves clients, and nowhere else.
fn running(engine: &Engine) -> Result<(), ActionError> {
    if engine.serves() {
        return Ok(());
    }
    let message = "No Skilltender runs on this computer, so no server does.";
    let hints = vec!["Start the app or `skilltender serve`, then try again.".to_owned()];
    Err(ActionError { hints, ..failed(ErrorKind::Refused, message) })
}
