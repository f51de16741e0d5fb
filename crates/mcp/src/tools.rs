//! The two tools of the skills server specification: `list_skills` lists the skills, `get_skill` returns the
//! instructions of one skill and its path, so that the agent reads its other files with its own tools. Deliberately
//! absent: tools that read those files, search them or run scripts.

mod result;
mod search;

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use rmcp::{
    ErrorData,
    model::{JsonObject, Tool, ToolAnnotations},
};
use serde_json::{Value, json, value::RawValue};
use skills::{Catalog, Skill, SkillPath};

pub(crate) use self::result::Given;
use crate::{
    CallContext, CallFailure, Caller, Host, Offered, OfferedTool, Surface, UpstreamRequest,
    forwarded::Forwarded,
    json::push_texts,
    memory_budget::{self, Reader},
    skill_md, surface,
};

const LIST_SKILLS: &str = "list_skills";
const GET_SKILL: &str = "get_skill";

/// Whether a call of this tool may be repeated without asking: it only reads skills.
pub(crate) fn only_reads(name: &str) -> bool {
    name == LIST_SKILLS || name == GET_SKILL
}

/// Whether this may name a tool of another server, or one of the two that find and call these.
pub(crate) fn may_be_theirs(name: &str) -> bool {
    name.contains("__") || search::both().iter().any(|tool| tool.name == name)
}

/// Both tools, always in this order.
pub(crate) fn all() -> &'static [Tool] {
    static ALL: LazyLock<[Tool; 2]> = LazyLock::new(both);
    &*ALL
}

fn both() -> [Tool; 2] {
    [
        tool(
            LIST_SKILLS,
            "List skills",
            "List every available skill with its id, name and description. A skill is a specialised package of \
             instructions, scripts and resources for one kind of task. Use this to discover which skills there are.",
            json!({"type": "object", "properties": {}, "required": []}),
            json!({
                "type": "object",
                "properties": {"skills": {"type": "array", "items": record(&[
                    ("id", "The skill's identifier: its directory name"),
                    ("name", "Its name"),
                    ("description", "What it does and when to use it"),
                ])}},
                "required": ["skills"],
            }),
        ),
        tool(
            GET_SKILL,
            "Get a skill",
            "Get the full instructions of one skill (the content of its SKILL.md), together with the absolute path of \
             that file. Paths in the instructions are relative to its folder: read references/, scripts/ and assets/ \
             there with your own file tools.",
            json!({
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": "The skill's identifier (directory name), as listed by list_skills"},
                },
                "required": ["id"],
            }),
            with_note(record(&[
                ("path", "Absolute path of its SKILL.md"),
                ("name", "Its name"),
                ("description", "What it does and when to use it"),
                ("content", "Its instructions: the Markdown of SKILL.md without the frontmatter"),
            ])),
        ),
    ]
}

/// The tools in this client's list, ours first.
pub(crate) fn listed(offered: &Offered) -> Vec<Tool> {
    let found = if offered.search { search::both() } else { &[] };
    let theirs = offered.listed.iter().filter(|_| !offered.search).map(OfferedTool::tool);
    all().iter().chain(found).chain(theirs).cloned().collect()
}

