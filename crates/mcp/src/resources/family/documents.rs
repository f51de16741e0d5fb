//! The document, the references and the pages of skills: their listing, and the fields of the block `x-personal-mcp`
//! that go with them (docs/wire-contract.md, "What `x-personal-mcp` adds"). They contain no path of this computer.

use rmcp::model::{MetaObject, Resource};
use serde_json::{Value, json};
use skills::{Address, Catalog, Entry, File, Reference, SkillPath};

use super::{super::file::annotations, MARKDOWN};

/// The head of `index.md`.
const INDEX: &str = include_str!("index.md");

/// The references that a skill declares and contains, sorted by id.
pub(crate) fn references(entry: &Entry) -> impl Iterator<Item = (&str, &Reference, &File)> {
    let declared = entry.skill.personal.iter().flat_map(|personal| &personal.references);
    declared.filter_map(|(id, reference)| Some((id.as_str(), reference, entry.file(&reference.path)?)))
}

/// A skill's SKILL.md as a document.
pub(in crate::resources) fn document_resource(entry: &Entry) -> Resource {
    let path = SkillPath::skill_md();
    let uri = Address::Document(entry.skill.id.clone()).to_string();
    let resource = Resource::new(uri, entry.skill.id.clone())
        .with_title(entry.skill.name.clone())
        .with_description(entry.skill.description.clone())
        .with_mime_type(MARKDOWN)
        .with_meta(meta(entry, None, &path));
    with_file(resource, entry.file(&path), 0.8)
}

/// One of the skill's references.
pub(in crate::resources) fn reference_resource(
    entry: &Entry,
    id: &str,
    reference: &Reference,
    file: &File,
) -> Resource {
    let skill = &entry.skill.id;
    let mut resource =
        Resource::new(Address::Reference(skill.clone(), id.to_owned()).to_string(), format!("{skill}/{id}"))
            .with_mime_type(reference.mime_type.clone())
            .with_meta(meta(entry, Some(id), &reference.path));
    resource.title = reference.title.clone();
    with_file(resource, Some(file), 0.3)
}

/// The metadata of a skill's file: its skill, its path in the skill, and the skill's tags and version where FastMCP
/// puts them.
pub(super) fn meta(entry: &Entry, reference: Option<&str>, path: &SkillPath) -> MetaObject {
    let mut tags = entry.skill.tags();
    tags.sort_unstable();
    let mut fastmcp = json!({"tags": tags});
    if let Some(version) = entry.skill.version() {
        fastmcp["version"] = Value::String(version);
    }
    let mut meta = MetaObject::new();
    meta.insert("skill_id".to_owned(), json!(entry.skill.id));
    if let Some(id) = reference {
        meta.insert("ref_id".to_owned(), json!(id));
    }
    meta.insert("source_path".to_owned(), json!(path));
    meta.insert("fastmcp".to_owned(), fastmcp);
    meta
}

/// The page `index.md`: an introduction, and a link to each skill's page.
pub(super) fn index(catalog: &Catalog) -> String {
    catalog.served().filter(|entry| entry.cataloged()).fold(INDEX.to_owned(), |mut page, entry| {
        let words: Vec<_> = entry.skill.description.split_whitespace().collect();
        let id = &entry.skill.id;
        page.push_str(&format!("- [{id}](skills/{id}/SKILL.md): {}\n", words.join(" ")));
        page
    })
}

fn with_file(resource: Resource, file: Option<&File>, priority: f32) -> Resource {
    match file {
        Some(file) => resource.with_size(file.size).with_annotations(annotations(file, priority)),
        None => resource,
    }
}
