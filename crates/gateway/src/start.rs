//! From a launch spec to a connection: secrets from the keychain, the process or the address, the handshake.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    net::{Ipv4Addr, TcpListener},
    path::PathBuf,
    time::Duration,
};

use machine::{Machine, make_private};
use mcp::{Line, Upstream, UpstreamError};
use processes::{Child, Recipe};
use secrets::{Redaction, Secret, begins, environment};
use servers::{
    Kind, LaunchSpec,
    containers::{self, ContainerRun},
    search_programs,
};
use skills::Launch;
use state::blocking;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use crate::{gateway::Gateway, process::Process, references, shared::StartFailure, sign_in};

/// How long a container may take before it listens on its port, counted again while its image is still being fetched.
const LISTENING: Duration = Duration::from_secs(60);
/// How often that is counted again.
const FETCHING: usize = 30;
/// How often the port is tried.
const LOOK: Duration = Duration::from_millis(200);

/// A server that answers.
pub(crate) struct Started {
    pub(crate) upstream: Upstream,
    /// The process, if Skilltender started one.
    pub(crate) process: Option<Process>,
    /// Whether the person is signed in at it.
    pub(crate) signed_in: bool,
}

/// Starts or reaches a server and makes the handshake. When that fails or `stop` comes first, nothing of it is
/// left.
///
/// # Errors
/// Why it does not answer; `None` if it was stopped.
pub(crate) async fn start(
    gateway: &Gateway,
    spec: &LaunchSpec,
    stop: &CancellationToken,
    hold: &mut impl FnMut(&Child),
) -> Result<Started, Option<StartFailure>> {
    let prepared = stop.run_until_cancelled(prepare(gateway, spec)).await.ok_or(None)?;
    let (recipe, port, container) = match prepared.map_err(|failure| Some(failure.before_start()))? {
        Prepared::Address { line, signed_in } => {
            let opened = stop.run_until_cancelled(Upstream::open(line)).await.ok_or(None)?;
            let upstream = opened.map_err(|error| trouble(&spec.name, &error).before_start())?;
            return Ok(Started { upstream, process: None, signed_in });
        }
        Prepared::Program { recipe, port, container } => (recipe, port, container),
    };
    let process = stop.run_until_cancelled(Process::start(gateway.machine(), recipe, container)).await.ok_or(None)?;
    let mut process = process.map_err(StartFailure::NotStarted)?;
    hold(&process.child);
    match stop.run_until_cancelled(open(&mut process, port)).await {
        Some(Ok(upstream)) => Ok(Started { upstream, process: Some(process), signed_in: false }),
        Some(Err(error)) => {
            let message = ended(&spec.name, process, &error).await;
            if matches!(&spec.kind, Kind::Program { argv, .. } if containers::is_one(argv)) {
                gateway.ask_for_containers().await;
            }
            Err(Some(message.into()))
        }
        None => {
            process.stop().await;
            Err(None)
        }
    }
}

/// What is needed before anything is started or reached.
enum Prepared {
    Address { line: Line, signed_in: bool },
    Program { recipe: Recipe, port: Option<u16>, container: Option<ContainerRun> },
}

async fn prepare(gateway: &Gateway, spec: &LaunchSpec) -> Result<Prepared, StartFailure> {
    let (machine, name) = (gateway.machine(), &spec.name);
    // A container whose client was killed still has its name, and maybe its files.
    ContainerRun::remove_left(ContainerRun::left(machine, Some(name))).await;
    refuse_changed(gateway, spec).await?;
    let search = search_programs(machine);
    let secrets = secrets(gateway, spec, &search).await?;
    if !spec.secrets.is_empty() {
        // A keychain or a password manager may have waited a minute for its person.
        refuse_changed(gateway, spec).await?;
    }
    match &spec.kind {
        Kind::Address { url, headers } => {
            let bearer = sign_in::bearer(gateway, spec).await?;
            let signed_in = bearer.is_some();
            let line = Line::over_http(url, with_secrets(spec, headers, &secrets), bearer);
            let line = line.map_err(|error| trouble(name, &error))?.hiding(&hidden(&secrets));
            Ok(Prepared::Address { line, signed_in })
        }
        Kind::Program { program, argv, env, cwd, port, .. } => {
            let port = port
                .map(|_| free_port())
                .transpose()
                .map_err(|error| format!("No port is free for {name}: {error}."))?;
            let container = ContainerRun::new(machine, name, argv);
            let argv = container.as_ref().map_or_else(|| argv.clone(), |container| container.argv(argv));
            let recipe = recipe(machine, &search, (program, &argv, env, cwd, port), &secrets)?;
            Ok(Prepared::Program { recipe, port, container })
        }
    }
}

