//! What a row of the table says about a client.

use crate::Template;

/// An MCP client: where its file is, how our entry is spelled there, what to do afterwards.
///
/// Paths are patterns: `{home}`, `{config}`, `{appdata}` and `{localappdata}` stand for the machine's folders,
/// `*` for any name of one folder that is there.
#[derive(Debug)]
pub struct Client {
    /// Its id in our own files and in `--client`: `claude-desktop`.
    pub id: &'static str,
    /// Its name as people say it.
    pub name: &'static str,
    /// How its file is written.
    pub format: Format,
    /// Where in its file the servers stand.
    pub key: Key,
    /// What it takes in its file beyond the format's own rules. What is not known to be refused is taken.
    pub takes: Takes,
    /// The user's own file.
    pub files: Files,
    /// Files in a project's folder, relative to it; the first one is made where there is none.
    pub project: &'static [&'static str],
    /// How an entry that runs our program is spelled.
    pub stdio: Option<Template>,
    /// How an entry that dials our endpoint is spelled; nothing where its file knows no such entry.
    pub http: Option<Template>,
    /// What shows that the client is on this machine.
    pub signs: Signs,
    /// The names of its processes, without `.exe`, where a running client matters.
    pub processes: &'static [&'static str],
    /// When it reads a changed file.
    pub reload: Reload,
    /// Where it looks for skills by itself.
    pub skills: SkillFolders,
    /// The row of the table of skill loaders that judges what it would load.
    pub loader: Option<&'static str>,
    /// The link that opens it and offers to add our entry.
    pub link: Option<Link>,
    /// What a person should know, in sentences of the window.
    pub pitfalls: &'static [&'static str],
    /// How sure the row is.
    pub mark: Mark,
    /// What that rests on.
    pub source: &'static str,
}

/// How a client's file is written.
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

/// Where in a file the servers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The names that lead to them from the top of the file. A name may contain dots.
    pub path: &'static [&'static str],
    /// Whether they are a list of maps that hold their `name`, instead of a map by name.
    pub list: bool,
    /// The name of a map inside, which holds the servers in files of a newer make.
    pub nested: Option<&'static str>,
}

/// What a client takes in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Takes {
    /// A comma behind the last value of an object or list.
    pub trailing_commas: bool,
    /// A byte order mark at the start.
    pub byte_order_mark: bool,
    /// A file of no bytes.
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
    /// Which of several is written.
    pub choice: Choice,
    /// A variable of the environment and the path behind its folder. Where it is set, the file is there and
    /// nowhere else; an empty path says that the variable names the file.
    pub variable: Option<(&'static str, &'static str)>,
    /// Where the file is for a copy of the client in a sandbox, which cannot run our program.
    pub sandboxed: &'static [&'static str],
}

/// Which of several candidates is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The first that exists, else the first of all.
    First,
    /// Every one whose folder exists, else the first of all: nobody can tell which one the client reads.
    Every,
}

/// What shows that a client is on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs {
    /// Files, folders and apps. Those in `/Applications` are looked for on macOS, those in `{appdata}` and
    /// `{localappdata}` on Windows.
    pub paths: &'static [&'static str],
    /// Programs on PATH, without `.exe`.
    pub programs: &'static [&'static str],
}

/// When a client reads a changed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reload {
    /// It has to be quit, not only closed, and started again.
    Quit,
    /// It has to be restarted.
    Restart,
    /// In its next session.
    Session,
    /// When its list of servers is refreshed, or when it is restarted.
    Refresh,
    /// By itself.
    Watches,
}

/// Where a client looks for skills by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillFolders {
    /// The user's own.
    pub user: &'static [&'static str],
    /// Those in a project, relative to it.
    pub project: &'static [&'static str],
}

/// A link that opens a client and offers to add our entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// What stands before `?name=...&config=` with the entry in base64.
    Base64(&'static str),
    /// What stands before `?` and the entry with its name, percent-encoded.
    Whole(&'static str),
    /// Goose, which takes an address of ours but no program of ours.
    Goose,
}

/// How sure a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// The real program was run with such an entry.
    Ran,
    /// It was read in the client's source or own documentation.
    Read,
    /// It stands in the table of another tool.
    Table,
    /// Nobody has confirmed it.
    Unverified,
}

/// A row that says nothing, for rows to differ from.
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
    skills: SkillFolders { user: &[], project: &[] },
    loader: None,
    link: None,
    pitfalls: &[],
    mark: Mark::Unverified,
    source: "",
};

/// `mcpServers`, as most clients have it.
pub(crate) const MCP_SERVERS: Key = Key::map(&["mcpServers"]);

impl Key {
    /// A map by name.
    pub(crate) const fn map(path: &'static [&'static str]) -> Self {
        Self { path, list: false, nested: None }
    }

    /// The name to speak of in a complaint.
    pub(crate) fn name(&self) -> &'static str {
        self.path.last().copied().unwrap_or_default()
    }
}

impl Client {
    /// What a person does so that the client reads a changed file, as a sentence.
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

    /// On every system one path of its own.
    pub(crate) const fn each(
        macos: &'static [&'static str],
        windows: &'static [&'static str],
        linux: &'static [&'static str],
    ) -> Self {
        Self { macos, windows, linux, ..Self::NONE }
    }
}
