//! Anthropic's own clients.

use crate::{
    Part,
    client::{Choice, Client, Files, Mark, ROW, Reload},
};

pub(super) const CLAUDE_DESKTOP: Client = Client {
    id: "claude-desktop",
    name: "Claude Desktop",
    files: Files {
        choice: Choice::Every,
        ..Files::each(
            &["{home}/Library/Application Support/Claude/claude_desktop_config.json"],
            &[
                "{appdata}/Claude/claude_desktop_config.json",
                "{localappdata}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
                "{localappdata}/Claude-Data/claude_*/claude_desktop_config.json",
            ],
            &["{config}/Claude/claude_desktop_config.json"],
        )
    },
    stdio: Some(&[("command", Part::Command), ("args", Part::Args)]),
    reload: Reload::Quit,
    mark: Mark::Table,
    ..ROW
};
