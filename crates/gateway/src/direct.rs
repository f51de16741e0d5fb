//! Direct mode: what a client's own entry for one server runs. An unapproved server is refused here too. Nothing is
//! started or reached: the caller does that.

use std::process::Command;

use mcp::Line;
use processes::Recipe;
use servers::{Kind, LaunchSpec, search_programs};

use crate::{gateway::Gateway, sign_in, start};

/// The target of a client's own entry.
pub enum Direct {
    /// A program with its arguments, folder and whole environment, exactly as the gateway would start it. The
    /// caller connects its input and output.
    Program(Command),
    /// A server at an address, with the secrets in the headers of each request.
    Address(Line),
}

impl Gateway {
    /// Prepares the connection to an approved server, without starting or reaching anything.
    ///
    /// # Errors
    /// When no skill that is on needs the server, what it would be started with now is not approved, a secret is not
    /// available, or it has no direct mode: as a sentence.
    pub async fn direct(&self, server: &str) -> Result<Direct, String> {
        self.reconcile().await;
        match self.state().agreed(server)?.spec {
            Ok(spec) => direct(self, &spec).await,
            // A launch spec that cannot be filled is not approved.
            Err(_) => Err(format!("The server {server} cannot be started now.")),
        }
    }
}

async fn direct(gateway: &Gateway, spec: &LaunchSpec) -> Result<Direct, String> {
    let name = &spec.name;
    let machine = gateway.machine();
    let search = search_programs(machine);
    match &spec.kind {
        Kind::Address { url, .. }
            if servers::sign_in::address(spec).is_some_and(|_| sign_in::is_kept(gateway, name, url)) =>
        {
            // Only one engine may renew the tokens.
            Err(format!(
                "{name} is a server that you signed in to. Connect the client to Skilltender, which keeps the sign-in."
            ))
        }
        Kind::Address { url, headers } => {
            let secrets = start::secrets(gateway, spec, &search).await?;
            let headers = start::with_secrets(spec, headers, &secrets);
            let line = Line::over_http(url, headers, None).map_err(|error| format!("{name}: {error}."))?;
            Ok(Direct::Address(line.hiding(&start::hidden(&secrets))))
        }
        Kind::Program { port: Some(_), .. } => Err(format!(
            "{name} is a container that speaks over a port, not over its input and output. Connect the client to Skilltender, which speaks to it."
        )),
        Kind::Program { program, argv, env, cwd: at, port: None, .. } => {
            let secrets = start::secrets(gateway, spec, &search).await?;
            let recipe = start::recipe(machine, &search, (program, argv, env, at, None), &secrets)?;
            let Recipe { program, args, environment, cwd } = recipe;
            let mut command = Command::new(program);
            command.args(args);
            if !at.as_os_str().is_empty() {
                command.current_dir(cwd);
            }
            environment.give(&mut command);
            Ok(Direct::Program(command))
        }
    }
}
