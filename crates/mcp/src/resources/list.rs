//! `resources/list` and its order (docs/wire-contract.md, "The order of `resources/list`").
//!
//! First the two indexes, then skill by skill, sorted by id: its document and references under `resource://`, then
//! SKILL.md and its other files under `skill://`, and last the packed skill, if enabled. After all skills come other
//! servers, by name, each with its resources by their URIs.

use rmcp::{
    ErrorData,
    model::{ListResourcesResult, PaginatedRequestParams, Resource},
};
use skills::{Catalog, Entry, File, Reference, SkillPath};

use super::{archive, family, file, index_json};
use crate::{Caller, Host, OfferedServer, pagination};

const LIST: &str = "resources";

/// One page of all resources.
pub(crate) async fn page<H: Host>(
    host: &H,
    caller: &Caller,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ErrorData> {
    let last = pagination::last_key(LIST, request)?;
    let catalog = host.catalog(caller).await;
    let (last, last_of_theirs) = match last.as_deref().map(|key| Key::read(key).ok_or(key)) {
        None => (None, None),
        Some(Ok(last)) => (Some(last), None),
        Some(Err(key)) => (None, Some(key.split_once(' ').ok_or_else(pagination::unknown_cursor)?)),
    };
    let ours = items(&catalog, last.as_ref(), host.archives())
        .filter(|item| last_of_theirs.is_none() && last.as_ref().is_none_or(|last| item.key() > *last))
        .map(|item| (item.key().print(), item.resource()));
    let offered = host.offered(caller);
    let mut theirs: Vec<_> = offered.listed_servers().flat_map(of_server).collect();
    theirs.sort_by_key(|(server, resource)| (*server, resource.uri.as_str()));
    let theirs = theirs
        .into_iter()
        .filter(|(server, resource)| last_of_theirs.is_none_or(|last| (*server, resource.uri.as_str()) > last))
        .map(|(server, resource)| (format!("{server} {}", resource.uri), resource.clone()));
    let (page, next_cursor) = pagination::take(LIST, ours.chain(theirs), |(key, _)| key.clone());
    let resources = page.into_iter().map(|(_, resource)| resource).collect();
    Ok(ListResourcesResult { next_cursor, ..ListResourcesResult::with_all_items(resources) })
}

fn of_server(server: &OfferedServer) -> impl Iterator<Item = (&str, &Resource)> {
    server.resources.listed().iter().map(|resource| (server.name.as_str(), resource))
}

/// One line of the list.
enum Item<'c> {
    Catalog,
    SkillIndex,
    Document(&'c Entry),
    Reference(&'c Entry, &'c str, &'c Reference, &'c File),
    File(&'c Entry, &'c File),
    Archive(&'c Entry),
}

/// The position of an item: by the skill's id, then by its kind, then by the path or the reference's id.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'k> {
    id: &'k str,
    rank: u8,
    name: &'k str,
}

impl<'k> Key<'k> {
    fn print(&self) -> String {
        format!("{}\n{}\n{}", self.id, self.rank, self.name)
    }

    fn read(key: &'k str) -> Option<Self> {
        let mut parts = key.splitn(3, '\n');
        Some(Self { id: parts.next()?, rank: parts.next()?.parse().ok()?, name: parts.next()? })
    }
}

impl Item<'_> {
    fn key(&self) -> Key<'_> {
        match self {
            Self::Catalog => Key { id: "", rank: 0, name: "" },
            Self::SkillIndex => Key { id: "", rank: 1, name: "" },
            Self::Document(entry) => Key { id: &entry.skill.id, rank: 0, name: "" },
            Self::Reference(entry, id, ..) => Key { id: &entry.skill.id, rank: 1, name: id },
            Self::File(entry, file) => {
                let rank = if file.path == SkillPath::skill_md() { 2 } else { 3 };
                Key { id: &entry.skill.id, rank, name: file.path.as_str() }
            }
            Self::Archive(entry) => Key { id: &entry.skill.id, rank: 4, name: "" },
        }
    }

    fn resource(&self) -> Resource {
        match self {
            Self::Catalog => family::catalog_resource(),
            Self::SkillIndex => index_json::resource(),
            Self::Document(entry) => family::document_resource(entry),
            Self::Reference(entry, id, reference, file) => family::reference_resource(entry, id, reference, file),
            Self::File(entry, file) => file::resource(entry, file),
            Self::Archive(entry) => archive::resource(entry),
        }
    }
}

/// The items in order, starting with those of the last item's skill.
fn items<'c>(catalog: &'c Catalog, last: Option<&Key<'_>>, archives: bool) -> impl Iterator<Item = Item<'c>> {
    let from = last.map_or("", |last| last.id);
    let entries = catalog.served_from(from).iter().filter(|entry| entry.cataloged());
    [Item::Catalog, Item::SkillIndex]
        .into_iter()
        .chain(entries.flat_map(move |entry| of_skill(catalog, entry, archives)))
}

fn of_skill<'c>(catalog: &'c Catalog, entry: &'c Entry, archives: bool) -> impl Iterator<Item = Item<'c>> {
    let references = family::references(entry).map(|(id, reference, file)| Item::Reference(entry, id, reference, file));
    let files = if catalog.publishes(entry) { own_files(catalog, entry) } else { Vec::new() };
    let (first, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.path == SkillPath::skill_md());
    let files = first.into_iter().chain(others).map(|file| Item::File(entry, file));
    let packed = (archives && catalog.publishes(entry) && archive::fits(entry)).then_some(Item::Archive(entry));
    std::iter::once(Item::Document(entry)).chain(references).chain(files).chain(packed)
}

/// The files of a skill without those of a published skill inside it, which are listed under that skill.
fn own_files<'c>(catalog: &Catalog, entry: &'c Entry) -> Vec<&'c File> {
    let inner =
        |folder: &str| catalog.at(&format!("{}/{}", entry.skill_path(), folder.trim_end_matches('/'))).is_some();
    let folders: Vec<&str> = entry
        .files
        .iter()
        .filter_map(|file| file.path.as_str().strip_suffix("SKILL.md"))
        .filter(|folder| folder.ends_with('/') && inner(folder))
        .collect();
    let own = |file: &&File| !folders.iter().any(|folder| file.path.as_str().starts_with(folder));
    entry.files.iter().filter(own).collect()
}
