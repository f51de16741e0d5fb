//! One row per client. A fact about a client stands here and nowhere else.

/// An MCP client: where its file is, how our entry is spelled there, what to do afterwards.
#[derive(Debug)]
pub struct Client {
    /// Its id in our own files and in `--client`: `claude-desktop`.
    pub id: &'static str,
    /// Its name as people say it.
    pub name: &'static str,
    /// How its file is written.
    pub format: Format,
    /// The key that holds the servers.
    pub key: &'static str,
    /// Candidate paths of its file per platform, with `{home}`, `{config}`, `{appdata}` and
    /// `{localappdata}` for the machine's folders and `*` for one folder that must exist.
    pub macos: &'static [&'static str],
    /// See [`Client::macos`].
    pub windows: &'static [&'static str],
    /// See [`Client::macos`].
    pub linux: &'static [&'static str],
}

/// How a client's file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Strict JSON: a comment or a trailing comma loses all the servers.
    Json,
}

/// Every client that we know.
pub static TABLE: &[Client] = &[Client {
    id: "claude-desktop",
    name: "Claude Desktop",
    format: Format::Json,
    key: "mcpServers",
    macos: &["{home}/Library/Application Support/Claude/claude_desktop_config.json"],
    windows: &[
        "{appdata}/Claude/claude_desktop_config.json",
        "{localappdata}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
        "{localappdata}/Claude-Data/claude_*/claude_desktop_config.json",
    ],
    linux: &["{config}/Claude/claude_desktop_config.json"],
}];

/// The row of a client.
pub fn client(id: &str) -> Option<&'static Client> {
    TABLE.iter().find(|client| client.id == id)
}
