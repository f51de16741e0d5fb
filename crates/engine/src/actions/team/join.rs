//! Joins a team: brings its skills, switches them on, makes its sets, and approves the servers that the person agreed to on
//! the page. Each step can be the last one: done again, it goes on from what is here.

use std::collections::{BTreeMap, BTreeSet};

use ::skills::Slot;
use api::{
    ActionError, AgreedUpdate, ErrorKind, LockRow, LockState, ServerState, TeamAct, TeamLeft, TeamMissing,
    TeamSecretRow, TeamWhy, TeamYes, failed,
};
use servers::Requirement;
use sources::{Team, TeamServer};

use super::judge;
use crate::{
    Engine,
    actions::{
        add_source, approve_server, change_set, compare_with_lock, enable_skills, follow_locked, incoming_skill,
        list_servers, look_at_locked, look_at_skill, make_set, pick_way, pin_server, plan_locked, plan_server,
        update_skills, writing,
    },
};

/// Does everything of a team's file that needs no answer, and says what is left: skills that could not come, values and
/// secrets that only the person knows, servers that may not run yet. `id` names what the person was shown. Where the yes is to
/// the servers, exactly the launches on that page are approved, and nothing that differs from them.
///
/// # Errors
/// When the text is no team's file or not the one that was shown, or its policy refuses something in it. What fails of one
/// skill or server is left, and the others go on.
pub async fn join_team(
    engine: &Engine,
    text: &str,
    id: &str,
    folder: &str,
    yes: &TeamYes,
) -> Result<TeamLeft, ActionError> {
    writing(engine)?;
    let team = super::read(text)?;
    if super::id(&team) != id {
        let message = "The team's file changed since it was shown, so nothing was done.";
        return Err(failed(ErrorKind::Changed, message));
    }
    judge::policy(&team)?;
    let lock = team.lock().to_string();
    let mut left = TeamLeft::default();
    let mut keys = BTreeMap::new();
    for row in compare_with_lock(engine, &lock).await?.rows {
        let name = row.name.clone();
        match bring(engine, &team, &lock, row, folder).await {
            Ok(key) => drop(keys.insert(name, key)),
            Err(error) => left.skills.push(why(&name, error)),
        }
    }
    for (name, skills) in &team.sets {
        let of_set: Vec<_> = skills.iter().filter_map(|skill| keys.get(skill).cloned()).collect();
        if let Err(error) = set(engine, name, &of_set).await {
            left.sets.push(why(name, error));
        }
    }
    missing(engine, &team, &keys, &mut left);
    let joined = Joined { engine, team: &team, keys: &keys, lock: &lock, yes };
    joined.servers(&mut left).await?;
    Ok(left)
}

fn why(name: &str, error: ActionError) -> TeamWhy {
    let sentences: Vec<_> = std::iter::once(error.message).chain(error.hints).collect();
    TeamWhy { name: name.to_owned(), why: sentences.join(" "), act: None }
}

/// Makes one skill what the file says, and switches it on. Returns its key.
async fn bring(engine: &Engine, team: &Team, lock: &str, row: LockRow, folder: &str) -> Result<String, ActionError> {
    let LockRow { name, key, source, state } = row;
    let key = match (state, key) {
        (LockState::Same, Some(key)) => {
            if !engine.state().now().origins.contains_key(&key) {
                follow_locked(engine, &key, &name, &team.skills[&name]).await?;
            }
            key
        }
        (LockState::Differs { .. }, Some(key)) => {
            let plan = plan_locked(engine, &key, lock, &name).await?;
            if plan.edited || plan.conflicts > 0 {
                return Err(failed(ErrorKind::Refused, judge::changed_here(&name)));
            }
            judge::skill(team, &name, &incoming_skill(engine, &name, &team.skills[&name]).await?)?;
            let (commit, plan) = (plan.to, plan.id);
            let update = AgreedUpdate { key: key.clone(), commit, plan, answers: Default::default() };
            update_skills(engine, vec![update]).await?;
            key
        }
        _ => {
            judge::skill(team, &name, &incoming_skill(engine, &name, &team.skills[&name]).await?)?;
            let seen = look_at_locked(engine, lock, &name).await?;
            let only = seen.plan.skills.iter().map(|skill| skill.path.clone()).collect();
            let keys = add_source(engine, &source, &seen.commit, &seen.plan.id, folder, Some(only)).await?;
            let none = || failed(ErrorKind::System, format!("{name} did not come."));
            keys.into_iter().next().ok_or_else(none)?
        }
    };
    let entry = engine.state().entry(&key)?;
    judge::skill(team, &name, &entry.skill)?;
    if !entry.enabled {
        let look = look_at_skill(engine, &key).await?;
        let seen = BTreeMap::from([(look.key, look.digest)]);
        enable_skills(engine, std::slice::from_ref(&key), true, &seen).await?;
    }
    for server in &entry.skill.servers {
        let Some(said) = team.server(&name, &server.name) else { continue };
        let given = engine.state().now().given.clone();
        if given.way(&key, server).is_none_or(|way| judge::form_of(way) != said.form) {
            pick_way(engine, &key, &server.name, Some(judge::kind(&said.form))).await?;
        }
    }
    Ok(key)
}

