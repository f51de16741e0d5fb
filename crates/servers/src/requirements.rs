//! Which servers the skills want, and which skills share one.
//!
//! Computed from the catalogue, the given values and the person's links. Two skills share a server when their
//! launch specs are equal to the last argument and secret, or the person linked them (decision 34). If two skills use
//! one name for different servers, one server has the name and the other a name of its own, `teapot-2`: both
//! work (decision 56).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use choices::{Pin, ServerChoices, ServerLink};
use skills::{Catalog, Entry, Slot, Start};

use crate::{Adopted, Approvals, LaunchSpec, ParameterValues, Requirement, SpecSource, Unfilled, pins, sign_in};

/// What the enabled skills want.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirements {
    /// One for each name, in the order of the names.
    pub servers: BTreeMap<String, Requirement>,
}

/// One skill's declaration of one server.
struct Declared<'c> {
    entry: &'c Entry,
    key: String,
    server: &'c skills::Server,
    /// The key of the skill whose values it gets: its own, or the one that it is linked to.
    owner: String,
}

/// A declaration, and what would be started for it.
type Asked<'s, 'c> = (&'s Declared<'c>, Result<LaunchSpec, Unfilled>);

impl Requirements {
    /// What the skills of this catalogue and the entries of clients want. `source` finds programs and reads
    /// files.
    pub fn of(
        catalog: &Catalog,
        given: &ParameterValues,
        choices: &ServerChoices,
        adopted: &[Adopted],
        approvals: &Approvals,
        source: &SpecSource<'_>,
    ) -> Self {
        let said: Vec<_> = said(catalog, &choices.links);
        let mut by_name: BTreeMap<&str, Vec<Asked<'_, '_>>> = BTreeMap::new();
        for one in &said {
            let spec = spec(one, &one.server.name, &said, given, &choices.pins, source);
            by_name.entry(&one.server.name).or_default().push((one, spec));
        }
        let taken: BTreeSet<&str> = by_name.keys().copied().collect();
        let mut wanted = Self::default();
        for (name, all) in &by_name {
            let groups = groups(all);
            let names = names(name, &groups, &taken, approvals, &|one, instance| {
                spec(one, instance, &said, given, &choices.pins, source)
            });
            for (group, instance) in groups.into_iter().zip(names) {
                let spec = match instance == *name {
                    true => group.spec.clone(),
                    false => spec(group.first, &instance, &said, given, &choices.pins, source),
                };
                let url = spec.as_ref().ok().and_then(sign_in::address);
                let want = Requirement {
                    signed_in: url.is_some_and(|url| given.secrets.contains_key(&sign_in::slot(&instance, url))),
                    declared: (instance != *name).then(|| (*name).to_owned()),
                    description: group.first.server.description.clone(),
                    source: group.first.server.known,
                    users: group.users,
                    client: None,
                    name: instance.clone(),
                    spec,
                };
                wanted.servers.insert(instance, want);
            }
        }
        for kept in adopted {
            let (name, users, spec) = (kept.name.clone(), BTreeSet::new(), kept.spec(given, &choices.pins, source));
            let client = Some(kept.client.clone());
            let want = Requirement {
                name,
                declared: None,
                description: None,
                source: None,
                users,
                signed_in: false,
                client,
                spec,
            };
            wanted.servers.insert(kept.name.clone(), want);
        }
        wanted
    }

    /// The server that a skill gets under the name that it uses.
    pub fn of_skill(&self, key: &str, server: &str) -> Option<&Requirement> {
        self.servers.values().find(|want| want.users.contains(key) && want.called() == server)
    }

    /// The skill whose server has the name that this one would have if it were alone.
    pub fn beside(&self, want: &Requirement) -> Option<&str> {
        let other = self.servers.get(want.declared.as_deref()?)?;
        other.users.first().map(String::as_str)
    }
}

/// Skills that want the same.
struct Group<'s, 'c> {
    first: &'s Declared<'c>,
    users: BTreeSet<String>,
    spec: Result<LaunchSpec, Unfilled>,
}