/// Makes sure that the current files are those that the person approved.
async fn refuse_changed(gateway: &Gateway, spec: &LaunchSpec) -> Result<(), String> {
    let (asked, looking) = (spec.clone(), gateway.clone());
    let same = tokio::task::spawn_blocking(move || asked.is_as_it_was(looking.digests())).await.unwrap_or_default();
    if same {
        return Ok(());
    }
    // The new look makes the change known, and the person is asked again.
    gateway.reconcile().await;
    Err(format!("A file of {} has changed since the user approved it, so it was not started.", spec.name))
}

/// Connects to a process: over its streams, or over the port of a container.
pub(crate) async fn open(process: &mut Process, port: Option<u16>) -> Result<Upstream, UpstreamError> {
    let Process { child, container } = process;
    let Some(port) = port else {
        let (stdout, stdin) = child.stdout.take().zip(child.stdin.take()).ok_or(UpstreamError::Closed)?;
        return Upstream::open(Line::over_streams(stdout, stdin).hiding(&child.secrets)).await;
    };
    // Its client ends at the next line that nobody reads. Its input stays open until it is stopped.
    child.log_output();
    let secrets = child.secrets.clone();
    tokio::select! {
        biased;
        // Then whoever listens on the port is somebody else.
        _ = child.ended() => Err(UpstreamError::Closed),
        opened = wait_for(port, &secrets, container.as_ref(), LISTENING) => opened,
    }
}

/// The headers of a server at an address, with its secrets in them.
pub(crate) fn with_secrets(
    spec: &LaunchSpec,
    headers: &BTreeMap<String, String>,
    secrets: &BTreeMap<String, Secret>,
) -> BTreeMap<String, Zeroizing<String>> {
    let secret = |(header, secret): (&String, &Secret)| {
        let before = spec.secrets.get(header).map_or("", |used| used.before.as_str());
        // With its full capacity from the start it never grows, which would leave an unwiped copy behind.
        let mut value = Zeroizing::new(String::with_capacity(before.len() + secret.expose().len()));
        value.push_str(before);
        value.push_str(secret.expose());
        (header.clone(), value)
    };
    let plain = headers.iter().map(|(name, value)| (name.clone(), Zeroizing::new(value.clone())));
    plain.chain(secrets.iter().map(secret)).collect()
}

/// The secrets to hide in a server's output.
pub(crate) fn hidden(secrets: &BTreeMap<String, Secret>) -> Redaction {
    Redaction::new(secrets.values().map(Secret::expose))
}

/// Why a started process does not answer: its last output says more than that it is gone.
pub(crate) async fn ended(name: &str, process: Process, error: &UpstreamError) -> String {
    let log = process.child.log.clone();
    let ending = process.stop().await;
    let lines = log.lines();
    if lines.iter().any(|(_, line)| is_about_no_network(line)) {
        return format!(
            "{name} could not be fetched, because nothing on the network answered. Connect this computer, then try again."
        );
    }
    if lines.iter().any(|(_, line)| is_about_no_engine(line)) {
        return format!(
            "{name} runs in a container, and the engine for those is not running. Start it, then try again."
        );
    }
    let last = lines.last().map(|(_, line)| format!(" Its last words: {line}")).unwrap_or_default();
    match error {
        UpstreamError::Closed => format!("{name} ended before it answered. {ending}{last}"),
        error => format!("{}{last}", said(name, error)),
    }
}

/// Whether npm, uv, pip or a container engine says in this line that the network is unreachable.
fn is_about_no_network(line: &str) -> bool {
    const SIGNS: &[&str] = &[
        "ENOTFOUND",
        "EAI_AGAIN",
        "ENETUNREACH",
        "ERR_SOCKET_TIMEOUT",
        "dns error",
        "Temporary failure in name resolution",
        "Network is unreachable",
        "no such host",
    ];
    SIGNS.iter().any(|sign| line.contains(sign))
}

/// Whether docker or podman says in this line that its engine does not run.
fn is_about_no_engine(line: &str) -> bool {
    ["Cannot connect to the Docker daemon", "Cannot connect to Podman", "failed to connect to the docker API"]
        .iter()
        .any(|sign| line.contains(sign))
}

/// The trouble that an upstream error means, with a wanted sign-in as a case of its own.
pub(crate) fn trouble(name: &str, error: &UpstreamError) -> StartFailure {
    match error {
        UpstreamError::SignIn => StartFailure::SignIn,
        error => StartFailure::Failed(said(name, error)),
    }
}

fn said(name: &str, error: &UpstreamError) -> String {
    format!("{name} cannot be used: {error}.")
}

