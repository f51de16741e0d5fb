//! Skills and the library's folders: switching, reading, editing, making, importing, packing and the trash.

use std::collections::BTreeMap;

use api::{
    EditorSplice, FirstRun, Hit, ImportPlan, Kept, Look, PackOptions, Packed, Problem, Saved, SkillPage, TagPlan,
    Tagged, Template,
};
use engine::{Engine, actions};
use tauri::{State, command};

use super::done::Done;
use crate::{
    chosen::{Chosen, Kind},
    desktop, meant,
};

/// The kinds of choice that skills are imported from.
const READ: &[Kind] = &[Kind::Folder, Kind::File];

/// `seen`: for skills of other authors, by key, the digest of the `Look` that the person was shown.
#[command]
pub(super) async fn enable_skills(
    engine: State<'_, Engine>,
    keys: Vec<String>,
    on: bool,
    seen: BTreeMap<String, String>,
) -> Done {
    actions::enable_skills(&engine, &keys, on, &seen).await
}

/// What a skill carries and the scanner's findings, to show before it is switched on.
#[command]
pub(super) async fn look_at_skill(engine: State<'_, Engine>, key: &str) -> Done<Look> {
    actions::look_at_skill(&engine, key).await
}

/// The same for every ready, unseen skill in these library folders, by id.
#[command]
pub(super) async fn look_at_ready(engine: State<'_, Engine>, folders: Vec<String>) -> Done<Vec<Look>> {
    actions::look_at_ready(&engine, &meant::paths(&engine, &folders)).await
}

#[command]
pub(super) async fn search_skills(engine: State<'_, Engine>, query: &str, limit: usize) -> Done<Vec<Hit>> {
    actions::search_skills(&engine, query, limit).await
}

#[command]
pub(super) async fn read_skill(engine: State<'_, Engine>, key: &str) -> Done<SkillPage> {
    actions::read_skill(&engine, key).await
}

/// The text of one of the skill's files; nothing when it is not text.
#[command]
pub(super) async fn read_file(engine: State<'_, Engine>, key: &str, name: &str) -> Done<Option<String>> {
    actions::read_file(&engine, key, name).await
}

#[command]
pub(super) async fn check_text(engine: State<'_, Engine>, key: &str, text: String) -> Done<Vec<Problem>> {
    actions::check_text(&engine, key, text).await
}

#[command]
pub(super) async fn save_skill(
    engine: State<'_, Engine>,
    key: &str,
    digest: &str,
    splices: Vec<EditorSplice>,
) -> Done<Saved> {
    actions::save_skill(&engine, key, digest, splices).await
}

/// Puts aside a text that would be lost. `unsaved`: it is the person's own, to be offered again.
#[command]
pub(super) async fn keep_version(engine: State<'_, Engine>, key: &str, text: String, unsaved: bool) -> Done {
    actions::keep_version(&engine, key, text, unsaved).await
}

/// The unsaved texts of a skill that were put aside, newest first.
#[command]
pub(super) async fn kept_versions(engine: State<'_, Engine>, key: &str) -> Done<Vec<Kept>> {
    actions::kept_versions(&engine, key).await
}

#[command]
pub(super) async fn read_kept(engine: State<'_, Engine>, key: &str, moment: u64) -> Done<String> {
    actions::read_kept(&engine, key, moment).await
}

/// Stops offering one of them; it stays among the kept versions.
#[command]
pub(super) async fn settle_kept(engine: State<'_, Engine>, key: &str, moment: u64) -> Done {
    actions::settle_kept(&engine, key, moment).await
}

#[command]
pub(super) async fn fix_skill(engine: State<'_, Engine>, key: &str, digest: &str) -> Done<Saved> {
    actions::fix_skill(&engine, key, digest).await
}

/// How the tags of these skills would change.
#[command]
pub(super) async fn plan_tags(
    engine: State<'_, Engine>,
    keys: Vec<String>,
    add: Vec<String>,
    remove: Vec<String>,
) -> Done<TagPlan> {
    actions::plan_tags(&engine, &keys, &add, &remove).await
}

/// Changes the tags of the skills that a plan showed, each with the digest that it showed.
#[command]
pub(super) async fn tag_skills(
    engine: State<'_, Engine>,
    seen: BTreeMap<String, String>,
    add: Vec<String>,
    remove: Vec<String>,
) -> Done<Tagged> {
    actions::tag_skills(&engine, &seen, &add, &remove).await
}

