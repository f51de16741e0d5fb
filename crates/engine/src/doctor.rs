//! Diagnostics: everything that can be wrong around Skilltender, found and explained in one run.
//!
//! [`CHECKS`] is the table: a row is a name and a function from [`Facts`] to its results. The facts are gathered once,
//! so the checks are pure and testable for any machine. [`report()`] makes the text for an issue.

mod clients;
mod facts;
mod gather;
mod report;
mod state;
mod system;
pub(crate) mod try_out;

use api::{Check, CheckState, Remedy};

use crate::Engine;

pub(crate) use self::{
    facts::Facts,
    report::{BEGINNING, report},
};

/// The check whose problems a program cannot live with: it would set our files aside and begin without them.
const OF_OUR_FILES: &str = "state-files";

/// One check.
struct Row {
    id: &'static str,
    /// Returns at least one result; if nothing is wrong, that all is well.
    find: fn(&Facts) -> Vec<Found>,
}

/// Every check, in display order.
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
    Row { id: OF_OUR_FILES, find: state::state_files },
    Row { id: "unsaved", find: state::unsaved },
];

/// The results of every check for these facts.
pub(crate) fn examine(facts: &Facts) -> Vec<Check> {
    let found = CHECKS.iter().flat_map(|row| (row.find)(facts).into_iter().map(|found| (row.id, found)));
    found
        .map(|(id, Found { state, what, place, todo, command, remedy, client, about })| Check {
            id: id.to_owned(),
            state,
            what,
            place,
            todo,
            command,
            remedy,
            client,
            about,
        })
        .collect()
}

/// What would make this program lose what the person has, as sentences: every check runs, over the facts of our own
/// files and the library.
fn losses(engine: &Engine) -> Vec<String> {
    let found = examine(&Facts::of_ours(engine)).into_iter();
    found
        .filter(|check| check.id == OF_OUR_FILES && check.state == CheckState::Problem)
        .map(|check| check.what)
        .collect()
}

/// One result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    state: CheckState,
    what: String,
    place: Option<String>,
    todo: Option<String>,
    command: Option<String>,
    remedy: Option<Remedy>,
    client: Option<String>,
    about: Option<String>,
}

impl Found {
    fn new(state: CheckState, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { state, what, place: None, todo: None, command: None, remedy: None, client: None, about: None }
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

    /// What the window offers a button for, and the id of what that is about.
    fn by(self, remedy: Remedy, about: Option<&str>) -> Self {
        Self { remedy: Some(remedy), about: about.map(str::to_owned), ..self }
    }

    /// The same at the command line, as commands in backquotes.
    fn run(self, command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..self }
    }
}

/// The results, or `fine` if there are none.
fn or_fine(found: Vec<Found>, fine: &str) -> Vec<Found> {
    if found.is_empty() { vec![Found::fine(fine)] } else { found }
}
