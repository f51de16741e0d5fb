//! The family `resource://` of the frontmatter contract and the URI contract: a catalogue of every enabled skill, each
//! skill's document, the references that it declares, and a tree of Markdown pages. Skills are addressed by their ids;
//! unlike `skill://`, the family includes skills that do not follow the specification exactly.

mod catalog;
mod documents;

use rmcp::{
    ErrorData,
    model::{Resource, ResourceContents, ResourceTemplate},
};
use skills::{Address, Catalog, SkillPath, Target};

pub(crate) use self::documents::references;
pub(super) use self::{
    catalog::{index, record},
    documents::{document_resource, reference_resource},
};
use super::{JSON, bytes, contents, mime, not_found};
use crate::{Caller, Host, instructions, memory_budget::Reader};

const MARKDOWN: &str = "text/markdown";

/// The four templates.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, description: &str, mime: &str| {
        ResourceTemplate::new(uri, name).with_title(title).with_description(description).with_mime_type(mime)
    };
    vec![
        template(
            "resource://catalog/skills/{skill_id}",
            "skill_record",
            "A skill's record",
            "What is known of one skill: description, tags, where its document is, its references, and warnings.",
            JSON,
        ),
        template(
            "resource://skills/{skill_id}/document",
            "skill_document",
            "A skill's document",
            "The SKILL.md of one skill as its author wrote it.",
            MARKDOWN,
        ),
        template(
            "resource://skills/{skill_id}/references/{ref_id}",
            "skill_reference",
            "A skill's reference",
            "One reference document that the skill declares. Its record lists their ids.",
            MARKDOWN,
        ),
        template(
            "resource://docs/{path*}",
            "docs",
            "Markdown pages",
            "index.md, usage.md, and every Markdown file of a skill under skills/<id>/.",
            MARKDOWN,
        ),
    ]
}

/// The catalogue of every skill, as a listed resource.
pub(super) fn catalog_resource() -> Resource {
    Resource::new(Address::Catalog.to_string(), "skills_index")
        .with_title("All skills")
        .with_description("Every skill that is on, with its id, name, description, tags and capabilities.")
        .with_mime_type(JSON)
}

/// The contents of an address of the family.
pub(super) async fn read<H: Host>(
    host: &H,
    reader: &Reader,
    caller: &Caller,
    skills: &Catalog,
    target: Target<'_>,
    uri: &str,
) -> Result<ResourceContents, ErrorData> {
    let json = |text: String| contents(uri, text.into_bytes(), Some(JSON));
    let page = |text: String| contents(uri, text.into_bytes(), Some(MARKDOWN));
    Ok(match target {
        Target::Catalog => json(index(skills)),
        Target::Record(entry) => json(record(skills, entry, host.remark(caller, entry), host.archives())),
        Target::Document(entry) => {
            let path = SkillPath::skill_md();
            contents(uri, bytes(host, reader, entry, &path, uri).await?, Some(MARKDOWN))
                .with_meta(documents::meta(entry, None, &path))
        }
        Target::Reference(entry, id, reference) => {
            contents(uri, bytes(host, reader, entry, &reference.path, uri).await?, Some(&reference.mime_type))
                .with_meta(documents::meta(entry, Some(id), &reference.path))
        }
        Target::DocsIndex => page(documents::index(skills)),
        Target::DocsUsage => page(instructions(false)),
        Target::DocsFile(entry, path) => contents(uri, bytes(host, reader, entry, &path, uri).await?, mime::of(&path))
            .with_meta(documents::meta(entry, None, &path)),
        Target::SkillIndex | Target::Archive(_) | Target::File(..) | Target::Folder(..) => return Err(not_found(uri)),
    })
}
