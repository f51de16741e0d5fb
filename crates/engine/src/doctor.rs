//! Everything that can be wrong around us, found and explained in one run.
//!
//! [`CHECKS`] is the table: a row is a name and a function from [`Facts`] to what it found. The facts are
//! gathered once, so the checks are pure and say what they would say on any machine. What a person
//! attaches to an issue is made in [`report`].

mod clients;
mod facts;
mod report;
mod state;
mod system;

pub(crate) use self::{
    facts::Facts,
    report::{BEGINNING, report},
};
use crate::view::{Check, CheckState};

/// One check.
struct Row {
    id: &'static str,
    /// What it finds: at least one thing, that all is well if nothing else.
    find: fn(&Facts) -> Vec<Found>,
}

/// Every check, in the order in which people read them.
const CHECKS: &[Row] = &[
    Row { id: "engine", find: system::engine },
    Row { id: "port", find: system::port },
    Row { id: "client-file", find: clients::files },
    Row { id: "program", find: clients::programs },
    Row { id: "old-config", find: clients::old_configs },
    Row { id: "journal", find: state::journal },
    Row { id: "library", find: state::library },
    Row { id: "watches", find: system::watches },
    Row { id: "runtimes", find: state::runtimes },
    Row { id: "containers", find: state::containers },
    Row { id: "server-names", find: state::server_names },
    Row { id: "servers", find: state::servers },
    Row { id: "keychain", find: system::keychain },
    Row { id: "tray", find: system::tray },
    Row { id: "private-files", find: state::private_files },
    Row { id: "state-files", find: state::state_files },
    Row { id: "unsaved", find: state::unsaved },
];

/// What every check finds in these facts.
pub(crate) fn examine(facts: &Facts) -> Vec<Check> {
    let found = CHECKS.iter().flat_map(|row| (row.find)(facts).into_iter().map(|found| (row.id, found)));
    found
        .map(|(id, Found { state, what, place, todo, client })| Check {
            id: id.to_owned(),
            state,
            what,
            place,
            todo,
            client,
        })
        .collect()
}

/// One thing that a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    state: CheckState,
    what: String,
    place: Option<String>,
    todo: Option<String>,
    client: Option<String>,
}

impl Found {
    fn new(state: CheckState, what: impl Into<String>) -> Self {
        Self { state, what: what.into(), place: None, todo: None, client: None }
    }

    fn fine(what: impl Into<String>) -> Self {
        Self::new(CheckState::Fine, what)
    }

    fn unknown(what: impl Into<String>) -> Self {
        Self::new(CheckState::Unknown, what)
    }

    fn attention(what: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { todo: Some(todo.into()), ..Self::new(CheckState::Attention, what) }
    }

    fn problem(what: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { todo: Some(todo.into()), ..Self::new(CheckState::Problem, what) }
    }

    fn at(self, place: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    fn of(self, client: &str) -> Self {
        Self { client: Some(client.to_owned()), ..self }
    }
}

/// What was found; where nothing was, that all is well.
fn or_fine(found: Vec<Found>, fine: &str) -> Vec<Found> {
    if found.is_empty() { vec![Found::fine(fine)] } else { found }
}
