//! What a person does with clients: look at the change of a client's file, and have it made.
//!
//! A change is named by its id. Making it computes it anew from the present bytes, and only the
//! very change that was shown is written.

use clients::Client;

use super::failed;
use crate::{
    Engine, Machine,
    connect::{self, Change},
    view::{ActionError, ConnectPlan, ErrorKind},
};

type Compute = fn(&Machine, &'static Client) -> Result<Change, ActionError>;

/// The change that would add our entry to a client's file.
///
/// # Errors
/// When there is no such client, or its file cannot be changed safely or holds our entry already.
pub async fn plan_connect(engine: &Engine, client: &str) -> Result<ConnectPlan, ActionError> {
    plan(engine, client, connect::to_connect).await
}

/// Adds our entry, as `plan_id` showed it.
///
/// # Errors
/// As [`plan_connect`]; `Changed` when the change would be another one now; and when writing fails.
pub async fn connect_client(engine: &Engine, client: &str, plan_id: &str) -> Result<(), ActionError> {
    make(engine, client, plan_id, |machine, client| {
        connect::stable_program(machine).map_err(|error| {
            let message = format!("The program that clients run could not be put in its place: {error}.");
            failed(ErrorKind::System, message)
        })?;
        connect::to_connect(machine, client)
    })
    .await
}

/// The change that would take our entry out again.
///
/// # Errors
/// When there is no such client, or its file cannot be changed safely or holds no entry of ours.
pub async fn plan_disconnect(engine: &Engine, client: &str) -> Result<ConnectPlan, ActionError> {
    plan(engine, client, connect::to_disconnect).await
}

/// Takes our entry out again, as `plan_id` showed it.
///
/// # Errors
/// As [`plan_disconnect`]; `Changed` when the change would be another one now; and when writing fails.
pub async fn disconnect_client(engine: &Engine, client: &str, plan_id: &str) -> Result<(), ActionError> {
    make(engine, client, plan_id, connect::to_disconnect).await?;
    // What is connected no more needs no key.
    super::forget_token(engine, client).await
}

async fn plan(engine: &Engine, client: &str, compute: Compute) -> Result<ConnectPlan, ActionError> {
    on_disk(engine, client, move |machine, client| Ok(compute(machine, client)?.shown(machine))).await
}

async fn make(engine: &Engine, client: &str, plan_id: &str, compute: Compute) -> Result<(), ActionError> {
    let shown = plan_id.to_owned();
    let made = on_disk(engine, client, move |machine, client| {
        let change = compute(machine, client)?;
        if change.id() != shown {
            let message = "The file changed since the change was shown, so nothing was written. Look at it again.";
            return Err(failed(ErrorKind::Changed, message));
        }
        Ok(change.write(machine)?)
    })
    .await;
    // However it went, the file was just looked at: what stands in it is news.
    let file = on_disk(engine, client, |machine, client| Ok((client.id, connect::look(machine, client)))).await;
    if let Ok((id, file)) = file {
        engine.change(move |state| state.client(id).file = Some(file)).await?;
    }
    made
}

/// Does `work` where waiting for the disk holds nobody up.
async fn on_disk<T: Send + 'static>(
    engine: &Engine,
    client: &str,
    work: impl FnOnce(&Machine, &'static Client) -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    let client = clients::client(client)
        .ok_or_else(|| failed(ErrorKind::NotFound, format!("Skilltender knows no client \"{client}\".")))?;
    let machine = engine.machine().clone();
    let done = tokio::task::spawn_blocking(move || work(&machine, client)).await;
    done.unwrap_or_else(|_| Err(failed(ErrorKind::System, "Skilltender is quitting, so this was not done.")))
}
