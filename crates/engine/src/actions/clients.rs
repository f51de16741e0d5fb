//! User actions on clients: showing the change of a client's file, and applying it.
//!
//! A change is identified by its id. Applying it computes it again from the current bytes, and writes it only if it is
//! the change that was shown.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use api::{ActionError, ClientChange, ConnectPlan, ErrorKind, Standing, Transport, failed};
use connect::{Change, ClientContext, KnownClient, file_failed};
use machine::processes;
use secrets::{Secret, Secrets};
use skills::Slot;
use state::{blocking, client_context, quitting, saving::Saving};

use super::{rescue, writing};
use crate::{Engine, client_watch};

/// Computes the change of a client's files without applying it.
///
/// # Errors
/// When there is no such client, or its file cannot be changed safely or needs no such change.
pub async fn plan_client(engine: &Engine, client: &str, change: ClientChange) -> Result<ConnectPlan, ActionError> {
    let of = prepare(engine, client, &change).await?;
    at(engine, of, move |engine, context, known| {
        let secrets = engine.secrets();
        let secret = |parameter: &Slot| secrets.read(parameter).ok().flatten();
        let planned = connect::plan(context, known, &change, &secret);
        Ok(planned.map_err(|error| restored(context, known, &change, error))?.shown(context))
    })
    .await
}

/// Whether the change would do anything. It is not shown, so an engine that only reads can say it.
pub(super) async fn would_change(engine: &Engine, client: &str, change: ClientChange) -> Result<bool, ActionError> {
    let of = context_of(engine, client)?;
    at(engine, of, move |_, context, known| Ok(connect::plan(context, known, &change, &|_: &Slot| None).is_ok())).await
}

/// Restores the program that the entry runs, when the client's file needs no change. It may have been deleted, which is
/// reported.
fn restored(context: &ClientContext, known: &KnownClient, wish: &ClientChange, mut error: ActionError) -> ActionError {
    let direct = matches!(wish, ClientChange::Direct { .. });
    let runs = direct || connect::wanted(context, known, wish) == Some(Transport::Stdio);
    // An entry that the user adds by hand runs the program as well.
    let by_hand = connect::takes_no_file(context, known);
    if by_hand || error.kind == ErrorKind::Already && runs {
        match connect::restore_program(&context.machine) {
            Ok(true) if !by_hand => error.hints.push("The program that it runs was gone, and is back.".to_owned()),
            Ok(_) => {}
            Err(why) => {
                let message = format!("The program that the entry runs is gone and could not be put back: {why}.");
                return failed(ErrorKind::System, message);
            }
        }
    }
    error
}

/// Applies the change that `plan_id` showed.
///
/// # Errors
/// As [`plan_client`]; `Changed` when the change would now be a different one; and when writing fails.
pub async fn change_client(
    engine: &Engine,
    client: &str,
    change: ClientChange,
    plan_id: &str,
) -> Result<(), ActionError> {
    let of = prepare(engine, client, &change).await?;
    let (shown, wish) = (plan_id.to_owned(), change.clone());
    let made = at(engine, of, move |engine, context, known| make(engine, context, known, &wish, &shown)).await;
    // Even after a failure the file was read again, so its state is published.
    read_client(engine, client).await?;
    let (made, saving) = made?;
    if made.moves().next().is_some() || made.back().next().is_some() {
        engine.gateway().reconcile().await;
    }
    if made.adds() {
        client_watch::verify_later(engine, &made);
    }
    // A disconnected client no longer needs its token.
    if matches!(change, ClientChange::Disconnect { .. } | ClientChange::Direct { .. })
        && !stands_somewhere(engine, client)
    {
        super::forget_token(engine, client).await?;
    }
    // A project's file is watched from now on.
    if made.project().is_some() {
        follow(engine).await?;
    }
    saving.done().await
}

