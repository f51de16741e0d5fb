//! Gathers the facts for the checks, once: the only part of the doctor that accesses the disk, the processes and the
//! bus. It changes nothing, and reads no secrets or tokens.

use std::{
    fs,
    io::{self, Read as _},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use api::{Client, ServerRow, Snapshot, Standing, Transport};
use choices::tokens::{self, Tokens};
use clients::{Entry, LARGEST};
use connect::journal;
use files::{digest, replace_file, store};
use library::Root;
use machine::{
    Machine, lock, port_owner,
    processes::processes,
    session_bus::{self, BusFacts, KeychainFact},
    socket,
};
use mcp::{Visitor, say_hello};
use secrets::keychain;
use servers::ParameterValues;
use skills::{Catalog, Way};

use super::facts::{
    EngineFact, Facts, OpenFile, PortFact, ProgramFact, ProgramState, RuntimeFact, Unsettled, WatchFact,
};
use crate::{
    Engine, Mode, actions,
    orders::{self, Order, ServerOrder},
    start,
};

/// How long another program may take to report its version, or the running engine to greet us.
const PATIENCE: Duration = Duration::from_secs(3);

/// Counting folders stops here: no watch limit is larger in practice.
const MOST_FOLDERS: u64 = 1 << 20;

impl Facts {
    /// Gathers all facts. Takes a few seconds at most.
    pub(crate) async fn gather(engine: &Engine) -> Self {
        let machine = Arc::clone(engine.machine());
        // The user asked, so the container engine is queried too.
        engine.gateway().ask_for_containers().await;
        engine.gateway().reconcile().await;
        let snapshot = engine.snapshot();
        let writer = writer(engine, &machine).await;
        let unsaved = unsaved(engine, &machine).await;
        // If the loop has ended, there is no chosen port.
        let chosen = engine.state().now().choices.port;
        let (catalog, roots, facts) = (engine.state().catalog(), engine.state().roots(), Arc::clone(&snapshot));
        let given = engine.state().now().given.clone();
        let servers = servers(&machine, &writer, &snapshot).await;
        let looked = tokio::task::spawn_blocking(move || {
            let clients = &facts.clients;
            let port = port(chosen, &writer);
            let process_names = clients.iter().filter_map(|client| Some((client.id.clone(), names(&client.id)?)));
            Self {
                port,
                programs: clients.iter().filter_map(|client| program(&machine, client)).collect(),
                process_names: process_names.collect(),
                processes: processes(&machine),
                unsettled: clients.iter().flat_map(|client| unsettled(&machine, client)).collect(),
                runtimes: runtimes(&machine, &catalog, &given),
                servers,
                watches: watches(&roots),
                bus: session_bus::ask(machine.bus.as_deref(), keychain::state),
                open_files: open_files(&machine, clients),
                unsaved,
                unreadable: unreadable(&machine, &facts),
                set_aside: set_aside(&machine),
                engine: writer,
                snapshot: facts,
            }
        });
        match looked.await {
            Ok(facts) => facts,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }

    /// Only those of our own files and of the library as the engine read it: no other program is started or asked, and
    /// no client's file is read.
    pub(crate) fn of_ours(engine: &Engine) -> Self {
        let (machine, snapshot) = (engine.machine(), engine.snapshot());
        Self {
            engine: EngineFact::Nobody,
            port: PortFact::None,
            programs: Vec::new(),
            process_names: Vec::new(),
            processes: None,
            unsettled: Vec::new(),
            runtimes: Vec::new(),
            servers: snapshot.servers.clone(),
            watches: None,
            bus: BusFacts { tray: None, keychain: KeychainFact::Unknown },
            open_files: open_files(machine, &[]),
            unsaved: None,
            unreadable: unreadable(machine, &snapshot),
            set_aside: set_aside(machine),
            snapshot,
        }
    }
}

async fn writer(engine: &Engine, machine: &Machine) -> EngineFact {
    if *engine.mode() == Mode::Writing {
        return EngineFact::This;
    }
    let version = tokio::time::timeout(PATIENCE, greet(machine)).await.ok().and_then(Result::ok);
    match (version, lock::holder(&machine.data)) {
        (None, None) => EngineFact::Nobody,
        (version, pid) => EngineFact::Other { pid: pid.flatten(), version },
    }
}

/// What could not be saved yet. `None` if the other engine does not know the command or does not answer.
async fn unsaved(engine: &Engine, machine: &Machine) -> Option<String> {
    if *engine.mode() == Mode::Writing {
        return actions::read_unsaved(engine).await.ok()?;
    }
    let asked = tokio::time::timeout(PATIENCE, orders::ask_running(machine, &Order::ReadUnsaved)).await;
    asked.ok()?.ok()??.ok()?.as_str().map(str::to_owned)
}

/// The servers' states from the running engine; ours, if this is the running engine or none runs.
async fn servers(machine: &Machine, writer: &EngineFact, snapshot: &Snapshot) -> Vec<ServerRow> {
    if !matches!(writer, EngineFact::Other { version: Some(_), .. }) {
        return snapshot.servers.clone();
    }
    let order = Order::Server(ServerOrder::List);
    let answer = tokio::time::timeout(PATIENCE, orders::ask_running(machine, &order)).await;
    let rows = answer.ok().and_then(Result::ok).flatten().and_then(Result::ok);
    rows.and_then(|rows| serde_json::from_value(rows).ok()).unwrap_or_default()
}

/// The version of the engine at the socket.
async fn greet(machine: &Machine) -> io::Result<String> {
    let stream = socket::connect(&machine.data).await?;
    let (mut read, mut write) = tokio::io::split(stream);
    say_hello(&mut read, &mut write, &Visitor::Orders).await
}

fn port(chosen: Option<u16>, writer: &EngineFact) -> PortFact {
    let Some(port) = chosen.filter(|port| *port != 0) else { return PortFact::None };
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => return PortFact::Free(port),
        Err(error) if error.kind() != io::ErrorKind::AddrInUse => return PortFact::Free(port),
        Err(_) => {}
    }
    let holder = port_owner::of(port);
    let pid = match writer {
        EngineFact::This => Some(std::process::id()),
        EngineFact::Other { pid, .. } => *pid,
        EngineFact::Nobody => None,
    };
    let is_ours = |pid: u32| holder.as_ref().is_none_or(|holder| holder.ends_with(&format!("(process {pid})")));
    match pid.filter(|pid| is_ours(*pid)) {
        Some(_) => PortFact::Ours(port),
        None => PortFact::Held { port, holder },
    }
}

fn names(client: &str) -> Option<&'static [&'static str]> {
    clients::client(client).map(|row| row.processes).filter(|names| !names.is_empty())
}

