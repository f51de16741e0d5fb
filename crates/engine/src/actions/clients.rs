//! What a person does with clients: look at the change of a client's file, and have it made.
//!
//! A change is named by its id. Making it computes it anew from the present bytes, and only the
//! very change that was shown is written.

use clients::Client;

use super::failed;
use crate::{
    Engine, Machine,
    connect::{self, Change},
    view::{ActionError, ClientChange, ConnectPlan, ErrorKind},
};

/// What a change of a client's files would be.
///
/// # Errors
/// When there is no such client, or its file cannot be changed safely or needs no such change.
pub async fn plan_client(engine: &Engine, client: &str, change: ClientChange) -> Result<ConnectPlan, ActionError> {
    on_disk(engine, client, move |machine, client| Ok(compute(machine, client, &change)?.shown(machine))).await
}

/// Makes the change that `plan_id` showed.
///
/// # Errors
/// As [`plan_client`]; `Changed` when the change would be another one now; and when writing fails.
pub async fn change_client(
    engine: &Engine,
    client: &str,
    change: ClientChange,
    plan_id: &str,
) -> Result<(), ActionError> {
    let shown = plan_id.to_owned();
    let made = on_disk(engine, client, move |machine, client| {
        connect::stable_program(machine).map_err(|error| {
            let message = format!("The program that clients run could not be put in its place: {error}.");
            failed(ErrorKind::System, message)
        })?;
        let change = compute(machine, client, &change)?;
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

fn compute(machine: &Machine, client: &'static Client, change: &ClientChange) -> Result<Change, ActionError> {
    match change {
        ClientChange::Connect { .. } => connect::to_connect(machine, client),
        ClientChange::Disconnect { .. } => connect::to_disconnect(machine, client),
        ClientChange::Update { .. } | ClientChange::Undo => {
            Err(failed(ErrorKind::Refused, "There is nothing to put right in this file."))
        }
    }
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