/// Records that our existing entry is to be added again, once, if the client drops it while running.
///
/// # Errors
/// When there is no such client, or the choice cannot be saved.
pub async fn add_again(engine: &Engine, client: &str) -> Result<(), ActionError> {
    let kept = on_disk(engine, client, |engine, context, known| {
        // A running client may still hold the previous contents of the file.
        let pending = processes::runs(&context.machine, known.row.processes);
        let id = known.id.clone();
        let (_, saving) = engine.state().apply_blocking(move |state| {
            state.choices.about_client(&id, |chosen| (chosen.again, chosen.pending) = (true, pending));
        })?;
        Ok(saving)
    });
    let saving = kept.await?;
    read_client(engine, client).await?;
    saving.done().await
}

/// Everything that a plan depends on, as of now, and the client.
async fn prepare(engine: &Engine, client: &str, wish: &ClientChange) -> Result<Of, ActionError> {
    writing(engine)?;
    look_first(engine, wish).await;
    let of = context_of(engine, client)?;
    give_token(engine, &of, wish).await?;
    Ok(of)
}

/// Refreshes what the change depends on: where the login shell finds programs, or which servers may run.
async fn look_first(engine: &Engine, wish: &ClientChange) {
    match wish {
        ClientChange::Rescue { .. } => servers::ask_for_programs(engine.machine(), false).await,
        // Which servers may run is known only after a check.
        ClientChange::Direct { .. } => drop(engine.gateway().reconcile().await),
        _ => {}
    }
}

/// Reads a client's files now and publishes their state.
pub(super) async fn read_client(engine: &Engine, client: &str) -> Result<(), ActionError> {
    let (looking, client) = (engine.clone(), client.to_owned());
    let look = move || {
        client_watch::read_client(&looking, &client);
        Ok(())
    };
    blocking(look).await?;
    engine.state().flush().await
}

/// Reads every client's files and watches the new ones.
pub(super) async fn follow(engine: &Engine) -> Result<(), ActionError> {
    let following = engine.clone();
    let follow = move || {
        client_watch::follow(&following);
        Ok(())
    };
    blocking(follow).await?;
    engine.state().flush().await
}

/// Whether any of the client's files contains our entry.
fn stands_somewhere(engine: &Engine, client: &str) -> bool {
    let stands = |standing: &Standing| *standing != Standing::Absent;
    let snapshot = engine.snapshot();
    let row = snapshot.clients.iter().find(|row| row.id == client);
    row.is_some_and(|row| stands(&row.standing) || row.projects.iter().any(|project| stands(&project.standing)))
}

/// A client that is to connect over HTTP gets its token before the plan is made, because its file will contain the
/// token.
async fn give_token(engine: &Engine, of: &Of, wish: &ClientChange) -> Result<(), ActionError> {
    let wish = wish.clone();
    let wanted = at(engine, of.clone(), move |_, context, known| Ok(connect::wanted(context, known, &wish))).await?;
    if wanted == Some(Transport::Http) {
        super::client_token(engine, &of.1.id).await?;
    }
    Ok(())
}

/// Applies a change. Everything that it needs is in the keychain before the lock on clients' files is taken, so that no
/// other task waits while the user is prompted.
fn make(
    engine: &Engine,
    context: &ClientContext,
    known: &KnownClient,
    wish: &ClientChange,
    shown: &str,
) -> Result<(Change, Saving), ActionError> {
    let asked = Asked::default();
    let secrets = engine.secrets();
    let change = as_shown(context, known, wish, shown, &|parameter| asked.ask(&secrets, parameter))?;
    rescue::take_in(engine, &change)?;
    let written = write(engine, context, known, wish, shown, &asked);
    let change = written.inspect_err(|_| rescue::give_back(engine, &change))?;
    rescue::forget_taken_back(engine, &change)?;
    // A restored entry makes its token valid again.
    if let Some(token) = change.token().filter(|_| turns(wish)) {
        engine.change_tokens(|tokens| tokens.take_back(&known.id, token)).map_err(file_failed)?;
    }
    let saving = remember(engine, &change, wish)?;
    Ok((change, saving))
}

