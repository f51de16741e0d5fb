//! One function per user action. The window and the command line call only these, so everything that one of them can
//! do, the other and a test can do too.
//!
//! An action does its own reading and writing, passes the results to the loop ([`Engine::change`](crate::Engine)) and
//! returns once the new snapshot is published.

mod activity;
mod call;
mod client_folders;
mod clients;
mod custom;
mod doctor;
mod drift;
mod entries;
mod export;
mod find;
mod folders;
mod go_back;
mod import;
mod install;
mod kept;
mod lifecycle;
mod moving;
mod pack;
mod pins;
mod rescue;
mod search;
mod secrets;
mod sees;
mod servers;
mod serving;
mod set_folders;
mod sets;
mod settings;
mod shared;
mod sign_in;
mod skills;
mod sources;
mod tags;
mod target;
mod team;
mod tokens;
mod trash;
mod trust;
mod uninstall;
mod usage;
mod work_trees;
mod writes;
mod wrote;

pub use activity::read_calls;
pub use call::call_client;
pub use client_folders::{client_folders, link_skills, plan_client_folder, settle_copy, unlink_skills};
pub use clients::{add_again, change_client, plan_client};
pub use custom::{add_client, remove_client};
pub use doctor::{doctor, doctors_report, read_unsaved, save_report};
pub use drift::{read_drift, settle_drift};
pub use entries::{configured_servers, entry_text};
pub use export::export_skills;
pub use find::find_skill;
pub(crate) use folders::{Usual, add_usual};
pub use folders::{
    add_folder, begin_alone, dismiss_notice, finish_first_run, give_notice, read_again, remove_folder,
    switch_new_skills,
};
pub use go_back::{GoBackError, can_go_back, go_back};
pub use import::{import_skill, look_at_import};
pub use install::{IncomingServer, IncomingSkill, look_at_needs};
pub use kept::{keep_version, kept_versions, read_kept, settle_kept};
pub use lifecycle::{duplicate_skill, new_skill, templates};
pub use moving::move_skill;
pub use pack::pack_skill;
pub use pins::{offer_version, pin_server, unpin_server};
pub use search::{search_once, search_skills};
pub(crate) use secrets::{ask_keychain, is_in_memory_only, rename_key_in};
pub use secrets::{delete_secret, pick_way, read_needs, retry_keychain, secrets_for, set_secret, set_value};
pub use sees::{SeenFrom, client_sees};
pub use servers::{
    approve_server, approve_tools, link_server, list_servers, look_at_containers, look_for_programs, plan_server,
    read_server, restart_server, revoke_server, set_tool_mode, stop_server, switch_tool,
};
pub use serving::{left_out, pause};
pub use set_folders::{bind_set, set_folders, unbind_set};
pub use sets::{change_set, delete_set, give_set, make_set};
pub use settings::{
    know_update, set_app_menu, set_app_switch, set_archives, set_ask_sources, set_language, set_login_start, set_port,
    set_surface, set_updates, set_withhold,
};
pub(crate) use shared::{look_again, look_again_at, root, writing};
pub use sign_in::{await_sign_in, cancel_sign_in, sign_in, sign_out};
pub use skills::{check_skill, check_text, enable_skill, enable_skills, fix_skill, read_file, read_skill, save_skill};
pub(in crate::actions) use sources::refuse;
pub use sources::{
    add_source, adopt_skill, ask_sources, cancel_fetching, compare_with_lock, forget_origins, forget_source,
    go_back_to, lock_text, look_at_locked, look_at_source, managed_skills, plan_back, plan_locked, plan_update,
    plan_updates, skill_versions, source_from, source_named, update_skill, update_skills,
};
pub(crate) use sources::{
    file_of_source, finish_interrupted, follow_locked, incoming_skill, keep_asking, locked_skill_of, locked_source,
    take_origin_back,
};
pub use tags::{plan_tags, tag_skills};
pub use team::{export_team, find_team, join_team, look_at_team};
pub use tokens::{client_token, forget_token, replace_token};
pub use trash::{delete_trashed, find_trashed, restore_skill, trash_skill};
pub use trust::{look_at_ready, look_at_skill};
pub use uninstall::{plan_uninstall, remove_data, running, traces, uninstall};
pub use usage::{save_usage, usage, usage_as_csv, wipe_usage};
pub use work_trees::{commit_and_push, plan_commit, plan_pull, pull, share_switches, work_tree_status};
pub use writes::{own_writes, undo_write};

pub use choices::values::password_in;
