//! Widely used coding agents for the terminal.

use super::parts::{BEARER, HTTP_URL, PROGRAM};
use crate::{
    Part, Shows, SkillSwitches, SwitchForm,
    client::{Client, ClientFolders, Files, Format, Key, Mark, ROW, Reload, Signs, Takes, Variable},
};

pub(super) const COPILOT_CLI: Client = Client {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    format: Format::Jsonc,
    takes: Takes { trailing_commas: true, empty_file: false, ..ROW.takes },
    files: Files {
        variable: Some(Variable::folder("COPILOT_HOME", "{home}/.copilot", "mcp-config.json")),
        ..Files::everywhere(&["{home}/.copilot/mcp-config.json"])
    },
    project: &[".mcp.json", ".github/mcp.json"],
    stdio: Some(&[
        ("type", Part::Text("local")),
        ("command", Part::Command),
        ("args", Part::Args),
        ("tools", Part::List(&["*"])),
    ]),
    http: Some(&[("type", Part::Text("http")), ("url", Part::Url), ("headers", BEARER), ("tools", Part::List(&["*"]))]),
    signs: Signs { paths: &["{home}/.copilot"], programs: &["copilot"] },
    processes: &["copilot"],
    reload: Reload::Session,
    skills: ClientFolders {
        user: &["{home}/.copilot/skills", "{home}/.agents/skills"],
        project: &[".github/skills", ".agents/skills", ".claude/skills"],
    },
    loader: Some("copilot"),
    pitfalls: &[
        "VS Code reads this file too.",
        "When Copilot CLI writes this file itself, comments in it are lost.",
        "It does not start on an empty file.",
    ],
    mark: Mark::Ran,
    source: "Version 1.0.102 was run.",
    ..ROW
};

pub(super) const CODEX: Client = Client {
    id: "codex",
    name: "Codex",
    format: Format::Toml,
    key: Key::map(&["mcp_servers"]),
    files: Files {
        variable: Some(Variable::folder("CODEX_HOME", "{home}/.codex", "config.toml")),
        ..Files::everywhere(&["{home}/.codex/config.toml"])
    },
    project: &[".codex/config.toml"],
    stdio: Some(&[
        ("command", Part::Command),
        ("args", Part::Args),
        // Codex passes few variables to a server, and without these two the server cannot find the keychain.
        ("env_vars", Part::List(&["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"])),
    ]),
    http: Some(&[("url", Part::Url), ("http_headers", BEARER)]),
    signs: Signs { paths: &["{home}/.codex", "/Applications/Codex.app"], programs: &["codex"] },
    processes: &["codex"],
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.agents/skills", "{home}/.codex/skills"], project: &[".agents/skills"] },
    switches: Some(SkillSwitches {
        project: None,
        format: Format::Toml,
        key: Key { path: &["skills", "config"], list: true, nested: None },
        form: SwitchForm::Enabled,
        shows: Shows { depth: 6, hidden: false, above: false },
        source: "Its source: `SkillConfig` has `name` or `path`, and `enabled`; rules of a project are not read (issue 24237).",
    }),
    loader: Some("codex"),
    pitfalls: &[
        "If one table is in this file twice, Codex does not start.",
        "The file of a project counts only in projects that Codex trusts.",
    ],
    mark: Mark::Ran,
    source: "Version 0.169.0 was run.",
    ..ROW
};

pub(super) const GEMINI_CLI: Client = Client {
    id: "gemini-cli",
    name: "Gemini CLI",
    format: Format::Jsonc,
    takes: Takes { trailing_commas: false, byte_order_mark: false, empty_file: false },
    files: Files {
        variable: Some(Variable::folder("GEMINI_CLI_HOME", "{home}", ".gemini/settings.json")),
        ..Files::everywhere(&["{home}/.gemini/settings.json"])
    },
    project: &[".gemini/settings.json"],
    stdio: Some(PROGRAM),
    http: Some(HTTP_URL),
    signs: Signs { paths: &["{home}/.gemini/settings.json"], programs: &["gemini"] },
    reload: Reload::Restart,
    skills: ClientFolders {
        user: &["{home}/.agents/skills", "{home}/.gemini/skills"],
        project: &[".agents/skills", ".gemini/skills"],
    },
    loader: Some("gemini-cli"),
    pitfalls: &[
        "In folders that it does not trust, Gemini CLI switches all servers off.",
        "It does not start on an empty file, a trailing comma or a byte order mark.",
    ],
    mark: Mark::Ran,
    source: "Version 0.61.0 was run.",
    ..ROW
};