/// Writes the change if it is still the one that was shown.
fn write(
    engine: &Engine,
    context: &ClientContext,
    known: &KnownClient,
    wish: &ClientChange,
    shown: &str,
    asked: &Asked,
) -> Result<Change, ActionError> {
    let _client_files = engine.client_files();
    let change = as_shown(context, known, wish, shown, &|parameter| asked.known(parameter))?;
    if !engine.may_write_client_files() {
        return Err(quitting());
    }
    if change.runs_program() {
        connect::stable_program(&context.machine).map_err(|error| {
            let message = format!("The program that clients run could not be put in its place: {error}.");
            failed(ErrorKind::System, message)
        })?;
    }
    change.write(&context.machine).map_err(file_failed)?;
    Ok(change)
}

fn as_shown(
    context: &ClientContext,
    known: &KnownClient,
    wish: &ClientChange,
    shown: &str,
    secret: connect::Secrets<'_>,
) -> Result<Change, ActionError> {
    let change = connect::plan(context, known, wish, secret)?;
    if change.id() == shown {
        return Ok(change);
    }
    let message = "The file changed since the change was shown, so nothing was written. Look at it again.";
    Err(failed(ErrorKind::Changed, message))
}

/// The secrets that a plan asked for, so that the plan can be computed again without the keychain.
#[derive(Default)]
struct Asked(RefCell<BTreeMap<Slot, Option<Secret>>>);

impl Asked {
    /// Reads a secret from the keychain, once.
    fn ask(&self, secrets: &Secrets, parameter: &Slot) -> Option<Secret> {
        if !self.0.borrow().contains_key(parameter) {
            let found = secrets.read(parameter).ok().flatten();
            self.0.borrow_mut().insert(parameter.clone(), found);
        }
        self.known(parameter)
    }

    /// The secret from the first read.
    fn known(&self, parameter: &Slot) -> Option<Secret> {
        let known = self.0.borrow();
        Secret::new(known.get(parameter)?.as_ref()?.expose().to_owned()).ok()
    }
}

/// Whether the change may restore an earlier entry.
fn turns(wish: &ClientChange) -> bool {
    matches!(wish, ClientChange::Undo | ClientChange::Redo)
}

/// Saves the user's agreement, and drops choices about an entry that was replaced.
fn remember(engine: &Engine, change: &Change, wish: &ClientChange) -> Result<Saving, ActionError> {
    let id = change.client().to_owned();
    let again = matches!(wish, ClientChange::Connect { again: true, .. });
    let pending = again && change.is_at_risk(engine.machine());
    let back = turns(wish) && change.token().is_some();
    // What was agreed to about the entry stays: only switches of skills change.
    let switches = matches!(wish, ClientChange::Skills { .. });
    let paths: Vec<_> = change.paths().map(|path| path.to_string_lossy().into_owned()).collect();
    let remembered = engine.state().apply_blocking(move |state| {
        state.client(&id).token |= back;
        state.choices.about_client(&id, |chosen| {
            if !switches {
                (chosen.again, chosen.pending) = (again, pending);
            }
            chosen.kept.retain(|path, _| !paths.contains(path));
        });
    });
    Ok(remembered?.1)
}

/// Does `work` about a client on a thread that may wait for the disk.
pub(super) async fn on_disk<T: Send + 'static>(
    engine: &Engine,
    client: &str,
    work: impl FnOnce(&Engine, &ClientContext, &KnownClient) -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    writing(engine)?;
    let of = context_of(engine, client)?;
    at(engine, of, work).await
}

/// A client with its context.
type Of = (Arc<ClientContext>, KnownClient);

/// The client of this id, with the context of this moment.
fn context_of(engine: &Engine, client: &str) -> Result<Of, ActionError> {
    let context = Arc::new(client_context(&engine.state().now()));
    let known = context.client(client)?.clone();
    Ok((context, known))
}

/// Does `work` about a client, in its context, on a thread that may wait for the disk.
async fn at<T: Send + 'static>(
    engine: &Engine,
    (context, known): Of,
    work: impl FnOnce(&Engine, &ClientContext, &KnownClient) -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    let engine = engine.clone();
    blocking(move || work(&engine, &context, &known)).await
}
