//! Follows clients' files: reads a file's state whenever it changes, and puts an entry that a client dropped back once,
//! if the user agreed and the client has quit.

#[cfg(test)]
mod tests;

use std::{path::Path, thread, time::Duration};

use api::{ClientChange, Standing};
use choices::ClientChoice;
use connect::{Change, KnownClient, file_failed, is_dropped, look, plan, renew_program, rewrites, watched};
use machine::processes;
use state::client_context;

use crate::{Engine, Mode};

/// How often to check whether a client has quit.
const POLL: Duration = Duration::from_secs(1);

/// A client that reads and writes its file in two steps has overwritten our change within this time.
const SETTLED: Duration = Duration::from_secs(2);

/// Reads every client's files now, and again whenever one changes. A writing engine also renews the program that
/// clients' entries run.
pub(crate) fn watch(engine: &Engine) {
    follow(engine);
    // Held during the renewal: an engine that has stopped leaves the program to the next one.
    let _client_files = engine.client_files();
    if *engine.mode() == Mode::Writing
        && engine.may_write_client_files()
        && let Err(error) = renew_program(engine.machine())
    {
        let message = format!("Clients run an older skilltender: it could not be renewed ({error}).");
        engine.state().change_soon(move |state| state.notice("program", message));
    }
}

/// Reads every client's files and watches those that are not watched yet, because a client or a project may be new.
pub(crate) fn follow(engine: &Engine) {
    let context = client_context(&engine.state().now());
    for known in &context.clients {
        read_client(engine, &known.id);
        for path in watched(&context, known) {
            let there = path.clone();
            engine.watch_file(&path, move |engine| {
                let context = client_context(&engine.state().now());
                let readers = context.clients.iter().filter(|known| watched(&context, known).contains(&there));
                readers.for_each(|known| read_client(engine, &known.id));
            });
        }
    }
}

/// Reads every client's files now.
pub(crate) fn read_all_clients(engine: &Engine) {
    let context = client_context(&engine.state().now());
    context.clients.iter().for_each(|known| read_client(engine, &known.id));
}

/// Reads one client's files and publishes their state. The lock keeps the reports in order.
pub(crate) fn read_client(engine: &Engine, id: &str) {
    let mut client_files = engine.client_files();
    let context = client_context(&engine.state().now());
    let Ok(known) = context.client(id) else { return };
    let mut file = look(&context, known);
    let chosen = context.choice(id);
    let mut pending = chosen.pending;
    if *engine.mode() == Mode::Writing && engine.may_write_client_files() {
        if let Standing::Dropped { waiting } = &mut file.standing
            && chosen.again
            && !pending
            && processes::runs(&context.machine, known.row.processes)
        {
            (pending, *waiting) = (true, true);
            choose(engine, id, |chosen| chosen.pending = true);
        }
        if pending && client_files.waiting.insert(id.to_owned()) {
            wait_for_end(engine, known.clone());
        }
    }
    let id = id.to_owned();
    engine.state().change_soon(move |state| state.client(&id).file = Some(file));
}

/// Checks, some time after our entry was added, whether it is still there.
///
/// A client that read the file before our change and wrote it afterwards removed the entry by accident, so it is added
/// once more. A client that writes its file from a store of its own would only remove it again.
pub(crate) fn verify_later(engine: &Engine, change: &Change) {
    if rewrites(change.known()) {
        return;
    }
    let (id, project) = (change.known().id.clone(), change.project().map(Path::to_path_buf));
    let engine = engine.downgrade();
    on_a_thread("verify", move || {
        thread::sleep(SETTLED);
        let Some(engine) = engine() else { return };
        if put_back(&engine, &id, project.as_deref()) {
            read_client(&engine, &id);
        }
    });
}

/// Waits until a client has quit, and puts our entry back if the client dropped it.
fn wait_for_end(engine: &Engine, known: KnownClient) {
    let engine = engine.downgrade();
    on_a_thread("client's end", move || {
        // The process must be gone in two checks, so that its last write is complete.
        let mut gone = 0;
        while gone < 2 {
            thread::sleep(POLL);
            let Some(engine) = engine().filter(Engine::may_write_client_files) else { return };
            gone = if processes::runs(engine.machine(), known.row.processes) { 0 } else { gone + 1 };
        }
        let Some(engine) = engine() else { return };
        let put_back = put_back(&engine, &known.id, None);
        choose(&engine, &known.id, move |chosen| {
            chosen.pending = false;
            chosen.again &= !put_back;
        });
        engine.client_files().waiting.remove(&known.id);
        read_client(&engine, &known.id);
    });
}

/// Puts our entry back if it was dropped; returns whether it did.
fn put_back(engine: &Engine, id: &str, project: Option<&Path>) -> bool {
    let _client_files = engine.client_files();
    if !engine.may_write_client_files() {
        return false;
    }
    let context = client_context(&engine.state().now());
    let Ok(known) = context.client(id) else { return false };
    if !is_dropped(&context, known, project) {
        return false;
    }
    let project = project.map(|project| project.display().to_string());
    let change = plan(&context, known, &ClientChange::Update { transport: None, project }, &|_| None);
    let written = change.and_then(|change| change.write(&context.machine).map_err(file_failed));
    if let Err(error) = &written {
        let message = format!("Our entry could not be put back for {}. {error}", known.name);
        let id = format!("put-back:{id}");
        engine.state().change_soon(move |state| state.notice(id, message));
    }
    written.is_ok()
}

fn choose(engine: &Engine, id: &str, change: impl FnOnce(&mut ClientChoice) + Send + 'static) {
    let id = id.to_owned();
    engine.state().change_blocking(move |state| state.choices.about_client(&id, change));
}

fn on_a_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
        tracing::warn!(%error, "a client's file is not looked after");
    }
}
