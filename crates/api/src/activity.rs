//! What clients did, and what Skilltender wrote.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One call of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// When it ended, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// The client's id.
    pub client: String,
    /// `tools/call`, `resources/read` ...
    pub method: String,
    /// The tool, prompt or URI; empty for a list. Of a call for a skill, its id follows.
    pub target: String,
    /// Whether the client got what it asked for.
    pub ok: bool,
    /// Why it did not, as far as that is known: switched off, nothing of that name, not to be read, or the other server.
    #[ts(type = "'off' | 'not-there' | 'unreadable' | 'server' | null")]
    pub why: Option<mcp::CallTrouble>,
    /// How long it took, in milliseconds.
    #[ts(type = "number")]
    pub ms: u64,
    /// How large the answer was, in bytes.
    #[ts(type = "number")]
    pub size: u64,
}

/// Something that Skilltender wrote at a person's wish, besides the files of clients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OwnWrite {
    /// Names it for undoing.
    #[ts(type = "number")]
    pub id: u64,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub time: u64,
    /// What was done.
    pub what: Wrote,
    /// Whether it can be undone now.
    pub undo: bool,
    /// Whether it was undone.
    pub undone: bool,
}

/// What Skilltender did. Skills are named as authored, places for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "did", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Wrote {
    /// Switched skills on or off.
    Switched {
        /// Their names.
        skills: Vec<String>,
        /// On or off.
        on: bool,
    },
    /// Put new skills into the library: imported, copied, or made from a template.
    Added {
        /// Their names.
        skills: Vec<String>,
        /// The folder that they came into.
        place: String,
        /// Whether they came from outside.
        imported: bool,
    },
    /// Moved a skill to another folder of the library.
    Moved {
        /// Its name.
        skill: String,
        /// Where it was.
        from: String,
        /// Where it is.
        to: String,
    },
    /// Moved a skill to the trash.
    Trashed {
        /// Its name.
        skill: String,
        /// Where it was.
        place: String,
    },
    /// Put a skill back from the trash.
    Restored {
        /// Its name.
        skill: String,
        /// Where it is.
        place: String,
    },
    /// Changed a SKILL.md.
    Edited {
        /// The skill's name.
        skill: String,
        /// How.
        how: Edit,
    },
    /// Put another version of a skill in its place.
    Updated {
        /// Its name.
        skill: String,
        /// Where it came from, for people.
        source: String,
        /// The commit before.
        from: String,
        /// The commit now.
        to: String,
        /// Whether a person went back to it.
        back: bool,
    },
    /// Asked sources of skills what they have, over the network.
    Asked {
        /// The sources, for people.
        sources: Vec<String>,
        /// How many of them did not answer.
        silent: u32,
    },
    /// Pulled what the upstream of a work tree had.
    Pulled {
        /// The library folder.
        place: String,
        /// The branch that is followed.
        upstream: String,
        /// The commit now.
        to: String,
    },
    /// Committed skills in a work tree, or pushed them.
    Committed {
        /// The library folder.
        place: String,
        /// The branch that is followed.
        upstream: String,
        /// The commit.
        commit: String,
        /// Whether the upstream took it.
        pushed: bool,
    },
    /// Put the skills that are on into a folder that clients read by themselves, or took them out.
    Placed {
        /// The folder.
        place: String,
        /// Whether they are there now.
        there: bool,
    },
}

/// How a SKILL.md was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Edit {
    /// A person saved a text.
    Saved,
    /// Problems were fixed.
    Fixed,
    /// Its tags were changed.
    Tagged,
    /// An earlier version was put back.
    Back,
}