#[command]
pub(super) async fn show_in_folder(engine: State<'_, Engine>, key: &str) -> Done {
    desktop::show_in_folder(&engine.snapshot(), key)
}

/// The templates of a new skill.
#[command]
pub(super) fn templates() -> Vec<Template> {
    actions::templates()
}

#[command]
pub(super) async fn new_skill(engine: State<'_, Engine>, folder: &str, id: &str, template: &str) -> Done<String> {
    actions::new_skill(&engine, folder, id, template).await
}

#[command]
pub(super) async fn duplicate_skill(engine: State<'_, Engine>, key: &str, id: &str) -> Done<String> {
    actions::duplicate_skill(&engine, key, id).await
}

/// `source`: the id of a choice.
#[command]
pub(super) async fn look_at_import(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    source: &str,
) -> Done<ImportPlan> {
    actions::look_at_import(&engine, &chosen.path(source, READ)?, None).await
}

/// Copies the skills at these paths of the plan, or all, into a folder; returns their keys.
#[command]
pub(super) async fn import_skill(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    source: &str,
    plan_id: &str,
    folder: &str,
    only: Option<Vec<String>>,
) -> Done<Vec<String>> {
    actions::import_skill(&engine, &chosen.path(source, READ)?, plan_id, folder, only).await
}

/// Writes to the chosen file, and replaces an existing one: the desktop's dialog has asked.
#[command]
pub(super) async fn pack_skill(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    key: &str,
    save_to: &str,
    flat: bool,
    keep_claude_code: bool,
) -> Done<Packed> {
    let options = PackOptions { flat, keep_claude_code, replace: true };
    actions::pack_skill(&engine, key, &chosen.take_save(save_to)?, options).await
}

/// Writes to the chosen folder under the skill's name, and replaces nothing.
#[command]
pub(super) async fn pack_into(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    key: &str,
    save_to: &str,
) -> Done<Packed> {
    let options = PackOptions { flat: false, keep_claude_code: false, replace: false };
    actions::pack_skill(&engine, key, &chosen.path(save_to, &[Kind::Folder])?, options).await
}

/// Moves a skill to another folder of the library; returns its key there.
#[command]
pub(super) async fn move_skill(engine: State<'_, Engine>, key: &str, folder: &str) -> Done<String> {
    actions::move_skill(&engine, key, folder).await
}

/// Returns the name for restoring it.
#[command]
pub(super) async fn trash_skill(engine: State<'_, Engine>, key: &str) -> Done<String> {
    actions::trash_skill(&engine, key).await
}

#[command]
pub(super) async fn restore_skill(engine: State<'_, Engine>, id: &str) -> Done<String> {
    actions::restore_skill(&engine, id).await
}

/// Reads the folders again, for changes without an event.
#[command]
pub(super) async fn read_again(engine: State<'_, Engine>) -> Done {
    actions::read_again(&engine).await
}

/// Adds a chosen folder and returns its id. Its skills are off until the person has seen what they carry; those that
/// appear later are switched on or stay off.
#[command]
pub(super) async fn add_folder(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    folder: &str,
    enable_new: bool,
) -> Done<Option<String>> {
    let path = chosen.path(folder, &[Kind::Folder])?;
    actions::add_folder(&engine, &path, Some(enable_new)).await?;
    Ok(meant::ids(&engine, &[path]).pop())
}

/// Sets whether skills that appear in a folder are switched on; one that looks harmful never is.
#[command]
pub(super) async fn switch_new_skills(engine: State<'_, Engine>, id: &str, on: bool) -> Done {
    actions::switch_new_skills(&engine, id, on).await
}

#[command]
pub(super) async fn remove_folder(engine: State<'_, Engine>, id: &str) -> Done {
    actions::remove_folder(&engine, id).await
}

/// `folders`: chosen folders, and the found folders that the person selected, then those of them whose later skills are
/// switched on as they appear. Returns the ids of all of them.
#[command]
pub(super) async fn finish_first_run(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    folders: Vec<String>,
    enable_ready: bool,
    new_on: Vec<String>,
) -> Done<Vec<String>> {
    let folders = meant::first_folders(&engine, &chosen, &folders)?;
    let enable_new = meant::first_folders(&engine, &chosen, &new_on)?;
    actions::finish_first_run(&engine, FirstRun { folders: folders.clone(), enable_ready, enable_new }).await?;
    Ok(meant::ids(&engine, &folders))
}
