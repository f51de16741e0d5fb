//! Visual Studio Code, its forks, and other programs that read the same files.

use super::parts::{ADDRESS, HTTP_ADDRESS, PROGRAM, STDIO_PROGRAM};
use crate::{
    Part,
    client::{Client, ClientFolders, Files, Format, Key, Link, Mark, ROW, Reload, Signs, Takes},
};

pub(super) const SERVERS: Key = Key::map(&["servers"]);

/// The row that all builds of VS Code share.
const CODE: Client = Client {
    format: Format::Jsonc,
    key: SERVERS,
    takes: Takes { trailing_commas: true, ..ROW.takes },
    project: &[".vscode/mcp.json"],
    stdio: Some(STDIO_PROGRAM),
    http: Some(HTTP_ADDRESS),
    reload: Reload::Watches,
    skills: ClientFolders {
        user: &["{home}/.copilot/skills", "{home}/.agents/skills", "{home}/.claude/skills"],
        project: &[".github/skills", ".agents/skills", ".claude/skills"],
    },
    pitfalls: &[
        "At the first start of the server it asks whether you trust it.",
        "Profiles other than the default one have a file of their own.",
        "It can also take over the servers of Claude Desktop; the same server is then listed twice.",
    ],
    mark: Mark::Read,
    source: "Its documentation.",
    ..ROW
};

pub(super) const VSCODE: Client = Client {
    id: "vscode",
    name: "VS Code",
    files: Files {
        sandboxed: &["{home}/.var/app/com.visualstudio.code/config/Code/User/mcp.json"],
        ..Files::each(
            &["{home}/Library/Application Support/Code/User/mcp.json"],
            &["{appdata}/Code/User/mcp.json"],
            &["{config}/Code/User/mcp.json"],
        )
    },
    signs: Signs {
        paths: &[
            "/Applications/Visual Studio Code.app",
            "{home}/Library/Application Support/Code/User",
            "{appdata}/Code/User",
            "{config}/Code/User",
        ],
        programs: &["code"],
    },
    processes: &["Code", "code"],
    link: Some(Link::Whole("vscode:mcp/install")),
    ..CODE
};

pub(super) const VSCODE_INSIDERS: Client = Client {
    id: "vscode-insiders",
    name: "VS Code Insiders",
    files: Files::each(
        &["{home}/Library/Application Support/Code - Insiders/User/mcp.json"],
        &["{appdata}/Code - Insiders/User/mcp.json"],
        &["{config}/Code - Insiders/User/mcp.json"],
    ),
    signs: Signs {
        paths: &[
            "/Applications/Visual Studio Code - Insiders.app",
            "{home}/Library/Application Support/Code - Insiders/User",
            "{appdata}/Code - Insiders/User",
            "{config}/Code - Insiders/User",
        ],
        programs: &["code-insiders"],
    },
    processes: &["Code - Insiders", "code-insiders"],
    link: Some(Link::Whole("vscode-insiders:mcp/install")),
    ..CODE
};

pub(super) const VSCODIUM: Client = Client {
    id: "vscodium",
    name: "VSCodium",
    files: Files {
        sandboxed: &["{home}/.var/app/com.vscodium.codium/config/VSCodium/User/mcp.json"],
        ..Files::each(
            &["{home}/Library/Application Support/VSCodium/User/mcp.json"],
            &["{appdata}/VSCodium/User/mcp.json"],
            &["{config}/VSCodium/User/mcp.json"],
        )
    },
    signs: Signs {
        paths: &[
            "/Applications/VSCodium.app",
            "{home}/Library/Application Support/VSCodium/User",
            "{appdata}/VSCodium/User",
            "{config}/VSCodium/User",
        ],
        programs: &["codium"],
    },
    processes: &["VSCodium", "codium"],
    pitfalls: &["It reads the file only where an extension for chat with agents is installed."],
    mark: Mark::Unverified,
    source: "VS Code's documentation; that VSCodium keeps to it is not confirmed.",
    ..CODE
};

pub(super) const VISUAL_STUDIO: Client = Client {
    id: "visual-studio",
    name: "Visual Studio",
    key: SERVERS,
    files: Files::each(&[], &["{home}/.mcp.json"], &[]),
    project: &[".vs/mcp.json", ".mcp.json"],
    stdio: Some(STDIO_PROGRAM),
    http: Some(HTTP_ADDRESS),
    signs: Signs {
        paths: &["{appdata}/Microsoft/VisualStudio", "{localappdata}/Microsoft/VisualStudio"],
        programs: &["devenv"],
    },
    processes: &["devenv"],
    reload: Reload::Restart,
    pitfalls: &[
        "A project's .mcp.json is read by Claude Code and Copilot CLI too, which want the servers under another name.",
    ],
    mark: Mark::Read,
    source: "Its documentation; how its file takes headers, and how it is found, is not confirmed.",
    ..ROW
};

