//! Where a skill that comes is put: below a folder of the library, off or on from the first moment.

use std::path::{Path, PathBuf};

use crate::{
    Engine,
    actions::{blocking, failed, look_again},
    choices::OWN,
    guest::GuestError,
    machine::make_private,
    placing::Prepared,
    saving::Saving,
    state::State,
    view::{ActionError, ErrorKind},
};

/// The place of a skill that is not there yet.
#[derive(Debug)]
pub(super) struct Target {
    /// The library's folder, by its id.
    folder: String,
    /// The path below it.
    path: String,
    location: PathBuf,
}

/// What is chosen about skills of a folder, by their paths; nothing for one that nobody chose about. Then whether a person
/// has seen it, or wrote it.
type Chosen = Vec<(String, Option<bool>, bool)>;

impl Target {
    /// A place below a folder of the library. Our own is made when it is not there yet.
    ///
    /// # Errors
    /// When the library has no such folder.
    pub(super) fn new(engine: &Engine, folder: &str, path: &str) -> Result<Self, ActionError> {
        let root = engine.roots().iter().find(|root| root.id == folder).map(|root| root.path.clone());
        let root = root.ok_or_else(|| failed(ErrorKind::NotFound, "This folder is not in the library any more."))?;
        if folder == OWN && !root.exists() {
            make_private(&root).map_err(|source| GuestError::from_system(&root, source))?;
        }
        Ok(Self { folder: folder.to_owned(), path: path.to_owned(), location: root.join(path) })
    }

    /// The folder that the skill is put into.
    pub(super) fn parent(&self) -> &Path {
        self.location.parent().unwrap_or(&self.location)
    }

    /// # Errors
    /// When something stands there.
    pub(super) fn refuse_taken(&self, engine: &Engine) -> Result<(), ActionError> {
        if self.location.symlink_metadata().is_err() {
            return Ok(());
        }
        let message = format!("{} is there already, so nothing was written.", engine.machine().place(&self.location));
        let hints = vec!["Move it to the trash, or choose another folder.".to_owned()];
        Err(ActionError { kind: ErrorKind::Refused, message, hints })
    }

    /// Puts the skill in its place, on or off; skills inside it are off. What is not `seen` is shown before it is
    /// switched on. Gives its key.
    ///
    /// # Errors
    /// When something stands there meanwhile, or the folder cannot be written. All is as it was then.
    pub(super) async fn put(
        self,
        engine: &Engine,
        prepared: Prepared,
        on: bool,
        seen: bool,
    ) -> Result<String, ActionError> {
        let Self { folder, path, location } = self;
        let inside = prepared.skills_inside().into_iter();
        let inside = inside.map(|inside| (format!("{path}/{inside}"), Some(false), seen));
        let wanted = [(path.clone(), Some(on), seen)].into_iter().chain(inside).collect();
        // First the choice, then the skill: so nobody takes it for one that appeared by itself.
        let (before, saving) = choose(engine, &folder, wanted).await?;
        let place = location.clone();
        let put = match saving.needed().await {
            Ok(()) => blocking(move || Ok(prepared.put(&place)?)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = put {
            let (_, saving) = choose(engine, &folder, before).await?;
            // What it is not saved for was said.
            drop(saving.done().await);
            return Err(error);
        }
        look_again(engine, &location).await;
        Ok(format!("{folder}/{path}"))
    }
}

/// Sets what is chosen about skills, and gives what was chosen before.
async fn choose(engine: &Engine, folder: &str, chosen: Chosen) -> Result<(Chosen, Saving), ActionError> {
    let folder = folder.to_owned();
    let choose = move |state: &mut State| {
        let Some(folder) = state.choices.folder_mut(&folder) else { return Vec::new() };
        let mut set = |(path, on, seen): (String, Option<bool>, bool)| {
            let was_seen = match seen {
                true => !folder.switched.insert(path.clone()),
                false => folder.switched.remove(&path),
            };
            let before = match on {
                Some(on) => folder.skills.insert(path.clone(), on),
                None => folder.skills.remove(&path),
            };
            (path, before, was_seen)
        };
        chosen.into_iter().map(&mut set).collect()
    };
    engine.apply(choose).await
}
