//! `skill://index.json`: the index by which hosts found skills before `skills/list` existed (the draft of the skills extension). It has the same
//! skills, each with the digest of its SKILL.md alone.

use std::{io, sync::Arc};

use machine::open_files::is_shortage;
use rmcp::model::{JsonObject, Resource};
use serde::Serialize;
use skills::{Catalog, Entry, SkillPath, address};

use super::{JSON, archive};
use crate::{Host, Manifest, Part, skill_md};

const URI: &str = "skill://index.json";

#[derive(Serialize)]
struct Index {
    skills: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    frontmatter: JsonObject,
    url: String,
    digest: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    archives: Vec<Archive>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Archive {
    url: String,
    mime_type: &'static str,
    digest: String,
}

/// The index as a listed resource.
pub(super) fn resource() -> Resource {
    Resource::new(URI, "index.json")
        .with_title("All published skills")
        .with_description("Every published skill with its frontmatter, its address and the digest of its SKILL.md.")
        .with_mime_type(JSON)
}

/// The current index, sorted by address.
///
/// # Errors
/// If files cannot be opened now: an index without them would claim that their skills are gone.
pub(super) async fn read<H: Host>(host: &H, catalog: &Catalog) -> io::Result<String> {
    let entries: Vec<Arc<Entry>> = catalog.published().cloned().collect();
    let part = if host.archives() { Part::Everything } else { Part::SkillMd };
    let manifests = host.manifests(entries.clone(), part).await;
    let mut skills = Vec::with_capacity(entries.len());
    for (entry, manifest) in entries.iter().zip(manifests) {
        let line = match manifest {
            Ok(manifest) => line(host, entry, manifest).await,
            Err(error) => Err(error),
        };
        match line {
            Ok(line) => skills.extend(line),
            Err(error) if is_shortage(&error) => return Err(error),
            Err(_) => {}
        }
    }
    skills.sort_by(|a, b| a.url.cmp(&b.url));
    // Texts, numbers and lists of them can always be serialized.
    Ok(serde_json::to_string(&Index { skills }).unwrap_or_default())
}

async fn line<H: Host>(host: &H, entry: &Entry, mut manifest: Manifest) -> io::Result<Option<Line>> {
    let skill_md = manifest.iter_mut().find(|(path, _)| *path == SkillPath::skill_md());
    let Some((_, digest)) = skill_md else { return Ok(None) };
    let Some(frontmatter) = skill_md::frontmatter(host, entry, digest).await? else { return Ok(None) };
    let digest = digest.to_string();
    let packed = if host.archives() { archive::digest(host, entry, manifest).await.ok() } else { None };
    let archive = |packed: crate::FileDigest| Archive {
        url: address::archive_uri(entry),
        mime_type: archive::MIME,
        digest: packed.to_string(),
    };
    let archives = packed.map(archive).into_iter().collect();
    Ok(Some(Line { frontmatter, url: address::skill_uri(entry, &SkillPath::skill_md()), digest, archives }))
}