pub(super) const CURSOR: Client = Client {
    id: "cursor",
    name: "Cursor",
    files: Files::everywhere(&["{home}/.cursor/mcp.json"]),
    project: &[".cursor/mcp.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs {
        paths: &["{home}/.cursor", "/Applications/Cursor.app", "{appdata}/Cursor", "{config}/Cursor"],
        programs: &["cursor", "cursor-agent"],
    },
    processes: &["Cursor", "cursor"],
    reload: Reload::Refresh,
    skills: ClientFolders {
        user: &["{home}/.cursor/skills", "{home}/.agents/skills", "{home}/.claude/skills"],
        project: &[".agents/skills", ".cursor/skills", ".claude/skills"],
    },
    link: Some(Link::Base64("cursor://anysphere.cursor-deeplink/mcp/install")),
    pitfalls: &["A server of the same name in a project's .cursor/mcp.json wins over this one."],
    mark: Mark::Read,
    source: "Its documentation and four tables of other tools; when it reads a changed file is not confirmed.",
    ..ROW
};

pub(super) const WINDSURF: Client = Client {
    id: "windsurf",
    name: "Windsurf",
    files: Files::everywhere(&["{home}/.codeium/windsurf/mcp_config.json"]),
    stdio: Some(PROGRAM),
    http: Some(super::parts::SERVER_URL),
    signs: Signs {
        paths: &["{home}/.codeium/windsurf", "/Applications/Windsurf.app", "{appdata}/Windsurf"],
        programs: &["windsurf"],
    },
    processes: &["Windsurf", "windsurf"],
    reload: Reload::Refresh,
    skills: ClientFolders {
        user: &["{home}/.codeium/windsurf/skills", "{home}/.agents/skills"],
        project: &[".windsurf/skills", ".agents/skills"],
    },
    pitfalls: &[
        "It takes 100 tools of all servers together.",
        "Since June 2026 it is Devin Desktop, which reads a file of its own: connect that client after the update.",
    ],
    mark: Mark::Read,
    source: "Its documentation and the tables of other tools.",
    ..ROW
};

pub(super) const KIRO: Client = Client {
    id: "kiro",
    name: "Kiro",
    files: Files::everywhere(&["{home}/.kiro/settings/mcp.json"]),
    project: &[".kiro/settings/mcp.json"],
    stdio: Some(&[("command", Part::Command), ("args", Part::Args), ("disabled", Part::Bool(false))]),
    http: Some(&[("url", Part::Url), ("headers", super::parts::BEARER), ("disabled", Part::Bool(false))]),
    signs: Signs { paths: &["{home}/.kiro", "/Applications/Kiro.app"], programs: &["kiro", "kiro-cli"] },
    processes: &["Kiro", "kiro"],
    reload: Reload::Watches,
    skills: ClientFolders { user: &["{home}/.kiro/skills"], project: &[".kiro/skills"] },
    pitfalls: &[
        "A server of the same name in a project's .kiro/settings/mcp.json wins over this one.",
        "Agents of your own see skills only when they name them as a resource.",
    ],
    mark: Mark::Read,
    source: "Its documentation and the tables of other tools.",
    ..ROW
};

pub(super) const TRAE: Client = Client {
    id: "trae",
    name: "Trae",
    files: Files::each(
        &["{home}/Library/Application Support/Trae/User/mcp.json"],
        &["{appdata}/Trae/User/mcp.json"],
        &["{config}/Trae/User/mcp.json"],
    ),
    project: &[".trae/mcp.json"],
    stdio: Some(PROGRAM),
    http: Some(ADDRESS),
    signs: Signs {
        paths: &[
            "{home}/.trae",
            "/Applications/Trae.app",
            "{home}/Library/Application Support/Trae/User",
            "{appdata}/Trae/User",
            "{config}/Trae/User",
        ],
        programs: &["trae"],
    },
    processes: &["Trae", "trae"],
    reload: Reload::Refresh,
    skills: ClientFolders { user: &["{home}/.trae/skills"], project: &[".trae/skills"] },
    pitfalls: &["The edition Trae CN has folders of its own, and a row of its own here."],
    mark: Mark::Table,
    source: "The tables of two tools; the file of a project and when it reads a changed file are not confirmed.",
    ..ROW
};
