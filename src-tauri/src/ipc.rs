//! Every command of the page: each is one call into the engine or the shell. The page's side of them,
//! `ui/src/backend/commands.ts`, is generated from this file: name, description, arguments and answer.
//!
//! Each command is granted by name in `capabilities`, one file for each window. The page passes keys, never paths,
//! and the engine looks them up; a choice from a dialog has an id too (`chosen`). No command returns a secret. Only
//! the consent window is granted the commands that let a program run.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use api::{
    ActionError, Call, Checkup, ClientChange, ClientSees, ConfiguredServer, ConnectPlan, Consent, CustomClient, Drift,
    DriftChoice, EditorSplice, EntryText, FirstRun, FolderPlan, Hit, ImportPlan, Kept, Look, PackOptions, Packed,
    PinOffer, PlaceWay, Problem, Saved, ServerPage, SkillFolder, SkillPage, Snapshot, Template, ToolMode, Transport,
    WayKind,
};
use engine::{Engine, Surface, actions};
use tauri::{AppHandle, State, command, ipc::Invoke};

use crate::{
    chosen::{Choice, Chosen, Kind},
    consent, desktop,
    events::Leave,
    meant, quit,
};

type Done<T = ()> = Result<T, ActionError>;

/// The kinds of choice that skills are imported from.
const READ: &[Kind] = &[Kind::Folder, Kind::File];

/// Dispatches a call of the page to its command.
pub(crate) fn commands() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        current,
        enable_skills,
        look_at_skill,
        look_at_ready,
        search_skills,
        read_skill,
        read_file,
        check_text,
        save_skill,
        keep_version,
        kept_versions,
        read_kept,
        settle_kept,
        fix_skill,
        show_in_folder,
        templates,
        new_skill,
        duplicate_skill,
        look_at_import,
        import_skill,
        pack_skill,
        trash_skill,
        restore_skill,
        choose_folder,
        choose_zip,
        choose_file,
        choose_save,
        read_again,
        add_folder,
        remove_folder,
        finish_first_run,
        set_secret,
        delete_secret,
        set_value,
        pick_way,
        retry_keychain,
        ask_consent,
        close_consent,
        plan_server,
        approve_server,
        offer_version,
        pin_server,
        approve_tools,
        revoke_server,
        restart_server,
        stop_server,
        sign_in,
        cancel_sign_in,
        sign_out,
        read_server,
        look_for_programs,
        link_server,
        switch_tool,
        set_tool_mode,
        plan_client,
        change_client,
        read_drift,
        settle_drift,
        entry_text,
        configured_servers,
        add_client,
        remove_client,
        show_config,
        client_sees,
        replace_token,
        skill_folders,
        plan_skill_folder,
        link_skills,
        unlink_skills,
        settle_copy,
        doctor,
        save_report,
        make_set,
        change_set,
        delete_set,
        give_set,
        set_surface,
        set_archives,
        set_port,
        set_withhold,
        read_calls,
        pause,
        dismiss_notice,
        open_link,
        quit,
        leave,
        stay,
    ]
}

#[command]
async fn current(engine: State<'_, Engine>) -> Done<Snapshot> {
    Ok(engine.snapshot().as_ref().clone())
}

/// `seen`: for skills of other authors, by key, the digest of the `Look` that the person was shown.
#[command]
async fn enable_skills(engine: State<'_, Engine>, keys: Vec<String>, on: bool, seen: BTreeMap<String, String>) -> Done {
    actions::enable_skills(&engine, &keys, on, &seen).await
}

/// What a skill carries and the scanner's findings, to show before it is switched on.
#[command]
async fn look_at_skill(engine: State<'_, Engine>, key: &str) -> Done<Look> {
    actions::look_at_skill(&engine, key).await
}

/// The same for every ready, unseen skill in these library folders, by id.
#[command]
async fn look_at_ready(engine: State<'_, Engine>, folders: Vec<String>) -> Done<Vec<Look>> {
    actions::look_at_ready(&engine, &meant::paths(&engine, &folders)).await
}

#[command]
async fn search_skills(engine: State<'_, Engine>, query: &str, limit: usize) -> Done<Vec<Hit>> {
    actions::search_skills(&engine, query, limit).await
}

