//! User actions on the folders in which clients look for skills by themselves.
//!
//! A plan is identified by its id. Carrying it out computes it again, and proceeds only if it is the plan that was
//! shown.

use api::{ActionError, ClientFolder, ClientFolderPlan, ErrorKind, PlaceWay, Wrote, failed};
use connect::client_folders::{Carried, FolderRequest, Target};
use state::{blocking, quitting};

use super::{
    look_again, writing,
    wrote::{Back, wrote},
};
use crate::{
    Engine,
    client_folders::{COPIED, shelf},
};

/// Every folder that a client reads by itself, its readers, and what we put there.
///
/// # Errors
/// When the engine is quitting.
pub async fn client_folders(engine: &Engine) -> Result<Vec<ClientFolder>, ActionError> {
    let engine = engine.clone();
    blocking(move || {
        // Waits until nothing is being changed there.
        let _client_files = engine.client_files();
        let snapshot = engine.snapshot();
        let found = |id: &str| snapshot.clients.iter().any(|client| client.id == id && client.found);
        Ok(shelf(&engine).folders(&found))
    })
    .await
}

/// The effect of putting enabled skills into a folder; without `way`, of removing ours. `target` is the folder's path,
/// or a client that reads it.
///
/// # Errors
/// When no client reads such a folder, or it leads out of the home folder.
pub async fn plan_client_folder(
    engine: &Engine,
    target: &str,
    way: Option<PlaceWay>,
) -> Result<ClientFolderPlan, ActionError> {
    let target = Target::named(engine.machine(), target)?;
    let engine = engine.clone();
    blocking(move || shelf(&engine).plan(&target, wish(way))).await
}

/// Puts enabled skills into a folder and keeps them there, as `plan_id` showed it. Returns, as a sentence, that they are
/// copied where no link can be made.
///
/// # Errors
/// As [`plan_client_folder`]; `Changed` when the plan would now be a different one; and when some skills could not be
/// put there. The others are in place then.
pub async fn link_skills(
    engine: &Engine,
    target: &str,
    way: PlaceWay,
    plan_id: &str,
) -> Result<Option<String>, ActionError> {
    carry_out(engine, target, FolderRequest::Place(way), plan_id).await
}

/// Removes what we put into a folder, as `plan_id` showed it. An edited copy stays.
///
/// # Errors
/// As [`link_skills`].
pub async fn unlink_skills(engine: &Engine, target: &str, plan_id: &str) -> Result<(), ActionError> {
    carry_out(engine, target, FolderRequest::Clear, plan_id).await.map(drop)
}

/// Settles an edited copy: it is replaced by the current skill, or it belongs to the user from now on.
///
/// # Errors
/// When there is no such copy, or it cannot be replaced.
pub async fn settle_copy(engine: &Engine, target: &str, skill: &str, replace: bool) -> Result<(), ActionError> {
    writing(engine)?;
    let target = Target::named(engine.machine(), target)?;
    let (inner, skill) = (engine.clone(), skill.to_owned());
    let place = target.path.join(&skill);
    let placed = blocking(move || {
        let _client_files = inner.client_files();
        let mut shelf = shelf(&inner);
        shelf.settle(&target, &skill, replace)?;
        if replace {
            shelf.carry_out(&target, FolderRequest::Renew)?;
        }
        Ok(shelf.placed())
    })
    .await?;
    engine.state().change(move |state| state.placed = placed).await?;
    look_again(engine, &place).await;
    Ok(())
}

fn wish(way: Option<PlaceWay>) -> FolderRequest {
    way.map_or(FolderRequest::Clear, FolderRequest::Place)
}

async fn carry_out(
    engine: &Engine,
    target: &str,
    wish: FolderRequest,
    plan_id: &str,
) -> Result<Option<String>, ActionError> {
    writing(engine)?;
    let target = Target::named(engine.machine(), target)?;
    let path = target.path.display().to_string();
    let before = client_folders(engine).await?.into_iter().find(|folder| folder.path == path);
    let before = before.and_then(|folder| folder.way);
    let what = Wrote::Placed { place: engine.machine().place(&target.path), there: wish != FolderRequest::Clear };
    let (inner, shown, folder) = (engine.clone(), plan_id.to_owned(), target.path.join("any"));
    let (placed, carried) = blocking(move || {
        let _client_files = inner.client_files();
        if !inner.may_write_client_files() {
            return Err(quitting());
        }
        let mut shelf = shelf(&inner);
        if shelf.plan(&target, wish)?.id != shown {
            let message =
                "The folder or the skills changed since this was shown, so nothing was done. Look at it again.";
            return Err(failed(ErrorKind::Changed, message));
        }
        let carried = shelf.carry_out(&target, wish)?;
        Ok((shelf.placed(), carried))
    })
    .await?;
    // Before the library is rescanned, so that our copies do not appear as second skills.
    let Carried { troubles, copied_instead } = carried;
    let said = copied_instead.clone();
    engine
        .state()
        .change(move |state| {
            state.placed = placed;
            if let Some(said) = said {
                state.notice(COPIED, said);
            }
        })
        .await?;
    look_again(engine, &folder).await;
    wrote(engine, what, Some(Back::Folder { path, way: before })).await;
    if troubles.is_empty() { Ok(copied_instead) } else { Err(failed(ErrorKind::Refused, troubles.join(" "))) }
}
