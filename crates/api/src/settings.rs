//! What clients may use, as the settings page shows it.

use std::collections::BTreeMap;

use mcp::Surface;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Languages, ToolMode, ToolSwitch, Updates};

/// The switches of the settings page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// Which parts of the server are on, for every client that has no switch of its own.
    #[ts(type = "Record<'tools' | 'prompts' | 'resources' | 'skills', boolean>")]
    pub surfaces: BTreeMap<Surface, bool>,
    /// The switches of single clients, by their ids. A part that is not named follows `surfaces`.
    #[ts(type = "Record<string, Partial<Record<'tools' | 'prompts' | 'resources' | 'skills', boolean>>>")]
    pub clients: BTreeMap<String, BTreeMap<Surface, bool>>,
    /// Whether packed skills are offered beside their files.
    pub archives: bool,
    /// The port of this computer at which HTTP is served, or would be if nobody else held it; `null` before the first start.
    pub port: Option<u16>,
    /// Whether a skill that is not ready is kept from clients.
    pub withhold: bool,
    /// How clients get the tools of servers, by their ids; the others always have all.
    #[ts(type = "Record<string, ToolMode>")]
    pub tool_modes: BTreeMap<String, ToolMode>,
    /// Tools and servers that are off, for every client or for one.
    pub tools_off: Vec<ToolSwitch>,
    /// Whether the app starts when its user logs in.
    pub login: DesktopEntry,
    /// Whether the app is in the desktop's menu of programs; none where its package sees to that.
    pub menu: Option<DesktopEntry>,
    /// New versions of Skilltender.
    pub updates: Updates,
    /// Whether sources of skills are asked for other versions once a day.
    pub ask_sources: bool,
    /// What the app does unasked.
    #[ts(type = "Record<AppSwitch, boolean>")]
    pub app: BTreeMap<AppSwitch, bool>,
    /// Our data folder, for people.
    pub data: String,
    /// The language of the window and the tray.
    pub language: Languages,
}

/// Something that the app does unasked. Each is on until the person switches it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum AppSwitch {
    /// The app runs on in the tray when its window is closed.
    KeepRunning,
    /// It notifies of a server that waits for the person.
    NotifyServers,
    /// It notifies of an entry in a client's file that another program changed or took out.
    NotifyEntries,
    /// It notifies of skills that another program added.
    NotifySkills,
}

impl AppSwitch {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::KeepRunning, Self::NotifyServers, Self::NotifyEntries, Self::NotifySkills];

    /// Its name in files and in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::KeepRunning => "keep-running",
            Self::NotifyServers => "notify-servers",
            Self::NotifyEntries => "notify-entries",
            Self::NotifySkills => "notify-skills",
        }
    }
}

/// What the desktop knows of the app by an entry of ours.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
pub struct DesktopEntry {
    /// Whether the desktop has our entry, and follows it.
    pub on: bool,
    /// Why it cannot be switched on, as a sentence.
    pub trouble: Option<String>,
}
