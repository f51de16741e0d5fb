//! Servers that many skills require by name alone: `requires-mcp-servers: [github]` (the dependency plan, option D).
//!
//! Each row is from the page at its `source`, which is shown with the command before the user approves it. A row
//! completes a bare name, and an entry that names only the package; what an author says about a server takes
//! precedence. Rows name no version; the approved one is kept elsewhere.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Parameter, Server, Way, package};

/// One server.
pub(super) struct Row {
    name: &'static str,
    description: &'static str,
    source: &'static str,
    package: Option<&'static str>,
    url: Option<&'static str>,
    args: &'static [&'static str],
    env: Pairs,
    headers: Pairs,
    asks: &'static [Asked],
    instead: Option<&'static str>,
}

/// A package that its authors have archived, so it gets no more fixes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Archived {
    /// The package.
    pub package: &'static str,
    /// What replaces it, as the end of a sentence; `None` when nothing does.
    pub instead: Option<&'static str>,
}

/// What is known of an archived package. `package` is npm's name, or PyPI's after `pypi:`, with or without a version.
pub fn archived(package: &str) -> Option<Archived> {
    let name = package::without_version(package);
    let package = |row: &Row| row.package.filter(|package| *package == name);
    ROWS.iter().chain(ARCHIVED).filter(|row| row.instead.is_some()).find_map(|row| {
        let package = package(row)?;
        Some(Archived { package, instead: row.instead.filter(|instead| !instead.is_empty()) })
    })
}

type Pairs = &'static [(&'static str, &'static str)];

/// A value that a person gives for it.
struct Asked {
    name: &'static str,
    description: &'static str,
    required: bool,
    sensitive: bool,
    example: Option<&'static str>,
    folder: bool,
}

/// The row with this name.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

/// The row of a package, of any version.
pub(super) fn of_package(package: &str) -> Option<&'static Row> {
    let name = package::without_version(package);
    ROWS.iter().chain(ARCHIVED).find(|row| row.package.is_some_and(|package| package::without_version(package) == name))
}

/// Whether a well-known server asks for a value of this name.
pub(super) fn asks_for(parameter: &str) -> bool {
    ROWS.iter().any(|row| row.asks.iter().any(|asked| asked.name == parameter))
}

