//! Everything that a team's file would bring, on one page: nothing is written but what is fetched, in a folder of ours. What
//! nobody would see in a text that others wrote is spelled out, so that the page is what it says.

use std::collections::{BTreeMap, BTreeSet};

use ::skills::{Server, Slot, redirects, visible, visible_line};
use api::{
    ActionError, ErrorKind, LockRow, LockState, SourcePlan, Standing, TeamAsk, TeamClientRow, TeamPage, TeamServerRow,
    TeamSetRow, TeamSkillRow, TeamSkillState, failed,
};
use fetch::FetchError;
use servers::{find_program, search_programs};
use sources::{Form, Policy, Team, TeamServer};

use super::judge;
use crate::{
    Engine,
    actions::{compare_with_lock, incoming_skill, locked_source, look_at_locked, plan_locked, refuse},
};

/// Shows what a team's file would bring and run. Every skill is fetched at its commit, and every file of it compared with
/// the digest.
///
/// # Errors
/// When the text is no team's file, its policy refuses something in it, a skill cannot be fetched, is another than the file
/// says, or needs servers that the file does not have in that form.
pub async fn look_at_team(engine: &Engine, text: &str) -> Result<TeamPage, ActionError> {
    let cancel = engine.cancel();
    let team = super::read(text)?;
    judge::policy(&team)?;
    let lock = team.lock().to_string();
    let compared = compare_with_lock(engine, &lock).await?;
    let (mut skills, mut declared) = (Vec::new(), BTreeMap::new());
    let given = engine.state().now().given.clone();
    let is_set = |key: &String, server: &str, name: &str| {
        let slot = Slot { key: key.clone(), server: server.to_owned(), name: name.to_owned() };
        given.values.get(&slot).cloned()
    };
    let mut keys = BTreeMap::new();
    for row in compared.rows {
        keys.extend(row.key.clone().map(|key| (row.name.clone(), key)));
        let (row, servers) = skill(engine, &team, &lock, row).await?;
        // Each is a fetch of its own; what ended one of them ends all.
        if cancel.is() {
            return Err(refuse(&FetchError::Cancelled));
        }
        declared.insert(row.name.clone(), servers);
        skills.push(row);
    }
    let snapshot = engine.snapshot();
    let search = search_programs(engine.machine());
    let servers = team.servers.iter().map(|one| {
        let program = judge::argv(&one.form).first().filter(|word| !word.contains(['/', '\\', '$'])).cloned();
        let found = program.and_then(|word| find_program(&word, &search)).map(|path| engine.machine().place(&path));
        let set = |name: &str| {
            let keys = one.skills.iter().filter_map(|skill| keys.get(skill));
            keys.filter_map(|key| is_set(key, &one.name, name)).next()
        };
        server(one, found, &declared, &set)
    });
    let set = |(name, skills): (&String, &BTreeSet<String>)| TeamSetRow {
        name: visible_line(name),
        skills: skills.iter().cloned().collect(),
        here: snapshot.sets.iter().any(|set| set.name.to_lowercase() == name.to_lowercase()),
    };
    let client = |id: &String| {
        let known = snapshot.clients.iter().find(|client| client.id == *id);
        TeamClientRow {
            id: id.clone(),
            name: known.map(|client| client.name.clone()),
            installed: known.is_some_and(|client| client.found),
            connected: known.is_some_and(|client| matches!(client.standing, Standing::Added | Standing::Shared { .. })),
        }
    };
    Ok(TeamPage {
        id: super::id(&team),
        text: team.to_string(),
        from: String::new(),
        commit: None,
        name: team.name.as_deref().map(visible_line),
        advice: team.advice.as_deref().map(visible),
        refuses: refuses(&team.policy),
        skills,
        servers: servers.collect(),
        sets: team.sets.iter().map(set).collect(),
        clients: team.clients.iter().map(client).collect(),
    })
}

