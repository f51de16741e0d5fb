//! Reads a team's file. What it does not know is told with its place, never dropped: a file that says more than is read
//! would set up something else than its authors meant.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, de::DeserializeOwned};
use url::{Host, Url};

use super::{Form, Pattern, Policy, Team, TeamError, TeamSecret, TeamServer, VERSION};
use crate::{
    LockedSkill, Origin, Source,
    lock::{Entry, conflict},
    yaml::{self, Fault},
};

/// The most bytes that are read.
const MOST_BYTES: usize = 1 << 20;
/// The most values and keys.
const MOST_NODES: usize = 50_000;
/// The most skills, servers and sets, each.
const MOST: usize = 500;
/// The longest text for people, in characters.
const LONGEST: usize = 4_000;
/// The longest name of a team or set, in characters.
const LONGEST_NAME: usize = 80;

#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u32,
    name: Option<String>,
    advice: Option<String>,
    #[serde(default)]
    clients: Vec<String>,
    #[serde(default)]
    policy: WrittenPolicy,
    #[serde(default)]
    sets: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    servers: Vec<WrittenServer>,
    #[serde(default)]
    skills: Vec<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPolicy {
    sources: Option<Vec<String>>,
    #[serde(default)]
    refuse: Vec<Refusal>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Refusal {
    UnpinnedServers,
    RemoteServers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenServer {
    name: String,
    skills: Vec<String>,
    command: Option<String>,
    url: Option<String>,
    image: Option<String>,
    args: Option<Vec<String>>,
    env: Option<BTreeMap<String, String>>,
    headers: Option<BTreeMap<String, String>>,
    cwd: Option<String>,
    mounts: Option<Vec<String>>,
    port: Option<u16>,
    version: Option<String>,
    #[serde(default)]
    secrets: BTreeMap<String, WrittenSecret>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSecret {
    how: Option<String>,
    address: Option<String>,
}

impl Team {
    /// Reads the text of a team's file.
    ///
    /// # Errors
    /// When it is of another format or a newer version, has a key that is not known, git left a conflict in it, a name or
    /// path leads elsewhere, or it names a skill that it does not have.
    pub fn read(text: &str) -> Result<Self, TeamError> {
        if text.len() > MOST_BYTES {
            return Err(TeamError::TooLarge);
        }
        if let Some(line) = conflict(text) {
            return Err(TeamError::Conflict(line));
        }
        // The version first: a newer file may have anything else in it.
        let Version { version } = parsed(text)?;
        if version > VERSION {
            return Err(TeamError::Newer(version));
        }
        if version == 0 {
            return Err(TeamError::Broken { why: "its version is 0".to_owned() });
        }
        judged(parsed(text)?).map_err(|why| TeamError::Broken { why })
    }
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, TeamError> {
    yaml::parsed(text, MOST_BYTES, MOST_NODES).map_err(|Fault { place, why }| match place {
        Some((line, column)) => TeamError::At { line, column, why },
        None => TeamError::Broken { why },
    })
}

/// The part of a sentence that follows the file's name.
type Judged<T> = Result<T, String>;

fn judged(file: File) -> Judged<Team> {
    let File { _version: _, name, advice, clients, policy, sets, servers, skills } = file;
    if skills.len() > MOST || servers.len() > MOST || sets.len() > MOST || clients.len() > MOST {
        return Err(format!("it has more than {MOST} skills, servers, sets or clients"));
    }
    if let Some(name) = name.as_ref().filter(|name| !is_name_for_people(name)) {
        return Err(format!("{name:?} is no name: one line of 1 to {LONGEST_NAME} characters"));
    }
    for text in advice.iter().chain(servers.iter().flat_map(|server| server.secrets.values()).flat_map(|one| &one.how))
    {
        is_text(text)?;
    }
    let mut team = Team { name, advice, policy: judged_policy(policy)?, ..Team::default() };
    for entry in skills {
        let name = entry.name.clone();
        if team.skills.insert(name.clone(), judged_skill(&entry)?).is_some() {
            return Err(format!("the skill {name} is there twice"));
        }
    }
    let known = |skills: Vec<String>, of: &str| -> Judged<BTreeSet<String>> {
        match skills.iter().find(|skill| !team.skills.contains_key(*skill)) {
            Some(other) => Err(format!("{of} names the skill {other:?}, which is not in the file")),
            None => Ok(skills.into_iter().collect()),
        }
    };
    for id in clients {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.is_empty() || id.len() > 64 || !id.chars().all(fits) {
            return Err(format!("{id:?} is no id of a client, as `skilltender clients --all` lists them"));
        }
        team.clients.insert(id);
    }
    for (name, skills) in sets {
        if !is_name_for_people(&name) {
            return Err(format!("{name:?} is no name of a set: one line of 1 to {LONGEST_NAME} characters"));
        }
        let skills = known(skills, &format!("the set {name}"))?;
        team.sets.insert(name, skills);
    }
    let mut taken = BTreeSet::new();
    for server in servers {
        let skills = known(server.skills.clone(), &format!("the server {:?}", server.name))?;
        let server = judged_server(server, skills)?;
        for skill in &server.skills {
            if !taken.insert((server.name.clone(), skill.clone())) {
                return Err(format!("the server {} of {skill} is there twice", server.name));
            }
        }
        team.servers.push(server);
    }
    team.servers.sort();
    Ok(team)
}

fn judged_policy(WrittenPolicy { sources, refuse }: WrittenPolicy) -> Judged<Policy> {
    let pattern = |written: String| {
        Pattern::read(&written).ok_or_else(|| format!("{written:?} is no pattern of sources, such as `acme/*`"))
    };
    Ok(Policy {
        sources: sources.map(|sources| sources.into_iter().map(pattern).collect()).transpose()?,
        no_unpinned_servers: refuse.contains(&Refusal::UnpinnedServers),
        no_remote_servers: refuse.contains(&Refusal::RemoteServers),
    })
}

fn judged_skill(entry: &Entry) -> Judged<LockedSkill> {
    let name = entry.name.clone();
    let skill = LockedSkill::of(entry)?;
    let is_commit = |commit: &String| {
        matches!(commit.len(), 40 | 64) && commit.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    if !skill.commit.as_ref().is_some_and(is_commit) {
        return Err(format!("of {name}, there is no commit with all its digits"));
    }
    let written = match &skill.follows {
        Some(follows) => format!("{}#{follows}", skill.source),
        None => skill.source.clone(),
    };
    let source =
        Source::read(&written).map_err(|error| format!("of {name}, {:?} is refused: {error}", skill.source))?;
    let is_whole = source.inside.is_empty() && source.skill.is_none() && source.follows == skill.follows;
    match &source.origin {
        Origin::Git(_) if is_whole => Ok(skill),
        _ => Err(format!("of {name}, {:?} is no git repository alone", skill.source)),
    }
}

fn judged_server(server: WrittenServer, skills: BTreeSet<String>) -> Judged<TeamServer> {
    let WrittenServer { name, command, url, image, args, env, headers, cwd, mounts, port, version, secrets, .. } =
        server;
    if !is_server(&name) {
        return Err(format!("{name:?} is no name of a server"));
    }
    let wrong = |what: &str| Err(format!("the server {name} {what}"));
    if skills.is_empty() {
        return wrong("names no skill that needs it");
    }
    let (of_program, of_address, of_container) =
        (cwd.is_some() || version.is_some(), headers.is_some(), mounts.is_some() || port.is_some());
    let form = match (command, url, image) {
        (Some(command), None, None) if !of_address && !of_container => {
            Form::Program { command, args: args.unwrap_or_default(), env: env.unwrap_or_default(), cwd }
        }
        (None, Some(url), None) if !of_program && !of_container && args.is_none() && env.is_none() => {
            Form::Address { url, headers: headers.unwrap_or_default() }
        }
        (None, None, Some(image)) if !of_program && !of_address => {
            let (args, env, mounts) = (args.unwrap_or_default(), env.unwrap_or_default(), mounts.unwrap_or_default());
            Form::Container { image, args, env, mounts, port }
        }
        (None, None, None) => return wrong("has neither a `command` nor a `url` nor an `image`"),
        _ => return wrong("mixes what belongs to a `command`, a `url` and an `image`"),
    };
    if version.as_ref().is_some_and(|version| !is_version(version)) {
        return wrong("has a `version` that is none, such as 1.2.3");
    }
    let mut of_server = BTreeMap::new();
    for (secret, WrittenSecret { how, address }) in secrets {
        if !is_parameter(&secret) {
            return wrong(&format!("has a secret {secret:?}, which is no name of one"));
        }
        if let Some(address) = address.as_ref().filter(|address| !is_address(address)) {
            return wrong(&format!("has for {secret} {address:?}, which is no address that begins with https://"));
        }
        of_server.insert(secret, TeamSecret { how, address });
    }
    Ok(TeamServer { name, skills, form, version, secrets: of_server })
}

fn is_text(text: &str) -> Judged<()> {
    let fits = |c: char| !c.is_control() || c == '\n';
    if text.chars().count() <= LONGEST && text.chars().all(fits) {
        return Ok(());
    }
    Err(format!("a text is longer than {LONGEST} characters or holds what no person reads"))
}

fn is_name_for_people(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count()) && !name.contains(char::is_control) && name.trim() == name
}

/// A name of a server, as skills have them (decision 33).
fn is_server(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.len() <= 32 && begins && name.chars().all(fits) && !name.contains("__") && !name.ends_with('_')
}

fn is_parameter(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    name.len() <= 128 && begins && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_version(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | '!');
    text.len() <= 64 && text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(fits)
}

/// Whether a person may be sent there.
fn is_address(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let is_alone = url.username().is_empty() && url.password().is_none();
    let has_host = matches!(url.host(), Some(Host::Domain(_) | Host::Ipv4(_) | Host::Ipv6(_)));
    url.scheme() == "https" && is_alone && has_host && address.len() <= 1_000 && !address.contains(char::is_control)
}