#[command]
async fn read_skill(engine: State<'_, Engine>, key: &str) -> Done<SkillPage> {
    actions::read_skill(&engine, key).await
}

/// The text of one of the skill's files; nothing when it is not text.
#[command]
async fn read_file(engine: State<'_, Engine>, key: &str, name: &str) -> Done<Option<String>> {
    actions::read_file(&engine, key, name).await
}

#[command]
async fn check_text(engine: State<'_, Engine>, key: &str, text: String) -> Done<Vec<Problem>> {
    actions::check_text(&engine, key, text).await
}

#[command]
async fn save_skill(engine: State<'_, Engine>, key: &str, digest: &str, splices: Vec<EditorSplice>) -> Done<Saved> {
    actions::save_skill(&engine, key, digest, splices).await
}

/// Puts aside a text that would be lost. `unsaved`: it is the person's own, to be offered again.
#[command]
async fn keep_version(engine: State<'_, Engine>, key: &str, text: String, unsaved: bool) -> Done {
    actions::keep_version(&engine, key, text, unsaved).await
}

/// The unsaved texts of a skill that were put aside, newest first.
#[command]
async fn kept_versions(engine: State<'_, Engine>, key: &str) -> Done<Vec<Kept>> {
    actions::kept_versions(&engine, key).await
}

#[command]
async fn read_kept(engine: State<'_, Engine>, key: &str, moment: u64) -> Done<String> {
    actions::read_kept(&engine, key, moment).await
}

/// Stops offering one of them; it stays among the kept versions.
#[command]
async fn settle_kept(engine: State<'_, Engine>, key: &str, moment: u64) -> Done {
    actions::settle_kept(&engine, key, moment).await
}

#[command]
async fn fix_skill(engine: State<'_, Engine>, key: &str, digest: &str) -> Done<Saved> {
    actions::fix_skill(&engine, key, digest).await
}

#[command]
async fn show_in_folder(engine: State<'_, Engine>, key: &str) -> Done {
    desktop::show_in_folder(&engine.snapshot(), key)
}

/// The templates of a new skill.
#[command]
fn templates() -> Vec<Template> {
    actions::templates()
}

#[command]
async fn new_skill(engine: State<'_, Engine>, folder: &str, id: &str, template: &str) -> Done<String> {
    actions::new_skill(&engine, folder, id, template).await
}

#[command]
async fn duplicate_skill(engine: State<'_, Engine>, key: &str, id: &str) -> Done<String> {
    actions::duplicate_skill(&engine, key, id).await
}

/// `source`: the id of a choice.
#[command]
async fn look_at_import(engine: State<'_, Engine>, chosen: State<'_, Chosen>, source: &str) -> Done<ImportPlan> {
    actions::look_at_import(&engine, &chosen.path(source, READ)?, None).await
}

