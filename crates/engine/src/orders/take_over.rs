//! Ends the running engine, so that another one can take its place: over the socket, as every order, because not every
//! system has a signal for it.

use std::time::Duration;

use api::{ActionError, ErrorKind, failed};
use machine::{Machine, lock};
use tokio::time::sleep;

use super::{Order, ask_running};

/// The interval between checks whether the other engine has ended, and their number: slightly longer than it takes to
/// stop at most.
const PAUSE: Duration = Duration::from_millis(100);
const LOOKS: u32 = 110;

/// Asks the running engine to end and waits until it has. Returns whether one was asked.
///
/// # Errors
/// When it does not answer, or has not ended in time.
pub async fn take_over(machine: &Machine) -> Result<bool, ActionError> {
    let asked = ask_running(machine, &Order::Stop).await?.transpose()?.is_some();
    for _ in 0..if asked { LOOKS } else { 0 } {
        if lock::holder(&machine.data).is_none() {
            return Ok(true);
        }
        sleep(PAUSE).await;
    }
    match lock::holder(&machine.data) {
        None => Ok(asked),
        Some(pid) => {
            let process = pid.map_or_else(String::new, |pid| format!(" (process {pid})"));
            let message = match asked {
                true => format!("The running Skilltender{process} has not ended yet."),
                false => format!("The running Skilltender{process} does not answer on its socket."),
            };
            let hints = vec!["End it yourself, then start again.".to_owned()];
            Err(ActionError { hints, ..failed(ErrorKind::System, message) })
        }
    }
}
