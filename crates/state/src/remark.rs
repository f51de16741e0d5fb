//! The text for agents about a skill that is not ready (decisions 25 and 62): everything that is missing, what
//! each thing is for, and where a person can provide it, in the window or at a command line. `build_snapshot` and
//! `servers` decide what is missing.

use std::collections::BTreeSet;

use api::{Readiness, RenamedServer};
use servers::{ParameterValues, Servers, problem};
use skills::{Catalog, Entry, Missing, Server};

/// How much of a skill's description of a value is passed on, in characters.
const LONGEST: usize = 200;

/// Why a skill is not ready for a client with the servers `present` in its own file, as sentences, and which of
/// its servers has another name here (decision 56); `None` when neither applies.
pub(crate) fn of(
    given: &ParameterValues,
    servers: &Servers,
    catalog: &Catalog,
    entry: &Entry,
    present: &BTreeSet<String>,
) -> Option<String> {
    let word = word(&entry.skill.id);
    let needed = entry.skill.servers.iter().filter(|server| !present.contains(&server.name));
    let missing: Vec<_> = match problem(&entry.skill) {
        Some(problem) => sentence(&problem, &word).into_iter().collect(),
        None => needed.filter_map(|server| lack(given, servers, entry, server)).collect(),
    };
    let not_ready = (!missing.is_empty()).then(|| format!("This skill is not ready: {}", missing.join(" And ")));
    let others = servers::renamed(servers, catalog, &entry.key());
    let others = others.iter().filter(|other| !present.contains(&other.server)).map(renamed);
    let said: Vec<_> = not_ready.into_iter().chain(others).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// A server whose tools have another name than the skill uses.
fn renamed(renamed: &RenamedServer) -> String {
    let RenamedServer { server, name, .. } = renamed;
    format!("The server {server} of this skill is called {name} here: its tools begin with {name}__.")
}

/// What one of its servers lacks.
fn lack(given: &ParameterValues, servers: &Servers, entry: &Entry, server: &Server) -> Option<String> {
    let (key, word) = (entry.key(), word(&entry.skill.id));
    let missing = servers::missing(server, given, &key);
    if !missing.is_empty() {
        return Some(values(server, &missing, &word));
    }
    sentence(&servers::trouble_of(servers, &key, server)?, &word)
}

fn values(server: &Server, missing: &[Missing], word: &str) -> String {
    let named: Vec<_> = missing.iter().map(|missing| named(server, missing)).collect();
    let command = |missing: &Missing| {
        let kind = if missing.sensitive { "secrets" } else { "values" };
        let value = if missing.sensitive { "" } else { " VALUE" };
        format!("`skilltender {kind} set {word} {} {}{value}`", server.name, missing.parameter)
    };
    let commands: Vec<_> = missing.iter().map(command).collect();
    let (it, beside) = if named.len() == 1 { ("it", "the command") } else { ("them", "the commands") };
    format!(
        "its server {} still needs {}. The user can enter {it} in Skilltender's window, on the page of this skill, or with \
         {beside} {}.",
        server.name,
        named.join(", "),
        commands.join(", ")
    )
}

/// A value, and its purpose in the words of the skill.
fn named(server: &Server, missing: &Missing) -> String {
    let parameter = server.parameters.iter().find(|parameter| parameter.name == missing.parameter);
    let about = parameter.and_then(|parameter| parameter.description.as_deref()).unwrap_or_default();
    let about: String = about.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
    match (about.trim_end_matches('.'), missing.sensitive) {
        ("", true) => format!("{} (a secret)", missing.parameter),
        ("", false) => missing.parameter.clone(),
        (about, true) => format!("{} (a secret: {about})", missing.parameter),
        (about, false) => format!("{} ({about})", missing.parameter),
    }
}

fn sentence(readiness: &Readiness, word: &str) -> Option<String> {
    let page = "in Skilltender's window, on the page of this skill";
    Some(match readiness {
        // What looks harmful is for the person, and a skill that is off for it is not here.
        Readiness::Ready | Readiness::Disabled | Readiness::Shadowed { .. } | Readiness::LooksHarmful { .. } => {
            return None;
        }
        Readiness::NeedsValues { server, names, runtime: None, .. } => {
            format!("its server {server} still needs {}.", names.join(", "))
        }
        Readiness::NeedsValues { server, names, runtime: Some(program), .. } => format!(
            "its server {server} is run by {program}, which is not on this computer, and still needs {}.",
            names.join(", ")
        ),
        Readiness::NeedsConsent { server, .. } => format!(
            "the user has not agreed yet to run its server {server}. They can look at it {page}, or with the command \
             `skilltender servers approve {server}`."
        ),
        Readiness::NeedsSignIn { server } => format!(
            "its server {server} wants the user to sign in. They can do it {page}, or with the command \
             `skilltender servers sign-in {server}`."
        ),
        Readiness::ToolsChanged { server } => format!(
            "its server {server} describes its tools or prompts differently than before, so it is held back until the user \
             has looked at them in Skilltender's window, or with the command `skilltender servers show {server}`."
        ),
        Readiness::NoProgram { server, program } => format!(
            "its server {server} is run by {program}, which is not installed on this computer. The command \
             `skilltender doctor` says more."
        ),
        Readiness::ServerDown { server, message } => {
            format!("{message} The command `skilltender servers show {server}` says more.")
        }
        Readiness::ContainersDown { server, program } => format!(
            "its server {server} runs in a container, and {program} is not running on this computer. The user can start it."
        ),
        Readiness::Problem { message, line, column } => format!(
            "{message} (line {line}, column {column} of its SKILL.md). The user can put it right {page}; the command \
             `skilltender show {word}` says more."
        ),
    })
}

/// A word, quoted for a shell.
fn word(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if id.bytes().all(plain) { id.to_owned() } else { format!("'{}'", id.replace('\'', r"'\''")) }
}