/// Answers one call. An error that the caller can correct is a result that the model sees; an unknown tool is a
/// protocol error. Dropping the future cancels a call of another server's tool there.
pub(crate) async fn call<H: Host>(
    host: &H,
    reader: &Reader,
    caller: &Caller,
    name: &str,
    arguments: Option<&JsonObject>,
    meanwhile: CallContext,
) -> Result<Given, ErrorData> {
    if !only_reads(name) {
        // Arguments parsed from JSON can always be serialized.
        let arguments = arguments.and_then(|arguments| serde_json::value::to_raw_value(&arguments).ok());
        return call_theirs(host, caller, name, arguments.as_deref(), meanwhile).await;
    }
    if let Some(sentence) = surface::closed(host, caller, Surface::Tools) {
        return Ok(failure(sentence));
    }
    if name == LIST_SKILLS {
        return Ok(list_skills(&*host.catalog(caller).await));
    }
    let Some(Value::String(id)) = arguments.and_then(|arguments| arguments.get("id")) else {
        return Ok(failure("get_skill needs the id of a skill. Call list_skills to see the ids."));
    };
    let known = host.known(caller).await;
    if let Some(Ok(skill)) = get_skill(host, reader, caller, &known, id).await {
        known.get(id).inspect(|entry| host.opened(caller, entry));
        return Ok(skill);
    }
    let catalog = host.catalog(caller).await;
    let found = get_skill(host, reader, caller, &catalog, id).await;
    if matches!(found, Some(Ok(_))) {
        catalog.get(id).inspect(|entry| host.opened(caller, entry));
    }
    let missing = || match host.unread(caller, id) {
        Some(why) => failure(format!("The skill \"{id}\" cannot be looked for or read now: {why}")),
        None => unknown(&catalog, id),
    };
    Ok(found.map_or_else(missing, |skill| skill.unwrap_or_else(failure)))
}

/// Calls a tool of another server, or finds some.
pub(crate) async fn call_theirs<H: Host>(
    host: &H,
    caller: &Caller,
    name: &str,
    arguments: Option<&RawValue>,
    meanwhile: CallContext,
) -> Result<Given, ErrorData> {
    let offered = host.offered(caller);
    let why = |name: &str| host.not_offered(caller, name);
    let (name, arguments) = match search::meant(&offered, name, arguments, why) {
        search::Meant::Call { name, arguments } => (name, arguments),
        search::Meant::Answer(given) => return Ok(given),
    };
    let (name, arguments) = (&*name, arguments.as_deref());
    let open = surface::closed(host, caller, Surface::Tools);
    if !offered.has(name) {
        // A client that knew the tool before gets the reason for its absence; any other name is a protocol error.
        let why = host.not_offered(caller, name).filter(|_| open.is_none());
        let none = || ErrorData::invalid_params(format!("There is no tool named {name}."), None);
        return why.map(failure).ok_or_else(none);
    }
    if let Some(sentence) = open {
        return Ok(failure(sentence));
    }
    match host.ask(caller, UpstreamRequest::Tool { name, arguments }, meanwhile).await {
        Ok(result) => Ok(Forwarded::of(result).map_or_else(failure, Given::Forwarded)),
        Err(CallFailure::Sentence(sentence)) => Ok(failure(sentence)),
        Err(refused) => Err(refused.into()),
    }
}

/// The size of the files that a call reads in bytes, according to this catalog.
pub(crate) fn reads(catalog: &Catalog, name: &str, arguments: Option<&JsonObject>) -> u64 {
    let id = arguments.and_then(|arguments| arguments.get("id")).and_then(Value::as_str);
    let entry = id.filter(|_| name == GET_SKILL).and_then(|id| catalog.get(id));
    entry.map_or(0, |entry| memory_budget::size(entry, &SkillPath::skill_md()))
}

/// The id of an existing skill that a call asks for; any other value is the client's own data.
pub(crate) fn skill_of<'a>(catalog: &Catalog, name: &str, arguments: Option<&'a JsonObject>) -> Option<&'a str> {
    let id = arguments.filter(|_| name == GET_SKILL)?.get("id")?.as_str()?;
    catalog.get(id).map(|_| id)
}

/// The approximate number of tokens that other servers' listed tools take in a model's context window.
pub fn about_tools_tokens(offered: &Offered) -> usize {
    offered.listed.iter().filter(|_| !offered.search).map(OfferedTool::tokens).sum()
}

/// The approximate number of tokens that a model reads from `list_skills` for this catalog.
pub fn about_list_tokens(catalog: &Catalog) -> usize {
    skills::about_tokens(&rows(catalog))
}

