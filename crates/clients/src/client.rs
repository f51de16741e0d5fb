//! The columns of the client table: everything a row describes about one client.

use crate::{SkillSwitches, Template};

/// An MCP client: the location of its file, the form of our entry, and what the user does afterwards.
///
/// Paths are patterns: `{home}`, `{config}`, `{appdata}` and `{localappdata}` are the machine's folders, `*` matches
/// the name of one existing folder.
#[derive(Debug)]
pub struct Client {
    /// Its id in our own files and in `--client`, for example `claude-desktop`.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// The format of its file.
    pub format: Format,
    /// The key in its file that holds the servers.
    pub key: Key,
    /// What it accepts in its file beyond the format's own rules. Anything not known to be refused counts as accepted.
    pub takes: Takes,
    /// The user's own file.
    pub files: Files,
    /// Files in a project folder, relative to it. The first is created if none exists.
    pub project: &'static [&'static str],
    /// The template of an entry that runs our program.
    pub stdio: Option<Template>,
    /// The template of an entry that connects to our endpoint; `None` if its file has no such entries.
    pub http: Option<Template>,
    /// Signs that the client is installed on this machine.
    pub signs: Signs,
    /// The names of its processes, without `.exe`; only set where a running client matters.
    pub processes: &'static [&'static str],
    /// When it reads a changed file.
    pub reload: Reload,
    /// The folders in which it discovers skills by itself.
    pub skills: ClientFolders,
    /// Where its settings switch single skills of these folders, if they do.
    pub switches: Option<SkillSwitches>,
    /// The row of the skill loader table that decides which skills it would load.
    pub loader: Option<&'static str>,
    /// The link that opens it and offers to add our entry.
    pub link: Option<Link>,
    /// Known pitfalls, as sentences for the window.
    pub pitfalls: &'static [&'static str],
    /// How reliable the row is.
    pub mark: Mark,
    /// The source of the row.
    pub source: &'static str,
}

/// The format of a client's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON without comments.
    Json,
    /// JSON with comments.
    Jsonc,
    /// TOML 1.0.
    Toml,
    /// YAML 1.2.
    Yaml,
}

/// Where a file holds the servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The names that lead to them from the top of the file. A name may contain dots.
    pub path: &'static [&'static str],
    /// Whether they are a list of maps with a `name` each, instead of a map by name.
    pub list: bool,
    /// The name of an inner map that holds the servers in files of a newer version.
    pub nested: Option<&'static str>,
}

/// What a client accepts in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Takes {
    /// A comma after the last value of an object or list.
    pub trailing_commas: bool,
    /// A byte order mark at the start.
    pub byte_order_mark: bool,
    /// A file of zero bytes.
    pub empty_file: bool,
}

/// The candidates for a user's own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Files {
    /// On macOS.
    pub macos: &'static [&'static str],
    /// On Windows.
    pub windows: &'static [&'static str],
    /// On Linux.
    pub linux: &'static [&'static str],
    /// Which of several candidates is written.
    pub choice: Choice,
    /// An environment variable. If it is set, the file is at the path it names and nowhere else.
    pub variable: Option<Variable>,
    /// The file of a sandboxed copy of the client, which cannot run our program.
    pub sandboxed: &'static [&'static str],
}

/// An environment variable that moves a client's file or one of its whole folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The file's path inside the folder that the variable names; empty if it names the file itself.
    pub file: &'static str,
    /// The folder that the named one replaces, including the skills in it; empty if the variable names the file.
    pub instead_of: &'static str,
}

impl Variable {
    /// A variable that names the file.
    pub(crate) const fn file(name: &'static str) -> Self {
        Self { name, file: "", instead_of: "" }
    }

    /// A variable that names a folder, which replaces `instead_of`.
    pub(crate) const fn folder(name: &'static str, instead_of: &'static str, file: &'static str) -> Self {
        Self { name, file, instead_of }
    }
}

/// Which of several candidates is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The first that exists, or the first of all.
    First,
    /// Every one whose folder exists, or the first of all: which one the client reads cannot be determined.
    Every,
}

/// Signs that a client is installed on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs {
    /// Files, folders and apps. Paths in `/Applications` are checked on macOS, those in `{appdata}` and
    /// `{localappdata}` on Windows.
    pub paths: &'static [&'static str],
    /// Programs on PATH, without `.exe`.
    pub programs: &'static [&'static str],
}

/// When a client reads a changed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reload {
    /// The user has to quit it, not only close its window, and start it again.
    Quit,
    /// The user has to restart it.
    Restart,
    /// In its next session.
    Session,
    /// When its list of servers is refreshed, or when it is restarted.
    Refresh,
    /// By itself.
    Watches,
}

/// The folders in which a client discovers skills by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientFolders {
    /// The user's own.
    pub user: &'static [&'static str],
    /// Those in a project, relative to it.
    pub project: &'static [&'static str],
}

/// A link that opens a client and offers to add our entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The text before `?name=...&config=`, which takes the entry in base64.
    Base64(&'static str),
    /// The text before `?`, which takes the entry with its name, percent-encoded.
    Whole(&'static str),
    /// Goose, which takes the endpoint's address but no program.
    Goose,
}

/// How reliable a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Tested: the real program was run with this entry.
    Ran,
    /// Read in the client's source or own documentation.
    Read,
    /// Taken from the table of another tool.
    Table,
    /// Unconfirmed.
    Unverified,
}

/// An empty row: the defaults that every row builds on.
pub(crate) const ROW: Client = Client {
    id: "",
    name: "",
    format: Format::Json,
    key: MCP_SERVERS,
    takes: Takes { trailing_commas: false, byte_order_mark: true, empty_file: true },
    files: Files::NONE,
    project: &[],
    stdio: None,
    http: None,
    signs: Signs { paths: &[], programs: &[] },
    processes: &[],
    reload: Reload::Restart,
    skills: ClientFolders { user: &[], project: &[] },
    switches: None,
    loader: None,
    link: None,
    pitfalls: &[],
    mark: Mark::Unverified,
    source: "",
};

/// `mcpServers`, as in most clients.
pub(crate) const MCP_SERVERS: Key = Key::map(&["mcpServers"]);

impl Key {
    /// A map by name.
    pub(crate) const fn map(path: &'static [&'static str]) -> Self {
        Self { path, list: false, nested: None }
    }

    /// The name used in error messages.
    pub(crate) fn name(&self) -> &'static str {
        self.path.last().copied().unwrap_or_default()
    }
}

impl Client {
    /// The sentence that says what makes the client read a changed file.
    pub fn to_reload(&self) -> String {
        let name = self.name;
        match self.reload {
            Reload::Quit => format!("Quit {name}, not only its window, and start it again."),
            Reload::Restart => format!("Restart {name}."),
            Reload::Session => format!("{name} knows it from its next session on."),
            Reload::Refresh => format!("Refresh the list of MCP servers in {name}, or restart it."),
            Reload::Watches => format!("{name} reads it by itself."),
        }
    }
}

impl Files {
    /// No file at all.
    pub(crate) const NONE: Self = Self::everywhere(&[]);

    /// The same on every system.
    pub(crate) const fn everywhere(paths: &'static [&'static str]) -> Self {
        Self { macos: paths, windows: paths, linux: paths, choice: Choice::First, variable: None, sandboxed: &[] }
    }

    /// One path for each system.
    pub(crate) const fn each(
        macos: &'static [&'static str],
        windows: &'static [&'static str],
        linux: &'static [&'static str],
    ) -> Self {
        Self { macos, windows, linux, ..Self::NONE }
    }
}
