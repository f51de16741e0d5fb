//! The desktop functions that the page may use: the browser, the file manager and the file dialogs.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, Snapshot};
use engine::Machine;
use tauri::{AppHandle, Manager as _};
use tauri_plugin_dialog::{DialogExt as _, FilePath, MessageDialogButtons, MessageDialogKind};
use tokio::sync::oneshot;

use crate::{
    address::{self, Named},
    chosen::{self, Choice, Chosen, Kind},
    events::{self, Show},
    link,
    words::Words,
};

/// Opens an address in the user's browser, if `link` allows it.
pub(crate) fn open_link(text: &str) -> Result<(), ActionError> {
    let Some(url) = link::allowed(text) else {
        let message = format!("{text} is not opened: only https addresses are, and http ones on this computer.");
        return Err(ActionError { kind: ErrorKind::Input, message, hints: Vec::new() });
    };
    tauri_plugin_opener::open_url(&url, None::<&str>).map_err(|why| system("The browser was not opened", &why))
}

/// Shows a skill's SKILL.md in the file manager.
pub(crate) fn show_in_folder(snapshot: &Snapshot, key: &str) -> Result<(), ActionError> {
    let skill = snapshot.skills.iter().find(|skill| skill.key == key);
    let folder = skill.and_then(|skill| snapshot.folders.iter().find(|folder| folder.id == skill.folder));
    let below = folder.and_then(|folder| key.strip_prefix(&folder.id)?.strip_prefix('/'));
    let (Some(folder), Some(below)) = (folder, below) else {
        let message = "This skill is not in the library any more.".to_owned();
        return Err(ActionError { kind: ErrorKind::NotFound, message, hints: Vec::new() });
    };
    let file = Path::new(&folder.path).join(below).join("SKILL.md");
    tauri_plugin_opener::reveal_item_in_dir(file).map_err(|why| system("The file manager was not opened", &why))
}

/// Shows a client's file in the file manager.
pub(crate) fn show_config(snapshot: &Snapshot, client: &str) -> Result<(), ActionError> {
    let client = snapshot.clients.iter().find(|known| known.id == client).filter(|client| !client.path.is_empty());
    let Some(client) = client else {
        let message = "Skilltender knows no file of this client.".to_owned();
        return Err(ActionError { kind: ErrorKind::NotFound, message, hints: Vec::new() });
    };
    tauri_plugin_opener::reveal_item_in_dir(&client.path).map_err(|why| system("The file manager was not opened", &why))
}

/// Shows our data folder in the file manager.
pub(crate) fn show_data(machine: &Machine) -> Result<(), ActionError> {
    tauri_plugin_opener::reveal_item_in_dir(&machine.data)
        .map_err(|why| system("The file manager was not opened", &why))
}

/// Opens the review of what an address of ours names, or says why not.
pub(crate) fn open_address(app: &AppHandle, address: &str) {
    match address::source(address) {
        Ok(Named::Source(written)) => events::show(app, Show::Source { written }),
        Ok(Named::Here(path)) => {
            let source = app.state::<Chosen>().keep(app.state::<Machine>().inner(), chosen::kind_of(&path), path);
            events::show(app, Show::Review { source });
        }
        Err(why) => tell(app, MessageDialogKind::Warning, &why, || {}),
    }
}

/// Says what the engine or the shell says in a dialog of its own, in the language that is shown.
pub(crate) fn tell(app: &AppHandle, kind: MessageDialogKind, what: &str, then: impl FnOnce() + Send + 'static) {
    let words = Words::now(app);
    let close = MessageDialogButtons::OkCustom(words.say("dialog.close").to_owned());
    let message = app.dialog().message(words.translated(what)).title("Skilltender").buttons(close);
    message.kind(kind).show(move |_| then());
}

/// Why something was not done, and what to do next, in a row.
pub(crate) fn sentences(error: &ActionError) -> String {
    let all: Vec<_> = [&error.message].into_iter().chain(&error.hints).map(String::as_str).collect();
    all.join(" ")
}

/// Asks the user for a folder; `None` when they cancel.
pub(crate) async fn choose_folder(app: &AppHandle) -> Option<Choice> {
    let (answer, chosen) = oneshot::channel();
    // The receiver is gone only when the page has closed.
    app.dialog().file().pick_folder(move |folder| drop(answer.send(folder)));
    keep(app, Kind::Folder, chosen).await
}

/// Asks the user for a zip file; `None` when they cancel.
pub(crate) async fn choose_zip(app: &AppHandle) -> Option<Choice> {
    let (answer, chosen) = oneshot::channel();
    app.dialog().file().add_filter("Zip", &["zip", "skill"]).pick_file(move |file| drop(answer.send(file)));
    keep(app, Kind::File, chosen).await
}

/// Asks the user for a file; `None` when they cancel.
pub(crate) async fn choose_file(app: &AppHandle) -> Option<Choice> {
    let (answer, chosen) = oneshot::channel();
    app.dialog().file().pick_file(move |file| drop(answer.send(file)));
    keep(app, Kind::File, chosen).await
}

/// Asks the user where a file of this name goes; `None` when they cancel.
pub(crate) async fn choose_save(app: &AppHandle, name: &str) -> Option<Choice> {
    let (answer, chosen) = oneshot::channel();
    app.dialog().file().set_file_name(name).save_file(move |file| drop(answer.send(file)));
    keep(app, Kind::Save, chosen).await
}

/// Registers what was dropped on the window as choices.
pub(crate) fn dropped(app: &AppHandle, paths: &[PathBuf]) -> Vec<Choice> {
    let (chosen, machine) = (app.state::<Chosen>(), app.state::<Machine>());
    paths.iter().map(|path| chosen.keep(&machine, chosen::kind_of(path), path.clone())).collect()
}

async fn keep(app: &AppHandle, kind: Kind, chosen: oneshot::Receiver<Option<FilePath>>) -> Option<Choice> {
    let path = chosen.await.ok()??.into_path().ok()?;
    Some(app.state::<Chosen>().keep(&app.state::<Machine>(), kind, path))
}

fn system(what: &str, why: &dyn std::error::Error) -> ActionError {
    ActionError { kind: ErrorKind::System, message: format!("{what}: {why}."), hints: Vec::new() }
}