const ROWS: &[Row] = &[
    Row::package("filesystem", "@modelcontextprotocol/server-filesystem", "Reads and writes files in one folder.")
        .args(&["${WORKSPACE}"])
        .asks(&[Asked::folder("WORKSPACE", "The folder that it may read and write.")])
        .from("https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem"),
    Row::package("memory", "@modelcontextprotocol/server-memory", "Keeps what it is told in a graph on this computer.")
        .from("https://github.com/modelcontextprotocol/servers/tree/main/src/memory"),
    Row::package("everything", "@modelcontextprotocol/server-everything", "Shows every part of MCP, to test clients.")
        .from("https://github.com/modelcontextprotocol/servers/tree/main/src/everything"),
    Row::package(
        "sequential-thinking",
        "@modelcontextprotocol/server-sequential-thinking",
        "Takes a problem apart into steps that can be revised.",
    )
    .from("https://github.com/modelcontextprotocol/servers/tree/main/src/sequentialthinking"),
    Row::package("fetch", "pypi:mcp-server-fetch", "Reads pages of the web.")
        .from("https://github.com/modelcontextprotocol/servers/tree/main/src/fetch"),
    Row::package("git", "pypi:mcp-server-git", "Reads and changes one Git repository.")
        .args(&["--repository", "${REPOSITORY}"])
        .asks(&[Asked::folder("REPOSITORY", "The folder of the repository.")])
        .from("https://github.com/modelcontextprotocol/servers/tree/main/src/git"),
    Row::package("time", "pypi:mcp-server-time", "Tells the time and converts between time zones.")
        .from("https://github.com/modelcontextprotocol/servers/tree/main/src/time"),
    Row::url("github", "https://api.githubcopilot.com/mcp/", "Reads and changes repositories, issues and pull requests.")
        .headers(&[("Authorization", "Bearer ${GITHUB_PERSONAL_ACCESS_TOKEN}")])
        .asks(&[Asked::secret("GITHUB_PERSONAL_ACCESS_TOKEN", "A personal access token of GitHub.")])
        .from("https://github.com/github/github-mcp-server"),
    // The package that the seed names, `@modelcontextprotocol/server-postgres`, is archived and takes
    // the address, with its password, as an argument. This one is maintained and takes it in the
    // environment; `restricted` lets it read only.
    Row::package("postgres", "pypi:postgres-mcp", "Reads a PostgreSQL database and its schema.")
        .args(&["--access-mode=restricted"])
        .env(&[("DATABASE_URI", "${DATABASE_URL}")])
        .asks(&[Asked::secret("DATABASE_URL", "The address of the database, with its password.")
            .such_as("postgresql://user:password@localhost:5432/name")])
        .from("https://github.com/crystaldba/postgres-mcp"),
    // Skills that use the name mean this package.
    Row::package("sqlite", "pypi:mcp-server-sqlite", "Reads and writes one SQLite database.")
        .args(&["--db-path", "${DATABASE_PATH}"])
        .asks(&[Asked::plain("DATABASE_PATH", "The file of the database.")])
        .archived("")
        .from("https://github.com/modelcontextprotocol/servers/blob/423e629c90734b74f5a5f66e02bb3d2ec027bce7/src/sqlite/README.md"),
    Row::package("brave-search", "@brave/brave-search-mcp-server", "Searches the web with Brave.")
        .env(&[("BRAVE_API_KEY", "${BRAVE_API_KEY}")])
        .asks(&[Asked::secret("BRAVE_API_KEY", "A key of the Brave Search API.")])
        .from("https://github.com/brave/brave-search-mcp-server"),
    // Skills that use the name mean this package.
    Row::package("slack", "@modelcontextprotocol/server-slack", "Reads and writes messages of a Slack workspace.")
        .env(&[("SLACK_BOT_TOKEN", "${SLACK_BOT_TOKEN}"), ("SLACK_TEAM_ID", "${SLACK_TEAM_ID}")])
        .asks(&[
            Asked::secret("SLACK_BOT_TOKEN", "The bot token of a Slack app; it starts with `xoxb-`."),
            Asked::plain("SLACK_TEAM_ID", "The workspace; it starts with `T`.").such_as("T01234567"),
        ])
        .archived("Slack's own server, https://mcp.slack.com/mcp")
        .from("https://github.com/modelcontextprotocol/servers/blob/0de58c94079d57916e4460996bc32092dfb08a96/src/slack/README.md"),
    Row::package("playwright", "@playwright/mcp", "Uses a web browser.")
        .from("https://github.com/microsoft/playwright-mcp"),
    Row::package("chrome-devtools", "chrome-devtools-mcp", "Uses and inspects Chrome.")
        .from("https://github.com/ChromeDevTools/chrome-devtools-mcp"),
    Row::url("context7", "https://mcp.context7.com/mcp", "Looks up the documentation of libraries.")
        .or_package("@upstash/context7-mcp")
        .headers(&[("CONTEXT7_API_KEY", "${CONTEXT7_API_KEY}")])
        .asks(&[Asked::secret("CONTEXT7_API_KEY", "A key of Context7, for more requests.").optional()])
        .from("https://github.com/upstash/context7"),
    Row::url("linear", "https://mcp.linear.app/mcp", "Reads and changes issues and projects in Linear.")
        .from("https://linear.app/docs/mcp"),
    Row::url("notion", "https://mcp.notion.com/mcp", "Reads and changes pages in Notion.")
        .from("https://developers.notion.com/guides/mcp/overview"),
    Row::url("sentry", "https://mcp.sentry.dev/mcp", "Reads errors and issues in Sentry.")
        .from("https://github.com/getsentry/sentry-mcp"),
    Row::url("figma", "https://mcp.figma.com/mcp", "Reads designs in Figma.").from(
        "https://help.figma.com/hc/en-us/articles/35281350665623-Figma-MCP-collection-How-to-set-up-the-Figma-remote-MCP-server",
    ),
    Row::url("rube", "https://rube.app/mcp", "Uses other services through Composio.")
        .from("https://github.com/ComposioHQ/Rube"),
];

