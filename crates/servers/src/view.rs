//! Servers as people see them.

use std::collections::BTreeSet;

use api::{
    LogLine, Readiness, RenamedServer, ServerAbout, ServerPage, ServerPrompt, ServerRow, ServerState, ServerTool,
    SkillName, ToolChange, ToolsChange,
};
use choices::ServerChoices;
use machine::{Machine, random};
use mcp::{OfferedPrompt, OfferedTool, our_name};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use skills::Catalog;

use super::{
    Advertised, Approval, Pinned, Requirement, Servers,
    approvals::Agreement,
    consent::shown,
    containers::named as container_engine,
    launch_spec::Kind,
    offers::{clash, clashes},
    unfilled::Unfilled,
};

/// One server in the list.
pub fn row(servers: &Servers, catalog: &Catalog, want: &Requirement) -> ServerRow {
    let run = servers.runs.get(&want.name).cloned().unwrap_or_default();
    let approval = servers.approvals.to(want);
    let (command, url) = match want.spec.as_ref().map(|spec| &spec.kind) {
        Ok(Kind::Program { argv, .. }) => (argv.clone(), None),
        Ok(Kind::Address { url, .. }) => (Vec::new(), Some(url.clone())),
        Err(_) => (Vec::new(), None),
    };
    let tools = approval.and_then(|approval| approval.tools.as_ref());
    ServerRow {
        name: want.name.clone(),
        declared: want.declared.clone(),
        beside: beside(servers, catalog, want),
        description: want.description.clone(),
        state: state(servers, want),
        skills: want.users.iter().map(|key| named(catalog, key)).collect(),
        client: want.client.clone(),
        tools: tools.map(|tools| u32::try_from(tools.len()).unwrap_or(u32::MAX)),
        command,
        url,
        approved: approval.map(|approval| approval.since),
        signed_in: want.signed_in,
        calls: run.calls,
        lines: run.lines,
        about: run.about.map(|about| ServerAbout {
            name: about.name,
            version: about.version,
            protocol: about.protocol,
        }),
    }
}

fn beside(servers: &Servers, catalog: &Catalog, want: &Requirement) -> Option<SkillName> {
    servers.wanted.as_ref()?.beside(want).map(|key| named(catalog, key))
}

/// The servers of a skill whose name here differs from the name in the skill.
pub fn renamed(servers: &Servers, catalog: &Catalog, key: &str) -> Vec<RenamedServer> {
    let wants = servers.wanted.iter().flat_map(|wanted| wanted.servers.values());
    let renamed = wants.filter(|want| want.users.contains(key)).filter_map(|want| {
        let (server, name) = (want.declared.clone()?, want.name.clone());
        Some(RenamedServer { server, name, beside: beside(servers, catalog, want) })
    });
    renamed.collect()
}

fn named(catalog: &Catalog, key: &str) -> SkillName {
    let name = catalog.by_key(key).map_or(key, |entry| entry.skill.name.as_str());
    SkillName { key: key.to_owned(), name: name.to_owned() }
}

/// The state of a server: what must be done first comes first.
fn state(servers: &Servers, want: &Requirement) -> ServerState {
    match &want.spec {
        Err(Unfilled::Missing { names, runtime }) => {
            return ServerState::NeedsValues { names: names.clone(), runtime: runtime.clone() };
        }
        Err(Unfilled::Refused(message)) => return ServerState::Refused { message: message.clone() },
        Err(Unfilled::NoProgram(program)) => return ServerState::NoProgram { program: program.clone() },
        Err(Unfilled::NoContainers) => return ServerState::NoContainers,
        Err(Unfilled::ContainersDown(program)) => {
            return ServerState::ContainersDown { program: container_engine(program).to_owned() };
        }
        Ok(_) => {}
    }
    let run = servers.runs.get(&want.name);
    match servers.approvals.about(want) {
        Agreement::To(approval) if approval.wants_sign_in && !want.signed_in => {
            let (asked, trouble) =
                run.map(|run| (run.sign_in.clone(), run.sign_in_trouble.clone())).unwrap_or_default();
            return ServerState::NeedsSignIn { asked, trouble };
        }
        Agreement::To(_) => {}
        Agreement::Other(_) => return ServerState::NeedsConsent { changed: true },
        Agreement::None => return ServerState::NeedsConsent { changed: false },
    }
    let Some(run) = run else { return ServerState::Resting };
    if run.changed.is_some() {
        return ServerState::ToolsChanged;
    }
    run.stage.clone()
}

