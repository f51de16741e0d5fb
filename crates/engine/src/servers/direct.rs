//! Direct mode: a client's own entry for one server. What would run is read from the disk, as an engine that only reads
//! does, so it works beside the engine that runs and without one; what a person did not agree to is refused all the same.

use std::process::Command;

use super::{Form, Servers, form::Kind, look_now, paths, start};
use crate::{Engine, Machine, Mode, StartError, child::Recipe};

/// Why a server is not started directly.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    /// It may not be, or not so; the sentence says why.
    #[error("{0}")]
    Refused(String),
    /// The library could not be read.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// The command of a server that a person agreed to: program, arguments, folder and the whole environment, exactly as the
/// gateway would start it. Its input and output are the caller's. Nothing is started here.
///
/// # Errors
/// When no skill that is on needs the server, nobody agreed to what it would be started with now, a secret cannot be
/// had, or it is no program of this computer.
pub async fn prepare(machine: Machine, server: &str) -> Result<Command, DirectError> {
    let engine = Engine::start(machine, Mode::Reading).await?;
    look_now(&engine).await;
    let want = engine.agreed(server).map_err(DirectError::Refused)?;
    let prepared = match want.form {
        Ok(form) => command(&engine, &form).await.map_err(DirectError::Refused),
        // What cannot be filled is not agreed to.
        Err(_) => Err(DirectError::Refused(format!("The server {server} cannot be started now."))),
    };
    engine.stop().await;
    prepared
}

/// The names of the servers of skills that may run and that a client can start by an entry of their own.
pub(crate) fn possible(servers: &Servers) -> Vec<String> {
    let wants = servers.wanted.iter().flat_map(|wanted| wanted.servers.values());
    let is_program = |form: &Form| matches!(form.kind, Kind::Program { port: None, .. });
    let may = wants.filter(|want| want.client.is_none() && want.form.as_ref().is_ok_and(is_program));
    may.filter(|want| servers.approvals.to(want).is_some()).map(|want| want.name.clone()).collect()
}

async fn command(engine: &Engine, form: &Form) -> Result<Command, String> {
    let Kind::Program { program, argv, env, cwd: at, port, .. } = &form.kind else {
        let name = &form.name;
        return Err(format!(
            "{name} runs elsewhere, so there is no program to start. Connect the client to Skilltender, which speaks to it."
        ));
    };
    if port.is_some() {
        let name = &form.name;
        return Err(format!(
            "{name} is a container that speaks over a port, not over its input and output. Connect the client to Skilltender, which speaks to it."
        ));
    }
    let machine = engine.machine();
    let search = paths::search(machine);
    let secrets = start::secrets(engine, form, &search).await?;
    let recipe = start::recipe(machine, &search, (program, argv, env, at, None), &secrets)?;
    let Recipe { program, args, environment, cwd } = recipe;
    let mut command = Command::new(program);
    command.args(args);
    if !at.as_os_str().is_empty() {
        command.current_dir(cwd);
    }
    environment.give(&mut command);
    Ok(command)
}
