//! User actions on a skill: switch it, read it, edit it.

use std::{collections::BTreeMap, io, path::PathBuf, sync::Arc};

use ::skills::{Entry, SkillPath};
use api::{ActionError, Edit, EditorSplice, ErrorKind, Problem, Saved, SkillPage, Wrote, failed};
use connect::file_failed;
use files::{
    confined, digest,
    replace_file::{self, ReplaceError},
};
use library::{LARGEST, walk::Scope, watch::Places};
use state::blocking;
use text::EditorText;

use crate::{
    Engine, Mode,
    actions::{
        kept::{keep, kept, version},
        root, trust,
        wrote::{Back, wrote},
    },
    pages,
};

/// The largest file that the window shows as text.
const LARGEST_SHOWN: u64 = 1 << 20;

/// Switches a skill on or off, for every client. Refuses to switch on someone else's skill that the user has not
/// reviewed.
///
/// # Errors
/// When there is no such skill, or it has to be reviewed first.
pub async fn enable_skill(engine: &Engine, key: &str, on: bool) -> Result<(), ActionError> {
    engine.state().entry(key)?;
    enable_skills(engine, &[key.to_owned()], on, &BTreeMap::new()).await
}

/// Switches several skills on or off, for every client: all of them or none.
///
/// Skills that no longer exist are left out. `seen`: for skills by others, the digests of the reviews that the user was
/// shown, by key. What looks harmful in them is accepted, also in a skill that is on already.
///
/// # Errors
/// When none of them exists any more; when a skill by someone else was not shown, or changed since.
pub async fn enable_skills(
    engine: &Engine,
    keys: &[String],
    on: bool,
    seen: &BTreeMap<String, String>,
) -> Result<(), ActionError> {
    let catalog = engine.state().catalog();
    let entries: Vec<_> = keys.iter().filter_map(|key| catalog.by_key(key).cloned()).collect();
    if entries.is_empty() && !keys.is_empty() {
        return Err(failed(ErrorKind::NotFound, "None of these skills is there any more."));
    }
    let mut accepted = if on { trust::refuse_unseen(engine, &entries, seen).await? } else { BTreeMap::new() };
    let switched: Vec<_> = entries.iter().filter(|entry| entry.enabled != on).cloned().collect();
    engine
        .state()
        .change(move |state| {
            for entry in entries {
                if on {
                    state.choices.unseen.remove(&entry.digest);
                }
                if let Some(folder) = state.choices.folder_mut(&entry.folder) {
                    folder.switch(&entry.path, on);
                    if let Some(marks) = accepted.remove(&entry.key()) {
                        folder.accept(&entry.path, marks);
                    }
                }
            }
        })
        .await?;
    if !switched.is_empty() {
        let keys = switched.iter().map(|entry| entry.key()).collect();
        let skills = switched.iter().map(|entry| entry.skill.name.clone()).collect();
        wrote(engine, Wrote::Switched { skills, on }, Some(Back::Switch { keys, on: !on })).await;
    }
    Ok(())
}

/// The page of a skill, as it is on the disk now.
///
/// # Errors
/// When there is no such skill.
pub async fn read_skill(engine: &Engine, key: &str) -> Result<SkillPage, ActionError> {
    read_page(engine, key, true).await
}

/// The problems on the page of a skill, without a look for signs of harm in its files.
///
/// # Errors
/// When there is no such skill.
pub async fn check_skill(engine: &Engine, key: &str) -> Result<Vec<Problem>, ActionError> {
    Ok(read_page(engine, key, false).await?.problems)
}

async fn read_page(engine: &Engine, key: &str, scans: bool) -> Result<SkillPage, ActionError> {
    let entry = engine.state().entry(key)?;
    let state = engine.state().now();
    let (catalog, root) = (engine.state().catalog(), root(engine, &entry));
    blocking(move || {
        let mut page = pages::page(&catalog, &root, &entry, &state.given, &state.choices.servers.links);
        if scans {
            let trust = pages::look::look(&root, &entry).trust;
            (page.findings, page.left_out) = (trust.findings, trust.left_out);
        }
        Ok(page)
    })
    .await
}

/// The text of one file of a skill; `None` when it is not text, or too large to show.
///
/// # Errors
/// When there is no such file in the skill.
pub async fn read_file(engine: &Engine, key: &str, path: &str) -> Result<Option<String>, ActionError> {
    let entry = engine.state().entry(key)?;
    let missing = || failed(ErrorKind::NotFound, format!("There is no file {path} in {}.", entry.skill.name));
    let inside = SkillPath::new(path).ok_or_else(missing)?;
    let location = entry.location.clone();
    match blocking(move || Ok(confined::read(&location, &inside, LARGEST_SHOWN))).await? {
        Ok(bytes) => Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(None),
        Err(_) => Err(missing()),
    }
}

/// The problems in the text of a skill that is being edited.
///
/// # Errors
/// When there is no such skill.
pub async fn check_text(engine: &Engine, key: &str, text: String) -> Result<Vec<Problem>, ActionError> {
    let (entry, catalog) = (engine.state().entry(key)?, engine.state().catalog());
    blocking(move || Ok(pages::check(&catalog, &entry, &text))).await
}

/// Writes an editor's changes to SKILL.md, if it still has the bytes of `digest`. Untouched lines keep their bytes; the
/// earlier version is stored in our own folder.
///
/// # Errors
/// When there is no such skill, its SKILL.md is not UTF-8, the changes do not fit it, or it cannot be written.
pub async fn save_skill(
    engine: &Engine,
    key: &str,
    digest: &str,
    splices: Vec<EditorSplice>,
) -> Result<Saved, ActionError> {
    save(engine, key, digest, Edit::Saved, move |_, before| edited(before, &splices)).await
}

