//! Further chat apps.

use super::parts::{BEARER, PROGRAM};
use crate::{
    Part,
    client::{Client, ClientFolders, Files, Format, Mark, ROW, Reload, Signs},
};

pub(super) const JAN: Client = Client {
    id: "jan",
    name: "Jan",
    files: Files::each(
        &["{home}/Library/Application Support/Jan/data/mcp_config.json"],
        &["{appdata}/Jan/data/mcp_config.json"],
        &["{home}/.local/share/Jan/data/mcp_config.json"],
    ),
    stdio: Some(&[
        ("command", Part::Command),
        ("args", Part::Args),
        ("env", Part::Map(&[])),
        ("active", Part::Bool(true)),
    ]),
    http: Some(&[
        ("type", Part::Text("http")),
        ("url", Part::Url),
        ("headers", BEARER),
        ("command", Part::Text("")),
        ("args", Part::List(&[])),
        ("active", Part::Bool(true)),
    ]),
    signs: Signs {
        paths: &[
            "{home}/Library/Application Support/Jan",
            "{appdata}/Jan",
            "{home}/.local/share/Jan",
            "/Applications/Jan.app",
        ],
        programs: &["jan"],
    },
    processes: &["Jan", "jan"],
    reload: Reload::Restart,
    pitfalls: &["A data folder that was moved in Jan's settings holds the file that counts."],
    mark: Mark::Table,
    source: "The tables of other tools, which disagree about Linux; one report says that the servers are at the top of the file.",
    ..ROW
};

pub(super) const ANYTHINGLLM: Client = Client {
    id: "anythingllm",
    name: "AnythingLLM",
    files: Files::each(
        &["{home}/Library/Application Support/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json"],
        &["{appdata}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json"],
        &["{config}/anythingllm-desktop/storage/plugins/anythingllm_mcp_servers.json"],
    ),
    stdio: Some(PROGRAM),
    http: Some(&[("type", Part::Text("streamable")), ("url", Part::Url), ("headers", BEARER)]),
    signs: Signs {
        paths: &[
            "{home}/Library/Application Support/anythingllm-desktop",
            "{appdata}/anythingllm-desktop",
            "{config}/anythingllm-desktop",
            "/Applications/AnythingLLM.app",
        ],
        programs: &[],
    },
    processes: &["AnythingLLM", "anythingllm-desktop"],
    reload: Reload::Refresh,
    pitfalls: &[
        "Its servers are started when an agent is first called, or in Agent Skills > MCP Servers > Refresh.",
        "In a container it cannot run programs of this computer, and keeps its file there.",
    ],
    mark: Mark::Table,
    source: "The tables of other tools; how it spells an address is not confirmed.",
    ..ROW
};

pub(super) const LIBRECHAT: Client = Client {
    id: "librechat",
    name: "LibreChat",
    format: Format::Yaml,
    project: &["librechat.yaml"],
    stdio: Some(&[("type", Part::Text("stdio")), ("command", Part::Command), ("args", Part::Args)]),
    http: Some(&[("type", Part::Text("streamable-http")), ("url", Part::Url), ("headers", BEARER)]),
    signs: Signs { paths: &["{home}/LibreChat"], programs: &[] },
    reload: Reload::Restart,
    skills: ClientFolders { user: &[], project: &[] },
    pitfalls: &[
        "Its file librechat.yaml is in the folder where it was installed: connect that folder as a project, or add the entry by hand.",
        "In a container it cannot run programs of this computer.",
    ],
    mark: Mark::Unverified,
    source: "What people write about it; nobody has confirmed how it spells an entry.",
    ..ROW
};
