//! One server that is wanted, and why it may have no launch spec yet.

use std::collections::BTreeSet;

use crate::{LaunchSpec, Unfilled};

/// One wanted server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Its name.
    pub name: String,
    /// Its name in its skills, where another server has that name here.
    pub declared: Option<String>,
    /// The first skill's description of it.
    pub description: Option<String>,
    /// The page that its command is from, if the skill gives only a well-known name.
    pub source: Option<&'static str>,
    /// The keys of the skills that want it.
    pub users: BTreeSet<String>,
    /// Whether the person is signed in at its address.
    pub signed_in: bool,
    /// The id of the client that it is kept for: the client starts it, and no skill wants it.
    pub client: Option<String>,
    /// What would be started, or why nothing can be.
    pub spec: Result<LaunchSpec, Unfilled>,
}

impl Requirement {
    /// Its name in its skills.
    pub fn called(&self) -> &str {
        self.declared.as_deref().unwrap_or(&self.name)
    }
}
