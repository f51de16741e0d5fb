//! An order from the command line: to the running engine, or to one that starts for it alone.

use std::io;

use api::{ActionError, ErrorKind, failed};
use machine::{Machine, lock::LockError, socket};
use serde_json::Value;

use super::{Order, ask_running, carry_out::carry_out};
use crate::{Engine, StartError, actions, client_folders};

/// Has an order carried out, by the running engine or by one of this process.
///
/// # Errors
/// When the action fails, or the running engine cannot be reached.
pub async fn give(machine: Machine, order: Order) -> Result<Value, ActionError> {
    if let Some(answer) = ask_running(&machine, &order).await? {
        return answer;
    }
    let data = machine.data.clone();
    let engine = match Engine::start_alone(machine).await {
        Ok(engine) => engine,
        Err(error) => {
            let hints = match &error {
                StartError::Lock(LockError::Held { .. }) => vec![match socket::connect(&data).await {
                    Err(closed) if closed.kind() == io::ErrorKind::PermissionDenied => {
                        format!("Its socket cannot be used: {closed}.")
                    }
                    _ => "It does not answer on its socket: quit it, then try again.".to_owned(),
                }],
                _ => Vec::new(),
            };
            return Err(ActionError { hints, ..failed(ErrorKind::System, error.to_string()) });
        }
    };
    // Orders need the same skills that `list` shows before the first run.
    if engine.snapshot().first_run {
        actions::begin_alone(&engine).await?;
    }
    let done = carry_out(&engine, order).await;
    // In this process, no other task follows the changes.
    client_folders::renew(&engine).await;
    engine.stop().await;
    done
}
