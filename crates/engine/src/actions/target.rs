//! The place of a new skill: below a folder of the library, on or off from the first moment.

use std::path::{Path, PathBuf};

use api::{ActionError, ErrorKind, failed};
use choices::OWN;
use connect::file_failed;
use files::{replace_file::ReplaceError, staged_dir::Prepared};
use machine::make_private;
use state::{State, blocking, saving::Saving};

use crate::{
    Engine,
    actions::{look_again, sources::forget_origin},
};

/// The place of a skill that does not exist yet.
#[derive(Debug)]
pub(super) struct Target {
    /// The library's folder, by its id.
    folder: String,
    /// The path below it.
    path: String,
    location: PathBuf,
}

/// The choices about skills of a folder: the path; on, off or no choice; and whether the user has reviewed or written
/// it.
type Chosen = Vec<(String, Option<bool>, bool)>;

impl Target {
    /// A place below a folder of the library. Our own folder is created if it does not exist.
    ///
    /// # Errors
    /// When the library has no such folder.
    pub(super) fn new(engine: &Engine, folder: &str, path: &str) -> Result<Self, ActionError> {
        let root = engine.state().roots().iter().find(|root| root.id == folder).map(|root| root.path.clone());
        let root = root.ok_or_else(|| failed(ErrorKind::NotFound, "This folder is not in the library any more."))?;
        if folder == OWN && !root.exists() {
            make_private(&root).map_err(|source| ReplaceError::from_system(&root, source)).map_err(file_failed)?;
        }
        Ok(Self { folder: folder.to_owned(), path: path.to_owned(), location: root.join(path) })
    }

    /// The parent folder of the skill.
    pub(super) fn parent(&self) -> &Path {
        self.location.parent().unwrap_or(&self.location)
    }

    /// # Errors
    /// When the place is taken.
    pub(super) fn refuse_taken(&self, engine: &Engine) -> Result<(), ActionError> {
        if self.location.symlink_metadata().is_err() {
            return Ok(());
        }
        let message = format!("{} is there already, so nothing was written.", engine.machine().place(&self.location));
        let hints = vec!["Move it to the trash, or choose another folder.".to_owned()];
        Err(ActionError { kind: ErrorKind::Refused, message, hints })
    }

    /// Puts the skill in its place, on or off; skills inside it are off. Unless `seen`, it has to be reviewed before it
    /// is switched on. Returns its key.
    ///
    /// # Errors
    /// When the place is taken in the meantime, or the folder cannot be written. Then nothing changes.
    pub(super) async fn put(
        self,
        engine: &Engine,
        prepared: Prepared,
        on: bool,
        seen: bool,
    ) -> Result<String, ActionError> {
        let Self { folder, path, location } = self;
        // What was known of a skill that had this place is not about the new one.
        forget_origin(engine, &format!("{folder}/{path}")).await?;
        let inside = prepared.skills_inside().into_iter();
        let inside = inside.map(|inside| (format!("{path}/{inside}"), Some(false), seen));
        let wanted = [(path.clone(), Some(on), seen)].into_iter().chain(inside).collect();
        // The choice is saved before the skill exists, so that the skill is never taken for one that appeared by
        // itself.
        let (before, saving) = choose(engine, &folder, wanted).await?;
        let place = location.clone();
        let put = match saving.needed().await {
            Ok(()) => blocking(move || prepared.put(&place).map_err(file_failed)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = put {
            let (_, saving) = choose(engine, &folder, before).await?;
            // The reason why it cannot be saved was reported already.
            drop(saving.done().await);
            return Err(error);
        }
        look_again(engine, &location).await;
        Ok(format!("{folder}/{path}"))
    }
}

/// Sets the choices about skills, and returns the earlier ones.
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
    engine.state().apply(choose).await
}
