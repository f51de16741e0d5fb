//! `completion/complete`: while somebody fills in a template of the `resource://` family, the ids of
//! skills and of a skill's references that begin with what is typed, then those that hold it.

use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use skills::Catalog;

use crate::resources;

/// What can stand there. Nothing for a prompt or for anything that is not ours.
pub(crate) fn complete(catalog: &Catalog, request: &CompleteRequestParams) -> CompletionInfo {
    let Reference::Resource(template) = &request.r#ref else { return CompletionInfo::default() };
    if !resources::is_template(&template.uri, &request.argument.name) {
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
