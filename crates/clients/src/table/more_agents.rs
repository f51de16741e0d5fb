//! Further agents for the terminal.

use super::parts::{ADDRESS, BEARER, HTTP_ADDRESS, PROGRAM, STDIO_PROGRAM};
use crate::{
    Part,
    client::{Client, ClientFolders, Files, Format, Key, MCP_SERVERS, Mark, ROW, Reload, Signs, Takes, Variable},
};

pub(super) const AMP: Client = Client {
    id: "amp",
    name: "Amp",
    format: Format::Jsonc,
    key: Key::map(&["amp.mcpServers"]),
    takes: Takes { trailing_commas: true, ..ROW.takes },
    files: Files::each(
        &["{home}/.config/amp/settings.json", "{home}/.config/amp/settings.jsonc"],
        &["{appdata}/amp/settings.json", "{appdata}/amp/settings.jsonc"],
        &["{config}/amp/settings.json", "{config}/amp/settings.jsonc"],
    ),
    project: &[".amp/settings.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{config}/amp", "{appdata}/amp"], programs: &["amp"] },
    processes: &["amp"],
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{config}/agents/skills", "{home}/.agents/skills"], project: &[".agents/skills"] },
    pitfalls: &["The name that holds its servers has a dot in it; it is one name, not two."],
    mark: Mark::Table,
    source: "The tables of other tools; one of them names another file.",
    ..ROW
};

pub(super) const CRUSH: Client = Client {
    id: "crush",
    name: "Crush",
    key: Key::map(&["mcp"]),
    files: Files::each(
        &["{home}/.config/crush/crush.json"],
        &["{localappdata}/crush/crush.json"],
        &["{config}/crush/crush.json"],
    ),
    project: &[".crush.json", "crush.json"],
    stdio: Some(STDIO_PROGRAM),
    http: Some(HTTP_ADDRESS),
    signs: Signs { paths: &["{config}/crush", "{localappdata}/crush"], programs: &["crush"] },
    processes: &["crush"],
    reload: Reload::Restart,
    skills: ClientFolders {
        user: &[
            "{config}/crush/skills",
            "{config}/agents/skills",
            "{home}/.agents/skills",
            "{home}/.claude/skills",
            "{localappdata}/crush/skills",
        ],
        project: &[".agents/skills", ".crush/skills", ".claude/skills", ".cursor/skills"],
    },
    mark: Mark::Read,
    source: "Its own introduction; when it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const FACTORY_DROID: Client = Client {
    id: "factory-droid",
    name: "Factory Droid",
    files: Files::everywhere(&["{home}/.factory/mcp.json"]),
    project: &[".factory/mcp.json"],
    stdio: Some(STDIO_PROGRAM),
    http: Some(HTTP_ADDRESS),
    signs: Signs { paths: &["{home}/.factory"], programs: &["droid"] },
    processes: &["droid"],
    reload: Reload::Session,
    skills: ClientFolders { user: &["{home}/.factory/skills"], project: &[".factory/skills", ".agents/skills"] },
    mark: Mark::Table,
    source: "The table of one tool; when it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const KIMI_CODE: Client = Client {
    id: "kimi-code",
    name: "Kimi Code CLI",
    files: Files {
        variable: Some(Variable::folder("KIMI_CODE_HOME", "{home}/.kimi-code", "mcp.json")),
        ..Files::everywhere(&["{home}/.kimi-code/mcp.json"])
    },
    project: &[".kimi-code/mcp.json"],
    stdio: Some(&[("transport", Part::Text("stdio")), ("command", Part::Command), ("args", Part::Args)]),
    http: Some(&[("transport", Part::Text("http")), ("url", Part::Url), ("headers", BEARER)]),
    signs: Signs { paths: &["{home}/.kimi-code"], programs: &["kimi"] },
    processes: &["kimi"],
    reload: Reload::Session,
    skills: ClientFolders { user: &["{home}/.agents/skills"], project: &[".agents/skills"] },
    pitfalls: &["The file of a project counts only in folders that it trusts."],
    mark: Mark::Table,
    source: "The table of one tool; older versions have another folder. When it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const AUGGIE: Client = Client {
    id: "auggie",
    name: "Auggie",
    files: Files::everywhere(&["{home}/.augment/settings.json"]),
    stdio: Some(PROGRAM),
    http: Some(HTTP_ADDRESS),
    signs: Signs { paths: &["{home}/.augment"], programs: &["auggie"] },
    reload: Reload::Session,
    skills: ClientFolders { user: &["{home}/.augment/skills"], project: &[".augment/skills"] },
    mark: Mark::Table,
    source: "Version 0.36.0 was run and listed its servers; whether it connected was not to be seen.",
    ..ROW
};

