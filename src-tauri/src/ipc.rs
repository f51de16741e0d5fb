//! Every command of the page, in a file for each subject: each is one call into the engine or the shell. The page's side
//! of them, `ui/src/backend/commands.ts`, is generated from these files: name, description, arguments and answer.
//!
//! Each command is granted by name in `capabilities`, one file for each window. The page passes keys, never paths,
//! and the engine looks them up; a choice from a dialog has an id too (`chosen`). No command returns a secret. Only
//! the consent window is granted the commands that let a program run.

mod clients;
mod done;
mod page;
mod servers;
mod settings;
mod skills;
#[cfg(test)]
mod tests;

use tauri::ipc::Invoke;

/// Dispatches a call of the page to its command.
pub(crate) fn commands() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        page::current,
        page::choose_folder,
        page::choose_zip,
        page::choose_file,
        page::choose_save,
        page::dismiss_notice,
        page::open_link,
        page::quit,
        page::leave,
        page::stay,
        skills::enable_skills,
        skills::look_at_skill,
        skills::look_at_ready,
        skills::search_skills,
        skills::read_skill,
        skills::read_file,
        skills::check_text,
        skills::save_skill,
        skills::keep_version,
        skills::kept_versions,
        skills::read_kept,
        skills::settle_kept,
        skills::fix_skill,
        skills::show_in_folder,
        skills::templates,
        skills::new_skill,
        skills::duplicate_skill,
        skills::look_at_import,
        skills::import_skill,
        skills::pack_skill,
        skills::trash_skill,
        skills::restore_skill,
        skills::read_again,
        skills::add_folder,
        skills::switch_new_skills,
        skills::remove_folder,
        skills::finish_first_run,
        servers::set_secret,
        servers::delete_secret,
        servers::set_value,
        servers::pick_way,
        servers::retry_keychain,
        servers::ask_consent,
        servers::close_consent,
        servers::plan_server,
        servers::approve_server,
        servers::offer_version,
        servers::pin_server,
        servers::approve_tools,
        servers::revoke_server,
        servers::restart_server,
        servers::stop_server,
        servers::sign_in,
        servers::cancel_sign_in,
        servers::sign_out,
        servers::read_server,
        servers::look_for_programs,
        servers::link_server,
        servers::switch_tool,
        servers::set_tool_mode,
        clients::plan_client,
        clients::change_client,
        clients::read_drift,
        clients::settle_drift,
        clients::entry_text,
        clients::configured_servers,
        clients::add_client,
        clients::remove_client,
        clients::show_config,
        clients::client_sees,
        clients::replace_token,
        clients::client_folders,
        clients::plan_client_folder,
        clients::link_skills,
        clients::unlink_skills,
        clients::settle_copy,
        clients::make_set,
        clients::change_set,
        clients::delete_set,
        clients::give_set,
        clients::read_calls,
        settings::doctor,
        settings::save_report,
        settings::set_surface,
        settings::set_port,
        settings::set_withhold,
        settings::set_archives,
        settings::set_login_start,
        settings::pause,
    ]
}
