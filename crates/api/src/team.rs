//! A team's file: what it would set up, on one page, and what is left of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ImportSkill, Keychain, UpdatePlan};

/// Everything that would come and run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamPage {
    /// Names exactly this content: every file of every skill and every launch; joining asks for it.
    pub id: String,
    /// The text of the file; joining asks for it.
    #[serde(skip)]
    pub text: String,
    /// Where the file is, for people: its path, or the source.
    pub from: String,
    /// The commit of the source that it was read at.
    pub commit: Option<String>,
    /// The team's name.
    pub name: Option<String>,
    /// What the team wants everybody to know.
    pub advice: Option<String>,
    /// What the team refuses, as sentences.
    pub refuses: Vec<String>,
    /// The skills.
    pub skills: Vec<TeamSkillRow>,
    /// The servers.
    pub servers: Vec<TeamServerRow>,
    /// The sets.
    pub sets: Vec<TeamSetRow>,
    /// The advised clients.
    pub clients: Vec<TeamClientRow>,
}

/// A skill of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamSkillRow {
    /// Its id.
    pub name: String,
    /// Its source, with the branch or tag behind `#`.
    pub source: String,
    /// The commit that it is pinned to.
    pub commit: String,
    /// The digest of its files.
    pub digest: String,
    /// What comes of it.
    pub state: TeamSkillState,
}

/// What comes of a skill of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum TeamSkillState {
    /// It is here, byte for byte.
    Same {
        /// Whether it is on.
        on: bool,
    },
    /// It comes, and is switched on.
    Comes {
        /// What it carries, and what in it looks as if it meant harm.
        skill: Box<ImportSkill>,
    },
    /// Another version of it is here; the team's is put in its place.
    Changes {
        /// What changes.
        update: Box<UpdatePlan>,
    },
    /// It stays as it is here, or does not come.
    Stays {
        /// Why, as a sentence.
        why: String,
    },
}

/// A server of a team, in its exact form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamServerRow {
    /// Its name in the skills.
    pub name: String,
    /// The ids of the skills that need it.
    pub skills: Vec<String>,
    /// What is run, one argument each; empty for an address. `${NAME}` stands for a value.
    pub command: Vec<String>,
    /// Where the program is on this computer; nothing where it is in the skill's folder or is not found.
    pub program: Option<String>,
    /// The address of one that runs already.
    pub url: Option<String>,
    /// The folder that it runs in, and those that a container gets.
    pub folders: Vec<String>,
    /// The port of a container.
    pub port: Option<u16>,
    /// Its variables or headers, as written.
    pub values: Vec<(String, String)>,
    /// The version that its package is pinned to.
    pub version: Option<String>,
    /// What it fetches without a fixed version.
    pub unpinned: Option<String>,
    /// Variables that lead programs elsewhere: each is agreed to by itself.
    pub redirects: Vec<String>,
    /// The values and secrets that stand for `${NAME}`.
    pub asks: Vec<TeamAsk>,
}

/// A value or secret of a server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamAsk {
    /// Its name.
    pub name: String,
    /// Whether it is a secret.
    pub secret: bool,
    /// Whether the server cannot do without it.
    pub required: bool,
    /// What holds where the person gives nothing.
    pub default: Option<String>,
    /// The plain value that is set here already.
    pub given: Option<String>,
    /// What it is for or how to get it, in words.
    pub how: Option<String>,
    /// Where to get it.
    pub address: Option<String>,
}

/// A secret that a person gives themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamSecretRow {
    /// Its name.
    pub name: String,
    /// How to get it, in words.
    pub how: Option<String>,
    /// Where to get it.
    pub address: Option<String>,
}

/// A set of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamSetRow {
    /// Its name.
    pub name: String,
    /// The ids of its skills.
    pub skills: Vec<String>,
    /// Whether there is a set of this name here, which gets those of these skills that it lacks.
    pub here: bool,
}

/// An advised client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamClientRow {
    /// Its id.
    pub id: String,
    /// Its name; nothing where it is not known here.
    pub name: Option<String>,
    /// Whether it is on this computer.
    pub installed: bool,
    /// Whether it is connected.
    pub connected: bool,
}

/// What is left of a team's file once everything was done that needs no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamLeft {
    /// Skills that are not as the file says, and why: a sentence for each.
    pub skills: Vec<TeamWhy>,
    /// Sets that are not as the file says.
    pub sets: Vec<TeamWhy>,
    /// Secrets that are missing.
    pub secrets: Vec<TeamMissing>,
    /// Plain values that are missing.
    pub values: Vec<TeamMissing>,
    /// Servers that may not run yet, by the names that they have here.
    pub servers: Vec<TeamWhy>,
    /// The servers that may run, by the names that they have here.
    pub ready: Vec<String>,
}

impl TeamLeft {
    /// Whether nothing is left.
    pub fn is_whole(&self) -> bool {
        [&self.skills, &self.sets, &self.servers].iter().all(|list| list.is_empty())
            && self.secrets.is_empty()
            && self.values.is_empty()
    }
}

/// What is not as a team's file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamWhy {
    /// Its name.
    pub name: String,
    /// Why, as a sentence.
    pub why: String,
    /// What a person can do about it by itself; nothing where the sentence says all.
    pub act: Option<TeamAct>,
}

/// What a person can do about a server that a yes to the page does not cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum TeamAct {
    /// Look at what would run, and approve it.
    Approve,
    /// Sign in.
    SignIn,
}

/// A value that a person has to give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamMissing {
    /// The keys of the skills that it is for.
    pub skills: Vec<String>,
    /// The server's name in them.
    pub server: String,
    /// Its name, and how to get it.
    #[serde(flatten)]
    pub what: TeamSecretRow,
}

/// What a yes to the page of a team covers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamYes {
    /// Whether the servers on it may run.
    pub servers: bool,
    /// The plain values that were seen with the yes, by server and name: another one was not agreed to. Nothing where the
    /// person gives them unseen by anybody else, at a terminal.
    pub values: Option<TeamValues>,
}

/// Plain values by the name of their server in the file, and their own.
pub type TeamValues = BTreeMap<String, BTreeMap<String, String>>;

/// What the window that asks shows of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TeamQuestion {
    /// Everything that would come and run.
    pub page: TeamPage,
    /// What is left of it, once somebody said yes.
    pub left: Option<TeamLeft>,
    /// Where secrets go.
    pub keychain: Keychain,
}

/// A team's file as it would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamExport {
    /// The text of the file.
    pub text: String,
    /// The ids of the skills in it.
    pub skills: Vec<String>,
    /// The names of the servers in it.
    pub servers: Vec<String>,
    /// What is not in it, and why.
    pub left_out: Vec<TeamWhy>,
}

/// What came of calling Skilltender as a client's entry does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ClientCall {
    /// The client has no entry of ours as it should be, so nothing was called.
    NotConnected,
    /// It was answered.
    Answered {
        /// How many tools the client sees.
        tools: usize,
    },
    /// It was not.
    Silent {
        /// Why, as a sentence.
        why: String,
    },
}