/// Applies to SKILL.md all fixes that need no question, if it still has the bytes of `digest`; the earlier version is
/// stored in our own folder.
///
/// # Errors
/// When there is no such skill, or its SKILL.md cannot be written.
pub async fn fix_skill(engine: &Engine, key: &str, digest: &str) -> Result<Saved, ActionError> {
    let (entry, catalog) = (engine.state().entry(key)?, engine.state().catalog());
    let fixed = move |id: &str, before: &[u8]| {
        let is_taken = |name: &str| catalog.has_name(&entry, name);
        Ok(::skills::fix_all_among(id, before, &entry.files, &is_taken).bytes)
    };
    save(engine, key, digest, Edit::Fixed, fixed).await
}

/// Puts an earlier version of SKILL.md back, if the file still is as it was `written`.
///
/// # Errors
/// When that version is not kept any more, the file differs, or it cannot be written.
pub(super) async fn put_back(engine: &Engine, key: &str, moment: u64, written: &str) -> Result<(), ActionError> {
    let folder = kept(engine, key)?;
    let earlier = blocking(move || version(&folder, moment)).await?;
    match save(engine, key, written, Edit::Back, move |_, _| Ok(earlier)).await? {
        Saved::Saved { .. } => Ok(()),
        Saved::Changed { .. } => {
            Err(failed(ErrorKind::Changed, "The file changed meanwhile, so it was left as it is."))
        }
    }
}

/// Writes the result of `change`, which gets the skill's id and the bytes of its SKILL.md, and records how it came about.
pub(super) async fn save(
    engine: &Engine,
    key: &str,
    digest: &str,
    how: Edit,
    change: impl FnOnce(&str, &[u8]) -> Result<Vec<u8>, ActionError> + Send + 'static,
) -> Result<Saved, ActionError> {
    let entry = engine.state().entry(key)?;
    let places = Places { folders: [entry.location.clone()].into(), ..Places::default() };
    // The author's own folders, named on the command line: versions are left to the author.
    let plain = matches!(engine.mode(), Mode::Plain { .. });
    let keeping =
        if plain { None } else { Some(Keeping { kept: kept(engine, key)?, data: engine.machine().data.clone() }) };
    let skill = entry.skill.name.clone();
    let saving = Saving { root: root(engine, &entry), keeping, digest: digest.to_owned(), entry };
    let written = blocking(move || saving.write(change)).await?;
    engine.sweep(Scope::Only(places)).await;
    let is_saved = !matches!(written, Written::Not);
    if let Written::Over { moment, digest: written } = written {
        let back = moment.map(|moment| Back::Version { key: key.to_owned(), moment, written });
        wrote(engine, Wrote::Edited { skill, how }, back).await;
    }
    let page = Box::new(read_skill(engine, key).await?);
    Ok(if is_saved { Saved::Saved { page } } else { Saved::Changed { page } })
}

/// What became of a change.
enum Written {
    /// The file's bytes differ from those that were shown, so it was left as it is.
    Not,
    /// It is no change.
    Same,
    /// It was written; the version before is kept, and the file has this digest.
    Over { moment: Option<u64>, digest: String },
}

struct Saving {
    root: PathBuf,
    keeping: Option<Keeping>,
    digest: String,
    entry: Arc<Entry>,
}

/// Where the earlier version is stored and the change is recorded before it is made.
struct Keeping {
    /// The versions of this skill.
    kept: PathBuf,
    /// Our own folder.
    data: PathBuf,
}

impl Saving {
    fn write(&self, change: impl FnOnce(&str, &[u8]) -> Result<Vec<u8>, ActionError>) -> Result<Written, ActionError> {
        let before = confined::read_skill_md(&self.root, &self.entry.location, LARGEST)
            .map_err(|error| unreadable(&self.entry, &error))?;
        if digest(&before) != self.digest {
            return Ok(Written::Not);
        }
        let after = change(&self.entry.skill.id, &before)?;
        if after == before {
            return Ok(Written::Same);
        }
        let path = self.entry.location.join("SKILL.md");
        let (mut _begun, mut moment) = (None, None);
        if let Some(Keeping { kept, data }) = &self.keeping {
            moment = Some(keep(kept, &before, "md")?);
            _begun = Some(
                replace_file::begin(data, &path, Some(&digest(&before)), Some(&digest(&after)), Vec::new())
                    .map_err(file_failed)?,
            );
        }
        match replace_file::replace(&path, Some(&before), Some(&after)) {
            Ok(()) => Ok(Written::Over { moment, digest: digest(&after) }),
            Err(ReplaceError::Changed(_)) => Ok(Written::Not),
            Err(error) => Err(failed(ErrorKind::System, error.to_string())),
        }
    }
}

/// The bytes of a file after an editor's changes.
fn edited(before: &[u8], splices: &[EditorSplice]) -> Result<Vec<u8>, ActionError> {
    let editor = EditorText::new(before)
        .ok_or_else(|| failed(ErrorKind::Refused, "SKILL.md is not UTF-8, so it was left as it is."))?;
    let splices: Vec<_> = splices
        .iter()
        .map(|splice| text::EditorSplice {
            from: splice.from as usize,
            to: splice.to as usize,
            insert: splice.insert.clone(),
        })
        .collect();
    let splices = editor.splices(&splices);
    splices
        .and_then(|splices| text::apply(before, &splices))
        .map_err(|error| failed(ErrorKind::Input, format!("Nothing was saved: {error}.")))
}

pub(super) fn unreadable(entry: &Entry, error: &io::Error) -> ActionError {
    let path = entry.location.join("SKILL.md");
    let kind = if error.kind() == io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::System };
    failed(kind, format!("{} could not be read: {error}.", path.display()))
}
