//! What a person does with clients: look at the change of a client's file, and have it made.
//!
//! A change is named by its id. Making it computes it anew from the present bytes, and only the
//! very change that was shown is written.

use std::{cell::RefCell, collections::BTreeMap};

use super::{blocking, failed, rescue, writing};
use crate::{
    Engine,
    connect::{self, Change, Known, Scene},
    saving::Saving,
    secret::Secret,
    secrets::Secrets,
    servers,
    state::Parameter,
    view::{ActionError, ClientChange, ConnectPlan, ErrorKind, Standing, Transport},
};

/// What a change of a client's files would be.
///
/// # Errors
/// When there is no such client, or its file cannot be changed safely or needs no such change.
pub async fn plan_client(engine: &Engine, client: &str, change: ClientChange) -> Result<ConnectPlan, ActionError> {
    give_token(engine, client, &change).await?;
    look_first(engine, &change).await;
    on_disk(engine, client, move |engine, scene, known| {
        let secrets = engine.secrets();
        let secret = |parameter: &Parameter| secrets.read(parameter).ok().flatten();
        let planned = connect::plan(scene, known, &change, &secret);
        Ok(planned.map_err(|error| restored(scene, known, &change, error))?.shown(scene))
    })
    .await
}

/// Where nothing is to be written, the program that the entry runs is put there: somebody may have deleted it, which is
/// said, and an entry that a person puts in by hand runs it too.
fn restored(scene: &Scene, known: &Known, wish: &ClientChange, mut error: ActionError) -> ActionError {
    let direct = matches!(wish, ClientChange::Direct { .. });
    let runs = direct || connect::wanted(scene, known, wish) == Some(Transport::Stdio);
    // What is put there by hand runs it as well.
    let by_hand = connect::takes_no_file(scene, known);
    if by_hand || error.kind == ErrorKind::Already && runs {
        match connect::restore_program(&scene.machine) {
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

/// Makes the change that `plan_id` showed.
///
/// # Errors
/// As [`plan_client`]; `Changed` when the change would be another one now; and when writing fails.
pub async fn change_client(
    engine: &Engine,
    client: &str,
    change: ClientChange,
    plan_id: &str,
) -> Result<(), ActionError> {
    give_token(engine, client, &change).await?;
    look_first(engine, &change).await;
    let (shown, wish) = (plan_id.to_owned(), change.clone());
    let made = on_disk(engine, client, move |engine, scene, known| make(engine, scene, known, &wish, &shown)).await;
    // However it went, the file was just looked at: what stands in it is news.
    look_at(engine, client).await?;
    let (made, saving) = made?;
    if made.moves().next().is_some() || made.back().next().is_some() {
        servers::look_now(engine).await;
    }
    if made.adds() {
        connect::verify_later(engine, &made);
    }
    // What is connected no more needs no key.
    if matches!(change, ClientChange::Disconnect { .. } | ClientChange::Direct { .. })
        && !stands_somewhere(engine, client)
    {
        super::forget_token(engine, client).await?;
    }
    // The file of a project is watched from now on.
    if made.project().is_some() {
        follow(engine).await?;
    }
    saving.done().await
}

/// Looks at what a change hangs on: where the login shell finds programs, or which servers may run.
async fn look_first(engine: &Engine, wish: &ClientChange) {
    match wish {
        ClientChange::Rescue { .. } => servers::ask_for_programs(engine.machine(), false).await,
        // Which servers may run is known once somebody looked.
        ClientChange::Direct { .. } => drop(servers::look_now(engine).await),
        _ => {}
    }
}

/// Looks at a client's files now, and tells what stands there.
pub(super) async fn look_at(engine: &Engine, client: &str) -> Result<(), ActionError> {
    let (looking, client) = (engine.clone(), client.to_owned());
    let look = move || {
        connect::look_now(&looking, &client);
        Ok(())
    };
    blocking(look).await?;
    engine.change(|_| ()).await
}

/// Looks at every client's files and watches those that are new.
pub(super) async fn follow(engine: &Engine) -> Result<(), ActionError> {
    let following = engine.clone();
    let follow = move || {
        connect::follow(&following);
        Ok(())
    };
    blocking(follow).await?;
    engine.change(|_| ()).await
}

/// Whether an entry of ours stands in any of the client's files.
fn stands_somewhere(engine: &Engine, client: &str) -> bool {
    let stands = |standing: &Standing| *standing != Standing::Absent;
    let snapshot = engine.snapshot();
    let row = snapshot.clients.iter().find(|row| row.id == client);
    row.is_some_and(|row| stands(&row.standing) || row.projects.iter().any(|project| stands(&project.standing)))
}

/// A client that is to come over HTTP gets its token before the plan is made: its file will hold it.
async fn give_token(engine: &Engine, client: &str, wish: &ClientChange) -> Result<(), ActionError> {
    let wish = wish.clone();
    let wanted = on_disk(engine, client, move |_, scene, known| Ok(connect::wanted(scene, known, &wish))).await?;
    if wanted == Some(Transport::Http) {
        super::client_token(engine, client).await?;
    }
    Ok(())
}

/// Makes a change: what has to be in the keychain is there before it is our turn with the clients' files, because nobody
/// else's turn comes while a person is asked.
fn make(
    engine: &Engine,
    scene: &Scene,
    known: &Known,
    wish: &ClientChange,
    shown: &str,
) -> Result<(Change, Saving), ActionError> {
    let asked = Asked::default();
    let secrets = engine.secrets();
    let change = as_shown(scene, known, wish, shown, &|parameter| asked.ask(&secrets, parameter))?;
    rescue::take_in(engine, &change)?;
    let written = write(engine, scene, known, wish, shown, &asked);
    let change = written.inspect_err(|_| rescue::give_back(engine, &change))?;
    rescue::forget_taken_back(engine, &change)?;
    // An entry that is brought back opens the door again.
    if let Some(token) = change.token().filter(|_| turns(wish)) {
        engine.change_tokens(|tokens| tokens.take_back(&known.id, token))?;
    }
    let saving = remember(engine, &change, wish)?;
    Ok((change, saving))
}

/// Writes the change, if it still is the one that was shown.
fn write(
    engine: &Engine,
    scene: &Scene,
    known: &Known,
    wish: &ClientChange,
    shown: &str,
    asked: &Asked,
) -> Result<Change, ActionError> {
    let _guests = engine.guests();
    let change = as_shown(scene, known, wish, shown, &|parameter| asked.known(parameter))?;
    if !engine.may_write_guests() {
        return Err(failed(ErrorKind::System, "Skilltender is quitting, so this was not done."));
    }
    if change.runs_program() {
        connect::stable_program(&scene.machine).map_err(|error| {
            let message = format!("The program that clients run could not be put in its place: {error}.");
            failed(ErrorKind::System, message)
        })?;
    }
    change.write(&scene.machine)?;
    Ok(change)
}

fn as_shown(
    scene: &Scene,
    known: &Known,
    wish: &ClientChange,
    shown: &str,
    secret: connect::Secrets<'_>,
) -> Result<Change, ActionError> {
    let change = connect::plan(scene, known, wish, secret)?;
    if change.id() == shown {
        return Ok(change);
    }
    let message = "The file changed since the change was shown, so nothing was written. Look at it again.";
    Err(failed(ErrorKind::Changed, message))
}

/// The secrets that a plan asked for, so that it can be made again without the keychain.
#[derive(Default)]
struct Asked(RefCell<BTreeMap<Parameter, Option<Secret>>>);

impl Asked {
    /// What the keychain has.
    fn ask(&self, secrets: &Secrets, parameter: &Parameter) -> Option<Secret> {
        if !self.0.borrow().contains_key(parameter) {
            let found = secrets.read(parameter).ok().flatten();
            self.0.borrow_mut().insert(parameter.clone(), found);
        }
        self.known(parameter)
    }

    /// What it had when it was asked.
    fn known(&self, parameter: &Parameter) -> Option<Secret> {
        let known = self.0.borrow();
        Secret::new(known.get(parameter)?.as_ref()?.expose().to_owned()).ok()
    }
}

/// Whether an entry of earlier may come back by this.
fn turns(wish: &ClientChange) -> bool {
    matches!(wish, ClientChange::Undo | ClientChange::Redo)
}

/// Keeps what the person agreed to, and forgets what was chosen about an entry that is another now.
fn remember(engine: &Engine, change: &Change, wish: &ClientChange) -> Result<Saving, ActionError> {
    let id = change.client().to_owned();
    let again = matches!(wish, ClientChange::Connect { again: true, .. });
    let pending = again && change.is_at_risk(engine.machine());
    let back = turns(wish) && change.token().is_some();
    let paths: Vec<_> = change.paths().map(|path| path.to_string_lossy().into_owned()).collect();
    let remembered = engine.apply_here(move |state| {
        state.client(&id).token |= back;
        state.choices.about_client(&id, |chosen| {
            (chosen.again, chosen.pending) = (again, pending);
            chosen.kept.retain(|path, _| !paths.contains(path));
        });
    });
    Ok(remembered?.1)
}

/// Does `work` about a client where waiting for the disk holds nobody up.
pub(super) async fn on_disk<T: Send + 'static>(
    engine: &Engine,
    client: &str,
    work: impl FnOnce(&Engine, &Scene, &Known) -> Result<T, ActionError> + Send + 'static,
) -> Result<T, ActionError> {
    writing(engine)?;
    let scene = engine.change(|state| Scene::of(state)).await?;
    let (engine, known) = (engine.clone(), scene.client(client)?.clone());
    blocking(move || work(&engine, &scene, &known)).await
}
