//! Checks the needs of a skill before it is imported: which of its servers exist already, and what the others lack.

use ::skills::Way;
use api::{ActionError, Need};
use choices::OWN;
use library::import;
use serde::Serialize;
use state::blocking;

use super::{
    configured_servers,
    import::{again, source},
};
use crate::{Engine, pages};

/// A skill that would be imported into our own folder.
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

/// A server that the skill needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IncomingServer {
    /// The server, and which of its values exist already.
    pub need: Need,
    /// The client's file that configures a server of this name (decision 34): it counts as present, and is not ours to
    /// start.
    pub configured: Option<String>,
    /// Whether something under this name was approved for this skill before; whether it is the same is known only after
    /// the import.
    pub approved: bool,
    /// The program that it needs and that is not installed.
    pub absent: Option<String>,
    /// Whether the skill says how to start it.
    pub startable: bool,
}

/// The needs of the skills of an import: all of them, or those at the paths in `only`. With a client, only that
/// client's files count as configured. Writes nothing.
///
/// # Errors
/// When something differs from what [`look_at_import`](super::look_at_import) showed.
pub async fn look_at_needs(
    engine: &Engine,
    path: &str,
    plan: &str,
    only: Option<Vec<String>>,
    client: Option<&str>,
) -> Result<Vec<IncomingSkill>, ActionError> {
    let (source, plan) = (source(path)?, plan.to_owned());
    let configured = configured_servers(engine).await?;
    let state = engine.state().now();
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
                // A server at an address or in the skill's own folder can be checked only after the import.
                _ => None,
            };
            let needs = pages::needs(&skill, &state.given, &key).into_iter().zip(&skill.servers);
            let servers = needs.map(|(need, server)| IncomingServer {
                configured: configured
                    .iter()
                    .find(|there| there.name == need.server && !there.off && counts(&there.client))
                    .map(|there| there.place.clone()),
                approved: state.servers.approvals.covers_called(&need.server, &key),
                // One usable way is enough.
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