/// The problem of a skill's server that keeps the skill from being ready, if any.
pub fn trouble_of(servers: &Servers, key: &str, need: &skills::Server) -> Option<Readiness> {
    let want = servers.wanted.as_ref()?.of_skill(key, &need.name)?;
    let server = want.name.clone();
    match state(servers, want) {
        ServerState::NeedsConsent { changed } => Some(Readiness::NeedsConsent { server, changed }),
        ServerState::NeedsSignIn { .. } => Some(Readiness::NeedsSignIn { server }),
        ServerState::ToolsChanged => Some(Readiness::ToolsChanged { server }),
        ServerState::NoProgram { program } => Some(Readiness::NoProgram { server, program }),
        ServerState::NoContainers => Some(Readiness::NoProgram { server, program: "docker".to_owned() }),
        ServerState::ContainersDown { program } => Some(Readiness::ContainersDown { server, program }),
        ServerState::Refused { message } | ServerState::Down { message } | ServerState::Stopped { message } => {
            Some(Readiness::ServerDown { server, message })
        }
        ServerState::NeedsValues { .. }
        | ServerState::Resting
        | ServerState::Starting { .. }
        | ServerState::Running { .. } => None,
    }
}

/// The program that runs a skill's server, if it is missing along with values.
pub(crate) fn runtime_of(servers: &Servers, key: &str, server: &str) -> Option<String> {
    let want = servers.wanted.as_ref()?.of_skill(key, server)?;
    match &want.spec {
        Err(Unfilled::Missing { runtime, .. }) => runtime.clone(),
        _ => None,
    }
}

/// Why a server cannot be started yet, as a sentence: everything that is missing, the program that runs it first.
pub fn not_yet(want: &Requirement) -> String {
    let name = &want.name;
    match &want.spec {
        Ok(_) => format!("{name} can be started."),
        Err(Unfilled::Missing { names, runtime: Some(program) }) => format!(
            "The server {name} is run by {program}, which was not found on this computer. Install it. {}",
            not_yet(&Requirement {
                spec: Err(Unfilled::Missing { names: names.clone(), runtime: None }),
                ..want.clone()
            })
        ),
        Err(Unfilled::Missing { names, runtime: None }) if want.client.is_some() => {
            let (named, first) = (names.join(", "), names.first().map_or("", String::as_str));
            let client = want.client.as_deref().unwrap_or_default();
            format!(
                "The server {name} still needs {named}. Enter it with `skilltender secrets set client/{client} {name} {first}`."
            )
        }
        Err(Unfilled::Missing { names, runtime: None }) => {
            format!(
                "The server {name} still needs {}. Enter it on the page of its skill, under Needs.",
                names.join(", ")
            )
        }
        Err(Unfilled::Refused(message)) => message.clone(),
        Err(Unfilled::NoProgram(program)) => {
            format!(
                "The server {name} is run by {program}, which was not found on this computer. Install it, then try again."
            )
        }
        Err(Unfilled::NoContainers) => format!(
            "The server {name} runs in a container, and neither docker nor podman was found on this computer. Install one of them, then try again."
        ),
        Err(Unfilled::ContainersDown(program)) => format!(
            "The server {name} runs in a container, and {} is not running. Start it, then try again.",
            container_engine(program)
        ),
    }
}

