//! Clients whose files are YAML.

use crate::{
    Part,
    client::{Client, Files, Format, Key, MCP_SERVERS, Mark, ROW, Reload},
};

const BEARER: Part = Part::Map(&[("Authorization", Part::Bearer)]);

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
    reload: Reload::Watches,
    mark: Mark::Read,
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
    reload: Reload::Session,
    mark: Mark::Table,
    ..ROW
};
