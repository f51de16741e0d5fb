//! The values of servers' parameters at one moment.

use std::collections::BTreeMap;

use choices::Tracked;
use secrets::SecretFact;
use skills::{Server, Slot, Way, WayKind};

use crate::Containers;

/// The values of servers' parameters: plain values, and for secrets only that they exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParameterValues {
    /// Stored secrets.
    pub secrets: BTreeMap<Slot, SecretFact>,
    /// Plain values.
    pub values: Tracked<BTreeMap<Slot, String>>,
    /// What runs containers here. No person gave it, but the choice of a way depends on it too.
    pub containers: Containers,
}

impl ParameterValues {
    /// How a skill's server is started: as the person chose, else the skill's first way (decision 32) that is
    /// possible here: without an engine, a container does not come before a program (decision 58).
    pub fn way<'s>(&self, key: &str, server: &'s Server) -> Option<&'s Way> {
        let picked = self.values.get(&Slot::way(key, &server.name));
        let is_picked = |way: &&Way| picked.is_some_and(|picked| way.kind().as_str() == picked);
        let can_be = |way: &&Way| way.kind() != WayKind::Docker || !self.containers.cannot_run();
        server.ways.iter().find(is_picked).or_else(|| server.ways.iter().find(can_be)).or(server.ways.first())
    }

    /// Whether this parameter has a value, in the store where it belongs.
    pub fn holds(&self, key: &str, server: &Server, parameter: &skills::Parameter) -> bool {
        let slot = Slot { key: key.to_owned(), server: server.name.clone(), name: parameter.name.clone() };
        if parameter.sensitive { self.secrets.contains_key(&slot) } else { self.values.contains_key(&slot) }
    }
}
