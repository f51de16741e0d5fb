//! The user's choices about servers: which skills share one, which tools are off, and how clients get them.

use std::collections::BTreeMap;

use api::{ToolMode, ToolSwitch};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::servers::Pin;

/// The choices about servers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ServerChoices {
    /// Skills that use the server of another skill (decision 34).
    pub(crate) links: Vec<ServerLink>,
    /// Tools that are off.
    pub(crate) off: Vec<ToolSwitch>,
    /// How clients get tools, by client id; by default, always.
    pub(crate) modes: BTreeMap<String, ToolMode>,
    /// Whether skills that are not ready are withheld from clients.
    pub(crate) withhold: bool,
    /// The pinned versions of packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) pins: Vec<Pin>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// A skill uses the server of another one, with its values and secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerLink {
    /// The skill's key.
    pub(crate) key: String,
    /// The server's name.
    pub(crate) server: String,
    /// The other skill's key.
    pub(crate) with: String,
}

impl ServerChoices {
    /// How a client gets tools.
    pub(crate) fn mode(&self, client: &str) -> ToolMode {
        self.modes.get(client).copied().unwrap_or_default()
    }

    /// Whether a tool is off for a client.
    pub(crate) fn is_off(&self, client: &str, server: &str, tool: &str) -> bool {
        self.off.iter().any(|switch| {
            switch.server == server
                && switch.client.as_deref().is_none_or(|of| of == client)
                && switch.tool.as_deref().is_none_or(|of| of == tool)
        })
    }

    /// Switches a tool, or all of a server, on or off.
    pub(crate) fn switch(&mut self, switch: ToolSwitch, on: bool) {
        self.off.retain(|other| *other != switch);
        if !on {
            self.off.push(switch);
        }
    }
}
