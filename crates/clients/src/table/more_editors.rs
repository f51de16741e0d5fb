//! Further editors, and their extensions.

use super::{
    code::{SERVERS, TRAE},
    editors::ROO_CODE,
    parts::{ADDRESS, BEARER, PROGRAM},
};
use crate::{
    Part,
    client::{Client, ClientFolders, Files, Mark, ROW, Reload, Signs},
};

/// Windsurf since June 2026. Its older versions have a row of their own: they read another file, in another form.
pub(super) const DEVIN: Client = Client {
    id: "devin",
    name: "Devin Desktop",
    files: Files::each(
        &["{home}/.config/devin/mcp_config.json"],
        &["{appdata}/devin/mcp_config.json"],
        &["{config}/devin/mcp_config.json"],
    ),
    project: &[".devin/mcp_config.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs { paths: &["{config}/devin", "{appdata}/devin", "/Applications/Devin.app"], programs: &["devin"] },
    processes: &["Devin", "devin"],
    reload: Reload::Refresh,
    skills: ClientFolders { user: &["{config}/devin/skills"], project: &[".agents/skills"] },
    pitfalls: &["It asks before an agent calls a tool of a server for the first time."],
    mark: Mark::Table,
    source: "The pages of three other products, which agree about its file; its skill folders and when it reads a changed file are not confirmed.",
    ..ROW
};

pub(super) const ZOO_CODE: Client = Client {
    id: "zoo-code",
    name: "Zoo Code",
    files: Files::each(
        &[
            "{home}/Library/Application Support/Code/User/globalStorage/zoocodeorganization.zoo-code/settings/mcp_settings.json",
        ],
        &["{appdata}/Code/User/globalStorage/zoocodeorganization.zoo-code/settings/mcp_settings.json"],
        &["{config}/Code/User/globalStorage/zoocodeorganization.zoo-code/settings/mcp_settings.json"],
    ),
    signs: Signs {
        paths: &[
            "{home}/Library/Application Support/Code/User/globalStorage/zoocodeorganization.zoo-code",
            "{appdata}/Code/User/globalStorage/zoocodeorganization.zoo-code",
            "{config}/Code/User/globalStorage/zoocodeorganization.zoo-code",
        ],
        programs: &[],
    },
    pitfalls: &["In editors other than VS Code, its file is elsewhere: add it as a client of your own."],
    mark: Mark::Table,
    source: "The tables of other tools name its file; it goes on where Roo Code stopped, and that row's spelling, project file and skill folders are taken.",
    ..ROO_CODE
};

pub(super) const COPILOT_JETBRAINS: Client = Client {
    id: "copilot-jetbrains",
    name: "GitHub Copilot for JetBrains",
    key: SERVERS,
    files: Files::each(
        &["{home}/.config/github-copilot/intellij/mcp.json"],
        &["{localappdata}/github-copilot/intellij/mcp.json"],
        &["{config}/github-copilot/intellij/mcp.json"],
    ),
    stdio: Some(PROGRAM),
    http: Some(&[("url", Part::Url), ("requestInit", Part::Map(&[("headers", BEARER)]))]),
    signs: Signs {
        paths: &[
            "{home}/.config/github-copilot/intellij",
            "{config}/github-copilot/intellij",
            "{localappdata}/github-copilot/intellij",
        ],
        programs: &[],
    },
    reload: Reload::Restart,
    mark: Mark::Table,
    source: "The tables of other tools, one of which names another place on macOS; when it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const QODER: Client = Client {
    id: "qoder",
    name: "Qoder",
    files: Files::each(
        &["{home}/Library/Application Support/Qoder/SharedClientCache/mcp.json"],
        &["{appdata}/Qoder/SharedClientCache/mcp.json"],
        &["{config}/Qoder/SharedClientCache/mcp.json"],
    ),
    stdio: Some(PROGRAM),
    signs: Signs {
        paths: &[
            "{home}/Library/Application Support/Qoder",
            "{appdata}/Qoder",
            "{config}/Qoder",
            "{home}/.qoder",
            "/Applications/Qoder.app",
        ],
        programs: &["qoder"],
    },
    processes: &["Qoder", "qoder"],
    reload: Reload::Refresh,
    skills: ClientFolders { user: &["{home}/.qoder/skills"], project: &[".qoder/skills"] },
    pitfalls: &["Its program for the terminal keeps its servers elsewhere."],
    mark: Mark::Table,
    source: "The tables of other tools; its place on Linux, how it spells an address, and its skill folders are not confirmed.",
    ..ROW
};

pub(super) const TRAE_CN: Client = Client {
    id: "trae-cn",
    name: "Trae CN",
    files: Files::each(
        &["{home}/Library/Application Support/Trae CN/User/mcp.json"],
        &["{appdata}/Trae CN/User/mcp.json"],
        &["{config}/Trae CN/User/mcp.json"],
    ),
    signs: Signs {
        paths: &[
            "{home}/.trae-cn",
            "/Applications/Trae CN.app",
            "{home}/Library/Application Support/Trae CN/User",
            "{appdata}/Trae CN/User",
            "{config}/Trae CN/User",
        ],
        programs: &["trae-cn"],
    },
    processes: &["Trae CN", "trae-cn"],
    skills: ClientFolders { user: &["{home}/.trae-cn/skills"], project: &[".trae/skills"] },
    pitfalls: &[],
    source: "The tables of other tools, which agree; the file of a project and when it reads a changed file are not confirmed.",
    ..TRAE
};

pub(super) const JETBRAINS_AIR: Client = Client {
    id: "jetbrains-air",
    name: "JetBrains Air",
    project: &[".air/mcp.json"],
    stdio: Some(PROGRAM),
    signs: Signs { paths: &["/Applications/Air.app"], programs: &[] },
    reload: Reload::Refresh,
    pitfalls: &[
        "Where it keeps the servers of all projects is not told. Copy the entry and paste it in Settings > AI | MCP Servers > Add Global MCP Server, or connect it for one project.",
        "It reads a project's .mcp.json as well, when its setting for workspace servers is on.",
    ],
    mark: Mark::Read,
    source: "Its documentation names the files of a project; how it spells an entry, and how it is found, is not confirmed.",
    ..ROW
};