/// One skill, with the servers that it declares.
async fn skill(
    engine: &Engine,
    team: &Team,
    lock: &str,
    row: LockRow,
) -> Result<(TeamSkillRow, Vec<Server>), ActionError> {
    let LockRow { name, key, state, .. } = row;
    let locked = &team.skills[&name];
    let here = key.as_ref().and_then(|key| engine.state().entry(key).ok());
    let mut servers = Vec::new();
    let state = match (state, here) {
        (LockState::Same, Some(entry)) => {
            judge::skill(team, &name, &entry.skill)?;
            servers.clone_from(&entry.skill.servers);
            TeamSkillState::Same { on: entry.enabled }
        }
        (LockState::Differs { .. }, Some(entry)) => match plan_locked(engine, &entry.key(), lock, &name).await {
            Ok(update) if update.edited || update.conflicts > 0 => {
                TeamSkillState::Stays { why: judge::changed_here(&name) }
            }
            Ok(update) => {
                let skill = incoming_skill(engine, &name, locked).await?;
                judge::skill(team, &name, &skill)?;
                servers = skill.servers;
                TeamSkillState::Changes { update: Box::new(update) }
            }
            Err(error) => TeamSkillState::Stays { why: error.message },
        },
        _ => {
            let SourcePlan { plan, .. } = look_at_locked(engine, lock, &name).await?;
            let skill = incoming_skill(engine, &name, locked).await?;
            judge::skill(team, &name, &skill)?;
            servers = skill.servers;
            let refused = || failed(ErrorKind::Refused, format!("{name} cannot come: it is no skill."));
            let skill = plan.skills.into_iter().next().ok_or_else(refused)?;
            if skill.id != name {
                let message = format!("The team's file calls a skill {name} that its source calls {}.", skill.id);
                return Err(failed(ErrorKind::Refused, message));
            }
            TeamSkillState::Comes { skill: Box::new(skill) }
        }
    };
    let commit = locked.commit.clone().unwrap_or_default();
    Ok((TeamSkillRow { source: locked_source(locked), commit, digest: locked.digest(), state, name }, servers))
}

fn server(
    server: &TeamServer,
    program: Option<String>,
    declared: &BTreeMap<String, Vec<Server>>,
    given: &dyn Fn(&str) -> Option<String>,
) -> TeamServerRow {
    let TeamServer { name, skills, form, version, secrets } = server;
    let of_skills = skills.iter().filter_map(|skill| declared.get(skill)).flatten().filter(|one| one.name == *name);
    let parameters = of_skills.flat_map(|one| {
        let way = judge::way(one, form);
        one.parameters.iter().filter(move |parameter| way.is_some_and(|way| way.uses(&parameter.name)))
    });
    let asks: BTreeSet<_> = parameters
        .map(|parameter| {
            let said = secrets.get(&parameter.name);
            TeamAsk {
                name: parameter.name.clone(),
                secret: parameter.sensitive,
                required: parameter.required,
                default: parameter.default.as_deref().map(visible_line),
                given: (!parameter.sensitive).then(|| given(&parameter.name)).flatten(),
                how: said.and_then(|said| said.how.as_ref()).or(parameter.description.as_ref()).map(|how| visible(how)),
                address: said.and_then(|said| said.address.clone()),
            }
        })
        .collect();
    let (url, folders, port) = match form {
        Form::Address { url, .. } => (Some(visible_line(url)), Vec::new(), None),
        Form::Program { cwd, .. } => (None, cwd.iter().map(|folder| visible_line(folder)).collect(), None),
        Form::Container { mounts, port, .. } => (None, mounts.iter().map(|mount| visible_line(mount)).collect(), *port),
    };
    let is_program = !matches!(form, Form::Address { .. });
    TeamServerRow {
        name: name.clone(),
        skills: skills.iter().cloned().collect(),
        command: judge::argv(form).iter().map(|word| visible_line(word)).collect(),
        program,
        url,
        folders,
        port,
        values: form.values().iter().map(|(name, value)| (visible_line(name), visible_line(value))).collect(),
        version: version.clone(),
        unpinned: judge::unpinned(server),
        redirects: form.values().keys().filter(|name| is_program && redirects(name)).cloned().collect(),
        asks: asks.into_iter().collect(),
    }
}

fn refuses(policy: &Policy) -> Vec<String> {
    let sources = policy.sources.as_ref().map(|allowed| {
        let allowed: Vec<_> = allowed.iter().map(ToString::to_string).collect();
        format!("Skills come only from {}.", allowed.join(", "))
    });
    let unpinned = policy.no_unpinned_servers.then(|| "No server is of a package without a fixed version.".to_owned());
    let remote = policy.no_remote_servers.then(|| "No server runs elsewhere.".to_owned());
    sources.into_iter().chain(unpinned).chain(remote).collect()
}