pub(super) const MISTRAL_VIBE: Client = Client {
    id: "mistral-vibe",
    name: "Mistral Vibe",
    format: Format::Toml,
    key: Key { list: true, ..Key::map(&["mcp_servers"]) },
    files: Files {
        variable: Some(Variable::folder("VIBE_HOME", "{home}/.vibe", "config.toml")),
        ..Files::everywhere(&["{home}/.vibe/config.toml"])
    },
    stdio: Some(&[
        ("name", Part::Name),
        ("transport", Part::Text("stdio")),
        ("command", Part::Command),
        ("args", Part::Args),
    ]),
    http: Some(&[
        ("name", Part::Name),
        ("transport", Part::Text("streamable-http")),
        ("url", Part::Url),
        ("headers", BEARER),
    ]),
    signs: Signs { paths: &["{home}/.vibe"], programs: &["vibe"] },
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.vibe/skills"], project: &[".vibe/skills"] },
    mark: Mark::Table,
    source: "The table of one tool; how it spells an entry that runs a program, and headers, is not confirmed.",
    ..ROW
};

pub(super) const GROK_BUILD: Client = Client {
    id: "grok-build",
    name: "Grok Build",
    format: Format::Toml,
    key: Key::map(&["mcp_servers"]),
    files: Files {
        variable: Some(Variable::folder("GROK_HOME", "{home}/.grok", "config.toml")),
        ..Files::everywhere(&["{home}/.grok/config.toml"])
    },
    project: &[".grok/config.toml"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{home}/.grok"], programs: &["grok"] },
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.grok/skills"], project: &[".grok/skills"] },
    mark: Mark::Table,
    source: "The table of one tool; how it spells an entry that runs a program is not confirmed.",
    ..ROW
};

pub(super) const MCPORTER: Client = Client {
    id: "mcporter",
    name: "MCPorter",
    format: Format::Jsonc,
    takes: Takes { trailing_commas: true, ..ROW.takes },
    files: Files::everywhere(&["{home}/.mcporter/mcporter.json"]),
    project: &["config/mcporter.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{home}/.mcporter"], programs: &["mcporter"] },
    reload: Reload::Session,
    pitfalls: &["It also reads the files of Cursor, VS Code, Windsurf, Codex, opencode and Claude Code."],
    mark: Mark::Read,
    source: "Its documentation; version 0.12.3 was run, but on the files of other clients.",
    ..ROW
};

pub(super) const AMAZON_Q: Client = Client {
    id: "amazon-q",
    name: "Amazon Q Developer",
    files: Files::everywhere(&["{home}/.aws/amazonq/mcp.json"]),
    signs: Signs { paths: &["{home}/.aws/amazonq"], programs: &["q"] },
    ..SIMPLE
};

pub(super) const MASTRA_CODE: Client = Client {
    id: "mastra-code",
    name: "Mastra Code",
    files: Files::everywhere(&["{home}/.mastracode/mcp.json"]),
    project: &[".mastracode/mcp.json"],
    http: Some(ADDRESS),
    signs: Signs { paths: &["{home}/.mastracode"], programs: &["mastracode"] },
    mark: Mark::Table,
    source: "What its repository says of its own changes, read elsewhere; when it reads a changed file is not confirmed.",
    ..SIMPLE
};

pub(super) const PI: Client = Client {
    id: "pi",
    name: "Pi",
    files: Files::everywhere(&["{home}/.pi/agent/mcp.json"]),
    signs: Signs { paths: &["{home}/.pi/agent"], programs: &[] },
    pitfalls: &["Pi knows MCP servers only through the extension pi-mcp-adapter."],
    ..SIMPLE
};

pub(super) const FX: Client = Client {
    id: "fx",
    name: "fx",
    key: Key::map(&["mcp"]),
    files: Files::everywhere(&["{home}/.fx/mcp.json"]),
    signs: Signs { paths: &["{home}/.fx"], programs: &[] },
    pitfalls: &["Its file takes no token; the entry runs our program instead."],
    ..SIMPLE
};

/// Agents of which only the file is known. They get no entry for an address.
const SIMPLE: Client = Client {
    key: MCP_SERVERS,
    stdio: Some(PROGRAM),
    reload: Reload::Restart,
    mark: Mark::Unverified,
    source: "The table of one tool names its file; how it spells an entry is not confirmed.",
    ..ROW
};
