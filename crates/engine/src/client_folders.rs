//! Follows changes: a skill that is switched on or off, moved or edited also changes in the folders where
//! Skilltender puts skills.

use std::sync::Arc;

use connect::client_folders::{FolderRequest, Shelf};
use state::blocking;

use crate::Engine;

/// The notice that skills are copied where they were to be linked.
pub(crate) const COPIED: &str = "copied-instead";

/// The skills of this engine, to be planned for clients' folders.
pub(crate) fn shelf(engine: &Engine) -> Shelf {
    let (machine, digests) = (Arc::clone(engine.machine()), Arc::clone(engine.digests()));
    Shelf::new(machine, engine.mode(), engine.state().catalog(), engine.state().roots(), digests)
}

/// Follows the library until the engine ends.
pub(crate) fn keep_up(engine: &Engine) {
    let mut news = engine.state().news();
    let engine = engine.downgrade();
    tokio::spawn(async move {
        loop {
            match engine() {
                Some(engine) => renew(&engine).await,
                None => return,
            }
            if news.changed().await.is_err() {
                return;
            }
        }
    });
}

/// Applies what is due in every folder where Skilltender puts skills. The window shows what could not be done.
pub(crate) async fn renew(engine: &Engine) {
    let inner = engine.clone();
    let done = blocking(move || {
        let _client_files = inner.client_files();
        if !inner.may_write_client_files() {
            return Ok(None);
        }
        let mut shelf = shelf(&inner);
        let before = shelf.placed();
        let (mut troubles, mut copied) = (Vec::new(), Vec::new());
        for target in shelf.filled() {
            match shelf.carry_out(&target, FolderRequest::Renew) {
                Ok(carried) => {
                    troubles.extend(carried.troubles);
                    copied.extend(carried.copied_instead);
                }
                Err(error) => troubles.push(error.message),
            }
        }
        let placed = shelf.placed();
        Ok(Some((placed.clone(), placed != before, troubles, copied)))
    })
    .await;
    let Ok(Some((placed, changed, troubles, copied))) = done else { return };
    if !changed && troubles.is_empty() {
        return;
    }
    engine.state().change_soon(move |state| {
        state.placed = placed;
        if !copied.is_empty() {
            state.notice(COPIED, copied.join(" "));
        }
        if !troubles.is_empty() {
            state.notice("client-folders", format!("Some skills are not in clients' folders: {}", troubles.join(" ")));
        }
    });
}