/// Archived packages that skills still name. They have no bare name, so a bare name means a maintained package. All
/// are from the same page of the archive.
const ARCHIVED: &[Row] = &[
    Row::old("@modelcontextprotocol/server-github")
        .env(&[("GITHUB_PERSONAL_ACCESS_TOKEN", "${GITHUB_PERSONAL_ACCESS_TOKEN}")])
        .asks(&[Asked::secret("GITHUB_PERSONAL_ACCESS_TOKEN", "A personal access token of GitHub.")])
        .archived("the server `github`, which is GitHub's own"),
    Row::old("@modelcontextprotocol/server-postgres")
        .args(&["${DATABASE_URL}"])
        .env(&[("PGPASSWORD", "${PGPASSWORD}")])
        .asks(&[
            Asked::plain("DATABASE_URL", "The address of the database, without a password.")
                .such_as("postgresql://localhost:5432/name"),
            Asked::secret("PGPASSWORD", "The password of the database.").optional(),
        ])
        .archived("the server `postgres`, which is `pypi:postgres-mcp`"),
    Row::old("@modelcontextprotocol/server-brave-search")
        .env(&[("BRAVE_API_KEY", "${BRAVE_API_KEY}")])
        .asks(&[Asked::secret("BRAVE_API_KEY", "A key of the Brave Search API.")])
        .archived("the server `brave-search`, which is Brave's own"),
    Row::old("@modelcontextprotocol/server-puppeteer").archived("the server `playwright`"),
    Row::old("@modelcontextprotocol/server-gitlab")
        .env(&[("GITLAB_PERSONAL_ACCESS_TOKEN", "${GITLAB_PERSONAL_ACCESS_TOKEN}")])
        .asks(&[Asked::secret("GITLAB_PERSONAL_ACCESS_TOKEN", "A personal access token of GitLab.")])
        .archived(""),
    Row::old("@modelcontextprotocol/server-google-maps")
        .env(&[("GOOGLE_MAPS_API_KEY", "${GOOGLE_MAPS_API_KEY}")])
        .asks(&[Asked::secret("GOOGLE_MAPS_API_KEY", "A key of Google Maps.")])
        .archived(""),
    Row::old("@modelcontextprotocol/server-redis")
        .args(&["${REDIS_URL}"])
        .asks(&[Asked::plain("REDIS_URL", "The address of the store, without a password.")
            .such_as("redis://localhost:6379")])
        .archived(""),
];

impl Row {
    const fn old(package: &'static str) -> Self {
        Self::package("", package, "").from("https://github.com/modelcontextprotocol/servers-archived")
    }

    const fn package(name: &'static str, package: &'static str, description: &'static str) -> Self {
        Self { package: Some(package), ..Self::named(name, description) }
    }

    const fn url(name: &'static str, url: &'static str, description: &'static str) -> Self {
        Self { url: Some(url), ..Self::named(name, description) }
    }

    const fn named(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            source: "",
            package: None,
            url: None,
            args: &[],
            env: &[],
            headers: &[],
            asks: &[],
            instead: None,
        }
    }

    const fn or_package(self, package: &'static str) -> Self {
        Self { package: Some(package), ..self }
    }

    const fn args(self, args: &'static [&'static str]) -> Self {
        Self { args, ..self }
    }

    const fn env(self, env: Pairs) -> Self {
        Self { env, ..self }
    }

    const fn headers(self, headers: Pairs) -> Self {
        Self { headers, ..self }
    }

    const fn asks(self, asks: &'static [Asked]) -> Self {
        Self { asks, ..self }
    }

    const fn archived(self, instead: &'static str) -> Self {
        Self { instead: Some(instead), ..self }
    }

    const fn from(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    /// The page that the row is from.
    pub(super) fn source(&self) -> &'static str {
        self.source
    }

    /// The arguments after the package's name.
    pub(super) fn arguments(&self) -> Vec<String> {
        self.args.iter().map(|&arg| arg.to_owned()).collect()
    }

    /// The environment variables of the package.
    pub(super) fn environment(&self) -> BTreeMap<String, String> {
        pairs(self.env)
    }

    /// The parameters of its package.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        let texts = || self.args.iter().copied().chain(self.env.iter().map(|&(_, value)| value));
        let used = |asked: &&Asked| texts().any(|text| text.contains(&format!("${{{}}}", asked.name)));
        self.asks.iter().filter(used).map(Asked::parameter).collect()
    }

    /// The server of a bare name. The author's description takes precedence.
    pub(super) fn server(&self, description: Option<String>) -> Server {
        let mut ways = Vec::new();
        ways.extend(self.url.map(|url| Way::Http { url: url.to_owned(), headers: pairs(self.headers) }));
        ways.extend(self.package.map(|package| {
            let (command, mut args) = package::run(package, None);
            args.extend(self.arguments());
            Way::Stdio { command, args, env: pairs(self.env), cwd: None }
        }));
        Server {
            name: self.name.to_owned(),
            description: description.or_else(|| Some(self.description.to_owned())),
            ways,
            parameters: self.asks.iter().map(Asked::parameter).collect(),
            known: Some(self.source),
        }
    }
}