/// Copies the skills at these paths of the plan, or all, into a folder; returns their keys.
#[command]
async fn import_skill(
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
async fn pack_skill(
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

/// Returns the name for restoring it.
#[command]
async fn trash_skill(engine: State<'_, Engine>, key: &str) -> Done<String> {
    actions::trash_skill(&engine, key).await
}

#[command]
async fn restore_skill(engine: State<'_, Engine>, id: &str) -> Done<String> {
    actions::restore_skill(&engine, id).await
}

/// Asks the person for a folder; nothing when they cancel.
#[command]
async fn choose_folder(app: AppHandle) -> Option<Choice> {
    desktop::choose_folder(&app).await
}

/// Asks the person for a zip; nothing when they cancel.
#[command]
async fn choose_zip(app: AppHandle) -> Option<Choice> {
    desktop::choose_zip(&app).await
}

/// Asks the person for a file; nothing when they cancel.
#[command]
async fn choose_file(app: AppHandle) -> Option<Choice> {
    desktop::choose_file(&app).await
}

/// Asks the person where a file of this name goes; nothing when they cancel.
#[command]
async fn choose_save(app: AppHandle, name: &str) -> Done<Option<Choice>> {
    Ok(desktop::choose_save(&app, name).await)
}

/// Reads the folders again, for changes without an event.
#[command]
async fn read_again(engine: State<'_, Engine>) -> Done {
    actions::read_again(&engine).await
}

/// Adds a chosen folder and returns its id. Its skills are off until the person has seen what they carry.
#[command]
async fn add_folder(engine: State<'_, Engine>, chosen: State<'_, Chosen>, folder: &str) -> Done<Option<String>> {
    let path = chosen.path(folder, &[Kind::Folder])?;
    actions::add_folder(&engine, &path).await?;
    Ok(meant::ids(&engine, &[path]).pop())
}

#[command]
async fn remove_folder(engine: State<'_, Engine>, id: &str) -> Done {
    actions::remove_folder(&engine, id).await
}

/// `folders`: chosen folders, and the found folders that the person selected. Returns the ids of all of them.
#[command]
async fn finish_first_run(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    folders: Vec<String>,
    enable_ready: bool,
) -> Done<Vec<String>> {
    let folders = meant::first_folders(&engine, &chosen, &folders)?;
    actions::finish_first_run(&engine, FirstRun { folders: folders.clone(), enable_ready }).await?;
    Ok(meant::ids(&engine, &folders))
}

/// Sends the value once; no command returns it.
#[command]
async fn set_secret(engine: State<'_, Engine>, key: &str, server: &str, name: &str, value: String) -> Done {
    actions::set_secret(&engine, key, server, name, value).await
}

#[command]
async fn delete_secret(engine: State<'_, Engine>, key: &str, server: &str, name: &str) -> Done {
    actions::delete_secret(&engine, key, server, name).await
}

#[command]
async fn set_value(engine: State<'_, Engine>, key: &str, server: &str, name: &str, value: Option<String>) -> Done {
    actions::set_value(&engine, key, server, name, value).await
}

/// Selects how a skill's server is started; without a way, by the skill's first one.
#[command]
async fn pick_way(engine: State<'_, Engine>, key: &str, server: &str, way: Option<WayKind>) -> Done {
    actions::pick_way(&engine, key, server, way).await
}

#[command]
async fn retry_keychain(engine: State<'_, Engine>) -> Done {
    actions::retry_keychain(&engine).await
}

/// Opens the consent window for a server, or brings it to the front.
#[command]
async fn ask_consent(app: AppHandle, engine: State<'_, Engine>, server: &str) -> Done {
    consent::ask(&app, &engine.snapshot(), server)
}

#[command]
async fn close_consent(app: AppHandle) {
    consent::close(&app);
}

/// What an approval would cover now.
#[command]
async fn plan_server(engine: State<'_, Engine>, server: &str) -> Done<Consent> {
    actions::plan_server(&engine, server).await
}

/// Approves what the digest names, and starts the server; fails with `changed` when that is out of date.
#[command]
async fn approve_server(engine: State<'_, Engine>, server: &str, digest: &str, variables: Vec<String>) -> Done {
    actions::approve_server(&engine, server, digest, &variables).await
}

/// Asks the package's own client for the current version; this makes a connection.
#[command]
async fn offer_version(engine: State<'_, Engine>, server: &str) -> Done<PinOffer> {
    actions::offer_version(&engine, server).await
}

/// Pins the server's package to this version.
#[command]
async fn pin_server(engine: State<'_, Engine>, server: &str, version: &str) -> Done {
    actions::pin_server(&engine, server, version).await
}

#[command]
async fn approve_tools(engine: State<'_, Engine>, server: &str, digest: &str) -> Done {
    actions::approve_tools(&engine, server, digest).await
}

/// Revokes an approval: the server stops, and does not start again.
#[command]
async fn revoke_server(engine: State<'_, Engine>, server: &str) -> Done {
    actions::revoke_server(&engine, server).await
}

#[command]
async fn restart_server(engine: State<'_, Engine>, server: &str) -> Done {
    actions::restart_server(&engine, server).await
}

/// Stops it until the next call.
#[command]
async fn stop_server(engine: State<'_, Engine>, server: &str) -> Done {
    actions::stop_server(&engine, server).await
}

/// Asks a server for its sign-in address, and waits for the sign-in; the snapshot has the address. Opens nothing.
#[command]
async fn sign_in(engine: State<'_, Engine>, server: &str) -> Done {
    // The snapshot has the address.
    actions::sign_in(&engine, server).await.map(drop)
}

#[command]
async fn cancel_sign_in(engine: State<'_, Engine>, server: &str) -> Done {
    actions::cancel_sign_in(&engine, server).await
}

/// Signs out.
#[command]
async fn sign_out(engine: State<'_, Engine>, server: &str) -> Done {
    actions::sign_out(&engine, server).await
}

#[command]
async fn read_server(engine: State<'_, Engine>, server: &str) -> Done<ServerPage> {
    actions::read_server(&engine, server).await
}

/// Searches again for the programs that run servers, including the login shell's path.
#[command]
async fn look_for_programs(engine: State<'_, Engine>) -> Done {
    actions::look_for_programs(&engine).await
}

/// Lets a skill use another skill's server, or without one its own again.
#[command]
async fn link_server(engine: State<'_, Engine>, key: &str, server: &str, with_key: Option<String>) -> Done {
    actions::link_server(&engine, key, server, with_key).await
}

/// Switches a tool on or off, for one client or for all; without a tool, the whole server.
#[command]
async fn switch_tool(
    engine: State<'_, Engine>,
    client: Option<String>,
    server: &str,
    tool: Option<String>,
    on: bool,
) -> Done {
    actions::switch_tool(&engine, client, server, tool, on).await
}

#[command]
async fn set_tool_mode(engine: State<'_, Engine>, client: &str, mode: ToolMode) -> Done {
    actions::set_tool_mode(&engine, client, mode).await
}

/// A change's project is a chosen folder, or one that the client is connected for.
#[command]
async fn plan_client(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    change: ClientChange,
) -> Done<ConnectPlan> {
    let change = meant::change(&engine, &chosen, client, change)?;
    actions::plan_client(&engine, client, change).await
}

/// Writes what the plan showed; fails with `changed` when that is out of date.
#[command]
async fn change_client(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    change: ClientChange,
    plan_id: &str,
) -> Done {
    let change = meant::change(&engine, &chosen, client, change)?;
    actions::change_client(&engine, client, change, plan_id).await
}

/// The entry as Skilltender wrote it, as it is now, and as it was, when its status is `edited` or `dropped`.
#[command]
async fn read_drift(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    project: Option<String>,
) -> Done<Drift> {
    let project = meant::project(&engine, &chosen, client, project)?;
    actions::read_drift(&engine, client, project).await
}

#[command]
async fn settle_drift(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    client: &str,
    project: Option<String>,
    drift_id: &str,
    choice: DriftChoice,
) -> Done {
    let project = meant::project(&engine, &chosen, client, project)?;
    actions::settle_drift(&engine, client, project, drift_id, choice).await
}

/// Skilltender's entry, for adding by hand; without a transport, in the client's usual way.
#[command]
async fn entry_text(engine: State<'_, Engine>, client: &str, transport: Option<Transport>) -> Done<EntryText> {
    actions::entry_text(&engine, client, transport).await
}

/// The servers in all clients' files that Skilltender did not add.
#[command]
async fn configured_servers(engine: State<'_, Engine>) -> Done<Vec<ConfiguredServer>> {
    actions::configured_servers(&engine).await
}

/// `source`: its chosen file. Returns the new client's id.
#[command]
async fn add_client(
    engine: State<'_, Engine>,
    chosen: State<'_, Chosen>,
    name: String,
    source: &str,
    like: String,
) -> Done<String> {
    let path = chosen.path(source, &[Kind::File])?;
    actions::add_client(&engine, CustomClient { name, path, like }).await
}

#[command]
async fn remove_client(engine: State<'_, Engine>, client: &str) -> Done {
    actions::remove_client(&engine, client).await
}

#[command]
async fn show_config(engine: State<'_, Engine>, client: &str) -> Done {
    desktop::show_config(&engine.snapshot(), client)
}

/// What the client sees of the enabled skills, and their cost for its model.
#[command]
async fn client_sees(engine: State<'_, Engine>, client: &str) -> Done<ClientSees> {
    actions::client_sees(&engine, client).await
}

/// Invalidates the client's token. The new one is not returned: the next change writes it to the client's file.
#[command]
async fn replace_token(engine: State<'_, Engine>, client: &str) -> Done {
    actions::replace_token(&engine, client).await.map(drop)
}

/// Every folder that a client reads directly, and the skills that Skilltender placed there.
#[command]
async fn skill_folders(engine: State<'_, Engine>) -> Done<Vec<SkillFolder>> {
    actions::skill_folders(&engine).await
}

/// The plan for placing enabled skills in a folder; without a way, for removing Skilltender's.
#[command]
async fn plan_skill_folder(engine: State<'_, Engine>, target: &str, way: Option<PlaceWay>) -> Done<FolderPlan> {
    actions::plan_skill_folder(&engine, target, way).await
}

#[command]
async fn link_skills(engine: State<'_, Engine>, target: &str, way: PlaceWay, plan_id: &str) -> Done {
    actions::link_skills(&engine, target, way, plan_id).await
}

#[command]
async fn unlink_skills(engine: State<'_, Engine>, target: &str, plan_id: &str) -> Done {
    actions::unlink_skills(&engine, target, plan_id).await
}

/// Replaces an edited copy, or leaves it to the person.
#[command]
async fn settle_copy(engine: State<'_, Engine>, target: &str, skill: &str, replace: bool) -> Done {
    actions::settle_copy(&engine, target, skill, replace).await
}

/// Checks everything once, and changes nothing.
#[command]
async fn doctor(engine: State<'_, Engine>) -> Done<Checkup> {
    actions::doctor(&engine).await
}

/// Checks everything and writes the result to a file, without personal data.
#[command]
async fn save_report(engine: State<'_, Engine>, chosen: State<'_, Chosen>, save_to: &str) -> Done {
    actions::save_report(&engine, &chosen.take_save(save_to)?).await
}

#[command]
async fn make_set(engine: State<'_, Engine>, name: &str, keys: Vec<String>) -> Done<String> {
    actions::make_set(&engine, name, &keys).await
}

#[command]
async fn change_set(engine: State<'_, Engine>, id: &str, name: &str, keys: Vec<String>) -> Done {
    actions::change_set(&engine, id, name, &keys).await
}

#[command]
async fn delete_set(engine: State<'_, Engine>, id: &str) -> Done {
    actions::delete_set(&engine, id).await
}

#[command]
async fn give_set(engine: State<'_, Engine>, client: &str, set: Option<String>) -> Done {
    actions::give_set(&engine, client, set).await
}

/// Without a client, sets the switch for all; without `on`, a client follows that one.
#[command]
async fn set_surface(engine: State<'_, Engine>, client: Option<String>, surface: Surface, on: Option<bool>) -> Done {
    actions::set_surface(&engine, client, surface, on).await
}

/// Serves HTTP on another port of this computer.
#[command]
async fn set_port(engine: State<'_, Engine>, port: u16) -> Done {
    actions::set_port(&engine, port).await
}

/// Sets whether skills that are not ready are withheld from clients.
#[command]
async fn set_withhold(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_withhold(&engine, on).await
}

#[command]
async fn set_archives(engine: State<'_, Engine>, on: bool) -> Done {
    actions::set_archives(&engine, on).await
}

/// The latest calls of clients, newest first.
#[command]
async fn read_calls(engine: State<'_, Engine>, most: usize) -> Done<Vec<Call>> {
    actions::read_calls(&engine, most).await
}

#[command]
async fn pause(engine: State<'_, Engine>, on: bool) -> Done {
    actions::pause(&engine, on).await
}

#[command]
async fn dismiss_notice(engine: State<'_, Engine>, id: &str) -> Done {
    actions::dismiss_notice(&engine, id).await
}

#[command]
async fn open_link(url: &str) -> Done {
    desktop::open_link(url)
}

/// Asks to quit; the page gets the event `leave`.
#[command]
async fn quit(app: AppHandle) {
    quit::ask(&app, Leave::Person);
}

#[command]
async fn leave(app: AppHandle) {
    app.exit(0);
}

#[command]
async fn stay(app: AppHandle) {
    quit::stay(&app);
}
