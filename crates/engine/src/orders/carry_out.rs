//! Carries out orders by calling their actions. The names that a person uses for skills, folders and sets are
//! resolved here.

use std::{path::PathBuf, sync::Arc};

use api::{ActionError, ErrorKind, Folder, Saved, SkillPage, SkillSet, failed, unknown};
use serde_json::{Value, json};

use super::{Asked, Order, given, servers, work_trees};
use crate::{Engine, actions};

/// Carries out one order and returns its answer.
pub(super) async fn carry_out(engine: &Engine, order: Order) -> Result<Value, ActionError> {
    match order {
        Order::Enable { skills, on, seen } => {
            let keys = keys(engine, &skills)?;
            actions::enable_skills(engine, &keys, on, &seen).await?;
            Ok(keys.into())
        }
        Order::New { folder, id, template } => {
            let folder = find_folder(engine, &folder).await?;
            Ok(actions::new_skill(engine, &folder, &id, &template).await?.into())
        }
        Order::Duplicate { skill, id } => {
            let key = actions::find_skill(engine, &skill)?;
            Ok(actions::duplicate_skill(engine, &key, &id).await?.into())
        }
        Order::Import { path, plan, folder, only } => {
            let folder = find_folder(engine, &folder).await?;
            Ok(actions::import_skill(engine, &path, &plan, &folder, only).await?.into())
        }
        Order::AddSource { source, commit, plan, folder, only } => {
            let folder = find_folder(engine, &folder).await?;
            Ok(actions::add_source(engine, &source, &commit, &plan, &folder, only).await?.into())
        }
        Order::AskSources { skills } => {
            let named = keys(engine, &skills)?;
            actions::ask_sources(engine, (!named.is_empty()).then_some(&*named)).await?;
            let snapshot = engine.snapshot();
            let is_asked = |key: &&String| named.is_empty() || named.contains(key);
            let rows = snapshot.sources.iter().filter(|row| row.skills.iter().any(|key| is_asked(&key)));
            let troubles = rows.clone().filter_map(|row| Some((row.id.clone(), row.trouble.clone()?))).collect();
            let skills = rows.flat_map(|row| &row.skills).filter(is_asked).cloned().collect();
            Ok(json!(Asked { skills, troubles }))
        }
        Order::AdoptSkill { skill } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::adopt_skill(engine, &key).await?;
            Ok(key.into())
        }
        Order::ForgetSource { source } => Ok(actions::forget_source(engine, &source).await?.into()),
        Order::UpdateSkills { updates } => {
            actions::update_skills(engine, updates).await?;
            Ok(Value::Null)
        }
        Order::JoinTeam { text, id, folder, yes } => {
            let folder = find_folder(engine, &folder).await?;
            Ok(json!(actions::join_team(engine, &text, &id, &folder, &yes).await?))
        }
        Order::GoBackTo { skill, number, plan } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::go_back_to(engine, &key, number, &plan).await?;
            Ok(key.into())
        }
        Order::Move { skill, folder } => {
            let key = actions::find_skill(engine, &skill)?;
            let folder = find_folder(engine, &folder).await?;
            Ok(actions::move_skill(engine, &key, &folder).await?.into())
        }
        Order::Trash { skill } => {
            let key = actions::find_skill(engine, &skill)?;
            Ok(actions::trash_skill(engine, &key).await?.into())
        }
        Order::Restore { id } => {
            let id = actions::find_trashed(engine, &id).await?;
            Ok(actions::restore_skill(engine, &id).await?.into())
        }
        Order::DeleteTrashed { id } => {
            let id = actions::find_trashed(engine, &id).await?;
            actions::delete_trashed(engine, &id).await?;
            Ok(Value::Null)
        }
        Order::SetSurface { client, surface, on } => {
            actions::set_surface(engine, client, surface, on).await?;
            Ok(Value::Null)
        }
        Order::Stop => {
            engine.ask_to_end();
            Ok(Value::Null)
        }
        Order::SetPort { port } => {
            actions::set_port(engine, port).await?;
            Ok(Value::Null)
        }
        Order::SetLoginStart { on } => {
            actions::set_login_start(engine, on).await?;
            Ok(Value::Null)
        }
        Order::SetAppMenu { on } => {
            actions::set_app_menu(engine, on).await?;
            Ok(Value::Null)
        }
        Order::SetAppSwitch { switch, on } => {
            actions::set_app_switch(engine, switch, on).await?;
            Ok(Value::Null)
        }
        Order::SetLanguage { language } => {
            actions::set_language(engine, language).await?;
            Ok(Value::Null)
        }
        Order::SetUpdates { on } => {
            actions::set_updates(engine, on).await?;
            Ok(Value::Null)
        }
        Order::SetAskSources { on } => {
            actions::set_ask_sources(engine, on).await?;
            Ok(Value::Null)
        }
        Order::SetWithhold { on } => {
            actions::set_withhold(engine, on).await?;
            Ok(Value::Null)
        }
        Order::SetArchives { on } => {
            actions::set_archives(engine, on).await?;
            Ok(Value::Null)
        }
        Order::MakeSet { name, skills } => Ok(actions::make_set(engine, &name, &keys(engine, &skills)?).await?.into()),
        Order::ChangeSet { set, skills } => {
            let set = find_set(engine, &set)?;
            actions::change_set(engine, &set.id, &set.name, &keys(engine, &skills)?).await?;
            Ok(Value::Null)
        }
        Order::DeleteSet { set } => {
            actions::delete_set(engine, &find_set(engine, &set)?.id).await?;
            Ok(Value::Null)
        }
        Order::BindSet { set, folders } => {
            actions::bind_set(engine, &find_set(engine, &set)?.id, &folders).await?;
            Ok(Value::Null)
        }
        Order::UnbindSet { set, folders } => {
            actions::unbind_set(engine, &find_set(engine, &set)?.id, &folders).await?;
            Ok(Value::Null)
        }
        Order::GiveSet { client, set } => {
            let set = set.map(|set| find_set(engine, &set)).transpose()?;
            actions::give_set(engine, &client, set.map(|set| set.id)).await?;
            Ok(Value::Null)
        }
        Order::PlanClient { client, change } => Ok(json!(actions::plan_client(engine, &client, change).await?)),
        Order::ChangeClient { client, change, plan } => {
            actions::change_client(engine, &client, change, &plan).await?;
            Ok(Value::Null)
        }
        Order::AddAgain { client } => {
            actions::add_again(engine, &client).await?;
            Ok(Value::Null)
        }
        Order::Token { client, replace: false } => Ok(actions::client_token(engine, &client).await?.into()),
        Order::Token { client, replace: true } => Ok(actions::replace_token(engine, &client).await?.into()),
        Order::FillFolder { target, way, plan } => {
            let Some(way) = way else {
                actions::unlink_skills(engine, &target, &plan).await?;
                return Ok(Value::Null);
            };
            Ok(actions::link_skills(engine, &target, way, &plan).await?.into())
        }
        Order::SettleCopy { target, skill, replace } => {
            actions::settle_copy(engine, &target, &skill, replace).await?;
            Ok(Value::Null)
        }
        Order::ReadUnsaved => Ok(actions::read_unsaved(engine).await?.into()),
        Order::ForgetToken { client } => {
            actions::forget_token(engine, &client).await?;
            Ok(Value::Null)
        }
        Order::AddFolder { path, enable_new } => {
            actions::add_folder(engine, &path, enable_new).await?;
            Ok(find_folder(engine, &path).await?.into())
        }
        Order::SwitchNewSkills { folder, on } => {
            let folder = find_folder(engine, &folder).await?;
            actions::switch_new_skills(engine, &folder, on).await?;
            Ok(folder.into())
        }
        Order::RemoveFolder { folder } => {
            let folder = find_folder(engine, &folder).await?;
            actions::remove_folder(engine, &folder).await?;
            Ok(folder.into())
        }
        Order::WorkTree { folder, act } => {
            let folder = find_folder(engine, &folder).await?;
            work_trees::carry_out(engine, &folder, act).await
        }
        Order::Pause { on } => {
            actions::pause(engine, on).await?;
            Ok(Value::Null)
        }
        Order::AddClient(client) => Ok(actions::add_client(engine, client).await?.into()),
        Order::RemoveClient { client } => {
            actions::remove_client(engine, &client).await?;
            Ok(Value::Null)
        }
        Order::ReadDrift { client, project } => Ok(json!(actions::read_drift(engine, &client, project).await?)),
        Order::SettleDrift { client, project, drift, choice } => {
            actions::settle_drift(engine, &client, project, &drift, choice).await?;
            Ok(Value::Null)
        }
        Order::EntryText { client, transport } => Ok(json!(actions::entry_text(engine, &client, transport).await?)),
        Order::SettleKept { skill, moment } => {
            let key = actions::find_skill(engine, &skill)?;
            actions::settle_kept(engine, &key, moment).await?;
            Ok(Value::Null)
        }
        Order::PlanUninstall => Ok(json!(actions::plan_uninstall(engine).await?)),
        Order::Uninstall { plan, secrets } => Ok(actions::uninstall(engine, &plan, secrets).await?.into()),
        Order::Tag { skills, add, remove } => Ok(json!(actions::tag_skills(engine, &skills, &add, &remove).await?)),
        Order::UndoWrite { id } => {
            actions::undo_write(engine, id).await?;
            Ok(Value::Null)
        }
        Order::ReadUsage { days } => Ok(json!(actions::usage(engine, days).await?)),
        Order::UsageAsCsv { days } => Ok(actions::usage_as_csv(engine, days).await?.into()),
        Order::WipeUsage => {
            actions::wipe_usage(engine).await?;
            Ok(Value::Null)
        }
        Order::RetryKeychain => {
            actions::retry_keychain(engine).await?;
            Ok(json!(engine.snapshot().keychain))
        }
        Order::Server(order) => servers::carry_out(engine, order).await,
        Order::Given(order) => given::carry_out(engine, order).await,
        Order::Fix { skills } => {
            let mut changed = Vec::new();
            for key in keys(engine, &skills)? {
                let before = actions::read_skill(engine, &key).await?;
                if fix(engine, &before).await? {
                    changed.push(key);
                }
            }
            Ok(changed.into())
        }
    }
}