fn pairs(pairs: Pairs) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl Asked {
    const fn plain(name: &'static str, description: &'static str) -> Self {
        Self { name, description, required: true, sensitive: false, example: None, folder: false }
    }

    const fn folder(name: &'static str, description: &'static str) -> Self {
        Self { folder: true, ..Self::plain(name, description) }
    }

    const fn secret(name: &'static str, description: &'static str) -> Self {
        Self { sensitive: true, ..Self::plain(name, description) }
    }

    const fn optional(self) -> Self {
        Self { required: false, ..self }
    }

    const fn such_as(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    fn parameter(&self) -> Parameter {
        Parameter {
            name: self.name.to_owned(),
            description: Some(self.description.to_owned()),
            required: self.required,
            sensitive: self.sensitive,
            default: None,
            example: self.example.map(str::to_owned),
            folder: self.folder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch;

    #[test]
    fn every_row_can_be_filled_and_says_where_it_is_from() {
        for row in ROWS {
            let server = row.server(None);
            assert!(!server.ways.is_empty(), "{}", row.name);
            for way in &server.ways {
                launch(&server, way, &|_| Some("/x".to_owned()))
                    .unwrap_or_else(|error| panic!("{}: {error}", row.name));
            }
            for parameter in &server.parameters {
                assert!(server.ways.iter().any(|way| way.uses(&parameter.name)), "{}: {}", row.name, parameter.name);
                assert!(!parameter.sensitive || server.ways.iter().all(|way| way.keeps_apart(&parameter.name)));
            }
            assert!(server.known.is_some_and(|source| source.starts_with("https://")), "{}", row.name);
            assert!(row.description.ends_with('.'), "{}", row.name);
            assert_eq!(ROWS.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
        }
    }

    #[test]
    fn what_is_archived_says_so_in_each_spelling_of_its_package_and_has_no_name() {
        let github = archived("@modelcontextprotocol/server-github@2025.4.8").unwrap();
        assert_eq!(github.instead, Some("the server `github`, which is GitHub's own"));
        assert!(archived("npm:@modelcontextprotocol/server-slack").is_some());
        assert_eq!(archived("pypi:mcp-server-sqlite==2025.4.25").unwrap().instead, None);
        assert_eq!(archived("@modelcontextprotocol/server-filesystem"), None);
        assert!(ARCHIVED.iter().all(|row| row.instead.is_some() && row.name.is_empty()));
    }

    #[test]
    fn the_starter_that_needs_servers_needs_nothing_archived() {
        let file = include_str!("../../../../skills/release-notes/SKILL.md");
        let skill = crate::read("release-notes", file.as_bytes());
        assert_eq!(skill.problems, []);
        assert_eq!(skill.servers.len(), 2);
        for way in skill.servers.iter().flat_map(|server| &server.ways) {
            let Way::Stdio { args, .. } = way else { continue };
            let old = args.iter().flat_map(|arg| [archived(arg), archived(&format!("pypi:{arg}"))]).flatten().next();
            assert_eq!(old, None);
        }
    }

    #[test]
    fn the_page_for_authors_names_every_row() {
        let page = include_str!("../../../../docs/requires-mcp-servers.md");
        for row in ROWS {
            assert!(page.contains(&format!("`{}`", row.name)), "{} is not in docs/requires-mcp-servers.md", row.name);
        }
    }
}
