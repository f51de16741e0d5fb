//! Whether a skill can be used now, and what it lacks.

use std::collections::BTreeSet;

use api::Readiness;
use machine::Machine;
use skills::{Catalog, Entry, Missing, Server, Severity, Skill};

use crate::{ParameterValues, Servers, trouble_of, view::runtime_of};

/// Whether a skill can be used by a client that has the servers of these names in its own file, and whatever else it
/// lacks, in the order in which a person can do something about it. Problems come before being off, so that a switch
/// does not hide them.
pub fn readiness(
    machine: &Machine,
    given: &ParameterValues,
    servers: &Servers,
    catalog: &Catalog,
    entry: &Entry,
    present: &BTreeSet<String>,
) -> (Readiness, Vec<Readiness>) {
    let alone = |readiness| (readiness, Vec::new());
    let key = &entry.key();
    if let Some(problem) = problem(&entry.skill) {
        return alone(problem);
    }
    if !entry.enabled {
        return alone(Readiness::Disabled);
    }
    if let Some(other) = &entry.shadowed_by {
        let place = catalog.by_key(other).map(|by| machine.place(&by.location.join("SKILL.md")));
        return alone(Readiness::Shadowed { by: place.unwrap_or_default() });
    }
    let needed = entry.skill.servers.iter().filter(|server| !present.contains(&server.name));
    let mut lacks: Vec<_> = needed.filter_map(|server| lack(given, servers, key, server)).collect();
    lacks.sort_by_key(rank);
    let mut lacks = lacks.into_iter();
    (lacks.next().unwrap_or(Readiness::Ready), lacks.collect())
}

/// What one server of a skill lacks.
fn lack(given: &ParameterValues, servers: &Servers, key: &str, server: &Server) -> Option<Readiness> {
    let values = values(server, given, key).map(|needs| match needs {
        Readiness::NeedsValues { server, names, secret, runtime: None } => {
            let runtime = runtime_of(servers, key, &server);
            Readiness::NeedsValues { server, names, secret, runtime }
        }
        other => other,
    });
    values.or_else(|| trouble_of(servers, key, server))
}

/// What is done first: a program is installed before anything can be tried, and what is approved holds the values.
fn rank(lack: &Readiness) -> u8 {
    match lack {
        Readiness::NoProgram { .. } | Readiness::NeedsValues { runtime: Some(_), .. } => 0,
        Readiness::ContainersDown { .. } => 1,
        Readiness::NeedsValues { runtime: None, .. } => 2,
        Readiness::NeedsConsent { .. } => 3,
        Readiness::NeedsSignIn { .. } => 4,
        Readiness::ToolsChanged { .. } => 5,
        _ => 6,
    }
}

/// Whether a skill can be used as it is, once it is on.
pub fn is_ready(skill: &Skill, given: &ParameterValues, key: &str) -> bool {
    problem(skill).is_none() && skill.servers.iter().all(|server| values(server, given, key).is_none())
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

/// The values that a server lacks.
fn values(server: &Server, given: &ParameterValues, key: &str) -> Option<Readiness> {
    let missing = missing(server, given, key);
    let secret = missing.first()?.sensitive;
    let names = missing.into_iter().map(|missing| missing.parameter).collect();
    Some(Readiness::NeedsValues { server: server.name.clone(), names, secret, runtime: None })
}

/// The missing values of a skill's server.
pub fn missing(server: &Server, given: &ParameterValues, key: &str) -> Vec<Missing> {
    let has = |name: &str| server.parameters.iter().any(|one| one.name == name && given.holds(key, server, one));
    skills::missing(server, given.way(key, server), &has)
}
