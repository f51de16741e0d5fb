//! Direct mode: a client's own entry for one server. What would run is read from the disk, as by an engine that
//! only reads, so it works with or without a running engine. An unapproved server is refused here too.

use std::process::Command;

use machine::Machine;
pub use mcp::Line;

use processes::Recipe;
use servers::{Kind, LaunchSpec, search_programs};

use super::{look_now, sign_in, start};
use crate::{Engine, Mode, StartError};

/// Why a server is not started directly.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    /// It may not run, or not in this mode; the sentence says why.
    #[error("{0}")]
    Refused(String),
    /// The library could not be read.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// The target of a client's own entry.
pub enum Direct {
    /// A program with its arguments, folder and whole environment, exactly as the gateway would start it. The
    /// caller connects its input and output.
    Program(Command),
    /// A server at an address, with the secrets in the headers of each request.
    Address(Line),
}

/// Prepares the connection to an approved server, without starting or reaching anything.
///
/// # Errors
/// When no skill that is on needs the server, what it would be started with now is not approved, a secret is
/// not available, or it has no direct mode.
pub async fn prepare(machine: Machine, server: &str) -> Result<Direct, DirectError> {
    let engine = Engine::start(machine, Mode::Reading).await?;
    look_now(&engine).await;
    let want = engine.state().agreed(server).map_err(DirectError::Refused)?;
    let prepared = match want.form {
        Ok(form) => direct(&engine, &form).await.map_err(DirectError::Refused),
        // A form that cannot be filled is not approved.
        Err(_) => Err(DirectError::Refused(format!("The server {server} cannot be started now."))),
    };
    engine.stop().await;
    prepared
}

async fn direct(engine: &Engine, form: &LaunchSpec) -> Result<Direct, String> {
    let name = &form.name;
    let machine = engine.machine();
    let search = search_programs(machine);
    match &form.kind {
        Kind::Address { url, .. }
            if servers::sign_in::address(form).is_some_and(|_| sign_in::is_kept(engine, name, url)) =>
        {
            // Only one engine may renew the tokens.
            Err(format!(
                "{name} is a server that you signed in to. Connect the client to Skilltender, which keeps the sign-in."
            ))
        }
        Kind::Address { url, headers } => {
            let secrets = start::secrets(engine, form, &search).await?;
            let headers = start::with_secrets(form, headers, &secrets);
            let line = Line::over_http(url, headers, None).map_err(|error| format!("{name}: {error}."))?;
            Ok(Direct::Address(line.hiding(&start::hidden(&secrets))))
        }
        Kind::Program { port: Some(_), .. } => Err(format!(
            "{name} is a container that speaks over a port, not over its input and output. Connect the client to Skilltender, which speaks to it."
        )),
        Kind::Program { program, argv, env, cwd: at, port: None, .. } => {
            let secrets = start::secrets(engine, form, &search).await?;
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
