//! A skill as the list shows it.

use serde::Serialize;
use ts_rs::TS;

use super::{SkillName, SkillOrigin};

/// One skill in the list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SkillRow {
    /// Names the skill in every command.
    pub key: String,
    /// Its folder's name.
    pub id: String,
    /// Its name as authored.
    pub name: String,
    /// Its description as authored.
    pub description: String,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// The id of its library folder.
    pub folder: String,
    /// The first folder on the way from there to the skill's own, where there is one.
    pub category: Option<String>,
    /// Its SKILL.md for people: `~/.claude/skills/tea/SKILL.md`.
    pub place: String,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether the person is shown what it carries before it is switched on: somebody else's skill that
    /// was never switched by hand.
    pub asks: bool,
    /// The one readiness light.
    pub readiness: Readiness,
    /// What it lacks besides, of all its servers, in the order in which it is done.
    pub also: Vec<Readiness>,
    /// How many problems of each severity.
    pub problems: ProblemCounts,
    /// How many files it has, and servers it needs.
    pub files: u32,
    /// See `files`.
    pub needs: u32,
    /// Its servers that have another name here than it calls them by.
    pub renamed: Vec<RenamedServer>,
    /// When one of its files was last changed, in milliseconds since 1970.
    #[ts(type = "number")]
    pub modified: u64,
    /// Changes whenever its SKILL.md does.
    pub digest: String,
    /// Where it came from, if Skilltender fetched it.
    pub origin: Option<SkillOrigin>,
}

/// A server of a skill that has another name here, because another server has the one that the skill uses. Both work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RenamedServer {
    /// What the skill calls it.
    pub server: String,
    /// Its name here, with which the names of its tools begin.
    pub name: String,
    /// The first skill of the server that has the name.
    pub beside: Option<SkillName>,
}

/// Problems by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, TS)]
pub struct ProblemCounts {
    /// The skill or a block of it cannot be used.
    pub error: u32,
    /// Some client minds.
    pub warning: u32,
    /// Good to know.
    pub advice: u32,
}

/// The readiness light: computed, never guessed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Readiness {
    /// All it needs is there.
    Ready,
    /// The person switched it off.
    Disabled,
    /// Secrets or other values are missing.
    NeedsValues {
        /// The server that wants the first of them.
        server: String,
        /// Their names.
        names: Vec<String>,
        /// Whether the first is a secret.
        secret: bool,
        /// The program that runs that server, if it is not on this computer either.
        runtime: Option<String>,
    },
    /// Nobody agreed yet to what one of its servers is started with.
    NeedsConsent {
        /// The server.
        server: String,
        /// Whether something else was agreed to before.
        changed: bool,
    },
    /// One of its servers wants the person to sign in.
    NeedsSignIn {
        /// The server.
        server: String,
    },
    /// A server describes its tools differently than when they were last looked at.
    ToolsChanged {
        /// The server.
        server: String,
    },
    /// The program that runs a server is not on this computer.
    NoProgram {
        /// The server.
        server: String,
        /// The program.
        program: String,
    },
    /// A server runs in a container, and the engine for those does not run.
    ContainersDown {
        /// The server.
        server: String,
        /// That engine, as people call it: `Docker`, `Podman`.
        program: String,
    },
    /// A server does not run.
    ServerDown {
        /// The server.
        server: String,
        /// Why, as a sentence.
        message: String,
    },
    /// The file cannot be used as it is.
    Problem {
        /// What and where.
        message: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// Something in it looks harmful, and the person has not looked at that yet. It is off if nobody ever looked at the
    /// skill; one that a person switched on stays on.
    LooksHarmful {
        /// What was found, as a sentence.
        message: String,
    },
    /// Another skill of the same id is served.
    Shadowed {
        /// The place of that skill.
        by: String,
    },
}
