//! Coding agents of the terminal.

use crate::{
    Part,
    client::{Client, Files, Format, Key, Mark, ROW, Reload},
};

const BEARER: Part = Part::Map(&[("Authorization", Part::Bearer)]);

pub(super) const CODEX: Client = Client {
    id: "codex",
    name: "Codex",
    format: Format::Toml,
    key: Key::map(&["mcp_servers"]),
    files: Files { variable: Some(("CODEX_HOME", "config.toml")), ..Files::everywhere(&["{home}/.codex/config.toml"]) },
    project: &[".codex/config.toml"],
    stdio: Some(&[("command", Part::Command), ("args", Part::Args)]),
    http: Some(&[("url", Part::Url), ("http_headers", BEARER)]),
    reload: Reload::Restart,
    mark: Mark::Ran,
    ..ROW
};

pub(super) const MISTRAL_VIBE: Client = Client {
    id: "mistral-vibe",
    name: "Mistral Vibe",
    format: Format::Toml,
    key: Key { list: true, ..Key::map(&["mcp_servers"]) },
    files: Files { variable: Some(("VIBE_HOME", "config.toml")), ..Files::everywhere(&["{home}/.vibe/config.toml"]) },
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
    mark: Mark::Table,
    ..ROW
};

pub(super) const GROK_BUILD: Client = Client {
    id: "grok-build",
    name: "Grok Build",
    format: Format::Toml,
    key: Key::map(&["mcp_servers"]),
    files: Files { variable: Some(("GROK_HOME", "config.toml")), ..Files::everywhere(&["{home}/.grok/config.toml"]) },
    project: &[".grok/config.toml"],
    stdio: Some(&[("command", Part::Command), ("args", Part::Args)]),
    http: Some(&[("url", Part::Url), ("headers", BEARER)]),
    mark: Mark::Table,
    ..ROW
};