/// The approximate number of tokens that a model reads from `list_skills` for this skill.
pub fn about_line_tokens(skill: &Skill) -> usize {
    let mut line = String::new();
    push_row(&mut line, skill);
    skills::about_tokens(&line)
}

fn push_row(json: &mut String, Skill { id, name, description, .. }: &Skill) {
    push_texts(json, [("id", &**id), ("name", name), ("description", description)]);
}

fn list_skills(catalog: &Catalog) -> Given {
    Given::Answer { json: rows(catalog), key: Some("skills"), remark: None }
}

/// The skills that a model may use, as JSON.
fn rows(catalog: &Catalog) -> String {
    let rows = catalog.served().map(|entry| &*entry.skill).filter(|skill| skill.for_models());
    let mut json = String::new();
    for skill in rows {
        json.push(if json.is_empty() { '[' } else { ',' });
        push_row(&mut json, skill);
    }
    if json.is_empty() {
        json.push('[');
    }
    json.push(']');
    json
}

/// A skill in its current state, or the reason why it cannot be read, as a sentence. The id is looked up and never
/// becomes a path.
async fn get_skill<H: Host>(
    host: &H,
    reader: &Reader,
    caller: &Caller,
    catalog: &Catalog,
    id: &str,
) -> Option<Result<Given, String>> {
    let entry = catalog.get(id)?;
    let path = entry.location.join("SKILL.md");
    let bytes = match reader.read(host, entry, &SkillPath::skill_md()).await {
        Ok(bytes) => bytes,
        Err(error) => return Some(Err(format!("{} cannot be read: {error}.", path.display()))),
    };
    let skill = skill_md::skill(entry, &bytes);
    let body = &bytes[skill.body.clone()];
    // Most skills are UTF-8, and checking that takes a tenth of the time.
    let content = &str::from_utf8(body).map_or_else(|_| String::from_utf8_lossy(body), Cow::Borrowed);
    let Skill { name, description, .. } = &*skill;
    // Some clients give the model only the structured content, others only the texts (decision 62).
    let (path, remark) = (&path.to_string_lossy(), host.remark(caller, entry));
    let mut json = String::with_capacity(bytes.len() + bytes.len() / 8 + 256);
    // A note stands before the content, so that it is read first.
    let note = remark.as_deref().map(|note| ("note", note));
    let texts = [("path", &**path), ("name", name), ("description", description)];
    push_texts(&mut json, texts.into_iter().chain(note).chain([("content", &**content)]));
    Some(Ok(Given::Answer { json, key: None, remark }))
}

fn unknown(catalog: &Catalog, id: &str) -> Given {
    let listed = catalog.served().filter(|entry| entry.skill.for_models());
    let ids: Vec<&str> = listed.map(|entry| entry.skill.id.as_str()).collect();
    let near = similar::get_close_matches(id, &ids, 3, 0.6);
    let hint = match near.as_slice() {
        [] => String::new(),
        near => format!(" Did you mean {}?", near.join(" or ")),
    };
    failure(format!("No skill has the id \"{id}\".{hint} Call list_skills to see every skill."))
}

fn failure(sentence: impl Into<String>) -> Given {
    Given::Failure(sentence.into())
}

fn tool(name: &'static str, title: &str, description: &'static str, input: Value, output: Value) -> Tool {
    let hints =
        ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false);
    Tool::new(name, Cow::Borrowed(description), schema(input))
        .with_title(title)
        .with_raw_output_schema(schema(output))
        .with_annotations(hints)
}

/// The schema of an object whose fields are all required texts.
fn record(fields: &[(&str, &str)]) -> Value {
    let properties: JsonObject = fields
        .iter()
        .map(|(name, description)| ((*name).to_owned(), json!({"type": "string", "description": description})))
        .collect();
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// The schema with an optional `note`, present only if something is missing.
fn with_note(mut record: Value) -> Value {
    let about = "What the user has to do before this skill can be used, where something is missing: tell them";
    record["properties"]["note"] = json!({"type": "string", "description": about});
    record
}

fn schema(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}
