//! Other editors, and their extensions.

use super::parts::{ADDRESS, BEARER, PROGRAM, SERVER_URL};
use crate::{
    Part,
    client::{Choice, Client, ClientFolders, Files, Format, Key, Mark, ROW, Reload, Signs, Takes, Variable},
};

pub(super) const ZED: Client = Client {
    id: "zed",
    name: "Zed",
    format: Format::Jsonc,
    key: Key::map(&["context_servers"]),
    takes: Takes { trailing_commas: true, ..ROW.takes },
    files: Files {
        sandboxed: &["{home}/.var/app/dev.zed.Zed/config/zed/settings.json"],
        ..Files::each(
            &["{home}/.config/zed/settings.json"],
            &["{appdata}/Zed/settings.json"],
            &["{config}/zed/settings.json"],
        )
    },
    project: &[".zed/settings.json"],
    stdio: Some(&[("source", Part::Text("custom")), ("command", Part::Command), ("args", Part::Args)]),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{config}/zed", "{appdata}/Zed", "/Applications/Zed.app"], programs: &["zed", "zeditor"] },
    processes: &["zed", "zed-editor"],
    reload: Reload::Watches,
    skills: ClientFolders { user: &["{home}/.agents/skills"], project: &[".agents/skills"] },
    pitfalls: &[
        "Zed's settings are one file with everything in it; only our entry is touched.",
        "Zed shows prompts and tools of a server, but not its resources.",
    ],
    mark: Mark::Table,
    source: "The tables of other tools, which disagree about macOS; Zed's own place is taken.",
    ..ROW
};

pub(super) const ANTIGRAVITY: Client = Client {
    id: "antigravity",
    name: "Antigravity",
    files: Files {
        choice: Choice::Every,
        ..Files::everywhere(&[
            "{home}/.gemini/config/mcp_config.json",
            "{home}/.gemini/antigravity/mcp_config.json",
            "{home}/.gemini/antigravity-cli/mcp_config.json",
        ])
    },
    project: &[".agents/mcp_config.json"],
    stdio: Some(PROGRAM),
    http: Some(SERVER_URL),
    signs: Signs {
        paths: &[
            "{home}/.gemini/config",
            "{home}/.gemini/antigravity",
            "{home}/.gemini/antigravity-cli",
            "/Applications/Antigravity.app",
        ],
        programs: &["antigravity"],
    },
    processes: &["Antigravity", "antigravity"],
    reload: Reload::Refresh,
    skills: ClientFolders {
        user: &["{home}/.gemini/config/skills", "{home}/.gemini/antigravity/skills"],
        project: &[".agents/skills", ".agent/skills"],
    },
    pitfalls: &["Its versions read different files; every one whose folder is there is written."],
    mark: Mark::Table,
    source: "The table of one tool and reports of people, which disagree about its place; the older skill folder is that of earlier versions.",
    ..ROW
};

pub(super) const CLINE: Client = Client {
    id: "cline",
    name: "Cline",
    files: Files {
        variable: Some(Variable::file("CLINE_MCP_SETTINGS_PATH")),
        ..Files::everywhere(&["{home}/.cline/data/settings/cline_mcp_settings.json"])
    },
    stdio: Some(&[("command", Part::Command), ("args", Part::Args), ("disabled", Part::Bool(false))]),
    http: Some(&[
        ("type", Part::Text("streamableHttp")),
        ("url", Part::Url),
        ("headers", BEARER),
        ("disabled", Part::Bool(false)),
    ]),
    signs: Signs {
        paths: &[
            "{home}/.cline",
            "{home}/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev",
            "{appdata}/Code/User/globalStorage/saoudrizwan.claude-dev",
            "{config}/Code/User/globalStorage/saoudrizwan.claude-dev",
        ],
        programs: &["cline"],
    },
    reload: Reload::Watches,
    skills: ClientFolders {
        user: &["{home}/.cline/skills", "{home}/.agents/skills"],
        project: &[".clinerules/skills", ".cline/skills", ".claude/skills", ".agents/skills"],
    },
    pitfalls: &["Versions from before this file moved to ~/.cline do not see the entry until they are updated."],
    mark: Mark::Read,
    source: "Its source; version 3.0.65 was run, which lists servers without connecting to them.",
    ..ROW
};

pub(super) const ROO_CODE: Client = Client {
    id: "roo-code",
    name: "Roo Code",
    files: Files::each(
        &[
            "{home}/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        ],
        &["{appdata}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"],
        &["{config}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"],
    ),
    project: &[".roo/mcp.json"],
    stdio: Some(PROGRAM),
    http: Some(&[("type", Part::Text("streamable-http")), ("url", Part::Url), ("headers", BEARER)]),
    signs: Signs {
        paths: &[
            "{home}/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline",
            "{appdata}/Code/User/globalStorage/rooveterinaryinc.roo-cline",
            "{config}/Code/User/globalStorage/rooveterinaryinc.roo-cline",
        ],
        programs: &[],
    },
    reload: Reload::Watches,
    skills: ClientFolders { user: &["{home}/.roo/skills"], project: &[".roo/skills"] },
    pitfalls: &["Roo Code was discontinued in May 2026."],
    mark: Mark::Table,
    source: "The table of one tool; when it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const JUNIE: Client = Client {
    id: "junie",
    name: "Junie",
    files: Files::everywhere(&["{home}/.junie/mcp/mcp.json"]),
    project: &[".junie/mcp/mcp.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{home}/.junie"], programs: &["junie"] },
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.junie/skills"], project: &[".junie/skills"] },
    pitfalls: &["Versions from before 2026 take no address: connect those over stdio."],
    mark: Mark::Read,
    source: "Its documentation and the table of one tool; how it spells headers, and when it reads a changed file, is not confirmed.",
    ..ROW
};

pub(super) const JETBRAINS_AI: Client = Client {
    id: "jetbrains-ai",
    name: "JetBrains AI Assistant",
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs {
        paths: &["{home}/Library/Application Support/JetBrains", "{appdata}/JetBrains", "{config}/JetBrains"],
        programs: &[],
    },
    reload: Reload::Refresh,
    pitfalls: &[
        "It keeps its servers in the settings of the IDE. Copy the entry and paste it in Tools > AI Assistant > MCP.",
    ],
    mark: Mark::Unverified,
    source: "Nothing but its settings page; how it spells headers is not confirmed.",
    ..ROW
};
