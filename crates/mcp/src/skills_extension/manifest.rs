//! A skill as `skills/list` and `skills/get` show it: its frontmatter as authored, and every file with the digest of
//! its current bytes. Hosts compare both with what they read, so a skill with an unreadable file is not shown at all.

use std::{io, sync::Arc};

use rmcp::model::{JsonObject, Skill, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::Value;
use skills::{Entry, SkillPath, address};

use crate::{Host, Manifest, Part, skill_md};

/// The shown form of each of these skills; `None` if it cannot be published, an error if its files cannot be read.
pub(super) async fn entries<H: Host>(host: &H, entries: &[Arc<Entry>]) -> Vec<io::Result<Option<Skill>>> {
    let manifests = host.manifests(entries.to_vec(), Part::Everything).await;
    let mut shown = Vec::with_capacity(entries.len());
    for (entry, manifest) in entries.iter().zip(manifests) {
        shown.push(match manifest {
            Ok(manifest) => skill(host, entry, manifest).await,
            Err(error) => Err(error),
        });
    }
    shown
}

async fn skill<H: Host>(host: &H, entry: &Entry, mut manifest: Manifest) -> io::Result<Option<Skill>> {
    let skill_md = manifest.iter_mut().find(|(path, _)| *path == SkillPath::skill_md());
    let Some((_, digest)) = skill_md else { return Ok(None) };
    let authored = skill_md::frontmatter(host, entry, digest).await?;
    Ok(authored.and_then(|authored| as_published(entry, &authored, &manifest)))
}

fn as_published(entry: &Entry, authored: &JsonObject, manifest: &Manifest) -> Option<Skill> {
    let frontmatter = frontmatter(authored)?;
    if !skills::within_limits(manifest.iter().map(|(_, digest)| digest.size)) {
        return None;
    }
    let file = |path| address::skill_uri(entry, path);
    let files = manifest.iter().map(|(path, digest)| SkillResource::new(file(path), digest.to_string(), digest.size));
    let skill = Skill::new(file(&SkillPath::skill_md()), frontmatter, SkillResources::Files(files.collect()));
    skill.validate().is_ok().then_some(skill)
}

/// The frontmatter with every field as authored; `None` if name or description is not a text.
fn frontmatter(authored: &JsonObject) -> Option<SkillFrontmatter> {
    let text = |key| authored.get(key).and_then(Value::as_str);
    let mut frontmatter = SkillFrontmatter::new(text("name")?, text("description")?);
    let others = authored.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description"));
    frontmatter.extra = others.map(|(key, value)| (key.clone(), value.clone())).collect();
    Some(frontmatter)
}