/// Makes a set, or adds what it lacks. Nothing that the person put into theirs goes.
async fn set(engine: &Engine, name: &str, keys: &[String]) -> Result<(), ActionError> {
    let here = engine.snapshot().sets.iter().find(|set| set.name.to_lowercase() == name.to_lowercase()).cloned();
    let Some(here) = here else { return make_set(engine, name, keys).await.map(drop) };
    let all: BTreeSet<_> = here.skills.iter().chain(keys).cloned().collect();
    if all.len() == here.skills.len() {
        return Ok(());
    }
    change_set(engine, &here.id, &here.name, &all.into_iter().collect::<Vec<_>>()).await
}

/// The values that only the person knows: each is asked for once, for all skills that share a server of the file.
fn missing(engine: &Engine, team: &Team, keys: &BTreeMap<String, String>, left: &mut TeamLeft) {
    let given = engine.state().now().given.clone();
    for server in &team.servers {
        let mut rows: BTreeMap<(bool, String), Vec<String>> = BTreeMap::new();
        let mut words = BTreeMap::new();
        for key in server.skills.iter().filter_map(|skill| keys.get(skill)) {
            let Ok(entry) = engine.state().entry(key) else { continue };
            let Some(declared) = entry.skill.servers.iter().find(|one| one.name == server.name) else { continue };
            for one in servers::missing(declared, &given, key) {
                let about = declared.parameters.iter().find(|parameter| parameter.name == one.parameter);
                words.insert(one.parameter.clone(), about.and_then(|about| about.description.clone()));
                rows.entry((one.sensitive, one.parameter)).or_default().push(key.clone());
            }
        }
        for ((is_secret, name), skills) in rows {
            let said = server.secrets.get(&name).cloned().unwrap_or_default();
            let how = said.how.or_else(|| words.get(&name).cloned().flatten());
            let what = TeamSecretRow { name, how, address: said.address };
            let one = TeamMissing { skills, server: server.name.clone(), what };
            if is_secret { left.secrets.push(one) } else { left.values.push(one) }
        }
    }
}

/// The skills that are here as the file says, by their ids.
struct Joined<'j> {
    engine: &'j Engine,
    team: &'j Team,
    keys: &'j BTreeMap<String, String>,
    lock: &'j str,
    yes: &'j TeamYes,
}

