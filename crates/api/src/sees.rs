//! What one client sees of the skills that are on: by our endpoint, and in folders that it reads itself.

use serde::Serialize;
use ts_rs::TS;

/// What one client sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ClientSees {
    /// The client's id.
    pub client: String,
    /// Its name.
    pub name: String,
    /// What it gets by our endpoint.
    pub endpoint: EndpointList,
    /// What it would make of the same skills in a folder that it reads itself; `null` where it is not
    /// known how it loads skills, or where it reads none.
    pub native: Option<NativeList>,
    /// What is to be said of that, as a sentence.
    pub remark: Option<String>,
}

/// What a client gets by our endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EndpointList {
    /// The name of its set; `null` when it sees every skill that is on.
    pub set: Option<String>,
    /// What decides that in the folder that was asked about, as a sentence; `null` where none was.
    pub folder: Option<String>,
    /// How many skills `list_skills` names.
    pub skills: u32,
    /// About how many tokens a model reads when it calls that.
    pub tokens: u32,
    /// What is switched off for it, as sentences.
    pub off: Vec<String>,
    /// Skills that are on and that it does not see everywhere.
    pub partly: Vec<PartlySeen>,
}

/// A skill that a client does not see everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PartlySeen {
    /// The skill's key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Where it is missing and why, as sentences.
    pub why: Vec<String>,
}

/// What a client makes of skills in a folder that it reads itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct NativeList {
    /// How many it loads as they are written.
    pub loads: u32,
    /// How many it loads under another name or description.
    pub changed: u32,
    /// How many it refuses.
    pub refused: u32,
    /// How many it shows only the beginning of.
    pub cut: u32,
    /// About how many tokens the list costs in every conversation.
    pub tokens: u32,
    /// How many it may cost, where that is known.
    pub budget: Option<ListBudget>,
    /// One row for each skill, those that it refuses or changes first.
    pub skills: Vec<SeenSkill>,
}

/// What a list of skills may cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ListBudget {
    /// About how many tokens, in a model's window of usual size.
    pub tokens: u32,
    /// Where that comes from and what happens beyond it, as sentences.
    pub rule: String,
    /// Whether the list costs more.
    pub over: bool,
}

/// What a client makes of one skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SeenSkill {
    /// The skill's key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Loads it as written, under another name or description, or refuses it.
    #[ts(type = "'loads' | 'changed' | 'refused'")]
    pub verdict: skills::Outcome,
    /// How many characters of its description are shown, where that is not all of it.
    pub cut: Option<u32>,
    /// About how many tokens its line costs.
    pub tokens: u32,
    /// Why, as sentences; empty when it loads and the client minds nothing.
    pub why: Vec<String>,
}
