//! What a skill from outside needs, looked at before it is imported: which of its servers are there already, and what is
//! missing for the others.

use ::skills::Way;
use serde::Serialize;

use super::{
    blocking, configured_servers,
    import::{again, source},
};
use crate::{
    Engine,
    choices::OWN,
    import, pages, servers,
    view::{ActionError, Need},
};

/// A skill that would come into our own folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingSkill {
    /// The key that it would have.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The servers that it needs.
    pub servers: Vec<IncomingServer>,
}

/// A server that such a skill needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingServer {
    /// What it is, and which values are there already.
    pub need: Need,
    /// The file of a client in which a server of this name stands (decision 34): it counts as there, and is not ours to
    /// start.
    pub configured: Option<String>,
    /// Whether something of this name was agreed to for this skill before; whether it is the same shows once it is there.
    pub approved: bool,
    /// The program that it would need and that is nowhere on this computer.
    pub absent: Option<String>,
    /// Whether the skill says how it is started at all.
    pub startable: bool,
}

/// What the skills of an import need: all of them, or those at the paths of `only`. With a client only its files count for
/// what is configured already. Nothing is written.
///
/// # Errors
/// When something is different from what [`look_at_import`](super::look_at_import) showed.
pub async fn look_at_needs(
    engine: &Engine,
    path: &str,
    plan: &str,
    only: Option<Vec<String>>,
    client: Option<&str>,
) -> Result<Vec<IncomingSkill>, ActionError> {
    let (source, plan) = (source(path)?, plan.to_owned());
    let configured = configured_servers(engine).await?;
    let (given, approvals) =
        engine.change(|state| (state.given.clone(), std::sync::Arc::clone(&state.servers.approvals))).await?;
    let (machine, client) = (engine.machine().clone(), client.map(str::to_owned));
    blocking(move || {
        let search = servers::search_programs(&machine);
        let counts = |of: &str| client.as_deref().is_none_or(|client| client == of);
        let incoming = again(&source, &plan, only.as_deref())?;
        let look = |incoming: &import::IncomingSkill| {
            let skill = ::skills::read(&incoming.id, &incoming.files[&::skills::SkillPath::skill_md()].bytes);
            let key = format!("{OWN}/{}", incoming.id);
            let absent = |way: &Way| match way {
                Way::Stdio { command, .. } if !command.contains(['/', '\\', '$']) => {
                    servers::find_program(command, &search).is_none().then(|| command.clone())
                }
                Way::Docker { .. } => ["docker", "podman"]
                    .iter()
                    .all(|engine| servers::find_program(engine, &search).is_none())
                    .then(|| "docker".to_owned()),
                // What it is at an address, or in the skill's own folder, shows once it is there.
                _ => None,
            };
            let needs = pages::needs(&skill, &given, &key).into_iter().zip(&skill.servers);
            let servers = needs.map(|(need, server)| IncomingServer {
                configured: configured
                    .iter()
                    .find(|there| there.name == need.server && !there.off && counts(&there.client))
                    .map(|there| there.place.clone()),
                approved: approvals.covers(&need.server, &key),
                // One of its ways is enough.
                absent: server
                    .ways
                    .iter()
                    .map(absent)
                    .collect::<Option<Vec<_>>>()
                    .and_then(|absent| absent.into_iter().next()),
                startable: !server.ways.is_empty(),
                need,
            });
            IncomingSkill { servers: servers.collect(), name: skill.name.clone(), key }
        };
        Ok(incoming.iter().map(look).collect())
    })
    .await
}
