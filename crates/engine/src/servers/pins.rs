//! Packages that a command line fetches when it runs, and the versions that a person pinned them to.
//!
//! Pure but for [`offered`], which asks the package's own client what a package is now: a connection, made only because
//! a person asked.

use std::{path::PathBuf, process::Stdio, time::Duration};

use serde::{Deserialize, Serialize};
use skills::{Launch, Start};
use tokio::{io::AsyncWriteExt as _, process::Command, time::timeout};

use super::form::find_program;
use crate::{Machine, environment};

/// How long a package's client may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// No version is longer.
const LONGEST: usize = 64;

/// The version that a person wants of a package which names none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pin {
    /// The server's name.
    pub(crate) server: String,
    /// The package as the command line names it.
    pub(crate) package: String,
    /// The version.
    pub(crate) version: String,
}

/// A package in a command line that fetches what it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fetched {
    /// Which word of the command line it is.
    at: usize,
    /// The package as it is written there.
    pub(crate) package: String,
    /// Where it comes from.
    from: Registry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Registry {
    Npm,
    Python,
}

impl Fetched {
    /// What a command line fetches; nothing for one that runs what is there.
    pub(crate) fn of(argv: &[String]) -> Option<Self> {
        let (program, args) = argv.split_first()?;
        let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let program = program.split_once('.').map_or(program, |(name, _)| name);
        let from = match program {
            "npx" | "bunx" | "pnpx" => Registry::Npm,
            "uvx" | "pipx" => Registry::Python,
            _ => return None,
        };
        let at = args.iter().position(|arg| !arg.starts_with('-') && *arg != "run")?;
        Some(Self { at: at + 1, package: args[at].clone(), from })
    }

    /// Whether each start runs the same version.
    pub(crate) fn is_pinned(&self) -> bool {
        let starts = |version: &str| version.starts_with(|c: char| c.is_ascii_digit());
        match self.from {
            Registry::Npm => {
                let version = self.package.get(1..).and_then(|rest| rest.split_once('@')).map(|(_, version)| version);
                version.is_some_and(|version| starts(version) && !version.ends_with(".x"))
            }
            Registry::Python => {
                self.package.contains("==") || self.package.split_once('@').is_some_and(|(_, version)| starts(version))
            }
        }
    }

    /// What is said of it where its authors have archived it, as a sentence.
    pub(crate) fn archived(&self) -> Option<String> {
        let archived = match self.from {
            Registry::Npm => skills::archived(&self.package),
            Registry::Python => skills::archived(&format!("pypi:{}", self.package)),
        };
        let instead = |instead: &str| format!(" In its place there is {instead}.");
        archived.map(|archived| {
            let instead = archived.instead.map(instead).unwrap_or_default();
            format!("The authors of {} have archived it: nobody mends it any more.{instead}", self.name())
        })
    }

    /// Whether it has versions: not a folder, a file or a repository.
    fn has_versions(&self) -> bool {
        let own = self.package.starts_with(['.', '/', '~']) || self.package.contains([':', '\\', '$', ' ']);
        !own && (self.from == Registry::Python || self.package.matches('/').count() < 2)
            && (!self.package.contains('/') || self.package.starts_with('@'))
    }

    /// Its name without what stands for a version.
    fn name(&self) -> &str {
        let end = match self.from {
            Registry::Npm => self.package.get(1..).and_then(|rest| rest.find('@')).map(|at| at + 1),
            Registry::Python => self.package.find(['@', '=', '<', '>', '~', '!']),
        };
        &self.package[..end.unwrap_or(self.package.len())]
    }

    /// The package of this version, as the command line names it.
    fn with(&self, version: &str) -> String {
        match self.from {
            Registry::Npm => format!("{}@{version}", self.name()),
            Registry::Python => format!("{}=={version}", self.name()),
        }
    }
}

/// Whether a text can be the version of a package.
pub(crate) fn is_version(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | '!');
    text.len() <= LONGEST && text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(fits)
}

/// The command line with the version that was pinned.
pub(crate) fn pinned(argv: &mut [String], server: &str, pins: &[Pin]) {
    let Some(fetched) = Fetched::of(argv) else { return };
    let pin = pins.iter().find(|pin| pin.server == server && pin.package == fetched.package);
    if let (Some(pin), Some(word)) = (pin, argv.get_mut(fetched.at)) {
        *word = fetched.with(&pin.version);
    }
}

/// The same for what a skill asks to be started.
pub(super) fn pin(start: &mut Start, server: &str, pins: &[Pin]) {
    if let Start::Program(launch) = start {
        pinned(&mut launch.argv, server, pins);
    }
}

