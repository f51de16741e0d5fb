//! What a person is asked to approve: the complete launch spec, its differences from before, and in plain words how
//! far it reaches.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use api::{Consent, ConsentFetch, ConsentFolder, ConsentForm, ConsentReach, ConsentValue, FileChange, FileFate};
use machine::Machine;
use secrets::passed_on;
use skills::Catalog;

use super::{
    LaunchSpec, Requirement, Servers,
    approvals::{self, Agreement},
    containers::{self, its_variables},
    fetched::Fetched,
    launch_spec::Kind,
};

/// What a person is asked to approve; `None` when there is nothing to approve yet.
pub fn consent(machine: &Machine, servers: &Servers, catalog: &Catalog, want: &Requirement) -> Option<Consent> {
    let spec = want.spec.as_ref().ok()?;
    let before = match servers.approvals.about(want) {
        Agreement::To(approval) | Agreement::Other(approval) => Some(approval),
        Agreement::None => None,
    };
    let skills = |keys: &BTreeSet<String>| match &want.client {
        Some(client) => vec![format!("the entry of {client}")],
        None => keys.iter().map(|key| place(machine, catalog, key)).collect(),
    };
    let (variables, argv): (Vec<_>, _) = match &spec.kind {
        Kind::Program { env, argv, .. } => (env.keys().chain(spec.secrets.keys()).collect(), argv.as_slice()),
        Kind::Address { .. } => (Vec::new(), &[][..]),
    };
    Some(Consent {
        server: want.name.clone(),
        digest: approvals::digest(spec, &want.users),
        now: shown(machine, spec, skills(&want.users)),
        before: before.map(|approval| shown(machine, &approval.spec, skills(&approval.users))),
        changed: before.map(|approval| changed(machine, &approval.spec, spec)).unwrap_or_default(),
        source: want.source.map(str::to_owned),
        reach: match &spec.kind {
            Kind::Program { image: None, .. } => ConsentReach::Person,
            Kind::Program { image: Some(_), .. } => ConsentReach::Container,
            Kind::Address { .. } => ConsentReach::Elsewhere,
        },
        fetches: fetches(spec),
        unpinned: unpinned(argv),
        archived: Fetched::of(argv).and_then(|fetched| fetched.archived()),
        inherited: match &spec.kind {
            Kind::Program { .. } => passed_on(its_variables(argv)).filter(|name| !variables.contains(&name)).collect(),
            Kind::Address { .. } => Vec::new(),
        },
        redirects: variables.into_iter().filter(|name| skills::redirects(name)).cloned().collect(),
    })
}

/// A skill with its place: names alone can be alike.
fn place(machine: &Machine, catalog: &Catalog, key: &str) -> String {
    let entry = catalog.by_key(key);
    entry.map_or_else(|| key.to_owned(), |entry| format!("{} ({})", entry.skill.name, machine.place(&entry.location)))
}

/// A launch spec as shown to a person.
pub(crate) fn shown(machine: &Machine, spec: &LaunchSpec, skills: Vec<String>) -> ConsentForm {
    let visible = |text: &String| skills::visible(text);
    let place = |path: &PathBuf| skills::visible(&machine.place(path));
    let secrets = spec.secrets.iter().map(|(name, used)| {
        let secret = format!("{}{}", used.before, used.parameter.name);
        ConsentValue { name: visible(name), value: None, secret: Some(secret) }
    });
    let plain = |values: &BTreeMap<String, String>| {
        let plain = values.iter().map(|(name, value)| ConsentValue {
            name: visible(name),
            value: Some(visible(value)),
            secret: None,
        });
        plain.chain(secrets).collect::<Vec<_>>()
    };
    match &spec.kind {
        Kind::Program { program, real, argv, env, cwd, files, held, .. } => ConsentForm {
            command: containers::labelled(argv, containers::RUN).iter().map(visible).collect(),
            program: Some(place(program)),
            real: real.as_ref().map(place),
            folder: (!cwd.as_os_str().is_empty()).then(|| place(cwd)),
            url: None,
            values: plain(env),
            files: files.keys().map(place).collect(),
            held: held.as_ref().map(|held| ConsentFolder {
                place: place(&held.folder),
                files: u32::try_from(held.files.len()).unwrap_or(u32::MAX),
                unread: held.others.as_ref().map_or(0, |others| others.count),
            }),
            skills,
        },
        Kind::Address { url, headers } => ConsentForm {
            command: Vec::new(),
            program: None,
            real: None,
            folder: None,
            url: Some(visible(url)),
            values: plain(headers),
            files: Vec::new(),
            held: None,
            skills,
        },
    }
}

/// The files that differ from the launch spec before; one that only one of the launch specs names was added or removed.
fn changed(machine: &Machine, before: &LaunchSpec, now: &LaunchSpec) -> Vec<FileChange> {
    let (one, other) = (files(before), files(now));
    let all: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let change = |file: &&PathBuf| match (one.get(*file), other.get(*file)) {
        (None, Some(_)) => Some(FileFate::Added),
        (Some(_), None) => Some(FileFate::Removed),
        (one, other) => (one != other).then_some(FileFate::Changed),
    };
    let changes = all.into_iter().filter_map(|file| Some((file, change(&file)?)));
    changes.map(|(file, fate)| FileChange { place: skills::visible(&machine.place(file)), fate }).collect()
}

/// Every file of a launch spec with its content; the folder itself is listed for files that are not read.
fn files(spec: &LaunchSpec) -> BTreeMap<PathBuf, &str> {
    let Kind::Program { program, content, files, held, .. } = &spec.kind else { return BTreeMap::new() };
    let named = files.iter().map(|(file, digest)| (file.clone(), digest.as_str()));
    let program = content.iter().map(|content| (program.clone(), content.as_str()));
    let inside = held.iter().flat_map(|held| {
        let files = held.files.iter().map(|(path, digest)| (held.folder.join(path), digest.as_str()));
        files.chain(held.others.iter().map(|others| (held.folder.clone(), others.looks.as_str())))
    });
    named.chain(program).chain(inside).collect()
}

/// The program that fetches code before it runs, and the code.
fn fetches(spec: &LaunchSpec) -> Option<ConsentFetch> {
    let Kind::Program { argv, image, .. } = &spec.kind else { return None };
    let what = image.clone().or_else(|| Fetched::of(argv).map(|fetched| fetched.package))?;
    let by = argv.first()?.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    Some(ConsentFetch { by, what: skills::visible(&what) })
}

/// The packages that a command line fetches without a fixed version: another start may run other code.
fn unpinned(argv: &[String]) -> Vec<String> {
    let fetched = Fetched::of(argv).filter(|fetched| !fetched.is_pinned());
    fetched.map(|fetched| fetched.package).into_iter().collect()
}
