//! Anthropic's own clients.

use super::parts::{HTTP_ADDRESS, PROGRAM, STDIO_PROGRAM};
use crate::{
    Shows, SkillSwitches, SwitchForm,
    client::{Choice, Client, ClientFolders, Files, Format, Key, Mark, ROW, Reload, Signs, Variable},
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
    stdio: Some(PROGRAM),
    signs: Signs {
        paths: &[
            "/Applications/Claude.app",
            "{home}/Library/Application Support/Claude",
            "{appdata}/Claude",
            "{localappdata}/Packages/Claude_*",
            "{localappdata}/Claude-Data",
            "{config}/Claude",
        ],
        programs: &["claude-desktop"],
    },
    processes: &["Claude", "claude-desktop"],
    reload: Reload::Quit,
    pitfalls: &[
        "While it runs, Claude Desktop writes this file anew from what it remembers and may drop the entry. Quit it first.",
        "Its file knows no address with a token; the entry runs our program instead.",
        "Skills are uploaded in its settings. It reads none from a folder.",
    ],
    mark: Mark::Table,
    source: "Reports of people and the tables of three tools; its places on Windows differ between versions, and the one in Claude-Data rests on a single report. The program was not run.",
    ..ROW
};

pub(super) const CLAUDE_CODE: Client = Client {
    id: "claude-code",
    name: "Claude Code",
    files: Files {
        variable: Some(Variable::folder("CLAUDE_CONFIG_DIR", "{home}/.claude", ".claude.json")),
        ..Files::everywhere(&["{home}/.claude.json"])
    },
    project: &[".mcp.json"],
    stdio: Some(STDIO_PROGRAM),
    http: Some(HTTP_ADDRESS),
    signs: Signs { paths: &["{home}/.claude", "{home}/.claude.json"], programs: &["claude"] },
    processes: &["claude"],
    reload: Reload::Session,
    skills: ClientFolders { user: &["{home}/.claude/skills"], project: &[".claude/skills"] },
    switches: Some(SkillSwitches {
        project: Some(".claude/settings.local.json"),
        format: Format::Json,
        key: Key::map(&["skillOverrides"]),
        form: SwitchForm::Word,
        shows: Shows { depth: 1, hidden: true, above: true },
        source: "Its documentation: `on`, `name-only`, `user-invocable-only`, `off`, since 2.1.129. Version 2.1.329 was run: \
                 it ignores the whole file for one comment.",
    }),
    loader: Some("claude-code"),
    pitfalls: &[
        "One comment or one comma too many in this file, and Claude Code starts without any server.",
        "Claude Code writes this file all the time. Entries of others stay, but it lays the file out in its own way.",
        "The servers in a project's .mcp.json have to be approved once in Claude Code.",
    ],
    mark: Mark::Ran,
    source: "Version 2.1.329 was run.",
    ..ROW
};