/// The program named by the entry that we wrote for this client.
fn program(machine: &Machine, client: &Client) -> Option<ProgramFact> {
    let stands = matches!(client.standing, Standing::Added | Standing::Outdated { .. });
    if !stands || client.transport == Some(Transport::Http) {
        return None;
    }
    let added = journal::last(&machine.data, &client.id, Path::new(&client.path))?.added?;
    let Entry::Stdio { command, .. } = added.entry else { return None };
    let path = PathBuf::from(command);
    let state = if !path.is_file() {
        ProgramState::Gone
    } else if same(&path, &machine.program) {
        ProgramState::Ours
    } else {
        version(&path).map_or(ProgramState::Silent, ProgramState::Says)
    };
    Some(ProgramFact { client: client.id.clone(), name: client.name.clone(), place: machine.place(&path), state })
}

fn same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map(|file| file.len()).ok();
    one == other || length(one).is_some() && length(one) == length(other) && fs::read(one).ok() == fs::read(other).ok()
}

/// The version that a program of ours prints for `--version`: `0.1.0`.
fn version(path: &Path) -> Option<String> {
    let mut command = machine::background(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let began = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let mut said = String::new();
    child.stdout.take()?.take(1 << 10).read_to_string(&mut said).ok()?;
    Some(said.trim().strip_prefix("skilltender ")?.to_owned())
}

/// The files of a client from which we removed our entry and that have their earlier contents again. An entry that we
/// added and that is gone is reported with the file's state instead.
fn unsettled(machine: &Machine, client: &Client) -> Vec<Unsettled> {
    let mut paths: Vec<_> = journal::history(&machine.data, &client.id).into_iter().map(|record| record.path).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| {
        let Some(last) = journal::last(&machine.data, &client.id, path) else { return false };
        let Ok(now) = replace_file::read(path, LARGEST as u64) else { return false };
        let now = now.as_deref().map(digest);
        last.added.is_none() && last.before != last.after && now == last.before
    });
    let unsettled = |path: &PathBuf| Unsettled { client: client.id.clone(), place: machine.place(path) };
    paths.iter().map(unsettled).collect()
}