/// The secrets of a launch spec, by the variable or header that takes each.
pub(crate) async fn secrets(
    gateway: &Gateway,
    spec: &LaunchSpec,
    search: &[PathBuf],
) -> Result<BTreeMap<String, Secret>, String> {
    let (secrets, uses) = (gateway.secrets(), spec.secrets.clone());
    let read = blocking(move || {
        let mut found = BTreeMap::new();
        for (place, used) in uses {
            let refused = |error: secrets::SecretsError| api::failed(api::ErrorKind::Keychain, error.to_string());
            let secret = secrets.read(&used.parameter).map_err(refused)?.ok_or_else(|| {
                let message = format!("The secret {} is missing. Enter it under Needs.", used.parameter.name);
                api::failed(api::ErrorKind::Keychain, message)
            })?;
            drop(found.insert(place, (used.parameter.name, secret)));
        }
        Ok(found)
    });
    let mut followed = BTreeMap::new();
    for (place, (name, secret)) in read.await.map_err(|error| error.message)? {
        drop(followed.insert(place, references::follow(secret, &name, search).await?));
    }
    Ok(followed)
}

/// The parts of a launch spec for starting it: program, arguments, environment, folder, and the port of a container.
pub(crate) type Parts<'f> = (&'f PathBuf, &'f [String], &'f BTreeMap<String, String>, &'f PathBuf, Option<u16>);

/// What is to be started, with the whole environment: the same for the gateway and for direct mode.
pub(crate) fn recipe(
    machine: &Machine,
    search: &[PathBuf],
    (program, argv, env, cwd, port): Parts<'_>,
    secrets: &BTreeMap<String, Secret>,
) -> Result<Recipe, String> {
    if cwd.starts_with(machine.data.join("servers")) {
        make_private(cwd).map_err(|error| format!("{} cannot be made: {error}.", cwd.display()))?;
    }
    // A server kept for a client runs in the folder where the client starts it; started otherwise, in the home
    // folder.
    let cwd = if cwd.as_os_str().is_empty() { &machine.home } else { cwd };
    let cwd = dunce::canonicalize(cwd).unwrap_or_else(|_| cwd.clone());
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let engines = env::vars_os().filter(|(name, _)| begins(name, containers::its_variables(argv))).filter_map(text);
    let launch = Launch {
        argv: Vec::new(),
        // Declared variables override inherited ones.
        env: engines.chain(env.clone()).collect(),
        secrets: secrets.keys().map(|place| (place.clone(), place.clone())).collect(),
        cwd: None,
    };
    // The folders in which the program itself was found.
    let path = env::join_paths(search).unwrap_or_default();
    let ours = env::vars_os().filter(|(name, _)| name != "PATH").chain([("PATH".into(), path)]);
    let environment = environment(ours, &launch, secrets).map_err(|missing| missing.to_string())?;
    let published = |arg: &String| match port {
        Some(port) => arg.replacen(&format!("127.0.0.1:{}:", containers::PORT), &format!("127.0.0.1:{port}:"), 1),
        None => arg.clone(),
    };
    Ok(Recipe { program: program.clone(), args: argv.iter().skip(1).map(published).collect(), environment, cwd })
}

pub(crate) fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Waits until a container listens on its port, for `patience`; longer while its engine still fetches the image, and so
/// has made no container.
pub(crate) async fn wait_for(
    port: u16,
    secrets: &Redaction,
    container: Option<&ContainerRun>,
    patience: Duration,
) -> Result<Upstream, UpstreamError> {
    let url = format!("http://127.0.0.1:{port}/mcp");
    let reaching = async {
        loop {
            match Upstream::open(Line::over_http(&url, BTreeMap::new(), None)?.hiding(secrets)).await {
                Err(UpstreamError::Unreachable(_)) => sleep(LOOK).await,
                other => return other,
            }
        }
    };
    tokio::pin!(reaching);
    for _ in 0..FETCHING {
        if let Ok(reached) = timeout(patience, &mut reaching).await {
            return reached;
        }
        let Some(container) = container else { break };
        if container.exists().await != Some(false) {
            break;
        }
    }
    Err(UpstreamError::Silent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_cannot_be_fetched_is_told_from_a_server_that_fails() {
        for line in [
            "npm error code EAI_AGAIN",
            "npm error request to the registry failed, reason: getaddrinfo ENOTFOUND registry",
            "error: Failed to fetch: dns error: failed to lookup address information",
            "docker: dial tcp: lookup registry-1: no such host",
        ] {
            assert!(is_about_no_network(line), "{line}");
        }
        assert!(!is_about_no_network("Error: Cannot find module './tea.js'"));
    }
}
