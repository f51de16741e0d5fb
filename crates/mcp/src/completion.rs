//! `completion/complete`: while the user fills in a template of the `resource://` family, the ids of skills and of a
//! skill's references that begin with the typed text, then those that contain it. Requests for another server's prompt
//! are passed on to that server.

use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use serde::Deserialize;
use serde_json::value::to_raw_value;
use skills::Catalog;

use crate::{CallContext, Caller, Host, Surface, UpstreamRequest, resources, surface};

/// The possible values. Empty for a prompt of Skilltender, for anything unknown, and where the part of the server is off that a
/// prompt or a template belongs to.
pub(crate) async fn complete<H: Host>(host: &H, caller: &Caller, request: &CompleteRequestParams) -> CompletionInfo {
    match &request.r#ref {
        Reference::Prompt(prompt) => of_theirs(host, caller, &prompt.name, request).await.unwrap_or_default(),
        Reference::Resource(template) if surface::closed(host, caller, Surface::Resources).is_none() => {
            of_ours(&*host.catalog(caller).await, &template.uri, request)
        }
        _ => CompletionInfo::default(),
    }
}

/// The answer of the prompt's server; `None` if it cannot complete.
async fn of_theirs<H: Host>(
    host: &H,
    caller: &Caller,
    prompt: &str,
    request: &CompleteRequestParams,
) -> Option<CompletionInfo> {
    #[derive(Deserialize)]
    struct Answer {
        completion: CompletionInfo,
    }
    if surface::closed(host, caller, Surface::Prompts).is_some() || host.offered(caller).prompt(prompt).is_none() {
        return None;
    }
    let argument = to_raw_value(&request.argument).ok()?;
    let context = request.context.as_ref().and_then(|context| to_raw_value(context).ok());
    let wish = UpstreamRequest::Completion { prompt, argument: &argument, context: context.as_deref() };
    let answer = host.ask(caller, wish, CallContext::default()).await.ok()?;
    Some(serde_json::from_str::<Answer>(answer.get()).ok()?.completion)
}

fn of_ours(catalog: &Catalog, template: &str, request: &CompleteRequestParams) -> CompletionInfo {
    if !resources::is_template(template, &request.argument.name) {
        return CompletionInfo::default();
    }
    let given = |name: &str| request.context.as_ref()?.get_argument(name);
    match request.argument.name.as_str() {
        "skill_id" => {
            let cataloged = catalog.served().filter(|entry| entry.cataloged());
            matching(cataloged.map(|entry| entry.skill.id.as_str()), &request.argument.value)
        }
        "ref_id" => {
            let entry = given("skill_id").and_then(|id| catalog.get(id)).filter(|entry| entry.cataloged());
            let references = entry.into_iter().flat_map(|entry| resources::references(entry).map(|(id, ..)| id));
            matching(references, &request.argument.value)
        }
        _ => CompletionInfo::default(),
    }
}

fn matching<'i>(ids: impl Iterator<Item = &'i str>, typed: &str) -> CompletionInfo {
    let typed = typed.to_lowercase();
    let (mut first, others): (Vec<_>, Vec<_>) =
        ids.filter(|id| id.contains(&typed)).partition(|id| id.starts_with(&typed));
    first.extend(others);
    let mut info = CompletionInfo::default();
    info.total = u32::try_from(first.len()).ok();
    info.has_more = Some(first.len() > CompletionInfo::MAX_VALUES);
    info.values = first.into_iter().take(CompletionInfo::MAX_VALUES).map(str::to_owned).collect();
    info
}
