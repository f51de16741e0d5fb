//! What a skill needs: servers, their values and secrets. A secret never shows its value.

use serde::{Deserialize, Serialize};
pub use skills::WayKind;
use ts_rs::TS;

use super::SkillName;

/// A server that a skill needs, and what is missing for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Need {
    /// The server's name.
    pub server: String,
    /// What the skill wants it for.
    pub description: Option<String>,
    /// How it would be started, one argument each, placeholders unfilled; empty when unknown.
    pub command: Vec<String>,
    /// Its address, for a server that runs elsewhere.
    pub url: Option<String>,
    /// The ways of starting it that the skill names, in its order.
    #[ts(type = "('http' | 'stdio' | 'docker')[]")]
    pub ways: Vec<WayKind>,
    /// The one that is taken: the first, unless the person picked another.
    #[ts(type = "'http' | 'stdio' | 'docker' | null")]
    pub way: Option<WayKind>,
    /// The skill whose server of this name it uses, with that one's values and secrets, because the person said so.
    pub shares_with: Option<SkillName>,
    /// The values that a person gives.
    pub values: Vec<NeedValue>,
}

/// One value that a server needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NeedValue {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether the server cannot do without it.
    pub required: bool,
    /// An example to show in the empty field.
    pub example: Option<String>,
    /// What is there. A secret never shows its value.
    pub state: ValueState,
}

/// What is there for a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ValueState {
    /// A secret that nobody has stored.
    SecretMissing,
    /// A secret in the keychain.
    SecretStored {
        /// Since when, in milliseconds since 1970.
        #[ts(type = "number")]
        since: u64,
        /// Whether it is kept only until the app quits, because no keychain answers.
        only_this_run: bool,
    },
    /// An ordinary value.
    Plain {
        /// What the user gave.
        value: Option<String>,
        /// What holds when the user gives nothing.
        default: Option<String>,
    },
}

/// A skill and the servers that it needs, with the state of each value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillNeeds {
    /// The skill's key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Whether it is switched on.
    pub enabled: bool,
    /// The servers.
    pub needs: Vec<Need>,
}
