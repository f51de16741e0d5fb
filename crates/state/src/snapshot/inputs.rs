//! What a snapshot is made from, as far as making it again costs time.

use std::sync::Arc;

use choices::Choices;
use library::Reading;
use servers::{ParameterValues, Present, Servers};

use crate::{examined::Examined, state::State};

/// The inputs of the last snapshot, so that the catalog is computed again only when it must be.
#[derive(Debug, Clone)]
pub struct Inputs {
    pub reading: Arc<Reading>,
    pub choices: Arc<Choices>,
    pub given: Arc<ParameterValues>,
    pub examined: Arc<Examined>,
    pub servers: Arc<Servers>,
    pub present: Arc<Present>,
}

impl Inputs {
    pub fn of(state: &State) -> Self {
        let (choices, given) = (Arc::new(Choices::clone(&state.choices)), Arc::new(state.given.clone()));
        let (servers, present) = (Arc::new(state.servers.clone()), Arc::new(state.present()));
        let (reading, examined) = (Arc::clone(&state.reading), Arc::clone(&state.examined));
        Self { reading, choices, given, examined, servers, present }
    }
}