pub(super) const QWEN_CODE: Client = Client {
    id: "qwen-code",
    name: "Qwen Code",
    format: Format::Jsonc,
    takes: Takes { trailing_commas: false, empty_file: false, ..ROW.takes },
    files: Files {
        variable: Some(Variable::folder("QWEN_HOME", "{home}/.qwen", "settings.json")),
        ..Files::everywhere(&["{home}/.qwen/settings.json"])
    },
    project: &[".qwen/settings.json"],
    stdio: Some(PROGRAM),
    http: Some(HTTP_URL),
    signs: Signs { paths: &["{home}/.qwen"], programs: &["qwen"] },
    reload: Reload::Restart,
    skills: ClientFolders { user: &["{home}/.qwen/skills"], project: &[".qwen/skills"] },
    pitfalls: &["It does not start on an empty file or a trailing comma."],
    mark: Mark::Ran,
    source: "Version 0.24.4 was run; its skill folders are from the table of one tool.",
    ..ROW
};

/// The row that opencode and its fork share. In newer files the servers are one level deeper.
const OPENCODE_KIND: Client = Client {
    format: Format::Jsonc,
    key: Key { nested: Some("servers"), ..Key::map(&["mcp"]) },
    takes: Takes { trailing_commas: true, ..ROW.takes },
    stdio: Some(&[("type", Part::Text("local")), ("command", Part::CommandLine), ("enabled", Part::Bool(true))]),
    reload: Reload::Restart,
    mark: Mark::Ran,
    ..ROW
};

pub(super) const OPENCODE: Client = Client {
    id: "opencode",
    name: "opencode",
    files: Files {
        variable: Some(Variable::file("OPENCODE_CONFIG")),
        ..Files::everywhere(&["{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"])
    },
    project: &["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
    http: Some(&[
        ("type", Part::Text("remote")),
        ("url", Part::Url),
        ("headers", BEARER),
        ("oauth", Part::Bool(false)),
        ("enabled", Part::Bool(true)),
    ]),
    signs: Signs { paths: &["{config}/opencode"], programs: &["opencode"] },
    processes: &["opencode"],
    skills: ClientFolders {
        user: &["{config}/opencode/skills", "{home}/.claude/skills", "{home}/.agents/skills"],
        project: &[".opencode/skills", ".claude/skills", ".agents/skills"],
    },
    loader: Some("opencode"),
    pitfalls: &["A key that opencode does not know at the top of this file, and it does not start."],
    source: "Version 1.18.33 was run.",
    ..OPENCODE_KIND
};

pub(super) const KILO_CODE: Client = Client {
    id: "kilo-code",
    name: "Kilo Code",
    files: Files::everywhere(&["{config}/kilo/kilo.jsonc", "{config}/kilo/kilo.json"]),
    project: &["kilo.json", "kilo.jsonc", ".kilo/kilo.json", ".kilo/kilo.jsonc"],
    http: Some(&[
        ("type", Part::Text("remote")),
        ("url", Part::Url),
        ("headers", BEARER),
        ("enabled", Part::Bool(true)),
    ]),
    signs: Signs {
        paths: &[
            "{config}/kilo",
            "{home}/Library/Application Support/Code/User/globalStorage/kilocode.kilo-code",
            "{appdata}/Code/User/globalStorage/kilocode.kilo-code",
            "{config}/Code/User/globalStorage/kilocode.kilo-code",
        ],
        programs: &["kilo"],
    },
    processes: &["kilo"],
    skills: ClientFolders {
        user: &["{home}/.kilo/skills", "{home}/.agents/skills", "{home}/.claude/skills"],
        project: &[".agents/skills", ".claude/skills"],
    },
    source: "Version 7.7.9 of its program for the terminal was run; the skill folders are not confirmed.",
    ..OPENCODE_KIND
};
