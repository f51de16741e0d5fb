//! What other programs that install skills recorded about what they installed.
//!
//! Each program has its own file; what they say is the same: where a skill came from and at which version. The files are
//! only read. Reading never fails for one entry: what cannot be understood is named, and the others are read. Finding
//! the files, and whether the skill is still as it was installed, is left to others.

mod apm;
mod claude_plugins;
mod codex_plugins;
mod gemini_extensions;
mod github_cli;
mod skills_cli;
mod sx;
mod toolhive;

use serde_json::{Map, Value};

pub use apm::read as apm;
pub use claude_plugins::read as claude_plugins;
pub use codex_plugins::read as codex_plugins;
pub use gemini_extensions::read as gemini_extension;
pub use github_cli::{KEYS as GITHUB_CLI_KEYS, read as github_cli};
pub use skills_cli::{global as skills_cli_global, project as skills_cli_project};
pub use sx::read as sx;
pub use toolhive::read as toolhive;

/// A program that installs skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Installer {
    /// `npx skills` (vercel-labs/skills).
    SkillsCli,
    /// `gh skill`, of GitHub's command line.
    GitHubCli,
    /// Plugins of Claude Code.
    ClaudePlugins,
    /// Plugins of Codex.
    CodexPlugins,
    /// Extensions of Gemini CLI.
    GeminiExtensions,
    /// Stacklok's ToolHive.
    ToolHive,
    /// Microsoft's apm.
    Apm,
    /// Sleuth's sx.
    Sx,
}

impl Installer {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SkillsCli => "npx skills",
            Self::GitHubCli => "gh skill",
            Self::ClaudePlugins => "a plugin of Claude Code",
            Self::CodexPlugins => "a plugin of Codex",
            Self::GeminiExtensions => "an extension of Gemini CLI",
            Self::ToolHive => "ToolHive",
            Self::Apm => "apm",
            Self::Sx => "sx",
        }
    }
}

/// What a program recorded about one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Who installed it.
    pub by: Installer,
    /// The skill's name, or its folder's, whichever the program keeps.
    pub name: String,
    /// Where it came from, as recorded: an address, `owner/repository`, a path.
    pub source: String,
    /// Whether that is a git repository. A package or an image may be called as a repository of another host is.
    pub is_git: bool,
    /// The branch, tag or version range that is followed.
    pub follows: Option<String>,
    /// The commit that was installed.
    pub commit: Option<String>,
    /// The version that its author gave it.
    pub version: Option<String>,
    /// The skill's folder in the source, with `/`; empty for all of it or where it is not recorded.
    pub inside: String,
    /// What identifies the installed bytes.
    pub digest: Option<Digest>,
    /// The paths of the installed files or folders, relative to the project, if they are recorded.
    pub files: Vec<String>,
}

impl Record {
    fn new(by: Installer, name: &str, source: &str) -> Self {
        Self {
            by,
            name: name.to_owned(),
            source: source.to_owned(),
            is_git: false,
            follows: None,
            commit: None,
            version: None,
            inside: String::new(),
            digest: None,
            files: Vec::new(),
        }
    }

    /// The most exact version for people: the author's, else the first twelve digits of the commit, else what is
    /// followed.
    pub fn version_shown(&self) -> Option<&str> {
        let commit = || self.commit.as_deref().map(|commit| commit.get(..12).unwrap_or(commit));
        self.version.as_deref().or_else(commit).or(self.follows.as_deref())
    }
}

/// A folder with skills that a program installed as a whole: every skill below it is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    /// Its folder, absolute.
    pub folder: String,
    /// What was recorded about it.
    pub record: Record,
}

/// What identifies the installed bytes; each program has a way of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Digest {
    /// sha256 over path and bytes of each file, as `npx skills` computes it. The order of the files depends on the
    /// language of the computer, and a path is not told from bytes: it proves little.
    PathsAndBytes(String),
    /// The id of git's tree of the folder.
    GitTree(String),
    /// A digest with the name of its method, as the program writes it.
    Named(String),
}

/// What a file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records {
    /// The skills, in the file's order.
    pub skills: Vec<Record>,
    /// What could not be understood, as sentences.
    pub odd: Vec<String>,
}

/// A file that is not what it should be, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoRecords(String);

impl NoRecords {
    fn of(file: &str, why: &dyn std::fmt::Display) -> Self {
        Self(format!("{file} cannot be read: {why}."))
    }
}

fn json(file: &str, text: &str) -> Result<Value, NoRecords> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|why| NoRecords::of(file, &why))
}

fn yaml(file: &str, text: &str) -> Result<Value, NoRecords> {
    serde_yaml::from_str(text).map_err(|why| NoRecords::of(file, &why))
}

/// The text of a field that is there and not empty.
fn text<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v str> {
    fields.get(name)?.as_str().filter(|text| !text.is_empty())
}

fn owned(fields: &Map<String, Value>, name: &str) -> Option<String> {
    text(fields, name).map(str::to_owned)
}

/// The folder of a SKILL.md: its path without the file.
fn folder_of(path: &str) -> String {
    let path = path.replace('\\', "/");
    let folder = match path.rsplit_once('/') {
        Some((folder, file)) if file.eq_ignore_ascii_case("SKILL.md") => folder,
        None if path.eq_ignore_ascii_case("SKILL.md") => "",
        _ => &path,
    };
    folder.trim_matches('/').to_owned()
}

/// Whether this is the whole name of a commit.
fn is_commit(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
