//! Chat apps, terminals, and clients whose files are YAML.

use super::parts::{ADDRESS, BEARER, PROGRAM};
use crate::{
    Part,
    client::{Client, ClientFolders, Files, Format, Key, Link, MCP_SERVERS, Mark, ROW, Reload, Signs},
};

pub(super) const LM_STUDIO: Client = Client {
    id: "lm-studio",
    name: "LM Studio",
    files: Files::everywhere(&["{home}/.lmstudio/mcp.json", "{home}/.cache/lm-studio/mcp.json"]),
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs {
        paths: &["{home}/.lmstudio", "{home}/.cache/lm-studio", "/Applications/LM Studio.app"],
        programs: &["lms"],
    },
    processes: &["LM Studio", "lm-studio"],
    reload: Reload::Refresh,
    link: Some(Link::Base64("lmstudio://add_mcp")),
    mark: Mark::Read,
    source: "Its documentation; whether it sees a file that another program changed is not confirmed.",
    ..ROW
};

pub(super) const BOLTAI: Client = Client {
    id: "boltai",
    name: "BoltAI",
    files: Files::each(&["{home}/.boltai/mcp.json"], &[], &[]),
    stdio: Some(PROGRAM),
    signs: Signs { paths: &["/Applications/BoltAI.app"], programs: &[] },
    processes: &["BoltAI"],
    reload: Reload::Restart,
    pitfalls: &["BoltAI is a program for macOS alone."],
    mark: Mark::Unverified,
    source: "The table of one tool names its file; how it spells an entry is not confirmed.",
    ..ROW
};

pub(super) const WARP: Client = Client {
    id: "warp",
    name: "Warp",
    files: Files::everywhere(&["{home}/.warp/.mcp.json"]),
    project: &[".warp/.mcp.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{home}/.warp", "/Applications/Warp.app"], programs: &["warp-terminal", "warp"] },
    processes: &["warp", "Warp"],
    reload: Reload::Refresh,
    skills: ClientFolders {
        user: &["{home}/.agents/skills", "{home}/.claude/skills"],
        project: &[".agents/skills", ".claude/skills"],
    },
    pitfalls: &[
        "A server is started in Settings > Agents > MCP servers.",
        "It can read the files of other agents too.",
    ],
    mark: Mark::Read,
    source: "A skill that Warp publishes for its own agent.",
    ..ROW
};

pub(super) const CONTINUE: Client = Client {
    id: "continue",
    name: "Continue",
    format: Format::Yaml,
    key: Key { list: true, ..MCP_SERVERS },
    files: Files::everywhere(&["{home}/.continue/config.yaml"]),
    stdio: Some(&[("name", Part::Name), ("command", Part::Command), ("args", Part::Args)]),
    http: Some(&[
        ("name", Part::Name),
        ("type", Part::Text("streamable-http")),
        ("url", Part::Url),
        ("requestOptions", Part::Map(&[("headers", BEARER)])),
    ]),
    signs: Signs { paths: &["{home}/.continue"], programs: &["cn"] },
    reload: Reload::Watches,
    skills: ClientFolders { user: &["{home}/.continue/skills"], project: &[".continue/skills", ".claude/skills"] },
    pitfalls: &["Start Continue once before: it wants a name and a version at the top of this file."],
    mark: Mark::Read,
    source: "Its source and the tables of other tools; when it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const GOOSE: Client = Client {
    id: "goose",
    name: "Goose",
    format: Format::Yaml,
    key: Key::map(&["extensions"]),
    files: Files::each(
        &["{home}/.config/goose/config.yaml"],
        &["{appdata}/Block/goose/config/config.yaml"],
        &["{config}/goose/config.yaml"],
    ),
    stdio: Some(&[
        ("name", Part::Name),
        ("type", Part::Text("stdio")),
        ("cmd", Part::Command),
        ("args", Part::Args),
        ("envs", Part::Map(&[])),
        ("env_keys", Part::List(&[])),
        ("enabled", Part::Bool(true)),
        ("timeout", Part::Number(300)),
    ]),
    http: Some(&[
        ("name", Part::Name),
        ("type", Part::Text("streamable_http")),
        ("uri", Part::Url),
        ("headers", BEARER),
        ("enabled", Part::Bool(true)),
        ("timeout", Part::Number(300)),
    ]),
    signs: Signs {
        paths: &["{config}/goose", "{appdata}/Block/goose", "/Applications/Goose.app"],
        programs: &["goose"],
    },
    processes: &["goose", "Goose"],
    reload: Reload::Session,
    skills: ClientFolders {
        user: &["{config}/goose/skills", "{home}/.agents/skills"],
        project: &[".goose/skills", ".agents/skills"],
    },
    link: Some(Link::Goose),
    pitfalls: &["Goose's link cannot run our program and carries no token; the header has to be added in Goose."],
    mark: Mark::Table,
    source: "The tables of other tools.",
    ..ROW
};