/// The programs that start the servers of enabled skills, found as when they are started.
fn runtimes(machine: &Machine, catalog: &Catalog, given: &ParameterValues) -> Vec<RuntimeFact> {
    let search = servers::search_programs(machine);
    let mut found: Vec<RuntimeFact> = Vec::new();
    for entry in catalog.served() {
        for server in &entry.skill.servers {
            let Some(Way::Stdio { command, .. }) = given.way(&entry.key(), server) else { continue };
            if command.is_empty() || command.contains("${") {
                continue;
            }
            let fact = RuntimeFact {
                command: command.clone(),
                skills: vec![entry.skill.name.clone()],
                path: servers::is_path(command),
                there: servers::find_command(command, &entry.location, &search).is_some(),
            };
            // The same path in two skills leads to two programs.
            match found.iter_mut().find(|other| !fact.path && other.command == fact.command) {
                Some(other) if other.skills.contains(&fact.skills[0]) => {}
                Some(other) => other.skills.extend(fact.skills),
                None => found.push(fact),
            }
        }
    }
    found
}

/// How many folders Linux lets one user watch.
fn watches(roots: &[Root]) -> Option<WatchFact> {
    let allowed = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()?;
    let mut folders = 0;
    for root in roots {
        count(&root.path, &mut folders);
    }
    Some(WatchFact { allowed, folders })
}

fn count(folder: &Path, folders: &mut u64) {
    *folders += 1;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if *folders < MOST_FOLDERS && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            count(&entry.path(), folders);
        }
    }
}

/// Files that only the user may read: our folder and its contents, and clients' files that contain a token.
#[cfg(unix)]
fn open_files(machine: &Machine, clients: &[Client]) -> Option<Vec<OpenFile>> {
    use std::os::unix::fs::PermissionsExt as _;

    use choices::values;
    use state::client_activity;

    let ours =
        ["", tokens::FILE, values::FILE, secrets::FILE, client_activity::FILE, "journal", "sessions", "audit", "kept"];
    let ours = ours.iter().map(|name| (machine.data.join(name), None));
    let holds_token = |client: &&Client| client.transport == Some(Transport::Http);
    let theirs = clients.iter().filter(holds_token);
    let theirs = theirs.map(|client| (PathBuf::from(&client.path), Some((client.id.clone(), client.name.clone()))));
    let is_open = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
    let open = ours.chain(theirs).filter(|(path, _)| is_open(path));
    Some(open.map(|(path, client)| OpenFile { place: machine.place(&path), client }).collect())
}

/// Other systems would need their access lists read.
#[cfg(not(unix))]
fn open_files(_machine: &Machine, _clients: &[Client]) -> Option<Vec<OpenFile>> {
    None
}

/// Why files of ours cannot be read now. A writing engine has set them aside.
fn unreadable(machine: &Machine, snapshot: &Snapshot) -> Vec<String> {
    let told = snapshot.notices.iter().filter(|notice| notice.id.starts_with("unreadable:"));
    let told = told.map(|notice| notice.message.clone());
    let tokens = store::trouble::<Tokens>(&machine.data.join(tokens::FILE));
    told.chain(start::trouble_with_choices(machine)).chain(tokens).collect()
}

fn set_aside(machine: &Machine) -> Vec<String> {
    let files = fs::read_dir(&machine.data).into_iter().flatten().flatten().map(|file| file.path());
    let aside = files.filter(|path| path.to_string_lossy().contains(".unreadable-"));
    aside.map(|path| machine.place(&path)).collect()
}