impl Joined<'_> {
    /// Pins what the file pins, and approves what was agreed to.
    async fn servers(&self, left: &mut TeamLeft) -> Result<(), ActionError> {
        let engine = self.engine;
        let mut seen = BTreeSet::new();
        let mut shown = Vec::new();
        for (server, key) in self.wanted() {
            let wanted = engine.gateway().reconcile().await;
            let Some(want) = wanted.of_skill(&key, &server.name).cloned() else { continue };
            if want.spec.is_err() || !seen.insert(want.name.clone()) {
                continue;
            }
            if let Err(error) = self.pin(server, &want).await {
                left.servers.push(why(&want.name, error));
            }
        }
        let rows = list_servers(engine).await;
        let mut done = BTreeSet::new();
        for (server, key) in self.wanted() {
            let wanted = engine.gateway().reconcile().await;
            let Some(want) = wanted.of_skill(&key, &server.name) else { continue };
            let state = rows.iter().find(|row| row.name == want.name).map(|row| row.state.clone());
            if !done.insert(want.name.clone()) || left.servers.iter().any(|one| one.name == want.name) {
                continue;
            }
            let name = want.name.clone();
            match state {
                // What is missing is said by its name.
                Some(ServerState::NeedsValues { .. }) | None => {}
                Some(ServerState::NeedsConsent { .. }) => match self.answer(server, &key, want).await {
                    Ok(digest) => shown.push((name, digest)),
                    Err(error) => {
                        left.servers.push(TeamWhy { act: Some(TeamAct::Approve), ..why(&name, error) });
                    }
                },
                Some(ServerState::NeedsSignIn { .. }) => {
                    let why = format!("{name} wants you to sign in.");
                    left.servers.push(TeamWhy { name, why, act: Some(TeamAct::SignIn) });
                }
                Some(
                    ServerState::Refused { .. }
                    | ServerState::NoProgram { .. }
                    | ServerState::NoContainers
                    | ServerState::ContainersDown { .. },
                ) => left.servers.push(TeamWhy { why: servers::not_yet(want), name, act: None }),
                Some(_) => left.ready.push(name),
            }
        }
        if shown.is_empty() {
            return Ok(());
        }
        // The digests were taken of the disk; only of what is still the file's are they what the person saw.
        let rows = compare_with_lock(engine, self.lock).await?.rows;
        let is_same = |name: &String| rows.iter().any(|row| row.name == *name && row.state == LockState::Same);
        let is_whole = self.keys.keys().all(is_same);
        for (name, digest) in shown {
            let done = match is_whole {
                true => approve_server(engine, &name, &digest, &[]).await,
                false => {
                    Err(failed(ErrorKind::Changed, "A skill of the team changed just now, so nothing was approved."))
                }
            };
            match done {
                Ok(()) => left.ready.push(name),
                Err(error) => left.servers.push(why(&name, error)),
            }
        }
        left.ready.sort();
        Ok(())
    }

    /// Each server of the file with the key of a skill that is here.
    fn wanted(&self) -> impl Iterator<Item = (&TeamServer, String)> {
        let of = |server| move |key: &String| (server, key.clone());
        self.team
            .servers
            .iter()
            .flat_map(move |server| server.skills.iter().filter_map(|skill| self.keys.get(skill)).map(of(server)))
    }

    /// Pins the package of a server to the version of the file.
    async fn pin(&self, server: &TeamServer, want: &Requirement) -> Result<(), ActionError> {
        let Some(version) = &server.version else { return Ok(()) };
        let state = self.engine.state().now();
        let is_pinned = state.choices.servers.pins.iter().any(|pin| pin.server == want.name && pin.version == *version);
        if is_pinned { Ok(()) } else { pin_server(self.engine, &want.name, version).await }
    }

    /// The digest of what would be approved, if it is exactly what the page showed: filled with this person's values, and
    /// with nothing else. Everything that goes beyond that is asked by itself.
    async fn answer(&self, server: &TeamServer, key: &str, want: &Requirement) -> Result<String, ActionError> {
        let name = &want.name;
        let refused = |message: String| Err(failed(ErrorKind::Refused, message));
        if !self.yes.servers {
            return refused(format!("Nobody agreed to {name} yet."));
        }
        let consent = plan_server(self.engine, name).await?;
        let state = self.engine.state().now();
        if consent.before.is_some() {
            return refused(format!("Another form of {name} was approved before, so it is asked about by itself."));
        }
        if !consent.redirects.is_empty() {
            let variables = consent.redirects.join(", ");
            return refused(format!("{variables} can make {name} do something else than its command says."));
        }
        let pins: Vec<_> = state.choices.servers.pins.iter().filter(|pin| pin.server == *name).collect();
        let is_pinned_otherwise = pins.iter().any(|pin| Some(&pin.version) != server.version.as_ref());
        let is_shared = state.choices.servers.links.iter().any(|link| link.key == key && link.server == server.name);
        let others = want.users.iter().any(|user| !server.skills.iter().any(|id| self.keys.get(id) == Some(user)));
        let entry = self.engine.state().entry(key)?;
        let declared = entry.skill.servers.iter().find(|one| one.name == server.name);
        let way = declared.and_then(|one| state.given.way(key, one));
        let is_other = way.is_none_or(|way| judge::form_of(way) != server.form);
        if is_pinned_otherwise || is_shared || others || is_other || want.client.is_some() {
            return refused(format!("What {name} would be started with is not only what the team's file says."));
        }
        let seen = |name: &str| self.yes.values.as_ref()?.get(&server.name)?.get(name);
        let plain = declared.iter().flat_map(|one| &one.parameters).filter(|one| !one.sensitive);
        let mut used = plain.filter(|one| way.is_some_and(|way| way.uses(&one.name)));
        let is_unseen = |name: &String| {
            let slot = Slot { key: key.to_owned(), server: server.name.clone(), name: name.clone() };
            state.given.values.get(&slot) != seen(name)
        };
        if self.yes.values.is_some() && used.any(|one| is_unseen(&one.name)) {
            return refused(format!("A value of {name} is not the one that you saw."));
        }
        Ok(consent.digest)
    }
}
