//! `resources/directory/read`: the direct children of a folder of a published skill. Files are the same objects as in
//! `resources/list`. Folders are read from the disk, because the catalogue knows only files, and an empty folder counts
//! too.

use std::collections::BTreeMap;

use machine::open_files::is_shortage;
use rmcp::{
    ErrorData,
    model::{PaginatedRequestParams, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, Resource},
};
use skills::{Entry, SkillPath, address};

use crate::{Caller, Host, pagination, resources};

const LIST: &str = "directory";

/// One page of the files and folders in the folder at this URI, sorted by name.
pub(crate) async fn read<H: Host>(
    host: &H,
    caller: &Caller,
    request: ReadResourceDirectoryRequestParams,
) -> Result<ReadResourceDirectoryResult, ErrorData> {
    let cursor = PaginatedRequestParams::default().with_cursor(request.cursor);
    let last = pagination::last_key(LIST, Some(cursor))?;
    let catalog = host.catalog(caller).await;
    let unknown = || ErrorData::invalid_params("No enabled skill has this folder.", None);
    let unread = || ErrorData::internal_error(resources::UNREAD, None);
    let Some((entry, within)) = address::find_skill_folder(&catalog, &request.uri) else {
        return Err(if resources::is_unread(host, caller, &request.uri) { unread() } else { unknown() });
    };
    let mut children = files(entry, within.as_ref());
    match host.folders(entry, within.as_ref()).await {
        Ok(folders) => children.extend(folders.into_iter().map(|name| (name, Child::Folder))),
        Err(error) if is_shortage(&error) => return Err(unread()),
        Err(_) if children.is_empty() => return Err(unknown()),
        Err(_) => {}
    }
    let rest = children.into_iter().filter(|(name, _)| last.as_ref().is_none_or(|last| name > last));
    let (page, next_cursor) = pagination::take(LIST, rest, |(name, _)| name.clone());
    let resources = page.iter().filter_map(|(name, child)| resource(entry, within.as_ref(), name, *child));
    Ok(ReadResourceDirectoryResult { next_cursor, ..ReadResourceDirectoryResult::with_all_items(resources.collect()) })
}

#[derive(Clone, Copy)]
enum Child {
    File,
    Folder,
}

/// The names of the direct children of this folder, by the skill's files.
fn files(entry: &Entry, within: Option<&SkillPath>) -> BTreeMap<String, Child> {
    let prefix = within.map(|within| format!("{within}/")).unwrap_or_default();
    let below = entry.files.iter().filter_map(|file| file.path.as_str().strip_prefix(&prefix));
    below
        .map(|below| match below.split_once('/') {
            Some((folder, _)) => (folder.to_owned(), Child::Folder),
            None => (below.to_owned(), Child::File),
        })
        .collect()
}

/// The resource of one child; `None` if its name is not valid in a URI.
fn resource(entry: &Entry, within: Option<&SkillPath>, name: &str, child: Child) -> Option<Resource> {
    let path = within.map_or_else(|| name.to_owned(), |within| format!("{within}/{name}"));
    let path = SkillPath::new(&path)?;
    match child {
        Child::File => entry.file(&path).map(|file| resources::skill_file(entry, file)),
        Child::Folder => Some(resources::skill_folder(entry, &path)),
    }
}
