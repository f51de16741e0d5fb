//! The prompts that clients offer as slash commands: `init-skills`, which puts the usage guide into the conversation,
//! one per skill that users may call (decision 26), and those of other servers. The contents of a called skill are
//! defined in `skills`; this module reads and returns them.

use std::sync::Arc;

use rmcp::{
    ErrorData,
    model::{
        GetPromptRequestParams, GetPromptResult, ListPromptsResult, PaginatedRequestParams, Prompt, PromptArgument,
        PromptMessage, ResultType, Role,
    },
};
use serde_json::{Value, value::RawValue};
use skills::{Catalog, Entry, Skill, SkillPath};

use crate::{
    CallContext, Caller, Host, Offered, UpstreamRequest,
    forwarded::{Forwarded, ODD},
    instructions,
    memory_budget::Reader,
    pagination, skill_md,
};

const LIST: &str = "prompts";
const INIT_SKILLS: &str = "init-skills";
const ABOUT: &str = "Background on how skills work here: how to find them, when to load one, how to use its files.";

/// Precedes the name of another server's prompt in a cursor.
const THEIRS: char = '\n';

/// One page of the prompts: the guide, then the skills by id, then those of other servers by name.
pub(crate) fn list(
    catalog: &Catalog,
    offered: &Offered,
    request: Option<PaginatedRequestParams>,
) -> Result<ListPromptsResult, ErrorData> {
    let last = pagination::last_key(LIST, request)?;
    let (last, last_of_theirs) = match last.as_deref().map(|last| last.strip_prefix(THEIRS).ok_or(last)) {
        None => (None, None),
        Some(Err(id)) => (Some(id), None),
        Some(Ok(name)) => (None, Some(name)),
    };
    let ours = last_of_theirs.is_none();
    let guide = || Prompt::new(INIT_SKILLS, Some(ABOUT), None).with_title("How to use skills");
    let first = (ours && last.is_none()).then(guide);
    let after = |entry: &&Arc<Entry>| ours && last.is_none_or(|last| name(entry) > last);
    let skills = catalog.served_from(last.unwrap_or_default()).iter().filter(after);
    let skills = skills.filter(|entry| is_offered(entry)).map(|entry| prompt(entry));
    let skills = first.into_iter().chain(skills).map(|prompt| (prompt.name.clone(), prompt));
    let mut theirs: Vec<_> = offered.listed_prompts().filter(|prompt| !is_ours(catalog, prompt.name())).collect();
    theirs.sort_by_key(|prompt| prompt.name());
    let theirs = theirs.into_iter().filter(|prompt| last_of_theirs.is_none_or(|last| prompt.name() > last));
    let theirs = theirs.map(|prompt| (format!("{THEIRS}{}", prompt.name()), prompt.prompt().clone()));
    let (page, next_cursor) = pagination::take(LIST, skills.chain(theirs), |(key, _)| key.clone());
    let page = page.into_iter().map(|(_, prompt)| prompt).collect();
    Ok(ListPromptsResult { next_cursor, ..ListPromptsResult::with_all_items(page) })
}

/// The messages of one prompt.
pub(crate) async fn get<H: Host>(
    host: &H,
    reader: &Reader,
    caller: &Caller,
    request: &GetPromptRequestParams,
    meanwhile: CallContext,
) -> Result<GetPromptResult, ErrorData> {
    if request.name == INIT_SKILLS {
        return Ok(message(ABOUT, instructions(false)));
    }
    let catalog = host.catalog(caller).await;
    let Some(entry) = catalog.get(&request.name).filter(|entry| is_offered(entry)) else {
        // Arguments parsed from JSON can always be serialized.
        let arguments = request.arguments.as_ref().and_then(|given| serde_json::value::to_raw_value(given).ok());
        let given = get_theirs(host, caller, &request.name, arguments.as_deref(), meanwhile).await?;
        let mut got: GetPromptResult = given.read().ok_or_else(|| ErrorData::internal_error(ODD, None))?;
        got.result_type = Some(ResultType::COMPLETE);
        return Ok(got);
    };
    let bytes = reader.read(host, entry, &SkillPath::skill_md()).await.map_err(|error| {
        ErrorData::internal_error(format!("The SKILL.md of {} cannot be read: {}.", request.name, error.kind()), None)
    })?;
    let skill = skill_md::skill(entry, &bytes);
    let body = String::from_utf8_lossy(&bytes[skill.body.clone()]);
    let given = |name: &str| request.arguments.as_ref()?.get(name).and_then(Value::as_str);
    Ok(message(&skill.description, skill.invoke(&body, &entry.location, given)))
}

/// One prompt of another server, as that server answers.
pub(crate) async fn get_theirs<H: Host>(
    host: &H,
    caller: &Caller,
    name: &str,
    arguments: Option<&RawValue>,
    meanwhile: CallContext,
) -> Result<Forwarded, ErrorData> {
    if host.offered(caller).prompt(name).is_none() {
        let invalid = |why| Err(ErrorData::invalid_params(why, None));
        if let Some(why) = host.not_offered(caller, name) {
            return invalid(why);
        }
        if let Some(why) = host.unread(caller, name) {
            return Err(ErrorData::internal_error(format!("The skill {name} cannot be read now: {why}"), None));
        }
        return invalid(format!("There is no prompt named {name}."));
    }
    let result = host.ask(caller, UpstreamRequest::Prompt { name, arguments }, meanwhile).await?;
    Forwarded::of(result).map_err(|sentence| ErrorData::internal_error(sentence, None))
}

/// Whether the prompt with this name is another server's.
pub(crate) fn is_theirs<H: Host>(host: &H, caller: &Caller, catalog: &Catalog, name: &str) -> bool {
    !is_ours(catalog, name) && host.offered(caller).prompt(name).is_some()
}

/// Whether the lists of other servers' prompts are the same.
pub(crate) fn same_theirs(before: &Offered, now: &Offered) -> bool {
    Arc::ptr_eq(&before.servers, &now.servers) || before.listed_prompts().eq(now.listed_prompts())
}

/// Whether both catalogs have the same list.
pub(crate) fn same(before: &Catalog, now: &Catalog) -> bool {
    let shown = |skill: &Skill| (skill.id.clone(), skill.name.clone(), skill.description.clone(), skill.arguments());
    let same = |old: &Arc<Skill>, new: &Arc<Skill>| Arc::ptr_eq(old, new) || shown(old) == shown(new);
    offered(before).count() == offered(now).count()
        && offered(before).zip(offered(now)).all(|(old, new)| same(&old.skill, &new.skill))
}

fn offered(catalog: &Catalog) -> impl Iterator<Item = &Entry> {
    catalog.served().map(|entry| &**entry).filter(|entry| is_offered(entry))
}

/// Whether one of our prompts has this name.
fn is_ours(catalog: &Catalog, name: &str) -> bool {
    name == INIT_SKILLS || catalog.get(name).is_some_and(|entry| is_offered(entry))
}

/// Whether this skill is a prompt. A skill named like the guide is not.
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
