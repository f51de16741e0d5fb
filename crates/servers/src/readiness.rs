//! Whether a skill can be used now, and what it lacks.

use std::collections::BTreeSet;

use api::Readiness;
use machine::Machine;
use skills::{Catalog, Entry, Missing, Server, Severity, Skill};

use crate::{ParameterValues, Servers, trouble_of, view::runtime_of};

/// Whether a skill can be used by a client that has the servers of these names in its own file. Problems come
/// before being off, so that a switch does not hide them.
pub fn readiness(
    machine: &Machine,
    given: &ParameterValues,
    servers: &Servers,
    catalog: &Catalog,
    entry: &Entry,
    present: &BTreeSet<String>,
) -> Readiness {
    let key = &entry.key();
    if let Some(problem) = problem(&entry.skill) {
        return problem;
    }
    if !entry.enabled {
        return Readiness::Disabled;
    }
    if let Some(other) = &entry.shadowed_by {
        let place = catalog.by_key(other).map(|by| machine.place(&by.location.join("SKILL.md")));
        return Readiness::Shadowed { by: place.unwrap_or_default() };
    }
    let needed = || entry.skill.servers.iter().filter(|server| !present.contains(&server.name));
    let needs = needs(needed(), given, key).map(|mut needs| {
        if let Readiness::NeedsValues { server, runtime, .. } = &mut needs {
            *runtime = runtime_of(servers, key, server);
        }
        needs
    });
    needs.or_else(|| trouble_of(servers, key, needed())).unwrap_or(Readiness::Ready)
}

/// Whether a skill can be used as it is, once it is on.
pub fn is_ready(skill: &Skill, given: &ParameterValues, key: &str) -> bool {
    problem(skill).is_none() && needs(&skill.servers, given, key).is_none()
}

/// The problem that keeps a skill from being used: it is broken, or declares its needs wrongly.
pub fn problem(skill: &Skill) -> Option<Readiness> {
    let about_servers = |field: &str| field.starts_with("requires-mcp-servers");
    let mut errors = skill.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let problem = if skill.loads() {
        errors.find(|problem| problem.field.as_deref().is_some_and(about_servers))?
    } else {
        errors.next().or(skill.problems.first())?
    };
    Some(Readiness::Problem {
        message: problem.message.clone(),
        line: problem.place.line,
        column: problem.place.column,
    })
}

/// The first server with missing values, and all of these.
fn needs<'s>(servers: impl IntoIterator<Item = &'s Server>, given: &ParameterValues, key: &str) -> Option<Readiness> {
    servers.into_iter().find_map(|server| {
        let missing = missing(server, given, key);
        let secret = missing.first()?.sensitive;
        let names = missing.into_iter().map(|missing| missing.parameter).collect();
        Some(Readiness::NeedsValues { server: server.name.clone(), names, secret, runtime: None })
    })
}

/// The missing values of a skill's server.
pub fn missing(server: &Server, given: &ParameterValues, key: &str) -> Vec<Missing> {
    let has = |name: &str| server.parameters.iter().any(|one| one.name == name && given.holds(key, server, one));
    skills::missing(server, given.way(key, server), &has)
}
