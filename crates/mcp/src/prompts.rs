//! The prompts that clients offer as slash commands: `init-skills`, which puts the usage guide into
//! the conversation, and one per skill that people may call (decision 26). What calling a skill gives
//! is decided in `skills`; here it is read and handed over.

use std::sync::Arc;

use rmcp::{
    ErrorData,
    model::{
        GetPromptRequestParams, GetPromptResult, ListPromptsResult, PaginatedRequestParams, Prompt, PromptArgument,
        PromptMessage, Role,
    },
};
use serde_json::Value;
use skills::{Catalog, Entry, Skill, SkillPath};

use crate::{Caller, Host, instructions, pages, skill_md, weight::Reader};

const LIST: &str = "prompts";
const INIT_SKILLS: &str = "init-skills";
const ABOUT: &str = "Background on how skills work here: how to find them, when to load one, how to use its files.";

/// One page of the prompts: the guide, then the skills by id.
pub(crate) fn list(catalog: &Catalog, request: Option<PaginatedRequestParams>) -> Result<ListPromptsResult, ErrorData> {
    let last = pages::last_key(LIST, request)?;
    let guide = || Prompt::new(INIT_SKILLS, Some(ABOUT), None).with_title("How to use skills");
    let first = last.is_none().then(guide);
    let after = |entry: &&Arc<Entry>| last.as_ref().is_none_or(|last| name(entry) > last.as_str());
    let skills = catalog.served_from(last.as_deref().unwrap_or_default()).iter().filter(after);
    let rest = first.into_iter().chain(skills.filter(|entry| is_offered(entry)).map(|entry| prompt(entry)));
    let (page, next_cursor) = pages::take(LIST, rest, |prompt| prompt.name.clone());
    Ok(ListPromptsResult { next_cursor, ..ListPromptsResult::with_all_items(page) })
}

/// The messages of one prompt.
pub(crate) async fn get<H: Host>(
    host: &H,
    reader: &Reader,
    caller: &Caller,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    if request.name == INIT_SKILLS {
        return Ok(message(ABOUT, instructions(false)));
    }
    let catalog = host.catalog(caller).await;
    let entry = catalog
        .get(&request.name)
        .filter(|entry| is_offered(entry))
        .ok_or_else(|| ErrorData::invalid_params(format!("There is no prompt named {}.", request.name), None))?;
    let bytes = reader.read(host, entry, &SkillPath::skill_md()).await.map_err(|error| {
        ErrorData::internal_error(format!("The SKILL.md of {} cannot be read: {}.", request.name, error.kind()), None)
    })?;
    let skill = skill_md::skill(entry, &bytes);
    let body = String::from_utf8_lossy(&bytes[skill.body.clone()]);
    let given = |name: &str| request.arguments.as_ref()?.get(name).and_then(Value::as_str);
    Ok(message(&skill.description, skill.invoke(&body, &entry.location, given)))
}

/// Whether the list is the same from both.
pub(crate) fn same(before: &Catalog, now: &Catalog) -> bool {
    let shown = |skill: &Skill| (skill.id.clone(), skill.name.clone(), skill.description.clone(), skill.arguments());
    let same = |old: &Arc<Skill>, new: &Arc<Skill>| Arc::ptr_eq(old, new) || shown(old) == shown(new);
    offered(before).count() == offered(now).count()
        && offered(before).zip(offered(now)).all(|(old, new)| same(&old.skill, &new.skill))
}

fn offered(catalog: &Catalog) -> impl Iterator<Item = &Entry> {
    catalog.served().map(|entry| &**entry).filter(|entry| is_offered(entry))
}

/// Whether this skill is a prompt. One that is named as the guide is leaves it its name.
fn is_offered(entry: &Entry) -> bool {
    entry.skill.for_people() && name(entry) != INIT_SKILLS
}

fn name(entry: &Entry) -> &str {
    &entry.skill.id
}

fn prompt(entry: &Entry) -> Prompt {
    let argument = |argument: skills::Argument| {
        let mut shown = PromptArgument::new(argument.name).with_required(false);
        shown.description = argument.hint;
        shown
    };
    let arguments: Vec<_> = entry.skill.arguments().into_iter().map(argument).collect();
    let arguments = Some(arguments).filter(|arguments| !arguments.is_empty());
    Prompt::new(name(entry), Some(&entry.skill.description), arguments).with_title(&entry.skill.name)
}

fn message(description: &str, text: String) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(description)
}
