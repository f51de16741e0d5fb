//! The MCP Skills extension, SEP-2640 as it became final: `skills/list`, `skills/get` and
//! `resources/directory/read`. The bytes of the files are ordinary resources (`resources`).

mod directory;
mod manifest;

use std::slice;

use machine::open_files::is_shortage;
use rmcp::{
    ErrorData,
    model::{GetSkillResult, ListSkillsResult, PaginatedRequestParams},
};
use skills::{Target, address};

pub(crate) use self::directory::read as read_directory;
use crate::{Caller, Host, pagination, resources};

const LIST: &str = "skills";

/// One page of the published skills, sorted by id. A skill that cannot be published now is left out and affects no
/// other. So is a skill with a value of another type than specified, because some clients drop the whole list for it;
/// `skills/get` returns it.
pub(crate) async fn list<H: Host>(
    host: &H,
    caller: &Caller,
    request: Option<PaginatedRequestParams>,
) -> Result<ListSkillsResult, ErrorData> {
    let last = pagination::last_key(LIST, request)?;
    let catalog = host.catalog(caller).await;
    let last = last.as_deref().unwrap_or_default();
    let rest = catalog
        .published_from(last)
        .iter()
        .filter(|entry| entry.skill.id != last && entry.skill.has_specified_values());
    let (page, next_cursor) = pagination::take(LIST, rest.cloned(), |entry| entry.skill.id.clone());
    let mut skills = Vec::with_capacity(page.len());
    for shown in manifest::entries(host, &page).await {
        match shown {
            Ok(shown) => skills.extend(shown),
            // A list without the skill would claim that it is gone.
            Err(error) if is_shortage(&error) => return Err(unread()),
            Err(_) => {}
        }
    }
    Ok(ListSkillsResult { next_cursor, ..ListSkillsResult::with_all_items(skills) })
}

/// The skill whose SKILL.md has exactly this URI.
pub(crate) async fn get<H: Host>(host: &H, caller: &Caller, uri: &str) -> Result<GetSkillResult, ErrorData> {
    let catalog = host.catalog(caller).await;
    let unknown = || ErrorData::invalid_params("No enabled skill has its SKILL.md at this URI.", None);
    let entry = match address::resolve(&catalog, uri) {
        Some(Target::File(entry, path)) if address::skill_uri(entry, &path) == uri => entry,
        None if resources::is_unread(host, caller, uri) => return Err(unread()),
        _ => return Err(unknown()),
    };
    match manifest::entries(host, slice::from_ref(entry)).await.pop() {
        Some(Ok(Some(skill))) if skill.uri == uri => Ok(GetSkillResult::new(skill)),
        Some(Err(_)) => Err(unread()),
        _ => Err(unknown()),
    }
}

fn unread() -> ErrorData {
    ErrorData::internal_error(resources::UNREAD, None)
}