/// The skills that use one server name, grouped by what they want. A declaration with missing values cannot be
/// compared, so it has no server of its own while another one is complete: its skill says what is missing.
fn groups<'s, 'c>(all: &[Asked<'s, 'c>]) -> Vec<Group<'s, 'c>> {
    let mut groups: Vec<Group<'_, '_>> = Vec::new();
    for (said, spec) in all {
        let same =
            |group: &&mut Group<'_, '_>| group.first.owner == said.owner || (spec.is_ok() && group.spec == *spec);
        match groups.iter_mut().find(same) {
            Some(group) => drop(group.users.insert(said.key.clone())),
            None => groups.push(Group { first: said, users: [said.key.clone()].into(), spec: spec.clone() }),
        }
    }
    let is_whole = |group: &Group<'_, '_>| !matches!(group.spec, Err(Unfilled::Missing { .. }));
    if groups.iter().any(is_whole) {
        groups.retain(is_whole);
    } else {
        groups.truncate(1);
    }
    groups
}

/// Assigns a name to each of the servers that skills call alike. An approved server keeps its name whichever
/// skills come or go, also when the approval was for the same skill before it changed. Then the first skill
/// gets the common name, and the others get `teapot-2` and up. These skip names that a skill uses or that have
/// an approval for something else, so a skill that is off now finds its name free.
fn names(
    name: &str,
    groups: &[Group<'_, '_>],
    taken: &BTreeSet<&str>,
    approvals: &Approvals,
    spec: &dyn Fn(&Declared<'_>, &str) -> Result<LaunchSpec, Unfilled>,
) -> Vec<String> {
    let plain = std::iter::once(name.to_owned());
    let mut known: Vec<String> = plain.clone().chain(approvals.numbered(name)).collect();
    known.retain(|known| known == name || !taken.contains(known.as_str()));
    let mut names = vec![None; groups.len()];
    let mut keep = |is: &dyn Fn(&Group<'_, '_>, &str) -> bool| {
        for (group, kept) in groups.iter().zip(&mut names).filter(|(_, kept)| kept.is_none()) {
            *kept = known.iter().position(|known| is(group, known)).map(|at| known.remove(at));
        }
    };
    keep(&|group, candidate| {
        let spec = || if candidate == name { group.spec.clone() } else { spec(group.first, candidate) };
        approvals.knows(candidate) && spec().is_ok_and(|spec| approvals.has(candidate, &spec))
    });
    keep(&|group, candidate| group.users.iter().any(|key| approvals.covers(candidate, key)));
    let kept: BTreeSet<String> = names.iter().flatten().cloned().collect();
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let numbered = numbered.filter(|name| !taken.contains(name.as_str()) && !approvals.knows(name));
    let mut free = plain.chain(numbered).filter(|name| !kept.contains(name));
    names.into_iter().filter_map(|kept| kept.or_else(|| free.next())).collect()
}

/// What the enabled and served skills declare, in the library's order.
fn said<'c>(catalog: &'c Catalog, links: &[ServerLink]) -> Vec<Declared<'c>> {
    let mut said = Vec::new();
    for entry in catalog.served().filter(|entry| !entry.skill.servers.is_empty()) {
        let key = entry.key();
        for server in &entry.skill.servers {
            let link = links.iter().find(|link| link.key == key && link.server == server.name);
            let owner = link.map_or_else(|| key.clone(), |link| link.with.clone());
            said.push(Declared { entry, key: key.clone(), server, owner });
        }
    }
    said
}

/// What would be started for a skill under the name `instance`. A linked skill gets what the other one
/// declares, as long as that one is on.
fn spec(
    one: &Declared<'_>,
    instance: &str,
    all: &[Declared<'_>],
    given: &ParameterValues,
    pinned: &[Pin],
    source: &SpecSource<'_>,
) -> Result<LaunchSpec, Unfilled> {
    let linked = |other: &&Declared<'_>| other.key == one.owner && other.server.name == one.server.name;
    let one = all.iter().find(linked).unwrap_or(one);
    let server = one.server;
    let slot = |name: &str| Slot { key: one.key.clone(), server: server.name.clone(), name: name.to_owned() };
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
        let names = missing.into_iter().map(|missing| missing.parameter).collect();
        return Err(Unfilled::Missing { names, runtime: source.absent_runtime(way, &one.entry.location) });
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
    source.spec(instance, &server.name, &one.key, &one.entry.location, start)
}
