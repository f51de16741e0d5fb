//! The user's choices about servers: which skills share one, which tools are off, and how clients get them.

use std::collections::BTreeMap;

use api::{ToolMode, ToolSwitch};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The choices about servers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerChoices {
    /// Skills that use the server of another skill (decision 34).
    pub links: Vec<ServerLink>,
    /// Tools that are off.
    pub off: Vec<ToolSwitch>,
    /// How clients get tools, by client id; by default, always.
    pub modes: BTreeMap<String, ToolMode>,
    /// Whether skills that are not ready are withheld from clients.
    pub withhold: bool,
    /// The pinned versions of packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<Pin>,
    /// Fields written by a later version.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The version that a person wants of a package whose command line names none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// The server's name.
    pub server: String,
    /// The package as the command line names it.
    pub package: String,
    /// The version.
    pub version: String,
}

/// A skill uses the server of another one, with its values and secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerLink {
    /// The skill's key.
    pub key: String,
    /// The server's name.
    pub server: String,
    /// The other skill's key.
    pub with: String,
}

impl ServerChoices {
    /// How a client gets tools.
    pub fn mode(&self, client: &str) -> ToolMode {
        self.modes.get(client).copied().unwrap_or_default()
    }

    /// Whether a tool is off for a client.
    pub fn is_off(&self, client: &str, server: &str, tool: &str) -> bool {
        self.off.iter().any(|switch| {
            switch.server == server
                && switch.client.as_deref().is_none_or(|of| of == client)
                && switch.tool.as_deref().is_none_or(|of| of == tool)
        })
    }

    /// Switches a tool, or all of a server, on or off.
    pub fn switch(&mut self, switch: ToolSwitch, on: bool) {
        self.off.retain(|other| *other != switch);
        if !on {
            self.off.push(switch);
        }
    }
}
