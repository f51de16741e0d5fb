//! Which servers the skills want, and which skill shares one with which.
//!
//! From the catalogue, the given values and the person's links to a list of wants. Two skills share a server when what
//! they want is equal to the last argument and secret, or the person linked them (decision 34); of two that call different
//! servers alike, one has the name and the other a name of its own, `teapot-2`: both work (decision 56).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use skills::{Catalog, Entry, Start};

use super::{Adopted, Approvals, Form, FormSource, pins, pins::Pin, sign_in};
use crate::{
    choices::{ServerChoices, ServerLink},
    state::{Given, Parameter},
};

/// What the skills that are on want.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// One for each name, in the order of the names.
    pub(crate) servers: BTreeMap<String, Want>,
}

/// One server that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Want {
    /// Its name.
    pub(crate) name: String,
    /// What its skills call it, where another server has that name.
    pub(crate) declared: Option<String>,
    /// What the first skill wants it for.
    pub(crate) description: Option<String>,
    /// The page that its command is from, where the skill gives a well-known name only.
    pub(crate) source: Option<&'static str>,
    /// The keys of the skills that want it.
    pub(crate) users: BTreeSet<String>,
    /// Whether the person is signed in at its address.
    pub(crate) signed_in: bool,
    /// The id of the client that it is kept for: the client starts it, and no skill wants it.
    pub(crate) client: Option<String>,
    /// What would be started; otherwise why nothing can be.
    pub(crate) form: Result<Form, Unfilled>,
}

/// Why a want is no form yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unfilled {
    /// Values are missing, by their names, secrets first.
    Missing(Vec<String>),
    /// The declaration cannot be followed, as a sentence.
    Refused(String),
    /// The program is nowhere, by its name.
    NoProgram(String),
    /// It runs in a container, and no engine for those is here.
    NoContainers,
    /// It runs in a container, and the engine of this program does not run.
    ContainersDown(String),
}

/// How many names beyond those in use are looked at for an agreement: its other skills may be off now.
const SPARE: usize = 8;

/// What one skill says of one server.
struct Said<'c> {
    entry: &'c Entry,
    key: String,
    server: &'c skills::Server,
    /// Whose values it gets: its own, or those of the skill that it was linked to.
    owner: String,
}

/// What a skill says, and what would be started for it.
type Asked<'s, 'c> = (&'s Said<'c>, Result<Form, Unfilled>);

impl Wanted {
    /// What the skills of this catalogue and the entries of clients want. `source` finds programs and looks at files.
    pub(crate) fn of(
        catalog: &Catalog,
        given: &Given,
        choices: &ServerChoices,
        adopted: &[Adopted],
        approvals: &Approvals,
        source: &FormSource<'_>,
    ) -> Self {
        let said: Vec<_> = said(catalog, &choices.links);
        let mut by_name: BTreeMap<&str, Vec<Asked<'_, '_>>> = BTreeMap::new();
        for one in &said {
            let form = form(one, &one.server.name, &said, given, &choices.pins, source);
            by_name.entry(&one.server.name).or_default().push((one, form));
        }
        let taken: BTreeSet<&str> = by_name.keys().copied().collect();
        let mut wanted = Self::default();
        for (name, all) in &by_name {
            let groups = groups(all);
            let names = names(name, &groups, &taken, approvals, &|one, instance| {
                form(one, instance, &said, given, &choices.pins, source)
            });
            for (group, instance) in groups.into_iter().zip(names) {
                let form = match instance == *name {
                    true => group.form.clone(),
                    false => form(group.first, &instance, &said, given, &choices.pins, source),
                };
                let url = form.as_ref().ok().and_then(sign_in::address);
                let want = Want {
                    signed_in: url.is_some_and(|url| given.secrets.contains_key(&sign_in::slot(&instance, url))),
                    declared: (instance != *name).then(|| (*name).to_owned()),
                    description: group.first.server.description.clone(),
                    source: group.first.server.known,
                    users: group.users,
                    client: None,
                    name: instance.clone(),
                    form,
                };
                wanted.servers.insert(instance, want);
            }
        }
        for kept in adopted {
            let (name, users, form) = (kept.name.clone(), BTreeSet::new(), kept.form(given, &choices.pins, source));
            let client = Some(kept.client.clone());
            let want =
                Want { name, declared: None, description: None, source: None, users, signed_in: false, client, form };
            wanted.servers.insert(kept.name.clone(), want);
        }
        wanted
    }

    /// The server that a skill gets that calls it so.
    pub(crate) fn of_skill(&self, key: &str, server: &str) -> Option<&Want> {
        self.servers.values().find(|want| want.users.contains(key) && want.called() == server)
    }

    /// The skill whose server has the name that this one would have, were it alone.
    pub(crate) fn beside(&self, want: &Want) -> Option<&str> {
        let other = self.servers.get(want.declared.as_deref()?)?;
        other.users.first().map(String::as_str)
    }
}

impl Want {
    /// What its skills call it.
    pub(crate) fn called(&self) -> &str {
        self.declared.as_deref().unwrap_or(&self.name)
    }
}

