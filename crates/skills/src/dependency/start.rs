//! How a declared server is started, out of what its author wrote.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Choice, package};
use crate::schema::{Package, ServerName, Text};

/// The part of a declaration that is spelt alike everywhere, beside the name or in `config-template`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Written {
    /// The server's name: at most 32 of a-z, 0-9, `_` and `-`.
    #[schemars(with = "Option<ServerName>")]
    pub(super) name: Option<String>,
    /// The package that is the server, run with `npx`, or with `uvx` after `pypi:`.
    #[schemars(with = "Option<Package>")]
    pub(super) package: Option<String>,
    /// The version of the package.
    #[schemars(with = "Option<Text>")]
    version: Option<String>,
    /// What the skill wants the server for.
    #[schemars(with = "Option<Text>")]
    description: Option<String>,
    /// The same, as another word for it.
    #[schemars(with = "Option<Text>")]
    purpose: Option<String>,
    /// The program that is the server.
    #[schemars(with = "Option<Text>")]
    command: Option<String>,
    /// Its arguments; `${NAME}` stands for a parameter.
    #[schemars(with = "Option<Vec<Text>>")]
    args: Option<Vec<String>>,
    /// Its environment; a secret is the whole of a value, `${NAME}`.
    #[schemars(with = "Option<BTreeMap<String, Text>>")]
    env: Option<BTreeMap<String, String>>,
    /// Its working folder.
    #[schemars(with = "Option<Text>")]
    cwd: Option<String>,
    /// The address of a server that runs elsewhere, over `https`.
    #[schemars(with = "Option<Text>")]
    url: Option<String>,
    /// How such a server speaks: Streamable HTTP.
    #[schemars(with = "Option<Text>")]
    transport: Option<String>,
    /// A package whose own instructions say how it is configured.
    #[schemars(with = "Option<Package>")]
    pub(super) config_reference: Option<String>,
}

impl Written {
    /// A declaration that is a package and nothing else.
    pub(super) fn package(package: &str) -> Self {
        Self { package: Some(package.to_owned()).filter(|package| !package.is_empty()), ..Self::default() }
    }

    /// With what a `config-template` says, which holds before what stands beside it.
    pub(super) fn with_template(self, template: Self) -> Self {
        Self {
            command: template.command.or(self.command),
            args: template.args.or(self.args),
            env: template.env.or(self.env),
            cwd: template.cwd.or(self.cwd),
            url: template.url.or(self.url),
            transport: template.transport.or(self.transport),
            ..self
        }
    }

    /// What the skill wants the server for.
    pub(super) fn description(&self) -> Option<String> {
        self.description.clone().or_else(|| self.purpose.clone())
    }

    /// How it is started: by its address, its command, or its package. `positional` follows the
    /// arguments of a package, `environment` is added to its variables.
    ///
    /// # Errors
    /// The rule that was broken, and what is wrong.
    pub(super) fn choice(
        self,
        positional: Vec<String>,
        environment: Vec<(String, String)>,
    ) -> Result<Choice, (&'static str, &'static str)> {
        if self.transport.is_some_and(|transport| transport.eq_ignore_ascii_case("sse")) {
            return Err(("server-transport", "speaks SSE, which MCP gave up; ask for its Streamable HTTP address"));
        }
        if let Some(url) = self.url {
            if !is_safe_address(&url) {
                return Err((
                    "server-transport",
                    "must have an `https://` address, or an `http://` one of this computer",
                ));
            }
            return Ok(Choice::Http { url });
        }
        let (mut args, mut env) = (self.args.unwrap_or_default(), self.env.unwrap_or_default());
        env.extend(environment);
        if let Some(command) = self.command {
            return Ok(Choice::Stdio { command, args, env, cwd: self.cwd });
        }
        let Some(package) = self.package.or(self.config_reference) else {
            return Err((
                "server-unknown",
                "is not known here: say how to run it, by `package:`, `command:` or `url:`",
            ));
        };
        if !package::is_package(&package) {
            return Err(("server-block", "names a package that cannot be one"));
        }
        let (command, mut run) = package::run(&package, self.version.as_deref());
        run.append(&mut args);
        run.extend(positional);
        Ok(Choice::Stdio { command, args: run, env, cwd: self.cwd })
    }
}

/// Whether nobody on the way can read or change what is sent, and no password stands in it.
fn is_safe_address(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // Readers disagree about a backslash: to some it ends the host, to others what follows is the host.
    if authority.is_empty() || authority.contains(['@', '\\']) {
        return false;
    }
    let host = authority.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix(':').unwrap_or(authority);
    scheme == "https" || scheme == "http" && matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_private_on_its_way_or_stays_on_this_computer() {
        for url in [
            "https://a.example/mcp",
            "http://127.0.0.1:8080/mcp",
            "http://localhost",
            "http://[::1]",
            "http://[::1]:1/",
        ] {
            assert!(is_safe_address(url), "{url}");
        }
        for url in [
            "http://a.example/mcp",
            "http://127.0.0.1:x@a.example",
            "https://zoe:hunter2@a.example",
            "http://127.0.0.1.a.example",
            "http://localhost\\@a.example",
            "https://",
            "file:///etc/passwd",
            "a.example",
        ] {
            assert!(!is_safe_address(url), "{url}");
        }
    }
}