/// The page of one server.
pub fn page(
    machine: &Machine,
    servers: &Servers,
    choices: &ServerChoices,
    want: &Requirement,
    log: Vec<(u64, String)>,
) -> ServerPage {
    // If the launch spec is not approved any more, the earlier approval is used, with its tools for comparison.
    let approval = match servers.approvals.about(want) {
        Agreement::To(approval) | Agreement::Other(approval) => Some(approval),
        Agreement::None => None,
    };
    let seen = servers.approvals.to(want);
    let pinned = seen.and_then(|approval| approval.tools.as_deref()).unwrap_or_default();
    let prompts = seen.and_then(|approval| approval.prompts.as_deref()).unwrap_or_default();
    let changed = servers.runs.get(&want.name).and_then(|run| run.changed.as_ref());
    let tool = |tool: &Pinned| {
        let offered = our_name(&want.name, &tool.name);
        let shown = OfferedTool::new(&offered, &tool.listed());
        ServerTool {
            name: tool.name.clone(),
            description: shown.as_ref().map(|shown| shown.description().to_owned()).unwrap_or_default(),
            json: shown.map(|shown| shown.json()).unwrap_or_default(),
            on: !choices.is_off("", &want.name, &tool.name),
            offered,
        }
    };
    let prompt = |prompt: &Pinned| {
        let offered = our_name(&want.name, &prompt.name);
        let shown = OfferedPrompt::new(&offered, &prompt.listed());
        let description = shown.map(|shown| shown.description().to_owned()).unwrap_or_default();
        ServerPrompt { name: prompt.name.clone(), offered, description }
    };
    let run = servers.runs.get(&want.name);
    let resources = run.and_then(|run| run.resources.as_ref());
    let agreed = |approval: &Approval| shown(machine, &approval.spec, approval.users.iter().cloned().collect());
    ServerPage {
        held_back: held_back(servers, want, pinned.iter().chain(prompts)),
        name: want.name.clone(),
        tools: pinned.iter().map(tool).collect(),
        prompts: prompts.iter().map(prompt).collect(),
        resources: resources.map(|listed| u32::try_from(listed.resources.len()).unwrap_or(u32::MAX)),
        changed: changed.map(|now| change(pinned, prompts, now)),
        log: log.into_iter().map(|(time, text)| LogLine { time, text }).collect(),
        approved: approval.map(agreed),
    }
}

/// What no client is offered of a running server, and why.
fn held_back<'p>(servers: &Servers, want: &Requirement, seen: impl Iterator<Item = &'p Pinned>) -> Vec<String> {
    let clashes = clashes(servers);
    let taken = seen.filter_map(|one| clash(&clashes, &our_name(&want.name, &one.name)));
    let left_out = servers.runs.get(&want.name).map(|run| run.left_out.as_slice()).unwrap_or_default();
    let says = left_out.iter().map(|name| {
        let name = skills::visible(name).replace('\n', " ");
        format!("{name} is left out, because its description or name holds a secret of {}.", want.name)
    });
    taken.chain(says).collect()
}

/// How what a server advertises now differs from before.
fn change(tools: &[Pinned], prompts: &[Pinned], now: &Advertised) -> ToolsChange {
    let of_tools = differences(tools, &now.tools);
    let of_prompts = differences(prompts, now.prompts.as_deref().unwrap_or(prompts));
    let of_prompts = of_prompts.into_iter().map(|one| ToolChange { name: format!("prompt {}", one.name), ..one });
    ToolsChange { tools: of_tools.into_iter().chain(of_prompts).collect(), digest: said_digest(now) }
}

/// The differences between two lists.
fn differences(before: &[Pinned], now: &[Pinned]) -> Vec<ToolChange> {
    let find = |all: &[Pinned], name: &str| all.iter().find(|one| one.name == name).cloned();
    let names: BTreeSet<&str> = before.iter().chain(now).map(|one| one.name.as_str()).collect();
    let changes = names.into_iter().filter_map(|name| {
        let (before, after) = (find(before, name), find(now, name));
        (before != after).then(|| ToolChange {
            name: name.to_owned(),
            before: before.map(|one| lines(&one)),
            after: after.map(|one| lines(&one)),
        })
    });
    changes.collect()
}

/// Identifies what a server advertises.
pub fn said_digest(said: &Advertised) -> String {
    let line = |kind: &str, one: &Pinned| format!("{kind}{}\n{}", one.name, one.digest);
    let tools = said.tools.iter().map(|tool| line("", tool));
    let prompts = said.prompts.iter().flatten().map(|prompt| line("prompt\n", prompt));
    let all: BTreeSet<String> = tools.chain(prompts).collect();
    random::hex(&Sha256::digest(all.into_iter().collect::<Vec<_>>().join("\n")))
}

/// The whole description of one entry, one field per line.
fn lines(one: &Pinned) -> String {
    let value: Value = serde_json::from_str(&one.json).unwrap_or_default();
    skills::visible(&serde_json::to_string_pretty(&value).unwrap_or_default())
}