/// Skills that want the same.
struct Group<'s, 'c> {
    first: &'s Said<'c>,
    users: BTreeSet<String>,
    form: Result<Form, Unfilled>,
}

/// The skills that call a server by one name, by what they want. What misses values cannot be told from what has them, so
/// it is none of its own while another one has all: its skill says what is missing.
fn groups<'s, 'c>(all: &[Asked<'s, 'c>]) -> Vec<Group<'s, 'c>> {
    let mut groups: Vec<Group<'_, '_>> = Vec::new();
    for (said, form) in all {
        let same =
            |group: &&mut Group<'_, '_>| group.first.owner == said.owner || (form.is_ok() && group.form == *form);
        match groups.iter_mut().find(same) {
            Some(group) => drop(group.users.insert(said.key.clone())),
            None => groups.push(Group { first: said, users: [said.key.clone()].into(), form: form.clone() }),
        }
    }
    let is_whole = |group: &Group<'_, '_>| !matches!(group.form, Err(Unfilled::Missing(_)));
    if groups.iter().any(is_whole) {
        groups.retain(is_whole);
    } else {
        groups.truncate(1);
    }
    groups
}

/// The names of servers that skills call alike, one for each. What a person agreed to keeps its name whatever skill comes
/// later; then the first skill has the name that all use, and the others `teapot-2` and on, as far as no skill uses that.
fn names(
    name: &str,
    groups: &[Group<'_, '_>],
    taken: &BTreeSet<&str>,
    approvals: &Approvals,
    form: &dyn Fn(&Said<'_>, &str) -> Result<Form, Unfilled>,
) -> Vec<String> {
    let numbered = (2..).map(|number| format!("{name}-{number}")).filter(|name| !taken.contains(name.as_str()));
    let mut free: Vec<String> = std::iter::once(name.to_owned()).chain(numbered).take(groups.len() + SPARE).collect();
    let mut names = vec![None; groups.len()];
    for (group, kept) in groups.iter().zip(&mut names) {
        let agreed = |candidate: &String| {
            let form = || if candidate == name { group.form.clone() } else { form(group.first, candidate) };
            approvals.knows(candidate) && form().is_ok_and(|form| approvals.has(candidate, &form))
        };
        *kept = free.iter().position(agreed).map(|at| free.remove(at));
    }
    let mut free = free.into_iter();
    names.into_iter().filter_map(|kept| kept.or_else(|| free.next())).collect()
}

/// What the skills say that are on and served, in the library's order.
fn said<'c>(catalog: &'c Catalog, links: &[ServerLink]) -> Vec<Said<'c>> {
    let mut said = Vec::new();
    for entry in catalog.served().filter(|entry| !entry.skill.servers.is_empty()) {
        let key = entry.key();
        for server in &entry.skill.servers {
            let link = links.iter().find(|link| link.key == key && link.server == server.name);
            let owner = link.map_or_else(|| key.clone(), |link| link.with.clone());
            said.push(Said { entry, key: key.clone(), server, owner });
        }
    }
    said
}

/// What would be started for a skill under the name `instance`. A linked one gets what the other says, as long as that one is on.
fn form(
    one: &Said<'_>,
    instance: &str,
    all: &[Said<'_>],
    given: &Given,
    pinned: &[Pin],
    source: &FormSource<'_>,
) -> Result<Form, Unfilled> {
    let linked = |other: &&Said<'_>| other.key == one.owner && other.server.name == one.server.name;
    let one = all.iter().find(linked).unwrap_or(one);
    let server = one.server;
    let slot = |name: &str| Parameter { key: one.key.clone(), server: server.name.clone(), name: name.to_owned() };
    let has = |name: &str| {
        let declared = server.parameters.iter().find(|parameter| parameter.name == name);
        declared.is_some_and(|parameter| given.holds(&one.key, server, parameter))
    };
    let Some(way) = given.way(&one.key, server) else {
        return Err(Unfilled::Refused(format!("The skill does not say how the server {} is started.", server.name)));
    };
    let mut missing = skills::missing(server, Some(way), &has);
    if !missing.is_empty() {
        missing.sort_by_key(|missing| !missing.sensitive);
        return Err(Unfilled::Missing(missing.into_iter().map(|missing| missing.parameter).collect()));
    }
    let folders = server.parameters.iter().filter(|parameter| parameter.folder && way.uses(&parameter.name));
    for parameter in folders {
        if let Some(folder) = given.values.get(&slot(&parameter.name)).filter(|folder| !Path::new(folder).is_dir()) {
            let name = &parameter.name;
            let message =
                format!("The folder {folder}, which {name} of the server {} names, is not there.", server.name);
            return Err(Unfilled::Refused(message));
        }
    }
    let value = |name: &str| match name {
        "HOME" => Some(source.home.display().to_string()),
        name => given.values.get(&slot(name)).cloned(),
    };
    let mut start: Start =
        skills::launch(server, way, &value).map_err(|refused| Unfilled::Refused(refused.to_string()))?;
    start.without_absent(has);
    pins::pin(&mut start, instance, pinned);
    source.form(instance, &server.name, &one.key, &one.entry.location, start)
}
