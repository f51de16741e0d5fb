//! The reasons why a skill's servers would not work after the installation.

use engine::actions::IncomingServer;
use serde::Serialize;

use super::given::{Given, is_there};
use crate::prose;

/// One missing requirement.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Missing {
    /// The server.
    pub(super) server: String,
    /// The requirement, as a sentence.
    pub(super) message: String,
}

/// The missing requirements. Approvals are not among them if the user will be asked.
pub(super) fn of(servers: &[&IncomingServer], given: &Given, asks: bool) -> Vec<Missing> {
    let mut missing = Vec::new();
    for server in servers {
        let mut miss = |message: String| missing.push(Missing { server: server.need.server.clone(), message });
        if !server.startable {
            miss("The skill does not say how it is started.".to_owned());
            continue;
        }
        if let Some(program) = &server.absent {
            miss(format!("Its program {program} is not on this computer."));
        }
        for value in server.need.values.iter().filter(|value| value.required && !is_there(value)) {
            if !given.has(&server.need.server, &value.name) {
                let what = value.description.as_ref().map(|text| format!(" ({})", prose(text))).unwrap_or_default();
                miss(format!("It needs {}{what}.", value.name));
            }
        }
        if !asks && !server.approved {
            miss("No client's file has it, and nobody approved it.".to_owned());
        }
    }
    missing
}
