//! Keeps the list of wanted servers up to date with skills, values and choices, and stops what may not run any more.

use std::time::Duration;

use servers::Containers;

use super::{ask_for_containers, look_now};
use crate::{Engine, Mode};

/// How often a container engine that was down is checked again.
const AGAIN: Duration = Duration::from_secs(10);

/// Looks again whenever skills, values or choices changed, for as long as the engine lives. Stops servers that
/// no skill needs, whose form changed, or that are not approved any more.
pub(crate) fn keep_up(engine: &Engine) {
    if *engine.mode() != Mode::Writing {
        return;
    }
    let (mut changes, alive) = (engine.state().wants(), engine.while_it_lives());
    begin_unseen(engine);
    tokio::spawn(async move {
        loop {
            // Repeats the check of an engine that was down, so that its start needs no report.
            let again = async {
                let down = match alive() {
                    Some(engine) => matches!(engine.state().now().given.containers, Containers::Down(_)),
                    None => false,
                };
                match down {
                    true => tokio::time::sleep(AGAIN).await,
                    false => std::future::pending().await,
                }
            };
            let asked = tokio::select! {
                changed = changes.changed() => match changed {
                    Ok(()) => false,
                    Err(_) => return,
                },
                () = again => true,
            };
            let Some(engine) = alive() else { return };
            if asked {
                ask_for_containers(&engine).await;
            }
            look_now(&engine).await;
            engine.gateway().stop_stale(&engine);
            begin_unseen(&engine);
        }
    });
}

/// Starts servers that were approved while no engine served: clients cannot call their tools before a first
/// run. A server that waits for a sign-in keeps waiting, and one that a client starts itself is left to that
/// client.
fn begin_unseen(engine: &Engine) {
    for want in engine.state().unseen() {
        if let Err(message) = engine.gateway().begin_first(engine, &want) {
            tracing::debug!("a server whose tools nobody has seen does not run: {message}");
        }
    }
}