/// The version that a package is now.
///
/// # Errors
/// When the package's own client is not here, or does not answer in time or with a version, as a sentence.
pub(crate) async fn offered(machine: &Machine, search: &[PathBuf], fetched: &Fetched) -> Result<String, String> {
    let package = &fetched.package;
    if !fetched.has_versions() {
        return Err(format!("{package} is in no registry, so it has no version that could be pinned here."));
    }
    let (client, args, input) = match fetched.from {
        Registry::Npm => ("npm", vec!["view", package, "version"], String::new()),
        Registry::Python => {
            let args = ["pip", "compile", "--no-deps", "--quiet", "--no-header", "--no-annotate", "-"];
            ("uv", args.to_vec(), package.replacen("@latest", "", 1))
        }
    };
    let program = find_program(client, search).ok_or_else(|| {
        format!(
            "{client}, which knows the versions of {package}, was not found on this computer. Name a version yourself."
        )
    })?;
    let nothing = Launch { argv: Vec::new(), env: Default::default(), secrets: Default::default(), cwd: None };
    let path = std::env::join_paths(search).unwrap_or_default();
    let ours = std::env::vars_os().filter(|(name, _)| name != "PATH").chain([("PATH".into(), path)]);
    let environment = environment(ours, &nothing, &Default::default()).map_err(|missing| missing.to_string())?;
    let mut command = std::process::Command::new(program);
    command.args(args).current_dir(&machine.data);
    environment.give(&mut command);
    let mut command = Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let asked = async {
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // One that does not read has its answer anyway.
            drop(stdin.write_all(input.as_bytes()).await);
        }
        child.wait_with_output().await
    };
    let output = match timeout(PATIENCE, asked).await {
        Err(_) => {
            return Err(format!(
                "{client} did not say within {} seconds which version {package} is.",
                PATIENCE.as_secs()
            ));
        }
        Ok(output) => {
            output.map_err(|error| format!("{client} could not be asked for the version of {package}: {error}."))?
        }
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let version = last.split([' ', '=']).next_back().unwrap_or_default().trim_matches(['\'', '"']);
    if output.status.success() && is_version(version) {
        return Ok(version.to_owned());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    let why =
        why.lines().find(|line| !line.trim().is_empty()).map(|line| format!(" It says: {}", skills::visible(line)));
    Err(format!("{client} does not say which version {package} is.{}", why.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn an_archived_package_says_so_whatever_runs_it() {
        let said = |line: &str| Fetched::of(&argv(line)).and_then(|fetched| fetched.archived());
        for line in [
            "npx -y @modelcontextprotocol/server-slack",
            "/usr/bin/npx @modelcontextprotocol/server-github@2025.4.8",
            "uvx mcp-server-sqlite==2025.4.25 --db-path x",
            "uvx mcp-server-sqlite@latest",
        ] {
            assert!(said(line).is_some_and(|said| said.contains("have archived it")), "{line}");
        }
        assert!(said("npx -y @modelcontextprotocol/server-slack").unwrap().contains("https://mcp.slack.com/mcp"));
        for line in ["npx -y @modelcontextprotocol/server-filesystem /tea", "uvx mcp-server-time", "node server.js"] {
            assert_eq!(said(line), None, "{line}");
        }
    }

    #[test]
    fn a_package_is_pinned_in_the_words_of_its_own_client() {
        for (line, package, after) in [
            ("npx -y tea", "tea", "npx -y tea@1.2.3"),
            ("npx -y @a/tea --port 1", "@a/tea", "npx -y @a/tea@1.2.3 --port 1"),
            ("/usr/bin/npx @a/tea@latest", "@a/tea@latest", "/usr/bin/npx @a/tea@1.2.3"),
            ("npx.cmd tea@^1", "tea@^1", "npx.cmd tea@1.2.3"),
            ("uvx tea", "tea", "uvx tea==1.2.3"),
            ("uvx --from tea[hot]>=1 brew", "tea[hot]>=1", "uvx --from tea[hot]==1.2.3 brew"),
            ("uvx tea@latest", "tea@latest", "uvx tea==1.2.3"),
            ("pipx run tea", "tea", "pipx run tea==1.2.3"),
        ] {
            let mut argv = argv(line);
            assert!(!Fetched::of(&argv).unwrap().is_pinned(), "{line}");
            let pin = |server: &str, package: &str| {
                let [server, package, version] = [server, package, "1.2.3"].map(str::to_owned);
                Pin { server, package, version }
            };
            pinned(&mut argv, "s", &[pin("other", package), pin("s", "other")]);
            assert_eq!(argv.join(" "), line);
            pinned(&mut argv, "s", &[pin("s", package)]);
            assert_eq!(argv.join(" "), after);
            assert!(Fetched::of(&argv).unwrap().is_pinned(), "{after}");
        }
    }

    #[test]
    fn what_is_there_or_pinned_already_is_told_apart() {
        assert_eq!(Fetched::of(&argv("node tea.js")), None);
        for line in ["npx -y tea@1.2.3", "npx @a/tea@0.1.0-rc.1", "uvx tea==1.0", "uvx tea@1.0"] {
            assert!(Fetched::of(&argv(line)).unwrap().is_pinned(), "{line}");
        }
        assert!(!Fetched::of(&argv("npx tea@1.x")).unwrap().is_pinned());
        for line in
            ["npx ./tea", "npx github:a/tea", "uvx git+https://x.example/tea", "npx a/tea", "npx https://x.example/a"]
        {
            assert!(!Fetched::of(&argv(line)).unwrap().has_versions(), "{line}");
        }
    }

    #[test]
    fn a_version_is_one_word_that_begins_with_a_digit() {
        for version in ["1.2.3", "2025.4.8", "1.0.0-rc.1+build", "1!2.0"] {
            assert!(is_version(version), "{version}");
        }
        for other in ["", "latest", "1.2.3 --evil", "^1", "1/2", "1\n2"] {
            assert!(!is_version(other), "{other:?}");
        }
    }
}
