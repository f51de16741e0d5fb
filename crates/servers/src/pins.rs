//! Packages that a command line fetches when it runs, and the versions that a person pinned them to.
//!
//! Pure except for [`offered`], which asks the package's own client for the current version: a connection that
//! is made only at a person's request.

use std::{env, path::PathBuf, process::Stdio, time::Duration};

use choices::Pin;
use machine::Machine;
use secrets::of_tool;
use skills::Start;
use tokio::{io::AsyncWriteExt as _, process::Command, time::timeout};

use super::{
    fetched::{Fetched, Registry},
    paths::find_program,
};

/// How long a package's client may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The maximum length of a version.
const LONGEST: usize = 64;

/// Whether a text can be the version of a package.
pub fn is_version(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | '!');
    text.len() <= LONGEST && text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(fits)
}

/// Puts the pinned version into a command line.
pub(crate) fn pinned(argv: &mut [String], server: &str, pins: &[Pin]) {
    let Some(fetched) = Fetched::of(argv) else { return };
    let pin = pins.iter().find(|pin| pin.server == server && pin.package == fetched.package);
    if let (Some(pin), Some(word)) = (pin, argv.get_mut(fetched.at)) {
        *word = fetched.word(&pin.version);
    }
}

/// The same for the start of a skill's server.
pub(crate) fn pin(start: &mut Start, server: &str, pins: &[Pin]) {
    if let Start::Program(launch) = start {
        pinned(&mut launch.argv, server, pins);
    }
}

/// The current version of a package.
///
/// # Errors
/// When the package's own client is missing, or does not answer in time or with a version, as a sentence.
pub async fn offered(machine: &Machine, search: &[PathBuf], fetched: &Fetched) -> Result<String, String> {
    let package = &fetched.package;
    if !fetched.has_versions() {
        return Err(format!("{package} is in no registry, so it has no version that could be pinned here."));
    }
    let (client, args, input) = match fetched.from {
        Registry::Images => return Err(format!("Nobody is asked for the versions of {package}. Name one yourself.")),
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
    let mut command = machine::background(program);
    command.args(args).current_dir(&machine.data);
    of_tool(env::vars_os(), search, &[]).give(&mut command);
    let mut command = Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let asked = async {
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that does not read its input still answers.
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
            ("npx --package=tea brew", "tea", "npx --package=tea@1.2.3 brew"),
            ("uvx --python 3.12 tea", "tea", "uvx --python 3.12 tea==1.2.3"),
            ("pipx run --spec=tea brew", "tea", "pipx run --spec=tea==1.2.3 brew"),
            ("deno run -A npm:@a/tea", "@a/tea", "deno run -A npm:@a/tea@1.2.3"),
            ("docker run --rm -e A a/tea --port 1", "a/tea", "docker run --rm -e A a/tea:1.2.3 --port 1"),
            (
                "docker run x.example:5000/tea:latest",
                "x.example:5000/tea:latest",
                "docker run x.example:5000/tea:1.2.3",
            ),
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
    fn a_version_is_one_word_that_begins_with_a_digit() {
        for version in ["1.2.3", "2025.4.8", "1.0.0-rc.1+build", "1!2.0"] {
            assert!(is_version(version), "{version}");
        }
        for other in ["", "latest", "1.2.3 --evil", "^1", "1/2", "1\n2"] {
            assert!(!is_version(other), "{other:?}");
        }
    }
}