/// Applies every fix to the skill of this page, and returns whether anything changed.
async fn fix(engine: &Engine, page: &SkillPage) -> Result<bool, ActionError> {
    match actions::fix_skill(engine, &page.key, &page.digest).await? {
        Saved::Saved { page: after } => Ok(after.digest != page.digest),
        Saved::Changed { .. } => {
            let message = format!("{} changed on the disk meanwhile, so it was left as it is. Try again.", page.key);
            Err(failed(ErrorKind::Changed, message))
        }
    }
}

fn keys(engine: &Engine, skills: &[String]) -> Result<Vec<String>, ActionError> {
    skills.iter().map(|skill| actions::find_skill(engine, skill)).collect()
}

/// The id of the library folder that a word names: by its id, its displayed path, or a path that leads to it.
async fn find_folder(engine: &Engine, word: &str) -> Result<String, ActionError> {
    let snapshot = engine.snapshot();
    let named = |folder: &&Folder| [&folder.id, &folder.path, &folder.place].into_iter().any(|name| name == word);
    if let Some(folder) = snapshot.folders.iter().find(named) {
        return Ok(folder.id.clone());
    }
    let (folders, path) = (Arc::clone(&snapshot), PathBuf::from(word));
    let led = state::blocking(move || {
        let Some(real) = dunce::canonicalize(&path).ok().filter(|_| path.is_absolute()) else { return Ok(None) };
        let same = |folder: &&Folder| dunce::canonicalize(&folder.path).is_ok_and(|there| there == real);
        Ok(folders.folders.iter().find(same).map(|folder| folder.id.clone()))
    });
    led.await?.ok_or_else(|| {
        let known: Vec<_> = snapshot.folders.iter().map(|folder| folder.place.as_str()).collect();
        let all = format!("There are: {}.", known.join(", "));
        unknown(format!("{word} is not a folder of the library."), word, known, &all)
    })
}

/// The set that a word names by its id or its name.
fn find_set(engine: &Engine, word: &str) -> Result<SkillSet, ActionError> {
    let snapshot = engine.snapshot();
    let named = snapshot.sets.iter().find(|set| set.id == word || set.name == word);
    named.cloned().ok_or_else(|| {
        let known: Vec<_> = snapshot.sets.iter().map(|set| set.name.as_str()).collect();
        let all = match known.as_slice() {
            [] => "There is none yet.".to_owned(),
            known => format!("There are: {}.", known.join(", ")),
        };
        unknown(format!("There is no set {word}."), word, known, &all)
    })
}
