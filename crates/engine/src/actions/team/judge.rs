//! Compares the servers that skills declare with those of a team's file, and asks the team's policy.
//!
//! The file says what runs, so that a person who reads it, or its change in a review, sees it. It is believed only where
//! the skill itself says the same (decision 82).

use std::collections::BTreeMap;

use ::skills::{Server, Skill, Way, WayKind};
use api::{ActionError, ErrorKind, failed};
use servers::Fetched;
use sources::{Form, PolicyError, Team, TeamServer};

/// A way as a team's file has it.
pub(super) fn form_of(way: &Way) -> Form {
    match way.clone() {
        Way::Http { url, headers } => Form::Address { url, headers },
        Way::Stdio { command, args, env, cwd } => Form::Program { command, args, env, cwd },
        Way::Docker { image, args, env, mounts, port } => Form::Container { image, args, env, mounts, port },
    }
}

/// The kind of way that a form is.
pub(super) fn kind(form: &Form) -> WayKind {
    match form {
        Form::Address { .. } => WayKind::Http,
        Form::Program { .. } => WayKind::Stdio,
        Form::Container { .. } => WayKind::Docker,
    }
}

/// What is run, one argument each.
pub(super) fn argv(form: &Form) -> Vec<String> {
    let words = form.words().into_iter().map(str::to_owned);
    match form {
        Form::Address { .. } => Vec::new(),
        Form::Program { .. } => words.collect(),
        Form::Container { .. } => ["docker", "run"].map(str::to_owned).into_iter().chain(words).collect(),
    }
}

/// The package that a server fetches without a fixed version.
pub(super) fn unpinned(server: &TeamServer) -> Option<String> {
    let fetched = Fetched::of(&argv(&server.form))?;
    // A version that a person gives is none that a team fixed.
    let is_pinned = fetched.is_pinned() && !fetched.package.contains("${");
    (!is_pinned && server.version.is_none()).then_some(fetched.package)
}

/// Refuses what the team's policy refuses, before anything is fetched.
pub(super) fn policy(team: &Team) -> Result<(), ActionError> {
    let refused = |error: PolicyError| failed(ErrorKind::Refused, error.to_string());
    for (name, skill) in &team.skills {
        team.policy.judge_source(&skill.source, name).map_err(refused)?;
    }
    let mut servers = team.servers.iter();
    servers.try_for_each(|server| team.policy.judge_server(server, unpinned(server)).map_err(refused))
}

/// Refuses a skill whose servers are not exactly those of the file.
pub(super) fn skill(team: &Team, id: &str, skill: &Skill) -> Result<(), ActionError> {
    let declared: BTreeMap<_, _> = skill.servers.iter().map(|server| (server.name.as_str(), server)).collect();
    let refused = |message: String| {
        let hints = vec!["Ask who wrote the file to export it again.".to_owned()];
        Err(ActionError { kind: ErrorKind::Refused, message, hints })
    };
    for server in skill.servers.iter().filter(|server| !server.ways.is_empty()) {
        let name = &server.name;
        let Some(said) = team.server(id, name) else {
            return refused(format!("{id} needs the server {name}, which the team's file does not have for it."));
        };
        if way(server, &said.form).is_none() {
            return refused(format!(
                "The team's file has the server {name} of {id} in a form that {id} does not have."
            ));
        }
        let asks = |secret: &&String| !server.parameters.iter().any(|one| one.sensitive && one.name == **secret);
        if let Some(secret) = said.secrets.keys().find(asks) {
            return refused(format!("The team's file has a secret {secret} of {name}, which {id} does not ask for."));
        }
    }
    let unknown = |server: &&TeamServer| {
        server.skills.contains(id) && declared.get(server.name.as_str()).is_none_or(|server| server.ways.is_empty())
    };
    match team.servers.iter().find(unknown) {
        Some(server) => {
            refused(format!("The team's file has a server {} of {id}, which {id} does not need.", server.name))
        }
        None => Ok(()),
    }
}

/// The way of a declared server that is exactly this form.
pub(super) fn way<'s>(server: &'s Server, form: &Form) -> Option<&'s Way> {
    server.ways.iter().find(|way| form_of(way) == *form)
}

/// A skill that was edited is its person's.
pub(super) fn changed_here(name: &str) -> String {
    format!("{name} was changed here, so it stays: updating it merges both.")
}
