//! How a declared server is started, from the author's declaration.

use std::{collections::BTreeMap, num::NonZeroU16};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Way, container::is_image, package};
use crate::schema::words::{Image, Package, Port, ServerName, Text};

/// The part of a declaration that is spelt alike everywhere, beside the name or in `config-template`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Written {
    /// The server's name: at most 32 of a-z, 0-9, `_` and `-`, without `__`.
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
    /// What is sent along with each request; a secret is all of it, or its end after a blank.
    #[schemars(with = "Option<BTreeMap<String, Text>>")]
    headers: Option<BTreeMap<String, String>>,
    /// How a server at an address or in a container speaks: `http`, which is Streamable HTTP.
    #[schemars(with = "Option<Text>")]
    transport: Option<String>,
    /// A package whose own instructions say how it is configured.
    #[schemars(with = "Option<Package>")]
    pub(super) config_reference: Option<String>,
}

/// A server in a container.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Docker {
    /// The image: `registry/name:tag`.
    #[schemars(with = "Option<Image>")]
    image: Option<String>,
    /// The port on which it speaks Streamable HTTP; without one it speaks over its input and output.
    #[schemars(with = "Option<Port>")]
    port: Option<NonZeroU16>,
    /// The arguments after the image.
    #[schemars(with = "Option<Vec<Text>>")]
    args: Option<Vec<String>>,
    /// Its environment; a secret is the whole of a value, `${NAME}`.
    #[schemars(with = "Option<BTreeMap<String, Text>>")]
    env: Option<BTreeMap<String, String>>,
    /// The folders that it sees: `${WORKSPACE}:/work:ro`, with `:ro` where it only reads.
    #[schemars(with = "Option<Vec<Text>>")]
    mounts: Option<Vec<String>>,
}

/// Why a declaration gives no way.
pub(super) struct Wrong {
    /// The rule that it breaks.
    pub(super) rule: &'static str,
    /// The rest of a sentence that starts with the server's name.
    pub(super) what: &'static str,
    /// The key that it is about.
    pub(super) key: &'static str,
}

impl Written {
    /// A declaration that is only a package.
    pub(super) fn package(package: &str) -> Self {
        Self { package: Some(package.to_owned()).filter(|package| !package.is_empty()), ..Self::default() }
    }

    /// Adds the values of a `config-template`, which take precedence over those next to it.
    pub(super) fn with_template(self, template: Self) -> Self {
        Self {
            url: template.url.or(self.url),
            headers: template.headers.or(self.headers),
            transport: template.transport.or(self.transport),
            command: template.command.or(self.command),
            args: template.args.or(self.args),
            env: template.env.or(self.env),
            cwd: template.cwd.or(self.cwd),
            ..self
        }
    }

    /// Adds the values of a block `stdio`, which take precedence too.
    pub(super) fn with_program(self, stdio: Self) -> Self {
        Self {
            command: stdio.command.or(self.command),
            args: stdio.args.or(self.args),
            env: stdio.env.or(self.env),
            cwd: stdio.cwd.or(self.cwd),
            ..self
        }
    }

    /// The server's package, from either key.
    pub(super) fn package_name(&self) -> Option<&str> {
        self.package.as_deref().or(self.config_reference.as_deref())
    }

    /// Adds the arguments and the environment of a well-known server.
    pub(super) fn run_as(self, args: Vec<String>, env: BTreeMap<String, String>) -> Self {
        Self { args: Some(args), env: Some(env), ..self }
    }

    /// What the skill wants the server for.
    pub(super) fn description(&self) -> Option<String> {
        self.description.clone().or_else(|| self.purpose.clone())
    }

    /// The ways, in the order of decision 32: address, command or package, container; the container comes first when
    /// the author wants HTTP (decision 58). `positional` follows the arguments of a program, `environment` is added
    /// to the variables.
    ///
    /// # Errors
    /// What is wrong. One wrong way refuses all, because its author may have erred in the others too.
    pub(super) fn ways(
        self,
        docker: Option<Docker>,
        positional: Vec<String>,
        environment: &[(String, String)],
    ) -> Result<Vec<Way>, Wrong> {
        let transport = self.transport.as_deref().map(str::to_ascii_lowercase).unwrap_or_default();
        if transport == "sse" {
            let what = "speaks SSE, which MCP gave up; ask for its Streamable HTTP address";
            return Err(Wrong { rule: "server-transport", what, key: "url" });
        }
        let container_first = transport.contains("http");
        let mut ways = Vec::new();
        if let Some(url) = &self.url {
            if !is_safe_address(url) {
                let what = "must have an `https://` address, or an `http://` one of this computer";
                return Err(Wrong { rule: "server-transport", what, key: "url" });
            }
            ways.push(Way::Http { url: url.clone(), headers: self.headers.clone().unwrap_or_default() });
        }
        let over_http = transport.contains("http") && ways.is_empty();
        let program = self.program(positional, environment)?;
        let docker = docker.map(|docker| docker.way(over_http, transport == "stdio", environment)).transpose()?;
        match container_first {
            true => ways.extend(docker.into_iter().chain(program)),
            false => ways.extend(program.into_iter().chain(docker)),
        }
        if ways.is_empty() {
            let what = "is not known here: say how to run it, by `package:`, `command:`, `url:` or `docker:`";
            return Err(Wrong { rule: "server-unknown", what, key: "name" });
        }
        Ok(ways)
    }

    /// The program that is the server, or that runs its package.
    fn program(self, positional: Vec<String>, environment: &[(String, String)]) -> Result<Option<Way>, Wrong> {
        let (mut args, mut env) = (self.args.unwrap_or_default(), self.env.unwrap_or_default());
        env.extend(environment.iter().cloned());
        if let Some(command) = self.command {
            args.extend(positional);
            return Ok(Some(Way::Stdio { command, args, env, cwd: self.cwd }));
        }
        let Some(package) = self.package.or(self.config_reference) else { return Ok(None) };
        if !package::is_package(&package) {
            let what = "names a package that cannot be one";
            return Err(Wrong { rule: "server-block", what, key: "package" });
        }
        let (command, mut run) = package::run(&package, self.version.as_deref());
        run.append(&mut args);
        run.extend(positional);
        Ok(Some(Way::Stdio { command, args: run, env, cwd: self.cwd }))
    }
}

impl Docker {
    fn way(self, over_http: bool, over_stdio: bool, environment: &[(String, String)]) -> Result<Way, Wrong> {
        let wrong = |rule, what| Err(Wrong { rule, what, key: "docker" });
        let Some(image) = self.image else { return wrong("server-block", "must name the `image` of its container") };
        if !is_image(&image) {
            return wrong("server-block", "names an image that cannot be one");
        }
        if over_http && self.port.is_none() {
            return wrong("server-transport", "is spoken to over HTTP, so its container needs a `port`");
        }
        let mut env = self.env.unwrap_or_default();
        env.extend(environment.iter().cloned());
        let port = self.port.filter(|_| !over_stdio).map(NonZeroU16::get);
        let (args, mounts) = (self.args.unwrap_or_default(), self.mounts.unwrap_or_default());
        Ok(Way::Docker { image, args, env, mounts, port })
    }
}

/// Whether the connection is protected from readers and changes, and the address holds no password.
pub(super) fn is_safe_address(url: &str) -> bool {
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
